"""The fast path of compiled formulas: which calls can go straight to a kernel.

It is for vectors over all joints and plain numbers. Vectors over active or passive joints, links or operational points
are first brought into their place among zeros.
"""

from __future__ import annotations

from soadyn.compiled.choice import Form
from soadyn.compiled.formula_arguments import OF_PROGRAM, Argument, is_fixed

AS_THEY_ARE = ("joint", "white joint", "number")


def has_fast_path(form: Form, arguments: list[Argument]) -> bool:
    """Does the kernel take a call's arguments, in their order, and further only what the formula fixes?"""
    program = form.lowered.program
    taken, rest = program.inputs[: len(arguments)], program.inputs[len(arguments) :]
    plain = all(formula.codomain.place in AS_THEY_ARE for formula in form.formulas)
    return (
        plain
        and list(taken) == [_of_program(form, argument) for argument in arguments]
        and all(name == "passive" or _is_fixed(form, name) for name in rest)
    )


def _is_fixed(form: Form, name: str) -> bool:
    """Is the input one whose numbers the formula holds?"""
    return name.startswith("joint$") and is_fixed(form.inputs.symbol(name))


def _of_program(form: Form, argument: Argument) -> str | None:
    """The program's name of an argument that it takes as it is; None for others."""
    if argument.space is None:
        return "q"
    if argument.space.place not in AS_THEY_ARE:
        return None
    if argument.name in OF_PROGRAM:
        return OF_PROGRAM[argument.name]
    names = [symbol.name for symbol in form.inputs.joint]
    return f"joint${names.index(argument.name)}" if argument.name in names else None
