"""SDF read a second time, by ElementTree alone, and built into Pinocchio through its API: its wheel reads no SDF."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from soadyn.model.model import Model


def pose_matrix(text: str) -> np.ndarray:
    """x y z roll pitch yaw as a 4x4 matrix."""
    x, y, z, roll, pitch, yaw = map(float, text.split())
    X = np.eye(4)
    for axis, angle in ((2, yaw), (1, pitch), (0, roll)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i], turn[i, j] = np.sin(angle), -np.sin(angle)
        X[:3, :3] = X[:3, :3] @ turn
    X[:3, 3] = x, y, z
    return X


@dataclass
class SdfLink:
    pose: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray


@dataclass
class SdfJoint:
    kind: str
    parent: str
    child: str
    pose: np.ndarray
    axis: np.ndarray
    ratio: float
    reference: str


def read(path: Path) -> tuple[dict[str, SdfLink], dict[str, SdfJoint]]:
    """Links and joints of a flat model whose poses are in the model's frame, as SDF 1.5 and 1.6 files have them."""
    model = ET.parse(path).getroot().find("model")
    assert model is not None
    nothing = "0 0 0 0 0 0"
    links = {}
    for link in model.findall("link"):
        inertial = link.find("inertial")
        assert inertial is not None
        X = pose_matrix(inertial.findtext("pose", nothing))
        i = {tag: float(inertial.findtext(f"inertia/{tag}", "0")) for tag in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
        rows = [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
        inertia = X[:3, :3] @ np.array(rows) @ X[:3, :3].T
        mass = float(inertial.findtext("mass", "nan"))
        links[link.attrib["name"]] = SdfLink(pose_matrix(link.findtext("pose", nothing)), mass, X[:3, 3], inertia)
    joints = {}
    for joint in model.findall("joint"):
        child = joint.findtext("child", "").strip()
        X = links[child].pose @ pose_matrix(joint.findtext("pose", nothing))
        axis = np.array([float(x) for x in joint.findtext("axis/xyz", "0 0 1").split()])
        if joint.findtext("axis/use_parent_model_frame", "0").strip() in ("1", "true"):
            axis = X[:3, :3].T @ axis
        joints[joint.attrib["name"]] = SdfJoint(
            joint.attrib["type"],
            joint.findtext("parent", "").strip(),
            child,
            X,
            axis / np.linalg.norm(axis),
            float(joint.findtext("gearbox_ratio", "1")),
            joint.findtext("gearbox_reference_body", "").strip(),
        )
    return links, joints


def pin_of(ours: Model, links: dict[str, SdfLink], joints: dict[str, SdfJoint]) -> Any:
    """Pinocchio's model of the same tree; from ours come names and order of its links and joints, and nothing else."""
    import pinocchio as pin

    def se3(X: np.ndarray) -> Any:
        return pin.SE3(X[:3, :3], X[:3, 3])

    model = pin.Model()
    ids, at = {0: 0}, {0: np.eye(4)}
    for k, (link, parent, joint) in enumerate(zip(ours.links, ours.parents, ours.joints, strict=True), start=1):
        said = joints.get(joint.name)
        if said is None:
            kind: Any = pin.JointModelFreeFlyer()
            X, place = links[link.name].pose, np.eye(4)
        else:
            axis = said.axis if said.child == link.name else -said.axis
            assert {said.parent, said.child} - {"world"} == {link.name, *(ours.links[parent - 1].name,) * (parent > 0)}
            kind = {
                "revolute": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
                "prismatic": lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
                "ball": lambda: pin.JointModelSpherical(),
            }[said.kind]()
            X, place = said.pose, np.linalg.inv(at[parent]) @ said.pose
        ids[k] = model.addJoint(ids[parent], kind, se3(place), joint.name)
        at[k] = X
        body = links[link.name]
        inertia = pin.Inertia(body.mass, body.com, body.inertia)
        model.appendBodyToJoint(ids[k], inertia, se3(np.linalg.inv(X) @ body.pose))
        model.addFrame(pin.Frame(link.name, ids[k], se3(np.linalg.inv(X) @ body.pose), pin.FrameType.OP_FRAME))
    return model
