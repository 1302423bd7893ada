"""Drake's forward and inverse dynamics and mass matrix, in loops in Python."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from peer_robots import States
from steps import Step, looped

import soadyn as sd
from soadyn.interop import Drake

try:
    import pydrake
except ImportError:
    pydrake = None
# What is no part of the comparison, or refused: pictures, damping, fingers that mimic others.
LEFT_OUT = r"<(visual|collision|gazebo|transmission)\b.*?</\1>|<(?:dynamics|mimic)\b[^>]*/>"


class DrakeRobot:
    """Drake's plant of a URDF, with continuous time."""

    def __init__(self, robot: sd.Robot, path: Path, free: bool) -> None:
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant

        text = re.sub(LEFT_OUT, "", path.read_text(), flags=re.DOTALL)
        plant = MultibodyPlant(0.0)
        (instance,) = Parser(plant).AddModelsFromString(text, "urdf")
        # A link named "world" is the world to Drake, and the robot stands on it already.
        if not free and '"world"' not in text:
            base = plant.get_body(plant.GetBodyIndices(instance)[0])
            plant.WeldFrames(plant.world_frame(), base.body_frame())
        plant.mutable_gravity_field().set_gravity_vector(robot.gravity)
        plant.Finalize()
        joints = [plant.get_joint(i) for i in plant.GetJointIndices()]
        floating = [joint.name() for joint in joints if joint.num_velocities() == 6]
        self.plant, self.context = plant, plant.CreateDefaultContext()
        self.peer = Drake(robot, plant, names={"root": floating[0]} if free else None)


def drake_robot(robot: sd.Robot, path: Path, free: bool) -> tuple[DrakeRobot | None, str]:
    """Drake's robot, or why there is none."""
    if pydrake is None:
        return None, "Drake is not installed (pip package drake)"
    try:
        return DrakeRobot(robot, path, free), ""
    except Exception as error:  # whatever its reader dislikes
        return None, f"Drake does not load it: {error}"


def drake_steps(other: DrakeRobot, s: States, quantity: str) -> list[Step]:
    """A loop in Python."""
    one, name = _one_state(other, quantity)
    note = f"Drake {importlib.metadata.version('drake')}, wheel"
    return [looped(f"Drake loop of {name}", one, other.peer, s, quantity, note)]


def _one_state(other: DrakeRobot, quantity: str) -> tuple[Callable[..., np.ndarray], str]:
    """A function of one state, and the name of what it calls."""
    from pydrake.multibody.tree import MultibodyForces

    plant, context = other.plant, other.context
    forces = MultibodyForces(plant)
    nq, nv = plant.num_positions(), plant.num_velocities()
    applied: Any = plant.get_applied_generalized_force_input_port().FixValue(context, np.zeros(nv))

    def forward(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        applied.GetMutableData().set_value(tau)
        return plant.EvalTimeDerivatives(context).CopyToVector()[nq:]

    def inverse(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        plant.CalcForceElementsContribution(context, forces)
        return plant.CalcInverseDynamics(context, a, forces)

    def mass(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        plant.SetPositions(context, q)
        return plant.CalcMassMatrix(context)

    functions = {
        "forward_dynamics": (forward, "EvalTimeDerivatives"),
        "inverse_dynamics": (inverse, "CalcInverseDynamics"),
        "mass_matrix": (mass, "CalcMassMatrix"),
    }
    return functions[quantity]
