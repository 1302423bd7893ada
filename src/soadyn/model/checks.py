"""Checking what a draft describes, one link and one joint at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from math import isfinite, isinf
from typing import Any

import numpy as np

from soadyn.errors import ModelError, unknown_name
from soadyn.mechanics.joint import KINDS
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink
from soadyn.model.model import Model
from soadyn.model.placement import Placement

DRAFTED_KINDS = (*KINDS, "fixed", "universal")
FINITE = ("armature", "damping", "friction", "stiffness")
LARGEST = ("velocity", "effort")


def at(where: str) -> str:
    """The start of a message: "file:line: " if known."""
    return f"{where}: " if where else ""


def check_draft(draft: Draft) -> None:
    """Every link, joint and frame of a draft makes sense by itself; whether they make a tree is another matter."""
    _check_names(draft)
    if np.shape(draft.gravity) != (3,) or not np.isfinite(draft.gravity).all():
        raise ModelError(
            f"{at(draft.where)}robot {draft.name!r} has gravity {tuple(draft.gravity)}; expected three finite numbers"
        )
    for link in draft.links:
        check_link(link)
    for joint in draft.joints:
        check_joint(joint)
    for frame in draft.frames:
        _check_placement(frame.placement, f"{at(frame.where)}frame {frame.name!r}", "placement")


def _check_names(draft: Draft) -> None:
    """Links and frames have different names, joints have different names, and there is a link."""
    items: list[DraftLink | DraftFrame] = [*draft.links, *draft.frames]
    _check_unique("link", [(item.name, item.where) for item in items])
    _check_unique("joint", [(joint.name, joint.where) for joint in draft.joints])
    if not draft.links:
        raise ModelError(f"{at(draft.where)}robot {draft.name!r} has no links")


def _check_unique(what: str, named: list[tuple[str, str]]) -> None:
    counts = Counter(name for name, _ in named)
    for name, where in reversed(named):
        if not name:
            raise ModelError(f"{at(where)}a {what} has an empty name")
        if counts[name] > 1:
            raise ModelError(f"{at(where)}duplicate {what} name {name!r}: {counts[name]} {what}s have it")


def check_link(link: DraftLink) -> None:
    """A link's mass, mass centre and moment of inertia are numbers that make sense."""
    what = f"{at(link.where)}link {link.name!r}"
    if not np.isfinite(link.mass) or link.mass < 0:
        raise ModelError(f"{what} has mass {link.mass}; a mass must be a finite number, zero or more (kg)")
    if np.shape(link.com) != (3,) or not np.isfinite(link.com).all():
        raise ModelError(f"{what} has its mass centre at {tuple(link.com)}; expected three finite numbers (m)")
    inertia = np.asarray(link.inertia, dtype=float)
    if inertia.shape != (3, 3) or not np.isfinite(inertia).all() or not _symmetric(inertia):
        raise ModelError(
            f"{what} has moment of inertia {inertia.tolist()}; expected a finite symmetric 3x3 matrix (kg m^2)"
        )


def _symmetric(A: np.ndarray) -> bool:
    return bool((abs(A - A.T) <= 1e-8 + 1e-5 * abs(A)).all())


def check_joint(joint: DraftJoint) -> None:
    """A joint's kind, axes, pitch, figures and limits make sense."""
    what = f"{at(joint.where)}joint {joint.name!r}"
    if not isinstance(joint.kind, str) or joint.kind not in DRAFTED_KINDS:
        raise ModelError(f"{what}: {unknown_name('joint kind', joint.kind, DRAFTED_KINDS)}")
    _check_placement(joint.placement, what, "placement")
    _check_placement(joint.offset, what, "offset")
    _check_axes(joint, what)
    _check_numbers(joint, what)
    if not np.isfinite(joint.pitch):
        raise ModelError(f"{what} has pitch {joint.pitch}; expected a finite number (m/rad)")
    if joint.rest is not None and not np.isfinite(joint.rest).all():
        raise ModelError(f"{what} has rest {joint.rest}; it must be finite")
    for figure in FINITE:
        value = getattr(joint, figure)
        if _holds_bad(value, lambda x: not x >= 0):
            raise ModelError(f"{what} has {figure} {value}; it must be zero or more")
        if _holds_bad(value, isinf):
            raise ModelError(f"{what} has {figure} {value}; it must be finite")
    for figure in LARGEST:
        value = getattr(joint, figure)
        if _holds_bad(value, lambda x: not x > 0):
            raise ModelError(
                f"{what} has {figure} {value}; a limit must be positive: leave it out where there is none, and name "
                "joints without a motor in passive="
            )
    if not _ordered(joint.lower, joint.upper):
        raise ModelError(f"{what} has limits lower={joint.lower}, upper={joint.upper}; lower must not exceed upper")


def _check_placement(place: Placement, what: str, which: str) -> None:
    if not _finite(place):
        raise ModelError(f"{what} has a {which} that is not finite: position {place.position}, {place.rotation}")


def _finite(place: Placement) -> bool:
    return all(map(isfinite, (*place.position, *(x for row in place.rotation for x in row))))


def _check_numbers(joint: DraftJoint, what: str) -> None:
    for figure in (*FINITE, *LARGEST, "pitch", "lower", "upper", "rest"):
        value = getattr(joint, figure)
        if not (isinstance(value, float) or _are_numbers(value) or (figure == "rest" and value is None)):
            raise ModelError(f"{what} has {figure} {value!r}; expected numbers")


def _are_numbers(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind in "iuf" and not np.ma.is_masked(value)
    except ValueError:  # a ragged list
        return False


def _check_axes(joint: DraftJoint, what: str) -> None:
    if joint.kind == "universal":
        axes = [joint.axis, joint.axis2]
    else:
        axes = [joint.axis] if joint.kind in KINDS and KINDS[joint.kind].has_axis else []
    for axis in axes:
        if not np.isfinite(axis).all() or math.hypot(*axis) < 1e-9:
            raise ModelError(f"{what} has axis {tuple(axis)}; an axis must be finite and not zero")
    if joint.kind == "universal" and _are_parallel(joint.axis, joint.axis2):
        raise ModelError(
            f"{what} has parallel axes {joint.axis} and {joint.axis2}; a universal joint needs two directions"
        )


def _are_parallel(first: Sequence[float], second: Sequence[float]) -> bool:
    """Do two axes point along one line? They are made shorter first, so that no product overflows."""
    x, y = (np.array(axis) / np.abs(axis).max() for axis in (first, second))
    return bool(np.linalg.norm(np.cross(x, y)) < 1e-9)


def _holds_bad(value: Any, bad: Callable[[float], bool]) -> bool:
    return bad(value) if isinstance(value, float) else any(bad(x) for x in np.ravel(value))


def _ordered(lower: Any, upper: Any) -> bool:
    """Not when an entry is NaN."""
    if isinstance(lower, float) and isinstance(upper, float):
        return lower <= upper
    return bool((np.asarray(lower, dtype=float) <= np.asarray(upper, dtype=float)).all())


def check_model(model: Model, where: str) -> Model:
    """The model, unless its numbers have overflowed on the way to it."""
    overflown = [
        f"link {link.name!r}"
        for link, joint in zip(model.links, model.joints, strict=True)
        if not (_finite(joint.placement) and _finite(joint.offset))
        or not all(map(isfinite, (link.mass, *link.com, *(x for row in link.inertia for x in row))))
    ]
    overflown += [f"frame {frame.name!r}" for frame in model.frames if not _finite(frame.placement)]
    if overflown:
        raise ModelError(f"{at(where)}the numbers of {overflown[0]} overflow; they are too large")
    return model
