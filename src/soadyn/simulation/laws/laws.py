"""Force laws of joints: springs, dampers, friction, backlash. `JointForces` evaluates them.

Each law names a joint, or one component of a joint as (name, component). Figures are one number for every component
or a tuple with one each; SI units, so N m/rad where a joint turns and N/m where it slides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.robot.arguments import arguments

Figure = float | tuple[float, ...]
JointLike = str | tuple[str, int]


class Law:
    """A force in a joint that depends on the joint's own position and speed."""

    __slots__ = ()
    joint: JointLike


@final
@dataclass(frozen=True, slots=True)
class Spring(Law):
    """A linear spring.

        T = -stiffness x,        energy = stiffness x² / 2,        x = difference(rest, q)

    `rest` holds the joint's coordinates where the spring is relaxed, by default its neutral ones. Where a joint turns
    freely, x is the rotation vector from the rest orientation and T minus the energy's gradient; a free joint's linear
    springs act along the axes of the frame it moves in.

    >>> import soadyn as sd
    >>> sd.JointForces(sd.load("planar_two_link"), [sd.Spring("joint2", 30.0, rest=0.5)])(0.0, [0.0, 0.6], [0.0, 0.0])
    array([ 0., -3.])
    """

    joint: JointLike
    stiffness: Figure
    rest: Figure | None = None

    def __post_init__(self) -> None:
        _check(self, "stiffness")


@final
@dataclass(frozen=True, slots=True)
class Damper(Law):
    """Viscous damping.

        T = -damping v

    >>> import soadyn as sd
    >>> sd.JointForces(sd.load("planar_two_link"), [sd.Damper("joint1", 0.5)])(0.0, [0.0, 0.0], [2.0, 2.0])
    array([-1.,  0.])
    """

    joint: JointLike
    damping: Figure

    def __post_init__(self) -> None:
        _check(self, "damping")


@final
@dataclass(frozen=True, slots=True)
class Friction(Law):
    """Dry friction with Stribeck's effect, and viscous friction.

        T = -[coulomb + (static - coulomb) exp(-(v / stribeck_speed)²)] sign(v) - viscous v

    with tanh(v / smoothing_speed) in place of sign(v) if there is one.

    `static` is the force that must be overcome from rest; by default it is `coulomb` and there is no such effect. By
    default a joint sticks: in `simulate` its acceleration is zero as long as the load is smaller than `static`. With a
    `smoothing_speed` (rad/s or m/s) dry friction acts like damping below it: a joint under a small load creeps.

    >>> import soadyn as sd
    >>> law = sd.Friction("joint1", coulomb=2.0, viscous=0.1, static=3.0, stribeck_speed=0.1)
    >>> sd.JointForces(sd.load("planar_two_link"), [law])(0.0, [0.0, 0.0], [10.0, 0.0])
    array([-3.,  0.])
    """

    joint: JointLike
    coulomb: Figure
    viscous: Figure = 0.0
    static: Figure | None = None
    stribeck_speed: float = 0.1
    smoothing_speed: float | None = None

    def __post_init__(self) -> None:
        _check(self, "coulomb", "viscous", *(() if self.static is None else ("static",)))
        _check(self, "stribeck_speed", *(() if self.smoothing_speed is None else ("smoothing_speed",)), positive=True)


@final
@dataclass(frozen=True, slots=True)
class Backlash(Law):
    """Play: nothing within the gap, beyond it a stop that gives way like a spring and takes energy like a buffer.

        T = -sign(x) max(0, (stiffness + damping ḋ) d),        d = |x| - gap / 2 > 0,        x = difference(center, q)

    `gap` is the whole play, `center` the joint's coordinates in the middle of it, by default its neutral ones. The
    damping is that of Hunt and Crossley (1975), N m s/rad² or N s/m²: it grows with the depth d, so that the force has
    no jump, and a stop never pulls. A joint's position limits are such a play.

    >>> import soadyn as sd
    >>> forces = sd.JointForces(sd.load("planar_two_link"), [sd.Backlash("joint2", gap=0.2, stiffness=100.0)])
    >>> forces(0.0, [[0.0, 0.05], [0.0, -0.12]], [0.0, 0.0]).round(12) + 0.0
    array([[0., 0.],
           [0., 2.]])
    """

    joint: JointLike
    gap: Figure
    stiffness: Figure
    damping: Figure = 0.0
    center: Figure | None = None

    def __post_init__(self) -> None:
        _check(self, "gap", "stiffness", "damping")


def described(law: Law) -> str:
    """A law for messages: its kind and joint."""
    return f"{type(law).__name__} of {law.joint!r}"


def _check(law: Any, *names: str, positive: bool = False) -> None:
    """The joint is named, all figures are finite real numbers, and the named ones are not negative."""
    kind = type(law).__name__
    if not isinstance(law.joint, str) and not (
        isinstance(law.joint, tuple) and len(law.joint) == 2 and isinstance(law.joint[0], str)
    ):
        raise ArgumentError(f"a {kind} acts in a joint, given as a name or (name, component), got {law.joint!r}")
    for field in fields(law):
        value = getattr(law, field.name)
        if field.name == "joint" or (value is None and field.default is None):
            continue
        x = figures(value)
        if field.name in names and not ((x > 0).all() and x.ndim == 0 if positive else (x >= 0).all()):
            wanted = "must be a positive number" if positive else "must be zero or more"
            raise ArgumentError(f"{described(law)}: {field.name} {wanted}, got {value!r:.80}")
        if not np.isfinite(x).all():
            raise ArgumentError(f"{described(law)}: {field.name} must be finite numbers, got {value!r:.80}")
        if isinstance(value, Iterable):
            # Arrays become plain numbers, so that laws can be compared and hashed.
            object.__setattr__(law, field.name, tuple(value) if x.ndim else float(x))


def figures(x: Any) -> np.ndarray:
    """A law's figure as an array of floats, NaN if it is not real numbers."""
    try:
        array = arguments.numbers("figure", x, meaning="one number or several")
        return np.array(np.nan) if array.dtype.kind == "c" else array.astype(float)
    except (ShapeError, TypeError, ValueError, OverflowError):
        return np.array(np.nan)
