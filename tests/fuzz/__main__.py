"""Random trials until the time is up: `python tests/fuzz --seconds 600 --seed 7`, or `make fuzz`.

Each module `fuzz_*.py` of this folder has its own process and an equal share of the time, and so has each of its cases.
A failure is printed with the command that repeats it. The process ends with 1 if there was any.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from trials import attempt, cases, modules, seed_of, serve

STARTING = 120.0  # seconds a child may take to import its module
ENOUGH = 5  # failures after which a case is tried no more
TAIL = 3000  # characters printed of what a dead child left


@final
@dataclass(slots=True)
class Tally:
    """What is known of one case so far."""

    trials: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)


@final
class Child:
    """The process that makes the trials of one module."""

    def __init__(self, module: str, limit: float, folder: Path) -> None:
        self._limit = limit
        self._log = folder / f"{module}.log"
        self._log.write_bytes(b"")
        self._connection, other = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(target=serve, args=(module, other, str(self._log), limit), daemon=False)
        self._process.start()
        other.close()
        if complaint := self._answer(STARTING):
            raise SystemExit(f"{module} does not start: {complaint}")

    def outcome(self, case: str, seed: int) -> str:
        """Of one trial: "" if it passed, else what went wrong."""
        self._connection.send((case, seed))
        return self._answer(self._limit + 2.0)  # the child writes its stack when the limit is reached

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """End the process and all that it started."""
        for kill in (lambda: os.killpg(self._process.pid, signal.SIGKILL), self._process.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill()
        self._process.join()
        self._connection.close()

    def _answer(self, seconds: float) -> str:
        """What the child answers; a hang if it has none in time, in which what others took from it does not count."""
        pid = self._process.pid or 0
        end = time.monotonic() + seconds - kept_waiting(pid)
        while not self._connection.poll(max(0.0, left := end + kept_waiting(pid) - time.monotonic())):
            if left <= 0.0:
                self.kill()
                return f"a hang: no answer after {seconds:.0f} s\n{self._tail()}"
        try:
            return str(self._connection.recv())
        except (EOFError, ConnectionResetError):
            self.kill()
            return f"a crash: the process ended with {self._process.exitcode}\n{self._tail()}"

    def _tail(self) -> str:
        return self._log.read_text(errors="replace")[-TAIL:]


def kept_waiting(pid: int) -> float:
    """For how many seconds a process could have run while other programs had the processors; 0 if nobody counts."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def fuzz(module: str, tallies: dict[str, Tally], base: int, seconds: float, limit: float, folder: Path) -> None:
    """Make trials of a module's cases until the time is up; `tallies` holds what came of them."""
    child = Child(module, limit, folder)
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            open_cases = [name for name, tally in tallies.items() if len(tally.failures) < ENOUGH]
            if not open_cases:
                return
            if not child.alive:
                child = Child(module, limit, folder)
            case = min(open_cases, key=lambda name: tallies[name].seconds)
            tally, start = tallies[case], time.monotonic()
            seed = seed_of(base, case, tally.trials)
            wrong = child.outcome(case, seed)
            tally.trials += 1
            tally.seconds += time.monotonic() - start
            if wrong:
                tally.failures.append(wrong)
                print(f"\nFAILED {case}, seed {seed}\n{wrong.rstrip()}\nrepeat: {repeating(case, seed)}", flush=True)
    finally:
        if child.alive:
            child.kill()


def repeating(case: str, seed: int) -> str:
    """The command that makes one trial again."""
    return f'python tests/fuzz --case "{case}" --seed {seed}'


def main() -> int:
    options = parsed()
    found = {module: cases(module) for module in modules()}
    if options.case is not None:
        found = {
            module: {options.case: table[options.case]} for module, table in found.items() if options.case in table
        }
        if not found:
            sys.exit(f"no fuzz case is called {options.case!r}")
    with tempfile.TemporaryDirectory(prefix="soadyn_fuzz_") as name:
        os.environ["SOADYN_CACHE"] = str(Path(name) / "cache")  # thousands of robots are no use in the user's cache
        os.chdir(name)
        if options.case is not None and options.seed is not None:
            ((trial,),) = (table.values() for table in found.values())
            attempt(trial, options.seed)  # in this process, for a debugger; a failure ends with its traceback
            print(f"{options.case}, seed {options.seed}: passed")
            return 0
        return run(found, options, Path(name))


def run(found: dict[str, dict[str, object]], options: argparse.Namespace, folder: Path) -> int:
    base = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"base seed {base}, {options.seconds:g} s, modules: {', '.join(found)}", flush=True)
    tallies = {module: {case: Tally() for case in table} for module, table in found.items()}
    try:
        for module, of_module in tallies.items():
            fuzz(module, of_module, base, options.seconds / len(found), options.limit, folder)
    except KeyboardInterrupt:
        print("\nstopped", flush=True)
    failures = 0
    print()
    for module, of_module in tallies.items():
        for case, tally in of_module.items():
            failures += len(tally.failures)
            print(f"{module}: {case}: {tally.trials} trials in {tally.seconds:.0f} s, {len(tally.failures)} failed")
    trials = sum(tally.trials for of_module in tallies.values() for tally in of_module.values())
    print(f"base seed {base}: {trials} trials, {failures} failed")
    return 1 if failures else 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="time in all, shared evenly by the modules")
    parser.add_argument("--seed", type=int, help="base seed of a run; with --case, the seed of one trial to repeat")
    parser.add_argument("--case", help="only this case")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds after which a trial is a hang")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
