"""A row of the identity table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

from soadyn.algebra.expressions import Expression, Symbol, walk
from soadyn.algebra.operators import PASSIVE_NAMES, VECTORS, WHOLE_ARM_NAMES
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS

Need = Literal["A_r = 0", "serial", "one frame", "single joints"]


@final
@dataclass(frozen=True, slots=True)
class Row:
    """left = right, where it stands in the papers, and what it needs beyond any tree of any joints."""

    name: str
    left: Expression
    right: Expression
    reference: str
    needs: tuple[Need, ...] = ()

    @property
    def arms(self) -> tuple[bool, ...]:
        """Of which arms the row speaks: the whole one (False), the passive one (True), or of either."""
        names = {name for side in (self.left, self.right) for name in symbol_names(side)}
        if names & PASSIVE_NAMES:
            return (True,)
        return (False,) if names & WHOLE_ARM else (False, True)


# With a passive set these still belong to all joints, beside P, psi and Omega of the passive arm.
WHOLE_ARM = WHOLE_ARM_NAMES | VECTORS.keys() | VELOCITY_OPERATORS.keys() | {"H", "A_r", "mass"}


def symbol_names(x: Expression) -> set[str]:
    """The names of all symbols of a formula and of what they abbreviate."""
    return {part.name for part in walk(x) if isinstance(part, Symbol)}
