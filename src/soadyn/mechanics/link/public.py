"""Level 7 - what single links have, do and carry, at their public frames and along their axes.

The sweeps see a link from a private frame; φ(k, link frame) leads from it to the frame of the robot's file.
"""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial


def public_acceleration(joint: JointKind, link_frame: Transform, V: Spatial, alpha: Spatial) -> tuple[Spatial]:
    """Level 7 - the acceleration of the public link frame's origin (001 eq. 9).

    α_link(k) = φ*(k, link frame) α(k) + [0; ω × (ω × l)]
    """
    swing = link_frame.turned_back(cross(V.angular, cross(V.angular, link_frame.l)))
    return (link_frame.mT @ alpha + Spatial(0 * swing, swing),)


def public_force(joint: JointKind, link_frame: Transform, f: Spatial) -> tuple[Spatial]:
    """Level 7 - the force on a link from its parent, at the public link frame.

    f_link(k) = φ(link frame, k) f(k)
    """
    return (link_frame.inverse() @ f,)


def public_inertia(joint: JointKind, link_frame: Transform, P: Inertia | ArticulatedInertia) -> tuple[Array]:
    """Level 7 - an inertia at the public link frame.

    P_link(k) = φ(link frame, k) P(k) φ*(link frame, k)
    """
    whole = P if isinstance(P, ArticulatedInertia) else P.articulated()
    return (link_frame.inverse().shift(whole).dense(),)


def public_mobility(joint: JointKind, link_frame: Transform, Upsilon: ArticulatedInertia) -> tuple[Array]:
    """Level 7 - a link's acceleration per unit of a force on it, at the public link frame.

    Υ_link(k) = φ*(k, link frame) Υ(k) φ(k, link frame)
    """
    return (link_frame.mT.shift(Upsilon).dense(),)
