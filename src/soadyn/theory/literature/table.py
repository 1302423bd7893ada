"""The formulas of the papers by name and by number: of equations, identities, lemmas, algorithms, sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, final

from soadyn.algebra.expressions import Symbol
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.identities.row import symbol_names
from soadyn.algebra.operators import NAMES, PASSIVE_NAMES
from soadyn.errors import UnknownNameError, unknown_name
from soadyn.theory.literature.as_written import AS_WRITTEN
from soadyn.theory.literature.diagonalized import DIAGONALIZED
from soadyn.theory.literature.entry import Entry, PaperFormula
from soadyn.theory.literature.estimation import ESTIMATION
from soadyn.theory.literature.factorization import FACTORIZATION
from soadyn.theory.literature.forward_dynamics import FORWARD_DYNAMICS
from soadyn.theory.literature.newton_euler import NEWTON_EULER
from soadyn.theory.literature.places import place_asked, places_of
from soadyn.theory.literature.references import cited_tags
from soadyn.theory.literature.saha import SAHA
from soadyn.theory.literature.under_actuated import UNDER_ACTUATED
from soadyn.view.display.tables import aligned

POINTS = frozenset(("B", "L_Y", "Y", "a_tip", "f_tip"))  # what belongs to operational points


@final
class Papers(Mapping[str, Entry]):
    """The papers' formulas: `sd.papers["001 Algorithm 3"]`, or by number, "001 (20)", "003 Lemma 4".

    Where several formulas are printed at a number it is the first, and its `others` are the names of the rest.

    >>> import soadyn as sd
    >>> sd.papers["001 Algorithm 3"].reference
    '001 (60)-(65)'
    >>> len(sd.papers) > 80, "004 disturbance Jacobian" in sd.papers
    (True, True)
    >>> print(sd.papers["001 (46)"])
    001 inverse mass matrix  [001 (46) Identity 6]
        inv(mass) @ T
        printed there too: '001 inverse mass matrix, factors'
    >>> print(sd.papers["001 Algorithm 3"].citation)
    001  G. Rodriguez, K. Kreutz-Delgado, Spatial Operator Factorization and Inversion of the Manipulator Mass Matrix,
         IEEE Transactions on Robotics and Automation 8(1), 1992
    """

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries = {entry.key: entry for entry in entries}
        assert len(self._entries) == len(entries), "two formulas of one name"

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return "\n".join(aligned([("sd.papers", "printed in"), *((x.key, x.reference) for x in self.values())]))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __getitem__(self, name: str) -> Entry:
        if isinstance(name, str) and name in self._entries:
            return self._entries[name]
        found = self.at(name) if isinstance(name, str) else ()
        if not found:
            raise unknown_name("formula of the papers", name, self._entries)
        return replace(found[0], others=tuple(x.key for x in found[1:])) if len(found) > 1 else found[0]

    def get(self, name: object, default: Any = None) -> Any:
        """The formula of that name, or the default if there is none."""
        try:
            return self[name] if isinstance(name, str) else default
        except UnknownNameError:
            return default

    def at(self, reference: str) -> tuple[Entry, ...]:
        """All formulas that are printed at a place, written as "001 (22)", "003 Lemma 4" or "001 section X.B".

        Where none of the table is, the identities and operators that are printed there.

        >>> import soadyn as sd
        >>> [x.name for x in sd.papers.at("001 (46)")]
        ['inverse mass matrix', 'inverse mass matrix, factors']
        >>> [x.name for x in sd.papers.at("001 identity 4")]
        ['predicted transition']
        """
        place = place_asked(reference)
        for entries in (self._entries.values(), _identities(), _operators()):
            named = [x for x in entries if x.key.lower() == place]
            found = [x for x in entries if place in places_of(x.reference)]
            if named or found:
                return tuple(dict.fromkeys((*named, *found)))
        return ()


@cache
def _identities() -> tuple[PaperFormula, ...]:
    """The rows of the identity table; the longer side is the formula."""
    found = []
    for row in (row for row in IDENTITIES.values() if cited_tags(row.reference)):
        left, right = (row.left, row.right) if row.left.size > row.right.size else (row.right, row.left)
        points = not POINTS.isdisjoint(symbol_names(left) | symbol_names(right))
        found.append(PaperFormula(row.name, row.reference, left, row.arms == (True,), points, equal=right))
    return tuple(found)


@cache
def _operators() -> tuple[PaperFormula, ...]:
    """The operators and vectors that have an equation."""
    symbols = [x for x in NAMES.values() if isinstance(x, Symbol) and cited_tags(x.meaning.reference)]
    return tuple(
        PaperFormula(x.name, x.meaning.reference, x, x.name in PASSIVE_NAMES, x.name in POINTS) for x in symbols
    )


papers = Papers(
    (*AS_WRITTEN, *NEWTON_EULER, *FACTORIZATION, *FORWARD_DYNAMICS, *ESTIMATION, *DIAGONALIZED, *SAHA, *UNDER_ACTUATED)
)
