"""How fast the forces of springs, dampers, stops and smoothed friction change: for steps implicit in them."""

from __future__ import annotations

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.simulation.laws.acting import Acting


def slopes(acting: Acting, q: Array, v: Array) -> tuple[Array, Array]:
    """How fast forces in the joints fall with position and with speed, component by component, (..., nv).

    >>> import numpy as np
    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> laws = sd.JointForces(arm, [sd.Spring("joint2", 10.0), sd.Damper("joint1", 0.5)])
    >>> slopes(Acting(laws), np.zeros(2), np.zeros(2))
    (array([ 0., 10.]), array([0.5, 0. ]))
    """
    K, B = (0 * v, 0 * v) if acting.forces is None else acting.forces.slopes(q, v)
    for stop in acting.stops:
        K[..., stop.v] += stop.stiffness(q[..., stop.q])
        B[..., stop.v] += stop.damping(stop.pressed(q[..., stop.q]))
    return K, B
