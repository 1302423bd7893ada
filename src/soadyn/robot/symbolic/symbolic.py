"""A quantity or formula of one robot as symbolic expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.tracing.scalar import Graph
from soadyn.errors import ArgumentError
from soadyn.robot.symbolic.from_trace import TraceReader


@final
@dataclass(frozen=True, slots=True, eq=False)
class Symbolic:
    """Results as SymPy expressions; made by `Robot.symbolic`.

    `symbols` are the free numbers in the order in which generated functions take them.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> M = arm.symbolic("mass_matrix", free=("q",))
    >>> M.symbols
    (q_joint1, q_joint2)
    >>> M.expressions[0, 1]
    cos(q_joint2)/2 + 1/3
    """

    name: str
    graph: Graph
    inputs: dict[int, Any]  # SymPy symbols by the node of the graph that is read for them
    results: tuple[tuple[tuple[int, ...], Sequence[Any]], ...]  # of each result its shape and recorded scalars

    @property
    def symbols(self) -> tuple[Any, ...]:
        """The free symbols."""
        return tuple(dict.fromkeys(self.inputs.values()))

    @property
    def expressions(self) -> Any:
        """A number, vector or matrix of expressions, or a tuple of those, nothing abbreviated."""
        reading = self._read(shared=False)
        return _alone([_arranged(shape, [reading.of(x) for x in flat]) for shape, flat in self.results])

    def cse(self) -> tuple[list[tuple[Any, Any]], Any]:
        """Shared sub-expressions as (symbol, expression) pairs, and the results in terms of them.

        >>> import soadyn as sd
        >>> lines, results = sd.load("puma560").symbolic("mass_matrix_factors").cse()
        >>> len(results)
        2
        """
        reading = self._read(shared=True)
        found = [_arranged(shape, [reading.of(x) for x in flat]) for shape, flat in self.results]
        return reading.lines, _alone(found)

    def operations(self) -> int:
        """How many operations the results take, shared sub-expressions counted once."""
        import sympy

        lines, results = self.cse()
        parts = [value for _, value in lines] + [x for part in _listed(results) for x in _flat(part)]
        return int(sum(sympy.count_ops(x) for x in parts))

    def simplified(self) -> Any:
        """The expressions simplified by SymPy; for small robots."""
        import sympy

        parts = _listed(self.expressions)
        return _alone([x.applyfunc(sympy.simplify) if hasattr(x, "applyfunc") else sympy.simplify(x) for x in parts])

    def latex(self, shared: bool = False) -> str:
        """LaTeX of the results; with `shared` a line for each shared sub-expression first."""
        import sympy

        lines, results = self.cse() if shared else ([], self.expressions)
        text = [f"{sympy.latex(name)} = {sympy.latex(value)}" for name, value in lines]
        return "\n".join([*text, *(sympy.latex(x) for x in _listed(results))])

    def python(self) -> str:
        """The source of a Python function of the symbols that needs `math` alone.

        >>> import soadyn as sd
        >>> print(sd.load("planar_two_link").symbolic("mass_matrix").python())
        from math import cos, sin, sqrt
        <BLANKLINE>
        <BLANKLINE>
        def mass_matrix(q_joint1, q_joint2):
            x0 = cos(q_joint2)
            x1 = 0.5*x0 + 0.33333333333333331
            return [[x0 + 1.6666666666666666, x1], [x1, 0.33333333333333331]]
        <BLANKLINE>
        """
        import sympy

        lines, results = self.cse()
        nested = [_nested(x, sympy.pycode) for x in _listed(results)]
        body = [f"    {name} = {_plain(sympy.pycode(value))}" for name, value in lines]
        returned = "    return " + _plain(", ".join(nested))
        head = f"def {self.name}({', '.join(map(_identifier, self.symbols))}):"
        return "\n".join(["from math import cos, sin, sqrt", "", "", head, *body, returned, ""])

    def c(self) -> str:
        """The source of a C99 function that fills an array for each result, row by row."""
        import sympy

        lines, results = self.cse()
        parts = _listed(results)
        outputs = [f"double out{i}[]" for i in range(len(parts))]
        arguments = ", ".join([*(f"double {_identifier(x)}" for x in self.symbols), *outputs])
        body = [f"    const double {name} = {sympy.ccode(value)};" for name, value in lines]
        body += [
            f"    out{i}[{j}] = {sympy.ccode(x)};" for i, part in enumerate(parts) for j, x in enumerate(_flat(part))
        ]
        return "\n".join(["#include <math.h>", "", f"void {self.name}({arguments})", "{", *body, "}", ""])

    def _read(self, shared: bool) -> TraceReader:
        everything = [x for _, flat in self.results for x in flat]
        return TraceReader(self.graph, self.inputs, everything, shared)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.symbols))}) = {self.expressions}"


def _arranged(shape: tuple[int, ...], entries: list[Any]) -> Any:
    """Expressions as a number, a column, a matrix or an array of more axes."""
    import sympy

    if not shape:
        return entries[0]
    if len(shape) <= 2:
        return sympy.ImmutableMatrix(shape[0], shape[1] if len(shape) == 2 else 1, entries)
    return sympy.ImmutableDenseNDimArray(entries, shape)


def _alone(found: list[Any]) -> Any:
    return found[0] if len(found) == 1 else tuple(found)


def _listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, tuple) else [results]


def _flat(part: Any) -> list[Any]:
    return list(np.array(part.tolist(), dtype=object).flat) if hasattr(part, "tolist") else [part]


def _nested(part: Any, write: Callable[[Any], str]) -> str:
    """An array of expressions as nested lists; a column as a plain list."""
    if not hasattr(part, "tolist"):
        return write(part)
    rows = part.tolist()
    if getattr(part, "shape", ())[1:] == (1,):
        rows = [row[0] for row in rows]

    def text(x: Any) -> str:
        return f"[{', '.join(map(text, x))}]" if isinstance(x, list) else write(x)

    return text(rows)


def _plain(code: str) -> str:
    return code.replace("math.", "")


def _identifier(symbol: Any) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*", str(symbol)):
        raise ArgumentError(
            f"symbol {str(symbol)!r} cannot be an argument's name in generated code; rename its joint or link"
        )
    return str(symbol)
