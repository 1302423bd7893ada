"""Studies: what they cost beside bare batch calls, on a cluster, and how large they may be.

Run it with `.venv/bin/python benchmarks/studies.py [overhead] [cluster] [parts] [large] [--rows N] [--quick]`; without
a word it measures everything but `large`.

overhead  UR5 (fourth order, 1 ms, limits off) from random states, the last q reduced to moments and extremes:
          `sd.run_study` in threads of one process against `sd.simulate` on ready-made states in batches of 65,536.
cluster   the same rollouts on a `LocalCluster` of two workers with a thread each, against two processes that call
          `sd.simulate`. Work of all processes counts: driver, scheduler, workers. Kernels are there before both.
parts     what plans of large studies are made of: a chunk's file, Dask's work for a task, bytes of a row.
large     10^7 rollouts of 10 steps with reductions only, its time and the most memory it took.

Processor time, the least of several rounds that alternate: a busy machine disturbs that little.
"""

from __future__ import annotations

import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from machine import facts, instruction_set

import soadyn as sd
from soadyn.studies import Measure, Random, Simulation
from soadyn.studies.folders import Folder

BATCH = 65_536
STEP = 1e-3
# Dask looks at its workers' stacks every 10 ms and at their loops every 20 ms; that is work too. And it has their C
# library give memory back after every batch (MALLOC_TRIM_THRESHOLD_=65536), whose pages come in anew with the next.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.nanny.pre-spawn-environ": {
        "MALLOC_TRIM_THRESHOLD_": 2**28,
        "MALLOC_MMAP_THRESHOLD_": 2**28,
        "OMP_NUM_THREADS": 1,
    },
}


def scenario(steps: int) -> Simulation:
    measures = {"q": Measure("q")}
    reduce = ("moments", "extremes")
    return Simulation(
        sd.load("ur5"), measures, duration=STEP * steps, record_every=STEP * steps, step=STEP, stops=False,
        effort_limit=None, keep=False, reduce=reduce,
    )  # fmt: skip


def states(rows: int) -> Random:
    return Random({"q0": ([-1.0] * 6, [1.0] * 6), "v0": ([-0.1] * 6, [0.1] * 6)}, rows=rows, seed=1)


def bare(steps: int, rows: int) -> Callable[[], None]:
    """Batch calls on states that are there already; the last q are dropped."""
    robot, x = sd.load("ur5").specialize(), states(rows).values(0, min(rows, BATCH))
    options: dict[str, Any] = {
        "duration": STEP * steps,
        "record_every": STEP * steps,
        "step": STEP,
        "stops": False,
        "effort_limit": None,
    }

    def run() -> None:
        for begin in range(0, rows, BATCH):
            count = min(BATCH, rows - begin)
            sd.simulate(robot, x["q0"][:count], x["v0"][:count], **options)

    return run


@contextmanager
def new_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder / "study"
    finally:
        shutil.rmtree(folder)


def studied(steps: int, rows: int, chunk: int, client: Any = None) -> Callable[[], None]:
    made, design = scenario(steps), states(rows)

    def run() -> None:
        with new_folder() as folder:
            sd.run_study(made, design, folder, client, chunk=chunk, progress=False)

    return run


def alternated(calls: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The least seconds of each call, in turn; the first round warms up."""
    found = dict.fromkeys(calls, np.inf)
    for k in range(rounds + 1):
        for name, call in calls.items():
            seconds = call()
            found[name] = min(found[name], seconds) if k else np.inf
    return found


def spent(call: Callable[[], None], clock: Callable[[], float] = time.process_time) -> float:
    begin = clock()
    call()
    return clock() - begin


def overhead(quick: bool) -> None:
    print("| steps of a rollout | bare, ns a row | study, ns a row | study's share of the bare throughput |")
    print("|---|---|---|---|")
    for steps in (10, 100, 1000):
        rows = BATCH * max(1, 16 // (4 if quick else 1) * 10 // steps)
        calls = {"bare": bare(steps, rows), "study": studied(steps, rows, min(rows, 4 * BATCH))}
        found = alternated({k: lambda f=f: spent(f) for k, f in calls.items()}, 2 if quick else 8)  # type: ignore[misc]
        per_row = {name: seconds / rows * 1e9 for name, seconds in found.items()}
        share = per_row["bare"] / per_row["study"]
        print(f"| {steps} | {per_row['bare']:.0f} | {per_row['study']:.0f} | {share:.1%} |", flush=True)


def _bare_process(steps: int, rows: int, times: Any) -> None:
    sd.set_threads(1)
    run = bare(steps, rows)
    run()
    times.put((spent(run), spent(run, time.perf_counter)))


def two_processes(steps: int, rows: int) -> tuple[float, float]:
    """Processor time of both and the longer wall time."""
    context = multiprocessing.get_context("spawn")
    times: Any = context.Queue()
    both = [context.Process(target=_bare_process, args=(steps, rows // 2, times)) for _ in range(2)]
    for process in both:
        process.start()
    found = [times.get() for _ in both]
    for process in both:
        process.join()
    return sum(x for x, _ in found), max(x for _, x in found)


def cluster(quick: bool) -> None:
    import dask
    from distributed import Client, LocalCluster

    dask.config.set(QUIET)
    steps, rows = 100, BATCH * (4 if quick else 32)
    bare_work = bare_wall = work = wall = whole = np.inf
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as machines,
        Client(machines) as client,
    ):
        run = studied(steps, rows, BATCH, client)
        everyone = lambda: time.process_time() + sum(client.run(time.process_time).values())  # noqa: E731
        run()
        idle = spent(lambda: time.sleep(5), everyone) / 5
        for _ in range(2 if quick else 3):
            begin, clock = everyone(), time.perf_counter()
            run()
            seconds = time.perf_counter() - clock
            used = everyone() - begin
            work, wall, whole = (
                min(work, used),
                min(wall, seconds),
                min(whole, (used - idle * seconds) / (1 - idle / 2)),
            )
            pair = two_processes(steps, rows)
            bare_work, bare_wall = min(bare_work, pair[0]), min(bare_wall, pair[1])
    print("\n| 100 steps, two workers | processor time, us a row | wall time, us a row |\n|---|---|---|")
    print(f"| two bare processes | {bare_work / rows * 1e6:.2f} | {bare_wall / rows * 1e6:.2f} |")
    print(f"| cluster | {work / rows * 1e6:.2f} | {wall / rows * 1e6:.2f} |")
    print(f"| share | {bare_work / work:.1%} | {bare_wall / wall:.1%} |")
    print(f"The idle cluster works for {1e3 * idle:.0f} ms a second, the longer a busy machine makes it wait; with two")
    print(f"cores to itself it would take {whole / rows * 1e6:.2f} us a row: {bare_work / whole:.1%}", flush=True)


def nothing(x: Any) -> Any:
    return x


def parts(quick: bool) -> None:
    from distributed import Client, LocalCluster

    print("\n| part | measured |\n|---|---|")
    reduced, kept = scenario(10), scenario(10)
    kept.keep = True
    for name, made in (("reductions only", reduced), ("rows kept", kept)):
        with new_folder() as folder:
            study = sd.run_study(made, states(BATCH), folder, chunk=BATCH, progress=False)
            size = Folder(folder).file(0).stat().st_size
        label = f"{size / 1e3:.1f} kB" if made is reduced else f"{size / BATCH:.1f} bytes a row of six numbers"
        print(f"| a chunk's file, {name} | {label} |")
    with new_folder() as folder:
        study = sd.run_study(reduced, states(64 * 1024), folder, chunk=1024, progress=False)
        seconds = min(spent(lambda: study.results) for _ in range(3))  # type: ignore[arg-type,return-value]
    print(f"| a chunk of reductions read, checked and combined | {1e3 * seconds / 64:.2f} ms |")
    with new_folder() as folder:
        target = Folder(folder)
        times = [spent(lambda k=k: target.write(k, b"0" * 10_000), time.perf_counter) for k in range(50)]  # type: ignore[misc]
    print(f"| a chunk of 10 kB written, fsync twice | {1e3 * np.median(times):.1f} ms |")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as machines,
        Client(machines) as client,
    ):
        count = 200 if quick else 1000
        client.gather(client.map(nothing, range(10), pure=False))
        begin = time.process_time()
        client.gather(client.map(nothing, range(count), pure=False))
        print(f"| Dask's scheduler and client, a task | {1e6 * (time.process_time() - begin) / count:.0f} us |")
        block = np.zeros(4_000_000)
        client.gather(client.submit(nothing, client.scatter(block[:10])))
        wall = [
            spent(lambda: client.submit(np.zeros, block.size, pure=False).result(), time.perf_counter) for _ in range(5)
        ]
        print(f"| a worker's array to the driver, loopback | {block.nbytes / min(wall) / 1e6:.0f} MB/s |", flush=True)


def large(rows: int) -> None:
    made, design = scenario(10), states(rows)
    with new_folder() as folder:
        begin, work = time.perf_counter(), time.process_time()
        study = sd.run_study(made, design, folder, progress=True)
        wall, work = time.perf_counter() - begin, time.process_time() - work
        found, status = study.results.summary["q"], study.status
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"\n{rows:,} rollouts of 10 steps: {wall:.1f} s, {work:.1f} s of processors, {most:.0f} MB at most, {status}")
    print(f"mean of the last q: {np.array2string(found.mean, precision=6)}")


def main() -> None:
    words = sys.argv[1:]
    quick = "--quick" in words
    rows = int(words[words.index("--rows") + 1]) if "--rows" in words else 10_000_000
    chosen = [word for word in ("overhead", "cluster", "parts", "large") if word in words]
    known = facts()
    print(f"{known['processor']}, {instruction_set()}, load {known['load']}, {known['versions']}\n", flush=True)
    for name in chosen or ("overhead", "cluster", "parts"):
        if name == "large":
            large(rows)
        else:
            {"overhead": overhead, "cluster": cluster, "parts": parts}[name](quick)


if __name__ == "__main__":
    main()
