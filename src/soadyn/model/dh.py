"""Robots from Denavit-Hartenberg tables, standard and modified (Craig's)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from soadyn.errors import ArgumentError, ModelError, ModelWarning, unknown_name, warn_caller
from soadyn.model.bodies import Body, real_number
from soadyn.model.draft import Draft
from soadyn.model.drafting import FIGURES, STANDARD_GRAVITY, Drafting
from soadyn.model.placement import Placement
from soadyn.model.poses import Pose, as_placement

Convention = Literal["standard", "modified"]
LENGTHS_AND_ANGLES = ("a", "alpha", "d", "theta")
ANGLES = ("alpha", "theta")
TEXTS = ("kind", "joint_name", "link_name")
KINDS = ("revolute", "continuous", "prismatic", "fixed")


def from_dh(
    rows: Sequence[Any],
    convention: Convention = "standard",
    bodies: Sequence[Body | None] | None = None,
    name: str = "dh_robot",
    base: Pose = None,
    tool: Pose = None,
    gravity: Any = STANDARD_GRAVITY,
    degrees: bool = False,
    base_body: Body | None = None,
) -> Draft:
    """A serial robot whose link frames are the frames of a Denavit-Hartenberg table.

        standard:   A = Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha)
        modified:   A = Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)

    A row is `(a, alpha, d, theta)`, `(a, alpha, d, theta, kind)` with kind "revolute" (the default), "continuous",
    "prismatic" or "fixed", or a mapping with any of these keys (missing figures are zero), `joint_name`, `link_name`
    and a joint's figures such as `lower`, `upper`, `armature`. In the modified convention a row holds a and alpha of
    the step *before* its joint, as Craig's tables do.

    The row's theta and d are the place of q = 0: a revolute joint's angle is theta + q, a prismatic one's slide d + q.
    Links are `link_1`, `link_2`, ..., joints `joint_1`, ...; `bodies` are given in the table's link frames. `base`
    places frame 0 in the ground; `tool`, if given, adds a frame `tool` in the last link's. `degrees` says that alpha
    and theta are in degrees; all other figures stay in SI units. `base_body` adds a root link `base` at frame 0, which
    a robot that floats freely needs.

    >>> planar = from_dh([(0.5, 0, 0, 0), (0.4, 0, 0, 0)], bodies=[Body(2.0), Body(1.0)])
    >>> [joint.offset.position for joint in planar.joints]
    [(0.5, 0.0, 0.0), (0.4, 0.0, 0.0)]
    """
    if not isinstance(convention, str) or convention not in ("standard", "modified"):
        raise ArgumentError(f'a DH table\'s convention is "standard" or "modified", got {convention!r}')
    for what, given in (("rows", rows), ("bodies", bodies if bodies is not None else ())):
        if not isinstance(given, Sequence | np.ndarray) or getattr(given, "ndim", 1) == 0:
            raise ModelError(f"a DH table's {what} must be a list, got {given!r}")
    if not isinstance(degrees, bool | np.bool_):
        raise ArgumentError(f"a DH table's degrees must be True or False, got {degrees!r:.80}")
    table = [_row(row, k) for k, row in enumerate(rows, start=1)]
    if degrees:
        for row in table:
            row.update((key, float(np.deg2rad(row[key]))) for key in ANGLES)
    else:
        _warn_of_degrees(table)
    if not table:
        raise ModelError("a DH table needs at least one row")
    if bodies is not None and len(bodies) != len(table):
        raise ModelError(f"a DH table of {len(table)} rows needs as many bodies, got {len(bodies)}")
    builder = Drafting(name, gravity)
    parent, before = None, as_placement(base, "base")
    if base_body is not None:
        parent, before = builder.fixed("base", base_body, origin=before), Placement()
    for k, row in enumerate(table, start=1):
        a, alpha, d, theta = (row.pop(key) for key in LENGTHS_AND_ANGLES)
        along_z, along_x = _screw("z", theta, d), _screw("x", alpha, a)
        inboard, outboard = (along_z, along_x) if convention == "standard" else (along_x.then(along_z), Placement())
        parent = builder.link(
            row.pop("link_name", f"link_{k}"),
            bodies[k - 1] if bodies is not None else None,
            parent,
            row.pop("kind", "revolute"),
            origin=before.then(inboard),
            offset=outboard,
            joint_name=row.pop("joint_name", f"joint_{k}"),
            **row,
        )
        before = Placement()
    if tool is not None:
        builder.frame("tool", parent, tool)
    return builder.draft()


def _row(row: Any, k: int) -> dict[str, Any]:
    """A row with all four numbers in it, checked."""
    if isinstance(row, Mapping):
        entries = dict(row)
    elif isinstance(row, str) or np.ndim(row) == 0 or len(row) not in (4, 5):
        raise ModelError(
            f"DH row {k} must be (a, alpha, d, theta), the same with a joint kind, or a mapping, got {row!r}"
        )
    else:
        entries = dict(zip((*LENGTHS_AND_ANGLES, "kind"), row, strict=False))
    allowed = {*LENGTHS_AND_ANGLES, *TEXTS, *FIGURES}
    for key in entries:
        if key not in allowed:
            raise ModelError(f"DH row {k}: {unknown_name('entry', key, sorted(allowed))}")
    for key in LENGTHS_AND_ANGLES:
        entries[key] = _number(entries.get(key, 0.0), f"DH row {k}: {key}")
    if entries.get("kind", "revolute") not in KINDS:
        raise ModelError(f"DH row {k}: {unknown_name('joint kind', entries['kind'], KINDS)}")
    return entries


def _warn_of_degrees(table: Sequence[Mapping[str, Any]]) -> None:
    """No table in radians needs more than a full turn, and few in degrees have no angle above 6.28."""
    for k, row in enumerate(table, start=1):
        for key in ANGLES:
            if abs(row[key]) > 2 * np.pi:
                warn_caller(
                    f"DH row {k}: {key} is {row[key]:g} rad, more than a full turn; "
                    "if the table is in degrees, give degrees=True",
                    ModelWarning,
                )
                return


def _number(value: Any, what: str) -> float:
    number = real_number(value)
    if not np.isfinite(number):
        raise ModelError(f"{what} must be a finite number (m or rad), got {value!r}")
    return number


def _screw(axis: Literal["x", "z"], angle: float, slide: float) -> Placement:
    """A turn about an axis and a slide along it."""
    if axis == "z":
        return Placement.from_rpy((0, 0, slide), (0, 0, angle))
    return Placement.from_rpy((slide, 0, 0), (angle, 0, 0))
