"""What agreement with somebody else means (design, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


def largest(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def error(x: Any, y: Any, scale: float = 1.0) -> float:
    """max|x - y| in units of max|y|, or of `scale` where that is more; the shapes must be the same."""
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape, f"shapes {x.shape} and {y.shape}"
    return largest(x - y) / max(largest(y), scale)


def close(x: Any, y: Any, tolerance: float) -> bool:
    return error(x, y) <= tolerance


def norm(x: Any) -> float:
    """The infinity norm of a vector or a matrix."""
    x = np.abs(np.asarray(x))
    return float(np.max(x.sum(axis=-1) if x.ndim > 1 else x, initial=0.0))


@dataclass
class Agreement:
    """The worst errors found by quantity, and whether they are small enough.

    `same` compares with max|x - y| <= tolerance max(max|y|, s); `residual` a numerator with its scale.
    """

    tolerance: float = 1e-9
    residual_tolerance: float = 1e-10
    worst: dict[str, float] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)

    def same(self, name: str, x: Any, y: Any, s: float = 1.0) -> None:
        x, y = np.asarray(x), np.asarray(y)
        assert x.shape == y.shape, f"{name}: shapes {x.shape} and {y.shape}"
        off = largest(x - y)
        self._note(name, off / max(largest(y), s) if off else 0.0, self.tolerance)

    def residual(self, name: str, numerator: Any, scale: float) -> None:
        self._note(name, norm(numerator) / scale if np.size(numerator) else 0.0, self.residual_tolerance)

    def _note(self, name: str, error: float, bound: float) -> None:
        self.worst[name] = float(np.fmax(self.worst.get(name, 0.0), error)) if error == error else np.inf
        self.bounds[name] = bound

    def check(self) -> None:
        wrong = {name: error for name, error in self.worst.items() if not error <= self.bounds[name]}
        assert not wrong, f"disagreement: {wrong}"
        assert self.worst, "nothing was compared"


def compare(ours: dict[str, Any], theirs: dict[str, Any], known: dict[str, Any], agreement: Agreement) -> None:
    """One state's quantities against a peer's, as far as the peer has them.

    `known` holds tau and the mass of the moving links. Ours may lack what needs D⁻¹.
    """
    force = known["mass"] * 9.81
    for name, y in theirs.items():
        scale = force if name in JOINT_FORCES else 1.0
        agreement.same(name, ours[name], y, scale)
    M = theirs["mass_matrix"]
    if "forward_dynamics" in ours and len(M):
        a, tau, c = ours["forward_dynamics"], known["tau"], theirs["bias_with_external"]
        scale = norm(M) * norm(a) + norm(tau) + norm(c)
        agreement.residual("forward_dynamics", M @ a - (tau - c), scale)
    if "mass_matrix_inverse" in ours and len(M):
        X = ours["mass_matrix_inverse"]
        agreement.residual("mass_matrix_inverse", M @ X - np.eye(len(M)), norm(M) * norm(X))
    if "factors" in ours and len(M):
        U, D = ours["factors"]
        agreement.residual("mass_matrix_factors", U @ D @ U.T - M, norm(M))


JOINT_FORCES = ("inverse_dynamics", "bias_force", "gravity_force", "bias_with_external")


def our_quantities(robot: Any, state: dict[str, Any], frames: list[str], invertible: bool = True) -> dict[str, Any]:
    """Every quantity of a robot at a batch of states q, v, a, tau, external; arrays whose first axis is the batch."""
    q, v, a, tau, external = (state[name] for name in ("q", "v", "a", "tau", "external"))
    s = robot.at(q, v)
    ours = {
        "mass_matrix": s.mass_matrix,
        "inverse_dynamics": s.inverse_dynamics(a, external=external),
        "bias_force": s.bias_force,
        "bias_with_external": s.inverse_dynamics(np.zeros_like(a), external=external),
        "gravity_force": s.gravity_force,
        "kinetic_energy": s.kinetic_energy,
        "potential_energy": s.potential_energy,
        "momentum": s.momentum(),
        "poses": s.poses,
        "inertia_regressor": s.inertia_regressor(a),
    }
    if robot.total_mass > 0:
        ours["momentum about com"] = s.momentum(about="com")
        ours["center_of_mass"] = s.center_of_mass
        ours["center_of_mass_jacobian"] = s.center_of_mass_jacobian
        ours["centroidal_momentum_matrix"] = s.centroidal_momentum_matrix
    for frame in frames:
        ours[f"pose {frame}"] = s.pose(frame)
        for axes in ("world", "local"):
            ours[f"jacobian {frame} {axes}"] = s.jacobian(frame, axes=axes)
            ours[f"frame_velocity {frame} {axes}"] = s.frame_velocity(frame, axes=axes)
            ours[f"frame_acceleration {frame} {axes}"] = s.frame_acceleration(a, frame, axes=axes)
    if invertible:
        ours["forward_dynamics"] = s.forward_dynamics(tau, external=external)
        ours["mass_matrix_inverse"] = s.mass_matrix_inverse
        ours["factors"] = np.stack(s.mass_matrix_factors, axis=-3)
    return ours


def random_state(rng: np.random.Generator, robot: Any, size: tuple[int, ...] = ()) -> dict[str, Any]:
    """Coordinates, rates, accelerations, joint forces and wrenches on the links."""
    vectors = {name: rng.standard_normal((*size, robot.nv)) for name in ("v", "a", "tau")}
    q = robot.random_configuration(rng, size)
    external = 10 * rng.standard_normal((*size, len(robot.link_names), 6))
    return {"q": q, **vectors, "external": external}


def row(batch: dict[str, Any], i: int) -> dict[str, Any]:
    return {name: x[i] for name, x in batch.items()}
