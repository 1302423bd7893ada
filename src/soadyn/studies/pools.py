"""Where chunks are computed: threads of this process, processes of their own, or a Dask cluster.

Each is an executor of the standard library's kind; there is no scheduler here.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing.connection import wait as wait_for
from typing import Any, final
from weakref import WeakKeyDictionary

from soadyn.errors import ArgumentError
from soadyn.studies.failures import StudyError
from soadyn.studies.jobs import Done, Job

LOOK = 10.0  # seconds between looks whether a cluster still has workers
LONELY = 300.0  # seconds that a study waits for workers if there are none


class Pool(ABC):
    """Computes chunks; `slots` of them may be under way."""

    slots: int

    @abstractmethod
    def submit(self, number: int, begin: int, end: int) -> Future[Done]:
        """Begin a chunk."""

    def lost(self, error: BaseException) -> bool:
        """Was a chunk lost with its worker, so that it should be begun again?"""
        return False

    def waited(self) -> None:
        """Nothing was done for a moment; an error if nothing will be."""
        return

    def explained(self, error: BaseException) -> BaseException:
        """An error of a chunk in words that a user of studies knows."""
        return error

    @abstractmethod
    def close(self) -> None:
        """Begin nothing more; end what is under way, or wait for it where it cannot be ended."""


@final
class Threads(Pool):
    """Threads of this process: kernels release Python's lock."""

    def __init__(self, job: Job, workers: int) -> None:
        self._job, self._closed = job, threading.Event()
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="soadyn study")
        self.slots = workers + 1

    def submit(self, number: int, begin: int, end: int) -> Future[Done]:
        return self._executor.submit(self._job.chunk, number, begin, end, self._closed.is_set)

    def close(self) -> None:
        # Threads cannot be killed: a chunk that nobody waits for any more ends by itself.
        self._closed.set()
        self._executor.shutdown(cancel_futures=True)


@final
class Processes(Pool):
    """Processes of their own, for Python functions. A killed one is replaced."""

    def __init__(self, job: Job, workers: int) -> None:
        self._payload, self._workers = _pickled(job), workers
        self._executor = self._started()
        self.slots = workers + 1

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, initializer=_begin_worker, initargs=(self._payload,))

    def submit(self, number: int, begin: int, end: int) -> Future[Done]:
        try:
            return self._executor.submit(_work, number, begin, end)
        except BrokenProcessPool:  # a worker was killed while it had nothing to do
            self._renew()
            return self._executor.submit(_work, number, begin, end)

    def lost(self, error: BaseException) -> bool:
        if not isinstance(error, BrokenProcessPool):
            return False
        self._renew()
        return True

    def _renew(self) -> None:
        if getattr(self._executor, "_broken", True):
            self._executor.shutdown(cancel_futures=True)
            self._executor = self._started()

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


@final
class Cluster(Pool):
    """The workers of a Dask cluster. The job is a task of its own: it goes to each worker once, also to later ones."""

    def __init__(self, job: Job, client: Any) -> None:
        try:
            threads = sum(client.nthreads().values())
        except AttributeError:
            raise ArgumentError(f"client is a dask.distributed.Client, got {type(client).__name__}") from None
        if not threads:
            raise StudyError("the cluster has no workers")
        self._client = client
        self._job = client.submit(_unpickled, _pickled(job), pure=False)
        self._under_way: WeakKeyDictionary[Future[Done], Any] = WeakKeyDictionary()
        self._looked = self._seen = time.monotonic()
        self.slots = 2 * threads

    def submit(self, number: int, begin: int, end: int) -> Future[Done]:
        task = self._client.submit(_chunk, self._job, number, begin, end, pure=False)
        found: Future[Done] = Future()
        found.add_done_callback(lambda found: task.cancel() if found.cancelled() else None)
        self._under_way[found] = task
        task.add_done_callback(partial(_hand_on, found))
        return found

    def waited(self) -> None:
        """Workers that died are not always replaced: Dask would wait for others for ever."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        if sum(self._client.nthreads().values()):
            self._seen = now
        elif now - self._seen > LONELY:
            raise StudyError(
                f"the cluster has had no workers for {now - self._seen:.0f} s. Chunks that were finished stay"
            )

    def explained(self, error: BaseException) -> BaseException:
        if type(error).__module__.partition(".")[0] != "distributed" and not isinstance(error, CancelledError):
            return error
        return StudyError(f"the cluster gave up: {error or type(error).__name__}. Chunks that were finished stay")

    def close(self) -> None:
        for found, task in list(self._under_way.items()):
            if not found.cancel() and not found.done():  # its result is waited for
                task.cancel()


def _hand_on(found: Future[Done], task: Any) -> None:
    """What came of a task of Dask. A result that was lost with its worker is waited for until it is there again.

    Dask's own executor looks at the task's state after it has fetched the result; if the worker dies between the two,
    it takes the result for an error's traceback.
    """
    if not found.set_running_or_notify_cancel():
        return
    try:
        found.set_result(task.result())
    except BaseException as error:
        found.set_exception(error)


def pool_for(job: Job, client: Any, workers: int, processes: bool | None) -> Pool:
    """The pool that suits a job: kernels in threads, Python functions in processes, a cluster if there is one."""
    if client is not None:
        return Cluster(job, client)
    apart = job.scenario.in_processes if processes is None else processes
    return Processes(job, workers) if apart else Threads(job, workers)


def _pickled(job: Job) -> bytes:
    try:
        from cloudpickle import dumps
    except ImportError:
        dumps = pickle.dumps
    try:
        return bytes(dumps(job))
    except Exception as error:
        raise ArgumentError(
            f"the scenario cannot be sent to another process ({error}); put its function into a module, install "
            "cloudpickle, or run it here with processes=False"
        ) from None


@lru_cache(maxsize=2)
def _unpickled(payload: bytes) -> Job:
    """The job; a worker that gets the same study again still has its kernels."""
    job: Job = pickle.loads(payload)
    return job


def _chunk(job: Job, number: int, begin: int, end: int) -> Done:
    return job.chunk(number, begin, end)


_own: list[Job] = []  # of a worker process


def _begin_worker(payload: bytes) -> None:
    """Prepare a new worker: it ignores Ctrl-C, which the driver handles, and ends when the driver does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_driver, daemon=True).start()
    _own.append(_unpickled(payload))


def _end_with_driver() -> None:
    driver = multiprocessing.parent_process()
    if driver is not None:
        wait_for([driver.sentinel])
        os._exit(1)


def _work(number: int, begin: int, end: int) -> Done:
    return _own[0].chunk(number, begin, end)
