"""The papers' letters and marks in text, and what letters without a symbol of their own are here."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

# Letters and marks, each with its look-alikes.
PAPERS = "φϕ phi, ψ psi, τ tau, θ theta, α alpha, Ω\u2126 Omega, Υϒ Upsilon, 𝓜ℳ mass, 𝓔ℰ E, Φ phi_tilde"
MARKS = "\u0303 _tilde, \u0304\u0305 _bar, \u0307 _dot, \u0308 _ddot, ⁺ _plus"
LETTERS = {
    letter: word
    for letters, word in (pair.split(" ") for pair in f"{PAPERS}, {MARKS}".split(", "))
    for letter in letters
}
ONE_LETTER = re.compile(r"[^\W\d_](?:_[^\W\d_])?[\u0300-\u036f⁺]*|.")
# Letters of the papers for what is a formula here, or is called otherwise.
FORMULAS = {"Ψ": "psi @ E_phi"}  # 001 (41)
ELSEWHERE = {
    "r": "R, the composite inertia of 001 (31)",
    "Phi": "phi_tilde",
    "Psi": "psi @ E_phi",
    "J": "B.T @ phi.T @ H.T",
    "z": "psi @ K @ T",
    "λ": "psi.T @ H.T @ nu for the costate of 001, lambda_dot for the rate of P in 000",
    **dict.fromkeys(("ε", "epsilon"), "(I_joint - H @ psi @ K) @ T"),
    **dict.fromkeys(("ν", "nu"), "inv(D) @ (I_joint - H @ psi @ K) @ T"),
    **dict.fromkeys(("β", "beta"), "theta_dot"),
    **dict.fromkeys(("Λ", "Lambda"), "inv(B.T @ Omega @ B)"),
}


def ascii_name(word: str) -> str:
    """A name in the papers' letters as it is written in code.

    >>> ascii_name("θ̈_a")
    'theta_ddot_a'
    """
    return "".join(LETTERS.get(letter, letter) for letter in word)


def neighbours(word: str, known: Container[str]) -> list[str]:
    """The letters of a product that is written without spaces, as HφG is; none where one of them is unknown.

    Names in plain ASCII are not taken apart: of these there are too many.

    >>> neighbours("Hψ̃P⁺", {"H", "psi_tilde", "P_plus"}), neighbours("HGK", {"H", "G", "K"})
    (['H', 'ψ̃', 'P⁺'], [])
    """
    parts = [] if word.isascii() else ONE_LETTER.findall(word)
    return parts if all(part in ("I", *FORMULAS) or ascii_name(part) in known for part in parts) else []


def hint(word: str, known: Mapping[str, object]) -> str:
    """What the papers' letter is here; empty for words that are none."""
    if word in ELSEWHERE:
        return f" (the papers' {word} is {ELSEWHERE[word]})"
    letters = list(word)
    if len(letters) > 1 and all(letter in known for letter in letters):
        return f" (or the product {' @ '.join(letters)}?)"
    return ""
