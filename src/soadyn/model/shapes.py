"""Bodies of uniform density and simple shape, centred on the origin unless said otherwise.

Each takes either `mass` (kg) or `density` (kg/m^3), and a `placement` (position, 4x4 matrix or Placement) of the
shape in the link. Shapes with an axis lie along z.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ModelError
from soadyn.model.bodies import Body, checked_amount, mass_of
from soadyn.model.poses import Pose, finite3


def box(size: Any, mass: float | None = None, density: float | None = None, placement: Pose = None) -> Body:
    """A box with edges `size` = (x, y, z).

    >>> box((1, 2, 3), mass=12.0).inertia[0]
    (13.0, 0.0, 0.0)
    """
    x, y, z = _lengths(size, "a box's size")
    m = mass_of(mass, density, x * y * z, "a box")
    return _body(m, (y * y + z * z, x * x + z * z, x * x + y * y), m / 12, placement)


def sphere(radius: float, mass: float | None = None, density: float | None = None, placement: Pose = None) -> Body:
    """A full sphere.

    >>> round(sphere(0.5, mass=10.0).inertia[0][0], 12)
    1.0
    """
    return ellipsoid((radius, radius, radius), mass, density, placement)


def ellipsoid(radii: Any, mass: float | None = None, density: float | None = None, placement: Pose = None) -> Body:
    """A full ellipsoid with half axes `radii` = (a, b, c) along x, y, z.

    >>> ellipsoid((1, 2, 3), mass=5.0).inertia[0]
    (13.0, 0.0, 0.0)
    """
    a, b, c = _lengths(radii, "a sphere's or ellipsoid's radii")
    m = mass_of(mass, density, 4 / 3 * np.pi * a * b * c, "an ellipsoid")
    return _body(m, (b * b + c * c, a * a + c * c, a * a + b * b), m / 5, placement)


def cylinder(
    radius: float,
    length: float,
    mass: float | None = None,
    density: float | None = None,
    placement: Pose = None,
    inner_radius: float = 0.0,
) -> Body:
    """A cylinder along z, full or with a bore of `inner_radius` (a tube).

    >>> cylinder(1.0, 6.0, mass=4.0).inertia
    ((13.0, 0.0, 0.0), (0.0, 13.0, 0.0), (0.0, 0.0, 2.0))
    >>> cylinder(1.0, 6.0, mass=4.0, inner_radius=1.0).inertia[2]
    (0.0, 0.0, 4.0)
    """
    R, h = _length(radius, "a cylinder's radius"), _length(length, "a cylinder's length")
    r = checked_amount(inner_radius, "a cylinder's inner radius", "m")
    if r > R:
        raise ModelError(f"a cylinder's inner radius must not exceed its radius, got {r} and {R}")
    m = mass_of(mass, density, np.pi * (R * R - r * r) * h, "a cylinder")
    across = 3 * (R * R + r * r) + h * h
    return _body(m, (across, across, 6 * (R * R + r * r)), m / 12, placement)


def capsule(
    radius: float, length: float, mass: float | None = None, density: float | None = None, placement: Pose = None
) -> Body:
    """A cylinder along z of the given length with a half ball on each end (`length` leaves the balls out).

    >>> round(capsule(1.0, 0.0, mass=5.0).inertia[0][0], 12)
    2.0
    """
    r, h = _length(radius, "a capsule's radius"), checked_amount(length, "a capsule's length", "m")
    tube, balls = np.pi * r * r * h, 4 / 3 * np.pi * r**3
    m = mass_of(mass, density, tube + balls, "a capsule")
    a, b = m * tube / (tube + balls), m * balls / (tube + balls)
    along = a * r * r / 2 + b * r * r * 2 / 5
    # each half ball has its mass centre 3 r / 8 beyond the cylinder's end
    across = a * (3 * r * r + h * h) / 12 + b * (2 / 5 * r * r + h * h / 4 + 3 / 8 * h * r)
    return _body(m, (across, across, along), 1.0, placement)


def cone(
    radius: float, length: float, mass: float | None = None, density: float | None = None, placement: Pose = None
) -> Body:
    """A full cone along z: its base of the given radius in the plane z = 0, its tip at z = length.

    >>> cone(1.0, 4.0, mass=10.0).com
    (0.0, 0.0, 1.0)
    """
    r, h = _length(radius, "a cone's radius"), _length(length, "a cone's length")
    m = mass_of(mass, density, np.pi * r * r * h / 3, "a cone")
    across = 12 * r * r + 3 * h * h
    return Body(m, (0, 0, h / 4), np.diag([across, across, 24 * r * r]) * m / 80).moved(placement)


def rod(start: Any, end: Any, mass: float) -> Body:
    """A straight rod without thickness between two points; it has no inertia about its own axis.

    >>> rod((0, 0, 0), (0, 0, 3), mass=4.0).inertia
    ((3.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    """
    a, b = (np.array(finite3(point, f"a rod's {name}")) for point, name in ((start, "start"), (end, "end")))
    m, d = checked_amount(mass, "a rod's mass", "kg"), b - a
    return Body(m, (a + b) / 2, (d @ d * np.eye(3) - np.outer(d, d)) * m / 12)


def _length(value: Any, what: str) -> float:
    return checked_amount(value, what, "m", positive=True)


def _lengths(values: Any, what: str) -> tuple[float, float, float]:
    a, b, c = finite3(values, what)
    return _length(a, what), _length(b, what), _length(c, what)


def _body(mass: float, moments: tuple[float, float, float], factor: float, placement: Pose) -> Body:
    return Body(mass, (0, 0, 0), np.diag(moments) * factor).moved(placement)
