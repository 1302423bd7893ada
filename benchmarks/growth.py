"""How time and memory grow with links and batch, and how long a start takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from figures import Report
from measures import LARGEST, Case, Options, ours
from peer_robots import PinocchioRobot, States
from pinocchio_calls import theirs
from rounds import interleaved

import soadyn as sd


def links(report: Report, options: Options) -> None:
    """Chains, one state: time per link should not grow."""
    sizes = (10, 30) if options.quick else (100, 300, 1000, 3000, 10_000)
    per_link: dict[str, list[float]] = {}
    for n in sizes:
        robot = sd.chain(n)
        s = States.random(robot, 1)
        q, v, a, tau = s.q[0], s.v[0], s.a[0], s.tau[0]
        calls: dict[str, Any] = {
            "forward_dynamics": lambda r=robot, x=(q, v, tau): r.forward_dynamics(*x),
            "inverse_dynamics": lambda r=robot, x=(q, v, a): r.inverse_dynamics(*x),
        }
        times = interleaved(calls, options.rounds, options.spend)
        for quantity in calls:
            ns = times.median(quantity) / n * 1e9
            per_link.setdefault(quantity, []).append(ns)
            report.add("links", f"chain of {n}", quantity, "soadyn", ns, "ns/link", x=n)
    for quantity, figures in per_link.items():
        spread = max(figures) / min(figures)
        report.add("links", "chains", quantity, "soadyn", spread, "times from best to worst", target=("<=", 2.0))
    _batch_of_chains(report, options)


def _batch_of_chains(report: Report, options: Options) -> None:
    n, states = (20, 16) if options.quick else (300, 256)
    robot = sd.chain(n)
    pin = PinocchioRobot.from_robot(robot)
    if pin is None:
        return
    s = States.random(robot, states)
    calls = {"soadyn": ours(robot, s, "forward_dynamics"), **theirs(pin, s, "forward_dynamics")}
    times = interleaved(calls, options.rounds, options.spend)
    for who in calls:
        ns = times.median(who) / states * 1e9
        report.add("links", f"chain of {n}", f"forward_dynamics of {states}", who, ns, "ns/state")
    ratio = times.ratio("Pinocchio abaInParallel", "soadyn")
    report.add(
        "links", f"chain of {n}", f"forward_dynamics of {states}", "soadyn", ratio, "times faster",
        target=(">=", 14.0 * options.ease), note="against abaInParallel",
    )  # fmt: skip


def batches(report: Report, case: Case, options: Options) -> None:
    """From one state to many, on one thread and on all."""
    sizes = (1, 16, 256) if options.quick else (1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536)
    every = os.cpu_count() or 1
    for n in sizes:
        s = States.random(case.robot, n)
        calls: dict[str, Any] = {"soadyn, 1 thread": ours(case.robot, s, "forward_dynamics")}
        if n == 1:
            alone = States(*(x[0].copy() for x in (s.q, s.v, s.a, s.tau)))
            calls["soadyn, no batch axis"] = ours(case.robot, alone, "forward_dynamics")
        if case.pin:
            calls["Pinocchio abaInParallel, 1 thread"] = theirs(case.pin, s, "forward_dynamics")[
                "Pinocchio abaInParallel"
            ]
        times = interleaved(calls, options.rounds, options.spend)
        found = {who: times.median(who) for who in calls}
        if every > 1 and n >= 1024:
            sd.set_threads(every)
            run = {"many": calls["soadyn, 1 thread"]}
            many = interleaved(run, options.rounds, options.spend, time.perf_counter)
            found[f"soadyn, {every} threads"] = many.median("many")
            sd.set_threads(1)
        for who, seconds in found.items():
            report.add("batches", case.name, f"{n:,} states", who, seconds / n * 1e9, "ns/state", x=n)


# VmHWM is the peak since the program was started; ru_maxrss would count what the parent held when it forked.
PEAK = """
import re, sys
import numpy as np, soadyn as sd
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
before = peak()
robot = sd.chain(int(sys.argv[1]))
rng = np.random.default_rng(0)
q, v, tau = robot.random_configuration(rng), rng.standard_normal(robot.nv), rng.standard_normal(robot.nv)
a = robot.forward_dynamics(q, v, tau)
robot.inverse_dynamics(q, v, a)
print(peak(), before)
"""

FIRST = """
import sys, time, warnings
import numpy as np, soadyn as sd
sd.load, sd.Robot  # modules that come when they are first asked for; they have a row of their own
warnings.simplefilter("ignore")
path, root, straight = sys.argv[1:]
start = time.process_time()
robot = sd.load(path, root=root)
if straight == "straight":
    robot = robot.specialize()
q = robot.neutral()
zero = np.zeros(robot.nv)
with sd.errstate("ignore"):
    robot.forward_dynamics(q, zero, zero)
print(time.process_time() - start)
"""

IMPORT = """
import time
start = time.process_time()
import numpy
between = time.process_time()
import soadyn
imported = time.process_time()
soadyn.load, soadyn.Robot
print(between - start, imported - between, time.process_time() - imported)
"""


def _run(text: str, *arguments: Any, cache: str | None = None) -> list[float]:
    environment = {**os.environ, **({"SOADYN_CACHE": cache} if cache else {})}
    command = [sys.executable, "-c", text, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(x) for x in done.stdout.split()]


def memory(report: Report, options: Options) -> None:
    """The most that a process holds which makes a chain and computes its forward and inverse dynamics."""
    if not Path("/proc/self/status").exists():
        report.skip("memory: the peak of a process is only known on Linux")
        return
    for n in (10, 100) if options.quick else (100, 1000, 3000, 10_000):
        peak, before = _run(PEAK, n)
        target = ("<=", 500.0) if n == 10_000 else None
        note = f"{before:.0f} MB after import"
        report.add("memory", f"chain of {n}", "peak of the process", "soadyn", peak, "MB", target=target, note=note)


def start(report: Report, chosen: dict[str, tuple[Path | str, str]], options: Options) -> None:
    """Fresh processes with an empty cache of compiled code, and with a full one."""
    runs = [_run(IMPORT) for _ in range(3 if options.quick else 9)]
    numpy, own, robots = (min(column) for column in zip(*runs, strict=True))
    note = f"processor time, of which NumPy {numpy:.3f} s"
    report.add("start", "no robot", "import soadyn", "soadyn", numpy + own, "s", target=("<=", 0.25), note=note)
    report.add("start", "no robot", "the modules of robots", "soadyn", robots, "s", note="when first asked for")
    for name, (path, root) in chosen.items():
        _first(report, name, path, root, "rolled", options)
    for name in {next(iter(chosen)): None, **({LARGEST: None} if LARGEST in chosen else {})}:
        _first(report, name, *chosen[name], "straight", options)


def _first(report: Report, name: str, path: Path | str, root: str, form: str, options: Options) -> None:
    cold, warm = [], []
    for _ in range(1 if options.quick else 3):
        with tempfile.TemporaryDirectory() as cache:
            cold += _run(FIRST, path, root, form, cache=cache)
            warm += _run(FIRST, path, root, form, cache=cache)
    cold_limit = 2.0 if form == "rolled" else 6.0 if name == LARGEST else 1.0
    for what, times, most in (("empty cache", cold, cold_limit), ("full cache", warm, 0.3)):
        middle = sorted(times)[len(times) // 2]
        report.add("start", name, what, f"soadyn {form}", middle, "s", target=("<=", most), note="processor time")
