"""Where demands are easy and where they become singular."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.control.planning.demands import Demands, checked_demands


@final
@dataclass(frozen=True, eq=False, slots=True)
class Singularity:
    """How near the demanded rows are to depend on each other; one figure for each configuration.

    smallest: the smallest singular value of their Jacobian. manipulability: the product of all, √det(J J*) where there
    are no more rows than joints.

    >>> import soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> found = sd.control.measure_singularity(sd.control.Demands(flyer, "tool", passive=["root"]), flyer.neutral())
    >>> bool(0 < found.smallest < 1)
    True
    """

    smallest: np.ndarray
    manipulability: np.ndarray


def measure_singularity(demands: Demands, q: ArrayLike) -> Singularity:
    """Smallest singular value and manipulability of the demands' Jacobian at configurations (..., nq).

    For `Demands(robot, frame)` that is J_G itself.

    >>> import numpy as np, soadyn as sd
    >>> flyer = sd.load("free_flyer")
    >>> q = flyer.random_configuration(np.random.default_rng(0), size=100)
    >>> found = sd.control.measure_singularity(sd.control.Demands(flyer, "tool"), q)
    >>> found.smallest.shape, bool((found.smallest > 0).all())
    ((100,), True)
    """
    J = checked_demands(demands, "measure_singularity").jacobian(q)
    bad = ~np.isfinite(J).all(axis=(-1, -2))
    s = np.linalg.svd(np.where(bad[..., None, None], 0.0, J), compute_uv=False)
    s[bad] = np.nan
    return Singularity(s[..., -1], np.prod(s, axis=-1))
