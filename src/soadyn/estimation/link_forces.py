"""Links as sources of random forces: M(k) as a covariance, and point masses where the white field w(x) lives.

003 section 5. Every link that a force passes through counts, also the massless ones inside universal joints.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.robot import Robot

TOLERANCE = 1e-5  # as in model.validity: files print about six digits
ROUNDING = 1e-9  # a defect below this share of the largest entry is rounding of a file's digits


class FieldPoints(NamedTuple):
    """Points of given masses: the links' names, places in link axes (points, 3) and masses (points,).

    >>> import soadyn as sd
    >>> points = sd.estimation.RandomField(sd.load("planar_two_link"), [0.3, 0.5]).points()
    >>> len(points.links), round(float(points.masses.sum()), 9)
    (12, 2.0)
    """

    links: tuple[str, ...]
    places: np.ndarray
    masses: np.ndarray


def points_of_links(robot: Robot) -> FieldPoints:
    """Six points for each link, at c ± sqrt(3 λ / m) along the principal axes of its second moment Σ = ∫ρ (x-c)(x-c)*.

    Each weighs m/6, λ being Σ's eigenvalue: together they have the link's mass, mass centre and inertia.
    """
    links, places, masses = [], [], []
    for link in robot.model.links:
        if link.mass == 0 and not np.any(link.inertia):
            continue
        size, axes = np.linalg.eigh(_second_moment(robot, link.name, link.mass, np.array(link.inertia)))
        reach = axes * np.sqrt(3 * np.maximum(size, 0.0) / link.mass)
        places += [*(np.array(link.com) + reach.T), *(np.array(link.com) - reach.T)]
        masses += [link.mass / 6] * 6
        links += [link.name] * 6
    return FieldPoints(tuple(links), np.array(places).reshape(-1, 3), np.array(masses))


def _second_moment(robot: Robot, name: str, mass: float, J: np.ndarray) -> np.ndarray:
    """Σ = trace(J)/2 I - J, which a density that is nowhere negative makes positive semidefinite."""
    Sigma = np.trace(J) / 2 * np.eye(3) - J
    size = np.linalg.eigvalsh(Sigma)
    if mass <= 0 or size[0] < -TOLERANCE * max(abs(size[-1]), np.abs(J).max()):
        why = "inertia but no mass" if mass <= 0 else "principal moments of which one exceeds the sum of the others"
        raise ModelError(
            f"link {name!r} of robot {robot.name!r} has {why}: no density that is nowhere negative has that, "
            "so there is no field of forces in it"
        )
    return Sigma


def with_every_link(robot: Robot) -> Robot:
    """The same robot with its hidden links among `link_names`; each is a step of the filter."""
    model = robot.model
    if len(model.visible) == model.n:
        return robot
    shown = tuple(replace(link, hidden=False) for link in model.links)
    return Robot(replace(model, links=shown), robot.backend)


def link_inertias(robot: Robot) -> np.ndarray:
    """M(k) of every link, at its frame and along its axes, (links, 6, 6)."""
    bodies = [Inertia.at_mass_centre(x.mass, np.array(x.com), np.array(x.inertia)) for x in robot.model.links]
    return np.array([body.dense() for body in bodies]).reshape(-1, 6, 6)


def inertia_roots(robot: Robot) -> np.ndarray:
    """L(k) with L(k) L(k)* = M(k), (links, 6, 6): a covariance has a root, so M(k) must not be indefinite."""
    roots = []
    for link, M in zip(robot.model.links, link_inertias(robot), strict=True):
        size, axes = np.linalg.eigh(M)
        if size[0] < -ROUNDING * max(size[-1], 1e-300):
            raise ModelError(
                f"link {link.name!r} of robot {robot.name!r} has an inertia with the eigenvalue {size[0]:.3g}: it is "
                "the covariance of no random force; moments about the mass centre must not be negative"
            )
        roots.append(axes * np.sqrt(np.maximum(size, 0.0)))
    return np.array(roots).reshape(-1, 6, 6)
