"""The forces of the motors that give their joints the accelerations a feedback asks for."""

from __future__ import annotations

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.drive.dynamics import Dynamics


def driven(
    dynamics: Dynamics, passive: np.ndarray, q: Array, v: Array, a: Array, load: Array | None = None
) -> tuple[Array, Array]:
    """The accelerations of all joints and the motors' forces, (..., nv) each, while joints with a motor follow a.

    passive: which components have no motor, (nv,); their force is zero and they move as they must (004 section 5).
    load: joint forces (..., nv) from elsewhere, which spare the motors their share.
    """
    if not passive.any():
        force = dynamics.quantity("inverse_dynamics", q=q, v=v, a=a)
        return a, force if load is None else force - load
    mask = passive.astype(float)
    given = 0 * v if load is None else mask * (0 * v + load)
    accelerations, force = dynamics.hybrid(q, v, (1 - mask) * a, given, mask, None)
    return accelerations, (1 - mask) * (force if load is None else force - load)
