"""A program traced on a robot with symbols for its arguments and constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.algebra.expressions import Expression
from soadyn.algebra.spaces import NUMBER
from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.parameters import with_parameters
from soadyn.engine.engine import Engine
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.scalar import Graph, Scalar
from soadyn.engine.tracing.traced import traced
from soadyn.errors import ArgumentError, check_name
from soadyn.later import optional
from soadyn.model import configuration
from soadyn.programs.lowering.known_inverses import resolved
from soadyn.programs.lowering.lower import rewritten_program, written_program
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Program
from soadyn.quantities import QUANTITIES
from soadyn.robot.arguments.inputs import inputs_of, program_for
from soadyn.robot.symbolic.symbolic import Symbolic
from soadyn.robot.symbolic.symbols import ARGUMENTS, constant_symbols, joint_symbols, robot_value, wanted_constants


def symbolic(engine: Engine, what: str | Expression, free: Sequence[str], options: Mapping[str, Any]) -> Symbolic:
    """A quantity or formula with the arguments and constants in `free` as symbols; other arguments are at rest."""
    sympy = optional("sympy", "symbolic")
    if isinstance(free, str):
        raise ArgumentError(f"free takes a list of names, got the text {free!r}; write [{free!r}]")
    if engine.coordinates.tied:
        raise ArgumentError(f"robot {engine.model.name!r} has tied mimic joints, which have no symbolic form")
    constants = wanted_constants(engine.model, free)
    program, given = _program(engine, what, options)
    known = {name: x for name, x in given.items() if name not in {ARGUMENTS[x] for x in free if x in ARGUMENTS}}
    graph = Graph()
    symbols: dict[int, Any] = {}
    values: dict[str, np.ndarray[Any, Any]] = {}
    for name, mask in constants:
        values[name] = _recorded_constant(engine, graph, name, mask, symbols, sympy)
    robot: Constants = with_parameters(engine.constants, values) if values else engine.constants
    parameters = {Port(name, value.shape): list(value.flat) for name, value in values.items()}
    links = {name: given[name][0] for name in given if is_frame(name)}
    trace = traced(program, robot, links, graph, parameters, known)
    _name_inputs(engine, trace.inputs, symbols, sympy)
    results = tuple((port.shape, scalars) for port, scalars in trace.outputs.items())
    return Symbolic(what if isinstance(what, str) else "formula", graph, symbols, results)


def _program(engine: Engine, what: str | Expression, options: Mapping[str, Any]) -> tuple[Program, dict[str, Any]]:
    """The program, and all it reads with numbers: a robot at rest in its neutral configuration."""
    nv = engine.coordinates.nv
    state: dict[str, Any] = {"q": configuration.neutral(engine.coordinates)}
    state |= {name: np.zeros(nv) for name in ("v", "a", "tau", "x", "y")}
    if isinstance(what, Expression):
        return _formula_program(what), {"q": state["q"], **{ARGUMENTS[x]: state[x] for x in ("v", "a", "tau")}}
    check_name("quantity", what, QUANTITIES)
    quantity = QUANTITIES[what]
    usual = {x.name: x.usual for x in quantity.parameters if x.default is not None}
    for name in options:
        if name not in {x.name for x in quantity.parameters} or name in state:
            raise ArgumentError(f"{what} has no option {name!r}")
    missing = [x.name for x in quantity.parameters if x.name not in {**state, **usual, **options}]
    if missing:
        raise ArgumentError(f"{what} needs {', '.join(missing)}: symbolic({what!r}, free=..., {missing[0]}=...)")
    given = {**state, **usual, **options}
    return program_for(quantity, given, engine.model), inputs_of(engine, quantity, given)


def _formula_program(formula: Expression) -> Program:
    """The program of a vector over the joints, or of a number, in its cheapest form that needs no robot to be found."""
    if not formula.is_vector or formula.codomain.place not in ("joint", "white joint", "number"):
        raise ArgumentError(f"symbolic takes formulas that are vectors of joints or numbers; {formula} is none")
    if formula.codomain != NUMBER:
        return rewritten_program("formula", formula)
    return written_program("formula", resolved(formula))


def _recorded_constant(
    engine: Engine, graph: Graph, name: str, mask: np.ndarray, symbols: dict[int, Any], sympy: Any
) -> np.ndarray[Any, Any]:
    """A parameter's value: recorded scalars where it is a symbol, the robot's own numbers elsewhere."""
    own = robot_value(engine.model, name)
    value = np.empty(own.shape, dtype=object)
    names = constant_symbols(name, own.shape)
    for index in np.ndindex(own.shape):
        if not mask[index]:
            value[index] = float(own[index])
            continue
        scalar = graph.input(names[index])
        symbols[scalar.node] = sympy.Symbol(str(names[index]), real=True, positive=True if "mass" in name else None)
        value[index] = scalar
    return value


def _name_inputs(engine: Engine, inputs: Mapping[Port, Sequence[Any]], symbols: dict[int, Any], sympy: Any) -> None:
    """SymPy symbols for the arguments that are left open, in front of those of constants."""
    letters = {program: letter for letter, program in ARGUMENTS.items()}
    arguments: dict[int, Any] = {}
    for port, scalars in inputs.items():
        if port.name in letters:
            names = joint_symbols(engine.coordinates, letters[port.name], port.name == "q")
        elif port.name.startswith("joint$"):  # a vector of the formula's own, by its number
            names = joint_symbols(engine.coordinates, f"x{port.name[6:]}", False)
        elif any(isinstance(x, Scalar) and x.node in symbols for x in scalars):
            continue
        else:
            raise ArgumentError(f"symbolic cannot leave {port.name!r} open")
        for name, scalar in zip(names, scalars, strict=True):
            arguments[scalar.node] = sympy.Symbol(name, real=True)
    constants = dict(symbols)
    symbols.clear()
    symbols.update({**arguments, **constants})
