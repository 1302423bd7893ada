"""Random arms on which formulas are compared: chains and forks of any joints, each reproducible from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, final

import numpy as np

from soadyn.mechanics.joint import KINDS
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.assemble import assemble
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink
from soadyn.model.model import Model
from soadyn.model.placement import Placement, vector3
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import DenseValues
from soadyn.theory.oracle.exact_robot import ExactRobot, ExactValues

SINGLE = ("revolute", "prismatic", "helical")
ANY = (*SINGLE, "cylindrical", "planar", "spherical")
# Each link's parent. The fork's branches have at least two links, so that gains of unrelated links couple.
# The long chain is there because high powers of E_phi vanish on a short one.
PARENTS: dict[str, tuple[int | None, ...]] = {
    "short chain": (None, 0, 1),
    "chain": (None, 0, 1, 2),
    "fork": (None, 0, 1, 2, 1, 4, 5),
    "long chain": (None, *range(11)),
}


@final
@dataclass(frozen=True, slots=True)
class Specimen:
    """A random arm at a random state.

    >>> Specimen(3, "fork", root="free").robot().nv
    12
    """

    seed: int
    shape: Literal["short chain", "chain", "fork", "long chain"] = "chain"
    root: Literal["fixed", "free"] = "fixed"
    joints: Literal["single", "any"] = "single"
    armature: bool = False

    def __str__(self) -> str:
        joints = "joints of one degree of freedom" if self.joints == "single" else "joints of any kind"
        rotors = "with armature" if self.armature else "without armature"
        return f"a {self.shape} on a {self.root} base, {joints}, {rotors} (seed {self.seed})"

    def model(self) -> Model:
        """The robot; always the same for the same specimen."""
        return self._drawn()[0]

    def robot(self) -> DenseRobot:
        """The robot's operators at its state."""
        return _robot(self)

    def _robot(self) -> DenseRobot:
        model, rng = self._drawn()
        q = [j.behaviour.random(rng, np.array(j.lower), np.array(j.upper), ()) for j in model.joints]
        return DenseRobot(model, np.concatenate(q), rng.standard_normal(model.nv))

    def values(self, passive: bool = False, one_frame: bool = False) -> DenseValues:
        """What formulas are on this arm: with operational points, accelerations, and on request a passive set.

        A user's own vectors and operators from arrays get random values that fit this arm.
        """
        robot, rng = self.robot(), np.random.default_rng((self.seed, 1))
        frames, mask = self._frames(one_frame), self._mask(passive)
        vectors = {"theta_ddot": rng.standard_normal(robot.nv), "f_tip": rng.standard_normal(6 * len(frames))}
        return DenseValues(robot, mask, frames, vectors, lambda *shape: rng.standard_normal(shape))

    def exact_values(self, passive: bool = False, one_frame: bool = False, signs: int = 0) -> ExactValues:
        """The same for an arm like this one whose numbers are random residues."""
        rng = np.random.default_rng((self.seed, 2))
        return ExactValues(_exact_robot(self), self._mask(passive), self._frames(one_frame), rng, signs)

    def _frames(self, one_frame: bool) -> list[str]:
        return ["tip_0", "tip_1"] if self.shape == "fork" and not one_frame else ["tip_0"]

    def _mask(self, passive: bool) -> np.ndarray | None:
        return np.arange(self.robot().nv) % 2 == self.seed % 2 if passive else None

    def _drawn(self) -> tuple[Model, np.random.Generator]:
        rng = np.random.default_rng(self.seed)
        draft = Draft("random arm", gravity=vector3(rng.normal(0, 6, 3)))
        parents = PARENTS[self.shape]
        for k, parent in enumerate(parents):
            draft.links.append(_link(rng, k))
            draft.joints.append(self._joint(rng, k, parent))
        leaves = [k for k in range(len(parents)) if k not in parents]
        draft.frames += [DraftFrame(f"tip_{i}", f"link_{k}", _placement(rng)) for i, k in enumerate(leaves)]
        return assemble(draft), rng

    def _joint(self, rng: np.random.Generator, k: int, parent: int | None) -> DraftJoint:
        kind = str(rng.choice(SINGLE if self.joints == "single" else ANY))
        kind = "free" if parent is None and self.root == "free" else kind
        return DraftJoint(
            f"joint_{k}",
            kind,
            None if parent is None else f"link_{parent}",
            f"link_{k}",
            _placement(rng),
            vector3(_unit(rng.standard_normal(3))),
            pitch=0.2 if kind == "helical" else 0.0,
            offset=_placement(rng),
            armature=tuple(rng.uniform(0.2, 0.8, KINDS[kind].nv).tolist()) if self.armature else 0.0,
        )


def family(armature: bool | None = None, serial: bool = False, single: bool = False) -> tuple[Specimen, ...]:
    """The fixed family of arms, small ones first; only with or without armature, chains, single joints on request.

    >>> len(family()), len(family(armature=False)), len(family(serial=True)), len(family(single=True))
    (10, 4, 6, 5)
    """
    return tuple(
        x
        for x in FAMILY
        if (armature is None or x.armature == armature)
        and (x.shape != "fork" or not serial)
        and ((x.joints == "single" and x.root == "fixed") or not single)
    )


FAMILY = (
    Specimen(1, "chain"),
    Specimen(2, "chain", armature=True),
    Specimen(3, "chain", "free", "any"),
    Specimen(4, "chain", "fixed", "any", armature=True),
    Specimen(10, "chain", "free", "any", armature=True),
    Specimen(5, "fork"),
    Specimen(6, "fork", armature=True),
    Specimen(7, "fork", "free", "any", armature=True),
    Specimen(8, "fork", "fixed", "any"),
    Specimen(9, "long chain", armature=True),
)


# One joint of three is active, or one is passive: then the product of a column and a row has an inverse.
SHORT = (
    Specimen(11, "short chain"),
    Specimen(12, "short chain"),
    Specimen(13, "short chain", armature=True),
    Specimen(14, "short chain", armature=True),
)


@cache
def _robot(specimen: Specimen) -> DenseRobot:
    return specimen._robot()


@cache
def _exact_robot(specimen: Specimen) -> ExactRobot:
    return ExactRobot(specimen.model(), np.random.default_rng((specimen.seed, 3)))


def _link(rng: np.random.Generator, k: int) -> DraftLink:
    """A body that can exist: J = (trace C) I - C with a positive definite second moment C."""
    mass, spread = float(rng.uniform(0.5, 2.0)), rng.uniform(-0.3, 0.3, (3, 3))
    C = mass * (spread @ spread.T + 0.02 * np.eye(3))
    return DraftLink(f"link_{k}", mass, vector3(rng.uniform(-0.3, 0.3, 3)), np.trace(C) * np.eye(3) - C)


def _placement(rng: np.random.Generator) -> Placement:
    return Placement.of(from_quaternion(rng.standard_normal(4)), rng.uniform(-0.5, 0.5, 3))


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)
