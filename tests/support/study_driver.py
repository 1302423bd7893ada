"""A driver of a study in a process of its own, to be killed: `python study_driver.py FOLDER LOG CHUNKS [OPTION ...]`.

Its function writes a line to LOG for each row that it computes, unless LOG is "-". Options: "here" computes in threads
of the driver, "cluster" on two workers of Dask; "full" lets no file grow after the third chunk; in
"crash" some rows end their process.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.studies import Function, LatinHypercube

SECONDS = 0.01  # of a row


def noisy_product(row: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Something of a row that takes a while, and leaves a trace."""
    if "STUDY_CRASH" in os.environ and row["x"] < 0.2:
        os._exit(1)
    log = os.environ.get("STUDY_LOG")
    if log:
        time.sleep(SECONDS)
        with open(log, "a") as file:
            file.write(f"{os.getpid()} {float(row['x'])!r}\n")
    return {"product": row["x"] * row["y"] + rng.normal(), "pair": rng.random(2)}


def noisy_study(folder: Any, chunks: int, **options: Any) -> sd.studies.Study:
    """A study of two rows in each chunk, unless they are given."""
    return sd.run_study(Function(noisy_product), _rows(chunks), folder, **{"chunk": 2, "progress": False, **options})


def opened_study(folder: Any, chunks: int) -> sd.studies.Study:
    """The same study, nothing computed."""
    return sd.studies.Study(Function(noisy_product), _rows(chunks), folder, chunk=2)


def _rows(chunks: int) -> LatinHypercube:
    return LatinHypercube({"x": (0.0, 1.0), "y": (1.0, 2.0)}, rows=2 * chunks, seed=5)


def _disk_full_after_three(status: sd.studies.Status) -> None:
    import resource

    if status.chunks[0] == 3:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def main(folder: str, log: str, chunks: int, *options: str) -> None:
    if log != "-":
        os.environ["STUDY_LOG"] = log
    if "crash" in options:
        os.environ["STUDY_CRASH"] = "1"
    progress = _disk_full_after_three if "full" in options else False
    with contextlib.ExitStack() as stack:
        client = None
        if "cluster" in options:
            from distributed import Client, LocalCluster

            cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
            client = stack.enter_context(Client(stack.enter_context(cluster)))
        apart = False if {"full", "here"} & {*options} else None
        study = noisy_study(folder, chunks, client=client, workers=2, processes=apart, progress=progress)
    print(study.status)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
