"""Is what inverse kinematics calls solved so? Ten robots, a tenth of the targets hostile; Pinocchio measures poses.

    python benchmarks/inverse_kinematics_claims.py --targets 100000
    python benchmarks/inverse_kinematics_claims.py --targets 100000 --before ../before    # and another checkout

Nine targets of ten are poses of random configurations. The others, in turn, are half a turn from the start about an
axis of the frame, poses of a straight (singular) arm, of configurations at limits, and out of reach. For each robot:
how many were called solved, how many of these are farther from the target than the tolerance by Pinocchio's
kinematics (wrong), and how many are right. Exit code 1 if any is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from corpus_files import corpus

TOLERANCE = 1e-8
ROUNDING = 1e-9  # of Pinocchio's kinematics and of arcsines
ROBOTS = (
    "ur_description/ur5_robot",
    "panda_description/panda",
    "kinova_description/kinova",
    "z1_description/z1",
    "ur_description/ur3_robot",
    "ur_description/ur10_robot",
    "talos_data/talos_left_arm",
    "tiago_description/tiago_no_hand",
    "xarm_description/xarm7",
    "baxter_description/baxter",
)
HALF_TURNS = np.stack([np.diag(x) for x in ((1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0))])


def robots() -> dict[str, Path]:
    """The robots by name."""
    found = {f"{path.parts[path.parts.index('robots') + 1]}/{path.stem}": path for path in corpus().values()}
    return {name.split("/")[1]: found[name] for name in ROBOTS}


def targets(name: str, path: Path, many: int) -> dict[str, Any]:
    """Poses wanted of the last frame and starts, the same in every checkout: made by Pinocchio."""
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(path))
    rng = np.random.default_rng(len(name) + many)
    joints = list(model.joints)[1:]
    turning = np.array([joint.nq == 2 for joint in joints])  # without limits, as cosine and sine
    places = [joint.idx_q for joint in joints]
    lower = np.where(turning, -np.pi, np.maximum(model.lowerPositionLimit[places], -np.pi))
    upper = np.where(turning, np.pi, np.minimum(model.upperPositionLimit[places], np.pi))
    pose = kinematics(model)
    starts, wanted = rng.uniform(lower, upper, (2, many, len(joints)))
    poses = np.stack([pose(x) for x in wanted])
    for row in range(0, many, 10):
        match row // 10 % 4:
            case 0:
                poses[row] = pose(starts[row])
                poses[row, :3, :3] = poses[row, :3, :3] @ HALF_TURNS[row // 40 % 3]
            case 1:
                poses[row] = pose(np.clip(0.0, lower, upper))
            case 2:
                poses[row] = pose(np.where(rng.uniform(size=len(joints)) < 0.5, lower, upper))
            case 3:
                poses[row, :3, 3] += [20.0, 0.0, 0.0]
    frame = model.frames[outermost(model)].name
    return {"poses": poses, "starts": starts, "joints": list(model.names)[1:], "frame": frame}


def outermost(model: Any) -> int:
    """The number of the body that most joints move."""
    bodies = [i for i, frame in enumerate(model.frames) if frame.type.name == "BODY"]
    return max(bodies, key=lambda i: len(model.supports[model.frames[i].parentJoint]))


def kinematics(model: Any) -> Callable[[np.ndarray], np.ndarray]:
    """The pose of the last frame by Pinocchio, from one number for each joint."""
    import pinocchio

    data, q, frame = model.createData(), pinocchio.neutral(model), outermost(model)

    def pose(x: np.ndarray) -> np.ndarray:
        for joint, angle in zip(list(model.joints)[1:], x, strict=True):
            q[joint.idx_q : joint.idx_q + joint.nq] = angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
        pinocchio.framesForwardKinematics(model, data, q)
        return np.array(data.oMf[frame].homogeneous)

    return pose


def solve(folder: Path, many: int) -> None:
    """Answers of the soadyn that is imported, into the folder."""
    import soadyn as sd

    for name, path in json.loads((folder / "robots.json").read_text()).items():
        given = np.load(folder / f"{name}.npz")
        robot = sd.load(path)
        q0 = np.tile(robot.neutral(), (many, 1))
        columns = [
            int(np.flatnonzero(np.arange(robot.nq) == robot.joint_names.index(str(j)))[0]) for j in given["joints"]
        ]
        q0[:, columns] = given["starts"]
        found = robot.inverse_kinematics(
            {str(given["frame"]): given["poses"]}, q0=q0, tolerance=TOLERANCE, rng=np.random.default_rng(0)
        )
        np.savez(folder / f"{name}_found.npz", q=found.q[:, columns], solved=found.success)


def judged(path: Path, given: Any, q: np.ndarray, solved: np.ndarray) -> np.ndarray:
    """Which answers Pinocchio finds at their target, whatever was claimed."""
    import pinocchio

    pose = kinematics(pinocchio.buildModelFromUrdf(str(path)))
    right = np.zeros(len(q), dtype=bool)
    for row in np.flatnonzero(solved):
        off = pose(q[row]) - given["poses"][row]
        turn = 2 * np.arcsin(min(np.linalg.norm(off[:3, :3]) / np.sqrt(8), 1.0))
        right[row] = max(np.linalg.norm(off[:3, 3]), turn) <= TOLERANCE + ROUNDING
    return right


def main() -> int:
    """Print a row for each robot and checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=int, default=2000, help="in all")
    parser.add_argument("--before", type=Path, help="another checkout, for comparison")
    parser.add_argument("--solve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    paths = robots()
    many = options.targets // len(paths)
    if options.solve:
        solve(options.solve, many)
        return 0
    trees = {"here": Path(__file__).resolve().parents[1], **({"before": options.before} if options.before else {})}
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "robots.json").write_text(json.dumps({name: str(path) for name, path in paths.items()}))
        for name, path in paths.items():
            np.savez(folder / f"{name}.npz", **targets(name, path, many))
        print(f"{'robot':12}{'checkout':>10}{'targets':>9}{'solved':>9}{'wrong':>8}{'right':>9}")
        for tree, root in trees.items():
            command = [sys.executable, __file__, "--solve", place, "--targets", str(options.targets)]
            subprocess.run(command, env={**os.environ, "PYTHONPATH": str(root.resolve() / "src")}, check=True)
            totals = np.zeros(3, dtype=int)
            for name, path in paths.items():
                found = np.load(folder / f"{name}_found.npz")
                right = judged(path, np.load(folder / f"{name}.npz"), found["q"], found["solved"])
                figures = np.array([found["solved"].sum(), (found["solved"] & ~right).sum(), right.sum()])
                totals += figures
                print(f"{name:12}{tree:>10}{many:9}{figures[0]:9}{figures[1]:8}{figures[2]:9}")
            print(f"{'all':12}{tree:>10}{many * len(paths):9}{totals[0]:9}{totals[1]:8}{totals[2]:9}", flush=True)
            wrong += totals[1] if tree == "here" else 0
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
