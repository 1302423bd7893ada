"""From what a caller gave to what a quantity's program reads: every argument checked and brought into its shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.engine import Engine
from soadyn.errors import ArgumentError, ModelError
from soadyn.programs.sweep import several_frames
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import program_name
from soadyn.quantities import Quantity
from soadyn.robot.arguments import arguments, passive_sets


def program_for(quantity: Quantity, given: Mapping[str, Any]) -> Program:
    """The quantity's program: that of a list of frames if there is one, the one without wrenches if none act."""
    if "square_root" in quantity.arguments:
        return rooted(quantity, given.get("square_root", "cholesky"))
    frames = given.get("frames")
    if isinstance(frames, list) and not frames:
        raise ArgumentError(f"{quantity.name} takes a frame or a list of at least one, got an empty list")
    unloaded = "external" in quantity.arguments and given["external"] is None
    program = several_frames.program_of(quantity.name, len(frames)) if isinstance(frames, list) else quantity.program
    return without_external(program) if unloaded else program


def rooted(quantity: Quantity, square_root: Any) -> Program:
    """The quantity's program with the square root of D that was asked for."""
    if not isinstance(square_root, str) or square_root not in ("cholesky", "symmetric"):
        raise ArgumentError(f'{quantity.name}: square_root must be "cholesky" or "symmetric", got {square_root!r:.60}')
    if square_root == "cholesky":
        return quantity.program
    assert quantity.symmetric is not None
    return quantity.symmetric


def inputs_of(engine: Engine, quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the quantity's program reads, by the program's names."""
    constants, space = engine.constants, engine.coordinates
    inputs: dict[str, Any] = {}
    one_set = "passive set" in quantity.arguments
    mask = passive_sets.one_set(space, quantity, given["passive"]) if one_set else np.zeros(0)
    for kind in quantity.arguments:
        match kind:
            case "q":
                inputs["q"] = arguments.coordinates(space, given["q"])
            case "v" | "tau":
                inputs[kind] = arguments.joint_vector(space, given[kind], kind)
            case "nu" | "epsilon" | "xi" | "kappa":
                inputs[program_name(kind)] = arguments.joint_vector(space, given[kind], kind)
            case "x" | "y":
                inputs[kind] = passive_sets.spread(space, mask, given[kind], kind)
            case "f":
                wrench = arguments.numbers("f", given["f"], 6, meaning="a wrench [moment; force] at the frame")
                inputs["f"] = wrench[..., None]
            case "a":
                inputs["vdot"] = arguments.joint_vector(space, given["a"], "a")
            case "external":
                if given["external"] is not None:
                    inputs["external"] = arguments.external(constants, given["external"])
            case "frame":
                inputs.update(frame_inputs(constants, given[kind], given.get("axes", "world")))
            case "frames":
                inputs.update(frames_inputs(constants, given[kind], given.get("axes", "world")))
            case "about":
                inputs.update(_about(given["about"]))
            case "passive sets":
                inputs.update(passive_sets.known(space, quantity, given))
            case "passive set":
                inputs["passive"] = mask.astype(float)
            case "passive tau" if one_set:
                inputs["tau"] = passive_sets.passive_forces(space, mask, given["tau"])
    if quantity.needs_mass or inputs.get("about_com"):
        _check_mass(constants, quantity)
    return inputs


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
