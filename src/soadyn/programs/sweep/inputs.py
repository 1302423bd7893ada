"""Level 4 - the inputs of programs: what there are, and how each is laid out."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

Share = Literal["coordinates", "joint", "wrench", "each", "whole"]

# Inputs of a call, and how each is laid out: coordinates (nq), joint components (nv), a wrench or other spatial vector
# for each visible link, a number for each link, or one for all. Formulas have further ones, `_FURTHER`.
INPUTS: dict[str, Share] = {
    "q": "coordinates",
    "q_end": "coordinates",
    "v": "joint",
    "vdot": "joint",
    "tau": "joint",
    "passive": "joint",
    "armature": "joint",
    "x": "joint",
    "y": "joint",
    "nu_given": "joint",
    "epsilon_given": "joint",
    "xi_given": "joint",
    "kappa_given": "joint",
    "external": "wrench",
    "V_link": "wrench",
    "on_path": "each",
    "at_frame": "each",
    "frame": "whole",
    "axes": "whole",
    "f": "whole",
    "about": "whole",
    "about_com": "whole",
    "h": "whole",
}

# Inputs that are one number for the whole batch.
NUMBERS = ("about_com", "h")

# Of inputs that are arrays with batch axes in front: how many axes follow those.
CORE_AXES = {
    "q": 1,
    "q_end": 1,
    "v": 1,
    "vdot": 1,
    "tau": 1,
    "passive": 1,
    "armature": 1,
    "x": 1,
    "y": 1,
    "nu_given": 1,
    "epsilon_given": 1,
    "xi_given": 1,
    "kappa_given": 1,
    "external": 2,
    "V_link": 2,
    "f": 2,
    "about": 2,
}
# Further inputs of formulas, by kind: how each is laid out, and its axes after those of the batch. joint$0, joint$1 and
# so on are joint vectors, link$0 link vectors, pose$0 poses of a frame; task2$0 are forces or motions at 2 operational
# points. point$0, point$1 are these points, and at_point$0 is 1 for the link that carries the first, 0 for others;
# axes$0 are the axes along which what belongs to point$0 is wanted. lambda12$0 are the closure forces of 12 rows.
#
# Some are supplied by the model: closure$0, closure$1 are the frames x and y of its first cut, at_closure$0 and
# on_closure$0 mark the link that carries the first of them and the links on the way from it to the ground. coupling$0,
# coupling$1 and so on are coefficients of the couplings' polynomials, one for each joint component. at_home$0 marks the
# link at which the first closure can be eliminated.
_FURTHER: dict[str, tuple[Share, int | None]] = {
    "joint": ("joint", 1),
    "link": ("wrench", 2),
    "pose": ("whole", 2),
    "task": ("whole", 2),
    "point": ("whole", None),
    "at_point": ("each", None),
    "axes": ("whole", None),
    "lambda": ("whole", 2),
    "closure": ("whole", None),
    "at_closure": ("each", None),
    "on_closure": ("each", None),
    "coupling": ("joint", 1),
    "at_home": ("each", None),
}
# Those that the model supplies.
SUPPLIED = ("closure$", "at_closure$", "on_closure$", "coupling$", "at_home$")

# Inputs that are columns of so many numbers.
COLUMNS = {"f": 6, "about": 3}
_POSE_NUMBERS, _TASK_NUMBERS = 12, 6


def _kind(name: str) -> str:
    """What a further input is: "task" for task2$0."""
    return name.partition("$")[0].rstrip("0123456789")


def further_order(name: str) -> tuple[int, int]:
    """Where a further input stands among these: by kind and number."""
    return list(_FURTHER).index(_kind(name)), int(name.partition("$")[2])


def task_input(points: int) -> str:
    """What inputs are called that are forces or motions at so many operational points, before their number.

    >>> task_input(2), columns_of("task2$0")
    ('task2', 12)
    """
    return f"task{points}"


@lru_cache(maxsize=512)
def is_frame(name: str) -> bool:
    """Is an input a frame, a link and a placement in it? Stages can read values of such a link."""
    return name in ("frame", "axes") or name.startswith(("point$", "axes$", "closure$"))


@lru_cache(maxsize=512)
def marked_by(name: str) -> str | None:
    """The frame whose link, or whose way to the ground, an input marks with ones; None for other inputs."""
    if name in ("on_path", "at_frame"):
        return "frame"
    return name.partition("_")[2] if name.startswith(("at_point$", "at_closure$", "on_closure$")) else None


def is_supplied(name: str) -> bool:
    """Does the model say what an input is?"""
    return name.startswith(SUPPLIED)


def multipliers(rows: int) -> str:
    """What the input is called that holds the forces of so many closure rows.

    >>> multipliers(12), columns_of("lambda12$0")
    ('lambda12$0', 12)
    """
    return f"lambda{rows}$0"


@lru_cache(maxsize=512)
def share_of(name: str) -> Share | None:
    """How an input is laid out over the links; None if there is no such input."""
    found = INPUTS.get(name)
    return _FURTHER[_kind(name)][0] if found is None and "$" in name else found


@lru_cache(maxsize=512)
def core_axes(name: str) -> int | None:
    """How many axes of an input follow its batch axes; None if it is no array, or one of a derivative's."""
    found = CORE_AXES.get(name)
    if ":" in name:
        return None
    return _FURTHER[_kind(name)][1] if found is None and "$" in name else found


@lru_cache(maxsize=512)
def columns_of(name: str) -> int | None:
    """Of an input that is a column, how many numbers it has; None for others."""
    if name.startswith("task"):
        return _TASK_NUMBERS * int(name.partition("$")[0].removeprefix("task"))
    if name.startswith("lambda"):
        return int(name.partition("$")[0].removeprefix("lambda"))
    return _POSE_NUMBERS if name.startswith("pose$") else COLUMNS.get(name)
