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
        "assume takes 'A_r = 0', 'serial', 'one frame', 'single joints'; got 'rigid'",
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
        "a proof leans on what exists on no arm",
        "from soadyn.algebra import I_link, inv, phi, tau\nsd.prove(phi, phi, via=[(tau @ inv(tau), I_link)])",
        sd.ArgumentError,
        r"given in via, has no meaning: no random arm has inv\(tau\)",
    ),
    Case(
        "a lemma that is no pair",
        "from soadyn.algebra import phi\nsd.prove(phi, phi, via=[phi])",
        sd.ArgumentError,
        "via takes names of rows and pairs of formulas, got Symbol",
    ),
    Case(
        "lemmas that are no list",
        "from soadyn.algebra import phi\nsd.prove(phi, phi, via=3)",
        sd.ArgumentError,
        "via takes a list, got int",
    ),
    Case(
        "an inverse that exists on no arm is simplified",
        "from soadyn.algebra import inv, tau\nsd.simplify(inv(tau) @ tau)",
        sd.SpaceError,
        r"no random arm has inv\(tau\)",
    ),
    Case(
        "one formula speaks of the whole and of the passive arm",
        "from soadyn.algebra import H_p, K\nsd.simplify(H_p @ K)",
        sd.SpaceError,
        "H_p belong to the passive arm, K to the whole one",
    ),
)
