"""Inverse kinematics of batches: steps from many starts, targets that are met leave, the others start anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError
from soadyn.kinematics.compiled_step import StepContent, kept_rows, limits_of, stepper
from soadyn.kinematics.damped_step import PositionLimits
from soadyn.kinematics.misses import beyond, misses
from soadyn.kinematics.result import IKResult
from soadyn.kinematics.targets import Demand, parts_of
from soadyn.model.configuration import difference, neutral, random_configuration
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.inputs import inputs_of

STEPS = 30  # of one start; a start that has not arrived then rarely does
LAST_STEPS = 300  # from the nearest configuration to a target that no start met
LOOK = 5  # steps after which arrived starts are taken out
FIRST_STARTS = 8  # lanes of one vector: as many starts of a lone target cost no more than one
LEAN, LEANING = 0.3, 20  # share of the way to the preferred posture that each of the first steps takes
MOST_STARTS_AT_ONCE = 1 << 15
INTERVALS = "the intervals that starts of inverse kinematics are drawn from"
NEARER = 0.99  # of the tolerance: what the search meets is measured again by other means, with other rounding


@final
@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How long to look: how near is met, in m and rad, and from how many configurations to start."""

    tolerance: float
    restarts: int
    rng: np.random.Generator


@final
@dataclass(slots=True)
class _Best:
    """The nearest configuration of each target so far."""

    q: np.ndarray
    squares: np.ndarray  # of each target's errors
    cost: np.ndarray  # their weighted sum, by which the nearest is chosen
    starts: np.ndarray
    left: np.ndarray = field(init=False)  # numbers of the targets that are not met

    def __post_init__(self) -> None:
        self.left = np.arange(len(self.q))


def inverse_kinematics(
    engine: Engine, targets: Any, q0: Any, com: Any, posture: Any, limits: bool, search: SearchOptions
) -> IKResult:
    """See `Robot.inverse_kinematics`."""
    if engine.coordinates.nv == 0:
        raise ArgumentError(f"inverse_kinematics: robot {engine.model.name!r} has no joints")
    frames, parts = parts_of(targets, com)
    if engine.model.closures:
        parts.append(Demand("closures", -1, np.zeros(len(kept_rows(engine))), 1.0, "closures"))
    places = [_placement(engine, frame) for frame in frames]
    demands = StepContent(
        tuple(link for link, _ in places), tuple((p.kind, p.frame) for p in parts), limits, posture is not None
    )
    given = {f"target {i}": part.goal for i, part in enumerate(parts)}
    if q0 is not None:
        given["q0"] = _finite(arguments.coordinates(engine.coordinates, q0, "q0"), "q0")
    if posture is not None:
        given["posture"] = _finite(arguments.coordinates(engine.coordinates, posture, "posture"), "posture")
    batch = arguments.batch_shape(given, dict.fromkeys(given, 1))
    many = int(np.prod(batch))
    flat = {name: np.broadcast_to(x, (*batch, x.shape[-1])).reshape(many, x.shape[-1]) for name, x in given.items()}
    wanted = [flat[f"target {i}"] for i in range(len(parts))]
    weights = np.array([part.weight for part in parts])
    within = limits_of(engine) if limits else None
    step, at = stepper(engine, demands), [place for _, place in places]
    best = _Targets(engine, step, within, at, wanted, weights, flat.get("posture"), search).all_starts(flat.get("q0"))
    parts = [replace(part, goal=goal) for part, goal in zip(parts, wanted, strict=True)]
    met = np.ones(many, dtype=bool) if within is None else ~beyond(best.q, within)
    off = misses(engine, frames, parts, best.q)
    labels = [f"{part.label} {part.kind}" if part.frame >= 0 else part.label for part in parts]
    return IKResult(
        q=best.q.reshape(*batch, best.q.shape[-1]),
        success=(met & (off <= search.tolerance).all(axis=-1)).reshape(batch),
        error=off.max(axis=-1).reshape(batch),
        errors={label: off[:, i].reshape(batch) for i, label in enumerate(labels)},
        nstarts=best.starts.reshape(batch),
    )


def _finite(x: np.ndarray, name: str) -> np.ndarray:
    if x.dtype != float or not np.isfinite(x).all():
        raise ArgumentError(f"inverse_kinematics: {name!r} must be finite real numbers")
    return x


def _placement(engine: Engine, frame: Any) -> tuple[int, np.ndarray]:
    """The link that carries a frame, and the frame's place on it in the sweeps' frames, row by row."""
    link, placed = inputs_of(engine, QUANTITIES["pose"], {"q": neutral(engine.coordinates), "frame": frame})["frame"]
    if link == 0:
        raise ArgumentError(f"inverse_kinematics: frame {frame!r:.80} is fixed in the ground; no joint moves it")
    return link, np.concatenate([placed.R.ravel(), placed.l.ravel()])


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Targets:
    """All targets of a call, as arrays with one row for each."""

    engine: Engine
    step: Any
    limits: PositionLimits | None
    places: list[np.ndarray]
    wanted: list[np.ndarray]
    weights: np.ndarray
    posture: np.ndarray | None
    search: SearchOptions

    def all_starts(self, q0: np.ndarray | None) -> _Best:
        """Rounds of starts, twice as many each time for every target that is left."""
        many, space = len(self.wanted[0]), self.engine.coordinates
        first = np.broadcast_to(neutral(space), (many, space.nq)) if q0 is None else q0
        infinite = np.full((many, len(self.wanted)), np.inf)
        best = _Best(np.array(first), infinite, np.full(many, np.inf), np.zeros(many, dtype=int))
        if q0 is not None:
            self._round(best, self._within(first[best.left]), 1)
        begun, each = 0, FIRST_STARTS if many <= MOST_STARTS_AT_ONCE // 64 and q0 is None else 1
        while begun < self.search.restarts and len(best.left):
            each = max(1, min(each, self.search.restarts - begun, MOST_STARTS_AT_ONCE // len(best.left)))
            self._round(best, random_starts(self.engine, self.search.rng, len(best.left) * each), each)
            begun, each = begun + each, 2 * each
        if len(best.left):
            self._round(best, best.q[best.left], 0, LAST_STEPS)
        return best

    def _within(self, q: np.ndarray) -> np.ndarray:
        return q if self.limits is None else np.clip(q, self.limits.lower, self.limits.upper)

    def _met(self, squares: np.ndarray) -> np.ndarray:
        return np.asarray((np.sqrt(squares) <= NEARER * self.search.tolerance).all(axis=-1))

    def _round(self, best: _Best, q: np.ndarray, each: int, steps: int = STEPS) -> None:
        """Try `each` starts for every target that is left; 0 takes the last steps from the nearest configurations."""
        target = np.repeat(best.left, max(each, 1))
        best.starts[best.left] += each
        goals = [goal[target] for goal in self.wanted]
        for done in range(0, steps, LOOK):
            before, squares = q, np.zeros((len(q), len(goals)))
            for _ in range(LOOK):
                lean = self._lean(q, target, leaning=done < LEANING and steps == STEPS)
                before, (q, squares) = q, self.step(q, *self.places, *goals, self.weights, *lean)
            last, met = done + LOOK >= steps, self._met(squares)
            self._keep(best, target, before, squares, np.ones_like(met) if last else met)
            best.left = best.left[~self._met(best.squares[best.left])]
            going = ~met & ~self._met(best.squares[target])
            if last or not going.any():
                return
            if not going.all():
                q, target, goals = q[going], target[going], [goal[going] for goal in goals]

    def _lean(self, q: np.ndarray, target: np.ndarray, leaning: bool) -> list[np.ndarray]:
        if self.posture is None:
            return []
        if not leaning:  # leaning to a posture disturbs the targets a little, so the last steps serve the targets alone
            return [np.zeros((len(q), self.engine.coordinates.nv))]
        return [LEAN * difference(self.engine.coordinates, q, self.posture[target])]

    def _keep(self, best: _Best, target: np.ndarray, q: np.ndarray, squares: np.ndarray, which: np.ndarray) -> None:
        """Note the nearest of these starts for each target, where it is nearer than what was found before."""
        cost = (self.weights**2 * squares).sum(axis=-1)
        order = np.flatnonzero(which & np.isfinite(cost))
        # Several starts may serve one target: the nearest is written last.
        order = order[np.argsort(-cost[order], kind="stable")]
        order = order[cost[order] < best.cost[target[order]]]
        at = target[order]
        best.q[at], best.squares[at], best.cost[at] = q[order], squares[order], cost[order]


def random_starts(engine: Engine, rng: np.random.Generator, count: int) -> np.ndarray:
    """Configurations (count, nq), uniform within limits; all joints at once: one by one takes longer than solving."""
    if engine.coordinates.tied or any(joint.behaviour.quaternion() is not None for joint in engine.model.joints):
        return random_configuration(engine.coordinates, rng, (count,))
    if INTERVALS not in engine.functions:
        parts = [
            joint.behaviour.interval(np.array(joint.lower), np.array(joint.upper)) for joint in engine.model.joints
        ]
        engine.functions[INTERVALS] = [np.concatenate(x) for x in zip(*parts, strict=True)]
    low, high = engine.functions[INTERVALS]
    return np.asarray(low + (high - low) * rng.random((count, len(low))))
