"""Mimic joints tied to their leaders: fewer coordinates."""

from __future__ import annotations

from collections.abc import Iterable

from soadyn.errors import ModelError, unknown_name
from soadyn.model.checks import at
from soadyn.model.draft import DraftJoint
from soadyn.model.model import Model, Tie


def resolve_ties(model: Model, mimics: Iterable[DraftJoint]) -> tuple[Tie, ...]:
    """Each mimic joint's rule in terms of a joint that mimics nobody.

    Only joints with one coordinate can mimic or be mimicked.
    """
    rules = {joint.name: joint for joint in mimics}
    ties = []
    for name, joint in rules.items():
        leader, multiplier, offset, seen = name, 1.0, 0.0, [name]
        while leader in rules:
            rule = rules[leader].mimic
            assert rule is not None
            # q = m1 (m2 x + o2) + o1
            offset = offset + multiplier * rule.offset
            multiplier *= rule.multiplier
            leader = rule.leader
            if leader in seen:
                raise ModelError(f"{at(joint.where)}mimic joints form a circle: {' -> '.join([*seen, leader])}")
            seen.append(leader)
        if leader not in model.joint_indices:
            raise ModelError(
                f"{at(joint.where)}mimic joint {name!r}: {unknown_name('moving joint', leader, model.joint_indices)}"
            )
        (k,), (lead,) = (_single(model, each, joint.where) for each in (name, leader))
        ties.append(Tie(k, lead, multiplier, offset))
    return tuple(ties)


def _single(model: Model, name: str, where: str) -> tuple[int, ...]:
    indices = model.joint_indices[name]
    if len(indices) != 1 or model.joints[indices[0] - 1].behaviour.nq != 1:
        raise ModelError(f"{at(where)}joint {name!r} has several coordinates; only single ones can be tied")
    return indices
