"""Calls that used to cost tens or thousands of times what their neighbours do: what they cost now.

    python benchmarks/cliffs.py                       # this checkout
    python benchmarks/cliffs.py --before ../before    # and another one beside it, in the same run

A process for each checkout makes the same calls; they take turns, so that what disturbs the machine disturbs both, and
the best time of each row counts. Where a checkout has no `sd.Stepper`, steps from a loop of one's own are short
simulations. A row is left out, with a reason, where a checkout refuses the call.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from corpus_files import corpus

STEP = 0.002
ARMS = 4096
LONG = "a step of 500, 4,096 arms"
OF_TEN = "a step of 10, 4,096 arms, own loop"
Row = tuple[Callable[[], Any], int]  # a call, and how often it does what the row tells the time of


def arms(many: int | None) -> tuple[Any, tuple[np.ndarray, ...]]:
    """UR5s in random states under random torques."""
    import soadyn as sd

    rng, arm = np.random.default_rng(0), sd.load("ur5")
    batch = () if many is None else (many,)
    return arm, tuple(rng.uniform(-1.0, 1.0, (*batch, 6)) for _ in range(3))


def simulated(steps: int, many: int | None) -> Row:
    import soadyn as sd

    arm, (q, v, tau) = arms(many)
    duration = steps * STEP
    return lambda: sd.simulate(arm, q, v, control=tau, duration=duration, step=STEP, record_every=duration), steps


def stepped(steps: int, many: int | None) -> Row:
    """Steps from a loop of one's own."""
    import soadyn as sd

    if not hasattr(sd, "Stepper"):
        return simulated(steps, many)
    arm, (q, v, tau) = arms(many)
    stepper = sd.Stepper(arm, STEP)
    return lambda: stepper(q, v, tau, n=steps), steps


def friction_and_function() -> Row:
    """TIAGo, whose joints have dry friction, under a torque that a function of Python gives once a step."""
    import soadyn as sd

    tiago = sd.load(corpus()["tiago/tiago_no_hand"])
    q, v, steps = tiago.neutral(), np.full(tiago.nv, 0.1), 50

    def torque(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return -v

    step = 2e-6  # its wrists weigh little for their damping
    options = {"duration": steps * step, "step": step, "sampled": True, "record_every": steps * step}
    return lambda: sd.simulate(tiago, q, v, control=torque, **options), steps


def wrenches_of_a_function() -> Row:
    """A quadruped whose feet are pushed by a function of Python that gives wrenches by frame."""
    import soadyn as sd

    dog = sd.load(corpus()["go2/go2"], root="free")
    q, v, steps = dog.neutral(), np.zeros(dog.nv), 50
    feet = [name for name in dog.frame_names if name.endswith("_foot")]
    push = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 36.0])

    def wrenches(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, np.ndarray]:
        return dict.fromkeys(feet, push)

    options = {"duration": steps * STEP, "step": STEP, "record_every": steps * STEP}
    return lambda: sd.simulate(dog, q, v, external=wrenches, **options), steps


def frame_with_offset() -> Row:
    arm, (q, *_) = arms(None)
    offset = np.eye(4)
    offset[:3, 3] = 0.1, 0.0, 0.2
    frame = ("tool0", offset)
    return lambda: arm.jacobian(q, frame), 1


def several_frames() -> Row:
    arm, (q, *_) = arms(None)
    frames = ["forearm_link", "tool0"]
    return lambda: arm.operational_inertia_inverse(q, frames), 1


ROWS: dict[str, Callable[[], Row]] = {
    "a step of 150, 4,096 arms": lambda: simulated(150, ARMS),
    "a step of 10, 4,096 arms": lambda: simulated(10, ARMS),
    OF_TEN: lambda: stepped(10, ARMS),
    LONG: lambda: simulated(500, ARMS),
    "one step of one UR5, own loop": lambda: stepped(1, None),
    "a step of TIAGo, friction and a function": friction_and_function,
    "a step of Go2, wrenches of a function": wrenches_of_a_function,
    "Jacobian at (name, 4x4)": frame_with_offset,
    "operational inertia of two frames": several_frames,
}


def answers(spend: float) -> None:
    """Read the names of rows, write the best time of each in microseconds, or why there is none."""
    ready: dict[str, Row] = {}
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name = json.loads(line)
        try:
            if name not in ready:
                ready[name] = ROWS[name]()
                ready[name][0]()  # compiles
            found: float | str = best(*ready[name], spend)
        except Exception as error:  # whatever a checkout does not have
            found = f"{type(error).__name__}: {error}"
        print(json.dumps(found), flush=True)


def best(call: Callable[[], Any], many: int, spend: float) -> float:
    """Microseconds of the fastest of the calls that fit into so many seconds, three at least."""
    start = perf_counter()
    call()
    repeats = max(1, int(spend / 10 / (perf_counter() - start)))
    times, end = [], perf_counter() + spend
    while len(times) < 3 or perf_counter() < end:
        start = perf_counter()
        for _ in range(repeats):
            call()
        times.append((perf_counter() - start) / repeats)
    return 1e6 * min(times) / many


class Checkout:
    """A process that makes calls with a checkout's sources."""

    def __init__(self, tree: Path, spend: float) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree.resolve() / "src")}
        command = [sys.executable, __file__, "--answer", "--spend", str(spend)]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, name: str) -> float | str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(name), file=self._process.stdin, flush=True)
        found: float | str = json.loads(self._process.stdout.readline() or '"the process failed"')
        return found

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def text(found: float | str) -> str:
    return f"{found:.4g}" if isinstance(found, float) else "-"


def main() -> int:
    """Print a line for each row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="another checkout, for comparison")
    parser.add_argument("--rows", default="", help="only rows with these words in their names")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each checkout")
    parser.add_argument("--spend", type=float, default=0.5, help="seconds of a turn of a row")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.spend = 1, 0.01
    if options.answer:
        answers(options.spend)
        return 0
    trees = {"here": Path(__file__).parents[1], **({"before": options.before} if options.before else {})}
    checkouts = {name: Checkout(tree, options.spend) for name, tree in trees.items()}
    found: dict[str, dict[str, float | str]] = {}
    print(f"{'microseconds':42}{'before':>11}{'here':>11}{'ratio':>9}")
    for row in (name for name in ROWS if options.rows in name):
        turns = [{name: checkout.ask(row) for name, checkout in checkouts.items()} for _ in range(options.rounds)]
        here, before = (min((turn.get(name, "-") for turn in turns), key=order) for name in ("here", "before"))
        both = isinstance(here, float) and isinstance(before, float)
        print(f"{row:42}{text(before):>11}{text(here):>11}{f'{before / here:.3g}' if both else '-':>9}", flush=True)
        for name, time in (("here", here), ("before", before)):
            if isinstance(time, str) and name in checkouts:
                print(f"    {name}: {time:.100}")
        found[row] = {"here": here}
    ten, long = (found.get(row, {}).get("here") for row in (OF_TEN, LONG))
    if isinstance(ten, float) and isinstance(long, float):
        print(f"a step of ten takes {ten / long:.2f} of one of five hundred")
    for checkout in checkouts.values():
        checkout.close()
    return 0


def order(x: float | str) -> float:
    return x if isinstance(x, float) else float("inf")


if __name__ == "__main__":
    sys.exit(main())
