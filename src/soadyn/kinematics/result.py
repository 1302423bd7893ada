"""What inverse kinematics found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False, repr=False)
class Found:
    """Configurations, and how near they come to what was wanted.

    q       (..., nq): where `solved`, all targets are met within the tolerance; elsewhere the nearest that was found
    solved  (...) booleans
    error   (...): the largest of the targets' errors, m or rad
    errors  of each target by its frame's name and what it is, such as "tool0 position": (...) in m or rad
    starts  (...): how many configurations the search began from

    >>> import soadyn as sd
    >>> found = sd.load("panda").inverse_kinematics({"panda_link8": [0.5, 0.1, 0.3]})
    >>> bool(found.solved), found.q.shape, list(found.errors)
    (True, (7,), ['panda_link8 position'])
    """

    q: np.ndarray
    solved: np.ndarray
    error: np.ndarray
    errors: Mapping[str, np.ndarray]
    starts: np.ndarray

    def __repr__(self) -> str:
        many = self.solved.size
        done = int(self.solved.sum())
        if done == many:
            return (
                f"<Found: {'solved' if many == 1 else f'all {many} solved'}, error {self.error.max(initial=0.0):.2g}>"
            )
        worst = int(np.argmax(np.where(self.solved, -1.0, self.error)))
        misses = ", ".join(f"{name} by {float(x.flat[worst]):.3g}" for name, x in self.errors.items())
        return f"<Found: {done} of {many} solved; the farthest misses {misses}>"
