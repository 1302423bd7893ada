"""A moving arm is touched along its links and then lifts an unknown mass: what its torques tell (003, made practical).

    python examples/touched_arm.py [FOLDER] [--robot arm.urdf]

The arm (a built-in Panda, or any arm of single joints) moves on sums of sines. Three times it is pushed for 0.8 s,
then its hand takes up a mass. Torques have 0.1 N m of noise. The momentum observer makes a residual of them,
`locate_contact` finds link and force, the payload's mass and centre are estimated sample by sample. Writes a plot, and
a page with the arm and two rods that end where it is touched: the thick blue one along the true force, the thin orange
one along the estimated force. `filter_smoother.png` shows filter and smoother themselves (003 Fig. 5).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLACK, BLUE, GREEN, GREY, ORANGE, PLOTS, RED, label, panels, save
from soadyn.estimation import MomentumObserver, PayloadEstimator, RandomField, locate_contact
from soadyn.simulation import Trajectory

STEP, NOISE, GAIN = 0.01, 0.1, 30.0
TOUCHES = ((1.5, -3), (3.5, -2), (5.5, -1))  # begin in s, which link
LASTS, LIFTED, MASS, COM = 0.8, 7.0, 1.5, (0.02, -0.01, 0.08)
FORCE = np.array([14.0, -10.0, 9.0])  # N, in world axes
ROD = """<robot name="{name}"><link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0"
ixz="0" iyz="0"/></inertial><visual><origin xyz="0 0 {middle}"/><geometry>
<cylinder radius="{radius}" length="{length}"/></geometry></visual></link></robot>"""


@dataclass(frozen=True)
class Motion:
    """What is known of the arm in time, and what truly happened."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    link: np.ndarray  # the touched link's place in link_names, -1 for none
    force: np.ndarray


def motion(arm: sd.Robot, duration: float, rng: np.random.Generator) -> tuple[Motion, list[tuple[str, np.ndarray]]]:
    """A motion around the middle of the limits, its touches, its torques; and where links may be touched."""
    t = np.arange(0.0, duration, STEP)
    middle = np.where(np.isfinite(arm.upper - arm.lower), (arm.upper + arm.lower) / 2, 0.0)
    w = 0.6 + 0.2 * np.arange(arm.nv)
    q = middle + 0.4 * np.sin(w * t[:, None] + np.arange(arm.nv))
    v, a = 0.4 * w * np.cos(w * t[:, None] + np.arange(arm.nv)), -(w**2) * (q - middle)
    points = [(name, np.array([0.06, 0.06, 0.03])) for name in arm.link_names[2:]]
    link, force = np.full(len(t), -1), np.zeros((len(t), 3))
    loaded = arm.with_payload(arm.link_names[-1], MASS, COM)
    tau = np.where((t < LIFTED)[:, None], arm.inverse_dynamics(q, v, a), loaded.inverse_dynamics(q, v, a))
    for begin, k in TOUCHES:
        during = (t >= begin) & (t < begin + LASTS)
        name, place = points[k]
        link[during], force[during] = arm.link_names.index(name), FORCE
        tau[during] -= arm.jacobian(q[during], (name, placed(place)))[:, 3:].mT @ FORCE
    return Motion(t, q, v, a, tau + NOISE * rng.standard_normal(tau.shape), link, force), points


def placed(x: np.ndarray) -> np.ndarray:
    frame = np.eye(4)
    frame[:3, 3] = x
    return frame


def weighed(arm: sd.Robot, seen: Motion) -> np.ndarray:
    """Mass and its standard deviation after each sample since the lift, (samples, 2)."""
    load = PayloadEstimator(arm, arm.link_names[-1], NOISE, forget=1.0)
    found = []
    for row in zip(seen.q, seen.v, seen.a, seen.tau, strict=True):
        load.update(*row, step=STEP)
        found.append((load.mass, load.mass_std))
    return np.array(found)


def main(out: Path, robot: str = "panda", duration: float = 10.0) -> dict[str, float]:
    """Moves, is touched, lifts; writes the plots and the page."""
    arm, rng = sd.load(robot), np.random.default_rng(0)
    if arm.nq != arm.nv:
        arm = arm.lock([name for name in arm.joint_names if len(arm.joint_coordinates(name)) > 1], arm.neutral())
    seen, points = motion(arm, duration, rng)
    residual = MomentumObserver(arm, GAIN).run(seen.t, seen.q, seen.v, seen.tau)
    free = seen.t < LIFTED
    found = locate_contact(arm, seen.q[free], residual[free], points, 20.0, 2 * NOISE)
    names = np.array(arm.link_names, dtype=object)
    settled = np.zeros(free.sum(), dtype=bool)
    for begin, _ in TOUCHES:
        settled |= (seen.t[free] > begin + 0.2) & (seen.t[free] < begin + LASTS)
    quiet = np.ones(free.sum(), dtype=bool)
    for begin, _ in TOUCHES:
        quiet &= (seen.t[free] < begin) | (seen.t[free] > begin + LASTS + 0.4)
    part = slice(int(free.sum()), None)
    after = Motion(*(x[part] for x in (seen.t, seen.q, seen.v, seen.a, seen.tau, seen.link, seen.force)))
    mass = weighed(arm, after)
    draw(out, arm, seen, found, after, mass)
    draw_filter(out, arm, seen)
    write_page(out / "touched_arm.html", arm, seen, found, points)
    errors = np.linalg.norm(found.force - seen.force[free], axis=-1)[settled]
    return {
        "link right while touched": float((found.link[settled] == names[seen.link[free][settled]]).mean()),
        "median error of the force (N)": float(np.nanmedian(errors)),
        "alarms while nothing touches": float(found.touched[quiet].mean()),
        "mass found (kg)": float(mass[-1, 0]),
        "its standard deviation (kg)": float(mass[-1, 1]),
        "seconds until the mass is within 5 %": float(settled_after(mass[:, 0])),
    }


def settled_after(mass: np.ndarray) -> float:
    outside = np.flatnonzero(np.abs(mass - MASS) > 0.05 * MASS)
    return STEP * (outside[-1] + 1 if len(outside) else 0)


def draw(
    out: Path, arm: sd.Robot, seen: Motion, found: sd.estimation.ContactResult, after: Motion, mass: np.ndarray
) -> None:
    """Forces, links and the mass in time."""
    t = seen.t[: len(found.touched)]
    figure, (left, middle, right) = panels(3.8, 3.4, 3.4)
    for k, colour in enumerate((BLUE, RED, GREEN)):
        left.plot(t, seen.force[: len(t), k], color=colour, alpha=0.35, linewidth=3)
        left.plot(t, found.force[:, k], color=colour, linewidth=0.8, label="xyz"[k])
    label(left, "force: wide true, thin estimated", y="N")
    rows = np.array([np.nan if name is None else arm.link_names.index(name) + 1 for name in found.link])
    middle.plot(t, np.where(seen.link[: len(t)] >= 0, seen.link[: len(t)] + 1, np.nan), color=GREY, linewidth=5)
    middle.plot(t, rows, ".", color=RED, markersize=2)
    middle.set_ylim(0.5, arm.nv + 0.5)
    label(middle, "touched link: grey true, red found", y="link")
    right.fill_between(after.t, mass[:, 0] - 2 * mass[:, 1], mass[:, 0] + 2 * mass[:, 1], color=ORANGE, alpha=0.3)
    right.plot(after.t, mass[:, 0], color=ORANGE, label="estimated, ± 2 deviations")
    right.axhline(MASS, color=BLACK, linewidth=0.8, label="true")
    right.set_ylim(0.9 * MASS, 1.1 * MASS)
    label(right, "the mass that is lifted", y="kg")
    save(figure, out, "touched_arm")


def draw_filter(out: Path, arm: sd.Robot, seen: Motion) -> None:
    """Fig. 5 as a picture: the filter walks tip to base, the smoother base to tip, over the same joints."""
    k = len(seen.t) // 8
    field = RandomField(arm, seen.q[k])
    smoothed = field.smooth(seen.tau[k] - arm.bias_force(seen.q[k], seen.v[k]))
    filtered, link = smoothed.filtered, np.arange(1, arm.nv + 1)
    figure, (left, middle, right) = panels(3.4, 3.4, 3.4)
    left.plot(link, np.trace(filtered.P[:, 3:, 3:], axis1=-2, axis2=-1) / 3, "-o", color=BLUE, label="P⁻: predicted")
    left.plot(
        link, np.trace(filtered.P_plus[:, 3:, 3:], axis1=-2, axis2=-1) / 3, "--o", color=GREEN, label="P⁺: corrected"
    )
    smooth = np.trace(smoothed.covariance[:, 3:, 3:], axis1=-2, axis2=-1) / 3
    left.plot(link, smooth, "-o", color=RED, label="P - PΥP: smoothed")
    label(left, "covariance of link forces = inertia", "link (base 1, tip right)", "kg")
    middle.plot(link, filtered.T, "-o", color=GREY, label="T: measured")
    middle.plot(link, filtered.epsilon, "-o", color=BLUE, label="ε: innovations, ← filter")
    label(middle, "what each joint adds", "joint", "N m")
    right.plot(link, filtered.nu, "-o", color=BLUE, label="ν: joints inboard locked")
    right.plot(link, smoothed.theta_ddot, "-o", color=RED, label="θ̈: smoother →")
    label(right, "accelerations, before and after", "joint", "rad/s²")
    save(figure, out, "filter_smoother")


def write_page(path: Path, arm: sd.Robot, seen: Motion, found: sd.estimation.ContactResult, points: list) -> None:
    """The arm's motion with rods along the true (thick) and the estimated force (thin), ending where it acts."""
    try:
        import viser  # noqa: F401
    except ImportError:
        return
    count = len(found.touched)
    every = slice(0, count, 4)
    places = dict(points)
    acting = [None if k < 0 else arm.link_names[k] for k in seen.link[:count]]
    true = rods(arm, seen.q[:count], acting, [places.get(name) for name in acting], seen.force[:count])
    guessed = rods(arm, seen.q[:count], list(found.link), list(found.point), found.force)
    shown = [("arm", as_trajectory(arm, seen.t[every], seen.q[every]))]
    for name, radius, length, q in (("true force", 0.012, 0.25, true), ("estimated force", 0.006, 0.35, guessed)):
        text = ROD.format(name=name, radius=radius, length=length, middle=-length / 2)
        rod = sd.load(text, root="free")
        shown.append((name, as_trajectory(rod, seen.t[every], q[every])))
    sd.view.save_page(path, shown, spacing=0.0)


def rods(arm: sd.Robot, q: np.ndarray, links: list, places: list, forces: np.ndarray) -> np.ndarray:
    """Configurations of a rod whose end is at the touched point and which lies along the force; else on the ground."""
    poses, found = arm.poses(q), np.tile([1.0, 0, 0, 0, 0.6, 0.6, 0.0], (len(q), 1))
    for k, (name, place) in enumerate(zip(links, places, strict=True)):
        if name is None or place is None:
            continue
        T, n = poses[k, arm.link_names.index(name)], forces[k] / np.linalg.norm(forces[k])
        quaternion = np.array([1.0 + n[2], -n[1], n[0], 0.0])  # turns z to n
        found[k] = [*(quaternion / np.linalg.norm(quaternion)), *(T[:3, :3] @ place + T[:3, 3])]
    return found


def as_trajectory(robot: sd.Robot, t: np.ndarray, q: np.ndarray) -> Trajectory:
    """Configurations in time, as the viewer takes them."""
    rest, none = np.zeros((len(t), robot.nv)), np.zeros(len(t))
    return Trajectory(
        robot.name, tuple(map(str, range(robot.nq))), tuple(map(str, range(robot.nv))), "given", STEP, False,
        t, q, rest, rest, none, none, none, robot=robot,
    )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PLOTS)
    parser.add_argument("--robot", default="panda", help="a URDF file, or the name of a built-in robot")
    options = parser.parse_args()
    for name, value in main(options.folder, options.robot).items():
        print(f"{name:<48} {value:.6g}")
