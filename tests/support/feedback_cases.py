"""Every feedback of `sd.control` on robots that are small, redundant, free or short of motors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

import soadyn as sd
from soadyn import control
from soadyn.algebra import theta_dot
from soadyn.kinematics import Orientation, Position


@final
@dataclass(frozen=True)
class Subject:
    """A robot, the frame that feedbacks move, its passive joints, and a configuration in the middle of its range."""

    robot: sd.Robot
    frame: str
    passive: tuple[str, ...]
    q: np.ndarray

    def pose(self) -> np.ndarray:
        """A pose near that of q."""
        return np.asarray(self.robot.pose(self.robot.integrate(self.q, 0.1 * np.ones(self.robot.nv)), self.frame))


def planar() -> Subject:
    return Subject(sd.load("planar_two_link"), "tool", (), np.array([0.4, 0.9]))


def planar_with_a_passive_joint() -> Subject:
    chain = sd.chain(3).with_gravity([0, 0, 0])
    return Subject(chain, chain.link_names[-1], (chain.joint_names[1],), np.array([0.3, 0.5, 0.4]))


def panda() -> Subject:
    return Subject(sd.load("panda"), "panda_link8", (), np.array([0.1, -0.4, 0.2, -2.0, 0.3, 1.7, 0.6]))


def free_flyer() -> Subject:
    robot = sd.load("free_flyer")
    q = robot.neutral()
    q[:4] = 0.9, 0.1, -0.3, 0.2
    q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
    return Subject(robot, "tool", ("root",), q)


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "planar": planar,
    "a passive joint": planar_with_a_passive_joint,
    "panda": panda,
    "free flyer": free_flyer,
}


def feedbacks(at: Subject) -> dict[str, control.Feedback]:
    """All feedbacks that the subject can have."""
    robot, frame, passive, q = at.robot, at.frame, at.passive, at.q
    pose, some = at.pose(), dict.fromkeys(["passive"], passive)
    t = np.array([0.0, 0.05, 0.2])
    path = sd.TimeSeries(t, np.stack([robot.integrate(q, s * np.ones(robot.nv)) for s in (0.0, 0.1, -0.1)]))
    ways = np.stack([robot.integrate(q, s * np.ones(robot.nv)) for s in (0.0, 0.05, 0.1, 0.05, -0.05)])
    places = sd.TimeSeries(np.linspace(0.0, 0.2, 5), robot.pose(ways, frame)[:, :3, 3])
    found: dict[str, control.Feedback] = {
        "JointFeedback": control.JointFeedback(robot, path, stiffness=50.0, damping=8.0, **some),
        "ComputedTorque": control.ComputedTorque(robot, path, **some),
        "DecoupledControl": control.DecoupledControl(
            robot, path, bandwidth=np.linspace(3, 5, robot.nv), damping_ratio=np.linspace(1, 1.2, robot.nv), **some
        ),
        "OperationalSpace": control.OperationalSpace(robot, {frame: places}, posture=q, **some),
        "OperationalSpace of a pose": control.OperationalSpace(robot, {frame: pose}, **some),
        "Impedance": control.Impedance(
            robot, frame, pose, stiffness=[5, 5, 5, 90, 80, 70], damping=[1, 1, 1, 20, 20, 20], axes="target", **some
        ),
        "Impedance with an inertia": control.Impedance(
            robot,
            frame,
            pose,
            stiffness=np.full(6, 40.0),
            damping=np.full(6, 9.0),
            inertia=[1, 1, 1, 4, 4, 4],
            wrench=[0.1, 0.2, -0.1, 2.0, -1.0, 3.0],
            posture=q,
            **some,
        ),
        "ResolvedRate": control.ResolvedRate(robot, {frame: Position(places)}, posture=q, **some),
        "ResolvedAcceleration": control.ResolvedAcceleration(robot, {frame: Orientation(pose[:3, :3])}, **some),
        "RateFeedback": control.RateFeedback(robot, 2.0, **some),
    }
    if not passive:
        found["OperationalSpace of the mass centre"] = control.OperationalSpace(robot, {}, com=pose[:3, 3], posture=q)
        found["RateFeedback within bounds"] = control.RateFeedback(robot, 3.0, effort_limit=np.full(robot.nv, 60.0))
        damping = sd.operator("c", np.ones(robot.nv))
        formula = sd.compile(-damping @ theta_dot + sd.vector("u", "joint force"), robot)
        found["FormulaFeedback"] = control.FormulaFeedback(formula, u=np.ones(robot.nv))
    if not passive or passive == ("root",):
        weight: Any = np.repeat([30.0, 3.0], [3, 9])
        found["PoseFeedback"] = control.PoseFeedback(robot, frame, pose, gain=3.0, weight=weight, **some)
    if passive == ("root",):
        found["ReactionMode"] = control.ReactionMode(robot, {frame: pose}, q)
    return found


def random_states(at: Subject, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """States about the subject's q."""
    q = at.robot.integrate(at.q, 0.3 * rng.standard_normal((size, at.robot.nv)))
    return q, rng.standard_normal((size, at.robot.nv))
