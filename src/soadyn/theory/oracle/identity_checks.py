"""The identities of the papers, evaluated on dense operators of one robot at one state, in plain words."""

from __future__ import annotations

from soadyn.algebra.identities import IDENTITIES
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues

# One row for each idea; the table has many more.
CHECKED = (
    "locked transition",
    "composite bodies",
    "composite mass matrix",
    "Riccati equation",
    "articulated bodies",
    "innovations factorization",
    "inverse innovations factor",
    "inverse mass matrix",
    "free and locked transitions",
    "locked less free",
    "filtered joint map",
    "filtered gain",
    "locked and free bodies",
    "gain seen by the joint",
    "free bodies",
    "operational inertias from the mass matrix",
    "smoother error",
)


def identities(dense: DenseRobot) -> list[tuple[str, float]]:
    """Each identity's name and formula, and how far its two sides are apart relative to what they are made of.

    >>> from soadyn.model.builder import assemble, chain
    >>> found = identities(DenseRobot(assemble(chain(3)), [0.1, 0.2, 0.3]))
    >>> len(found) >= 12 and max(error for _, error in found) < 1e-12
    True
    """
    values = DenseValues(dense)
    rows = (IDENTITIES[name] for name in CHECKED)
    return [(f"{row.name}: {row.left} = {row.right}", values.apart(row.left, row.right)) for row in rows]
