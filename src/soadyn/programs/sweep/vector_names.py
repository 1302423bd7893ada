"""The papers' vectors and what each is called: in formulas, as an argument, in programs, and in print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class VectorName:
    """One vector. An empty name: it does not occur there.

    `made_from` names the vectors, by their symbols, from which it is computed unless a call supplies it.
    """

    symbol: str  # in formulas
    letter: str  # in printed recursions
    argument: str  # of a compiled formula
    public: str = ""  # argument of a named quantity
    input: str = ""  # of a program
    value: str = ""  # what a program's steps read
    made_from: tuple[str, ...] = ()


# In the order of a compiled formula's arguments.
VECTOR_NAMES = (
    VectorName("theta_dot", "θ̇", "v", public="v", input="v", value="v"),
    VectorName("theta_dot_a", "θ̇_a", "theta_dot_a"),
    VectorName("theta_ddot", "θ̈", "theta_ddot", public="a", input="vdot", value="vdot"),
    VectorName("theta_ddot_a", "θ̈_a", "theta_ddot_a"),
    VectorName("T", "T", "T", public="tau", input="tau", value="tau"),
    VectorName("T_p", "T_p", "T_p"),
    VectorName("f_tip", "f_tip", "f_tip"),
    VectorName("f_x", "f_x", "f_x", public="external", input="external", value="f_external"),
    VectorName("Y", "Y", "Y", value="Y"),
    VectorName("V", "V", "V", value="V", made_from=("theta_dot",)),
    VectorName("a", "a", "a", value="a_g", made_from=("theta_dot",)),
    VectorName("a_tip", "a(0)", "a_tip", value="a_tip", made_from=("theta_dot",)),
    VectorName("b", "b", "b", value="b", made_from=("theta_dot",)),
    VectorName("alpha", "α", "alpha", made_from=("theta_ddot", "a")),
    VectorName("f", "f", "f", made_from=("alpha", "b", "f_tip")),
)
# Vectors of the diagonalized equations: programs both compute them and take them, and call those they take x_given.
DIAGONALIZED = ("nu", "epsilon", "xi", "kappa")
OF_SYMBOL = {x.symbol: x for x in VECTOR_NAMES}
OF_VALUE = {x.value: x for x in VECTOR_NAMES if x.value}
OF_INPUT = {x.input: x for x in VECTOR_NAMES if x.input}


def public_name(program_input: str) -> str:
    """What users call a program's input.

    >>> public_name("vdot"), public_name("q")
    ('a', 'q')
    """
    found = OF_INPUT.get(program_input)
    return program_input.removesuffix("_given") if found is None else found.public


def program_name(public: str) -> str:
    """What programs call an argument of a named quantity.

    >>> program_name("a"), program_name("q")
    ('vdot', 'q')
    """
    if public in DIAGONALIZED:
        return f"{public}_given"
    return next((x.input for x in VECTOR_NAMES if public and x.public == public), public)


def argument_name(symbol: str) -> str:
    """What calls of a compiled formula call a formula's vector.

    >>> argument_name("theta_dot"), argument_name("wind")
    ('v', 'wind')
    """
    found = OF_SYMBOL.get(symbol)
    return symbol if found is None else found.argument
