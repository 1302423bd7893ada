"""A Panda that is touched while it moves: what its joint torques tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import soadyn as sd

# On each link the place furthest from its joint's axis on the maker's collision shapes, as far as these reach.
REACH = (
    (0.005, -0.129, 0.001),
    (-0.055, -0.194, 0.005),
    (0.128, 0.093, -0.005),
    (-0.138, 0.124, 0.003),
    (-0.004, 0.130, 0.003),
    (0.132, -0.051, 0.001),
    (0.040, 0.081, 0.086),
)
LINKS = np.array([f"panda_link{k}" for k in range(1, 8)], dtype=object)
POINTS = list(zip(LINKS, REACH, strict=True))
FORCE, NOISE = 20.0, 0.1  # N, N m


@dataclass(frozen=True)
class Touched:
    """States of an arm, the link that is touched in each, the force on it, and the torques' residual."""

    arm: sd.Robot
    q: np.ndarray
    link: np.ndarray
    force: np.ndarray
    residual: np.ndarray


def contacts_on_all_links(rng: np.random.Generator, count: int) -> Touched:
    """Random states and accelerations, a force of 20 N in any direction at one of POINTS, torques with noise."""
    arm = sd.load("panda")
    q, v, a = arm.random_configuration(rng, count), rng.normal(0, 0.5, (count, 7)), rng.standard_normal((count, 7))
    link, force = rng.integers(0, 7, count), rng.standard_normal((count, 3))
    force *= FORCE / np.linalg.norm(force, axis=-1, keepdims=True)
    tau = NOISE * rng.standard_normal((count, 7))
    for k, (name, place) in enumerate(POINTS):
        mine = link == k
        frame = np.eye(4)
        frame[:3, 3] = place
        R = arm.pose(q[mine], name)[:, :3, :3]
        wrench = np.concatenate([np.zeros((mine.sum(), 3)), (R.mT @ force[mine, :, None])[..., 0]], axis=-1)
        tau[mine] += arm.inverse_dynamics(q[mine], v[mine], a[mine], external=_carried(name, place, wrench))
    return Touched(arm, q, link, force, sd.estimation.residual(arm, q, v, a, tau))


def _carried(name: str, place: tuple[float, ...], wrench: np.ndarray) -> dict[str, np.ndarray]:
    """A force at a place of a link as a wrench at the link's origin."""
    moved = wrench.copy()
    moved[:, :3] = np.cross(np.array(place), wrench[:, 3:])
    return {name: moved}
