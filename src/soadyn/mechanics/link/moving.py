"""Level 7 - a joint moved along its rates, and the rates between two places of it; each joint by itself."""

from __future__ import annotations

from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array


def moved(joint: JointKind, q: Array, v: Array) -> tuple[Array]:
    """Level 7 - the joint moved with constant rates for one unit of time.

    q(k) ∘ exp(v(k))
    """
    return (joint.integrate(q, v[..., 0]),)


def apart(joint: JointKind, q: Array, q_end: Array) -> tuple[Array]:
    """Level 7 - the constant rates that lead from one place to another in one unit of time.

    log(q(k)⁻¹ ∘ q_end(k))
    """
    return (joint.difference(q, q_end)[..., None],)
