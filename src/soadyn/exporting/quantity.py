"""A quantity of a robot as C text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MethodType
from typing import Any

import numpy as np

from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import ports_of
from soadyn.errors import ArgumentError
from soadyn.exporting.c_text import RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.derivatives import DerivativeName, with_exported
from soadyn.exporting.source import c_source
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import DIAGONALIZED
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import components_named
from soadyn.robot.arguments.inputs import inputs_of, program_for
from soadyn.robot.arguments.selection import Selection, results_of

# Inputs of programs that are folded in wherever there are any.
FOLDED = ("frame", "axes", "on_path", "at_frame", "point", "at_point", "about", "about_com")
# Results that the table of quantities calls otherwise than their programs do.
RESULTS = {
    "mass_matrix": ("M",),
    "mass_matrix_inverse": ("M_inverse",),
    "forward_dynamics": ("a",),
    "inverse_dynamics": ("tau",),
    "bias_force": ("tau",),
    "kinetic_energy": ("energy",),
}
# Results that are parts of what their programs compute.
PARTS = {
    "generalized_jacobian": ("J_G",),
    "disturbance_jacobian": ("J_D",),
    "actuation_matrices": ("S_aa", "S_ap", "S_pp"),
}


def quantity_source(
    function: Any,
    options: Mapping[str, Any],
    external: bool,
    header: str,
    real: RealName,
    libm: bool,
    name: str | None,
    derivative: DerivativeName | None,
) -> tuple[str, str]:
    """The source and header of a robot's method; frames, the point `about` and a passive set are folded in."""
    robot, quantity = _robot_and_quantity(function)
    usual = f"{robot.name}_{quantity.name}" if derivative is None else f"{robot.name}_{quantity.name}_{derivative}"
    called = function_name(name, usual)
    program, known, folded = _folded(robot, quantity, options, external)
    taken = _parts_of(robot, quantity, program, known)
    results = PARTS.get(quantity.name, ()) if taken is not None else RESULTS.get(quantity.name, ())
    described = Description(quantity.name, quantity.doc, quantity.equation, quantity.unit, folded)
    program, described = with_exported(program, described, derivative, known)
    return c_source(
        program,
        robot,
        called,
        known,
        described,
        results,
        header,
        real,
        libm,
        unread=_unread(known),
        passive=taken,
    )


def _parts_of(robot: Robot, quantity: Quantity, program: Program, known: Mapping[str, Any]) -> PassiveSet | None:
    """With one passive set folded in: which parts of what the program computes are the quantity's results."""
    if "passive set" not in quantity.arguments or "passive" not in known:
        return None
    outputs = [port.shape for port in ports_of(program, robot.model)[1]]
    found = results_of(quantity, Selection(known["passive"] != 0), outputs).passive
    return found if found.parts else None


def _unread(known: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """With a passive set folded in: accelerations of passive components and forces of active ones are not read."""
    passive = known.get("passive")
    return {} if passive is None else {"vdot": passive != 0, "tau": passive == 0, "x": passive != 0, "y": passive == 0}


def _robot_and_quantity(function: Any) -> tuple[Robot, Quantity]:
    owner = function.__self__ if isinstance(function, MethodType) else None
    if not isinstance(owner, Robot) or function.__name__ not in QUANTITIES:
        raise ArgumentError(
            f"export_c takes a quantity of a robot, such as arm.forward_dynamics (not called), a compiled formula, "
            f"a feedback or an estimator, got {function!r:.80}"
        )
    if owner.model.ties:
        raise ArgumentError(f"export_c: robot {owner.name!r} has tied mimic joints, which have no straight-line code")
    if owner.nv == 0:
        raise ArgumentError(f"export_c: robot {owner.name!r} has no moving joint, so there is nothing to compute")
    return owner, QUANTITIES[function.__name__]


def _folded(
    robot: Robot, quantity: Quantity, options: Mapping[str, Any], external: bool
) -> tuple[Program, dict[str, Any], tuple[str, ...]]:
    """The program without wrenches unless they are wanted, the inputs that are known, and a line on each."""
    names = ["frame" if argument.name == "frames" else argument.name for argument in quantity.parameters]
    for option, value in {**options, "external": external or None}.items():
        if value is not None and option not in names:
            raise ArgumentError(f"{quantity.name} has no argument {option!r}")
    if "frame" in names and options["frame"] is None:
        raise ArgumentError(f"{quantity.name} needs a frame: export_c(..., frame=NAME)")
    usual = {"axes": "world", "about": "origin", "passive": np.zeros(robot.nv, dtype=bool)}
    given: dict[str, Any] = {name: usual.get(name) if value is None else value for name, value in options.items()}
    given["frames"] = given["frame"]
    if isinstance(given["frame"], list) and "frames" not in quantity.arguments:
        raise ArgumentError(f"export_c: {quantity.name} takes one frame, got a list: {given['frame']!r:.80}")
    rates = np.zeros(robot.nv)
    # A state to check the options by; none of its numbers are kept.
    state = {"q": robot.neutral(), "v": rates, "a": rates, "tau": rates, **dict.fromkeys(DIAGONALIZED, rates)}
    if "passive set" in quantity.arguments:
        mask = arguments.one_passive_set(robot.engine.coordinates, given["passive"], quantity.name)
        state |= {"x": rates[~mask], "y": rates[mask], "f": np.zeros(6)}
    wrenches = np.zeros((len(robot.link_names), 6)) if external else None
    everything = {**state, **given, "external": wrenches}
    program, inputs = program_for(quantity, everything, robot.model), inputs_of(robot.engine, quantity, everything)
    fixed = FOLDED if options["passive"] is None else (*FOLDED, "passive")
    known = {name: x for name, x in inputs.items() if name.partition("$")[0] in fixed and name in program.inputs}
    for name in ("about", "passive"):
        expected = {"about": (3, 1), "passive": (robot.nv,)}[name]
        if name in known and known[name].shape != expected:
            raise ArgumentError(f"export_c folds in one value of {name!r}, got a batch of shape {known[name].shape}")
    return program, known, tuple(_folded_lines(robot, quantity, given, known))


def _folded_lines(robot: Robot, quantity: Quantity, given: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    lines = []
    for name in ("frame", "axes", "about"):
        if name in quantity.arguments or (name == "frame" and "frames" in quantity.arguments):
            value = given[name]
            shown = f"{value[0]} with an offset" if isinstance(value, tuple) and isinstance(value[0], str) else value
            lines.append(f"{name}: {shown}")
    if "passive" in known:
        joints = components_named(robot.engine.coordinates, known["passive"] != 0) or "none"
        lines.append(f"passive joints: {joints}")
    return lines
