"""Compiled formulas and the equations of their recursions in LaTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.rewriting.rules import Reason
from soadyn.algebra.writing import latex
from soadyn.programs.sweep.loops import loops
from soadyn.programs.sweep.printing import documented
from soadyn.programs.sweep.program import step_of

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled

# How the letters of printed recursions are typeset; longer ones first.
TYPESET = {
    "Σⱼ": r"\sum_j ",
    "D^-½*": "D^{-*/2}",
    "D^-½": "D^{-1/2}",
    "D^½*": "D^{*/2}",
    "D^½": "D^{1/2}",
    "theta_ddot": r"\ddot\theta",
    "theta_dot": r"\dot\theta",
    "θ̈": r"\ddot\theta",
    "θ̇": r"\dot\theta",
    "l̃": r"\tilde l",
    "⁻¹": "^{-1}",
    "φ": r"\phi",
    "ψ": r"\psi",
    "ω": r"\omega",
    "α": r"\alpha",
    "λ": r"\lambda",
    "ε": r"\epsilon",
    "ν": r"\nu",
    "δ": r"\delta",
    "⁺": "^+",
    "×": r"\times ",
    "←": r"\leftarrow ",
    "½": r"\tfrac12",
    "·": r"\cdot ",
    "′": "'",
    "″": "''",
    "‴": "'''",
    "*": "^*",
    "A_r": "A_r",
}

# Words of a sentence, and the spaces between them and letters beside them; not names of functions and commands.
WORD = r"(?:[A-Za-z]{3,}|if|is)(?:'s)?"
WORDS = re.compile(rf"((?<=[\w)}}]) )?(?<![\\{{\w])({WORD}(?:,? [A-Za-z]{{2,}}(?:'s)?)*)(?![\\(\w])( (?=[\w\\(]))?")


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


def equation(body: str) -> str:
    """A printed equation in LaTeX.

    >>> print(equation("D(k) = H(k) P(k) H*(k) + A_r(k)"))
    D(k) = H(k) P(k) H^*(k) + A_r(k)
    >>> print(equation("H(k) = the joint's map, R and l from q(k)"))
    H(k) = \\text{the joint's map}, R\\text{ and }l\\text{ from }q(k)
    """
    for letter, command in TYPESET.items():
        if command.startswith("\\") and command[-1].isalpha():
            body = re.sub(rf"{re.escape(letter)}(?=[A-Za-z0-9])", command.replace("\\", r"\\") + " ", body)
        body = body.replace(letter, command)
    body = re.sub(r"\^(-\d+)", r"^{\1}", body)
    body = re.sub(r"_([A-Za-z]{2,})", r"_{\\text{\1}}", body)
    return WORDS.sub(_words, re.sub(r" {3,}", r" \\quad ", body))


def _words(found: re.Match[str]) -> str:
    """Words as text; the spaces that part them from letters are text too, since formulas have none."""
    before, words, after = (part or "" for part in found.groups())
    return rf"\text{{{before}{words}{after}}}"
