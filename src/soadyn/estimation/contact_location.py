"""Where is a robot touched, and how hard? Hypotheses about one force at one point, from joint torques.

A force F at x with the prior N(0, s² I) *is* a particle of mass s² there: it makes joint forces of covariance
s² J* J, as a particle's inertial force does (003 Lemma 2). Torque noise *is* armature, A_r = σ². So the covariance of
the torques is the mass matrix of a weightless robot with such rotors that carries the particle, and the smoother's
mass times acceleration is the estimated force:

    S = s² J* J + σ²,      F̂ = s² J S⁻¹ r,      cov(F | r) = s² I - s⁴ J S⁻¹ J*

Without the particle no joint of that robot gives way to another (P = 0, ψ = φ), and 003 (10.2), (9.14) give at a link

    Υ = φ* Υ(p) φ + H* σ⁻² H = J σ⁻² J*,        α = φ* α(p) + H* σ⁻² r = J σ⁻² r

which say all about forces on it. With B = φ(link, x) [0; I] each point is then a 3 x 3 problem (see `point_problems`):

    cov(F | r) = (B* Υ B + s⁻²)⁻¹,      F̂ = cov(F | r) B* α
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from soadyn.estimation.candidates import PointLike, candidates_of
from soadyn.estimation.contact_result import ContactResult
from soadyn.estimation.point_problems import LinkPoints, pushing, solved_at
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.component_values import per_component
from soadyn.robot.arguments.plain_values import positive
from soadyn.robot.checked import checked_robot


def locate_contact(
    robot: Robot,
    q: ArrayLike,
    residual: ArrayLike,
    points: Sequence[PointLike],
    force_std: float,
    torque_std: ArrayLike,
    *,
    normals: ArrayLike | None = None,
    slip: float = 0.5,
) -> ContactResult:
    """Every hypothesis "one force at this point", and "none", for joint torques that the model does not explain.

    q           (..., nq)
    residual    (..., nv) external torques, as `sd.estimation.residual` and `MomentumObserver` give them
    points      [(frame, xyz), ...]
    force_std   s, prior standard deviation of each component of the force, N
    torque_std  σ, standard deviation of the residual when nothing touches, N m; one number or one for each joint
    normals     (points, 3) outward normals: then forces push inward, across the normal `slip` times as much as along it

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("panda")
    >>> q, F = np.array([0.3, -0.5, 0.2, -2.0, 0.4, 1.5, 0.1]), np.array([5.0, -15.0, 10.0])
    >>> points = [("panda_link4", [0.0, 0.06, 0.0]), ("panda_link6", [0.04, 0.0, 0.05])]
    >>> here = np.eye(4)
    >>> here[:3, 3] = points[1][1]
    >>> r = arm.jacobian(q, ("panda_link6", here))[3:].T @ F
    >>> found = sd.estimation.locate_contact(arm, q, r, points, force_std=20.0, torque_std=0.1)
    >>> found.link, bool(np.abs(found.force - F).max() < 0.3)
    ('panda_link6', True)
    """
    space = checked_robot(robot, "locate_contact").engine.coordinates
    q = arguments.coordinates(space, q)
    r = arguments.joint_vector(space, residual, "residual")
    batch = arguments.batch_shape({"q": q, "residual": r}, {"q": 1, "residual": 1})
    sigma = per_component("torque_std", torque_std, robot.nv, "locate_contact", zero=False)
    force_std, slip = positive("force_std", force_std, "locate_contact"), positive("slip", slip, "locate_contact")
    where = candidates_of(robot, points, normals)
    q, white = np.broadcast_to(q, (*batch, robot.nq)), np.broadcast_to(r / sigma, (*batch, robot.nv))
    chance = np.empty((*batch, len(points) + 1))
    chance[...] = (-((white**2).sum(-1) + robot.nv * np.log(2 * np.pi)) / 2 - np.log(sigma).sum())[..., None]
    by_link = {}
    for link in dict.fromkeys(where.links):
        mine = where.of_link(link)
        here = LinkPoints.of(where, mine, force_std, slip)
        J = robot.jacobian(q, link, axes="local") / sigma
        found = solved_at(here, np.einsum("...id,...jd->...ij", J, J), np.einsum("...id,...d->...i", J, white))
        chance[..., mine] += found.gain + (0.0 if here.normals is None else pushing(here, found))
        by_link[link] = (mine, here, found)
    return ContactResult(robot, q, tuple(points), where.links, where.places, chance, by_link)
