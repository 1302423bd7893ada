"""Which coordinates of a motion share a panel: one unit, one scale; attitudes and positions of bodies apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from soadyn.simulation.record.attitudes import quaternion_places, rotation_vectors, units_of

if TYPE_CHECKING:
    from soadyn.simulation.record.trajectory import Trajectory

FACTOR = 30.0  # joints that are quicker or go further by this much, such as reaction wheels, would flatten the others
STILL = 0.01  # rad or m: joints that move by less do not ask for a panel
MOST_BODIES = 3  # with panels of their own


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Coordinates drawn together.

    title     what they are
    names     of the curves
    unit      of q: "rad", "m", "rad, m" if it is not known, or "deg" for rotation vectors
    q         places in q; of rotation vectors, where the quaternions begin
    v         places in v and tau
    """

    title: str
    names: tuple[str, ...]
    unit: str
    q: tuple[int, ...]
    v: tuple[int, ...]

    def coordinates(self, run: Trajectory) -> np.ndarray:
        """The values to draw, (T, ..., curves): quaternions as rotation vectors from the start, in degrees."""
        if self.unit != "deg":
            return np.asarray(run.q[..., list(self.q)])
        turns = [rotation_vectors(run.q[..., k : k + 4]) for k in self.q]
        return np.asarray(np.degrees(np.concatenate(turns, axis=-1)))


def groups_of(run: Trajectory) -> list[Group]:
    """Bodies' attitudes and positions first, then the joints that turn, those that slide, and the quick ones."""
    units, starts = units_of(run), quaternion_places(run)
    apart = len(starts) <= MOST_BODIES
    bodies: dict[tuple[str, str], list[tuple[str, int, list[int]]]] = {}
    joints: dict[str, list[tuple[str, int, int]]] = {}
    i = j = 0
    turning = None  # the joint whose quaternion came last
    while i < len(units):
        name, _, part = run.q_names[i].rpartition(".")
        if i in starts:
            bodies.setdefault(("attitude", name if apart else ""), []).append((name, i, [j, j + 1, j + 2]))
            i, j, turning = i + 4, j + 3, name
            continue
        if turning and name == turning and units[i] == "m":
            bodies.setdefault(("position", name if apart else ""), []).append((f"{name}.{part[-1:]}", i, [j]))
        else:
            joints.setdefault(units[i], []).append((run.q_names[i], i, j))
        i, j = i + 1, j + 1
    found = [_of_bodies(what, body, members) for (what, body), members in bodies.items()]
    for unit, members in joints.items():
        kind = {"rad": "joints that turn", "m": "joints that slide"}[unit] if len(joints) > 1 else "joints"
        found += _of_joints(run, kind, unit, members)
    return found


def _of_bodies(what: str, body: str, members: Sequence[tuple[str, int, list[int]]]) -> Group:
    parts = (
        [f"{name}.{axis}" for name, *_ in members for axis in "xyz"] if what == "attitude" else [m[0] for m in members]
    )
    names = tuple(part.rpartition(".")[2] if body else part for part in parts)
    title = what + " from the start" * (what == "attitude")
    return Group(
        f"{body}: {title}" if body else title,
        names,
        "deg" if what == "attitude" else "m",
        tuple(place for _, place, _ in members),
        tuple(place for *_, places in members for place in places),
    )


def _of_joints(run: Trajectory, kind: str, unit: str, members: Sequence[tuple[str, int, int]]) -> list[Group]:
    parts = _by_speed(run, members)
    found = []
    for n, part in enumerate(parts):
        how = "" if len(parts) == 1 else ", slow" if n == 0 else ", fast" if n == len(parts) - 1 else ""
        names, q, v = zip(*part, strict=True)
        found.append(Group(kind + how, names, unit, q, v))
    return found


def _by_speed(run: Trajectory, members: Sequence[tuple[str, int, int]]) -> list[list[tuple[str, int, int]]]:
    """The members, in parts that stand far apart in speed, slow ones first; each part in the members' order."""
    speed = [largest(run.v[..., j]) for *_, j in members]
    travel = [largest(np.ptp(run.q[..., i], axis=0)) if len(run) else 0.0 for _, i, _ in members]
    order = np.argsort(speed, kind="stable")
    parts: list[list[int]] = [[]]
    for n, k in enumerate(order):
        slower = order[:n]
        way = max((travel[s] for s in slower), default=0.0)
        quicker = n and speed[k] > FACTOR * speed[slower[-1]]
        if way > STILL and (quicker or travel[k] > FACTOR * way):
            parts.append([])
        parts[-1].append(int(k))
    return [[members[k] for k in sorted(part)] for part in parts]


def largest(x: np.ndarray) -> float:
    """The largest size among the numbers that are finite."""
    return float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x)))
