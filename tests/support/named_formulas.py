"""Named quantities, whose programs are put together by hand, beside formulas that mean the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

import soadyn as sd
from soadyn.algebra import (
    A_r,
    A_ra,
    B,
    D,
    Expression,
    H,
    H_a,
    K_p,
    M,
    Omega,
    P,
    T,
    V,
    a,
    f,
    inv,
    mass,
    phi,
    psi,
    psi_tilde,
    theta_ddot,
    theta_ddot_a,
    theta_dot,
)
from soadyn.algebra.factors import A, A_inverse
from soadyn.robot import Robot
from soadyn.theory.literature.parts import J_D, S_pp, alpha_p, bias, mass_ap, nu_p, z_p


@final
class State:
    """A robot at a random state, with a frame and a passive set."""

    def __init__(self, arm: Robot, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.arm = arm
        self.q = arm.random_configuration(rng)
        self.v, self.theta_ddot, self.T = rng.normal(size=(3, arm.nv))
        self.frame = arm.link_names[-1]
        self.passive = rng.random(arm.nv) < 0.5
        self.passive[0], self.passive[-1] = True, False

    def argument(self, name: str) -> np.ndarray:
        """What a compiled formula calls by that name."""
        match name:
            case "theta_ddot_a":
                return self.theta_ddot[~self.passive]
            case "T_p":
                return self.T[self.passive]
            case _:
                return getattr(self, name)

    def hybrid(self) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations of the passive, forces of the active components."""
        s = self
        acceleration, tau = s.arm.hybrid_dynamics(s.q, s.v, a=s.theta_ddot, tau=s.T, passive=s.passive)
        return acceleration[s.passive], tau[~s.passive]


@final
@dataclass(frozen=True)
class Named:
    """A quantity, a formula for it, and the quantity's value; `frame` and `passive` say what the formula needs."""

    quantity: str
    formula: Expression
    value: Callable[[State], Any]
    frame: bool = False
    passive: bool = False

    def compiled(self, state: State) -> sd.Compiled:
        frames = [state.frame] if self.frame else ()
        return sd.compile(self.formula, state.arm, frames=frames, passive=state.passive if self.passive else ())

    def computed(self, state: State) -> np.ndarray:
        """By the formula; an operator as a matrix."""
        found = self.compiled(state)
        if found.is_operator:
            return found(state.q).dense()
        return np.asarray(found(**{x.name: state.argument(x.name) for x in found.arguments}))


VECTORS = (
    Named("forward_dynamics", inv(mass) @ (T - bias), lambda s: s.arm.forward_dynamics(s.q, s.v, s.T)),
    Named("inverse_dynamics", H @ f + A_r @ theta_ddot, lambda s: s.arm.inverse_dynamics(s.q, s.v, s.theta_ddot)),
    Named("bias_force", bias, lambda s: s.arm.bias_force(s.q, s.v)),
    Named(
        "kinetic_energy",
        V.T @ M @ V / 2 + theta_dot.T @ A_r @ theta_dot / 2,
        lambda s: s.arm.kinetic_energy(s.q, s.v),
    ),
    Named(
        "disturbance_jacobian_times",
        J_D @ theta_ddot_a,
        lambda s: s.arm.disturbance_jacobian_times(s.q, s.theta_ddot[~s.passive], s.passive),
        passive=True,
    ),
)
MATRICES = (
    Named("mass_matrix", mass, lambda s: s.arm.mass_matrix(s.q)),
    Named("mass_matrix_inverse", inv(mass), lambda s: s.arm.mass_matrix_inverse(s.q)),
    Named("mass_matrix_factors", A, lambda s: s.arm.mass_matrix_factors(s.q)[0]),
)
OTHERS = (
    Named("inverse_dynamics", mass @ theta_ddot + bias, lambda s: s.arm.inverse_dynamics(s.q, s.v, s.theta_ddot)),
    Named("kinetic_energy", theta_dot.T @ mass @ theta_dot / 2, lambda s: s.arm.kinetic_energy(s.q, s.v)),
    Named("mass_matrix", A @ D @ A.T, lambda s: s.arm.mass_matrix(s.q)),
    Named("mass_matrix_inverse", A_inverse.T @ inv(D) @ A_inverse, lambda s: s.arm.mass_matrix_inverse(s.q)),
    Named("mass_matrix_factors", D, lambda s: s.arm.mass_matrix_factors(s.q)[1]),
    Named("jacobian", B.T @ phi.T @ H.T, lambda s: s.arm.jacobian(s.q, s.frame), frame=True),
    Named("frame_velocity", B.T @ V, lambda s: s.arm.frame_velocity(s.q, s.v, s.frame), frame=True),
    Named(
        "operational_inertia_inverse",
        B.T @ Omega @ B,
        lambda s: s.arm.operational_inertia_inverse(s.q, s.frame),
        frame=True,
    ),
    Named("hybrid_dynamics", nu_p - K_p.T @ alpha_p, lambda s: s.hybrid()[0], passive=True),
    Named(
        "hybrid_dynamics",
        H_a @ (P @ (alpha_p - H_a.T @ theta_ddot_a - a) + z_p) + A_ra @ theta_ddot_a,
        lambda s: s.hybrid()[1],
        passive=True,
    ),
    Named(
        "generalized_jacobian",
        B.T @ (psi.T - Omega @ P) @ H_a.T,
        lambda s: s.arm.generalized_jacobian(s.q, s.frame, s.passive),
        frame=True,
        passive=True,
    ),
    Named("disturbance_jacobian", J_D, lambda s: s.arm.disturbance_jacobian(s.q, s.passive), passive=True),
    Named(
        "actuation_matrices",
        A_ra + H_a @ ((psi - P @ Omega) @ P + P @ psi_tilde.T) @ H_a.T,
        lambda s: s.arm.actuation_matrices(s.q, s.passive)[0],
        passive=True,
    ),
    Named(
        "actuation_matrices",
        mass_ap @ S_pp,
        lambda s: s.arm.actuation_matrices(s.q, s.passive)[1],
        passive=True,
    ),
    Named("actuation_matrices", S_pp, lambda s: s.arm.actuation_matrices(s.q, s.passive)[2], passive=True),
)
