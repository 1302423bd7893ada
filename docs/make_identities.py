"""Writes docs/algebra/identities.md: the identity table, with the papers' letters.

Run it with `.venv/bin/python docs/make_identities.py`; a test fails when the page and the table differ.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from soadyn.algebra.identities import IDENTITIES, SECTIONS
from soadyn.algebra.identities.row import Row
from soadyn.algebra.rewriting.modes import NO_ARMATURE, ONE_FRAME, Mode
from soadyn.algebra.writing import latex

PAGE = Path(__file__).resolve().parent / "algebra" / "identities.md"

OPENING = """# The operator identities

The {count} identities on which `sd.prove` and `sd.simplify` rest, written by `python docs/make_identities.py` from the
table in `soadyn.algebra.identities`. They hold for trees of any joints, on fixed and free bases, with armature $A_r$,
unless the third column says what they need; with armature, off chains or with two operational points those are false.
`tests/oracle/test_identities.py` evaluates both sides of each on random arms, where it should hold and where it should
not; `tests/proof/test_prove.py` proves each.

Rows marked with a dot are definitions, or the rules by which formulas are rewritten; all others are proved from them.
The rules follow from the recursions of the papers by completion, which `tests/algebra/test_rewriting.py` repeats:
{definitions}. Two of them do not, as they speak of
diagonal blocks on trees: {beyond}. They rest on the papers and on numbers. The rules of the last
section are definitions and what cross products obey.

References are to the five papers, numbered as in [NOTATION.md](../../NOTATION.md), with misprints corrected; "armature"
marks what the papers, which have no rotor inertia, do not print: [armature.md](armature.md) has it. In the section on
active and passive joints, and wherever a row has a subscript $p$, $P$, $\\psi$ and $\\Omega$ are those of the passive
arm: active joints locked, passive ones free.
"""

DEFINITIONS = (
    r"$\phi=(I-\mathcal{E}_\phi)^{-1}$, $\psi=(I-\mathcal{E}_\psi)^{-1}$, $K=\mathcal{E}_\phi G$, $D=HPH^*+A_r$, "
    "and those of $M$ in $P$, of $M$ in $R$ and, on chains, of $\\Upsilon$"
)
BEYOND = " and ".join(f'"{name}"' for name in (*NO_ARMATURE, *ONE_FRAME))

WORDS = {
    "Transitions and the equations of motion": (
        "$\\phi$ is the sum of all steps from link to link, and its inverse looks at neighbours only. With it the "
        "Newton-Euler equations are three lines."
    ),
    "The mass matrix and composite bodies": (
        "The mass matrix as a product, and as inertias of rigid lumps $R$: a block diagonal operator and its two "
        "triangular shadows stand for a full one."
    ),
    "Articulated bodies": (
        "What a joint that gives way does to inertia. $P$ is felt before the joint, $P^+$ behind it, $D$ along "
        "it; $\\bar\\tau$ is what of a force the joint transmits. $\\psi$ carries forces past such joints."
    ),
    "Innovations": (
        "The second factorization of the mass matrix and its inverse. The factor is made of $\\phi$ and its "
        "inverse of $\\psi$; most rows say how one of the two turns into the other beside $K$ and $H$."
    ),
    "Forward dynamics": ("The papers' algorithms as formulas: accelerations with the bias forces in different places."),
    "The inverse and operational inertias": (
        "Mobility: $\\Omega$ is the acceleration of all links per force on all links, and the inverse of the mass "
        "matrix is made of it."
    ),
    "Covariances": (
        "The rows of Rodriguez 1990 (003), in which inertias are covariances: those of the filter's errors, of "
        "its innovations, and of what the smoother leaves."
    ),
    "Composite and articulated bodies together": (
        "$R$ and $P$ in one formula: locked and free inertia differ by what the joints beyond take."
    ),
    "Operational inertias of chains": (
        "On chains $\\Omega$ is a block diagonal $\\Upsilon$ and its shadows; on trees blocks between branches "
        "come on top."
    ),
    "Active and passive joints": (
        "Jain and Rodriguez 1993 (004): the same with active joints locked, and what follows for generalized and "
        "disturbance Jacobians."
    ),
    "What rates and sensitivities are made of": (
        "Rules for cross products and for the operators in which rates are written (000)."
    ),
}


def page() -> str:
    """The whole page."""
    parts = [OPENING.format(count=len(IDENTITIES), definitions=DEFINITIONS, beyond=BEYOND)]
    rules = _rules()
    for title, rows in SECTIONS.items():
        parts.append(f"## {title}\n\n{_wrapped(WORDS[title])}\n")
        parts.append("| | identity | needs | where |\n|---|---|---|---|")
        parts += [_line(row, row.name in rules) for row in rows]
        parts.append("")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _rules() -> set[str]:
    modes = (Mode(), Mode(composite="alone"), Mode(composite="beside articulated"), Mode(serial=True))
    modes += (Mode(armature=False), Mode(one_frame=True))
    modes += (Mode(rates=True, crossed=True), Mode(rates=True, single=True))
    return {name for mode in modes for name in (*mode.reductions, *(x for stage in mode.definitions for x in stage))}


def _line(row: Row, rule: bool) -> str:
    needs = ", ".join("$A_r = 0$" if need == "A_r = 0" else need for need in row.needs)
    return (
        f"| {row.name}{' •' if rule else ''} | ${latex(row.left)} = {latex(row.right)}$ | {needs} | {row.reference} |"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.name}: {len(IDENTITIES)} identities")
