"""A rigid body's mass properties as a value: make one, move it, add another to it.

Bodies of simple shapes are in `shapes`, those of triangle meshes in `meshes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ModelError
from soadyn.mechanics.spatial.reading import real_array
from soadyn.model.placement import Matrix3, Vector3, matrix3
from soadyn.model.poses import Pose, as_placement, finite3
from soadyn.model.validity import impossible_inertia

ZERO: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@final
@dataclass(frozen=True, slots=True, init=False)
class Body:
    """Mass (kg), mass centre (m) and moment of inertia (kg m^2) about the mass centre, along the link's axes.

    Arrays and lists are accepted and stored as tuples, so a Body can be compared and hashed. A body without inertia
    is a point mass; a body without mass is what a hidden link carries.

    >>> arm = Body(2.0, com=(0.5, 0, 0), inertia=[[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    >>> arm.com
    (0.5, 0.0, 0.0)
    >>> (arm + arm).mass
    4.0
    """

    mass: float
    com: Vector3
    inertia: Matrix3

    def __init__(self, mass: float = 0.0, com: Any = (0.0, 0.0, 0.0), inertia: Any = ZERO) -> None:
        object.__setattr__(self, "mass", checked_amount(mass, "a body's mass", "kg"))
        object.__setattr__(self, "com", finite3(com, "a body's mass centre"))
        object.__setattr__(self, "inertia", checked_inertia(inertia))

    @staticmethod
    def about_origin(mass: float, com: Any, inertia: Any) -> Body:
        """From the moment of inertia about the link's origin instead of the mass centre.

            J_c = J_o - m (c·c I - c c*)

        >>> Body.about_origin(2.0, (1, 0, 0), [[0, 0, 0], [0, 2.5, 0], [0, 0, 2.5]]).inertia[1]
        (0.0, 0.5, 0.0)
        """
        mass = checked_amount(mass, "a body's mass", "kg")
        c = finite3(com, "a body's mass centre")
        return Body(mass, c, np.array(checked_inertia(inertia)) - mass * spread(c))

    @staticmethod
    def point_masses(masses: Any, positions: Any) -> Body:
        """Points of given masses (n,) at given positions (n, 3), rigidly joined.

        >>> Body.point_masses([1.0, 1.0], [(-1, 0, 0), (1, 0, 0)]).inertia
        ((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))
        """
        try:
            weights = np.atleast_1d(real_array(masses))
            places = np.atleast_2d(real_array(positions))
        except ValueError:
            raise ModelError(
                f"point_masses needs masses (n,) and positions (n, 3), got {masses!r} and {positions!r}"
            ) from None
        if weights.ndim != 1 or places.shape != (weights.size, 3):
            raise ModelError(
                f"point_masses needs masses (n,) and positions (n, 3), got shapes {weights.shape} and {places.shape}"
            )
        return total(Body(m, p) for m, p in zip(weights, places, strict=True))

    def __add__(self, other: Body) -> Body:
        """Both bodies rigidly joined, seen in the same frame."""
        return total((self, other)) if isinstance(other, Body) else NotImplemented

    def moved(self, placement: Pose) -> Body:
        """This body placed in another frame: `placement` is where the present frame stands there.

        >>> Body(1.0, (0, 0, 1)).moved((1, 0, 0)).com
        (1.0, 0.0, 1.0)
        """
        place = as_placement(placement, "a body's placement")
        R = np.array(place.rotation)
        return Body(self.mass, R @ self.com + place.position, R @ np.array(self.inertia) @ R.T)

    def scaled(self, factor: float) -> Body:
        """The same shape with `factor` times the density.

        >>> Body(1.0, (0, 0, 1)).scaled(3.0).mass
        3.0
        """
        factor = checked_amount(factor, "a density factor", "times")
        return Body(factor * self.mass, self.com, factor * np.array(self.inertia))

    def inertia_about_origin(self) -> np.ndarray:
        """The moment of inertia (3, 3) about the link's origin: J_o = J_c + m (c·c I - c c*).

        >>> Body(2.0, (1, 0, 0)).inertia_about_origin()[1]
        array([0., 2., 0.])
        """
        return np.array(self.inertia) + self.mass * spread(self.com)

    def impossible(self) -> str | None:
        """Why no real body can have these figures; None if one can.

        >>> Body(1.0, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 3]]).impossible()
        'principal moments 1, 1, 3 kg m^2 break the triangle inequality (1 + 1 < 3)'
        """
        return impossible_inertia(self.inertia)


def total(bodies: Iterable[Body]) -> Body:
    """Several bodies rigidly joined, all given in the same frame.

    Without any mass the mass centre of the result is the origin.

    >>> total([Body(1.0, (0, 0, 0)), Body(3.0, (4, 0, 0))]).com
    (3.0, 0.0, 0.0)
    """
    return Body(*joined((part.mass, np.array(part.com), np.array(part.inertia)) for part in bodies))


def joined(parts: Iterable[tuple[float, np.ndarray, np.ndarray]]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, mass centre and moment of inertia about it, of bodies given the same way and rigidly joined."""
    parts = list(parts)
    mass = sum(m for m, _, _ in parts)
    com = sum((m * c for m, c, _ in parts), np.zeros(3)) / mass if mass else np.zeros(3)
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        inertia = inertia + own + m * spread(c - com)
    return mass, com, inertia


def spread(d: Any) -> np.ndarray:
    """d·d I - d d*: the moment of inertia of one kilogram at d."""
    d = np.asarray(d, dtype=float)
    moment: np.ndarray = d @ d * np.eye(3) - np.outer(d, d)
    return moment


def checked_amount(value: Any, what: str, unit: str, positive: bool = False) -> float:
    """A finite number, zero or more (or more than zero).

    >>> checked_amount(-1, "a body's mass", "kg")
    Traceback (most recent call last):
    soadyn.errors.ModelError: a body's mass must be a finite number, zero or more (kg), got -1
    """
    number = real_number(value)
    if not np.isfinite(number) or number < 0 or (positive and number == 0):
        bound = "more than zero" if positive else "zero or more"
        raise ModelError(f"{what} must be a finite number, {bound} ({unit}), got {value!r}")
    return number


def mass_of(mass: float | None, density: float | None, volume: float, what: str) -> float:
    """The mass of a uniform body that is given by its mass or by its density, not by both."""
    if (mass is None) == (density is None):
        given = "neither" if mass is None else "both"
        raise ModelError(f"{what} needs either mass= (kg) or density= (kg/m^3), got {given}")
    if mass is not None:
        return checked_amount(mass, f"{what}'s mass", "kg")
    return checked_amount(density, f"{what}'s density", "kg/m^3") * volume


def real_number(value: Any) -> float:
    """The value as a float, NaN if it is not one real number."""
    try:
        number = real_array(value)
    except ValueError:
        return float("nan")
    return float(number.item()) if number.size == 1 else float("nan")


def checked_inertia(inertia: Any) -> Matrix3:
    """A finite symmetric 3x3 matrix; rounding in its symmetry is removed."""
    try:
        J = real_array(inertia)
    except ValueError:
        J = np.empty(0)
    if J.shape != (3, 3) or not np.isfinite(J).all():
        raise ModelError(f"a body's inertia must be a finite 3x3 matrix (kg m^2), got {inertia!r}")
    if abs(J - J.T).max() > 1e-8 * abs(J).max():
        raise ModelError(f"a body's inertia must be symmetric, got {J.tolist()}")
    return matrix3((J + J.T) / 2)
