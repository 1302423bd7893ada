"""The same robots and states here, in Pinocchio and in MuJoCo; what is not installed is None, with a reason."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.cli.peer_checks import quiet
from soadyn.interop import MuJoCo, Pinocchio

try:
    import pinocchio
except ImportError:
    pinocchio = None
try:
    import mujoco
except ImportError:
    mujoco = None


def loaded(path: Path | str, root: Any = "fixed") -> sd.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.ModelWarning)
        return sd.load(path, root=root)


@dataclass
class States:
    """A batch of random states of one robot."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray

    @staticmethod
    def random(robot: sd.Robot, n: int, seed: int = 1) -> States:
        rng = np.random.default_rng(seed)
        v, a, tau = (rng.standard_normal((n, robot.nv)) for _ in range(3))
        return States(robot.random_configuration(rng, n), v, a, 10 * tau)


def peer_columns(peer: Any, states: States) -> dict[str, np.ndarray]:
    """States as another library wants them, a row for each."""
    q, v = states.q, states.v
    return {
        "q": peer.q_to(q),
        "v": peer.v_to(q, v),
        "a": peer.a_to(q, v, states.a),
        "tau": peer.force_to(q, states.tau),
    }


class PinocchioRobot:
    """Pinocchio's model of a robot, and states as it wants them: one column for each."""

    def __init__(self, robot: sd.Robot, model: Any) -> None:
        self.model = model
        self.peer = Pinocchio(robot, model)
        model.gravity.linear = robot.gravity
        model.armature = np.diag(self.peer.matrix_to(robot.neutral(), np.diag(robot.armature))).copy()
        self.data = model.createData()
        self.pool = pinocchio.ModelPool(model, 1)

    @staticmethod
    def from_urdf(robot: sd.Robot, path: Path, free: bool) -> PinocchioRobot | None:
        if pinocchio is None:
            return None
        with quiet():
            extra = (pinocchio.JointModelFreeFlyer(), "root") if free else ()
            return PinocchioRobot(robot, pinocchio.buildModelFromUrdf(str(path), *extra))

    @staticmethod
    def from_robot(robot: sd.Robot) -> PinocchioRobot | None:
        """For robots made in code, all of whose joints are revolute."""
        if pinocchio is None:
            return None
        model = pinocchio.Model()
        numbers = [0]
        for joint, link, parent in zip(robot.model.joints, robot.model.links, robot.model.parents, strict=True):
            kind = pinocchio.JointModelRevoluteUnaligned(np.array(joint.axis, dtype=float))
            k = model.addJoint(numbers[parent], kind, pinocchio.SE3(joint.placement.matrix()), joint.name)
            inertia = pinocchio.Inertia(link.mass, np.array(link.com, dtype=float), np.array(link.inertia, dtype=float))
            model.appendBodyToJoint(k, inertia, pinocchio.SE3.Identity())
            numbers.append(k)
        return PinocchioRobot(robot, model)

    def columns(self, states: States) -> dict[str, np.ndarray]:
        return {name: np.asfortranarray(x.T) for name, x in peer_columns(self.peer, states).items()}


class MujocoRobot:
    """MuJoCo's model of a URDF, without contacts, limits and other constraints."""

    def __init__(self, robot: sd.Robot, path: Path, free: bool) -> None:
        text = re.sub(r"<(visual|collision|gazebo|transmission)\b.*?</\1>", "", path.read_text(), flags=re.DOTALL)
        options = f'<mujoco><compiler fusestatic="{str(not free).lower()}" discardvisual="true"/></mujoco>'
        spec = mujoco.MjSpec.from_string(re.sub(r"(<robot\b[^>]*>)", rf"\1{options}", text, count=1))
        if free:
            spec.worldbody.first_body().add_freejoint(name="root")
        self.model = spec.compile()
        disable = mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(disable.mjDSBL_CONSTRAINT) | int(disable.mjDSBL_CONTACT)
        self.model.opt.gravity[:] = robot.gravity
        self.model.dof_armature[:] = 0.0
        self.model.dof_damping[:] = 0.0
        self.model.dof_frictionloss[:] = 0.0
        self.data = mujoco.MjData(self.model)
        self.peer = MuJoCo(robot, self.model)


def mujoco_robot(robot: sd.Robot, path: Path, free: bool) -> tuple[MujocoRobot | None, str]:
    """MuJoCo's robot, or why there is none."""
    if mujoco is None:
        return None, "MuJoCo is not installed"
    try:
        return MujocoRobot(robot, path, free), ""
    except Exception as error:  # whatever its reader dislikes
        return None, f"MuJoCo does not load it: {error}"
