"""Every formula of `paper_formulas`, compiled for a real arm and for a random tree, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from paper_formulas import PAPER_FORMULAS, PaperFormula
from random_robots import random_model
from soadyn.robot import Robot
from soadyn.theory.oracle.dense_geometry import rigid
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value

# Universal joints hide a link, which vectors of links do not show.
KINDS = ("revolute", "continuous", "prismatic", "helical", "cylindrical", "planar", "spherical")
OFFSET = np.array([[0, -1, 0, 0.1], [1, 0, 0, -0.2], [0, 0, 1, 0.3], [0, 0, 0, 1.0]])


class Case:
    """A robot at a state, with a passive set, operational points and a value for every vector."""

    def __init__(self, arm: Robot, frames: list, passive: np.ndarray, seed: int) -> None:
        self.arm, self.frames, self.passive = arm, frames, passive
        rng = np.random.default_rng(seed)
        self.q, self.v = arm.random_configuration(rng), rng.normal(size=arm.nv)
        self.dense = DenseRobot(arm.model, self.q, self.v)
        self.rng = rng

    def options(self, x: PaperFormula) -> dict:
        return {"frames": self.frames if x.points else (), "passive": self.passive if x.passive else ()}

    def vectors(self, f: sd.Compiled) -> dict[str, np.ndarray]:
        """The arguments of a compiled formula."""
        found = {"q": self.q, "v": self.v}
        for argument in f.arguments:
            if argument.name not in found:
                found[argument.name] = self.rng.normal(size=f.setting.shape(argument.space))
        return {argument.name: found[argument.name] for argument in f.arguments}

    def truth(self, x: PaperFormula, f: sd.Compiled, given: dict[str, np.ndarray]) -> np.ndarray:
        """The formula by dense matrices; link vectors carried from and to the links' own frames."""
        spaces = {argument.name: argument.space for argument in f.arguments if argument.name not in ("q", "v")}
        vectors = {name: self._carried(given[name], space, inward=True) for name, space in spaces.items()}
        options = {"frames": self.frames if x.points else (), "passive": self.passive if x.passive else None}
        value = np.asarray(dense_value(x.formula, self.dense, vectors=vectors, **options))
        return self._carried(value, x.formula.codomain, inward=False)

    def _carried(self, x: np.ndarray, space, inward: bool) -> np.ndarray:
        if space.place != "link":
            return x
        rows = []
        for k, row in enumerate(x.reshape(-1, 6)):
            pose = self.dense.link_poses[k]
            to_joint = rigid(pose[:3, 3] - self.dense.origins[k]) @ np.kron(np.eye(2), pose[:3, :3])
            carry = to_joint if space.side == "force" else np.linalg.inv(to_joint).T
            rows.append((carry if inward else np.linalg.inv(carry)) @ row)
        return np.concatenate(rows) if inward else np.stack(rows)


def ur5() -> Case:
    passive = np.array([False, True, False, True, False, False])
    return Case(sd.load("ur5"), ["tool0"], passive, 5)


def tree() -> Case:
    rng = np.random.default_rng(12)
    arm = Robot(random_model(rng, 12, kinds=KINDS, root="free", armature=True))
    passive = rng.random(arm.nv) < 0.4
    passive[arm.joint_dofs("root")] = True
    return Case(arm, ["tool", (arm.link_names[5], OFFSET)], passive, 6)


CASES = {"ur5": ur5, "tree": tree}


def test_there_are_enough_of_them():
    names = [x.name for x in PAPER_FORMULAS]
    assert len(set(names)) == len(names) >= 30
    for paper in ("000", "001", "003", "004"):
        assert any(x.reference.startswith(paper) for x in PAPER_FORMULAS)


@pytest.mark.parametrize("robot", CASES)
@pytest.mark.parametrize(
    "backend",
    ["numpy", *(pytest.param(name, marks=pytest.mark.slow) for name in ("rolled", "straight"))],
)
@pytest.mark.parametrize("x", PAPER_FORMULAS, ids=lambda x: x.name)
@pytest.mark.heavy
def test_a_formula_of_the_papers_is_what_dense_matrices_say(x, backend, robot):
    case = CASES[robot]()
    f = sd.compile(x.formula, case.arm.with_backend(backend), **case.options(x))
    given = case.vectors(f)
    expected = case.truth(x, f, given)
    assert np.shape(f(**given)) == expected.shape
    assert abs(f(**given) - expected).max() <= 1e-11 * max(abs(expected).max(), 1.0)
