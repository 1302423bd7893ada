"""Level 6 - how velocity and acceleration propagate to a link (001 eqs. 6-8)."""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.link.world_axes import axes_free
from soadyn.mechanics.spatial.arithmetic import Array, cross
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Rows, Spatial


def velocity(joint: JointKind, phi: Transform, H: Rows, v: Array, V_parent: Spatial) -> tuple[Spatial, Spatial]:
    """Level 6 - the link's velocity and its Coriolis and centrifugal acceleration (001 eqs. 6-8).

    V(k) = φ*(p,k) V(p) + H*(k) v(k)
    a(k) = [ω(p) × δ; (ω_H + ω(p)) × g + ω(p) × (ω(p) × l)],    [δ; g] = H*(k) v(k)

    ω_H is ω(p) for joint maps fixed in the parent, ω(k) for those fixed in the link.
    """
    V_plus = phi.mT @ V_parent
    relative = H.mT @ v
    V = V_plus + relative
    omega_plus = V_plus.angular
    omega_H = omega_plus if joint.fixed_in == "parent" else V.angular
    # ω(p) × (ω(p) × l) is taken along the parent's axes, where l is constant for most joints
    centripetal = phi.turned_back(cross(V_parent.angular, cross(V_parent.angular, phi.l)))
    a = Spatial(
        cross(omega_plus, relative.angular),
        cross(omega_H + omega_plus, relative.linear) + centripetal,
    )
    return V, a


def gyroscopic_force(joint: JointKind, M: Inertia, V: Spatial) -> tuple[Spatial]:
    """Level 6 - the link's gyroscopic force (001 eq. 11).

    b(k) = [ω × J ω; m ω × (ω × p)]
    """
    return (gyroscopic(M, V.angular),)


def gyroscopic(M: Inertia, omega: Array) -> Spatial:
    """The force that keeps a body turning steadily about its frame's origin."""
    return Spatial(cross(omega, M.J @ omega), cross(omega, cross(omega, M.mp)))


@axes_free
def acceleration(
    joint: JointKind, phi: Transform, H: Rows, vdot: Array, a: Spatial, alpha_parent: Spatial
) -> tuple[Spatial]:
    """Level 6 - the link's acceleration (001 eq. 8). The ground accelerates with -g.

    α(k) = φ*(p,k) α(p) + H*(k) θ̈(k) + a(k)
    """
    return (phi.mT @ alpha_parent + H.mT @ vdot + a,)


def with_gravity(joint: JointKind, phi: Transform, a: Spatial, ground_up: Spatial) -> tuple[Spatial, Spatial]:
    """Level 6 - the Coriolis acceleration with gravity: links on the ground feel it come up.

    a(k) ← a(k) + φ*(p,k) [0; -g]    if p is the ground
    """
    return a + phi.mT @ ground_up, Spatial.zero()


def resting(gravity: Array) -> Spatial:
    """The ground's velocity."""
    return Spatial.zero()


def upward(gravity: Array) -> Spatial:
    """The ground's acceleration, -g: gravity is felt as the ground coming up."""
    return Spatial(0 * gravity, -gravity)


def world(gravity: Array) -> Transform:
    """The ground's pose."""
    return Transform.identity()
