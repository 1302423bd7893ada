"""The immutable robot model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

from soadyn.errors import check_name
from soadyn.fork_safe import cached_property
from soadyn.mechanics.joint import JointKind, named_joint_kind
from soadyn.model.closures import AnyClosure
from soadyn.model.placement import Matrix3, Placement, Vector3
from soadyn.model.visuals import Visual

GROUND = "ground"
ROOT_JOINT = "root"
INFINITY = float("inf")


@final
@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body: mass, mass centre in link axes, moment of inertia about the mass centre along link axes."""

    name: str
    mass: float = 0.0
    com: Vector3 = (0.0, 0.0, 0.0)
    inertia: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    hidden: bool = False  # a massless body between the joints of one physical joint


@final
@dataclass(frozen=True, slots=True)
class Joint:
    """The joint between a link and its parent.

    Link frame = parent frame, then `placement` (the inboard frame), the joint's motion, `offset` (the link
    frame in the outboard frame; the identity in URDF). Per-component figures are tuples of length nv, position
    limits and rest positions tuples of length nq.
    """

    name: str
    kind: str
    placement: Placement
    axis: Vector3
    pitch: float
    offset: Placement
    armature: tuple[float, ...]
    damping: tuple[float, ...]
    friction: tuple[float, ...]
    stiffness: tuple[float, ...]
    rest: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    velocity: tuple[float, ...]
    effort: tuple[float, ...]

    @property
    def behaviour(self) -> JointKind:
        """The kind's answers: nq, nv, H, transform, integrate, difference."""
        return named_joint_kind(self.kind)


@final
@dataclass(frozen=True, slots=True)
class Frame:
    """A named frame fixed in a link (0 is the ground)."""

    name: str
    link: int
    placement: Placement


@final
@dataclass(frozen=True, slots=True)
class Tie:
    """A mimic joint's rule: q[joint] = multiplier * q[leader] + offset, joints by storage index."""

    joint: int
    leader: int
    multiplier: float
    offset: float


@final
@dataclass(frozen=True)
class Model:
    """A robot: moving links 1..n in depth-first order, link 0 the ground.

    `links[k-1]` hangs on `joints[k-1]` from link `parents[k-1]`, which is smaller than k. The descendants of a
    link follow it without a gap.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    parents: tuple[int, ...]
    frames: tuple[Frame, ...] = ()
    gravity: Vector3 = (0.0, 0.0, -9.81)
    ties: tuple[Tie, ...] = ()
    closures: tuple[AnyClosure, ...] = ()
    spare: tuple[AnyClosure, ...] = ()  # closures that are switched off
    superfluous: tuple[int, ...] | None = field(default=None, compare=False)  # their rows that follow from others
    changing: bool = field(default=False, compare=False)  # do others of their rows do so at some closed states alone?
    homes: tuple[int, ...] = field(default=(), compare=False)  # of each closure the link where it can be eliminated
    notes: tuple[str, ...] = field(default=(), compare=False)  # what loading found worth telling
    left_out: tuple[str, ...] = field(default=(), compare=False)  # those notes that say what the file has beyond this
    visuals: tuple[Visual, ...] = field(default=(), compare=False)  # shapes for viewers, by frame name

    @property
    def n(self) -> int:
        """The number of moving links, hidden ones included."""
        return len(self.links)

    @cached_property
    def nq(self) -> int:
        return sum(joint.behaviour.nq for joint in self.joints)

    @cached_property
    def nv(self) -> int:
        return sum(joint.behaviour.nv for joint in self.joints)

    @cached_property
    def q_slices(self) -> tuple[slice, ...]:
        """Where each joint's coordinates stand in q."""
        return _slices([joint.behaviour.nq for joint in self.joints])

    @cached_property
    def v_slices(self) -> tuple[slice, ...]:
        """Where each joint's rates stand in v."""
        return _slices([joint.behaviour.nv for joint in self.joints])

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each link, ground first."""
        lists: list[list[int]] = [[] for _ in range(self.n + 1)]
        for k, parent in enumerate(self.parents, start=1):
            lists[parent].append(k)
        return tuple(tuple(children) for children in lists)

    @cached_property
    def subtree_end(self) -> tuple[int, ...]:
        """One past the last descendant of each link, ground first."""
        end = list(range(1, self.n + 2))
        for k in range(self.n, 0, -1):
            end[self.parents[k - 1]] = max(end[self.parents[k - 1]], end[k])
        return tuple(end)

    def ancestors(self, k: int) -> Iterator[int]:
        """The link itself, its parent, and so on; the ground is left out."""
        while k:
            yield k
            k = self.parents[k - 1]

    @cached_property
    def visible(self) -> tuple[int, ...]:
        """The links that a user sees, in storage order."""
        return tuple(k for k, link in enumerate(self.links, start=1) if not link.hidden)

    @cached_property
    def rows(self) -> dict[int, int]:
        """Where each visible link stands among them."""
        return {k: row for row, k in enumerate(self.visible)}

    @cached_property
    def link_names(self) -> tuple[str, ...]:
        return tuple(self.links[k - 1].name for k in self.visible)

    @cached_property
    def joint_indices(self) -> dict[str, tuple[int, ...]]:
        """Joint name to the elementary joints (1..n) it is made of; a universal joint is made of two."""
        groups: dict[str, list[int]] = {}
        for k, joint in enumerate(self.joints, start=1):
            groups.setdefault(joint.name, []).append(k)
        return {name: tuple(ks) for name, ks in groups.items()}

    @property
    def joint_names(self) -> tuple[str, ...]:
        return tuple(self.joint_indices)

    @cached_property
    def frame_index(self) -> dict[str, Frame]:
        """Every name that can be used as a frame."""
        index = {GROUND: Frame(GROUND, 0, Placement())}
        index.update(
            (link.name, Frame(link.name, k, Placement())) for k, link in enumerate(self.links, 1) if not link.hidden
        )
        index.update((frame.name, frame) for frame in self.frames)
        return index

    def frame(self, name: str) -> Frame:
        """A link, a folded fixed link or "ground" as a frame."""
        check_name("frame", name, self.frame_index, of=f"robot {self.name!r}")
        return self.frame_index[name]

    def joint_dofs(self, name: str) -> range:
        """The places in v of a joint's components."""
        check_name("joint", name, self.joint_indices, of=f"robot {self.name!r}")
        ks = self.joint_indices[name]
        return range(self.v_slices[ks[0] - 1].start, self.v_slices[ks[-1] - 1].stop)

    def __getstate__(self) -> dict[str, object]:
        # Cached properties are recomputed, never pickled.
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


def _slices(sizes: list[int]) -> tuple[slice, ...]:
    slices, start = [], 0
    for size in sizes:
        slices.append(slice(start, start + size))
        start += size
    return tuple(slices)
