"""Estimation speaks of every link a force passes through, also of the massless ones inside universal joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.robot import Robot

# A defect below this share of the largest entry is rounding of a file's digits.
TOLERANCE = 1e-9


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
        if size[0] < -TOLERANCE * max(size[-1], 1e-300):
            raise ModelError(
                f"link {link.name!r} of robot {robot.name!r} has an inertia with the eigenvalue {size[0]:.3g}: it is "
                "the covariance of no random force; moments about the mass centre must not be negative"
            )
        roots.append(axes * np.sqrt(np.maximum(size, 0.0)))
    return np.array(roots).reshape(-1, 6, 6)
