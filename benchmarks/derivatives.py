"""Full Jacobians of inverse and forward dynamics: operations, and times beside a loop over Pinocchio's functions.

    python benchmarks/derivatives.py [--quick] [--cold] [--products] [--second] [ROBOT ...]

Ours and Pinocchio's calls run in one process, in turn, on one thread, and count processor time; ratios are medians over
the rounds. Robots: ur5, panda (fingers locked), talos (free), chain30, chain100. `--cold` times first calls with an
empty cache instead: tracing, compiling, running. `--products` times products with Jacobians and Hessians instead,
beside the quantity itself. `--second` times whole second derivatives instead, with their first calls as `--cold` has
them; chains are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from peer_robots import PinocchioRobot, States, corpus, loaded
from rounds import interleaved

import soadyn as sd
from soadyn.backends.traced import traced
from soadyn.evaluation.second_derivatives import MOST_AT_ONCE
from soadyn.sweep.algorithms import without_external
from soadyn.sweep.second_derivatives import FORWARD_DYNAMICS_SECOND_DERIVATIVES as FORWARD_SECOND
from soadyn.sweep.second_derivatives import INVERSE_DYNAMICS_SECOND_DERIVATIVES as INVERSE_SECOND

# Operations of all three matrices: the cheaper of the analytic forms of the design's prototype, before inertias were
# regrouped; and the ratios to a Python loop over Pinocchio that are wanted (batch, one state) with AVX-512.
BEFORE = {
    "inverse": {"ur5": 2_021, "panda": 3_416, "talos": 26_600, "chain30": 38_000, "chain100": 377_000},
    "forward": {"ur5": 3_469, "panda": 6_058, "talos": 94_600, "chain30": 104_000, "chain100": 1_120_000},
}
ROBOTS = ("ur5", "panda", "talos", "chain30", "chain100")
STATES = 1024
LOOPED = 128  # states of Pinocchio's loop in a round
SECOND = {"ur5": 256, "panda": 256, "talos": 4}  # states whose second derivatives are computed at once


def robot_and_peer(name: str) -> tuple[sd.Robot, PinocchioRobot | None]:
    """A robot of the table, and Pinocchio's model of it."""
    if name.startswith("chain"):
        robot = sd.chain(int(name.removeprefix("chain")))
        return robot, PinocchioRobot.from_robot(robot)
    paths = corpus()
    if name == "ur5":
        robot = loaded(paths["ur/ur5_robot"])
        return robot, PinocchioRobot.from_urdf(robot, paths["ur/ur5_robot"], free=False)
    if name == "talos":
        robot = loaded(paths["talos_data/talos_reduced"], "free")
        return robot, PinocchioRobot.from_urdf(robot, paths["talos_data/talos_reduced"], free=True)
    import pinocchio

    robot = loaded(paths["panda/panda"])
    fingers = [joint for joint in robot.joint_names if "finger" in joint]
    model = pinocchio.buildModelFromUrdf(str(paths["panda/panda"]))
    locked = [model.getJointId(joint) for joint in fingers]
    robot = robot.lock(fingers, robot.neutral())
    return robot, PinocchioRobot(robot, pinocchio.buildReducedModel(model, locked, pinocchio.neutral(model)))


def pinocchio_loop(peer: PinocchioRobot, which: str, states: States) -> Callable[[], None]:
    """A Python loop over Pinocchio's function, its arguments ready as it wants them."""
    import pinocchio

    columns = peer.columns(states)
    last = columns["a" if which == "inverse" else "tau"]
    rows = [[np.ascontiguousarray(x[:, i]) for x in (columns["q"], columns["v"], last)] for i in range(LOOPED)]
    call = pinocchio.computeRNEADerivatives if which == "inverse" else pinocchio.computeABADerivatives

    def loop() -> None:
        for q, v, x in rows:
            call(peer.model, peer.data, q, v, x)

    return loop


def compared(name: str, which: str, rounds: int) -> str:
    """A row of the table: operations, times, ratios."""
    robot, peer = robot_and_peer(name)
    states = States.random(robot, STATES)
    last = states.a if which == "inverse" else states.tau
    ours = getattr(robot, f"{which}_dynamics_derivatives")
    one = [np.ascontiguousarray(x[0]) for x in (states.q, states.v, last)]
    counts = robot.operation_counts(f"{which}_dynamics_derivatives") if robot.nv <= 50 else {}
    operations = sum(sum(stage.values()) for stage in counts.values())
    calls = {"batch": lambda: ours(states.q, states.v, last), "one": lambda: ours(*one)}
    if peer is not None:
        calls["pinocchio"] = pinocchio_loop(peer, which, states)
    times = interleaved(calls, rounds, clock=time.process_time)
    batch, single = times.median("batch") / STATES, times.median("one")
    row = f"| {which} | {name} | {operations or '-'} | {BEFORE[which][name]} | {batch * 1e6:.3f} | {single * 1e6:.2f} |"
    if peer is None:
        return row + " | | |"
    loop = times.median("pinocchio") / LOOPED
    in_batches, alone = (times.ratio("pinocchio", who) for who in ("batch", "one"))
    return row + f" {loop * 1e6:.2f} | {in_batches * STATES / LOOPED:.1f} | {alone / LOOPED:.2f} |"


def products(name: str, which: str, rounds: int) -> str:
    """A row of the table of products: what a state of a batch takes, and how many times the quantity itself."""
    robot, _ = robot_and_peer(name)
    s = States.random(robot, STATES)
    at = (s.q, s.v, s.a if which == "inverse" else s.tau)
    along, weights = tuple(np.roll(x, 1, axis=0) for x in (s.v, s.a, s.tau)), np.ones_like(s.v)
    quantity = f"{which}_dynamics"
    calls = {
        "value": lambda: getattr(robot, quantity)(*at),
        "jvp": lambda: robot.jvp(quantity, at, along),
        "vjp": lambda: robot.vjp(quantity, at, weights),
        "hvp": lambda: robot.hvp(quantity, at, weights, along),
    }
    times = interleaved(calls, rounds, clock=time.process_time)
    each = {who: times.median(who) / STATES * 1e6 for who in calls}
    ratios = [f"{each[who]:.3f} ({times.ratio(who, 'value'):.1f})" for who in ("jvp", "vjp", "hvp")]
    hessian = each["hvp"] * 3 * robot.nv
    return f"| {which} | {name} | {each['value']:.3f} | {' | '.join(ratios)} | {hessian:.1f} |"


def second(name: str, which: str, rounds: int) -> str:
    """A row of the table of second derivatives: what a state takes in a batch and alone, and what first calls take."""
    robot, _ = robot_and_peer(name)
    count = SECOND[name]
    s = States.random(robot, count)
    at = (s.q, s.v, s.a if which == "inverse" else s.tau)
    one = [np.ascontiguousarray(x[0]) for x in at]
    what = f"{which}_dynamics_second_derivatives"
    call = getattr(robot, what)
    calls = {"batch": lambda: call(*at), "one": lambda: call(*one)}
    times = interleaved(calls, rounds, clock=time.process_time)
    batch, alone = times.median("batch") / count * 1e6, times.median("one") * 1e6
    first = [f"{cold(name, what, size):.2f}" for size in (count, 1)]
    in_one_kernel = which == "inverse" or robot.nv <= MOST_AT_ONCE
    program = without_external(INVERSE_SECOND if which == "inverse" else FORWARD_SECOND)
    operations = traced(program, robot.engine.constants, {}).operations if in_one_kernel else "-"
    return f"| {which} | {name} | {operations} | {count} | {batch:.2f} | {alone:.2f} | {' | '.join(first)} |"


def first_calls(name: str, which: str, rounds: int) -> str:
    """A row of the table of first calls."""
    seconds = [f"{cold(name, f'{which}_dynamics_derivatives', size):.2f}" for size in (STATES, 1)]
    return f"| {which} | {name} | {' | '.join(seconds)} |"


def cold(name: str, what: str, size: int) -> float:
    """Seconds of a quantity's first call in a new process with an empty cache."""
    script = (
        f"import sys, time; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        f"from derivatives import robot_and_peer, States\nrobot, _ = robot_and_peer({name!r})\n"
        f"s = States.random(robot, {size})\nq, v, x = (y if {size} > 1 else y[0] for y in (s.q, s.v, s.tau))\n"
        f"start = time.process_time()\nrobot.{what}(q, v, x)\n"
        "print(time.process_time() - start)"
    )
    environment = {**os.environ, "SOADYN_CACHE": "off"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=ROBOTS)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--cold", action="store_true", help="first calls")
    parser.add_argument("--products", action="store_true", help="products with Jacobians and Hessians")
    parser.add_argument("--second", action="store_true", help="whole second derivatives")
    options = parser.parse_args()
    sd.set_threads(1)
    rounds = 3 if options.quick else 9
    head, row = _table(options)
    print(head + "\n" + "|---" * (head.count("|") - 1) + "|")
    for which in ("inverse", "forward"):
        for name in options.robots:
            if not options.second or name in SECOND:
                print(row(name, which, rounds), flush=True)


def _table(options: argparse.Namespace) -> tuple[str, Callable[[str, str, int], str]]:
    """The head of the table that is asked for, and what makes its rows."""
    if options.second:
        head = "| | robot | operations | states | us each | one state, us | first call, batch, s | of one state, s |"
        return head, second
    if options.products:
        what = f"{STATES} states, us (times the value)"
        return f"| {what} | robot | value | jvp | vjp | hvp | Hessian by 3 nv products |", products
    if options.cold:
        return f"| | robot | {STATES} states, s | one state, s |", first_calls
    head = (
        f"| | robot | operations | before | {STATES} states, us each | one state, us | Pinocchio, us | batch, times | "
    )
    return head + "one state, times |", compared


if __name__ == "__main__":
    main()
