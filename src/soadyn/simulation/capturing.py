"""A robot takes hold of a body: the impact, and the robot and its state afterwards.

Hold closes at once: before, the body moves relative to the frame with ΔV = V_body - V_frame (at the body's frame, so
both are velocities of the same point), afterwards not. The impulse F on the frame and -F on the body that does it:

    F = (Λ_frame⁻¹ + Λ_body⁻¹)⁻¹ ΔV,    v⁺ = v + Mass⁻¹ (J_frame* - J_body*) F,    loss = ½ ΔV* F

with the operational inertias Λ⁻¹ = J Mass⁻¹ J*, which include what links both (003 eqs. 10.1-10.3). F acts inside the
robot, so no momentum is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.model.placement import Placement
from soadyn.model.rehanging import free_body, holder, rehung
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.checked import checked_robot


@final
@dataclass(frozen=True, eq=False, repr=False)
class CaptureResult:
    """The robot that holds the body, its state, and what the impact did.

    robot, q, v       the robot with the body welded to the frame, and its state right after the impact
    impulse           on the frame, [moment; force] at the body's frame along world axes, N m s and N s
    closing_velocity  of the body relative to the frame before, [angular; linear], likewise
    energy_loss       kinetic energy lost, J
    """

    robot: Robot
    q: np.ndarray
    v: np.ndarray
    impulse: np.ndarray
    closing_velocity: np.ndarray
    energy_loss: float

    def __repr__(self) -> str:
        moment, force = (float(np.linalg.norm(x)) for x in (self.impulse[:3], self.impulse[3:]))
        lost = f"{self.energy_loss:.4g} J lost"
        return f"<CaptureResult by {self.robot.name!r}: impulse {moment:.4g} N m s and {force:.4g} N s, {lost}>"


def capture(robot: Robot, q: ArrayLike, v: ArrayLike, body: str, frame: str) -> CaptureResult:
    """What happens when `frame` takes hold of a free `body`, both of one robot, at (q, v): the impact and what follows.

    The body is a link on a free joint in the ground, such as one brought in by
    `robot.attach(target, "ground", name_prefix="target_")`, the target loaded with root="free". It is welded to the
    frame where it is, with all that hangs on it; all joints move freely during the impact. Momentum is kept, the motion
    of the body relative to the frame is lost.

    >>> import numpy as np, soadyn as sd
    >>> chaser, target = sd.load("ets_vii"), sd.chain(1, root="free")
    >>> both = chaser.attach(target, "ground", name_prefix="target_")
    >>> q, v = both.neutral(), np.zeros(both.nv)
    >>> v[both.joint_dofs("target_root")] = [0.1, 0.0, 0.0, 0.0, 0.0, 0.2]
    >>> held = sd.capture(both, q, v, "target_base", "link_ee")
    >>> held.robot.nv, bool(np.allclose(held.robot.momentum(held.q, held.v), both.momentum(q, v)))
    (13, True)
    >>> bool(np.isclose(both.kinetic_energy(q, v) - held.robot.kinetic_energy(held.q, held.v), held.energy_loss))
    True
    """
    checked_robot(robot, "capture")
    if not isinstance(frame, str):
        raise ArgumentError(f"capture takes the name of a frame, got {frame!r:.80}")
    number = free_body(robot.model, body)
    where = holder(robot.model, number, frame)
    at, rates = _one_state(robot, q, v)
    pose = np.linalg.inv(robot.pose(at, frame)) @ robot.pose(at, body)
    after, impulse, closing = _impact(robot, at, rates, body, (frame, pose))
    held = Robot(rehung(robot.model, number, where, Placement.of(pose[:3, :3], pose[:3, 3])), robot.backend)
    q_held, v_held = np.zeros(held.nq), np.zeros(held.nv)
    for joint in held.joint_names:
        q_held[held.joint_coordinates(joint)] = at[robot.joint_coordinates(joint)]
        v_held[held.joint_dofs(joint)] = after[robot.joint_dofs(joint)]
    return CaptureResult(held, q_held, v_held, impulse, closing, float(0.5 * closing @ impulse))


def _one_state(robot: Robot, q: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    space = robot.engine.coordinates
    given = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
    for name, x in zip("qv", given, strict=True):
        if x.ndim != 1:
            raise ShapeError(f"capture takes one state, on which the robot depends; {name!r} has shape {x.shape}")
        if x.dtype != float or not np.isfinite(x).all():
            raise ArgumentError(f"capture: {name!r} must be finite real numbers, got {x.tolist()!r:.80}")
    return given


def _impact(
    robot: Robot, q: np.ndarray, v: np.ndarray, body: str, place: tuple[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rates after the impact, its impulse on the frame, and the closing velocity."""
    frames: list[Any] = [place, body]
    apart = np.hstack([np.eye(6), -np.eye(6)])
    J = apart @ np.concatenate([robot.jacobian(q, frame) for frame in frames])
    closing = -J @ v
    mobility = apart @ robot.operational_inertia_inverse(q, frames) @ apart.T
    impulse = np.linalg.solve(mobility, closing)
    return v + robot.mass(q).solve(J.T @ impulse), impulse, closing
