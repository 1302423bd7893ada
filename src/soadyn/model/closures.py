"""What a robot's links are held together by beside the tree's joints: cuts between two frames, couplings of joints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import final

from soadyn.mechanics.joint.closure_kinds import FIGURES, OTHER, row_count
from soadyn.model.placement import Placement


@final
@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a closure holds on to a link (0 is the ground)."""

    link: int
    placement: Placement


@final
@dataclass(frozen=True, slots=True)
class Closure:
    """A cut joint: frame y is held at frame x but for the components in `free`, see `joint.closure_kinds`.

    `figure` is the length, pitch or radius of kinds that have one. `keep`: rows that follow from others stay.
    """

    name: str
    kind: str
    free: tuple[str, ...]
    x: Anchor
    y: Anchor
    figure: float = 0.0
    keep: bool = False

    @property
    def rows(self) -> int:
        """How many numbers hold it closed."""
        return row_count(self.kind, self.free)

    @property
    def links(self) -> tuple[int, ...]:
        """The links that it holds."""
        return self.x.link, self.y.link

    @property
    def told(self) -> str:
        """Its kind in words."""
        if self.kind in FIGURES:
            return f"{self.kind}, {FIGURES[self.kind]} {self.figure:g}"
        return self.kind if self.kind != OTHER else f"free: {', '.join(self.free)}"

    def moved(self, place: Callable[[int], tuple[int, Placement]]) -> Closure:
        """The closure where links have gone: `place` gives the link that carries one now, and where on it."""
        return replace(self, x=_moved(self.x, place), y=_moved(self.y, place))


def _moved(anchor: Anchor, place: Callable[[int], tuple[int, Placement]]) -> Anchor:
    link, placement = place(anchor.link)
    return Anchor(link, placement.then(anchor.placement))


@final
@dataclass(frozen=True, slots=True)
class Coupling:
    """Σₖ polyₖ(qₖ) = 0 over joints with one coordinate: gears, belts, cams, mimic joints.

    Each term is a joint by its number and the coefficients of 1, q, q², ...
    """

    name: str
    terms: tuple[tuple[int, tuple[float, ...]], ...]
    keep: bool = False

    @property
    def rows(self) -> int:
        """One number holds it."""
        return 1

    @property
    def links(self) -> tuple[int, ...]:
        """The links that its joints carry."""
        return tuple(joint for joint, _ in self.terms)

    @property
    def told(self) -> str:
        """Its kind in words."""
        return "coupling"

    def renumbered(self, new: Mapping[int, int]) -> Coupling:
        """The coupling of joints that have new numbers."""
        return replace(self, terms=tuple((new[joint], poly) for joint, poly in self.terms))

    def locked(self, values: Mapping[int, float], new: Mapping[int, int]) -> Coupling:
        """The coupling of the joints that are left, those with `values` held there; they keep at least one."""
        held = sum(_value(poly, values[joint]) for joint, poly in self.terms if joint in values)
        left = [(new[joint], poly) for joint, poly in self.terms if joint not in values]
        joint, (constant, *rest) = left[0]
        return replace(self, terms=((joint, (constant + held, *rest)), *left[1:]))


def _value(poly: tuple[float, ...], q: float) -> float:
    return sum(c * q**power for power, c in enumerate(poly))


AnyClosure = Closure | Coupling


def row_names(closures: Iterable[AnyClosure]) -> tuple[str, ...]:
    """For each row the closure that it belongs to."""
    return tuple(closure.name for closure in closures for _ in range(closure.rows))


def prefixed_closures(closures: Iterable[AnyClosure], prefix: str) -> tuple[AnyClosure, ...]:
    """Closures with something in front of their names."""
    return tuple(replace(each, name=prefix + each.name) for each in closures)


def renumbered_closures(closures: Iterable[AnyClosure], new: Mapping[int, int]) -> tuple[AnyClosure, ...]:
    """Closures of a robot whose links have new numbers, all of them."""
    return landed_closures(closures, new, Placement())


def landed_closures(
    closures: Iterable[AnyClosure], new: Mapping[int, int], ground: Placement
) -> tuple[AnyClosure, ...]:
    """The same, of a robot whose ground is placed somewhere on what is now link `new[0]`."""

    def place(k: int) -> tuple[int, Placement]:
        return new[k], Placement() if k else ground

    return tuple(each.renumbered(new) if isinstance(each, Coupling) else each.moved(place) for each in closures)
