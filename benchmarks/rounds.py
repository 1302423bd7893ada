"""Times of several calls, taken in turn: what disturbs the machine disturbs all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Call = Callable[[], object]


@dataclass(frozen=True)
class Times:
    """Seconds of one call, for each contestant in each round."""

    seconds: dict[str, np.ndarray]

    def median(self, who: str) -> float:
        return float(np.median(self.seconds[who]))

    def ratio(self, slow: str, fast: str) -> float:
        """How many times faster one is than another: the median over the rounds."""
        return float(np.median(self.seconds[slow] / self.seconds[fast]))

    def ratio_of_sum(self, parts: list[str], whole: str) -> float:
        """The whole's time in terms of the sum of its parts."""
        return float(np.median(self.seconds[whole] / sum(self.seconds[part] for part in parts)))


def interleaved(
    calls: Mapping[str, Call], rounds: int = 7, spend: float = 0.02, clock: Callable[[], float] = time.process_time
) -> Times:
    """Rounds of all calls in turn; in each a call is made once to warm up and then repeated for `spend` seconds.

    The clock is processor time: that in which the processor works for other programs does not count. Calls that use
    several threads need another.
    """
    repeats = {}
    for who, call in calls.items():
        call()
        start = clock()
        call()
        repeats[who] = max(1, int(spend / max(clock() - start, 1e-9)))
    found: dict[str, list[float]] = {who: [] for who in calls}
    gc.disable()
    try:
        for _ in range(rounds):
            for who, call in calls.items():
                call()
                start = clock()
                for _ in range(repeats[who]):
                    call()
                found[who].append((clock() - start) / repeats[who])
    finally:
        gc.enable()
    return Times({who: np.array(times) for who, times in found.items()})


def best(calls: Mapping[str, Call], rounds: int) -> dict[str, float]:
    """The least processor time of each call, in seconds, taken in turn after one round to warm up."""
    found = dict.fromkeys(calls, np.inf)
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            found[name] = min(found[name], time.process_time() - start)
    return found
