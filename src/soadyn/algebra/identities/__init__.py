"""Level 3: the operator identities of the papers, in the language of formulas, for trees of any joints with armature.

A row marked "A_r = 0" is false with armature, one marked "serial" is false on trees, one marked "one frame" with two,
one marked "single joints" where a joint has several components; the tests check both.
"""

from __future__ import annotations

from soadyn.algebra.identities.arm import INERTIAS, INNOVATIONS, KINEMATICS, RICCATI
from soadyn.algebra.identities.dynamics import CHAINS, COMPOSITE_AND_ARTICULATED, COVARIANCES, FORWARD_DYNAMICS, INVERSE
from soadyn.algebra.identities.passive import PASSIVE
from soadyn.algebra.identities.rates import RATES
from soadyn.algebra.identities.row import Row

SECTIONS: dict[str, tuple[Row, ...]] = {
    "Transitions and the equations of motion": KINEMATICS,
    "The mass matrix and composite bodies": INERTIAS,
    "Articulated bodies": RICCATI,
    "Innovations": INNOVATIONS,
    "Forward dynamics": FORWARD_DYNAMICS,
    "The inverse and operational inertias": INVERSE,
    "Covariances": COVARIANCES,
    "Composite and articulated bodies together": COMPOSITE_AND_ARTICULATED,
    "Operational inertias of chains": CHAINS,
    "Active and passive joints": PASSIVE,
    "What rates and sensitivities are made of": RATES,
}
IDENTITIES: dict[str, Row] = {row.name: row for rows in SECTIONS.values() for row in rows}
