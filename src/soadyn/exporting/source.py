"""A program of one robot as a C99 source and its header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soadyn.engine import policy
from soadyn.engine.tracing import Graph, Scalar
from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.trace import Traced, cheapest_trace, recorded
from soadyn.engine.tracing.traced import traced
from soadyn.errors import ArgumentError, SingularError
from soadyn.exporting.c_text import Real, RealName, comment, definitions, free_name, header_text, identifier
from soadyn.exporting.comments import Description, conventions
from soadyn.exporting.derivatives import argument_names, result_names
from soadyn.exporting.functions import (
    HALVES,
    Array,
    computing_functions,
    prototype_of,
    public_function,
    results_named,
)
from soadyn.exporting.parts import in_parts
from soadyn.exporting.sine import sine_and_cosine
from soadyn.exporting.statements import Translation
from soadyn.programs.sweep.program import Program, kept_kind
from soadyn.programs.sweep.vector_names import DIAGONALIZED, OF_INPUT, program_name, public_name
from soadyn.robot import Robot

# Arguments in the order of the C function, and results, by their names in programs.
_INPUTS = ("q", "v", "vdot", "tau", *map(program_name, DIAGONALIZED), "passive", "external")
ARGUMENTS = {name: public_name(name) for name in _INPUTS}
RESULTS = {
    **{x.symbol: x.public for x in OF_INPUT.values()},
    "D_block": "D",
    "pose_frame": "pose",
    "pose_link": "poses",
    "V_frame": "velocity",
    "alpha_frame": "acceleration",
    "J_com": "J",
}


def c_source(
    program: Program,
    robot: Robot,
    name: str,
    known: Mapping[str, Any] | None = None,
    description: Description | None = None,
    results: Sequence[str] = (),
    header: str | None = None,
    real: RealName = "double",
    libm: bool = False,
    called: Mapping[str, str] | None = None,
    unread: Mapping[str, np.ndarray] | None = None,
    passive: PassiveSet | None = None,
) -> tuple[str, str]:
    """The source and header of a program's function `name`.

    `known` are inputs of the program whose values are folded in, as the reference takes them; `unread` marks components
    (nv,) of inputs that count as zero, whatever calls give for them; `passive` says which parts of what the program
    computes are results. `results` names the results otherwise than the
    program does, `called` the arguments; `header` is the name of the header's file.

    >>> import soadyn as sd
    >>> from soadyn.exporting import c_source
    >>> from soadyn.programs.sweep.algorithms import GRAVITY_FORCE
    >>> source, header = c_source(GRAVITY_FORCE, sd.load("planar_two_link"), "hold")
    >>> "int hold(const double q[2], double tau[2]);" in header
    True
    """
    described = description or Description(program.name)
    trace = cheapest_trace(program, robot.model, lambda same: _traced(same, robot, known or {}, unread or {}, passive))
    check_trace(described.title, robot, policy.LONGEST_EXPORTED, trace)
    own = results or [RESULTS.get(kind := kept_kind(output.value), kind) for output in program.outputs]
    called = called or ARGUMENTS
    arguments = argument_names(program, trace.outputs, called, own)
    named = result_names(program, called, own)
    return traced_source(trace, robot, name, described, arguments, named, header, Real(real), libm)


def traced_source(
    trace: Traced,
    robot: Robot,
    name: str,
    described: Description,
    called: Mapping[str, str],
    results: Sequence[str],
    header: str | None,
    number: Real,
    libm: bool,
) -> tuple[str, str]:
    """The source and header of a trace's function; `called` names its arguments, in their order, `results` the rest."""
    inputs = _inputs(trace, called)
    outputs = results_named(trace.outputs, inputs, [identifier(text, prefix="result") for text in results])
    places = {
        x.node: (array.inner, i) for array in inputs for i, x in enumerate(array.scalars) if isinstance(x, Scalar)
    }
    translation = Translation(trace, places, number, libm, name)
    parts = in_parts(translation.statements, [x.node for x in trace.results if isinstance(x, Scalar)])
    prototype = prototype_of(name, inputs, outputs, number)
    stack = parts.stack(number.bytes, sum(array.count for array in inputs if array.inner != array.name))
    comments = comment(conventions(described, robot, (inputs, outputs), trace.counts(), stack, number, libm))
    header = header or f"{name}.h"
    text = [
        comments,
        f'#include "{header}"\n\n#include <math.h>',
        definitions(number),
        *([] if libm or not translation.angles else [sine_and_cosine(name, number)]),
        *computing_functions(name, inputs, outputs, translation, parts, number),
        public_function(name, prototype, inputs, outputs, parts, number),
        "#undef MULTIPLY_ADD\n#undef MULTIPLY_ADD_DOUBLE",
    ]
    return "\n\n".join(text) + "\n", header_text(header, comments, prototype)


def _traced(
    program: Program,
    robot: Robot,
    known: Mapping[str, Any],
    unread: Mapping[str, np.ndarray],
    passive: PassiveSet | None,
) -> Traced:
    graph = Graph()
    partly: dict[Port, Any] = {}
    for name, mask in unread.items():
        if name in program.inputs:
            port = Port(name, (robot.model.nv,))
            partly[port] = recorded(graph, port)
            partly[port][mask] = 0.0
    folded = {**known, **{port.name: x for port, x in partly.items()}}
    return traced(program, robot.engine.constants, {}, graph, partly, folded, passive=passive)


def check_trace(title: str, robot: Robot, longest: int, trace: Traced) -> None:
    operations = sum(trace.counts().values())
    if trace.graph.hopeless:
        raise SingularError(
            f"{title} of robot {robot.name!r} has no answer at any state: along some joint nothing has inertia"
        )
    if operations > longest:  # the file has about 50 bytes for each operation
        raise ArgumentError(
            f"{title} of robot {robot.name!r} takes {operations:,} operations, "
            f"more than the {longest:,} that are written out as C"
        )


def _inputs(trace: Traced, called: Mapping[str, str]) -> list[Array]:
    """The arguments in the order of the C function; `passive` and the halves it chooses are read from copies."""
    masked = any(port.name == "passive" for port in trace.inputs)
    arrays: list[Array] = []
    for port, scalars in trace.inputs.items():
        wanted = identifier(called.get(port.name, port.name), prefix="given")
        name = free_name(wanted, {array.name for array in arrays}, "_in")
        inner = f"{name}_read" if masked and port.name in (*HALVES, "passive") else name
        arrays.append(Array(name, inner, port, scalars))
    order = list(called)
    return sorted(arrays, key=lambda x: order.index(x.port.name) if x.port.name in order else len(order))
