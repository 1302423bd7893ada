"""The contact particle filter of Manuelli and Tedrake (IROS 2016), as a rival for `locate_contact`.

Particles are places on the surface. At each moment every particle's best force within the friction cone is found by a
quadratic program, its weight is exp(-1/2) of what the force leaves unexplained, particles are drawn anew by weight and
step to a neighbouring place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

import soadyn as sd
from soadyn.estimation import SurfacePoints

EDGES, FRICTION_COEFFICIENT, NEIGHBOURS = 4, 0.5, 6


class Guess(NamedTuple):
    """The heaviest particle: link, place in its axes, force in world axes."""

    link: str
    place: np.ndarray
    force: np.ndarray


class ParticleFilter:
    """One contact on the surface of a robot."""

    def __init__(
        self, robot: sd.Robot, where: SurfacePoints, std: np.ndarray, count: int, rng: np.random.Generator
    ) -> None:
        self.robot, self.std, self.rng = robot, std, rng
        frames = [robot.model.frame(frame) for frame, _ in where.points]
        self.links = np.array([frame.link - 1 for frame in frames])
        turns = np.array([frame.placement.rotation for frame in frames])
        places = np.array([x for _, x in where.points])
        self.places = (turns @ places[..., None])[..., 0] + np.array([frame.placement.position for frame in frames])
        self.cones = self._cones((turns @ where.normals[..., None])[..., 0])
        self.near = self._neighbours()
        self.at = rng.integers(0, len(self.links), count)

    def _cones(self, normals: np.ndarray) -> np.ndarray:
        """Edges of the friction pyramids, (points, 3, edges), pointing inward in link axes."""
        aside = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
        u = np.cross(normals, aside)
        u /= np.linalg.norm(u, axis=-1, keepdims=True)
        v = np.cross(normals, u)
        angle = 2 * np.pi * np.arange(EDGES) / EDGES
        edges = [-normals + FRICTION_COEFFICIENT * (np.cos(a) * u + np.sin(a) * v) for a in angle]
        return np.stack(edges, axis=-1)

    def _neighbours(self) -> np.ndarray:
        """The nearest places on the arm in a stretched pose, itself included, (points, NEIGHBOURS)."""
        poses = self.robot.poses(self.robot.neutral())[self.links]
        x = (poses[:, :3, :3] @ self.places[..., None])[..., 0] + poses[:, :3, 3]
        return np.linalg.norm(x[:, None] - x[None], axis=-1).argsort(axis=-1)[:, :NEIGHBOURS]

    def update(self, q: np.ndarray, residual: np.ndarray) -> Guess:
        """One moment's measurement, resampling and motion."""
        poses, J = self.robot.poses(q), {}
        white = residual / self.std
        cost, forces = np.empty(len(self.at)), np.empty((len(self.at), 3))
        for i, p in enumerate(self.at):
            k = self.links[p]
            if k not in J:
                J[k] = self.robot.jacobian(q, self.robot.link_names[k])
            R = poses[k, :3, :3]
            d = R @ self.places[p]
            edges = R @ self.cones[p]
            felt = (J[k][3:].T @ edges + J[k][:3].T @ np.cross(d, edges.T).T) / self.std[:, None]
            share, left = nnls(felt, white)
            cost[i], forces[i] = left**2, edges @ share
        best = int(cost.argmin())
        guess = Guess(self.robot.link_names[self.links[self.at[best]]], self.places[self.at[best]], forces[best])
        weights = np.exp(-(cost - cost.min()) / 2)
        drawn = self.rng.choice(self.at, len(self.at), p=weights / weights.sum())
        moves = self.rng.random(len(drawn)) < 0.3
        steps = self.near[drawn, self.rng.integers(0, NEIGHBOURS, len(drawn))]
        self.at = np.where(moves, steps, drawn)
        return guess
