"""Joint torques that the model does not explain: from accelerations, or from the momentum without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra import mass, theta_dot
from soadyn.engine.tracing.derivatives import tangent
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.arithmetic import Array, exp, is_positive, log, maximum
from soadyn.model.coordinate_rates import coordinate_rates
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import real, single
from soadyn.robot.checked import checked_robot
from soadyn.robot.compiled import compile_formulas
from soadyn.simulation.drive.dynamics import RecordedDynamics
from soadyn.simulation.drive.inputs import spread
from soadyn.simulation.run.recorded_step import RecordedStep, forces_folded, recorded_forces

SURE = 40.0  # of x: 1 - exp(-x) is 1 to the last bit
KIND = "momentum observer"
PURPOSE = (
    "External joint torques from the momentum p = M v: d p/dt = Mdot v + tau - bias_force(q, v) + r_external, "
    "dr/dt = gain (r_external - r), exact for torques that are constant between samples. Begin with a state of zeros. "
    "A step of zero or less is a first sample: the residual stays as it is. On a status other than 0 leave the sample "
    "out: hand in the state before it again, with the longer step."
)
MEANING = {
    "tau": "forces of the motors: N m, N",
    "step": "seconds since the sample before",
    "state": "residual, momentum and what the model says of its rate, one after the other",
    "residual": "external joint torques: N m, N",
    "next_state": "the state to hand in with the next sample",
}

# Joint forces at (t, q, v), as `sd.JointForces` gives them.
ForcesAtState = Callable[[float, np.ndarray, np.ndarray], ArrayLike]


def residual(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    tau: ArrayLike,
    joint_forces: ForcesAtState | None = None,
) -> np.ndarray:
    """External joint torques r = inverse_dynamics(q, v, a) - tau - joint_forces(0, q, v), (..., nv).

    `joint_forces` is what acts in the joints by itself, such as `sd.JointForces` with friction.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("panda")
    >>> q, v, a = np.full((3, 7), 0.1)
    >>> tau = arm.inverse_dynamics(q, v, a, external={"panda_link5": [0, 0, 0, 0, 10.0, 0]})
    >>> sd.estimation.residual(arm, q, v, a, tau).round(6)[-2:]
    array([0., 0.])
    """
    space = checked_robot(robot, "residual").engine.coordinates
    measured = arguments.joint_vector(space, tau, "tau")
    joint_forces = checked_joint_forces(joint_forces, "residual")
    own = 0.0 if joint_forces is None else np.asarray(joint_forces(0.0, np.asarray(q), np.asarray(v)))
    needed = robot.inverse_dynamics(q, v, a)
    arguments.batch_shape({"q, v and a": needed, "tau": measured}, {"q, v and a": 1, "tau": 1})
    return np.asarray(needed - measured - own)


def checked_joint_forces(joint_forces: Any, of: str) -> ForcesAtState | None:
    """A function of (t, q, v), or None; `of` is who asks."""
    if joint_forces is not None and not callable(joint_forces):
        raise ArgumentError(f"{of}: joint_forces is a function of (t, q, v) or None, got {joint_forces!r:.80}")
    found: ForcesAtState | None = joint_forces
    return found


def share(x: Array) -> Array:
    """1 - exp(-x) for x of zero or more, as exact for small x as for large.

    Recorded, by W. Kahan's quotient (1 - u) x / -ln u with u = exp(-x) as it was rounded.

    >>> share(np.array([1e-9, 50.0])).tolist() == (-np.expm1([-1e-9, -50.0])).tolist()
    True
    """
    x = np.asarray(x)
    if x.dtype != object:
        return -np.expm1(-x)
    x = -maximum(-x, -SURE)
    u = exp(-x)
    depth = -log(u)
    return (1.0 - u) * x / (depth + (1.0 - is_positive(depth)))


def followed(r: Array, p: tuple[Array, Array], drive: tuple[Array, Array], h: Any, gain: Array) -> Array:
    """The residual h seconds later; `p` and `drive` are the momentum and its modelled rate, before and now."""
    seen = (p[1] - p[0]) / h - (drive[1] + drive[0]) / 2
    return r + share(gain * h) * (seen - r)


@final
class MomentumObserver:
    """External joint torques from the generalised momentum p = M v, without accelerations.

        d p/dt = Ṁ v + tau - bias_force(q, v) + r_external,      dr/dt = gain (r_external - r)

    (De Luca and Mattone 2003, with Ṁ v - bias for Cᵀv - g.) The observer takes samples at any times; between two of
    them it takes the external torque as constant and then is exact for it.

    gain: 1/s, one number or one for each joint component. The residual follows within about 1/gain.
    `sd.export_c` writes an observer out as C, its memory an argument.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> run = sd.simulate(arm, [0.1, 0.2], duration=0.5, step=0.001, control=[0.0, 0.5])
    >>> observer = sd.estimation.MomentumObserver(arm, gain=50.0)
    >>> r = observer.run(run.t, run.q, run.v, np.array([0.0, 0.0]))
    >>> r[-1].round(3)  # half a newton metre that the observer was not told of
    array([-0. ,  0.5])
    """

    def __init__(self, robot: Robot, gain: ArrayLike, joint_forces: ForcesAtState | None = None) -> None:
        self.robot = checked_robot(robot, "MomentumObserver")
        self.gain = real("gain", gain, meaning="1/s", of="a momentum observer")
        if self.gain.shape not in ((), (robot.nv,)) or not (self.gain > 0).all():
            raise ArgumentError(f"gain must be positive, one number or one for each joint rate, got {gain!r:.80}")
        self.joint_forces = checked_joint_forces(joint_forces, "MomentumObserver")
        self._momentum = compile_formulas(mass @ theta_dot, robot)
        self.reset()

    def __repr__(self) -> str:
        gains = " to ".join(f"{x:.4g}" for x in np.unique([self.gain.min(), self.gain.max()]))
        seen = "no sample yet" if self._last is None else f"last sample at {self._last[0]:.4g} s"
        return f"<MomentumObserver of {self.robot.name!r}: gain {gains} 1/s, {seen}>"

    def reset(self) -> None:
        """Forget what was seen; the next sample is the first."""
        self._last: tuple[float, np.ndarray, np.ndarray] | None = None
        self.residual = np.zeros(self.robot.nv)

    def update(self, t: float, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """The residual after one more sample at time t, (nv,)."""
        if not np.isfinite(now := single(t)):
            raise ArgumentError(f"MomentumObserver.update: t must be a finite number of seconds, got {t!r:.80}")
        p, drive = self._sides(np.array([now]), *(x[None] for x in self._sample(q, v, tau)))
        if self._last is not None:
            before, p_before, drive_before = self._last
            if not now > before:
                raise ArgumentError(f"samples must follow each other in time: {t!r} s came after {before!r} s")
            self.residual = followed(self.residual, (p_before, p[0]), (drive_before, drive[0]), now - before, self.gain)
        self._last = now, p[0], drive[0]
        return self.residual.copy()

    def run(self, t: ArrayLike, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """The residuals of a whole recording, (samples, nv), from rest: t (samples,), q, v and tau (samples, ...)."""
        t = real("t", t, meaning="times", of="a momentum observer")
        space = self.robot.engine.coordinates
        q, v = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        if t.ndim != 1 or q.shape[:-1] != t.shape or v.shape[:-1] != t.shape or not (np.diff(t) > 0).all():
            raise ArgumentError(
                f"a recording has rising times (samples,) and a row of q and v for each; got t {t.shape}, "
                f"q {q.shape}, v {v.shape}"
            )
        p, drive = self._sides(t, q, v, spread(arguments.joint_vector(space, tau, "tau"), v.shape, "argument 'tau'"))
        seen = np.diff(p, axis=0) / np.diff(t)[:, None] - (drive[1:] + drive[:-1]) / 2
        follow = share(self.gain * np.diff(t)[:, None]) * np.ones(self.robot.nv)
        found = np.zeros_like(p)
        for k in range(len(seen)):
            found[k + 1] = found[k] + follow[k] * (seen[k] - found[k])
        return found

    def recorded_step(self) -> RecordedStep:
        """One sample with its memory as an argument, for `sd.export_c`; begin with a state of zeros.

        >>> import soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> recorded = sd.estimation.MomentumObserver(arm, gain=50.0).recorded_step()
        >>> [port.name for port in recorded.trace.inputs], [port.name for port in recorded.trace.outputs]
        (['q', 'v', 'tau', 'step', 'state'], ['residual', 'next_state'])
        """
        robot, gain = checked_robot(self.robot, "MomentumObserver", moving=True), self.gain
        nq, nv = robot.nq, robot.nv
        recording = Recording(robot.engine.constants)
        sizes = {"q": nq, "v": nv, "tau": nv, "step": 1, "state": 3 * nv}
        q, v, tau, step, state = (recording.argument(Port(name, (size,))) for name, size in sizes.items())
        r, p_before, drive_before = np.split(state, 3)
        (p,) = recording.run(self._momentum.program, q=q, v=v)
        seeds = {x.node: rate for x, rate in zip(q, coordinate_rates(robot.model, q, v), strict=True)}
        Mdot_v = np.array(tangent(recording.graph, list(p), seeds), dtype=object)
        own = recorded_forces(self.joint_forces, robot, q, v, "MomentumObserver")
        drive = tau + Mdot_v - RecordedDynamics(recording).quantity("bias_force", q=q, v=v) + own
        passed = is_positive(step[0])  # of a first sample no time has passed, by which nothing must be divided
        h = step[0] * passed + (1.0 - passed)
        after = followed(r, (p_before, p), (drive_before, drive), h, np.array(gain, dtype=object))
        after = r + passed * (after - r)
        outputs: dict[Port, Sequence[Any]] = {
            Port("residual", (nv,)): list(after),
            Port("next_state", (3 * nv,)): [*after, *p, *drive],
        }
        trace = Traced(recording.graph, dict(recording.inputs), outputs, ((KIND, len(recording.graph.nodes)),))
        folded = (
            f"gain {np.array2string(gain, separator=', ', max_line_width=10**6)} 1/s",
            *forces_folded(self.joint_forces),
        )
        return RecordedStep(robot, trace, KIND, PURPOSE, folded, MEANING)

    def _sample(self, *vectors: ArrayLike) -> list[np.ndarray]:
        """q, v and tau of one sample, checked."""
        space = self.robot.engine.coordinates
        sizes = {"q": space.nq, "v": space.nv, "tau": space.nv}
        found = [
            real(name, x, size, meaning="one sample", of="a momentum observer")
            for (name, size), x in zip(sizes.items(), vectors, strict=True)
        ]
        if any(x.ndim != 1 for x in found):
            raise ShapeError(f"MomentumObserver.update takes one sample; got shapes {[x.shape for x in found]}")
        if not all(np.isfinite(x).all() for x in found):
            raise ArgumentError("MomentumObserver.update: a sample holds numbers that are not finite; leave it out")
        return found

    def _sides(self, t: np.ndarray, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p = M v, and what the model says of dp/dt, for each sample."""
        Mdot_v = (self.robot.mass_matrix_rate(q, v) @ v[..., None])[..., 0]
        drive = tau + Mdot_v - self.robot.bias_force(q, v)
        if self.joint_forces is not None:
            drive = drive + np.asarray(self.joint_forces(float(t[0]), q, v))
        return self._momentum(q, v), drive
