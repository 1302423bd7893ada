"""Pinocchio as a peer: its models beside ours, joints matched by name, everything in our conventions.

Pinocchio has (cos, sin) for continuous and planar joints, quaternions (x, y, z, w), spatial vectors [linear; angular],
and rates of free and planar joints along the child's axes: v_pin = T(q) v, a_pin = T a + Ṫ v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from pin_joints import pin_joint
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.model import Joint, Model

SWAP = np.array([3, 4, 5, 0, 1, 2])  # [linear; angular] to [angular; linear] and back


@dataclass
class PinPeer:
    """A Pinocchio model of a robot of ours; `names` are the elementary joints' names there, in our order."""

    ours: Model
    model: Any
    names: list[str]

    def __post_init__(self) -> None:
        self.data = self.model.createData()
        # Pinocchio 4.1 forgets the armature of unaligned revolute and helical joints in the kinetic energy.
        self.bare = self.model.copy()
        self.bare.armature[:] = 0
        self.ids = [self.model.getJointId(name) for name in self.names]
        assert all(i < self.model.njoints for i in self.ids)
        assert self.model.nv == self.ours.nv

    def coordinates(self, q: np.ndarray) -> np.ndarray:
        x = np.zeros(self.model.nq)
        for joint, place, i in zip(self.ours.joints, self.ours.q_slices, self.ids, strict=True):
            at = self.model.joints[i].idx_q
            share = _coordinates(joint, q[place])
            assert len(share) == self.model.joints[i].nq
            x[at : at + len(share)] = share
        return x

    def rates(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T and Ṫ v with v_pin = T v."""
        T, change = np.zeros((self.model.nv, self.ours.nv)), np.zeros(self.model.nv)
        slices = zip(self.ours.joints, self.ours.q_slices, self.ours.v_slices, self.ids, strict=True)
        for joint, q_place, v_place, i in slices:
            at = slice(self.model.joints[i].idx_v, self.model.joints[i].idx_v + joint.behaviour.nv)
            T[at, v_place], change[at] = _rates(joint, q[q_place], v[v_place])
        return T, change

    def frame(self, name: str) -> int:
        """Pinocchio's index of a frame; a file's link called "ground" is "ground_link" here, "ground" the world."""
        body = pin.FrameType.BODY
        theirs = "ground" if name == "ground_link" and not self.model.existFrame(name, body) else name
        return 0 if name == "ground" else int(self.model.getFrameId(theirs, body))

    def quantities(self, state: dict[str, Any], frames: list[str]) -> dict[str, Any]:
        """Everything Pinocchio computes, in our conventions."""
        model, data = self.model, self.data
        q = self.coordinates(state["q"])
        T, change = self.rates(state["q"], state["v"])
        v, a = T @ state["v"], T @ state["a"] + change
        external = self._external(state["external"])
        M = pin.crba(model, data, q, pin.Convention.WORLD)
        M = np.triu(M) + np.triu(M, 1).T
        A_r = self._planar_armature()
        rotors = (v @ (model.armature * v) + state["v"] @ A_r @ state["v"]) / 2
        found = {
            "mass_matrix": T.T @ M @ T + A_r,
            "inverse_dynamics": T.T @ pin.rnea(model, data, q, v, a, external) + A_r @ state["a"],
            "bias_force": T.T @ pin.rnea(model, data, q, v, change),
            "bias_with_external": T.T @ pin.rnea(model, data, q, v, change, external),
            "gravity_force": T.T @ pin.computeGeneralizedGravity(model, data, q),
            "kinetic_energy": pin.computeKineticEnergy(self.bare, data, q, v) + rotors,
            "potential_energy": pin.computePotentialEnergy(model, data, q),
            "inertia_regressor": T.T @ self._regressor(q, v, a),
        }
        pin.forwardKinematics(model, data, q, v, a)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        poses = [data.oMf[self.frame(name)].homogeneous for name in self.ours.link_names]
        found["poses"] = np.array(poses).reshape(-1, 4, 4)
        for name in frames:
            found.update(self._frame_quantities(name, T))
        if pin.computeTotalMass(model) > 0:
            found.update(self._centroidal(q, v, T))
        return found

    def _planar_armature(self) -> np.ndarray:
        """Armature of planar joints, which acts along the child's axes in Pinocchio and the parent's here."""
        joints = self.ours.joints
        return np.diag([x * (joint.kind == "planar") for joint in joints for x in joint.armature])

    def _external(self, wrenches: np.ndarray) -> Any:
        forces = pin.StdVec_Force()
        forces.extend([pin.Force.Zero()] * self.model.njoints)
        for name, wrench in zip(self.ours.link_names, wrenches, strict=True):
            frame = self.model.frames[self.frame(name)]
            joint = frame.parentJoint
            forces[joint] = forces[joint] + frame.placement.act(pin.Force(wrench[3:], wrench[:3]))
        return forces

    def _regressor(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Columns for visible links; Pinocchio has them for bodies about joint frames."""
        whole = np.array(pin.computeJointTorqueRegressor(self.model, self.data, q, v, a)).reshape(
            self.model.nv, 10 * (self.model.njoints - 1)
        )
        columns = [np.zeros((self.model.nv, 0))]
        for name in self.ours.link_names:
            frame = self.model.frames[self.frame(name)]
            of_joint = whole[:, 10 * (frame.parentJoint - 1) : 10 * frame.parentJoint]
            columns.append(of_joint @ _parameters_moved(frame.placement))
        return np.hstack(columns)

    def _frame_quantities(self, name: str, T: np.ndarray) -> dict[str, Any]:
        frame = self.frame(name)
        found = {f"pose {name}": self.data.oMf[frame].homogeneous}
        for axes, reference in (("world", pin.LOCAL_WORLD_ALIGNED), ("local", pin.LOCAL)):
            # Pinocchio 4.1 crashes here on robots without joints.
            J = pin.getFrameJacobian(self.model, self.data, frame, reference) if self.model.nv else np.zeros((6, 0))
            found[f"jacobian {name} {axes}"] = J.reshape(6, -1)[SWAP] @ T
            velocity = pin.getFrameVelocity(self.model, self.data, frame, reference)
            found[f"frame_velocity {name} {axes}"] = velocity.vector[SWAP]
            acceleration = pin.getFrameClassicalAcceleration(self.model, self.data, frame, reference)
            found[f"frame_acceleration {name} {axes}"] = acceleration.vector[SWAP]
        return found

    def _centroidal(self, q: np.ndarray, v: np.ndarray, T: np.ndarray) -> dict[str, Any]:
        model, data = self.model, self.data
        com = pin.centerOfMass(model, data, q).copy()
        jacobian = pin.jacobianCenterOfMass(model, data, q).reshape(3, -1).copy()
        matrix = pin.computeCentroidalMap(model, data, q).reshape(6, -1)[SWAP]
        central = pin.computeCentroidalMomentum(model, data, q, v).vector[SWAP]
        about_origin = np.concatenate([central[:3] + np.cross(com, central[3:]), central[3:]])
        return {
            "center_of_mass": com,
            "center_of_mass_jacobian": jacobian @ T,
            "centroidal_momentum_matrix": matrix @ T,
            "momentum about com": central,
            "momentum": about_origin,
        }


def _coordinates(joint: Joint, q: np.ndarray) -> np.ndarray:
    match joint.kind:
        case "continuous":
            return np.array([np.cos(q[0]), np.sin(q[0])])
        case "planar":
            return np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2])])
        case "spherical":
            return q[[1, 2, 3, 0]]
        case "free":
            return q[[4, 5, 6, 1, 2, 3, 0]]
    return q


def _rates(joint: Joint, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    T, change = np.eye(joint.behaviour.nv), np.zeros(joint.behaviour.nv)
    if joint.kind == "free":
        T = T[SWAP]
    elif joint.kind == "planar":
        c, s = np.cos(q[2]), np.sin(q[2])
        T = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        change = v[2] * np.array([[-s, c, 0], [-c, -s, 0], [0, 0, 0]]) @ v
    return T, change


def _parameters_moved(placement: Any) -> np.ndarray:
    """A body's ten parameters about a frame to those about the joint frame it stands in, (10, 10)."""
    if placement.isIdentity():
        return np.eye(10)
    R, r = placement.rotation, placement.translation
    columns = []
    for x in np.eye(10):
        m, c = x[0], R @ x[1:4]
        J = R @ np.array([[x[4], x[5], x[7]], [x[5], x[6], x[8]], [x[7], x[8], x[9]]]) @ R.T
        J = J - (pin.skew(r) @ pin.skew(c) + pin.skew(c) @ pin.skew(r) + m * pin.skew(r) @ pin.skew(r))
        columns.append([m, *(c + m * r), J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])
    return np.array(columns).T


def pin_tree(model: Model) -> PinPeer:
    """Any Model of ours rebuilt with Pinocchio's joints, one for each elementary joint."""
    theirs = pin.Model()
    theirs.gravity.linear = np.array(model.gravity)
    names: list[str] = []
    ids, places = [0], [pin.SE3.Identity()]  # of each link: its joint, and its frame there
    for k, (link, joint, parent) in enumerate(zip(model.links, model.joints, model.parents, strict=True), start=1):
        turned = joint.kind in ("planar", "continuous")  # Pinocchio has these about z only
        turn = pin.SE3(onto(np.array(joint.axis)), np.zeros(3)) if turned else pin.SE3.Identity()
        mount = places[parent] * pin.SE3(joint.placement.matrix()) * turn
        names.append(f"{joint.name} {k}")
        i = theirs.addJoint(ids[parent], pin_joint(joint), mount, names[-1])
        place = turn.inverse() * pin.SE3(joint.offset.matrix())
        body = pin.Inertia(link.mass, np.array(link.com), np.array(link.inertia))
        theirs.appendBodyToJoint(i, body, place)
        theirs.addFrame(pin.Frame(link.name, i, place, pin.FrameType.BODY))
        at = theirs.joints[i].idx_v
        if joint.kind != "planar":
            armature = np.array(joint.armature)
            theirs.armature[at : at + len(armature)] = armature[SWAP] if joint.kind == "free" else armature
        ids.append(i)
        places.append(place)
    for frame in model.frames:
        place = places[frame.link] * pin.SE3(frame.placement.matrix())
        theirs.addFrame(pin.Frame(frame.name, ids[frame.link], place, pin.FrameType.BODY))
    return PinPeer(model, theirs, names)
