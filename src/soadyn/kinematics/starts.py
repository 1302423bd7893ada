"""Random configurations to start from, drawn for all joints at once: one by one would take longer than solving."""

from __future__ import annotations

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.model.configuration import random_configuration

INTERVALS = "the intervals that starts of inverse kinematics are drawn from"


def random_starts(engine: Engine, rng: np.random.Generator, count: int) -> np.ndarray:
    """Configurations (count, nq), uniform within limits."""
    if engine.coordinates.tied or any(joint.behaviour.quaternion() is not None for joint in engine.model.joints):
        return random_configuration(engine.coordinates, rng, (count,))
    if INTERVALS not in engine.functions:
        parts = [
            joint.behaviour.interval(np.array(joint.lower), np.array(joint.upper)) for joint in engine.model.joints
        ]
        engine.functions[INTERVALS] = [np.concatenate(x) for x in zip(*parts, strict=True)]
    low, high = engine.functions[INTERVALS]
    return np.asarray(low + (high - low) * rng.random((count, len(low))))
