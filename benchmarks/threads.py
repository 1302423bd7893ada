"""What a second processor gains: threads, processes that are pinned to one processor each, and bare arithmetic.

Two virtual processors may be two threads of one core and share its vector units, whatever the machine says of its
topology. A loop of fused products and sums, which needs nothing but those units, shows it.

    python benchmarks/threads.py PROCESSOR KIND ROBOT ROOT STATES

is a pinned process: it prints "ready", waits for a line with a number of seconds, works that long, and prints how many
batches it did in a second, until there are no more lines.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from figures import Report
from machine import FmaLoop
from measures import Case, Options, ours
from peer_robots import States, loaded
from rounds import interleaved

import soadyn as sd

QUANTITY = "forward_dynamics"
SHARED = 1.3  # two processors whose arithmetic gains no more than this share the units that do it
CPUS = Path("/sys/devices/system/cpu")


def measure(report: Report, case: Case, options: Options) -> None:
    """Forward dynamics of one robot on two processors, against one."""
    if not hasattr(os, "sched_setaffinity"):
        report.skip("threads: processes can only be pinned on Linux")
        return
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        report.skip("threads: there is one processor")
        return
    pair = usable[:2]
    n = options.states if options.quick else 16 * options.states
    # Whatever else runs here takes its share of both processors.
    report.remark("threads", f"processors {pair[0]} and {pair[1]}; {_topology(pair)}; load {os.getloadavg()[0]:.2f}")
    arithmetic = _gain(report, case, options, "fma", n, pair)
    _threads(report, case, options, n)
    dynamics = _gain(report, case, options, "dynamics", n, pair)
    if arithmetic < SHARED:
        report.remark("threads", "They share one core's vector units, so there is no efficiency per core to state.")
    else:
        note = "of what bare arithmetic gains"
        report.add("threads", case.name, QUANTITY, "efficiency", dynamics / arithmetic, "", note=note)


def _topology(pair: list[int]) -> str:
    """What the machine says of two processors."""
    cores = {tuple(_fact(cpu, name) for name in ("physical_package_id", "core_id")) for cpu in pair}
    if ("", "") in cores:
        return "the machine does not tell their cores"
    return "by the machine's word " + ("two cores" if len(cores) == 2 else "two threads of one core")


def _fact(cpu: int, name: str) -> str:
    file = CPUS / f"cpu{cpu}" / "topology" / name
    return file.read_text().strip() if file.is_file() else ""


def _threads(report: Report, case: Case, options: Options, n: int) -> None:
    """One process, with one thread and with two."""
    call = ours(case.robot, States.random(case.robot, n), QUANTITY)

    def with_threads(count: int) -> Callable[[], None]:
        def several() -> None:
            sd.set_threads(count)
            call()

        return several

    calls = {"one": with_threads(1), "two": with_threads(2)}
    times = interleaved(calls, options.rounds, options.spend, time.perf_counter)
    sd.set_threads(1)
    note = f"{n:,} states; {times.median('one') / n * 1e9:.3g} ns/state with one thread"
    gain = times.ratio("one", "two")
    report.add("threads", case.name, QUANTITY, "two threads of one process", gain, "times faster", note=note)


def _gain(report: Report, case: Case, options: Options, kind: str, n: int, pair: list[int]) -> float:
    """What two pinned processes do together, in terms of what each does alone."""
    here = str(Path(__file__).resolve())
    robot, root = str(case.path) if case.path.is_file() else "ur5", "free" if case.free else "fixed"
    commands = [[sys.executable, here, str(cpu), kind, robot, root, str(n)] for cpu in pair]
    workers = [_Worker(command) for command in commands]
    spend = 0.01 if options.quick else 0.3
    gains = []
    for _ in range(options.rounds):
        alone = [worker.rate(spend) for worker in workers]
        for worker in workers:
            worker.start(spend)
        together = [worker.found() for worker in workers]
        gains.append(sum(together) / float(np.mean(alone)))
    for worker in workers:
        worker.close()
    gain = float(np.median(gains))
    what, where = (QUANTITY, case.name) if kind == "dynamics" else ("fused products and sums", "no robot")
    report.add("threads", where, what, "two pinned processes", gain, "times faster", note="than one of them alone")
    return gain


class _Worker:
    """A pinned process."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdin
        assert self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout
        if self._from.readline() != "ready\n":
            raise RuntimeError(f"a pinned process ended with {self._process.wait()}")

    def start(self, seconds: float) -> None:
        self._to.write(f"{seconds}\n")
        self._to.flush()

    def found(self) -> float:
        return float(self._from.readline())

    def rate(self, seconds: float) -> float:
        self.start(seconds)
        return self.found()

    def close(self) -> None:
        self._to.close()
        self._process.wait()
        self._from.close()


def work(cpu: int, kind: str, robot: str, root: str, n: int) -> None:
    """What a pinned process does."""
    os.sched_setaffinity(0, {cpu})
    sd.set_threads(1)
    if kind == "dynamics":
        found = loaded(robot, root)
        call: Callable[[], object] = ours(found, States.random(found, n), QUANTITY)
    else:
        call = FmaLoop()
    call()
    print("ready", flush=True)
    for line in sys.stdin:
        count, start, seconds = 0, time.perf_counter(), float(line)
        while time.perf_counter() - start < seconds:
            call()
            count += 1
        print(count / (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    work(int(sys.argv[1]), *sys.argv[2:5], int(sys.argv[5]))
