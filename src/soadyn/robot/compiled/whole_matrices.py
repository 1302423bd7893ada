"""Operators whose whole matrix has a program of its own: composite bodies, the innovations factor, frames.

    mass = H (R + phi~ R + R phi~*) H* + A_r        column by column up the ancestors, symmetric half mirrored
    B* Omega B                                      Upsilon at each point, nearest common ancestors between points

All others are applied to unit vectors, in one batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import B, H, Omega, mass, phi
from soadyn.programs.lowering.known_inverses import forms_of, same

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled

MASS, FACTOR = forms_of(mass), forms_of(IDENTITIES["innovations factor"].left)


def whole_matrix(compiled: Compiled, q: np.ndarray) -> np.ndarray | None:
    """The operator's matrix by its own program; None if it has none.

    >>> import soadyn as sd
    >>> from soadyn.algebra import mass
    >>> arm = sd.load("ur5")
    >>> bool((whole_matrix(sd.compile(mass, arm), arm.neutral()) == arm.mass_matrix(arm.neutral())).all())
    True
    """
    formula, robot = compiled.formulas[0], compiled.robot
    frames = [point.given for point in compiled.setting.points]
    if compiled.is_dense or compiled.reading.as_written or compiled.setting.parametric is not None:
        return None
    if _is(formula, MASS):
        return robot.mass_matrix(q)
    if isinstance(formula, Inverse) and _is(formula.of, MASS):
        return robot.mass_matrix_inverse(q)
    if _is(formula, FACTOR):
        return robot.mass_matrix_factors(q)[0]
    if _is(formula, tuple(form.T for form in FACTOR)):
        return np.asarray(robot.mass_matrix_factors(q)[0].swapaxes(-1, -2))
    if compiled.setting.passive is None and _is(formula, (B.T @ Omega @ B,)):
        return robot.operational_inertia_inverse(q, frames)
    if _is(formula, (B.T @ phi.T @ H.T,)):
        return np.concatenate([robot.jacobian(q, frame) for frame in frames], axis=-2)
    return None


def _is(formula: Expression, forms: tuple[Expression, ...]) -> bool:
    return any(same(formula, form) for form in forms)
