"""Derivatives of exported functions: what is computed besides the results, and what its arrays are called in C."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Literal, get_args

from soadyn.engine.tracing.ports import Port
from soadyn.errors import ArgumentError
from soadyn.exporting.c_text import free_name
from soadyn.exporting.comments import Description
from soadyn.programs.sweep.inputs import core_axes
from soadyn.programs.sweep.program import Derivative, Program, with_derivative

DerivativeName = Literal["jvp", "vjp"]
MEANING = {
    "jvp": "and how it changes along directions d of its arguments (dq along the tangent space, in the order of v)",
    "vjp": "and the derivatives by its arguments of the sum of its entries times weights w (by q along the tangent "
    "space, in the order of v)",
}


def with_exported(
    program: Program, described: Description, derivative: DerivativeName | None, known: Container[str]
) -> tuple[Program, Description]:
    """The program with a derivative by all vectors that are arguments of the C function, and what the comment says."""
    if derivative is None:
        return program, described
    if not isinstance(derivative, str) or derivative not in get_args(DerivativeName):
        raise ArgumentError(f'export_c: derivative is "jvp", "vjp" or None, got {derivative!r:.60}')
    vectors = [name for name in program.inputs if name not in known and name != "passive" and core_axes(name)]
    mode: Literal["tangent", "gradient"] = "tangent" if derivative == "jvp" else "gradient"
    told = Description(
        f"{described.title}, {derivative}",
        f"{described.purpose} {MEANING[derivative][0].upper()}{MEANING[derivative][1:]}.",
        described.equation,
        described.unit,
        described.folded,
    )
    return with_derivative(program, Derivative(mode, tuple(vectors))), told


def argument_names(
    program: Program, outputs: Iterable[Port], called: Mapping[str, str], results: Sequence[str]
) -> dict[str, str]:
    """What arguments are called, those of derivatives behind the program's own; `outputs` are those of its trace."""
    found = dict(called)
    for derivative in program.derivatives:
        if derivative.mode == "tangent":
            found |= {f"d:{name}": f"d{called.get(name, name)}" for name in derivative.by}
        else:
            named: dict[str, str] = {}
            for port, result in zip(outputs, results, strict=False):
                named[f"w:{port.name}"] = free_name(f"w_{result}", named.values(), "_out")
            found |= named
    return found


def result_names(program: Program, called: Mapping[str, str], results: Sequence[str]) -> list[str]:
    """What results are called, those of derivatives behind the program's own."""
    found = list(results)
    for derivative in program.derivatives:
        if derivative.mode == "tangent":
            found += [f"d{result}" for result in results]
        else:
            found += [f"by_{called.get(name, name)}" for name in derivative.by]
    return found
