"""Random arms to try formulas on: chains and forks of any joints, each rebuilt from a few words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, final

import numpy as np

from soadyn.algebra.expressions import Symbol
from soadyn.joint import KINDS
from soadyn.model.assemble import assemble
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink
from soadyn.model.model import Model
from soadyn.model.placement import Placement, vector3
from soadyn.oracle.dense_robot import DenseRobot
from soadyn.oracle.dense_value import DenseValues
from soadyn.spatial.rotation import from_quaternion

SINGLE = ("revolute", "prismatic", "helical")
ANY = (*SINGLE, "cylindrical", "planar", "spherical")
# Whom each link hangs on. The fork's branches have two links and more, so that gains of unrelated links couple.
# On a short chain powers of E_phi vanish that do not in general, hence a long one.
PARENTS: dict[str, tuple[int | None, ...]] = {
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
    shape: Literal["chain", "fork", "long chain"] = "chain"
    root: Literal["fixed", "free"] = "fixed"
    joints: Literal["single", "any"] = "single"
    armature: bool = False

    def __str__(self) -> str:
        joints = "joints of one degree of freedom" if self.joints == "single" else "joints of any kind"
        rotors = "with armature" if self.armature else "without armature"
        return f"a {self.shape} on a {self.root} base, {joints}, {rotors} (seed {self.seed})"

    def model(self) -> Model:
        """The robot; the same for the same words."""
        return self._drawn()[0]

    def robot(self) -> DenseRobot:
        """The robot's operators at its state."""
        return _robot(self)

    def _robot(self) -> DenseRobot:
        model, rng = self._drawn()
        q = [j.behaviour.random(rng, np.array(j.lower), np.array(j.upper), ()) for j in model.joints]
        return DenseRobot(model, np.concatenate(q), rng.standard_normal(model.nv))

    def values(self, passive: bool = False, own: Iterable[Symbol] = (), one_frame: bool = False) -> DenseValues:
        """What formulas are on this arm: with operational points, accelerations, and on request a passive set.

        `own` are a user's vectors and operators from arrays, which get random values that fit this arm.
        """
        robot, rng = self.robot(), np.random.default_rng((self.seed, 1))
        mask = np.arange(robot.nv) % 2 == self.seed % 2 if passive else None
        frames = ["tip_0", "tip_1"] if self.shape == "fork" and not one_frame else ["tip_0"]
        vectors = {"theta_ddot": rng.standard_normal(robot.nv), "f_tip": rng.standard_normal(6 * len(frames))}
        vectors["f_x"] = rng.standard_normal(6 * robot.n)
        values = DenseValues(robot, mask, frames, vectors)
        for symbol in own:
            values.given[symbol.name] = _drawn_value(rng, symbol, values)
        return values

    def _drawn(self) -> tuple[Model, np.random.Generator]:
        rng = np.random.default_rng(self.seed)
        draft = Draft("random arm", gravity=vector3(rng.normal(0, 6, 3)))
        parents = PARENTS[self.shape]
        for k, parent in enumerate(parents):
            draft.links.append(_link(rng, k))
            if parent is not None or self.root == "fixed":
                draft.joints.append(self._joint(rng, k, parent))
        leaves = [k for k in range(len(parents)) if k not in parents]
        draft.frames += [DraftFrame(f"tip_{i}", f"link_{k}", _placement(rng)) for i, k in enumerate(leaves)]
        return assemble(draft, root=self.root), rng

    def _joint(self, rng: np.random.Generator, k: int, parent: int | None) -> DraftJoint:
        kind = str(rng.choice(SINGLE if self.joints == "single" else ANY))
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


def family(armature: bool | None = None, serial: bool = False) -> tuple[Specimen, ...]:
    """The fixed family of arms, small ones first; only with or without armature, or only chains, on request.

    >>> len(family()), len(family(armature=False)), len(family(serial=True))
    (9, 4, 5)
    """
    return tuple(
        x for x in FAMILY if (armature is None or x.armature == armature) and (x.shape != "fork" or not serial)
    )


FAMILY = (
    Specimen(1, "chain"),
    Specimen(2, "chain", armature=True),
    Specimen(3, "chain", "free", "any"),
    Specimen(4, "chain", "fixed", "any", armature=True),
    Specimen(5, "fork"),
    Specimen(6, "fork", armature=True),
    Specimen(7, "fork", "free", "any", armature=True),
    Specimen(8, "fork", "fixed", "any"),
    Specimen(9, "long chain", armature=True),
)


@cache
def _robot(specimen: Specimen) -> DenseRobot:
    return specimen._robot()


def _link(rng: np.random.Generator, k: int) -> DraftLink:
    """A body that can exist: J = (trace C) I - C with a positive definite second moment C."""
    mass, spread = float(rng.uniform(0.5, 2.0)), rng.uniform(-0.3, 0.3, (3, 3))
    C = mass * (spread @ spread.T + 0.02 * np.eye(3))
    return DraftLink(f"link_{k}", mass, vector3(rng.uniform(-0.3, 0.3, 3)), np.trace(C) * np.eye(3) - C)


def _placement(rng: np.random.Generator) -> Placement:
    return Placement.of(from_quaternion(rng.standard_normal(4)), rng.uniform(-0.5, 0.5, 3))


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def _drawn_value(rng: np.random.Generator, symbol: Symbol, values: DenseValues) -> np.ndarray:
    if symbol.is_vector:
        return rng.standard_normal(values.size(symbol.codomain))
    place = symbol.domain.place
    blocks = (
        values.robot.model.v_slices if place == "joint" else [slice(6 * k, 6 * k + 6) for k in range(values.robot.n)]
    )
    value = np.zeros((values.size(symbol.codomain), values.size(symbol.domain)))
    for at in blocks:
        block = rng.standard_normal((at.stop - at.start, at.stop - at.start))
        # A symmetric operator of a user's is an inertia, damping or stiffness: its blocks are positive definite.
        value[at, at] = block @ block.T + np.eye(len(block)) if symbol.symmetric else block
    return value
