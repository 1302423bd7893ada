"""The formulas of the papers by name and by equation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import final

from soadyn.display.tables import aligned
from soadyn.errors import UnknownNameError, unknown_name
from soadyn.literature.as_written import AS_WRITTEN
from soadyn.literature.diagonalized import DIAGONALIZED
from soadyn.literature.entry import Entry
from soadyn.literature.estimation import ESTIMATION
from soadyn.literature.factorization import FACTORIZATION
from soadyn.literature.forward_dynamics import FORWARD_DYNAMICS
from soadyn.literature.newton_euler import NEWTON_EULER
from soadyn.literature.saha import SAHA
from soadyn.literature.under_actuated import UNDER_ACTUATED


@final
class Papers(Mapping[str, Entry]):
    """The papers' formulas: `sd.papers["001 Algorithm 3"]`, or by an equation that one of them has, "001 (20)".

    >>> import soadyn as sd
    >>> sd.papers["001 Algorithm 3"].reference
    '001 (60)-(65)'
    >>> len(sd.papers) > 80, "004 disturbance Jacobian" in sd.papers
    (True, True)
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
        return name in self._entries

    def __getitem__(self, name: str) -> Entry:
        if name in self._entries:
            return self._entries[name]
        found = self.at(name) if isinstance(name, str) else ()
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownNameError(
                f"{name} stands beside {len(found)} formulas: {', '.join(repr(x.key) for x in found)}; take one of them"
            )
        raise unknown_name("formula of the papers", name, self._entries)

    def at(self, reference: str) -> tuple[Entry, ...]:
        """All formulas that cite an equation, written as "001 (22)".

        >>> import soadyn as sd
        >>> [x.name for x in sd.papers.at("001 (46)")]
        ['inverse mass matrix', 'inverse mass matrix, factors']
        """
        tag, _, number = reference.partition(" ")
        return tuple(
            entry
            for entry in self._entries.values()
            for part in entry.reference.split("; ")
            if number and part.startswith(f"{tag} ") and number in part.partition(" ")[2].replace(" ", ", ").split(", ")
        )


papers = Papers(
    (*AS_WRITTEN, *NEWTON_EULER, *FACTORIZATION, *FORWARD_DYNAMICS, *ESTIMATION, *DIAGONALIZED, *SAHA, *UNDER_ACTUATED)
)
