"""Numbers that are not floats: taken as they are meant, or refused; nothing is dropped on the way."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn.model.meshes import mesh_body
from soadyn.model.shapes import box
from soadyn.model.surgery import lock

ARM = sd.chain(2)
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def pose(x: Any) -> Any:
    """A 4x4 pose with x as its position."""
    filled = np.ma.identity(4) if isinstance(x, np.ma.MaskedArray) else np.eye(4, dtype=np.asarray(x).dtype)
    filled[:3, 3] = x
    return filled


# Each takes three numbers.
TAKERS: dict[str, Callable[[Any], Any]] = {
    "mass centre": lambda x: sd.Body(1.0, x).com,
    "inertia": lambda x: sd.Body(1.0, inertia=np.ma.stack([x, x, x]) if np.ma.is_masked(x) else [x, x, x]),
    "points": lambda x: (
        sd.Body.point_masses([1.0], [x]) if not np.ma.is_masked(x) else sd.Body.point_masses(x, CORNERS[:3])
    ),
    "box": lambda x: box(x, mass=1.0),
    "mesh": lambda x: mesh_body(
        np.ma.array([*CORNERS[:3], x]) if np.ma.is_masked(x) else [*CORNERS[:3], x], FACES, 1.0
    ),
    "gravity": lambda x: ARM.with_gravity(x).gravity,
    "loaded gravity": lambda x: sd.load("planar_two_link", gravity=x).gravity,
    "builder's gravity": lambda x: sd.Builder("b", gravity=x),
    "origin": lambda x: sd.Builder("b").link("a", origin=x),
    "axis": lambda x: sd.Builder("b").link("a", axis=x),
    "frame offset": lambda x: ARM.pose(np.zeros(2), ("tip", pose(x))),
    "limits": lambda x: sd.Builder("b").link("a", joint="planar", lower=x, upper=np.inf),
    "locked": lambda x: lock(sd.chain(3).model, ["joint_1"], x),
    "table": lambda x: sd.from_dh([(*x, 0.0)] if not np.ma.is_masked(x) else [np.ma.concatenate([x, [0.0]])]),
}
ODD = {
    "masked": np.ma.array([1.0, 1.0, 1.0], mask=[0, 0, 1]),
    "complex": np.array([1.0, 1.0, 1.0 + 1j]),
    "huge": [1, 1, 10**400],
    "words": ["a", "b", "c"],
}


@pytest.mark.parametrize("taker", TAKERS.values(), ids=list(TAKERS))
@pytest.mark.parametrize("odd", ODD.values(), ids=list(ODD))
def test_what_is_not_real_numbers_is_refused(odd: Any, taker: Callable[[Any], Any]) -> None:
    with pytest.raises(sd.SoadynError):
        taker(odd)


def test_fractions_and_whole_numbers_are_numbers() -> None:
    assert sd.Body(Fraction(1, 2), [Fraction(1, 4), 0, np.int8(1)]).com == (0.25, 0.0, 1.0)
    assert sd.Body(np.float32(0.5)).mass == 0.5


@pytest.mark.parametrize("odd", [10**400, 1j, np.ma.masked, [1.0, 2.0], "x", None, np.nan])
def test_a_mass_is_one_real_number(odd: Any) -> None:
    with pytest.raises(sd.ModelError, match="a body's mass must be a finite number"):
        sd.Body(odd)
