"""Random states of a robot, and the measures by which checks compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from soadyn.control.feedback.normalized import times
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot

H = 1e-3  # step of finite differences
FAR = 1e3


@final
class Case:
    """A robot at N random states, with random rates, accelerations, wrenches and masks."""

    def __init__(self, robot: Robot, states: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.robot = robot
        self.compute: Any = robot  # its methods come from a table, which type checkers do not read
        self.states = states
        q = robot.random_configuration(rng, size=states)
        # Files write 1e16 for "no limit"; so far out floating point cannot tell neighbouring angles apart.
        self.q = np.where(np.abs(q) > FAR, rng.uniform(-np.pi, np.pi, q.shape), q)
        self.v, self.a = rng.standard_normal((2, states, robot.nv))
        self.external = rng.standard_normal((states, len(robot.link_names), 6))
        self.passive = rng.random((states, robot.nv)) < 0.5

    @cached_property
    def direction(self) -> np.ndarray:
        """Rates of unit length: the way finite differences go."""
        return np.asarray(self.v / np.linalg.norm(self.v, axis=-1)[..., None])

    @cached_property
    def mass(self) -> np.ndarray:
        return np.asarray(self.compute.mass_matrix(self.q))

    @cached_property
    def bias(self) -> np.ndarray:
        return np.asarray(self.compute.bias_force(self.q, self.v))

    def residual(self, a: np.ndarray, tau: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """|Mass a + bias - tau| relative to its parts, for each state."""
        parts = matrix_size(self.mass) * size(a) + size(tau) + size(bias)
        return relative(size(times(self.mass, a) + bias - tau), parts)

    @property
    def tips(self) -> list[str]:
        """The links that carry no other."""
        model = self.robot.model
        return [model.links[k - 1].name for k in model.visible if not model.children[k]]


def slope(f: Callable[[float], np.ndarray]) -> np.ndarray:
    """df/ds at 0, by differences of fourth order."""
    return np.asarray((8 * (f(H) - f(-H)) - (f(2 * H) - f(-2 * H))) / (12 * H))


def size(x: np.ndarray) -> np.ndarray:
    """The largest entry of each vector."""
    return np.asarray(np.abs(x).max(axis=-1, initial=0.0))


def matrix_size(A: np.ndarray) -> np.ndarray:
    """The infinity norm of each matrix."""
    return np.asarray(np.abs(A).sum(axis=-1).max(axis=-1, initial=0.0))


def relative(x: np.ndarray, to: np.ndarray) -> np.ndarray:
    """x / to, and x itself where there is nothing to compare with."""
    return np.asarray(x / np.where(to > 0, to, 1.0))


def apart(x: Any, y: Any, floor: Any = 1.0) -> np.ndarray:
    """The largest difference, relative to the larger side of all states or to `floor`."""
    x, y = np.asarray(x), np.asarray(y)
    largest = max(np.abs(x).max(initial=0.0), np.abs(y).max(initial=0.0), float(np.max(floor)))
    return np.asarray(np.abs(x - y).max(initial=0.0) / (largest or 1.0))
