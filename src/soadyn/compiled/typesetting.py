"""Equations of recursions, as they are printed, in LaTeX."""

from __future__ import annotations

import re

# How the letters of printed recursions are typeset; longer ones first.
TYPESET = {
    "Σⱼ": r"\sum_j ",
    "D^-½*": "D^{-*/2}",
    "D^-½": "D^{-1/2}",
    "D^½*": "D^{*/2}",
    "D^½": "D^{1/2}",
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


def equation(body: str) -> str:
    """A printed equation in LaTeX.

    >>> print(equation("D(k) = H(k) P(k) H*(k) + A_r(k)"))
    D(k) = H(k) P(k) H^*(k) + A_r(k)
    """
    for letter, command in TYPESET.items():
        if command.startswith("\\") and command[-1].isalpha():
            body = re.sub(rf"{re.escape(letter)}(?=[A-Za-z0-9])", command.replace("\\", r"\\") + " ", body)
        body = body.replace(letter, command)
    body = re.sub(r"\^(-\d+)", r"^{\1}", body)
    body = re.sub(r"_([A-Za-z]{2,})", r"_{\\text{\1}}", body)
    return re.sub(r"\b([A-Za-z]{3,}(?: [a-z]+)*)\b(?![\\(])", _words, body)


def _words(found: re.Match[str]) -> str:
    return found.group() if found.string[max(found.start() - 1, 0)] in "\\{" else rf"\text{{{found.group()}}}"
