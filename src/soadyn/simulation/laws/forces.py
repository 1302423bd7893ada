"""The forces of springs, dampers, friction and backlash in a robot's joints, and the energy they store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.constants.parameters import LAW_PARAMETERS
from soadyn.errors import ArgumentError
from soadyn.fork_safe import cached_property
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import flag, positive, real
from soadyn.robot.checked import checked_robot
from soadyn.simulation.laws import placed_laws
from soadyn.simulation.laws.laws import Friction, Law
from soadyn.simulation.laws.placed_laws import Dry

Laws = Law | Sequence[Law]


@final
class JointForces:
    """The forces of laws in a robot's joints: a function of (t, q, v), for every state of a batch.

    It is what `simulate` takes as `joint_forces` (where springs count as potential energy, and friction sticks) or as
    `control`, and `hybrid_dynamics` as the passive joints' T_p. `own=True` adds the springs, damping and friction of
    the model. A tied mimic joint's share reaches the joint it follows through E*.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> forces = sd.JointForces(arm, [sd.Spring("joint2", 10.0), sd.Damper("joint2", 0.5)])
    >>> q, v = [0.0, 0.5], [0.0, 1.0]
    >>> forces(0.0, q, v)[1].item(), forces.energy(q).item()
    (-5.5, 1.25)
    >>> a, tau = arm.hybrid_dynamics(q, v, a=[0.0, 0.0], tau=forces(0.0, q, v), passive=["joint2"])
    >>> tau[1].item()
    -5.5
    """

    def __init__(
        self,
        robot: Robot,
        laws: Laws = (),
        *,
        own: bool = False,
        parameters: Collection[str] = (),
    ) -> None:
        self.robot = checked_robot(robot, "JointForces", closed=True)
        mine = placed_laws.own_laws(robot.model, parameters) if flag("own", own) else []
        self.laws = (*mine, *_checked(laws))
        self._parameters = tuple(parameters)
        self._space = robot.engine.coordinates
        self.elastic = placed_laws.elastic(robot.model, self.laws)
        self.dry = placed_laws.dry(robot.model, self.laws, parameters)
        self._stops = [part for part in self.elastic if np.any(part.C)]
        self._viscous = placed_laws.viscous(robot.model, self.laws)

    def smoothed(self, speed: float) -> JointForces:
        """The same with dry friction -F tanh(v / speed), in place of joints that stick; speed in rad/s or m/s.

        >>> import soadyn as sd
        >>> rubbing = sd.JointForces(sd.load("planar_two_link"), [sd.Friction("joint1", 2.0)]).smoothed(0.05)
        >>> rubbing(0.0, [0.0, 0.0], [0.5, 0.0]).round(6)
        array([-2.,  0.])
        """
        speed = positive("speed", speed, "JointForces.smoothed")
        laws = [replace(law, smoothing_speed=speed) if isinstance(law, Friction) else law for law in self.laws]
        return JointForces(self.robot, laws, parameters=self._parameters)

    def with_values(self, values: Mapping[str, Array]) -> JointForces:
        """The same with JOINT.damping and JOINT.friction, numbers or recorded scalars, in place of the model's own."""
        found = copy(self)
        model = self.robot.model
        for name, value in values.items():
            joint, _, kind = name.rpartition(".")
            at = list(model.joint_dofs(joint)) if kind in LAW_PARAMETERS else []
            own = [x for k in model.joint_indices.get(joint, ()) for x in getattr(model.joints[k - 1], kind, ())]
            if kind == "damping":
                found._viscous = _replaced(found._viscous, at, value - np.array(own))
            elif kind == "friction":
                found.dry = [rubbing.raised(at, value - np.array(own)) for rubbing in found.dry]
        found.__dict__.pop("sticking", None)
        return found

    def __call__(self, t: float, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The joint forces, (..., nv); they do not depend on the time. Friction is zero where a joint rests."""
        return self.conservative(q) + self.dissipative(q, v)

    def __repr__(self) -> str:
        return f"<JointForces of {self.robot.name!r}: {', '.join(map(str, self.laws))}>"

    @cached_property
    def stores(self) -> bool:
        """Whether anything stores energy."""
        return bool(self.elastic)

    @cached_property
    def dissipates(self) -> bool:
        """Whether anything takes energy."""
        return bool(self.dry or self._stops or self._viscous.dtype == object or self._viscous.any())

    @cached_property
    def sticking(self) -> Dry | None:
        """The dry friction under which joints stick; None where there is none. Tied joints slide, they do not stick."""
        return next((rubbing for rubbing in self.dry if rubbing.sticks), None) if not self._space.tied else None

    def energy(self, q: ArrayLike) -> np.ndarray:
        """What springs and stops store, (...) in J."""
        everything = self._coordinates(q)
        stored = np.zeros(everything.shape[:-1])
        for part in self.elastic:
            stored = stored + part.energy(everything[..., part.q])
        return stored

    def conservative(self, q: ArrayLike) -> np.ndarray:
        """The force (..., nv) of springs and stops: minus the gradient of `energy`."""
        return np.asarray(self.elastic_force(self._checked(q)))

    def dissipative(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The force (..., nv) of dampers, friction and the damping of stops; it never puts energy in."""
        meaning = f"one number for each of the {self._space.nv} joint rates of robot {self.robot.name!r}"
        coordinates = self._checked(q)
        rates = real("v", v, self._space.nv, meaning=meaning, of="JointForces")
        batch = arguments.batch_shape({"q": coordinates, "v": rates}, {"q": 1, "v": 1})
        return np.asarray(self.lossy_force(coordinates, np.broadcast_to(rates, (*batch, self._space.nv)), self.dry))

    def elastic_force(self, q: Array) -> Array:
        """`conservative` for numbers of any kind, unchecked."""
        everything = self._space.expand(q)
        force = np.zeros((*everything.shape[:-1], self._space.model.nv), dtype=everything.dtype)
        for part in self.elastic:
            force[..., part.v] += part.elastic_force(everything[..., part.q])
        return self._condensed(force)

    def lossy_force(self, q: Array, v: Array, dry: Sequence[Dry]) -> Array:
        """`dissipative` for numbers of any kind, unchecked, with some of the friction."""
        everything = self._space.expand(q)
        rates = v @ self._space.E.T if self._space.tied else v
        force = 0 * rates - self._viscous * rates
        for rubbing in dry:
            force[..., rubbing.v] += rubbing.force(rates[..., rubbing.v])
        for part in self._stops:
            force[..., part.v] += part.damping_force(everything[..., part.q], rates[..., part.v])
        return self._condensed(force)

    def slopes(self, q: Array, v: Array) -> tuple[Array, Array]:
        """How fast forces fall with each component's position and with its speed, (..., nv); for untied joints.

        Springs of joints that turn freely count as if they were along the components of v.
        """
        K, B = 0 * v, 0 * v + self._viscous
        for part in self.elastic:
            K[..., part.v] += part.stiffness(q[..., part.q])
        for part in self._stops:
            B[..., part.v] += part.damping(part.pressed(q[..., part.q]))
        for rubbing in self.dry:
            if not rubbing.sticks:
                B[..., rubbing.v] += rubbing.slope(v[..., rubbing.v])
        return K, B

    def steepest(self) -> tuple[np.ndarray, np.ndarray]:
        """The most that `slopes` may be in any state and row, (nv,), but for dry friction and backlash's damping."""
        K, B = np.zeros(self._space.model.nv), np.asarray(self._viscous, dtype=float)
        for part in self.elastic:
            K[part.v] += part.K * (part.side <= 0)  # of backlash one side alone
        return K, B.max(axis=tuple(range(B.ndim - 1)), initial=0.0)

    def _checked(self, q: ArrayLike) -> np.ndarray:
        meaning = f"the {self._space.nq} coordinates of robot {self.robot.name!r}"
        return real("q", q, self._space.nq, meaning=meaning, of="JointForces")

    def _coordinates(self, q: ArrayLike) -> np.ndarray:
        return self._space.expand(self._checked(q))

    def _condensed(self, force: Array) -> Array:
        return force @ self._space.E if self._space.tied else force


def _replaced(numbers: Array, at: Sequence[int], more: Array) -> Array:
    """Numbers (..., n) with some raised, those of each row by their own amount."""
    whole = np.zeros((*np.shape(more)[:-1], np.shape(numbers)[-1]), dtype=np.result_type(numbers, more)) + numbers
    whole[..., list(at)] += more
    return whole


def _checked(laws: Any) -> tuple[Law, ...]:
    listed = (laws,) if isinstance(laws, Law) else laws
    if not isinstance(listed, Sequence) or not all(isinstance(law, Law) for law in listed):
        raise ArgumentError(f"joint forces are a list of Spring, Damper, Friction and Backlash, got {laws!r:.80}")
    return tuple(listed)
