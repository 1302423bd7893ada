"""MuJoCo's forward and inverse dynamics and mass matrix, in loops and in its batch call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import peer_robots
from peer_robots import MujocoRobot, States, peer_columns
from steps import Step, looped


def mujoco_steps(other: MujocoRobot, s: States, quantity: str) -> list[Step]:
    """Loops in Python; of forward dynamics, one step of `rollout` as well."""
    note = f"MuJoCo {peer_robots.mujoco.__version__}, wheel"
    one, name = _one_state(other, quantity)
    steps = [looped(f"MuJoCo loop of {name}", one, other.peer, s, quantity, note)]
    if quantity == "forward_dynamics" and (call := _rollout(other, peer_columns(other.peer, s))):
        steps.append(Step("MuJoCo rollout, one step", call, note=f"{note}; integrates as well"))
    return steps


def _one_state(other: MujocoRobot, quantity: str) -> tuple[Callable[..., np.ndarray], str]:
    """A function of one state, and the name of what it calls."""
    mujoco, m, d = peer_robots.mujoco, other.model, other.data
    M = np.zeros((m.nv, m.nv))

    def forward(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        d.qpos[:], d.qvel[:], d.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(m, d)
        return d.qacc

    def inverse(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        d.qpos[:], d.qvel[:], d.qacc[:] = q, v, a
        mujoco.mj_inverse(m, d)
        return d.qfrc_inverse

    def mass(q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> np.ndarray:
        d.qpos[:] = q
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_makeM(m, d)
        mujoco.mj_fullM(m, d, M)
        return M

    functions = {
        "forward_dynamics": (forward, "mj_forward"),
        "inverse_dynamics": (inverse, "mj_inverse"),
        "mass_matrix": (mass, "mj_makeM and mj_fullM"),
    }
    return functions[quantity]


def _rollout(other: MujocoRobot, columns: dict[str, np.ndarray]) -> Callable[[], Any] | None:
    """One step of all states at once, if this build of MuJoCo has it."""
    mujoco, m, d = peer_robots.mujoco, other.model, other.data
    try:
        from mujoco import rollout
    except ImportError:
        return None
    full, applied = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_QFRC_APPLIED
    mujoco.mj_resetData(m, d)
    initial = np.zeros((len(columns["q"]), mujoco.mj_stateSize(m, full)))
    initial[:, 1 : 1 + m.nq + m.nv] = np.hstack([columns["q"], columns["v"]])
    control = np.ascontiguousarray(columns["tau"][:, None, :])
    runner = rollout.Rollout(nthread=0)
    return lambda: runner.rollout(m, d, initial, control, control_spec=applied, nstep=1)
