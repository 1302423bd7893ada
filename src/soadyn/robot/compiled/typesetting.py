"""Compiled formulas in LaTeX and in notebooks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.writing import latex
from soadyn.programs.sweep.loops import loops
from soadyn.programs.sweep.printing import documented
from soadyn.programs.sweep.program import step_of
from soadyn.view.display.equations import equation
from soadyn.view.display.mathml import mathml
from soadyn.view.display.tables import heading, shown, table, text

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled


def typeset(compiled: Compiled) -> str:
    """The levels of an explanation as LaTeX, for `align*` of amsmath.

    >>> import soadyn as sd
    >>> from soadyn.algebra import T, inv, mass
    >>> r"\\epsilon(k) &= T(k) - H(k) z(k)" in sd.explain(inv(mass) @ T, sd.load("ur5"), latex=True)
    True
    """
    lines = [rf"\[ {latex(formula)} \]" for formula in compiled.formulas]
    if compiled.form.way.used:
        lines += [rf"\[ {_identity(x)} \qquad \text{{[{x.reference}]}} \]" for x in compiled.form.way.used]
        lines += [rf"\[ {latex(formula)} \]" for formula in compiled.form.formulas]
    for loop in loops(compiled.program):
        lines += ["", rf"\textbf{{{loop.header}}}", r"\begin{align*}"]
        for stage in loop.stages:
            equations, _, _ = documented(step_of(stage))
            lines += [typeset_line(line) for line in equations]
        lines.append(r"\end{align*}")
    return "\n".join(lines) + "\n"


def _identity(x: Reason) -> str:
    row = IDENTITIES.get(x.name)
    return rf"\text{{{x.name}}}" if row is None else f"{latex(row.left)} = {latex(row.right)}"


def typeset_line(line: str) -> str:
    """One printed equation as a line of `align*`."""
    found = re.fullmatch(r"(.*?)(?:  +\[(\d{3} .*)\])?", line)
    assert found is not None
    body, reference = found.groups()
    tag = rf" \tag*{{[{reference}]}}" if reference else ""
    return f"    {re.sub(r' +(=|←) ', r' &= ', equation(body), count=1)}{tag} \\\\"


def shown_compiled(compiled: Compiled) -> str:
    """The formulas typeset, how the function is called, the identities it was shortened by."""
    formulas = "".join(mathml(latex(formula), block=True) for formula in compiled.formulas)
    used = [(x.name, x.reference) for x in compiled.form.way.used]
    identities = table(["identity applied", "papers"], used) if used else ""
    called = f"<p><code>{text(compiled.signature)}</code></p>"
    return shown(heading("compiled formula", f"for {compiled.robot.name}"), formulas, called, identities)
