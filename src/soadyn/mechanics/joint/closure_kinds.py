"""The kinds of closures: joints that were cut so that a tree is left, by what they leave free.

A cut holds a frame y of one link at a frame x of another but for some components: slides along the axes of x, turns
about them. Where there is one axis it is z of both frames.
"""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

SLIDES, TURNS = ("x", "y", "z"), ("rx", "ry", "rz")
COMPONENTS = (*SLIDES, *TURNS)

# What lower pairs, and points on planes and lines, leave free.
FREE = MappingProxyType(
    {
        "weld": (),
        "ball": TURNS,
        "hinge": ("rz",),
        "prismatic": ("z",),
        "cylindrical": ("z", "rz"),
        "planar": ("x", "y", "rz"),
        "universal": ("rx", "ry"),
        "point on plane": ("x", "y", *TURNS),
        "point on line": ("z", *TURNS),
        "parallel axes": (*SLIDES, "rz"),
    }
)
# Kinds with a figure: how far the origins are apart (m), how far a turn slides (m/rad), a sphere's radius (m). A sphere
# about the origin of y rolls on the plane through that of x, on the side that z points to.
FIGURES = MappingProxyType({"distance": "length", "helical": "pitch", "rolling": "radius"})
_ROWS = MappingProxyType({"distance": 1, "helical": 5, "rolling": 3})
OTHER = "other"  # any other set of free components
CLOSURE_KINDS = (*FREE, *FIGURES)


def row_count(kind: str, free: Collection[str]) -> int:
    """How many numbers hold a closure of that kind closed.

    >>> row_count("hinge", FREE["hinge"]), row_count("distance", ())
    (5, 1)
    """
    return _ROWS[kind] if kind in _ROWS else len(COMPONENTS) - len(free)


def slide_count(kind: str, free: Collection[str]) -> int:
    """How many of a closure's numbers are lengths; they come first.

    >>> slide_count("hinge", FREE["hinge"]), slide_count("rolling", ())
    (3, 3)
    """
    return _ROWS[kind] if kind in ("distance", "rolling") else 2 if kind == "helical" else 3 - len({*free} & {*SLIDES})


def named_kind(free: Collection[str]) -> str:
    """The kind that leaves these components free.

    >>> named_kind({"rz"}), named_kind({"rx"})
    ('hinge', 'other')
    """
    return next((kind for kind, known in FREE.items() if set(known) == set(free)), OTHER)
