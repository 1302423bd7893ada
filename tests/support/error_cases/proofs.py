"""Proofs."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

PROOFS = (
    Case(
        "two formulas of different spaces are compared",
        "from soadyn.algebra import H, phi\nsd.prove(phi, H)",
        sd.SpaceError,
        "the two formulas map different spaces",
    ),
    Case(
        "a proof assumes what there is no word for",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, assume=["rigid"])',
        sd.ArgumentError,
        "assume takes 'A_r = 0', 'serial', 'one frame'; got 'rigid'",
    ),
    Case(
        "a proof leans on an identity that is not in the table",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, via=["Jacobi"])',
        sd.UnknownNameError,
        "the identity table has no row 'Jacobi'",
    ),
    Case(
        "a proof leans on an identity of chains",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, via=["operational inertias of a chain"])',
        sd.ArgumentError,
        "needs serial, which is not assumed",
    ),
    Case(
        "a proof leans on what is false",
        "from soadyn.algebra import phi, psi\nsd.prove(phi, phi, via=[(phi, psi)])",
        sd.ArgumentError,
        "given in via, is false",
    ),
    Case(
        "one formula speaks of the whole and of the passive arm",
        "from soadyn.algebra import H_p, K\nsd.simplify(H_p @ K)",
        sd.SpaceError,
        "H_p belong to the passive arm, K to the whole one",
    ),
)
