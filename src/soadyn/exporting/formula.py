"""A compiled formula as C text."""

from __future__ import annotations

from typing import Any

from soadyn.algebra.defining import Numbers
from soadyn.compiled import Compiled
from soadyn.compiled.formula_arguments import OF_PROGRAM, fixed_numbers, is_fixed
from soadyn.errors import ArgumentError
from soadyn.exporting.c_text import RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.derivatives import DerivativeName, with_exported
from soadyn.exporting.source import c_source

# The names of results, by the space they lie in.
RESULTS = {"joint motion": "motion", "joint force": "force", "link motion": "motion", "link force": "force"}


def formula_source(
    compiled: Compiled,
    header: str,
    real: RealName,
    libm: bool,
    name: str | None,
    derivative: DerivativeName | None,
) -> tuple[str, str]:
    """The source and header of a compiled formula; a user's numbers and the passive set are folded in."""
    spaces = [x for formula in compiled.formulas for x in (formula.domain, formula.codomain)]
    arguments = [x.codomain.place for x in compiled.form.inputs.link] if not compiled.is_dense else []
    if any(place == "task" for place in [*(space.place for space in spaces), *arguments]):
        raise ArgumentError(
            f"export_c: {', '.join(map(str, compiled.formulas))} has operational points, which are worked out around "
            "the program; export the formula on the links, and arm.jacobian or arm.pose for the frame"
        )
    if compiled.setting.parametric is not None:
        raise ArgumentError(
            "export_c: constants are written out in C; compile the formula for a robot without parameters"
        )
    if compiled.is_dense:
        raise ArgumentError(f"export_c: no recursion is known for {', '.join(map(str, compiled.formulas))}")
    program, robot, inputs = compiled.program, compiled.robot, compiled.form.inputs
    known: dict[str, Any] = {}
    called = {"q": "q", **{inside: outside for outside, inside in OF_PROGRAM.items()}}
    for place, symbol in inputs.places().items():
        if is_fixed(symbol):
            known[place] = fixed_numbers(compiled.setting, symbol)
        else:
            called[place] = symbol.name
    folded = [f"operator: {x.name}" for x in inputs.places().values() if isinstance(x.blocks, Numbers)]
    if "frame" in program.inputs:
        known |= compiled.setting.frame_inputs()
        folded.append(f"frame: {compiled.setting.points[0].given}")
    if compiled.setting.passive is not None:
        known["passive"] = compiled.setting.passive.astype(float)
        folded.append("the passive set; vectors of active or passive joints hold all components, the others unread")
    text = ", ".join(map(str, compiled.formulas))
    results = [RESULTS.get(str(formula.codomain), "y") for formula in compiled.formulas]
    described = Description("formula", "A formula compiled to sweeps over the links.", text, "", tuple(folded))
    known = {x: value for x, value in known.items() if x in program.inputs}
    program, described = with_exported(program, described, derivative, known)
    return c_source(
        program,
        robot,
        function_name(name, f"{robot.name}_formula"),
        known,
        described,
        results,
        header,
        real,
        libm,
        called,
    )
