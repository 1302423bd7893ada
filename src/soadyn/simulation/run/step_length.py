"""Was the step too long? The fastest motion near a state, and the step that still follows it.

Near a state a motion is ẋ = A x, x = [δ; dv]. A method follows an eigenvalue λ of A as long as h |λ| is within a bound
of its own; beyond, what should die out or swing grows from step to step, whatever the robot does. Stiff springs,
damping against little inertia, and speed all make λ large.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from soadyn.errors import SoadynError, errstate
from soadyn.robot.labels import rate_names
from soadyn.simulation.drive.failure import SimulationError
from soadyn.simulation.run.problem import Problem

CHANGE = 1e-6  # for differences, in rad, m and their rates
STATES = 12  # that are looked at, of all that were recorded
# A motion that has run away is fast too: a rate that exceeds its bound by more than this is the result, not the cause.
FACTOR = 100.0


@final
@dataclass(frozen=True, slots=True)
class FastestMotion:
    """The fastest motion near a state: |λ|, the joint rate that takes most part in it, and why it is fast there."""

    rate: float
    joint: str
    stiffness: float
    damping: float
    inertia: float


def with_advice(problem: Problem, stopped: SimulationError) -> SimulationError:
    """The error; where the step was too long, its message also says which step is short enough."""
    bound, done = problem.integrator.stable, stopped.trajectory
    if bound is None or done is None:
        return stopped
    for i in np.unique(np.linspace(0, len(done.t) - 1, STATES).astype(int)).tolist():
        found = fastest(problem, float(done.t[i]), done.q[i], done.v[i])
        if found is None or problem.step * found.rate <= bound:
            continue
        if i == 0 or problem.step * found.rate <= FACTOR * bound:
            # Without what steps can take implicitly, is the motion slow enough?
            free = replace(problem, acting=replace(problem.acting, forces=None, stops=()))
            rest = fastest(free, float(done.t[i]), done.q[i], done.v[i])
            implicit = rest is not None and problem.step * rest.rate <= bound and not problem.robot.model.closures
            stopped.args = (f"{stopped.args[0]}; {_advice(problem, found, 0.5 * bound / found.rate, implicit)}",)
            return stopped
    return stopped


def _advice(problem: Problem, found: FastestMotion, enough: float, implicit: bool) -> str:
    other = ' or method="implicit"' if implicit else ""
    return (
        f"the step of {problem.step:g} s is too long for joint {found.joint!r}, about h = {enough:.1g} s{other} "
        f"would do: forces on it fall by {found.stiffness:.3g} per unit of position and {found.damping:.3g} per unit "
        f"of speed, its inertia is {found.inertia:.3g}"
    )


def fastest(problem: Problem, t: float, q: np.ndarray, v: np.ndarray) -> FastestMotion | None:
    """The fastest motion near a state, of all rows of a batch; None where differences give no numbers."""
    with errstate("ignore"), np.errstate(all="ignore"):
        try:
            by_q, by_v = _slopes(problem, t, q, v)
            M = problem.quantities.mass_matrix(q)
        except (SoadynError, np.linalg.LinAlgError):
            return None
    n = problem.robot.nv
    rows = [x.reshape(-1, n, n) for x in np.broadcast_arrays(by_q, by_v, M)]
    found = [one for each in zip(*rows, strict=True) if (one := _of_row(problem, *each)) is not None]
    return max(found, key=lambda one: one.rate, default=None)


def _of_row(problem: Problem, by_q: np.ndarray, by_v: np.ndarray, M: np.ndarray) -> FastestMotion | None:
    n = len(M)
    if not all(np.isfinite(x).all() for x in (by_q, by_v, M)):
        return None
    A = np.block([[np.zeros((n, n)), np.eye(n)], [by_q, by_v]])
    values, vectors = np.linalg.eig(A)
    k = int(np.argmax(np.abs(values)))
    # How much each joint takes part in a motion: its share of the right times that of the left eigenvector.
    share = np.abs(vectors[:, k] * np.linalg.pinv(vectors)[k])
    i = int(np.argmax(share[:n] + share[n:]))
    K, B = (-(M @ slope)[i, i] for slope in (by_q, by_v))
    inertia = 1 / np.linalg.pinv(M)[i, i]
    return FastestMotion(float(np.abs(values[k])), rate_names(problem.robot)[i], float(K), float(B), float(inertia))


def _slopes(problem: Problem, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How accelerations change with position and speed, (..., nv, nv), by differences."""
    equations, robot = replace(problem, method="rk4").equations(), problem.robot  # in v, whatever is integrated
    roles = problem.actuation.roles(t, q, v)

    def a(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.asarray(equations.evaluated(problem.given(roles, t, q, v), q, v).rates.a)

    by_q, by_v = [], []
    for unit in CHANGE * np.eye(robot.nv):
        by_q.append((a(robot.integrate(q, unit), v) - a(robot.integrate(q, -unit), v)) / (2 * CHANGE))
        by_v.append((a(q, v + unit) - a(q, v - unit)) / (2 * CHANGE))
    return np.stack(by_q, axis=-1), np.stack(by_v, axis=-1)
