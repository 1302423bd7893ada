"""What inverse kinematics found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False, repr=False)
class IKResult:
    """Configurations, and how near they come to what was wanted.

    q        (..., nq): where `success`, all targets are met within the tolerance; elsewhere the nearest that was found
    success  (...) booleans
    error    (...): the largest of the targets' errors, m or rad
    errors   of each target by its frame's name and what it is, such as "tool0 position": (...) in m or rad
    nstarts  (...): how many configurations the search began from

    >>> import soadyn as sd
    >>> found = sd.load("panda").inverse_kinematics({"panda_link8": [0.5, 0.1, 0.3]})
    >>> bool(found.success), found.q.shape, list(found.errors)
    (True, (7,), ['panda_link8 position'])
    """

    q: np.ndarray
    success: np.ndarray
    error: np.ndarray
    errors: Mapping[str, np.ndarray]
    nstarts: np.ndarray

    @property
    def message(self) -> str:
        """How many targets were met, and by how much the worst is missed."""
        many, done = self.success.size, int(self.success.sum())
        if done == many:
            return f"{'success' if many == 1 else f'all {many} met'}, error {self.error.max(initial=0.0):.2g}"
        worst = int(np.argmax(np.where(self.success, -1.0, self.error)))
        misses = ", ".join(f"{name} by {float(x.flat[worst]):.3g}" for name, x in self.errors.items())
        return f"{done} of {many} met; the farthest misses {misses}"

    def __repr__(self) -> str:
        return f"<IKResult: {self.message}>"
