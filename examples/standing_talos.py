"""Talos on one foot that is fixed to the floor: its mass centre stays above the sole while somebody pushes its chest.

Operational space for the mass centre, the rest a posture. The arms and the other leg give way and come back; the
centre of pressure, which the floor's reaction tells, stays within the sole, so the foot would not tip over.

The file's tree begins at the pelvis. Here it begins at the left foot: the joints of the left leg are turned around.
"""

from __future__ import annotations

import sysconfig
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, GREY, ORANGE, RED, label, panels, run, save
from soadyn.mechanics.spatial.rotation import exponential, from_quaternion

FILE = "cmeel.prefix/share/example-robot-data/robots/talos_data/robots/talos_reduced.urdf"
FOOT, SOLE, CHEST = "leg_left_6_link", "left_sole_link", "torso_2_link"
SOLE_SIZE = np.array([0.105, 0.06])  # m, half of length and width, of Talos' foot
BENT = {"leg_left_3": -0.45, "leg_left_4": 0.9, "leg_left_5": -0.45, "leg_right_3": -0.6, "leg_right_4": 1.2,
        "leg_right_5": -0.6, "arm_left_1": 0.3, "arm_left_2": 0.4, "arm_left_4": -1.0, "arm_right_1": -0.3,
        "arm_right_2": -0.4, "arm_right_4": -1.0, "gripper_left": -0.5, "gripper_right": -0.5}  # fmt: skip
PUSH, FROM, UNTIL = np.array([50.0, 25.0, 0.0]), 0.3, 0.5  # N along world axes, s


def pose_of(element: ET.Element | None) -> np.ndarray:
    """An <origin> as a 4x4."""
    T = np.eye(4)
    if element is not None:
        T[:3, 3] = np.array(element.get("xyz", "0 0 0").split(), dtype=float)
        roll, pitch, yaw = map(float, element.get("rpy", "0 0 0").split())
        for angle, axis in ((yaw, 2), (pitch, 1), (roll, 0)):
            T[:3, :3] = T[:3, :3] @ from_quaternion(exponential(angle * np.eye(3)[axis]))
    return T


def placed(parent: ET.Element, T: np.ndarray) -> None:
    """Make a 4x4 the <origin> of an element."""
    R = T[:3, :3]
    rpy = np.arctan2(R[2, 1], R[2, 2]), -np.arcsin(np.clip(R[2, 0], -1, 1)), np.arctan2(R[1, 0], R[0, 0])
    old = parent.find("origin")
    element = ET.SubElement(parent, "origin") if old is None else old
    element.set("xyz", " ".join(repr(float(x)) for x in T[:3, 3]))
    element.set("rpy", " ".join(repr(float(x)) for x in rpy))


def rerooted(text: str, root: str) -> str:
    """The same robot with another link as the root of its tree.

    A joint that is turned around carries its former parent, whose frame moves to the joint: all that lies in that link
    is placed anew. Its axis changes sign, so that its angle means what it did.
    """
    tree = ET.fromstring(text)
    above = {x.find("child").get("link"): x for x in tree.findall("joint")}  # type: ignore[union-attr]
    links = {x.get("name"): x for x in tree.findall("link")}
    shift, link = np.eye(4), root  # where the link's former frame is in its new one
    while link in above:
        joint = above[link]
        parent, child = joint.find("parent"), joint.find("child")
        assert parent is not None
        assert child is not None
        former, X = str(parent.get("link")), pose_of(joint.find("origin"))
        parent.set("link", link)
        child.set("link", former)
        placed(joint, shift)
        if (axis := joint.find("axis")) is not None:
            axis.set("xyz", " ".join(str(-float(x)) for x in axis.get("xyz", "1 0 0").split()))
        shift = np.linalg.inv(X)
        for part in links[former]:
            placed(part, shift @ pose_of(part.find("origin")))
        for other in tree.findall("joint"):
            hangs = other.find("parent")
            if hangs is not None and hangs.get("link") == former and other is not above.get(former):
                placed(other, shift @ pose_of(other.find("origin")))
        link = former
    return ET.tostring(tree, encoding="unicode")


def talos() -> sd.Robot:
    """The robot on its left foot, loaded from the files that come with Pinocchio's wheels."""
    path = Path(sysconfig.get_paths()["purelib"]) / FILE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.ModelWarning)
        return sd.load(rerooted(path.read_text(encoding="utf-8"), FOOT))


def standing(robot: sd.Robot) -> np.ndarray:
    """A configuration with the mass centre above the middle of the sole, near a bent posture."""
    bent = robot.configuration({f"{name}_joint": x for name, x in BENT.items()})
    goal = robot.center_of_mass(bent)
    goal[:2] = robot.pose(bent, SOLE)[:2, 3]
    found = robot.inverse_kinematics({}, bent, com=goal, posture=bent)
    assert found.success
    return np.asarray(found.q)


def pressure(robot: sd.Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray, links: np.ndarray) -> np.ndarray:
    """The centre of pressure (..., 2) on the floor, from the sole's middle, by what the foot's joint carries."""
    first = robot.link_names[0]
    f = robot.link_forces(q, v, a, external=links)[..., 0, :]
    at = robot.pose(q, first)
    force, moment = ((at[..., :3, :3] @ x[..., None])[..., 0] for x in (f[..., 3:], f[..., :3]))
    sole = robot.pose(q, SOLE)[..., :3, 3]
    about = moment + np.cross(at[..., :3, 3] - sole, force)
    return np.stack([-about[..., 1], about[..., 0]], axis=-1) / force[..., 2:]


def main(out: Path, duration: float = 3.0) -> dict[str, float]:
    """Push the chest."""
    robot = talos()
    q = standing(robot)
    middle = robot.center_of_mass(q)
    control = sd.control.OperationalSpace(
        robot,
        {},
        com=middle,
        bandwidth=6.3,
        damping_ratio=1.03,
        posture=q,
        posture_bandwidth=7.75,
        posture_damping_ratio=0.97,
    )
    times = np.array([0.0, FROM, FROM + 0.01, UNTIL, UNTIL + 0.01, duration])
    links = np.zeros((len(times), len(robot.link_names), 6))
    chest = robot.link_names.index(CHEST)
    links[2:4, chest, 3:] = PUSH @ robot.pose(q, CHEST)[:3, :3]
    pushed = sd.TimeSeries(times, links)
    moved = sd.simulate(
        robot, q, control=control, external=pushed, duration=duration, step=0.002, record_every=0.02,
        joint_forces=False, sampled=True,
    )  # fmt: skip
    wrenches = pushed(moved.t)
    a = robot.forward_dynamics(moved.q, moved.v, moved.tau, external=wrenches)
    centre = robot.center_of_mass(moved.q) - middle
    foot = pressure(robot, moved.q, moved.v, a, wrenches)
    _draw(out, moved, centre, foot)
    return {
        "mass (kg)": float(robot.total_mass),
        "mass centre moves by at most (mm)": 1e3 * float(np.linalg.norm(centre, axis=-1).max()),
        "mass centre at the end (mm)": 1e3 * float(np.linalg.norm(centre[-1])),
        "centre of pressure, share of the sole": float((np.abs(foot) / SOLE_SIZE).max()),
        "largest joint angle from the posture (rad)": float(np.abs(moved.q - q).max()),
        "kinds of limits that acted": float(len(moved.acted)),
    }


def _draw(out: Path, moved: sd.Trajectory, centre: np.ndarray, foot: np.ndarray) -> None:
    figure, (left, middle, right) = panels(3.6, 3.2, 3.6)
    for k, colour, name in ((0, BLUE, "forward"), (1, ORANGE, "to the left"), (2, GREEN, "up")):
        left.plot(moved.t, 1e3 * centre[:, k], color=colour, label=name)
    left.axvspan(FROM, UNTIL, color=GREY, alpha=0.3)
    label(left, "mass centre; grey: the push", y="mm")
    x, y = 1e2 * SOLE_SIZE
    middle.plot([-x, x, x, -x, -x], [-y, -y, y, y, -y], color=RED, label="sole")
    middle.plot(*(1e2 * foot.T), color=BLUE, label="centre of pressure")
    middle.set_aspect("equal", adjustable="datalim")
    label(middle, "the floor under the foot", x="forward (cm)", y="to the left (cm)")
    right.plot(moved.t, moved.tau[:, :6], linewidth=1.0)
    label(right, "torques of the leg it stands on", y="N m")
    save(figure, out, "standing_talos")


if __name__ == "__main__":
    run(main)
