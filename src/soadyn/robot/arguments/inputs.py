"""From what a caller gave to what a quantity's program reads: every argument checked and brought into its shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, ModelError
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Model
from soadyn.programs.sweep import several_frames
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import DIAGONALIZED, program_name
from soadyn.quantities import Argument, Quantity
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import word
from soadyn.robot.arguments.selection import Selection, selection_of

# Kinds of arguments that are vectors of numbers.
VECTORS = ("q", "v", "a", "tau", "active a", "passive tau", "x", "y", "f", "external", *DIAGONALIZED)


def program_for(quantity: Quantity, given: Mapping[str, Any], model: Model) -> Program:
    """The quantity's program: that of a list of frames if there is one, the one without wrenches if none act."""
    own = quantity.program_on(model)
    if "square_root" in quantity.arguments:
        assert quantity.symmetric is not None
        root = word(f"{quantity.name}: square_root", given.get("square_root", "cholesky"), ("cholesky", "symmetric"))
        return quantity.program if root == "cholesky" else quantity.symmetric
    frames = given.get("frames")
    if isinstance(frames, list) and not frames:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    unloaded = "external" in quantity.arguments and given["external"] is None
    program = several_frames.program_of(quantity.name, len(frames)) if isinstance(frames, list) else own
    return without_external(program) if unloaded else program


@final
@dataclass(frozen=True, slots=True)
class Vector:
    """An argument that is an array of numbers, by which results can be differentiated.

    `input` is what the program calls it. `read` makes the program's input of what a caller gives, `change` the array of
    a change of it, and `handed_back` what the caller gets of a derivative by it. Kernels take a caller's array as it
    is, or else what `port` makes of it.
    """

    name: str
    input: str
    read: Callable[[Any], np.ndarray]
    change: Callable[[Any], np.ndarray]
    handed_back: Callable[[np.ndarray], np.ndarray] | None = None
    port: Callable[[Any], Any] | None = None
    is_half: bool = False  # are only the active or the passive components read?

    @property
    def direction(self) -> Vector:
        """A change of it as an argument of a derivative."""
        port = self.change if self.is_half else None
        return Vector(f"d{self.name}", f"d:{self.input}", self.change, self.change, None, port)


def vectors_of(
    engine: Engine, quantity: Quantity, given: Mapping[str, Any], selection: Selection | None
) -> dict[str, Vector]:
    """The quantity's arguments that are arrays, by name, without wrenches if none act."""
    absent = "external" if given.get("external") is None else ""
    rows = [row for row in quantity.parameters if row.kind in VECTORS and row.name != absent]
    return {row.name: _vector(engine, row, quantity, selection) for row in rows}


def _vector(engine: Engine, row: Argument, quantity: Quantity, selection: Selection | None) -> Vector:
    space, constants, name, change = engine.coordinates, engine.constants, row.name, f"d{row.name}"
    match row.kind:
        case "x" | "y":
            assert selection is not None
            half = "a" if name == "x" else "p"
            spread = partial(selection.vector, half, name=name)
            return Vector(name, name, spread, spread, partial(selection.take, letters=half), spread, True)
        case "f":
            wrench = partial(arguments.numbers, "f", meaning="a wrench [moment; force] at the frame")
            changed = partial(arguments.numbers, change, meaning="a change of the wrench")
            return Vector(name, name, lambda x: wrench(x, 6)[..., None], lambda x: changed(x, 6))
        case "external":
            read = partial(arguments.external, constants)
            return Vector(name, name, read, read, None, partial(arguments.quick_external, constants))
        case "active a" | "passive tau":
            assert selection is not None
            half = "a" if name == "a" else "p"
            changed = partial(selection.needed, space, half, name=change)

            def part(x: Any) -> np.ndarray:
                if x is None and "passive sets" in quantity.arguments:
                    _check_needless(space, quantity, selection, half)
                return np.zeros(space.nv) if x is None else selection.needed(space, half, x, name)

            # Hybrid dynamics leaves out by itself what it does not need.
            port = part if "passive set" in quantity.arguments else None
            return Vector(name, program_name(name), part, changed, None, port, True)
        case _:
            return joint_vector(space, name)


def joint_vector(space: Coordinates, name: str) -> Vector:
    """Coordinates "q", or a number for each joint rate, by its public name."""
    joints = partial(arguments.joint_vector, space)
    read = partial(arguments.coordinates, space) if name == "q" else partial(joints, name=name)
    return Vector(name, program_name(name), read, partial(joints, name=f"d{name}"))


def parameter_vector(name: str, shape: tuple[int, ...]) -> Vector:
    """One of a robot's constants as an argument."""
    read, meaning = partial(parameter_value, name, shape), f"a change of parameter {name!r}"
    return Vector(name, name, read, lambda x: arguments.numbers(f"d{name}", x, *shape, meaning=meaning), None, read)


def parameter_value(name: str, shape: tuple[int, ...], x: Any) -> np.ndarray:
    """A parameter's value as an array, checked; of a joint with one component, a number for each row is enough."""
    meaning = f"the value of parameter {name!r}"
    if shape == (1,):
        value = arguments.numbers(name, x, meaning=meaning)
        value = value if value.shape[-1:] == shape else value[..., None]
    else:
        value = arguments.numbers(name, x, *shape, meaning=meaning)
    if name.endswith(".mass") and value.dtype.kind == "f" and (value < 0).any():
        raise ArgumentError(f"parameter {name!r} holds {value.min()}; a mass must be zero or more (kg)")
    return value


def _check_needless(space: Coordinates, quantity: Quantity, selection: Selection, half: str) -> None:
    """A vector may be left out if no component needs it."""
    needed = selection.half(half)
    if needed.any():
        name, words = ("a", "accelerations of the active") if half == "a" else ("tau", "forces of the passive")
        joints = arguments.components_named(space, needed.any(axis=tuple(range(needed.ndim - 1))))
        raise ArgumentError(f"{quantity.name} needs {name!r}: the {words} joints {joints}")


def options_of(
    engine: Engine, quantity: Quantity, given: Mapping[str, Any], selection: Selection | None
) -> dict[str, Any]:
    """What the quantity's program reads beside vectors: frames, the passive set, the point that a moment is about."""
    inputs: dict[str, Any] = {}
    for row in quantity.parameters:
        match row.name:
            case "frame":
                inputs.update(frame_inputs(engine.constants, given["frame"], given.get("axes", "world")))
            case "frames":
                inputs.update(frames_inputs(engine.constants, given["frames"], given.get("axes", "world")))
            case "about":
                inputs.update(_about(given["about"]))
            case "passive":
                assert selection is not None
                inputs["passive"] = selection.mask.astype(float)
    if quantity.needs_mass or inputs.get("about_com"):
        _check_mass(engine.constants, quantity)
    return inputs


def inputs_of(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the quantity's program reads, by the program's names."""
    selection = selection_of(engine.coordinates, quantity, given)
    vectors = vectors_of(engine, quantity, given, selection).values()
    read = {vector.input: vector.read(given[vector.name]) for vector in vectors}
    return read | options_of(engine, quantity, given, selection)


def frame_inputs(constants: Constants, chosen: Any, axes: Any) -> dict[str, Any]:
    """A frame, the axes of the result, and which links lie on the path to the frame's link."""
    place = arguments.frame(constants.model, chosen)
    return {
        "frame": arguments.placed(constants, place),
        "axes": arguments.placed(constants, arguments.axes(constants.model, axes, place)),
        "on_path": arguments.marked(constants, constants.model.ancestors(place.link)),
        "at_frame": arguments.marked(constants, [place.link]),
    }


def frames_inputs(constants: Constants, chosen: Any, axes: Any) -> dict[str, Any]:
    """`frame_inputs`; of a list of frames, for each the axes of the result and which link carries it."""
    if not isinstance(chosen, list):
        return frame_inputs(constants, chosen, axes)
    called = {"frame": "point", "axes": "axes", "at_frame": "at_point"}
    each = [frame_inputs(constants, frame, axes) for frame in chosen]
    return {f"{called[name]}${i}": found[name] for i, found in enumerate(each) for name in called}


def _about(point: Any) -> dict[str, Any]:
    if isinstance(point, str):
        if point not in ("origin", "com"):
            raise ArgumentError(f'about must be "origin", "com" or a point (..., 3), got {point!r}')
        return {"about": np.zeros((3, 1)), "about_com": float(point == "com")}
    array = arguments.numbers("about", point, 3, meaning="a point in the world")
    return {"about": array[..., None], "about_com": 0.0}


def _check_mass(constants: Constants, quantity: Quantity) -> None:
    if not any(link.mass > 0 for link in constants.model.links):
        raise ModelError(f"{quantity.name}: robot {constants.model.name!r} has no moving mass, so no mass centre")
