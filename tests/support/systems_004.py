"""Robots with passive joints, and the dense operators of the paper on under-actuated manipulators (004)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import soadyn as sd
from agreement import close, random_state
from dense_passive import DensePassive, six
from link_frames import at_links
from random_robots import random_model
from soadyn.algebra.expressions import Expression
from soadyn.theory.oracle.dense_robot import DenseRobot
from soadyn.theory.oracle.dense_value import dense_value
from systems_001 import KINDS

same = partial(close, tolerance=1e-10)


@dataclass(frozen=True)
class System:
    """A robot at a state, its passive components, and the dense operators."""

    robot: sd.Robot
    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray
    tau: np.ndarray
    p: np.ndarray
    d: DensePassive

    def hybrid(self) -> tuple[np.ndarray, np.ndarray]:
        return self.robot.hybrid_dynamics(self.q, self.v, self.vdot, self.tau, self.p)

    @property
    def known(self) -> tuple[np.ndarray, np.ndarray]:
        """The active accelerations and the passive forces."""
        return self.vdot[~self.p], self.tau[self.p]

    @property
    def bare(self) -> bool:
        """Is the passive arm without armature?"""
        return not self.d.A_rp.any()


def system(rng: np.random.Generator, by_joint: bool = False, **options: Any) -> System:
    robot = sd.Robot(random_model(rng, 7, **options))
    s = random_state(rng, robot)
    p = np.zeros(robot.nv, dtype=bool)
    if by_joint:
        for name in rng.choice(robot.joint_names, size=len(robot.joint_names) // 2, replace=False):
            p[list(robot.joint_dofs(name))] = True
    else:
        p = rng.random(robot.nv) < 0.5
        p[:2] = True, False
    d = DensePassive(DenseRobot(robot.model, s["q"], s["v"]), p)
    return System(robot, s["q"], s["v"], s["a"], s["tau"], p, d)


SYSTEMS: dict[str, dict[str, Any]] = {
    "chain": {"kinds": ["revolute", "prismatic"], "shape": "serial"},
    "tree": {"by_joint": True},
    "free tree": {"root": "free"},
    "tree with armature": {"armature": True},
    "free tree with armature": {"root": "free", "armature": True, "by_joint": True},
}


# The same without universal joints, which hide a link that vectors of links do not show.
SHOWN = {name: {"kinds": KINDS, "fixed_links": 0.0, **options} for name, options in SYSTEMS.items()}


def operator(s: System, X: Expression) -> None:
    """An operator of the passive arm, compiled and written out, is its dense value."""
    found = sd.compile(X, s.robot, passive=s.p, backend="numpy")(s.q).dense()
    assert same(found, at_links(s.d.dense, X, np.asarray(dense_value(X, s.d.dense, s.p))))


def identity(s: System, left: Expression, right: Expression) -> None:
    """An identity is proved, and both its sides, compiled, are their dense values."""
    assert sd.prove(left, right)
    operator(s, left)
    operator(s, right)


def link_accelerations(s: System, a: np.ndarray) -> np.ndarray:
    """α of all links at O(k), from the public accelerations of frames, with gravity's offset."""
    found = []
    for k, O in enumerate(s.d.dense.origins):
        link = s.robot.model.links[k]
        T = s.d.dense.link_poses[k]
        offset = np.eye(4)
        offset[:3, 3] = T[:3, :3].T @ (O - T[:3, 3])
        if link.hidden:  # cannot be named; the dense operators have it
            found.append(s.d.phi.T[six(k)] @ (s.d.dense.H.T @ a + s.d.a))
            continue
        alpha = s.robot.frame_acceleration(s.q, s.v, a, (link.name, offset))
        found.append(alpha - np.concatenate([np.zeros(3), s.d.dense.g]))
    return np.concatenate(found)


def filtered(s: System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """z, ν_p and α of Lemma 5.2."""
    d = s.d
    a_a, T_p = s.known
    drive = d.H_a.T @ a_a + d.a
    z = d.psi @ (d.K @ T_p + d.b + d.P @ drive)
    nu = d.D_inv @ (T_p - d.H_p @ z)
    return z, nu, d.psi.T @ (d.H_p.T @ nu + drive)
