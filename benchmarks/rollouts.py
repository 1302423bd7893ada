"""Simulation: `sd.simulate` against a Python loop over Pinocchio, and batches against MuJoCo's rollouts.

Run it with `.venv/bin/python benchmarks/rollouts.py [--quick]`.

One UR5: 1 s of steps of 1 ms, a record every 10 ms, with torques known beforehand (`sd.TimeSeries`), a feedback
(`ComputedTorque`, at the begin, middle and end of each step), and a Python function of the state. The loop is the same
Runge-Kutta step on `pin.aba` and `pin.integrate`.

Batches: 1,024 rows for 1 s at 1 kHz, one thread, constant torques; limits, damping, friction and contacts off in both.
Semi-implicit steps against MuJoCo's Euler (damping explicit), fourth order against its RK4. MuJoCo's time is of fewer
rows and steps, its rate being the same. Processor time, the best of several rounds that alternate.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import peer_robots
from corpus_files import corpus
from machine import facts, instruction_set
from peer_robots import MujocoRobot, PinocchioRobot, States, loaded
from rounds import best

import soadyn as sd

STEP, DURATION, RECORD, ROWS = 1e-3, 1.0, 0.01, 1024
ROBOTS = {
    "UR5": ("ur/ur5_robot", "fixed"),
    "Talos": ("talos_data/talos_reduced", "free"),
    "G1": ("g1/g1_29dof_rev_1_0", "free"),
}


def pinocchio_loop(other: PinocchioRobot, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Callable[[], Any]:
    """Fourth-order steps in Python on Pinocchio's calls."""
    pin, m, d = peer_robots.pinocchio, other.model, other.data

    def run() -> np.ndarray:
        x, w = q.copy(), v.copy()
        for _ in range(round(DURATION / STEP)):
            a1 = pin.aba(m, d, x, w, tau).copy()
            v2 = w + STEP / 2 * a1
            a2 = pin.aba(m, d, pin.integrate(m, x, STEP / 2 * w), v2, tau).copy()
            v3 = w + STEP / 2 * a2
            a3 = pin.aba(m, d, pin.integrate(m, x, STEP / 2 * v2), v3, tau).copy()
            v4 = w + STEP * a3
            a4 = pin.aba(m, d, pin.integrate(m, x, STEP * v3), v4, tau).copy()
            x = pin.integrate(m, x, STEP / 6 * (w + 2 * v2 + 2 * v3 + v4))
            w = w + STEP / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        return x

    return run


def one_arm(rounds: int) -> None:
    path = corpus()[ROBOTS["UR5"][0]]
    arm = loaded(path)
    s = States.random(arm, 1)
    q, v, tau = s.q[0], 0.1 * s.v[0], 0.1 * s.tau[0]
    times = np.linspace(0.0, DURATION, 1001)
    options = {"duration": DURATION, "step": STEP, "record_every": RECORD, "stops": False, "effort_limit": None}
    samples = sd.TimeSeries(times, np.tile(tau, (1001, 1)))
    hold = sd.control.ComputedTorque(arm, q)
    runs: dict[str, Callable[[], Any]] = {
        "samples": lambda: sd.simulate(arm, q, v, control=samples, **options),
        "feedback": lambda: sd.simulate(arm, q, v, control=hold, **options),
        "Python function": lambda: sd.simulate(arm, q, v, control=lambda t, q, v: tau, **options),
        "Python function, sampled": lambda: sd.simulate(
            arm, q, v, control=lambda t, q, v: tau, sampled=True, **options
        ),
    }
    other = PinocchioRobot.from_urdf(arm, path, free=False)
    if other is not None:
        x = other.columns(States(q[None], v[None], v[None], tau[None]))
        loop = pinocchio_loop(other, *(np.ascontiguousarray(x[name][:, 0]) for name in ("q", "v", "tau")))
        end = sd.simulate(arm, q, v, control=samples, **options).q[-1]
        print(f"largest difference to Pinocchio's loop at the end: {np.abs(loop() - end).max():.1e}")
        runs["loop over Pinocchio"] = loop
    found = best(runs, rounds)
    print("| one UR5, rk4, 1 ms | us a step | loop over Pinocchio, times |\n|---|---|---|")
    for name, seconds in found.items():
        ratio = found.get("loop over Pinocchio", np.nan) / seconds
        print(f"| {name} | {seconds / (DURATION / STEP) * 1e6:.2f} | {ratio:.1f} |")


def derivatives(rounds: int) -> None:
    """What the derivatives of a thousand steps take, in terms of the simulation's own time."""
    arm = loaded(corpus()[ROBOTS["UR5"][0]])
    print("\n| derivatives of 1,000 steps of UR5, rk4 | simulation, ms | jvp, times | vjp, times |\n|---|---|---|---|")
    for rows in (1, 256):
        q = 0.3 * States.random(arm, rows).v
        q = q[0] if rows == 1 else q
        options = {"duration": DURATION, "step": STEP, "record_every": DURATION, "stops": False, "effort_limit": None}
        simulated = partial(sd.simulate, arm, q, None, np.zeros(arm.nv), **options)
        run = simulated()
        along = np.ones(arm.nv)
        found = best({"run": simulated, "jvp": partial(run.jvp, q0=along), "vjp": partial(run.vjp, along)}, rounds)
        own = found["run"]
        print(f"| {rows} rows | {1e3 * own:.2f} | {found['jvp'] / own:.1f} | {found['vjp'] / own:.1f} |")


def mujoco_rollout(
    other: MujocoRobot, integrator: str, columns: dict[str, np.ndarray], steps: int
) -> Callable[[], Any]:
    mujoco, m, d = peer_robots.mujoco, other.model, other.data
    from mujoco import rollout

    m.opt.timestep = STEP
    m.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)
    full, applied = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_QFRC_APPLIED
    initial = np.zeros((len(columns["q"]), mujoco.mj_stateSize(m, full)))
    initial[:, 1 : 1 + m.nq + m.nv] = np.hstack([columns["q"], columns["v"]])
    control = np.ascontiguousarray(columns["tau"][:, None, :])
    runner = rollout.Rollout(nthread=0)
    where = slice(1, 1 + m.nq)
    return lambda: runner.rollout(m, d, initial, control, control_spec=applied, nstep=steps)[0][..., where]


def batches(rounds: int, quick: bool) -> None:
    version = peer_robots.mujoco.__version__
    print(f"\n| {ROWS} rows, {instruction_set()} | ns a step | MuJoCo {version} | times | same to |")
    print("|---|---|---|---|---|")
    for name, (key, root) in ROBOTS.items():
        path = corpus().get(key)
        if path is None:
            print(f"| {name} | not in this example-robot-data | | | |")
            continue
        robot = loaded(path, root)
        other, reason = peer_robots.mujoco_robot(robot, path, root == "free")
        s = States.random(robot, ROWS)
        s = States(s.q, 0.1 * s.v, s.a, 0.01 * s.tau if root == "fixed" else 0 * s.tau)
        some, steps = (16, 100) if quick else (64, 250)
        for method, integrator in (("semi-implicit", "Euler"), ("rk4", "RK4")):
            options = {"step": STEP, "method": method, "stops": False, "effort_limit": None, "joint_forces": False}
            ours = partial(sd.simulate, robot, s.q, s.v, control=s.tau, duration=DURATION, record_every=0.1, **options)
            runs: dict[str, Callable[[], Any]] = {"ours": ours}
            same = np.nan
            if other is not None:
                few = States(*(x[:some] for x in (s.q, s.v, s.a, s.tau)))
                columns = peer_robots.peer_columns(other.peer, few)
                runs["MuJoCo"] = mujoco_rollout(other, integrator, columns, steps)
                end = sd.simulate(robot, few.q, few.v, control=few.tau, duration=0.1, record_every=0.1, **options).q[-1]
                there = runs["MuJoCo"]()[:, 99]
                same = float(np.abs(other.peer.q_to(end) - there).max())
            found = best(runs, rounds)
            ns = found["ours"] / (ROWS * DURATION / STEP) * 1e9
            theirs = found["MuJoCo"] / (some * steps) * 1e9 if other is not None else np.nan
            note = reason or f"{same:.1e}"
            print(f"| {name}, {method} / {integrator} | {ns:.0f} | {theirs:.0f} | {theirs / ns:.1f} | {note} |")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    sd.set_threads(1)
    known = facts()
    print(f"{known['processor']}, {instruction_set()}, load {known['load']}, {known['versions']}\n")
    one_arm(1 if quick else 5)
    derivatives(1 if quick else 5)
    if peer_robots.mujoco is not None:
        batches(1 if quick else 3, quick)


if __name__ == "__main__":
    main()
