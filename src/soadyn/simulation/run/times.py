"""The times of a motion: how many steps it takes, when states are recorded, and how much memory those take."""

from __future__ import annotations

import numpy as np

from soadyn.engine.host import machine_memory
from soadyn.errors import ArgumentError

MOST_STEPS = 1e10  # weeks of computing
SHARE = 0.5  # of the machine's memory that recorded states may take
OVERHEAD = 1000  # bytes that a record takes besides its numbers


def checked_steps(duration: float, step: float, of: str) -> float:
    """How many steps make up the duration, if they can be made."""
    count = duration / step
    if not count <= MOST_STEPS:
        raise ArgumentError(
            f"{of}: step = {step:g} s divides the duration of {duration:g} s into {count:.3g} steps; "
            f"expected at most {MOST_STEPS:g}"
        )
    return count


def check_memory(duration: float, every: float, numbers: int, argument: str) -> None:
    """Refuse more records than fit into memory, each of so many numbers; they are copied once into the trajectory."""
    records = duration / every + 1
    needed, allowed = records * (2 * 8 * numbers + OVERHEAD), SHARE * machine_memory()
    if not needed <= allowed:
        raise ArgumentError(
            f"simulate: {argument} = {every:g} s records {records:.3g} states, about {needed / 1e9:.3g} GB; expected "
            f"at most {allowed / 1e9:.3g} GB, half of this machine's memory. A longer `record_every` keeps fewer states"
        )


def record_times(duration: float, every: float) -> np.ndarray:
    """0, every, 2 every, ... and duration itself.

    >>> record_times(1.0, 0.4)
    array([0. , 0.4, 0.8, 1. ])
    """
    whole = int(np.floor(duration / every * (1 + 1e-12)))
    times = every * np.arange(whole + 1)
    if not whole or duration - times[-1] > 1e-9 * every:
        return np.append(times, duration)
    times[-1] = duration
    return times
