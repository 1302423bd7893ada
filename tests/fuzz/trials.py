"""Random trials: what a module of fuzz cases is, where trials get their seeds, and the process that tries them.

A module `fuzz_*.py` has `CASES`, a dictionary of names and functions. A function takes a `random.Random` and makes one
random trial with it; any exception is a failure.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import importlib
import os
import random
import resource
import sys
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

HERE = Path(__file__).resolve().parent
MEMORY = 8 * 2**30  # bytes of address space; a trial that wants more gets a MemoryError instead of the whole machine

Trial = Callable[[random.Random], None]


def modules() -> list[str]:
    """Names of the modules with fuzz cases."""
    for folder in (HERE, HERE.parent / "support"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return sorted(file.stem for file in HERE.glob("fuzz_*.py"))


def cases(module: str) -> dict[str, Trial]:
    """The cases of a module by name."""
    found: dict[str, Trial] = importlib.import_module(module).CASES
    return found


def seed_of(base: int, case: str, number: int) -> int:
    """The seed of trial `number` of a case: the same in every run that has the same base seed."""
    return int.from_bytes(hashlib.sha256(f"{base}/{case}/{number}".encode()).digest()[:6])


def attempt(trial: Trial, seed: int) -> None:
    """Make one trial. Warnings are not failures; a case that looks for them records its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trial(random.Random(seed))


def serve(module: str, connection: Connection, log: str, limit: float) -> None:
    """Run in a child process: make the trials (case, seed) that are sent, answer "" or the traceback of each.

    What the trials print goes to the file `log`; so does the stack of a trial that crashes or exceeds `limit` seconds.
    """
    os.setpgid(0, 0)  # so that this process, and those that it starts, can be killed together
    with contextlib.suppress(ValueError, OSError):  # a system without such limits
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(written, 1)
    os.dup2(written, 2)
    faulthandler.enable(written)
    known = cases(module)
    connection.send("")
    while True:
        case, seed = connection.recv()
        faulthandler.dump_traceback_later(limit, repeat=True, file=written)
        try:
            attempt(known[case], seed)
            answer = ""
        except BaseException:  # SystemExit too: whatever leaves a trial is a failure
            answer = traceback.format_exc()
        faulthandler.cancel_dump_traceback_later()
        connection.send(answer)
