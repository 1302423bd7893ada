"""Inverse kinematics beside TRAC-IK and a loop over Pinocchio: poses of random configurations within limits.

Run it with `.venv/bin/python benchmarks/inverse_kinematics.py [--targets N] [--peer-targets N]`. TRAC-IK needs
`pip install pytracik`; what is not there is left out. Times are processor time of one core for each target. TRAC-IK
runs two solvers in threads of its own, whose time counts too; it is asked for 1e-5, its default, and for 1e-8.
Pinocchio's loop is that of its documentation (closed-loop inverse kinematics in the frame's own axes) with damping
that falls with the error, whole steps, clamped joints and random restarts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from corpus_files import corpus
from peer_robots import loaded, pinocchio

import soadyn as sd
from soadyn.loading import builtin

TOLERANCE = 1e-8
TALOS = "talos_data/talos_reduced"


@dataclass(frozen=True)
class Arm:
    """A robot, the frame that is to arrive, and the file and links that peers need."""

    name: str
    robot: sd.Robot
    frame: str
    base: str
    path: Path


def arms() -> list[Arm]:
    """Panda, UR5, the SSRMS with its seven joints, and Talos' left arm."""
    folder = Path(builtin.__file__).parent / "robots"
    found = [
        Arm("Panda", sd.load("panda"), "panda_link8", "panda_link0", folder / "panda.urdf"),
        Arm("UR5", sd.load("ur5"), "tool0", "base", folder / "ur5.urdf"),
        Arm("SSRMS", sd.load("ssrms"), "B8", "Base_SSRMS", folder / "ssrms.urdf"),
    ]
    path = corpus().get(TALOS)
    if path is not None:
        talos = loaded(path)
        others = [joint for joint in talos.joint_names if not joint.startswith("arm_left_")]
        arm = talos.lock(others, talos.neutral())
        found.append(Arm("Talos' arm", arm, "arm_left_7_link", "torso_2_link", path))
    return found


def misses(arm: Arm, q: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far frames are from their targets, m and rad."""
    found = arm.robot.pose(q, arm.frame)
    turn = found[..., :3, :3].mT @ poses[..., :3, :3]
    skew = np.stack([turn[..., 2, 1] - turn[..., 1, 2], turn[..., 0, 2] - turn[..., 2, 0],
                     turn[..., 1, 0] - turn[..., 0, 1]], axis=-1)  # fmt: skip
    cosine = 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1)
    return (
        np.linalg.norm(found[..., :3, 3] - poses[..., :3, 3], axis=-1),
        np.arctan2(0.5 * np.linalg.norm(skew, axis=-1), cosine),
    )


def ours(arm: Arm, poses: np.ndarray) -> None:
    """All targets in one call, then some of them one by one."""
    arm.robot.inverse_kinematics({arm.frame: poses[0]})  # compiles
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        found = arm.robot.inverse_kinematics({arm.frame: poses})
        best = min(best, time.process_time() - start)
    reach, turn = misses(arm, found.q, poses)
    met = (reach <= TOLERANCE) & (turn <= TOLERANCE)
    within = ((found.q >= arm.robot.lower - 1e-12) & (found.q <= arm.robot.upper + 1e-12)).all()
    print(
        f"  soadyn, one batch         {100 * met.mean():7.2f} %   {1e3 * best / len(poses):8.4f} ms   "
        f"starts: mean {found.nstarts.mean():.1f}, most {found.nstarts.max()}; within limits: {within}"
    )
    alone = np.full(300, np.inf)  # the best of several rounds: one interrupt is longer than a search
    for _ in range(5):
        for i, pose in enumerate(poses[:300]):
            spent = _timed(lambda pose=pose: arm.robot.inverse_kinematics({arm.frame: pose}))
            alone[i] = min(alone[i], spent)
    print(
        f"  soadyn, one by one        {'':7}     {1e3 * np.median(alone):8.4f} ms   slowest {1e3 * alone.max():.2f} ms"
    )


def unreachable(arm: Arm, rng: np.random.Generator) -> None:
    """Poses three to four times as far away as the arm reaches: none may be called solved."""
    far = arm.robot.pose(arm.robot.random_configuration(rng, 200), arm.frame)
    reach = np.linalg.norm(far[:, :3, 3], axis=-1).max()
    directions = rng.standard_normal((200, 3))
    far[:, :3, 3] = (
        directions / np.linalg.norm(directions, axis=-1, keepdims=True) * reach * rng.uniform(3, 4, (200, 1))
    )
    found = arm.robot.inverse_kinematics({arm.frame: far}, restarts=20)
    print(f"  out of reach: {int(found.success.sum())} of 200 called solved; nearest misses by {found.error.min():.2f}")


def trac_ik(arm: Arm, poses: np.ndarray, tolerance: float, rng: np.random.Generator) -> None:
    """TRAC-IK from random starts, at most 5 ms for each target, which is its default."""
    try:
        import pytracik
    except ImportError:
        print("  TRAC-IK is not installed")
        return
    text = arm.path.read_text(encoding="utf-8")
    solver = pytracik.TRAC_IK(arm.base, arm.frame, text, 0.005, tolerance, pytracik.SolveType.Speed)
    base = np.linalg.inv(arm.robot.pose(arm.robot.neutral(), arm.base))
    times, q = [], np.zeros((len(poses), arm.robot.nq))
    for i, pose in enumerate(base @ poses):
        goal = [*pose[:3, 3], *_xyzw(pose[:3, :3])]
        seed = arm.robot.random_configuration(rng)
        start = time.process_time()
        answer = pytracik.ik(solver, seed, *goal)
        times.append(time.process_time() - start)
        q[i] = answer[1:] if answer[0] >= 0 else np.nan
    with sd.errstate("ignore"):
        reach, turn = misses(arm, q, poses)
    met = (reach <= 2 * tolerance) & (turn <= 2 * tolerance)
    print(f"  TRAC-IK to {tolerance:.0e}         {100 * met.mean():7.2f} %   {1e3 * np.mean(times):8.4f} ms")


def _xyzw(R: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(R).as_quat()


def pinocchio_loop(arm: Arm, poses: np.ndarray, rng: np.random.Generator) -> None:
    """At most 100 random starts of 30 steps each, as in soadyn."""
    if pinocchio is None:
        print("  Pinocchio is not installed")
        return
    whole = pinocchio.buildModelFromUrdf(str(arm.path))
    others = [i for i, name in enumerate(whole.names) if i and name not in arm.robot.joint_names]
    model = pinocchio.buildReducedModel(whole, others, pinocchio.neutral(whole))
    data, frame, times, met = model.createData(), model.getFrameId(arm.frame), [], 0
    for pose in poses:
        wanted = pinocchio.SE3(pose)
        start = time.process_time()
        met += any(_one_start(model, data, frame, wanted, rng) for _ in range(100))
        times.append(time.process_time() - start)
    print(f"  Pinocchio, Python loop    {100 * met / len(poses):7.2f} %   {1e3 * np.mean(times):8.4f} ms")


def _one_start(model: Any, data: Any, frame: int, wanted: Any, rng: np.random.Generator) -> bool:
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    q = rng.uniform(np.maximum(lower, -np.pi), np.minimum(upper, np.pi))
    for _ in range(30):
        pinocchio.framesForwardKinematics(model, data, q)
        apart = data.oMf[frame].actInv(wanted)
        e = pinocchio.log6(apart).vector
        if np.linalg.norm(e[:3]) <= TOLERANCE and np.linalg.norm(e[3:]) <= TOLERANCE:
            return True
        J = pinocchio.computeFrameJacobian(model, data, q, frame)
        step = J.T @ np.linalg.solve(J @ J.T + (0.5 * e @ e + 1e-10) * np.eye(6), e)
        q = np.clip(q + step, lower, upper)
    return False


def whole_body(count: int) -> None:
    """Talos on a free base: both feet and a hand at poses, the mass centre at a point; 21 demands, 38 components."""
    path = corpus().get(TALOS)
    if path is None:
        return
    talos, rng = loaded(path, root="free"), np.random.default_rng(0)
    q = talos.integrate(talos.neutral(), 0.2 * rng.standard_normal((count, talos.nv)))
    q = np.clip(q, talos.lower, talos.upper)
    wanted = {frame: talos.pose(q, frame) for frame in ("leg_left_6_link", "leg_right_6_link", "arm_left_7_link")}
    start = time.process_time()
    talos.inverse_kinematics({frame: poses[0] for frame, poses in wanted.items()}, com=talos.center_of_mass(q[0]))
    compiled = time.process_time() - start
    start = time.process_time()
    found = talos.inverse_kinematics(wanted, com=talos.center_of_mass(q))
    spent = time.process_time() - start
    print(
        f"Talos, whole body: {100 * found.success.mean():.2f} % of {count}, {1e3 * spent / count:.4f} ms; "
        f"the first call {compiled:.1f} s (SOADYN_CACHE=off: compiled anew)"
    )


def _timed(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=int, default=10_000)
    parser.add_argument("--peer-targets", type=int, default=500)
    options = parser.parse_args()
    sd.set_threads(1)
    for arm in arms():
        rng = np.random.default_rng(1)
        poses = arm.robot.pose(arm.robot.random_configuration(rng, options.targets), arm.frame)
        print(f"{arm.name}: {options.targets} reachable poses, {arm.robot.nv} joints")
        ours(arm, poses)
        for tolerance in (1e-5, TOLERANCE):
            trac_ik(arm, poses[: options.peer_targets], tolerance, rng)
        pinocchio_loop(arm, poses[: options.peer_targets], rng)
        unreachable(arm, rng)
    whole_body(min(options.targets, 1000))


if __name__ == "__main__":
    main()
