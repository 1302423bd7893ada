"""Joints held still: their links fold into the links they hang on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ModelError
from soadyn.model.bodies import Body, total
from soadyn.model.closures import AnyClosure, Coupling
from soadyn.model.model import Frame, Joint, Link, Model, Tie
from soadyn.model.motion import locked_values, moved_by
from soadyn.model.placement import Placement


def body_of(link: Link) -> Body:
    """A link's mass properties as a Body.

    >>> body_of(Link("arm", 2.0)).mass
    2.0
    """
    return Body(link.mass, link.com, link.inertia)


def with_body(link: Link, body: Body) -> Link:
    """A link with other mass properties.

    >>> with_body(Link("arm", 2.0), Body(3.0)).mass
    3.0
    """
    return replace(link, mass=body.mass, com=body.com, inertia=body.inertia)


@dataclass(slots=True)
class _Fold:
    """Links kept so far, and where each old link stands now: its host and its place there."""

    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    added: dict[int, list[Body]] = field(default_factory=dict)
    place: list[tuple[int, Placement]] = field(default_factory=lambda: [(0, Placement())])

    def keep(self, link: Link, joint: Joint, parent: int) -> None:
        host, mount = self.place[parent]
        self.links.append(link)
        self.joints.append(replace(joint, placement=mount.then(joint.placement)))
        self.parents.append(host)
        self.place.append((len(self.links), Placement()))

    def weld(self, link: Link, mount: Placement, parent: int) -> None:
        """Fix a link to its parent at `mount`: it becomes a frame of the link that carries it."""
        host, base = self.place[parent]
        mount = base.then(mount)
        if host and self._is_bare(host) and not link.hidden:
            self._become(host, link, mount)
            return
        self.place.append((host, mount))
        if host:
            self.added.setdefault(host, []).append(body_of(link).moved(mount))
        if not link.hidden:
            self.frames.append(Frame(link.name, host, mount))

    def _is_bare(self, host: int) -> bool:
        """Is this link one that stood hidden between two joints, with nothing on it?"""
        link = self.links[host - 1]
        return link.hidden and not link.mass and host not in self.parents and host not in self.added

    def _become(self, host: int, link: Link, mount: Placement) -> None:
        """Replace a bare hidden link by the link welded to it; the hidden link's own frame has no name."""
        joint = self.joints[host - 1]
        self.joints[host - 1] = replace(joint, offset=joint.offset.then(mount))
        self.links[host - 1] = link
        back = mount.inverse()
        self.place = [(at, back.then(place)) if at == host else (at, place) for at, place in self.place]
        self.place.append((host, Placement()))

    def finished(self) -> tuple[Link, ...]:
        for host, bodies in self.added.items():
            link = self.links[host - 1]
            self.links[host - 1] = with_body(link, total([body_of(link), *bodies]))
        return tuple(self.links)


def lock(model: Model, joints: str | Iterable[str], q: Any) -> Model:
    """The robot with the named joints held at q: their links become frames of the links they now belong to.

    `q` is a full configuration (nq,) or a mapping from joint name to value (one number, or the joint's coordinates).
    Masses and inertias are merged; what is welded to the ground counts no more. A mimic joint tied to a locked one is
    locked with it; it cannot be locked alone.

    >>> from soadyn.model.builder import assemble, chain
    >>> stiff = lock(assemble(chain(3)), ["joint_2"], {"joint_2": 0.5})
    >>> stiff.joint_names, [link.mass for link in stiff.links]
    (('joint_1', 'joint_3'), [2.0, 1.0])
    """
    if not isinstance(joints, Iterable) or (isinstance(joints, np.ndarray) and joints.ndim == 0):
        raise ArgumentError(f"lock takes a joint's name or a list of names, got {joints!r}")
    values = locked_values(model, [joints] if isinstance(joints, str) else list(joints), q)
    fold = _Fold()
    kept: dict[int, int] = {}
    for k, (link, joint, parent) in enumerate(zip(model.links, model.joints, model.parents, strict=True), start=1):
        if k in values:
            fold.weld(link, moved_by(joint, values[k]), parent)
        else:
            fold.keep(link, joint, parent)
            kept[k] = len(fold.links)
    moved = [Frame(f.name, fold.place[f.link][0], fold.place[f.link][1].then(f.placement)) for f in model.frames]
    return replace(
        model,
        links=fold.finished(),
        joints=tuple(fold.joints),
        parents=tuple(fold.parents),
        frames=(*moved, *fold.frames),
        ties=renumbered(model.ties, kept),
        closures=tuple(_held(model, closure, values, kept, fold) for closure in model.closures),
        spare=tuple(_held(model, closure, values, kept, fold) for closure in model.spare),
        superfluous=None,
    )


def _held(
    model: Model, closure: AnyClosure, values: Mapping[int, Any], kept: Mapping[int, int], fold: _Fold
) -> AnyClosure:
    """A closure of the robot with some joints locked; it must still have something to hold."""
    if isinstance(closure, Coupling):
        if any(joint not in values for joint, _ in closure.terms):
            return closure.locked({joint: float(np.ravel(x)[0]) for joint, x in values.items()}, kept)
    else:
        moved = closure.moved(lambda k: fold.place[k])
        if moved.x.link != moved.y.link:
            return moved
    raise ModelError(
        f"robot {model.name!r}: locking these joints leaves closure {closure.name!r} nothing to hold; open it, or "
        "leave one of its joints free"
    )


def renumbered(ties: Iterable[Tie], new: Mapping[int, int]) -> tuple[Tie, ...]:
    """Ties between joints that have new numbers; the others are dropped.

    >>> renumbered([Tie(2, 1, 1.0, 0.0)], {1: 1, 2: 5})
    (Tie(joint=5, leader=1, multiplier=1.0, offset=0.0),)
    """
    return tuple(
        replace(tie, joint=new[tie.joint], leader=new[tie.leader])
        for tie in ties
        if tie.joint in new and tie.leader in new
    )
