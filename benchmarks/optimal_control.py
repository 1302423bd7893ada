"""Swing-ups found from random starts at once: how many, in what time, and at what cost beside IPOPT's.

Run it with `.venv/bin/python benchmarks/optimal_control.py [--starts N] [--ipopt N]`; IPOPT's columns need
`pip install casadi`. An Acrobot (two rods, Spong 1995) and a cart with a pole begin hanging at rest. A start counts as
found if, carried out as a feedback in `simulate` and then held by the linear-quadratic regulator for three seconds, it
ends within 0.05 rad and rad/s of upright. IPOPT gets the same steps (RK4), cost and bounds with the equations of motion
as textbooks have them, as one sparse problem in all states and torques, and begins with a straight line to the top and
the same random torques. Times are wall time, the machine's cores shared by whoever else runs, and processor time of
all threads; the first call, which compiles, is shown apart. The linear rows compare costs with the Riccati equation's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import acrobot
import cart_pole

STEP, EFFORT, STATE = 0.02, 0.05, 0.05
ITERATIONS = 300


@dataclass(frozen=True)
class Task:
    """A robot to be swung up, and its accelerations under the motor's force as a textbook writes them."""

    name: str
    robot: sd.Robot
    goal: np.ndarray
    passive: str
    final: list[float]
    duration: float
    bound: float
    amplitude: float
    accelerations: Callable[[Any, Any, Any, Any], Any]  # of CasADi's module, q, v and u

    @property
    def cost(self) -> sd.optimal.Cost:
        return sd.optimal.Cost(
            self.robot,
            self.goal,
            state_weight=STATE,
            effort_weight=EFFORT,
            final_weight=self.final,
            passive=[self.passive],
        )

    def searched(self, starts: int, iterations: int = ITERATIONS) -> sd.optimal.ILQRResult:
        return sd.optimal.ilqr(
            self.cost, np.zeros(2), duration=self.duration, step=STEP, starts=starts, rng=1, effort_limit=self.bound,
            amplitude=self.amplitude, max_iterations=iterations,
        )  # fmt: skip


def acrobot_accelerations(ca: Any, q: Any, v: Any, u: Any) -> Any:
    """Two uniform rods, 1 m and 2 m long, 1 kg each (Spong's equations)."""
    m, l1, c1, c2, g = 1.0, 1.0, 0.5, 1.0, 9.81
    I1, I2 = m * l1**2 / 12, m * 2.0**2 / 12
    cos2, sin2 = ca.cos(q[1]), ca.sin(q[1])
    M11 = m * c1**2 + m * (l1**2 + c2**2 + 2 * l1 * c2 * cos2) + I1 + I2
    M12, M22 = m * (c2**2 + l1 * c2 * cos2) + I2, m * c2**2 + I2
    h = m * l1 * c2 * sin2
    weight2 = m * c2 * g * ca.sin(q[0] + q[1])
    weight1 = (m * c1 + m * l1) * g * ca.sin(q[0]) + weight2
    right = ca.vertcat(h * (2 * v[0] * v[1] + v[1] ** 2) - weight1, u - h * v[0] ** 2 - weight2)
    return ca.solve(ca.vertcat(ca.horzcat(M11, M12), ca.horzcat(M12, M22)), right)


def cart_pole_accelerations(ca: Any, q: Any, v: Any, u: Any) -> Any:
    """A cart on a rail and a uniform rod that hangs from it."""
    m, c, g = cart_pole.POLE, cart_pole.LENGTH / 2, 9.81
    inertia = m * cart_pole.LENGTH**2 / 3
    # The angle's axis is -y: the rod's middle is at x - c sin(angle) ahead or behind; the sign of both terms is one.
    coupling = m * c * ca.cos(q[1])
    M = ca.vertcat(ca.horzcat(cart_pole.CART + m, coupling), ca.horzcat(coupling, inertia))
    right = ca.vertcat(u + m * c * ca.sin(q[1]) * v[1] ** 2, -m * g * c * ca.sin(q[1]))
    return ca.solve(M, right)


def tasks() -> list[Task]:
    return [
        Task("acrobot", acrobot.acrobot(), acrobot.UPRIGHT, "shoulder", [3e3, 3e3, 500.0, 500.0], 4.0, 25.0, 4.0,
             acrobot_accelerations),
        Task("cart and pole", cart_pole.cart_pole(), cart_pole.UPRIGHT, "hinge", [1e3, 1e3, 200.0, 200.0], 2.0, 20.0,
             5.0, cart_pole_accelerations),
    ]  # fmt: skip


def held(task: Task, found: sd.optimal.ILQRResult) -> np.ndarray:
    """Which motions end upright when they are carried out, and stay there."""
    rows = found.cost.size
    done = sd.simulate(
        task.robot, np.zeros((rows, 2)), control=found.feedback(hold=True), duration=task.duration + 3.0, step=STEP,
        sampled=True, record_every=1.0,
    )  # fmt: skip
    return np.abs(found.objective.deviation(done.q[-1], done.v[-1])).max(axis=-1) < 0.05


def ipopt(task: Task, torques: np.ndarray) -> Callable[[np.ndarray], float]:
    """A function of first torques (steps,) that gives the cost IPOPT ends with, infinite where it gives up."""
    import casadi as ca

    count = len(torques)
    x, u, X, U = ca.SX.sym("x", 4), ca.SX.sym("u"), ca.SX.sym("X", 4, count + 1), ca.SX.sym("U", count)

    def rate(y: Any) -> Any:
        return ca.vertcat(y[2:], task.accelerations(ca, y[:2], y[2:], u))

    k1 = rate(x)
    k2 = rate(x + STEP / 2 * k1)
    k3 = rate(x + STEP / 2 * k2)
    k4 = rate(x + STEP * k3)
    step = ca.Function("step", [x, u], [x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])
    away = X - ca.repmat(ca.vertcat(*task.goal, 0.0, 0.0), 1, count + 1)
    running = STATE * ca.sumsqr(away[:, :-1]) + EFFORT * ca.sumsqr(U)
    cost = (STEP * running + ca.dot(ca.DM(task.final), away[:, -1] ** 2)) / 2
    gaps = X[:, 1:] - ca.horzcat(*[step(X[:, t], U[t]) for t in range(count)])
    problem = {"x": ca.vertcat(ca.vec(X), U), "f": cost, "g": ca.vertcat(X[:, 0], ca.vec(gaps))}
    quiet = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": 1000}}
    solver = ca.nlpsol("solver", "ipopt", problem, quiet)

    def solved(first: np.ndarray) -> float:
        line = np.linspace(np.zeros(4), [*task.goal, 0.0, 0.0], count + 1)
        bounds = [
            np.concatenate([np.full(4 * (count + 1), s * np.inf), np.full(count, s * task.bound)]) for s in (-1, 1)
        ]
        found = solver(x0=np.concatenate([line.ravel(), first]), lbx=bounds[0], ubx=bounds[1], lbg=0, ubg=0)
        return float(found["f"]) if solver.stats()["success"] else np.inf

    return solved


def swing_ups(task: Task, starts: int, compared: int) -> None:
    begin = time.perf_counter()
    task.searched(starts, iterations=1)
    first = time.perf_counter() - begin
    seconds, processor = [], []
    for _ in range(3):
        begin, used = time.perf_counter(), time.process_time()
        found = task.searched(starts)
        seconds.append(time.perf_counter() - begin)
        processor.append(time.process_time() - used)
    up = held(task, found)
    near = (found.cost < 1.02 * found.best.cost).mean()
    print(
        f"{task.name:<14} {starts} starts: {min(seconds):5.2f} s ({min(processor):.2f} s of processor time; "
        f"first call {first:.2f} s); upright and held {100 * up.mean():.1f} %; least cost {found.best.cost:.5g}, "
        f"within 2 % of it {100 * near:.0f} %, median {np.median(found.cost):.5g}"
    )
    if not compared or find_spec("casadi") is None:
        return
    torques = task.searched(compared, iterations=1).tau[:, :, found.objective.active[0]]
    solve = ipopt(task, torques)
    begin = time.perf_counter()
    costs = np.array([solve(torques[:, i]) for i in range(compared)])
    spent = (time.perf_counter() - begin) / compared
    print(
        f"{'':<14} IPOPT, {compared} starts one by one: {spent:.2f} s each; solved {np.isfinite(costs).sum()}; "
        f"least cost {costs.min():.5g}, median {np.median(costs):.5g}; ours / IPOPT's "
        f"{found.best.cost / costs.min():.4f}"
    )


def linear() -> None:
    """Linear robots, for which the Riccati equation gives the least cost."""
    for links in (1, 2, 4):
        b = sd.Builder(f"{links} carts", gravity=(0, 0, 0))
        for i in range(links):
            b.link(f"cart{i}", sd.Body(1.0 + i), f"cart{i - 1}" if i else None, joint="prismatic", axis=(1, 0, 0),
                   damping=0.5)  # fmt: skip
        robot = sd.build(b)
        cost = sd.optimal.Cost(robot, np.ones(links), state_weight=1.0, effort_weight=0.1)
        found = sd.optimal.ilqr(cost, np.zeros(links), duration=4.0, step=0.05)
        known = float(sd.optimal.lqr(cost, step=0.05).left(np.zeros(links), np.zeros(links)))
        print(
            f"{robot.name:<14} cost {found.cost:.10g}, by the Riccati equation {known:.10g}: "
            f"{found.cost / known - 1:.1e} off"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=64)
    parser.add_argument("--ipopt", type=int, default=16, help="starts that IPOPT gets, one by one")
    chosen = parser.parse_args()
    sd.set_threads(2)
    linear()
    for task in tasks():
        swing_ups(task, chosen.starts, chosen.ipopt)


if __name__ == "__main__":
    main()
