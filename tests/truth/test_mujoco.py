"""MJCF models as read here against MuJoCo itself: dynamics, kinematics, energy, momentum.

MuJoCo's free joint has qpos = (position, quaternion) and qvel = [linear along world axes; angular along body axes],
ours q = (quaternion, position) and v = [angular; linear] along body axes:

    qvel = T v,    qacc = T a + Ṫ v,    Ṫ v = [R (ω × v); 0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import Agreement, compare, our_quantities, random_state, row
from mjcf_models import MJCF_MODELS
from soadyn.theory.oracle.dense_geometry import quaternion_rotation

mujoco = pytest.importorskip("mujoco")

STATES = 10


class MujocoPeer:
    """MuJoCo's model of a robot of ours, without springs, dampers, contacts and limits; joints in the same order."""

    def __init__(self, xml: str, robot: sd.Robot) -> None:
        self.robot = robot
        self.m = mujoco.MjModel.from_xml_string(xml)
        off = mujoco.mjtDisableBit
        for bit in (off.mjDSBL_SPRING, off.mjDSBL_DAMPER, off.mjDSBL_CONSTRAINT, off.mjDSBL_ACTUATION):
            self.m.opt.disableflags |= bit
        self.d = mujoco.MjData(self.m)
        given = [self.m.joint(j).name for j in range(self.m.njnt)]
        assert all(not name or name == joint.name for name, joint in zip(given, robot.model.joints, strict=True))
        welded = self.m.body_weldid == 0
        self.static = [body for body in range(1, self.m.nbody) if welded[body]]
        self.tops = [body for body in range(1, self.m.nbody) if not welded[body] and welded[self.m.body_parentid[body]]]
        self.bodies = {self.m.body(body).name or f"body{body}": body for body in range(1, self.m.nbody)}

    def qpos(self, q: np.ndarray) -> np.ndarray:
        parts = []
        for joint, place in zip(self.robot.model.joints, self.robot.model.q_slices, strict=True):
            share = q[place]
            parts.append(share[[4, 5, 6, 0, 1, 2, 3]] if joint.kind == "free" else share)
        return np.concatenate(parts)

    def rates(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T and Ṫ v."""
        T, change = np.eye(self.robot.nv), np.zeros(self.robot.nv)
        model = self.robot.model
        for joint, q_place, v_place in zip(model.joints, model.q_slices, model.v_slices, strict=True):
            if joint.kind == "free":
                R = quaternion_rotation(q[q_place][:4])
                omega, linear = v[v_place][:3], v[v_place][3:]
                none = np.zeros((3, 3))
                T[v_place, v_place] = np.block([[none, R], [np.eye(3), none]])
                change[v_place] = np.concatenate([R @ np.cross(omega, linear), np.zeros(3)])
        return T, change

    def quantities(self, state: dict[str, Any]) -> dict[str, Any]:
        m, d = self.m, self.d
        T, change = self.rates(state["q"], state["v"])
        d.qpos, d.qvel = self.qpos(state["q"]), T @ state["v"]
        d.xfrc_applied = 0
        mujoco.mj_forward(m, d)
        self._apply(state["external"])
        mujoco.mj_forward(m, d)
        mujoco.mj_energyPos(m, d)
        mujoco.mj_energyVel(m, d)
        mujoco.mj_subtreeVel(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        applied = d.qfrc_smooth + d.qfrc_bias
        # Our armature resists a, MuJoCo's resists qacc: the part Ṫ v of the latter is not ours.
        links_only = M - np.diag(m.dof_armature)
        bias = T.T @ (d.qfrc_bias + links_only @ change)
        with_external = bias - T.T @ applied
        mass = T.T @ M @ T
        found = {
            "mass_matrix": mass,
            "bias_force": bias,
            "bias_with_external": with_external,
            "inverse_dynamics": mass @ state["a"] + with_external,
            "kinetic_energy": d.energy[1],
            "potential_energy": d.energy[0] + sum(m.body_mass[b] * m.opt.gravity @ d.xipos[b] for b in self.static),
        }
        found.update(self._whole())
        for name, body in self.bodies.items():
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = d.xmat[body].reshape(3, 3), d.xpos[body]
            found[f"pose {name}"] = pose
            J = np.zeros((6, m.nv))
            mujoco.mj_jacBody(m, d, J[3:], J[:3], body)
            found[f"jacobian {name} world"] = J @ T
            found[f"frame_velocity {name} world"] = J @ d.qvel
        return found

    def _apply(self, external: np.ndarray) -> None:
        """Wrenches at link frames and along their axes, as MuJoCo wants them: at mass centres along world axes."""
        for name, wrench in zip(self.robot.link_names, external, strict=True):
            body = self.bodies[name]
            R = self.d.xmat[body].reshape(3, 3)
            force = R @ wrench[3:]
            moment = R @ wrench[:3] + np.cross(self.d.xpos[body] - self.d.xipos[body], force)
            self.d.xfrc_applied[body] = [*force, *moment]

    def _whole(self) -> dict[str, Any]:
        """Mass centre and momentum of what moves, from the subtrees that stand on the ground."""
        m, d = self.m, self.d
        masses = m.body_subtreemass[self.tops]
        centres, linear = d.subtree_com[self.tops], masses[:, None] * d.subtree_linvel[self.tops]
        com = masses @ centres / masses.sum()
        angular = d.subtree_angmom[self.tops]

        def about(point: np.ndarray) -> np.ndarray:
            return np.concatenate([(angular + np.cross(centres - point, linear)).sum(axis=0), linear.sum(axis=0)])

        return {"center_of_mass": com, "momentum": about(np.zeros(3)), "momentum about com": about(com)}


def compared(name: str, rng: np.random.Generator) -> Agreement:
    robot = sd.load(MJCF_MODELS[name])
    peer = MujocoPeer(MJCF_MODELS[name], robot)
    states = random_state(rng, robot, (STATES,))
    ours = our_quantities(robot, states, list(peer.bodies))
    agreement = Agreement()
    for i in range(STATES):
        state = row(states, i)
        known = {"tau": state["tau"], "mass": robot.total_mass}
        compare(row(ours, i), peer.quantities(state), known, agreement)
    return agreement


@pytest.mark.parametrize("name", MJCF_MODELS)
def test_all_quantities_agree_with_mujoco(name: str, rng: np.random.Generator) -> None:
    compared(name, rng).check()


def test_there_are_ten_models_with_every_kind_of_joint_and_armature() -> None:
    robots = [sd.load(xml) for xml in MJCF_MODELS.values()]
    assert len(robots) >= 10
    kinds = {joint.kind for robot in robots for joint in robot.model.joints}
    assert kinds >= {"revolute", "prismatic", "spherical", "free"}
    assert any(robot.armature.any() for robot in robots)
    assert any(link.hidden for robot in robots for link in robot.model.links)


@pytest.mark.parametrize("name", ["free_body", "tree"])
def test_accelerations_agree_with_mujocos(name: str, rng: np.random.Generator) -> None:
    robot = sd.load(MJCF_MODELS[name])
    if "armature" in MJCF_MODELS[name]:
        # Armature of a free joint means something else in MuJoCo; see MujocoPeer.quantities.
        xml = MJCF_MODELS[name].replace('armature="0.2"', "")
        robot, peer = sd.load(xml), MujocoPeer(xml, sd.load(xml))
    else:
        peer = MujocoPeer(MJCF_MODELS[name], robot)
    for _ in range(STATES):
        state = random_state(rng, robot)
        T, change = peer.rates(state["q"], state["v"])
        peer.quantities(state)
        peer.d.qfrc_applied = np.linalg.solve(T.T, state["tau"])
        mujoco.mj_forward(peer.m, peer.d)
        ours = robot.forward_dynamics(state["q"], state["v"], state["tau"], external=state["external"])
        theirs = np.linalg.solve(T, peer.d.qacc - change)
        assert abs(ours - theirs).max() <= 1e-9 * max(1.0, abs(theirs).max())
