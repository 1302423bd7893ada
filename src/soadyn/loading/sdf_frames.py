"""SDF's frames: every link, joint, frame and model is one, placed in another, and found by a name in its model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from soadyn.errors import ModelError, unknown_name
from soadyn.loading.document import Element
from soadyn.model.placement import Placement

WORLD, MODEL = "world", "__model__"
SEPARATOR = "::"
LONGEST_CHAIN = 200  # frames in frames in frames; each is walked anew for each pose


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """A model whose names are seen: `prefix` is "" for the robot itself, "arm::" for a model nested in it."""

    prefix: str
    model: Element
    outer: Scope | None = None

    def full(self, name: str) -> str:
        return self.prefix + name


@final
@dataclass(frozen=True, slots=True)
class Placed:
    """A frame: its placement in another, and the frame that it moves with (None: it is a link), as names in scopes."""

    base: tuple[Scope, str]
    placement: Placement
    moves_with: tuple[Scope, str] | None
    where: str


@final
@dataclass(slots=True)
class Frames:
    """All frames by their full names. The world is the frame that stands in no other."""

    placed: dict[str, Placed] = field(default_factory=dict)

    def put(self, name: str, placed: Placed) -> None:
        """Add a frame; of two with one name the first counts, and the draft's check tells of the second."""
        self.placed.setdefault(name, placed)

    def find(self, scope: Scope, name: str, where: str) -> str:
        """The full name of the frame that a model calls `name`."""
        for full in (scope.full(name), scope.full(name) + SEPARATOR + MODEL):
            if full in self.placed:
                return full
        if name == WORLD:
            return WORLD
        names = [full.removeprefix(scope.prefix) for full in self.placed if full.startswith(scope.prefix)]
        raise ModelError(f"{where}: {unknown_name('frame', name, [*names, WORLD])}")

    def link_of(self, name: str) -> str | None:
        """The link that a frame moves with; None is the ground."""
        for _ in range(LONGEST_CHAIN):
            if name == WORLD:
                return None
            placed = self.placed[name]
            if placed.moves_with is None:
                return name
            name = self.find(*placed.moves_with, placed.where)
        raise ModelError(f"{placed.where}: frame {name!r} is attached to itself by way of others")

    def between(self, outer: str, inner: str) -> Placement:
        """The pose of one frame in another while the robot is as the file draws it.

        Both are walked up to the first frame that holds both, so that a pose said in the file is left as it is.
        """
        up, down = self._chain(outer), self._chain(inner)
        held = set(down)
        shared = next(name for name in up if name in held)
        return self._along(up[: up.index(shared)]).inverse().then(self._along(down[: down.index(shared)]))

    def _chain(self, name: str) -> list[str]:
        """The frame, the one it is placed in, and so on to the world."""
        chain = [name]
        while chain[-1] != WORLD:
            placed = self.placed[chain[-1]]
            chain.append(self.find(*placed.base, placed.where))
            if chain[-1] in chain[:-1]:
                circle = chain[chain.index(chain[-1]) :]
                raise ModelError(f"{placed.where}: frames are placed in a circle: {' -> '.join(circle[:10])}")
            if len(chain) > LONGEST_CHAIN:
                raise ModelError(f"{placed.where}: frame {name!r} stands in more than {LONGEST_CHAIN} frames in turn")
        return chain

    def _along(self, names: list[str]) -> Placement:
        place = Placement()
        for name in names:
            place = self.placed[name].placement.then(place)
        return place
