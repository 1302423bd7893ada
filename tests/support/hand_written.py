"""Sweeps put together by hand from the link functions, for what formulas compile to; and robots to count them on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from random_robots import random_model
from soadyn.algebra import H, M, T, a, b, inv, mass, phi
from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.model.model import Model
from soadyn.programs.sweep.algorithms import (
    ACCELERATION,
    ALL_PASSIVE,
    ARTICULATED,
    EVERY,
    EXTERNAL,
    GYROSCOPIC,
    HINGE,
    INNOVATIONS,
    LINK_FORCE,
    SMOOTHING,
    VELOCITY,
    at_rest,
    given,
)
from soadyn.programs.sweep.program import Output, Program, Sweep

INVERSE = inv(mass) @ T
FORWARD = inv(mass) @ (T - H @ phi @ (M @ phi.T @ a + b))

INVERSE_MASS_TIMES = Program(
    "inverse_mass_times",
    (
        HINGE,
        ARTICULATED,
        given(INNOVATIONS, **ALL_PASSIVE, a=0.0, b=0.0, f_external=0.0),
        given(at_rest(SMOOTHING), **ALL_PASSIVE, a=0.0),
    ),
    (Output("theta_ddot", "joint"),),
)


def d_alembert_force(joint: JointKind, M: Inertia, alpha: Spatial, b: Spatial) -> tuple[Spatial]:
    """ζ(k) = M(k) α(k) + b(k), α = φ* a    001 (60)."""
    return (M @ alpha + b,)


# `innovation` reads what does not come from the joint as b, `smoothed_motion` writes an alpha: here that is λ.
_FILTER = given(replace(INNOVATIONS, reads=tuple("zeta" if x == "b" else x for x in INNOVATIONS.reads)), a=0.0)
_SMOOTHER = replace(
    at_rest(SMOOTHING),
    reads=tuple("parent.alpha~2" if x == "parent.alpha" else x for x in SMOOTHING.reads),
    writes=("theta_ddot", "T", "alpha~2"),
    ground=tuple(("alpha~2", step) for _, step in at_rest(SMOOTHING).ground),
)
ALGORITHM_3 = Program(
    "algorithm_3",
    (
        HINGE,
        VELOCITY,
        GYROSCOPIC,
        given(ACCELERATION, vdot=0.0),
        Sweep(EVERY, d_alembert_force, ("M", "alpha", "b"), ("zeta",)),
        ARTICULATED,
        given(_FILTER, **ALL_PASSIVE, f_external=0.0),
        given(_SMOOTHER, **ALL_PASSIVE, a=0.0),
    ),
    (Output("theta_ddot", "joint"),),
)


@cache
def long_tree() -> Model:
    """A random tree of sixty links, joints of every kind, rotors at most of them."""
    return random_model(np.random.default_rng(60), 60, armature=True)


# What named quantities were before they became formulas: their formulas may take no more than 1.02 times as much.


def kinetic_energy(joint: JointKind, M: Inertia, A_r: np.ndarray, V: Spatial, v: np.ndarray) -> tuple[np.ndarray]:
    """Level 6 - a link's and its rotor's kinetic energy.

    E(k) = ½ V*(k) M(k) V(k) + ½ θ̇*(k) A_r(k) θ̇(k)
    """
    return (0.5 * (V.dot(M @ V) + v.mT @ (A_r @ v)),)


_MOTION = (HINGE, VELOCITY, GYROSCOPIC)
_FORCE = Output("T", "joint")
_RESTING = given(ACCELERATION, vdot=0.0), given(LINK_FORCE, vdot=0.0, f_external=0.0)
_ALL_PASSIVE = [given(stage, **ALL_PASSIVE) for stage in (INNOVATIONS, SMOOTHING)]
_ENERGY = Sweep(EVERY, kinetic_energy, ("M", "A_r", "V", "v"), ("energy",))
REPLACED = {
    program.name: program
    for program in (
        Program("inverse_dynamics", (*_MOTION, EXTERNAL, ACCELERATION, LINK_FORCE), (_FORCE,)),
        Program("bias_force", (*_MOTION, *_RESTING), (_FORCE,)),
        Program(
            "forward_dynamics",
            (*_MOTION, EXTERNAL, ARTICULATED, *_ALL_PASSIVE),
            (Output("theta_ddot", "joint"),),
        ),
        Program("kinetic_energy", (HINGE, VELOCITY, _ENERGY), (Output("energy", "sum"),)),
    )
}
