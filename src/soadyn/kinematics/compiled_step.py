"""A step for one robot and set of demands: recorded once and run in lanes, or by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.constants.supplied import supplied
from soadyn.engine.engine import Engine
from soadyn.engine.recorded import recorded_function
from soadyn.engine.reference.run import run
from soadyn.engine.tracing import Graph
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.kinematics.damped_step import PositionLimits, clamped, damped_step, free_to_move
from soadyn.kinematics.errors_of_frames import ERRORS, SIZES, SQUARES
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.configuration import integrate
from soadyn.programs.sweep.algorithms import CENTER_OF_MASS_JACOBIAN, JACOBIAN
from soadyn.programs.sweep.closed import closure_error, closure_jacobian, shape_of
from soadyn.programs.sweep.program import Output, Program

FRAME = Program(
    "frame_pose_and_jacobian",
    JACOBIAN.stages,
    (Output("pose_frame", "whole", (4, 4)), Output("J", "columns")),
    joint_space=True,
)
MASS_CENTRE = Program(
    "mass_centre_and_jacobian",
    CENTER_OF_MASS_JACOBIAN.stages,
    (Output("com", "whole", (3,)), Output("J_com", "columns", (3, "nv"))),
)


@final
@dataclass(frozen=True)
class StepContent:
    """What a step's code depends on: links that carry the frames, each demand's kind and frame, what else is wanted."""

    links: tuple[int, ...]
    parts: tuple[tuple[str, int], ...]
    limited: bool
    leaning: bool


def step_inputs(engine: Engine, demands: StepContent) -> tuple[Port, ...]:
    """Arguments of a step: q, the frames' placements on their links, what is wanted, weights, and the lean."""
    coordinates = engine.coordinates
    places = [Port(f"place{i}", (12,)) for i in range(len(demands.links))]
    sizes = {**SIZES, "closures": len(kept_rows(engine))}
    goals = [Port(f"goal{i}", (sizes[kind],)) for i, (kind, _) in enumerate(demands.parts)]
    lean = [Port("lean", (coordinates.nv,))] if demands.leaning else []
    return (Port("q", (coordinates.nq,)), *places, *goals, Port("weights", (len(demands.parts),)), *lean)


def step_outputs(engine: Engine, demands: StepContent) -> tuple[Port, Port]:
    """Results of a step: the next q, and the squared errors at this one."""
    return Port("q_next", (engine.coordinates.nq,)), Port("squares", (len(demands.parts),))


def kept_rows(engine: Engine) -> list[int]:
    """The closures' rows that do not follow from others."""
    shape, first, found = shape_of(engine.model), 0, []
    for group in shape.groups:
        found += [shape.order[first + i] for i in group.kept]
        first += group.count
    return sorted(found)


def _closures(engine: Engine, outputs_of: Any) -> list[np.ndarray]:
    """How far closures are from being closed, and their Jacobian, row by row."""
    shape, kept = shape_of(engine.model), kept_rows(engine)
    (error,), (J,) = outputs_of(closure_error(shape), None), outputs_of(closure_jacobian(shape), None)
    return [error[..., kept], J[..., kept, :]]


def limits_of(engine: Engine) -> PositionLimits:
    """The robot's position limits, made once."""
    if PositionLimits not in engine.functions:
        engine.functions[PositionLimits] = _limits(engine)
    return engine.functions[PositionLimits]


def _limits(engine: Engine) -> PositionLimits:
    model, space = engine.model, engine.coordinates
    joints = [joint for k, joint in enumerate(model.joints, start=1) if k not in space.tied]
    places: list[int | None] = []
    start = 0
    for joint in joints:
        simple = joint.behaviour.quaternion() is None
        places += [start + i if simple else None for i in range(joint.behaviour.nv)]
        start += joint.behaviour.nq
    lower, upper = (np.array([x for joint in joints for x in getattr(joint, side)]) for side in ("lower", "upper"))
    return PositionLimits(lower, upper, tuple(places))


def stepper(engine: Engine, demands: StepContent) -> Any:
    """The step as a function of its arguments' arrays: the next q, and squared errors of each demand at this q."""
    if demands not in engine.functions:
        inputs, outputs = step_inputs(engine, demands), step_outputs(engine, demands)
        made = recorded_function(
            engine,
            "inverse_kinematics",
            (inputs, outputs),
            (demands, limits_of(engine)),
            lambda: recorded_step(engine, demands),
        )
        engine.functions[demands] = made or (lambda *arrays: _by_reference(engine, demands, inputs, arrays))
    return engine.functions[demands]


def recorded_step(engine: Engine, demands: StepContent) -> Traced:
    """The step's operations: those of the programs of pose and Jacobian, then those of the step."""
    graph, inputs = Graph(), step_inputs(engine, demands)
    given = {port: recorded(graph, port) for port in inputs}
    arrays = dict(zip((port.name for port in inputs), given.values(), strict=True))

    def outputs_of(program: Program, frame: tuple[int, Transform] | None) -> list[np.ndarray]:
        known: dict[str, Any] = {"q": engine.coordinates.expand(arrays["q"])}
        links = {}
        if frame is not None:
            known |= {"frame": frame, "axes": WORLD}
            links = {"frame": frame[0], "axes": 0}
        trace = traced(program, engine.constants, links, graph, known=known)
        return [np.array([*x], dtype=object).reshape(port.shape) for port, x in trace.outputs.items()]

    q_next, squares = _step(engine, demands, arrays, outputs_of)
    outputs = zip(step_outputs(engine, demands), ([*q_next], [*squares]), strict=True)
    results: dict[Port, Sequence[Any]] = dict(outputs)
    scalars: dict[Port, Sequence[Any]] = {port: [*array.flat] for port, array in given.items()}
    return Traced(graph, scalars, results, (("step", len(graph.nodes)),))


def _by_reference(
    engine: Engine, demands: StepContent, inputs: Sequence[Port], arrays: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The same on arrays of numbers, with one batch axis."""
    given = dict(zip((port.name for port in inputs), arrays, strict=True))
    q = engine.coordinates.expand(given["q"])

    def outputs_of(program: Program, frame: tuple[int, Transform] | None) -> list[np.ndarray]:
        values: dict[str, Any] = {"q": q}
        if frame is not None:
            path = set(engine.model.ancestors(frame[0]))
            values |= {"frame": frame, "axes": WORLD, "on_path": [float(k in path) for k in range(engine.model.n + 1)]}
        values |= supplied(program, engine.constants)
        return list(run(program, engine.constants, values, q.shape[:-1])[0])

    return _step(engine, demands, given, outputs_of)


def _step(engine: Engine, demands: StepContent, given: dict[str, Any], outputs_of: Any) -> tuple[Any, Any]:
    """Errors and their rows, demand by demand; then the damped step within limits."""
    q, E, limits = given["q"], engine.coordinates.E, limits_of(engine)
    frames = []
    for i, link in enumerate(demands.links):
        place = given[f"place{i}"]
        placed = Transform(place[..., :9].reshape(*place.shape[:-1], 3, 3), place[..., 9:, None])
        frames.append(outputs_of(FRAME, (link, placed)))
    others = {
        "com": outputs_of(MASS_CENTRE, None) if ("com", -1) in demands.parts else [],
        "closures": _closures(engine, outputs_of) if ("closures", -1) in demands.parts else [],
    }
    rows, errors, squares = [], [], []
    for i, (kind, frame) in enumerate(demands.parts):
        at, J = frames[frame] if frame >= 0 else others[kind]
        e, J_e = ERRORS[kind](given[f"goal{i}"], at, J @ E if engine.coordinates.tied else J)
        weight = given["weights"][..., i, None, None]
        squares.append(SQUARES[kind](given[f"goal{i}"], at))
        rows.append(weight * J_e)
        errors.append(weight * e)
    J, e = np.concatenate(rows, axis=-2), np.concatenate(errors, axis=-2)
    if demands.limited:
        J = free_to_move(J, e, q, limits)
    lean = given["lean"][..., None] if demands.leaning else None
    moved = integrate(engine.coordinates, q, damped_step(J, e, lean)[..., 0])
    return clamped(moved, limits) if demands.limited else moved, np.stack(squares, axis=-1)
