"""The method "auto" of `simulate`, decided before the first step.

"rk4" if at this step it follows the robot's dampers and springs in each of nine configurations and its stops in most of
them; otherwise "rosenbrock", if it follows the stops; otherwise "implicit", whose stops may be of any stiffness.

A method follows a motion of rate |λ| as long as h |λ| is within a bound. With the largest eigenvalues b of Mass⁻¹ B and
k of Mass⁻¹ K no motion is faster than (b + √(b² + 4 k))/2. The configurations are the neutral one and eight drawn with
a fixed seed, so that neither the start nor the company of other rows decides. Stops count as touched all at once, and
placed for the inertia of one configuration while the robot is in the next one, since joints meet their stops elsewhere
than they start. Dry friction, bounded as it is, does not count, nor does what the caller's torque does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from soadyn.errors import errstate
from soadyn.model.rosenbrock import GAMMA
from soadyn.robot import Robot
from soadyn.simulation.drive.subject import Subject, subject_of
from soadyn.simulation.laws.acting import Acting, acting_on
from soadyn.simulation.laws.limits import Stops, stop_figures
from soadyn.simulation.run.integrators import INTEGRATORS

AUTO, RK4, ROSENBROCK, IMPLICIT = "auto", "rk4", "rosenbrock", "implicit"
STABLE = INTEGRATORS[RK4].stable or 0.0
DRAWN = 8  # configurations beside the neutral one
HEUN = 2.0  # the largest h |λ| that Heun's step follows, which "rosenbrock" is for what it does not take implicitly


def chosen(
    method: str, subject: Subject, acting: Acting, stops: bool | Stops, step: float, prescribed: bool = False
) -> str:
    """The method itself, or the one that "auto" stands for; ties and closures take "rk4", which alone knows them.

    So do motions whose accelerations are `prescribed`, which leave laws less to move than this looks at. Of parameters
    the damping of all rows counts, masses are those of the robot as it was made.
    """
    if method != AUTO:
        return method
    robot, nothing = subject.robot, np.zeros(subject.robot.nv)
    K, B = (nothing, nothing) if acting.forces is None else acting.forces.with_values(subject.values).steepest()
    if (
        prescribed
        or subject.engine.coordinates.tied
        or robot.model.closures
        or not (K.any() or B.any() or acting.stops)
    ):
        return RK4
    limited = tuple(sorted({int(i) for stop in acting.stops for i in stop.v}))
    wanted = stops if isinstance(stops, Stops) else Stops()
    asked = (step, K.tobytes(), B.tobytes(), limited, wanted)
    # The last answer is kept: finding it takes longer than a few steps.
    last: tuple[Any, str] | None = subject.engine.functions.get(AUTO)
    if last is None or last[0] != asked:
        subject.engine.functions[AUTO] = last = (asked, _found(robot, K, B, list(limited), wanted, step))
    return last[1]


def method_of(robot: Robot, options: Mapping[str, Any]) -> str:
    """The method among options of `simulate`, with "auto" as it is for the robot, whatever start and parameters are."""
    subject, step, stops = subject_of(robot, None), options["step"], options["stops"]
    acting = acting_on(subject, robot.neutral(), step, options["joint_forces"], stops, options["effort_limit"])
    return chosen(options["method"], subject, acting, stops, step)


def _found(robot: Any, K: np.ndarray, B: np.ndarray, limited: list[int], stops: Stops, step: float) -> str:
    with errstate("ignore"), np.errstate(all="ignore"):
        mass, inverse = _inertias(robot)
        if not len(mass):  # the first step says why
            return RK4
        before = np.roll(1 / np.diagonal(inverse, axis1=-2, axis2=-1), 1, axis=0)
        touched = [x[..., limited] for x in stop_figures(stops, before, step)]
        at = np.ix_(range(len(mass)), limited, limited)
        quickest = max(fastest(inverse, K, B).max(), np.median(fastest(inverse[at], *touched)))
        if step * quickest <= STABLE:
            return RK4
        # "rosenbrock" meets stops with the inertia that dampers add.
        heavier = np.linalg.inv(mass + GAMMA * step * np.diag(B))
        return ROSENBROCK if step * np.median(fastest(heavier[at], *touched)) <= HEUN else IMPLICIT


def fastest(inverse: np.ndarray, K: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A bound of |λ| with a mass matrix of this inverse (..., n, n), under springs K and dampers B in the joints.

    >>> fastest(np.eye(1), K=np.array([16.0]), B=np.array([0.0])).item()
    4.0
    >>> fastest(np.eye(1), K=np.array([0.0]), B=np.array([4.0])).item()
    4.0
    """
    k, b = _largest(inverse, K), _largest(inverse, B)
    return np.asarray((b + np.sqrt(b * b + 4 * k)) / 2)


def _largest(inverse: np.ndarray, d: np.ndarray) -> Any:
    """The largest eigenvalue of inverse @ diag(d)."""
    if not d.any():
        return np.zeros(inverse.shape[:-2])
    root = np.sqrt(d)
    return np.maximum(np.linalg.eigvalsh(root[..., None] * inverse * root[..., None, :])[..., -1], 0.0)


def _inertias(robot: Any) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrices and their inverses in the configurations where they exist, (..., nv, nv)."""
    drawn = robot.random_configuration(np.random.default_rng(0), DRAWN)
    places = [robot.neutral(), *drawn]  # one by one: simulations have made that code already
    inverse = np.array([robot.mass_matrix_inverse(q) for q in places])
    exist = np.isfinite(inverse).all(axis=(-2, -1))
    return np.array([robot.mass_matrix(q) for q in places])[exist], inverse[exist]
