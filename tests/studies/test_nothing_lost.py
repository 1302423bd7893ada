"""What is finished stays: workers and drivers killed, a full disk, damaged files, several drivers on one folder."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
import study_driver
from soadyn.studies import Function, Study, StudyError, Table, pools
from soadyn.studies.claims import Claims
from soadyn.studies.driver import measured_chunk
from soadyn.studies.jobs import Done
from soadyn.studies.pools import Threads
from study_driver import noisy_study, opened_study

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX does it")
CHUNKS = 200


def driver(folder: Path, log: Path | str, chunks: int = CHUNKS, *options: str) -> subprocess.Popen[str]:
    """A driver in a process of its own."""
    command = [sys.executable, study_driver.__file__, str(folder), str(log), str(chunks), *options]
    pipe = subprocess.PIPE
    # Tests that run in the background of a shell are deaf to interrupts, and so would be their children.
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=_hears_interrupts)


def _hears_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def kill(process: subprocess.Popen[str]) -> None:
    """With signal 9; nobody reads what it has said."""
    process.kill()
    with process:
        process.wait()


def finished(folder: Path) -> set[int]:
    return {int(file.stem) for file in folder.glob("chunks/*/*.npz")}


def logged(log: Path) -> list[tuple[int, float]]:
    """The (process, x) of each row that was computed."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [(int(pid), float(x)) for pid, x in (line.split() for line in lines)]


def wait_until(done: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end
        time.sleep(0.02)


def same_results(a: Study, b: Study) -> None:
    """Two studies have the same bits: of all rows, and of all reductions."""
    first, second = a.results, b.results
    assert first.complete
    assert second.complete
    for name, x in first.values.items():
        np.testing.assert_array_equal(x, second.values[name], strict=True)
        for what in ("count", "mean", "variance", "smallest", "largest", "smallest_row"):
            one, two = (getattr(y.summary[name], what) for y in (first, second))
            assert one.tobytes() == two.tobytes(), what


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Study:
    # In chunks of another size, too: bits do not depend on it.
    return noisy_study(tmp_path_factory.mktemp("studies") / "undisturbed", CHUNKS, processes=False, chunk=64)


def test_killed_workers_and_a_killed_driver_cost_no_finished_chunk_and_no_bit(
    tmp_path: Path, undisturbed: Study
) -> None:
    folder, log = tmp_path / "study", tmp_path / "log"
    first = driver(folder, log)
    wait_until(lambda: len(finished(folder)) >= 20, first)
    worker = logged(log)[-1][0]
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: len(finished(folder)) >= CHUNKS // 2, first)
    workers = {pid for pid, _ in logged(log)}
    assert len(workers) >= 3  # another took the killed one's place
    kill(first)
    wait_until_gone(workers)
    before, rows_before = finished(folder), len(logged(log))
    assert CHUNKS // 2 <= len(before) < CHUNKS

    second = driver(folder, log)
    assert "400 of 400 rows" in second.communicate(timeout=120)[0]
    x = undisturbed.design.values(0, 2 * CHUNKS)["x"]
    kept = {float(x[row]) for chunk in before for row in (2 * chunk, 2 * chunk + 1)}
    again = [value for _, value in logged(log)[rows_before:] if value in kept]
    assert not again
    same_results(undisturbed, opened_study(folder, CHUNKS))


def wait_until_gone(pids: set[int]) -> None:
    """Workers end with their driver."""
    end = time.monotonic() + 30
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_two_drivers_in_one_process_do_no_row_twice(tmp_path: Path, undisturbed: Study) -> None:
    computed: Counter[float] = Counter()

    def counted(row: dict[str, float]) -> float:
        computed[float(row["k"])] += 1
        time.sleep(0.002)
        return row["k"]

    rows = Table({"k": np.arange(100.0)})
    studies = [Study(Function(counted), rows, tmp_path / "study", chunk=1) for _ in range(2)]
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda study: study.run(processes=False, workers=2, progress=False), studies))
    assert set(computed.values()) == {1}
    assert studies[0].results.complete
    np.testing.assert_array_equal(studies[1].results.values["result"], np.arange(100.0))


@pytest.mark.slow
def test_two_drivers_on_one_folder_do_no_row_twice(tmp_path: Path, undisturbed: Study) -> None:
    folder, log = tmp_path / "study", tmp_path / "log"
    both = [driver(folder, log) for _ in range(2)]
    told = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    counts = Counter(x for _, x in logged(log))
    assert len(counts) == 2 * CHUNKS
    assert set(counts.values()) == {1}
    assert len({pid for pid, _ in logged(log)}) == 4  # both had two workers, and all worked
    same_results(undisturbed, opened_study(folder, CHUNKS))


def test_a_full_disk_is_named_and_what_is_finished_can_be_read(tmp_path: Path, undisturbed: Study) -> None:
    folder = tmp_path / "study"
    process = driver(folder, "-", CHUNKS, "full")
    errors = process.communicate(timeout=120)[1]
    assert process.returncode == 1
    assert "StudyError: cannot write" in errors
    assert "File too large" in errors
    assert "3 chunks are finished and stay" in errors
    half = opened_study(folder, CHUNKS)
    assert half.status.chunks == (3, CHUNKS)
    assert np.isfinite(half.results.values["product"]).sum() == 6
    assert not list(folder.glob("chunks/*/.*"))
    half.run(processes=False, progress=False)
    same_results(undisturbed, half)


def test_an_interrupt_finishes_what_is_under_way(tmp_path: Path, undisturbed: Study) -> None:
    folder, log = tmp_path / "study", tmp_path / "log"
    process = driver(folder, log, CHUNKS, "here")
    wait_until(lambda: len(finished(folder)) >= 10, process)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    count = len(finished(folder))
    assert 10 <= count < CHUNKS
    assert f"({count} of {CHUNKS} chunks)" in told[0]
    assert len(logged(log)) == 2 * count  # no row was thrown away


@pytest.mark.parametrize("spoil", ["cut", "flipped", "emptied", "exchanged"])
def test_damaged_chunks_are_found_and_done_again(tmp_path: Path, spoil: str) -> None:
    study = noisy_study(tmp_path / "study", 8, processes=False)
    whole = study.results
    file = tmp_path / "study" / "chunks" / "000000" / "000000003.npz"
    content = bytearray(file.read_bytes())
    if spoil == "cut":
        content = content[: len(content) // 2]
    elif spoil == "flipped":
        content[len(content) // 2] ^= 4
    elif spoil == "emptied":
        content = bytearray()
    else:
        content = bytearray(file.with_name("000000004.npz").read_bytes())
    file.write_bytes(content)
    with pytest.raises(StudyError, match=r"000000003\.npz"):
        _ = study.results
    study.run(processes=False, progress=False)
    assert study.results.complete
    np.testing.assert_array_equal(study.results.values["product"], whole.values["product"])


def test_chunks_open_with_numpy_and_say_what_computed_them(tmp_path: Path) -> None:
    study = noisy_study(tmp_path / "study", 4, processes=False)
    with np.load(tmp_path / "study" / "chunks" / "000000" / "000000001.npz") as arrays:
        assert arrays["keep product"].shape == (2,)
        assert '"processor"' in str(arrays["header"])
    chunk = next(study.chunks())
    assert chunk.id
    assert len(study.status.processors) == 1


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "worker and driver"])
def test_a_cluster_loses_a_worker_and_no_bit(tmp_path: Path, undisturbed: Study, victim: str) -> None:
    pytest.importorskip("distributed")
    folder, log = tmp_path / "study", tmp_path / "log"
    first = driver(folder, log, CHUNKS, "cluster")
    wait_until(lambda: len(finished(folder)) >= 20, first)
    os.kill(logged(log)[-1][0], signal.SIGKILL)
    if victim == "worker":
        assert "400 of 400 rows" in first.communicate(timeout=120)[0]
    else:
        wait_until(lambda: len(finished(folder)) >= CHUNKS // 2, first)
        workers = {pid for pid, _ in logged(log)}
        kill(first)
        wait_until_gone(workers)
        before, rows_before = finished(folder), len(logged(log))
        second = driver(folder, log, CHUNKS, "cluster")
        assert "400 of 400 rows" in second.communicate(timeout=120)[0]
        x = undisturbed.design.values(0, 2 * CHUNKS)["x"]
        kept = {float(x[row]) for chunk in before for row in (2 * chunk, 2 * chunk + 1)}
        assert not [value for _, value in logged(log)[rows_before:] if value in kept]
    same_results(undisturbed, opened_study(folder, CHUNKS))


def crashes(row: dict[str, float]) -> float:
    if row["k"] == 2:
        os._exit(1)
    return row["k"]


@pytest.mark.slow
def test_first_rows_that_crash_are_told_of_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="the first rows crash their worker"):
        sd.run_study(Function(crashes), Table({"k": [2.0, 3.0]}), tmp_path / "study", workers=1, progress=False)
    assert not (tmp_path / "study").exists()


@pytest.mark.slow
def test_a_cluster_that_loses_every_worker_to_a_row_says_so(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    process = driver(tmp_path / "study", "-", 8, "cluster", "crash")
    errors = process.communicate(timeout=300)[1]
    assert process.returncode == 1
    assert "StudyError: the cluster gave up" in errors


@pytest.mark.slow
def test_a_row_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    rows = Table({"k": np.arange(4.0)})
    with pytest.raises(StudyError, match="rows 2 to 2 lost their worker 4 times"):
        sd.run_study(Function(crashes), rows, tmp_path / "study", chunk=1, workers=1, progress=False)
    assert finished(tmp_path / "study") >= {0, 1}


def test_rows_that_do_not_fit_into_memory_are_gone_through_chunk_by_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = noisy_study(tmp_path / "study", 8, processes=False)
    monkeypatch.setattr("soadyn.studies.study.machine_memory", lambda: 100.0)
    with pytest.raises(
        StudyError, match=r"more than half of this machine's memory; go through them with study\.chunks"
    ):
        _ = study.results
    assert sum(len(chunk.kept["product"]) for chunk in study.chunks()) == 16


def test_a_cluster_without_workers_is_refused(tmp_path: Path) -> None:
    class Empty:
        def nthreads(self) -> dict[str, int]:
            return {}

    with pytest.raises(StudyError, match="the cluster has no workers"):
        noisy_study(tmp_path / "study", 8, client=Empty())


class LostTask:
    """A task of Dask whose worker died after its result was fetched."""

    status = "lost"

    def __init__(self, result: Any) -> None:
        self._found = result

    async def _result(self, raiseit: bool = True) -> Any:
        return self._found

    def result(self) -> Any:
        return self._found

    def add_done_callback(self, function: Callable[[Any], None]) -> None:
        function(self)


class LosingClient:
    """A client of Dask that computes at once, and then loses its workers."""

    def __init__(self) -> None:
        self.loop = self

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, function: Any, *arguments: Any, **_: object) -> Any:
        found = function(*arguments)
        return LostTask(found) if isinstance(found, Done) else found

    def get_executor(self, **options: Any) -> Any:
        return pytest.importorskip("distributed.cfexecutor").ClientExecutor(self, **options)

    def add_callback(self, function: Any, *arguments: Any) -> None:
        async def called() -> None:
            await function(*arguments)

        asyncio.run(called())


def test_a_result_that_was_fetched_before_its_worker_died_counts(tmp_path: Path, undisturbed: Study) -> None:
    same_results(undisturbed, noisy_study(tmp_path / "study", CHUNKS, client=LosingClient(), chunk=64))


class NeverDone(LostTask):
    """A task of Dask for which there are no workers any more."""

    def __init__(self) -> None:
        self.cancelled = False

    def add_done_callback(self, function: Callable[[Any], None]) -> None: ...

    def cancel(self) -> None:
        self.cancelled = True


@pytest.mark.parametrize("chunk", [64, None])
def test_a_cluster_whose_workers_do_not_come_back_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int | None
) -> None:
    class Deserted(LosingClient):
        def __init__(self) -> None:
            super().__init__()
            self.tasks: list[NeverDone] = []

        def nthreads(self) -> dict[str, int]:
            return {} if self.tasks else {"worker": 1}

        def submit(self, function: Any, *arguments: Any, **_: object) -> Any:
            self.tasks += [NeverDone()] if function is pools._chunk else []
            return self.tasks[-1] if self.tasks else function(*arguments)

    monkeypatch.setattr(pools, "LOOK", 0.0)
    monkeypatch.setattr(pools, "LONELY", 0.1)
    client = Deserted()
    with pytest.raises(StudyError, match=r"the cluster has had no workers for .* Chunks that were finished stay"):
        noisy_study(tmp_path / "study", CHUNKS, client=client, chunk=chunk)
    assert all(task.cancelled for task in client.tasks)


def test_two_studies_in_one_process_keep_off_each_others_chunks(tmp_path: Path) -> None:
    tmp_path.joinpath("study").mkdir()
    with Claims(tmp_path / "study") as one, Claims(tmp_path / "study") as two:
        assert one.take(5)
        assert not two.take(5)
        assert two.take(6)
        one.free(5)
        assert two.take(5)


def test_chunks_are_measured_by_few_rows_if_these_take_long(tmp_path: Path) -> None:
    """Trials are thrown away: 16 rows of a slow scenario tell as much as 16,000."""
    slow = sd.studies.Simulation(
        sd.load("ur5"), {"end": sd.studies.Measure("q")}, q0=[0.1] * 6, duration=20.0, keep=False
    )
    rows: list[int] = []
    study = Study(slow, sd.studies.Random({"v0": ([-1.0] * 6, [1.0] * 6)}, rows=100_000), tmp_path)
    pool = Threads(study._job, 1)
    submit = pool.submit
    pool.submit = lambda number, begin, end: rows.append(end - begin) or submit(number, begin, end)  # type: ignore[method-assign, func-returns-value]
    assert measured_chunk(pool, slow, study.design) >= slow.leaf
    pool.close()
    assert sum(rows) < slow.leaf


def test_a_closed_pool_does_not_compute_to_the_end(tmp_path: Path) -> None:
    """After an error, or a second Ctrl-C, nobody waits for a chunk of minutes."""
    slow = sd.studies.Simulation(sd.load("ur5"), {"end": sd.studies.Measure("q")}, q0=[0.1] * 6, duration=20.0)
    study = Study(slow, sd.studies.Random({"v0": ([-1.0] * 6, [1.0] * 6)}, rows=100_000), tmp_path)
    pool = Threads(study._job, 1)
    pool.submit(-1, 0, 1).result()  # kernels are made
    begun = time.monotonic()
    chunk = pool.submit(0, 0, 16_384)
    time.sleep(0.2)
    pool.close()
    assert time.monotonic() - begun < 20.0  # several minutes without
    with pytest.raises(StudyError, match="closed"):
        chunk.result()
