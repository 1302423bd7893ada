"""Configurations of a Model, and where a joint held at given coordinates puts its link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ModelError, ShapeError, check_name
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.model import Joint, Model
from soadyn.model.placement import Placement


def moved_by(joint: Joint, q: Any) -> Placement:
    """The link's frame in its parent's, with the joint at coordinates q (nq,): placement, motion, offset.

    >>> from soadyn.model.builder import assemble, chain
    >>> slider = assemble(chain(1, kind="prismatic", axes=[(1, 0, 0)]))
    >>> moved_by(slider.joints[0], [0.25]).position
    (0.25, 0.0, 0.0)
    """
    motion = joint.behaviour.transform(np.asarray(q, dtype=float), joint.pitch)
    R = onto(joint.axis) if joint.behaviour.has_axis else np.eye(3)
    turned = Placement.of(R @ motion.R @ R.T, R @ motion.l)
    return joint.placement.then(turned).then(joint.offset)


def neutral(model: Model) -> np.ndarray:
    """The configuration (nq,) in which every joint's frames coincide.

    >>> from soadyn.model.builder import assemble, snake
    >>> neutral(assemble(snake(2), root="free"))
    array([1., 0., 0., 0., 0., 0., 0., 0.])
    """
    return np.concatenate([np.zeros(0), *(joint.behaviour.neutral() for joint in model.joints)])


def configuration(model: Model, q: Any) -> np.ndarray:
    """A full configuration (nq,), checked; the neutral one for None.

    >>> from soadyn.model.builder import assemble, chain
    >>> configuration(assemble(chain(2)), [0.1])
    Traceback (most recent call last):
    soadyn.errors.ShapeError: q of robot 'chain_2' must have shape (2,), got (1,)
    """
    if q is None:
        return neutral(model)
    try:
        values = real_array(q)
    except NotNumbersError:
        raise ShapeError(f"q of robot {model.name!r} must be {model.nq} numbers, got {q!r:.80}") from None
    if values.shape != (model.nq,):
        raise ShapeError(f"q of robot {model.name!r} must have shape ({model.nq},), got {values.shape}")
    for joint, place in zip(model.joints, model.q_slices, strict=True):
        _check_coordinates(joint, values[place])
    return values


def locked_values(model: Model, names: Sequence[str], q: Any) -> dict[int, np.ndarray]:
    """The coordinates of the elementary joints to lock, by their index 1..n; joints tied to them included.

    >>> from soadyn.model.builder import assemble, chain
    >>> locked_values(assemble(chain(2)), ["joint_2"], {"joint_2": 0.5})
    {2: array([0.5])}
    """
    for name in names:
        check_name("joint", name, model.joint_indices, of=f"robot {model.name!r}")
    values: dict[int, np.ndarray] = {}
    if isinstance(q, Mapping):
        for name in names:
            if name not in q:
                given = ", ".join(map(repr, q)) or "nothing"
                raise ArgumentError(f"no value is given for the joint {name!r}; q has {given}")
            values.update(joint_values(model, name, q[name]))
    else:
        full = configuration(model, q)
        values = {k: full[model.q_slices[k - 1]] for name in names for k in model.joint_indices[name]}
    return _with_ties(model, values)


def joint_values(model: Model, name: str, given: Any) -> dict[int, np.ndarray]:
    """A joint's coordinates, checked, by the index 1..n of the elementary joints it consists of."""
    indices = model.joint_indices[name]
    try:
        values = np.atleast_1d(real_array(given))
    except NotNumbersError:
        raise ShapeError(f"joint {name!r} cannot be placed at {given!r:.80}: expected numbers") from None
    sizes = [model.joints[k - 1].behaviour.nq for k in indices]
    if values.shape != (sum(sizes),):
        raise ShapeError(f"joint {name!r} has {sum(sizes)} coordinates, got {values.tolist()}")
    parts = np.split(values, np.cumsum(sizes)[:-1])
    for k, part in zip(indices, parts, strict=True):
        _check_coordinates(model.joints[k - 1], part)
    return dict(zip(indices, parts, strict=True))


def _check_coordinates(joint: Joint, values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        raise ModelError(f"joint {joint.name!r} cannot be placed at {values.tolist()}: not finite")
    quaternion = joint.behaviour.quaternion()
    if quaternion is not None and not np.linalg.norm(values[quaternion]) > 1e-9:
        raise ModelError(f"joint {joint.name!r} cannot be placed at {values.tolist()}: its quaternion vanishes")


def _with_ties(model: Model, values: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Followers of locked joints at the place their tie demands."""
    for tie in model.ties:
        if tie.leader in values:
            values[tie.joint] = tie.multiplier * values[tie.leader] + tie.offset
        elif tie.joint in values:
            follower, leader = model.joints[tie.joint - 1].name, model.joints[tie.leader - 1].name
            raise ModelError(f"joint {follower!r} follows {leader!r} and cannot be locked alone; lock {leader!r}")
    return values
