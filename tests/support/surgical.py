"""What the tests of model surgery share: random robots, coordinates by link name, and soundness."""

from __future__ import annotations

import pickle

import numpy as np

from random_robots import random_model, random_q
from soadyn.model.bodies import Body
from soadyn.model.draft import Mimic
from soadyn.model.model import Model
from soadyn.robot.sources import Builder

SEEDS = range(12)


def robot(seed: int, n: int = 10, **options) -> tuple[np.random.Generator, Model, np.ndarray]:
    rng = np.random.default_rng(seed)
    model = random_model(rng, n, root=("fixed", "free")[seed % 2], armature=True, **options)
    return rng, model, random_q(rng, model)


def coordinates(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """Each joint's share of q by the name of the link it moves: names survive surgery, places do not."""
    return {link.name: q[place] for link, place in zip(model.links, model.q_slices, strict=True)}


def gathered(model: Model, shares: dict[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(shares[link.name] for link in model.links)])


def assert_sound(model: Model) -> None:
    """Depth first, descendants without a gap, frames and ties pointing at something, everything hashable."""
    assert len(model.links) == len(model.joints) == len(model.parents)
    for k in range(1, model.n + 1):
        assert model.parents[k - 1] < k
        inside = [i for i in range(1, model.n + 1) if k in model.ancestors(i)]
        assert inside == list(range(k, model.subtree_end[k]))
    names = [link.name for link in model.links] + [frame.name for frame in model.frames]
    assert len(set(names)) == len(names)
    assert all(0 <= frame.link <= model.n for frame in model.frames)
    assert all(1 <= tie.joint <= model.n and 1 <= tie.leader <= model.n for tie in model.ties)
    for joint in model.joints:
        assert len(joint.armature) == joint.behaviour.nv
        assert len(joint.lower) == joint.behaviour.nq
    assert pickle.loads(pickle.dumps(model)) == model
    assert isinstance(hash(model), int)


def fingers() -> Model:
    b = Builder("gripper")
    b.link("left", Body(1.0), joint="prismatic")
    b.link("right", Body(1.0), joint="prismatic", mimic=Mimic("left_joint", -2.0, 0.1))
    b.link("thumb", Body(1.0))
    return b.model(mimic="tie")
