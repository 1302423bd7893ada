"""The functions of an exported file as C text: those that compute, and the public one around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from soadyn.engine.tracing import Scalar
from soadyn.engine.tracing.ports import Port
from soadyn.exporting.c_text import Real, free_name
from soadyn.exporting.parts import Parts
from soadyn.exporting.statements import Translation

NOT_FINITE, NO_ANSWER, OVERFLOW = 1, 2, 3
STATUS = {
    0: "done",
    NOT_FINITE: "an argument is not finite",
    NO_ANSWER: "a joint has nothing to accelerate (D(k) is singular), or a quaternion vanishes",
    OVERFLOW: "a result overflows",
}

# What is read of vectors where `passive` is an argument: the known half of each; the other is computed, or counts zero.
HALVES = {
    "vdot": "passive[i] ? {zero} : a[i]",
    "tau": "passive[i] ? tau[i] : {zero}",
    "x": "passive[i] ? {zero} : x[i]",
    "y": "passive[i] ? y[i] : {zero}",
}


@final
@dataclass(frozen=True, slots=True)
class Array:
    """An argument or result: its name in C, that of the copy that is read, its port, its scalars in row order."""

    name: str
    inner: str
    port: Port
    scalars: Sequence[object]

    @property
    def count(self) -> int:
        return self.port.count

    @property
    def read(self) -> list[int]:
        """The entries that are read: those whose value is not folded in."""
        return [i for i, x in enumerate(self.scalars) if isinstance(x, Scalar)]


def prototype_of(name: str, inputs: Sequence[Array], outputs: Sequence[Array], real: Real) -> str:
    """The public function's head."""
    kind = {"passive": "int"}
    given = [f"const {kind.get(x.name, real.name)} {x.name}[{x.count}]" for x in inputs]
    found = [f"{real.name} {x.name}[{x.count}]" for x in outputs]
    return f"int {name}({', '.join([*given, *found])})"


def computing_functions(
    name: str,
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    translation: Translation,
    parts: Parts,
    real: Real,
) -> list[str]:
    """A static function for each part, the results written by the last; `w` holds what passes between them.

    Each returns 0 if there is no answer.
    """
    functions = []
    last = len(parts.parts) - 1
    for p in range(last + 1):
        lines = _part(p, parts, real)
        arguments = [f"const {real.name} *{array.inner}" for array in _read_by(p, inputs, parts)]
        arguments += [f"{real.name} *w"] if parts.room else []
        if p == last:
            arguments += [f"{real.name} *{array.inner}" for array in outputs]
            lines += _handed_out(outputs, translation, parts)
        functions.append(
            _function(f"static int {name}_part_{p + 1}({', '.join(arguments)})", ["int ok = 1;", *lines, "return ok;"])
        )
    return functions


def _read_by(p: int, inputs: Sequence[Array], parts: Parts) -> list[Array]:
    read = frozenset[str]().union(*(statement.arguments for statement in parts.parts[p]))
    return [array for array in inputs if array.inner in read]


def _part(p: int, parts: Parts, real: Real) -> list[str]:
    lines: list[str] = []
    step = ""
    here: set[int] = set()
    for statement in parts.parts[p]:
        if statement.step != step:
            step = statement.step
            lines.append(f"/* {step} */")
        fetched = [node for node in statement.uses if node in parts.places and node not in here]
        lines += [f"const {real.name} x{node} = w[{parts.places[node]}];" for node in fetched]
        lines.append(statement.text)
        lines += [f"w[{parts.places[node]}] = x{node};" for node in statement.defines if node in parts.places]
        here.update(fetched, statement.defines)
    return lines


def _handed_out(outputs: Sequence[Array], translation: Translation, parts: Parts) -> list[str]:
    """Write every result; those computed in earlier parts are read from `w`."""
    here = {node for statement in parts.parts[-1] for node in statement.defines}
    lines = []
    for array in outputs:
        for i, x in enumerate(array.scalars):
            text = translation.signed(x)
            if isinstance(x, Scalar) and x.node in parts.places and x.node not in here:
                text = f"{'-' if x.negative else ''}w[{parts.places[x.node]}]"
            lines.append(f"{array.inner}[{i}] = {text};")
    return lines


def public_function(
    name: str, prototype: str, inputs: Sequence[Array], outputs: Sequence[Array], parts: Parts, real: Real
) -> str:
    """Checks, the parts, and NaN in every result where there is no answer."""
    lines = [f"{real.name} w[{parts.room}];"] if parts.room else []
    lines += [f"{real.name} {array.inner}[{array.count}];" for array in inputs if array.inner != array.name]
    lines += ["int i, status = 0;", *_halves(inputs, real)]
    lines += [f"(void){array.name};" for array in inputs if not array.read]
    for array in inputs:
        if len(array.read) == array.count:
            lines.append(f"for (i = 0; i < {array.count}; ++i)")
            lines.append(f"    if (!isfinite({array.inner}[i])) status = {NOT_FINITE};")
        else:
            lines += [f"if (!isfinite({array.inner}[{i}])) status = {NOT_FINITE};" for i in array.read]
    lines.append("if (status == 0) {")
    for p in range(len(parts.parts)):
        given = [array.inner for array in _read_by(p, inputs, parts)] + (["w"] if parts.room else [])
        given += [array.inner for array in outputs] if p == len(parts.parts) - 1 else []
        lines.append(f"    if (!{name}_part_{p + 1}({', '.join(given)})) status = {NO_ANSWER};")
    lines.append("}")
    for array in outputs:
        lines.append(f"for (i = 0; i < {array.count}; ++i)")
        lines.append(f"    if (status == 0 && !isfinite({array.name}[i])) status = {OVERFLOW};")
    lines.append("if (status != 0) {")
    for array in outputs:
        lines.append(f"    for (i = 0; i < {array.count}; ++i) {array.name}[i] = NAN;")
    return _function(prototype, [*lines, "}", "return status;"])


def _halves(inputs: Sequence[Array], real: Real) -> list[str]:
    """Copy the mask as numbers, and the known halves of a and tau."""
    inner = {array.port.name: array for array in inputs if array.inner != array.name}
    if not inner:
        return []
    zero, one = real.literal(0.0), real.literal(1.0)
    lines = [f"for (i = 0; i < {inner['passive'].count}; ++i) {{"]
    lines.append(f"    {inner['passive'].inner}[i] = passive[i] ? {one} : {zero};")
    lines += [
        f"    {inner[port].inner}[i] = {text.format(zero=zero)};" for port, text in HALVES.items() if port in inner
    ]
    return [*lines, "}"]


def _function(head: str, lines: Iterable[str]) -> str:
    return "\n".join([head, "{", *(f"    {line}" for line in lines), "}"])


def results_named(
    outputs: Mapping[Port, Sequence[object]], inputs: Sequence[Array], names: Sequence[str]
) -> list[Array]:
    """The results, none called like an argument or another result."""
    arrays: list[Array] = []
    for name, (port, scalars) in zip(names, outputs.items(), strict=True):
        name = free_name(name, {array.name for array in (*inputs, *arrays)}, "_out")
        arrays.append(Array(name, name, port, scalars))
    return arrays
