"""A compiled formula as C text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from soadyn.algebra.defining import Numbers
from soadyn.algebra.expressions import Symbol
from soadyn.errors import ArgumentError
from soadyn.exporting.c_text import RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.derivatives import DerivativeName, with_exported
from soadyn.exporting.source import c_source
from soadyn.robot.compiled import Compiled
from soadyn.robot.compiled.formula_arguments import OF_PROGRAM, Setting, fixed_inputs

# The names of results, by the space they lie in.
RESULTS = {f"{place} {side}": side for place in ("joint", "link", "task") for side in ("motion", "force")}


def formula_source(
    compiled: Compiled,
    header: str,
    real: RealName,
    libm: bool,
    name: str | None,
    derivative: DerivativeName | None,
) -> tuple[str, str]:
    """The source and header of a compiled formula; a user's numbers, frames and the passive set are folded in."""
    if compiled.inverted is not None:
        raise ArgumentError(
            f"export_c: {compiled.formulas[0]} is solved numerically around the program; "
            f"export {compiled.inverted.formulas[0]}, and solve with its matrix"
        )
    if compiled.setting.parametric is not None:
        raise ArgumentError(
            "export_c: constants are written out in C; compile the formula for a robot without parameters"
        )
    if compiled.is_dense:
        raise ArgumentError(f"export_c: no recursion is known for {', '.join(map(str, compiled.formulas))}")
    program, robot, inputs = compiled.program, compiled.robot, compiled.form.inputs
    known = fixed_inputs(compiled.setting, inputs, program.inputs)
    called = {"q": "q", **{inside: outside for outside, inside in OF_PROGRAM.items()}}
    called |= {place: symbol.name for place, symbol in inputs.places().items() if place not in known}
    folded = [f"operator: {x.name}" for x in inputs.places().values() if isinstance(x.blocks, Numbers)]
    folded += [f"frame: {point.frame.name}" for point in compiled.setting.points]
    if compiled.setting.passive is not None:
        folded.append(
            "the passive set; vectors of active or passive joints hold all components, the others unread or 0"
        )
    text = ", ".join(map(str, compiled.formulas))
    results = [RESULTS.get(str(formula.codomain), "y") for formula in compiled.formulas]
    described = Description("formula", "A formula compiled to sweeps over the links.", text, "", tuple(folded))
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
        _unread(compiled.setting, inputs.places()),
    )


def _unread(setting: Setting, symbols: Mapping[str, Symbol]) -> dict[str, np.ndarray]:
    """Of vectors of active joints the components of passive ones, and the other way round."""
    if setting.passive is None:
        return {}
    others = {"active joint": setting.passive, "passive joint": ~setting.passive}
    return {name: others[x.codomain.place] for name, x in symbols.items() if x.is_vector and x.codomain.place in others}
