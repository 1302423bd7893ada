"""One sample of a momentum observer, on numbers and on recorded scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from soadyn.algebra import mass, theta_dot
from soadyn.engine.tracing.derivatives import tangent
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.mechanics.spatial.arithmetic import Array, exp, is_positive, log, maximum
from soadyn.model.coordinate_rates import coordinate_rates
from soadyn.robot import Robot
from soadyn.robot.checked import checked_robot
from soadyn.robot.compiled import compile_formulas
from soadyn.simulation.drive.dynamics import RecordedDynamics
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


def recorded_observer(robot: Robot, gain: np.ndarray, joint_forces: Any) -> RecordedStep:
    """The step (q, v, tau, step, state) -> (residual, next_state)."""
    checked_robot(robot, "MomentumObserver", moving=True)
    nq, nv = robot.nq, robot.nv
    recording = Recording(robot.engine.constants)
    sizes = {"q": nq, "v": nv, "tau": nv, "step": 1, "state": 3 * nv}
    q, v, tau, step, state = (recording.argument(Port(name, (size,))) for name, size in sizes.items())
    r, p_before, drive_before = np.split(state, 3)
    (p,) = recording.run(compile_formulas(mass @ theta_dot, robot).program, q=q, v=v)
    seeds = {x.node: rate for x, rate in zip(q, coordinate_rates(robot.model, q, v), strict=True)}
    Mdot_v = np.array(tangent(recording.graph, list(p), seeds), dtype=object)
    own = recorded_forces(joint_forces, robot, q, v, "MomentumObserver")
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
    folded = (f"gain {np.array2string(gain, separator=', ', max_line_width=10**6)} 1/s", *forces_folded(joint_forces))
    return RecordedStep(robot, trace, KIND, PURPOSE, folded, MEANING)
