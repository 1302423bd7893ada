"""Which rows of a batch have no answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.precision import NORM_RANGE
from soadyn.engine.reference.faults import Faults
from soadyn.mechanics.link.crossing import Pivot
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS, Array, real
from soadyn.programs.sweep.inputs import core_axes, share_of
from soadyn.programs.sweep.vector_names import public_name


def finite(x: Array) -> np.ndarray:
    """Elementwise, for every kind of number."""
    if x.dtype == object:
        import mpmath

        return np.asarray(np.frompyfunc(mpmath.isfinite, 1, 1)(x), dtype=bool)
    return np.isfinite(x)


def rounding(dtype: np.dtype) -> Any:
    """The distance from 1 to the next number of a kind."""
    if dtype.kind == "O":
        import mpmath

        return mpmath.mp.eps
    return np.finfo(dtype).eps


def inputs(given: Mapping[str, Any], constants: Constants | None, faults: Faults) -> None:
    """Rows with a non-finite input or, for a robot's constants, a vanishing quaternion."""
    for name, x in given.items():
        core = core_axes(name)
        if core is not None:
            argument(f"argument {public_name(name)!r} is", x, core, faults)
    for name, x in given.items():
        if constants is not None and share_of(name) == "coordinates":
            _quaternions(x, constants, faults)


def argument(told: str, x: Array, core: int, faults: Faults) -> None:
    """Rows in which an argument with so many core axes is not finite; `told` begins a sentence about it."""
    faults.add(f"{told} not finite", ~finite(x).all(axis=tuple(range(-core, 0))))


def _quaternions(q: Array, constants: Constants, faults: Faults) -> None:
    for link in constants.moving:
        place = link.kind.quaternion()
        if place is not None:
            quaternion = q[..., link.coordinates][..., place]
            low, high = NORM_RANGE["float64"]
            with np.errstate(all="ignore"):
                norm2 = real((quaternion * quaternion).sum(axis=-1))
                rows = ~((norm2 > low) & (norm2 < high))
            faults.add(f"the quaternion of joint {link.joint_name!r} vanishes or overflows", rows)


def pivots(D: list[Pivot], constants: Constants, passive: Array | None, faults: Faults) -> None:
    """Rows in which a joint has no inertia to work against: D(k) is singular."""
    # Tip to base: what a singular D(k) leaves behind spoils all links inboard of it, and they are not to blame.
    for link, pivot in reversed(list(zip(constants.moving, D[1:], strict=True))):
        eps = PIVOT_ROUNDINGS * rounding(pivot.D.dtype)
        for i, (d, scale) in enumerate(zip(pivot.d, pivot.scale, strict=True)):
            singular = ~np.asarray(real(d) > eps * scale, dtype=bool)
            if passive is not None:
                singular = singular & (passive[..., link.dofs.start + i] != 0)
            axis = f" about axis {i + 1} of {link.kind.nv}" if link.kind.nv > 1 else ""
            faults.add(
                f"D is singular at link {link.name!r}: with all beyond it, it has no inertia "
                f"along joint {link.joint_name!r}{axis}",
                singular,
            )


def task_pivots(Lambda: Pivot, faults: Faults) -> None:
    """Rows in which the joints cannot accelerate frames in every direction: Λ⁻¹ is singular."""
    eps = PIVOT_ROUNDINGS * rounding(Lambda.D.dtype)
    for d, scale in zip(Lambda.d, Lambda.scale, strict=True):
        faults.add(
            "the operational inertia does not exist: the joints cannot accelerate what it is asked for in every "
            "direction",
            ~np.asarray(real(d) > eps * scale, dtype=bool),
        )


def closure_pivots(Lambda: Pivot, names: Sequence[str], faults: Faults) -> None:
    """Rows in which closures hold what others hold already, or what nothing can move: Λ_Q⁻¹ is singular."""
    eps = PIVOT_ROUNDINGS * rounding(Lambda.D.dtype)
    for name, d, scale in zip(names, Lambda.d, Lambda.scale, strict=True):
        faults.add(
            f"closure {name!r} is singular here: its rows follow from those of the closures before it, or no joint can "
            "move them",
            ~np.asarray(real(d) > eps * scale, dtype=bool),
        )


def closure_room(room: Sequence[Array], names: Sequence[str], faults: Faults) -> None:
    """Rows in which closures that depend on each other cannot all be obeyed."""
    for name, left in zip(names, room, strict=False):
        faults.add(
            f"closure {name!r} contradicts others here: no accelerations keep all of them closed",
            ~np.asarray(real(left) > 0, dtype=bool),
        )


def shut(errors: Array, room: Sequence[Array], names: Sequence[str], faults: Faults) -> None:
    """States that are off a closure."""
    for name in dict.fromkeys(names):
        rows = [i for i, own in enumerate(names) if own == name]
        bad = ~np.logical_and.reduce([np.asarray(real(room[i]) > 0, dtype=bool) for i in rows])
        if bad.any():
            apart = np.sqrt(sum(np.asarray(real(errors[..., i, 0]), dtype=float) ** 2 for i in rows))
            most = f"{float((apart * bad).max()):.3g}"
            faults.add(f"closure {name!r} is open by {most} (m, or products of axes); robot.closed(q) closes it", bad)


def overflow(outputs: list[Array], batch: tuple[int, ...], faults: Faults) -> None:
    """Rows whose finite inputs led out of the range of numbers."""
    for output in outputs:
        core = tuple(range(len(batch) - output.ndim, 0))
        faults.add("the result overflows", ~finite(output).all(axis=core) if core else ~finite(output))


def with_bad_rows(output: Array, batch: tuple[int, ...], faults: Faults) -> Array:
    """The output with NaN in every entry of a bad row."""
    if not faults:
        return output
    nan: Any = np.nan
    if output.dtype == object:
        import mpmath

        nan = mpmath.nan
    return np.where(faults.rows.reshape(batch + (1,) * (output.ndim - len(batch))), nan, output)
