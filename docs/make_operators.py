"""Writes docs/algebra/operators.md: the operators and vectors of formulas, from src/soadyn/algebra/operators.py.

Run it with `.venv/bin/python docs/make_operators.py`; a test fails when the page and the operators differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from soadyn.algebra.expressions import Symbol
from soadyn.algebra.operators import IDENTITIES_OF_SPACES, OPERATORS, PASSIVE_NAMES, VECTORS
from soadyn.algebra.writing import latex

PAGE = Path(__file__).resolve().parent / "algebra" / "operators.md"

OPENING = """# Operators and vectors of formulas

What `from soadyn.algebra import ...` offers, and what `formula` reads by these names. `help(phi)`, and `phi?` in a
notebook, say the same of each. The papers' numbers are those of [NOTATION.md](../../NOTATION.md); the papers
have no rotor inertia, "armature" is [armature.md](armature.md). `.T` is the adjoint; a vector's adjoint is a row.
Operators marked = are equal to their adjoints, those marked ▪ are block diagonal.

The page is written by `python docs/make_operators.py`; `tests/algebra/test_words.py` asserts that it is up to date and
that every definition that is a formula can be read and fits.
"""

HEAD = "| name | paper | maps | definition | equation | physics |\n|---|---|---|---|---|---|\n"
PASSIVE = """With a passive set these exist as well, and `P`, `tau`, `tau_bar`, `psi`, `Omega`, ... are those of the arm
whose passive joints alone are free (004). `D`, `G` and `K` have no meaning then; `D_p`, `G_p` and `K_p` are in their
place.
"""


def page() -> str:
    """The whole page."""
    operators, vectors = list(OPERATORS.values()), list(VECTORS.values())
    mixed = [x for x in operators + vectors if x.name in PASSIVE_NAMES]
    identities = "\n".join(f"| `{name}` | $I$ | {x.domain.place} |" for name, x in IDENTITIES_OF_SPACES.items())
    parts = [
        OPENING,
        f"## Operators\n\n{_table(x for x in operators if x.name not in PASSIVE_NAMES)}",
        f"## Vectors\n\n{_table(x for x in vectors if x.name not in PASSIVE_NAMES)}",
        f"## Active and passive joints\n\n{PASSIVE}\n{_table(mixed)}",
        f"## Identities\n\nEach serves motions and forces of its place.\n\n| name | paper | place |\n|---|---|---|\n"
        f"{identities}\n",
    ]
    return "\n".join(parts)


def _table(symbols: Iterable[Symbol]) -> str:
    return HEAD + "\n".join(map(_row, symbols)) + "\n"


def _row(x: Symbol) -> str:
    meaning = x.meaning
    maps = f"{x.codomain}" if x.is_vector else f"{x.domain} → {x.codomain}"
    marks = f"{' =' if x.symmetric else ''}{' ▪' if x.local else ''}"
    definition = f"`{meaning.definition}`" if meaning.definition else "given, or follows from the state"
    return f"| `{x.name}` | ${latex(x)}$ | {maps}{marks} | {definition} | {meaning.reference} | {meaning.physics} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(OPERATORS)} operators, {len(VECTORS)} vectors")
