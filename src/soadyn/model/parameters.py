"""The links' inertial parameters as one vector."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.model.model import Model


def inertial_parameters(model: Model) -> np.ndarray:
    """Ten figures for each visible link: m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz about the link frame's origin."""
    rows = []
    for k in model.visible:
        link = model.links[k - 1]
        M = Inertia.at_mass_centre(link.mass, np.array(link.com), np.array(link.inertia))
        J = M.J
        rows.append([link.mass, *M.mp[:, 0], J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])
    return np.array(rows).reshape(-1)
