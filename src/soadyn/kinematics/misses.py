"""How far configurations are from what was wanted, measured apart from the steps that led to them.

position     |p_wanted - p|, m
orientation  the angle of R_wanted R*, rad:  atan2(|sin(angle) axis|, cos(angle)), right from 0 to pi
closures     |Φ|, m and products of axes
direction    the angle between two unit vectors, rad:  atan2(|a x d|, a.d)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.kinematics.damped_step import PositionLimits
from soadyn.kinematics.targets import Demand
from soadyn.mechanics.spatial.rotation import angle_of
from soadyn.programs.sweep.closed import closure_alignment, shape_of
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES
from soadyn.robot.calling.quantity_functions import evaluate


def misses(engine: Engine, frames: Sequence[Any], parts: Sequence[Demand], q: np.ndarray) -> np.ndarray:
    """By how much configurations (rows, nq) miss each part, (rows, parts) in m or rad; goals have a row for each."""
    pose, com = QUANTITIES["pose"], QUANTITIES["center_of_mass"]
    poses = [evaluate(engine, pose, {"q": q, "frame": frame, "axes": "world"}) for frame in frames]
    columns = []
    for part in parts:
        if part.kind == "com":
            columns.append(np.linalg.norm(part.goal - evaluate(engine, com, {"q": q}), axis=-1))
        elif part.kind == "closures":
            columns.append(_open(engine, q))
        else:
            columns.append(MEASURES[part.kind](part.goal, poses[part.frame]))
    return np.stack(columns, axis=-1)


def _open(engine: Engine, q: np.ndarray) -> np.ndarray:
    """How far the closures are from being closed; infinite where their axes point the other way."""
    shape = shape_of(engine.model)
    found = np.linalg.norm(evaluate(engine, CLOSURE_QUANTITIES["closure_error"], {"q": q}), axis=-1)
    way = closure_alignment(shape)
    if not way.outputs:
        return np.asarray(found)
    aligned = np.stack(engine.run(way, {"q": q}, q.shape[:-1], "float64")[0], axis=-1)
    return np.where((aligned > 0).all(axis=-1), found, np.inf)


def beyond(q: np.ndarray, limits: PositionLimits) -> np.ndarray:
    """Which configurations (rows, nq) pass a position limit, (rows,)."""
    return np.asarray(((q < limits.lower) | (q > limits.upper)).any(axis=-1))


def _distance(goal: np.ndarray, pose: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(goal - pose[..., :3, 3], axis=-1))


def _turn(goal: np.ndarray, pose: np.ndarray) -> np.ndarray:
    return angle_of(goal.reshape(-1, 3, 3) @ pose[..., :3, :3].mT)


def _tilt(goal: np.ndarray, pose: np.ndarray) -> np.ndarray:
    d, a = goal[:, :3], (pose[..., :3, :3] @ goal[:, 3:, None])[..., 0]
    return np.arctan2(np.linalg.norm(np.cross(a, d), axis=-1), (a * d).sum(axis=-1))


MEASURES = {"position": _distance, "orientation": _turn, "direction": _tilt}
