"""How a configuration's coordinates change with joint motion, and back: C(q) of dq/dt = C v, joint by joint.

    coordinate_rates     C v          joint_rates           C⁺ x, x being a change of coordinates
    joint_weights        C* w         coordinate_weights    C⁺* w

Weights are those of a sum: w of coordinates and C* w of joint motion say the same. All take arrays with batch axes in
front; `coordinate_rates` and `joint_weights` also take recorded scalars.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.model.model import Model

# Of a joint: C, and where its numbers stand in q and in v.
Part = Callable[[Array, slice, slice], Array]


def coordinate_rates(model: Model, q: Array, v: Array) -> Array:
    """How coordinates (..., nq) change along joint motion (..., nv).

    >>> from soadyn.model.builder import assemble, chain
    >>> coordinate_rates(assemble(chain(2)), np.zeros(2), np.array([1.0, 2.0]))
    array([1., 2.])
    """
    parts = [
        joint.behaviour.rates(q[..., at], v[..., along])
        for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True)
    ]
    return np.concatenate(parts, axis=-1) if parts else q


def joint_rates(model: Model, q: Array, x: Array) -> Array:
    """The joint motion (..., nv) along which coordinates change by x (..., nq)."""
    return _by_joint(model, q, lambda C, at, along: np.linalg.pinv(C) @ x[..., at, None])


def coordinate_weights(model: Model, q: Array, w: Array) -> Array:
    """Weights of coordinates (..., nq) that say of joint motion what w (..., nv) does."""
    return _by_joint(model, q, lambda C, at, along: np.linalg.pinv(C).mT @ w[..., along, None])


def joint_weights(model: Model, q: Array, w: Array) -> Array:
    """Weights of joint motion (..., nv) from weights of coordinates (..., nq)."""
    return _by_joint(model, q, lambda C, at, along: C.mT @ w[..., at, None])


def _by_joint(model: Model, q: Array, part: Part) -> Array:
    """Columns found joint by joint, one below the other."""
    found = []
    for joint, at, along in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        own = q[..., at]
        columns = [joint.behaviour.rates(own, np.broadcast_to(unit, (*own.shape[:-1], len(unit))))
                   for unit in np.eye(joint.behaviour.nv)]  # fmt: skip
        found.append(part(np.stack(columns, axis=-1), at, along)[..., 0])
    return np.concatenate(found, axis=-1) if found else q
