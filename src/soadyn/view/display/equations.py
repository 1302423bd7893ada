"""Recursions as they are printed, in LaTeX and in notebooks: equations typeset, the rest as text."""

from __future__ import annotations

import re
from typing import final

from soadyn.view.display.mathml import mathml
from soadyn.view.display.tables import shown, text

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
# An equation number at the right of a line: "001 (34)-(35)", or in brackets of its own, "(001 eqs. 6-8)".
REFERENCE = re.compile(r"(.*?\S)\s{2,}(\d{3} \S.*|\(\d{3} .*\)|\[\d{3} .*\])\s*")
INDEXED = re.compile(r"[^\s@]+(\([a-z](,\s?\w+)?\))?")  # P(k), φ(p,k), a: what an equation is of
PROSE = re.compile(r"(?:[a-z']+[ ,]+){2,}[a-z']+")
GREEK = (("psi", "ψ"), ("phi", "φ"), ("theta", "θ"), ("omega", "ω"), ("lambda", "λ"))


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


@final
class Explanation(str):
    """The text of an explanation; notebooks show it with its equations typeset.

    >>> import soadyn as sd
    >>> told = sd.explain("mass_matrix")
    >>> isinstance(told, str), "<math" in told._repr_html_()
    (True, True)
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return shown(*(_shown_line(line) for line in self.splitlines()))


def _shown_line(line: str) -> str:
    if not line.strip():
        return ""
    depth = len(line) - len(line.lstrip())
    body, reference = line.strip(), ""
    if found := REFERENCE.fullmatch(line):
        body, reference = found[1].strip(), found[2].strip("[]")
    if not depth:
        weight = "bold" if len(body) < 45 and not body.endswith(".") else "normal"
        return f'<div style="margin:0.6em 0 0.2em;font-weight:{weight}">{text(body)}</div>'
    first, *others = re.split(r"(\s{3,})", re.sub(r"\s+(=|←)\s+", r" \1 ", body))
    typeset = "".join([_shown_piece(first), *map(_as_text, others)])
    tag = f'<span style="float:right;opacity:0.7">{text(reference)}</span>' if reference else ""
    return f'<div style="margin-left:{depth / 2:g}em;line-height:1.9;clear:both">{tag}{typeset}</div>'


def _shown_piece(piece: str) -> str:
    if not is_equation(piece):
        return _as_text(piece)
    left, sign, right = re.split(r"\s+(=|←)\s+", piece, maxsplit=1)
    if PROSE.fullmatch(right):
        return f"{mathml(_typeset(f'{left} {sign} '))} <span>{text(right)}</span>"
    return mathml(_typeset(f"{left} {sign} {right}"))


def _as_text(piece: str) -> str:
    tag = "code" if "@" in piece else "span"
    return f'<{tag} style="white-space:pre-wrap">{text(piece)}</{tag}>'


def _typeset(words: str) -> str:
    for name, letter in GREEK:
        words = re.sub(rf"\b{name}\b", letter, words)
    return equation(words)


def is_equation(line: str) -> bool:
    """Is it an equation of a recursion, such as "P(k) = M(k) + ...", and not Python or prose?

    >>> is_equation("P(k)  = M(k) + A_r(k)"), is_equation("inv(mass) @ T"), is_equation("with V(ground) = 0")
    (True, False, False)
    """
    found = re.split(r"\s+(?:=|←)\s+", line.strip(), maxsplit=1)
    return len(found) == 2 and "@" not in line and INDEXED.fullmatch(found[0]) is not None
