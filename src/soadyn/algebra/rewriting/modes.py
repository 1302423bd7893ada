"""The rules of an arm: rows of the identity table, oriented by the order of words.

Everything is written in E_phi, phi, psi, P, H, K, D, inv(D) and A_r; the other operators have definitions. For a
passive arm H, K, D and A_r are H_p, K_p, D_p and A_rp, and nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, final

from soadyn.algebra.expressions import Expression, Identity, Symbol
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import OPERATORS
from soadyn.algebra.replacing import replaced
from soadyn.algebra.spaces import Space
from soadyn.algebra.velocity_operators import Along, of_a_joint

# Kinds of systems of rules, each confluent by itself.
TRANSITIONS = (
    "locked transition from the right",
    "locked transition from the left",
    "free transition past a locked step",
    "locked step past the free transition",
    "locked less free",
    "locked less free, the other way",
    "projected inertia",
    "shifted gain from P",
    "locked transition of P",
    "free transition of P",
)
COMPOSITE_BESIDE_ARTICULATED = (
    "composite step",
    "composite step past the locked transition",
    "composite step past the free transition",
    "filtered state",
    "composite bodies past both transitions",
    "composite bodies past the free transition",
)
CHAIN = (
    "operational recursion of a chain",
    "articulated and operational inertias of a chain",
    "operational step past the free transition",
    "operational step past the locked transition",
    "operational inertias of a chain",
    "operational inertias past both transitions",
    "operational inertias past the locked transition",
)
NO_ARMATURE = ("articulated and operational inertias, no armature",)
ONE_FRAME = ("operational inertia of one point",)
# Of operators that are linear in the joint rates; those of MOVING speak of the motion, the others also of one joint.
MOVING = ("own motion", "own rate of P", "own work of the inertia rate")
CROSSED = (
    "own velocity",
    "cross product with a joint's motion",
    "cross product past a step",
    "cross product past the locked transition",
)
SINGLE = (
    "single joints do not twist",
    "axes of single joints",
    "roots of single joints",
    "inertia rate at single joints",
    "inertia rate between single joints",
)
TURNING = ("turning across a joint", "turning of the next link")

# Definitions in the order in which a proof tries to do without them.
ABBREVIATIONS = (
    "locked transition, strict",
    "free transition, strict",
    "free transition step with the gain",
    "yielding part",
    "crossing part",
    "inertia across the joint",
    "gain",
)
ABBREVIATING_STAGES = 2  # of Mode.definitions: ABBREVIATIONS, Omega
OF_ALL_JOINTS = ("Newton-Euler factorization", "link velocities", "link accelerations", "link forces", "joint forces")
RICCATI, COMPOSITE = "Riccati equation with the gain", "composite recursion"
INVERSES = (
    "locked transition",
    "free transition",
    "inverse innovations factor",
    "inverse link factor",
    "inverse link factor, the other way",
    "inverse mass matrix",
)
PASSIVE_INVERSES = (*INVERSES[:-1], "passive inverse mass matrix")
OF_THE_PASSIVE_ARM = {"H": "H_p", "A_r": "A_rp", "D": "D_p", "G": "G_p", "K": "K_p"}

ARTICULATED_NAMES = frozenset(
    {"P", "P_plus", "D", "G", "K", "tau", "tau_bar", "E_psi", "psi", "psi_tilde", "Upsilon", "Omega"}
    | {"D_p", "G_p", "K_p"}
)


@final
@dataclass(frozen=True, slots=True)
class Mode:
    """What is known of the arm, and which operators are spoken of."""

    passive: bool = False
    armature: bool = True
    serial: bool = False
    one_frame: bool = False
    single: bool = False
    rates: bool = False  # operators that are linear in the joint rates are spoken of,
    crossed: bool = False  # V_tilde among them,
    joints: tuple[Along, ...] = ()  # or some along one joint component
    composite: Literal["no", "alone", "beside articulated"] = "no"

    @property
    def reductions(self) -> tuple[str, ...]:
        """The rows that are rules, definitions aside."""
        return (
            *TRANSITIONS,
            *(COMPOSITE_BESIDE_ARTICULATED if self.composite == "beside articulated" else ()),
            *(CHAIN if self.serial else ()),
            *(NO_ARMATURE if not self.armature and not self.serial else ()),
            *(ONE_FRAME if self.one_frame else ()),
            *((*(() if self.single else MOVING), *self.directed) if self.rates else ()),
            *(CROSSED if self.crossed else ()),
        )

    @property
    def directed(self) -> tuple[str, ...]:
        """The rows that also hold for rates and sensitivities along one joint component."""
        return ("inertia rate", "joint axes", *(SINGLE if self.single else ("root turning is skew",)))

    @property
    def definitions(self) -> tuple[tuple[str, ...], ...]:
        """Rows that are definitions, in stages."""
        inertia = COMPOSITE if self.composite == "alone" else RICCATI
        # with a passive set the inverse of the whole mass matrix is nothing in particular
        inverse_mass = () if self.passive else ("inverse mass matrix",)
        return (
            (*ABBREVIATIONS, *(TURNING if self.rates else ())),
            ("operational inertias",),
            (*inverse_mass, OF_ALL_JOINTS[0]),
            OF_ALL_JOINTS[1:],
            (inertia,),
        )

    @property
    def rotors(self) -> tuple[str, ...]:
        """The operators that vanish without armature."""
        return ("A_r", "A_rp", "A_ra") if self.passive else ("A_r",)

    @property
    def singular(self) -> tuple[str, ...]:
        """Operators with a root that has no inverse."""
        return () if self.armature else ("P_plus",)

    @property
    def inverses(self) -> tuple[str, ...]:
        """Rows that say what the inverse of a sum is."""
        return PASSIVE_INVERSES if self.passive else INVERSES

    def sides(self, name: str, joint: Along | None = None) -> tuple[Expression, Expression]:
        """A row's two sides, for the arm of this mode; or along one joint component instead of the motion."""
        row = IDENTITIES[name]
        if joint is not None:
            return of_a_joint(row.left, joint), of_a_joint(row.right, joint)
        if not self.passive or name in OF_ALL_JOINTS or row.arms == (True,):
            return row.left, row.right
        return of_the_passive_arm(row.left), of_the_passive_arm(row.right)


@cache
def of_the_passive_arm(x: Expression) -> Expression:
    """The same formula with H_p for H, and so on.

    >>> from soadyn.algebra import H, K, psi
    >>> print(of_the_passive_arm(H @ psi @ K))
    H_p @ psi @ K_p
    """
    return replaced(x, _of_passive_joints)


def _of_passive_joints(x: Symbol | Identity) -> Expression:
    if isinstance(x, Symbol):
        return OPERATORS[OF_THE_PASSIVE_ARM[x.name]] if x.name in OF_THE_PASSIVE_ARM else x
    return Identity(Space("passive joint", x.domain.side)) if x.domain.place == "joint" else x
