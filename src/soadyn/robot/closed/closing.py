"""What users do with closures: close and open them, list them, ask for their wrenches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, check_name, report_bad_rows
from soadyn.model.closing import cut_of, fresh_name, with_closure, with_closures_switched, without_closures
from soadyn.model.closures import Anchor, Closure
from soadyn.model.configuration import from_joints
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Model
from soadyn.programs.sweep import closed as sweeps
from soadyn.programs.sweep.inputs import multipliers
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.inputs import Vector, joint_vector
from soadyn.robot.calling.function import Function
from soadyn.robot.closed.assembling import assembled, farthest, nearest_rates
from soadyn.robot.closed.motors import MotorForces
from soadyn.robot.closed.redundancy import with_superfluous

if TYPE_CHECKING:
    from typing import Self


def one_configuration(space: Coordinates, near: ArrayLike | Mapping[str, Any], of: str) -> np.ndarray:
    """A single configuration (nq,), or {joint: coordinates}."""
    given = from_joints(space, near) if isinstance(near, Mapping) else arguments.coordinates(space, near, "near")
    if given.ndim != 1 or not np.isfinite(given).all():
        raise ArgumentError(f"{of}: near is one configuration of {space.nq} finite numbers, got {near!r:.80}")
    return np.asarray(given, dtype=float)


@final
@dataclass(frozen=True, slots=True)
class ClosureInfo:
    """A closure of a robot: what it is, between which links, its rows among those of all closures.

    `superfluous` are those of its rows that follow from others wherever the robot is closed.
    """

    name: str
    kind: str
    between: tuple[str, ...]
    rows: range
    superfluous: tuple[int, ...]


class Closing(MotorForces):
    """A robot's closures."""

    __slots__ = ()
    model: Model
    engine: Engine

    @property
    def closures(self) -> tuple[ClosureInfo, ...]:
        """What holds links together beside the tree's joints, in the order of the rows of `closure_error`.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> held = arm.close(("tool", "ground"), free=("y", "z", "rx", "ry", "rz"), name="wall").closures[0]
        >>> held.name, held.between, held.rows, held.superfluous
        ('wall', ('link2', 'ground'), range(0, 1), ())
        """
        found, start, superfluous = [], 0, self.model.superfluous or ()
        for each in self.model.closures:
            rows = range(start, start + each.rows)
            if isinstance(each, Closure):
                between = tuple(self.model.links[k - 1].name if k else "ground" for k in each.links)
            else:
                between = tuple(self.model.joints[k - 1].name for k in each.links)
            own = tuple(row for row in superfluous if row in rows)
            found.append(ClosureInfo(each.name, each.told, between, rows, own))
            start = rows.stop
        return tuple(found)

    @property
    def mobility(self) -> int:
        """In how many ways the closed robot can move: nv less the closures' rows that do not follow from others."""
        rows = sum(closure.rows for closure in self.model.closures)
        return self.engine.coordinates.nv - rows + len(self.model.superfluous or ())

    def close(
        self,
        frames: tuple[FrameLike, FrameLike],
        kind: str | None = None,
        free: Collection[str] | None = None,
        name: str | None = None,
        length: float | None = None,
        pitch: float | None = None,
        radius: float | None = None,
        keep: bool = False,
        near: ArrayLike | Mapping[str, Any] | None = None,
    ) -> Self:
        """The robot with the second of two frames held at the first, but for what a closure of that kind leaves free.

        Frames are names or (name, 4x4 offset); kinds, free components and figures are those of `Builder.loop`.
        `near` is a configuration (nq,) near which it can be closed, for structures that random starts do not find.

        >>> import soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("tool", "ground"), free=("y", "z", "rx", "ry", "rz"))
        >>> bar.mobility
        1
        """
        if not isinstance(frames, tuple | list) or len(frames) != 2:
            raise ArgumentError(f"close takes two frames, (frame, other), got {frames!r:.80}")
        x, y = (arguments.frame(self.model, frame) for frame in frames)
        called = [frame if isinstance(frame, str) else frame[0] for frame in frames]
        name = fresh_name(self.model, " to ".join(called)) if name is None else name
        figures = {"length": length, "pitch": pitch, "radius": radius}
        held = Anchor(x.link, x.placement), Anchor(y.link, y.placement)
        cut = cut_of(name, *held, kind, free, figures, keep)
        closed = with_closure(self.model, cut)
        if near is not None:
            closed = with_superfluous(closed, near=one_configuration(self.engine.coordinates, near, "close"))
        return type(self)(closed, self.engine.backend)  # type: ignore[call-arg]

    def with_closures(self, on: str | Collection[str] = (), off: str | Collection[str] = ()) -> Self:
        """The robot with some closures switched on or off, such as those that a file keeps switched off.

        What is off waits in `robot.model.spare`.

        >>> import soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("tool", "ground"), free=("y", "z", "rx", "ry", "rz"), name="wall")
        >>> loose = bar.with_closures(off="wall")
        >>> loose.mobility, loose.with_closures(on=["wall"]).mobility
        (2, 1)
        """
        wanted = [[names] if isinstance(names, str) else list(names) for names in (on, off)]
        return type(self)(with_closures_switched(self.model, *wanted), self.engine.backend)  # type: ignore[call-arg]

    def open(self) -> Self:
        """The tree that is left without the closures.

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").open().closures
        ()
        """
        return type(self)(without_closures(self.model), self.engine.backend)  # type: ignore[call-arg]

    def closed(self, q: ArrayLike, hold: PassiveLike = ()) -> np.ndarray:
        """The closed configurations near q, (..., nq): joints in `hold` stay, the others move as little as they can.

            q ← q ∘ exp(-M⁻¹ J_c* Λ_Q Φ)

        The search begins at q, so it ends on the branch where q is, if it is near. Where it does not close, the row
        is NaN, and the closure that stays open is told with its distance.

        >>> import soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("ground", "tool"), free=("x", "y", "rx", "ry", "rz"))
        >>> q = bar.closed([0.3, 0.5], hold=["joint1"])
        >>> float(q[0]), bool(abs(bar.closure_error(q)).max() < 1e-12)
        (0.3, True)
        """
        space = self.engine.coordinates
        start = arguments.coordinates(space, q)
        held = arguments.one_passive_set(space, hold, "closed")
        found = assembled(self.engine, start.reshape(-1, space.nq), ~held if held.any() else None)
        bad = ~found.is_closed
        if bad.any():
            found.q[bad] = np.nan
            name, told = farthest(self.model, found.error[np.argmax(bad)])
            reason = f"closure {name!r} stays open by {told} at least, or its axes point the other way"
            rows = f"{bad.sum()} of {bad.size} rows" if start.ndim > 1 else "the state"
            report_bad_rows(f"closed: {rows} came out NaN: {reason}", f"closed: {reason}")
        return found.q.reshape(start.shape)

    def consistent(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The rates nearest to v, in the mass metric, that keep the closures closed at q, (..., nv).

            v - M⁻¹ J_c* Λ_Q J_c v

        >>> import soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("ground", "tool"), free=("x", "y", "rx", "ry", "rz"))
        >>> q = bar.closed([0.3, 0.5])
        >>> v = bar.consistent(q, [1.0, 2.0])
        >>> bool(abs(bar.closure_jacobian(q) @ v).max() < 1e-12)
        True
        """
        space = self.engine.coordinates
        states, rates = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        batch = arguments.batch_shape({"q": states, "v": rates}, {"q": 1, "v": 1})
        many = np.broadcast_to(states, (*batch, space.nq)).reshape(-1, space.nq)
        found = nearest_rates(self.engine, many, np.broadcast_to(rates, (*batch, space.nv)).reshape(-1, space.nv))
        return found.reshape(*batch, space.nv)

    def closure_wrench(self, q: ArrayLike, lam: ArrayLike, closure: str) -> np.ndarray:
        """The wrench [moment; force] of a cut on its second frame's link, at that frame along world axes, (..., 6).

        `lam` are the forces of all closures, as `constrained_dynamics` gives them. The first link feels the opposite.

        >>> import numpy as np, soadyn as sd
        >>> bar = sd.load("planar_two_link").close(("tool", "ground"), free=("y", "z", "rx", "ry", "rz"), name="wall")
        >>> bar.closure_wrench([0.3, 0.5], [2.0], "wall").shape
        (6,)
        """
        model = self.model
        cuts = [each.name for each in model.closures if isinstance(each, Closure)]
        check_name("cut", closure, cuts, of=f"robot {model.name!r}")
        kept, g = self.engine.functions, cuts.index(closure)
        if ("closure wrench", g) not in kept:
            shape = sweeps.shape_of(model)
            read = partial(arguments.numbers, "lam", meaning="a number for each row of the closures")
            force = Vector(
                "lam", multipliers(shape.rows), lambda x: read(x, shape.rows)[..., None], lambda x: read(x, shape.rows)
            )
            vectors = [joint_vector(self.engine.coordinates, "q"), force]
            kept["closure wrench", g] = Function("closure_wrench", self.engine, sweeps.cut_wrench(shape, g), vectors)
        return np.asarray(kept["closure wrench", g](q, lam))
