"""Operational space on a Panda: `OperationalSpace` beside the same law written with Pinocchio and NumPy.

Run it with `.venv/bin/python benchmarks/feedbacks.py [--quick]`; it needs `pin`.

Both are asked for torques at the same states: six rows of a frame's pose, a posture in the freedom that is left. With
Pinocchio that is one call each of `forwardKinematics`, `computeFrameJacobian`, `crba` and `nonLinearEffects`, Khatib's
formula by `numpy.linalg.solve`, state by state. Ours is compiled, for one state and for a batch of 4,096; then it runs
inside `sd.simulate`, a second of motion at 1 kHz with the torque held between samples, without the compiler's time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from rounds import interleaved

import soadyn as sd

FRAME, STATES = "panda_link8", 4096
START = np.array([0.1, -0.4, 0.2, -2.0, 0.3, 1.7, 0.6])
K, B, K_POSTURE, B_POSTURE = 100.0, 20.0, 25.0, 10.0


class WithPinocchio:
    """Khatib's law, state by state."""

    def __init__(self, goal: np.ndarray, armature: np.ndarray) -> None:
        import pinocchio as pin

        path = Path(sd.__file__).parent / "loading" / "robots" / "panda.urdf"
        self.pin, self.model = pin, pin.buildModelFromUrdf(str(path))
        self.model.armature[:] = armature
        self.data, self.goal = self.model.createData(), goal
        self.frame, self.still = self.model.getFrameId(FRAME), np.zeros(7)

    def __call__(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        pin, model, data, at, axes = self.pin, self.model, self.data, self.frame, self.pin.LOCAL_WORLD_ALIGNED
        pin.forwardKinematics(model, data, q, v, self.still)
        pose = pin.updateFramePlacement(model, data, at)
        drift = pin.getFrameClassicalAcceleration(model, data, at, axes).vector
        J = pin.computeFrameJacobian(model, data, q, at, axes)
        M = pin.crba(model, data, q)
        turn = pin.log3(self.goal[:3, :3] @ pose.rotation.T)
        e = np.concatenate([self.goal[:3, 3] - pose.translation, turn])
        a = K_POSTURE * (START - q) - B_POSTURE * v
        missing = K * e - B * (J @ v) - drift - J @ a
        F = np.linalg.solve(J @ np.linalg.solve(M, J.T), missing)
        return M @ a + pin.nonLinearEffects(model, data, q, v) + J.T @ F


def difference(arm: sd.Robot, control: Any, states: Any) -> float:
    """The largest relative difference at states where the axes are as wanted: their errors are measured otherwise."""
    worst = 0.0
    for q, v in states:
        goal = arm.pose(START, FRAME)
        goal[:3, :3] = arm.pose(q, FRAME)[:3, :3]
        tau = WithPinocchio(goal, arm.armature)(q, v)
        worst = max(worst, float(np.abs(control(goal)(0.0, q, v) - tau).max() / np.abs(tau).max()))
    return worst


def main(quick: bool = False) -> dict[str, float]:
    """Times and ratios."""
    arm, rng = sd.load("panda"), np.random.default_rng(0)
    goal = arm.pose(START, FRAME)
    q, v = START + 0.1 * rng.standard_normal((STATES, 7)), 0.1 * rng.standard_normal((STATES, 7))

    def control(pose: np.ndarray) -> sd.control.OperationalSpace:
        return sd.control.OperationalSpace(
            arm, {FRAME: pose}, bandwidth=np.sqrt(K), posture=START, posture_bandwidth=np.sqrt(K_POSTURE),
        )  # fmt: skip

    ours, theirs = control(goal).compiled(), WithPinocchio(goal, arm.armature)

    def simulated() -> sd.Trajectory:
        return sd.simulate(arm, START, control=control(goal), duration=1.0, step=0.001, record_every=1.0, sampled=True)

    simulated()
    times = interleaved(
        {
            "Pinocchio and NumPy, one state": lambda: theirs(q[0], v[0]),
            "soadyn, one state": lambda: ours(0.0, q[0], v[0]),
            "soadyn, 4,096 states": lambda: ours(0.0, q, v),
            "soadyn, a second of simulation": simulated,
        },
        rounds=2 if quick else 9,
    )
    peer = "Pinocchio and NumPy, one state"
    micro = {who: 1e6 * times.median(who) for who in times.seconds}
    return {
        "largest difference, relative": difference(arm, control, zip(q[:3], v[:3], strict=True)),
        f"{peer} (us)": micro[peer],
        "soadyn, one state (us)": micro["soadyn, one state"],
        "soadyn, 4,096 states (us a state)": micro["soadyn, 4,096 states"] / STATES,
        "times faster, one state": times.ratio(peer, "soadyn, one state"),
        "times faster, 4,096 states": times.ratio(peer, "soadyn, 4,096 states") * STATES,
        "a step of 1 kHz simulation with it (us)": micro["soadyn, a second of simulation"] / 1000,
    }


if __name__ == "__main__":
    for name, value in main("--quick" in sys.argv).items():
        print(f"{name:44} {value:.4g}")
