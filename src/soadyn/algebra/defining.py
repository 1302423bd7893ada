"""A user's own operators and vectors: abbreviations of formulas, and block diagonal operators from arrays."""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.algebra.expressions import Expression, Symbol
from soadyn.algebra.meanings import Meaning
from soadyn.algebra.operators import NAMES
from soadyn.algebra.reading import FUNCTIONS
from soadyn.algebra.spaces import JOINT_FORCE, JOINT_MOTION, LINK_FORCE, LINK_MOTION, NUMBER, Space, space_named
from soadyn.errors import SpaceError

# What calls of a compiled formula call coordinates and joint rates.
STATE = ("q", "v")


def operator(
    name: str,
    definition: Expression | ArrayLike,
    maps: tuple[str | Space, str | Space] | None = None,
    physics: str = "",
) -> Symbol:
    """An operator of one's own: an abbreviation of a formula, or a block diagonal operator made from an array.

    Arrays (nv,) are a number for each joint component, (nv, nv) a block for each joint, both from joint motion to
    joint force (damping, stiffness) unless `maps` says otherwise; (links, 6, 6) are blocks from link motion to link
    force, along the links' axes. With maps=("pose motion", "pose force") an array (12 frames,) weighs errors of poses.

    >>> from soadyn.algebra import H, K, I_joint, phi
    >>> A = operator("A", I_joint + H @ phi @ K)
    >>> A
    <A : joint force -> joint force>
    >>> operator("damping", [0.1, 0.2])
    <damping : joint motion -> joint force>
    """
    _check_name(name)
    if isinstance(definition, Expression):
        if maps is not None:
            raise SpaceError(f"operator {name!r} is given by a formula, which says itself what it maps")
        if definition.is_vector:
            raise SpaceError(f"operator {name!r} is given by a vector ({definition.codomain}); use sd.vector")
        symmetric = definition == definition.T
        meaning = Meaning(definition=f"{name} = {definition}", physics=physics)
        return Symbol(
            name, definition.domain, definition.codomain, symmetric=symmetric, formula=definition, meaning=meaning
        )
    blocks = _blocks(name, definition)
    link = blocks.ndim == 3
    domain, codomain = (LINK_MOTION, LINK_FORCE) if link else (JOINT_MOTION, JOINT_FORCE)
    if maps is not None:
        if not isinstance(maps, tuple | list) or len(maps) != 2:
            raise SpaceError(f"operator {name!r} maps from one space to another, maps=(from, to), got {maps!r}")
        domain, codomain = map(space_named, maps)
        place = "link" if link else "pose" if blocks.ndim == 1 and domain.place == "pose" else "joint"
        if {domain.place.removeprefix("white "), codomain.place.removeprefix("white ")} != {place}:
            raise SpaceError(
                f"operator {name!r} from an array of shape {blocks.shape} maps {place} spaces, "
                f"not {domain} to {codomain}"
            )
    symmetric = codomain == domain.dual and (blocks.ndim == 1 or bool((blocks == blocks.swapaxes(-1, -2)).all()))
    meaning = Meaning(definition=f"an array of shape {blocks.shape}", physics=physics)
    return Symbol(name, domain, codomain, symmetric=symmetric, local=True, blocks=Numbers(blocks), meaning=meaning)


def vector(name: str, space: str | Space | Expression, physics: str = "") -> Symbol:
    """A vector of one's own, an argument of the compiled formula; or the name of a formula that is a vector.

    >>> vector("x", "joint force")
    <x : joint force>
    >>> from soadyn.algebra import H, T, phi, b
    >>> vector("T_1", T - H @ phi @ b)
    <T_1 : joint force>
    """
    _check_name(name)
    if isinstance(space, Expression):
        if not space.is_vector:
            raise SpaceError(
                f"vector {name!r} is given by an operator ({space.domain} -> {space.codomain}); use sd.operator"
            )
        meaning = Meaning(definition=f"{name} = {space}", physics=physics)
        return Symbol(name, NUMBER, space.codomain, formula=space, meaning=meaning)
    return Symbol(name, NUMBER, space_named(space), meaning=Meaning(physics=physics))


class Numbers:
    """A user's array, compared by identity: two formulas are the same only if they hold the same array."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        array.flags.writeable = False
        self.array = array

    def __reduce__(self) -> tuple[type[Numbers], tuple[np.ndarray]]:
        return Numbers, (self.array,)  # what is unpickled is read-only again


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise SpaceError(f"a symbol's name is a word of ASCII letters, digits and underscores, got {name!r}")
    if name in FUNCTIONS or iskeyword(name):
        raise SpaceError(f"a symbol cannot be called {name!r}, which means something else in a formula")
    if name in NAMES:
        raise SpaceError(f"{name!r} is one of the papers' symbols already; choose another name")
    if name in STATE:
        raise SpaceError(f"a symbol cannot be called {name!r}: calls have the state under that name")


def _blocks(name: str, definition: ArrayLike) -> np.ndarray:
    if np.ma.is_masked(definition):
        raise SpaceError(f"operator {name!r} takes an array of numbers, got one that is partly masked")
    try:
        array = np.asarray(definition)
        if array.dtype.kind not in "iufO":
            raise TypeError
        blocks = np.array(array, dtype=float)
    except (OverflowError, TypeError, ValueError):
        raise SpaceError(
            f"operator {name!r} takes a formula or an array of real numbers, got {type(definition).__name__}"
        ) from None
    fits = (
        blocks.ndim == 1
        or (blocks.ndim == 2 and blocks.shape[0] == blocks.shape[1])
        or (blocks.ndim == 3 and blocks.shape[1:] == (6, 6))
    )
    if not fits:
        raise SpaceError(
            f"operator {name!r} takes an array (nv,), (nv, nv) or (links, 6, 6), got one of shape {blocks.shape}"
        )
    if not np.isfinite(blocks).all():
        raise SpaceError(f"operator {name!r} holds numbers that are not finite")
    return blocks
