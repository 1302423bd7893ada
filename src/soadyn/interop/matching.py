"""Which joint of a peer is which of ours: by name, never by place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, final

from soadyn.errors import ArgumentError, ModelError, unknown_name
from soadyn.interop.pairing import Pairing
from soadyn.mechanics.joint import named_joint_kind
from soadyn.model.model import ROOT_JOINT
from soadyn.robot import Robot

PEER_ROOTS = (ROOT_JOINT, "root_joint")  # what a free root is called by convention
# A joint whose coordinates are those of simpler joints in turn.
PARTS = {"cylindrical": ("revolute", "prismatic"), "universal": ("revolute", "revolute")}


@final
@dataclass(frozen=True, slots=True)
class OwnJoint:
    """A joint of our robot: its kind, and where its coordinates and rates start."""

    name: str
    kind: str
    q: int
    v: int

    @property
    def parts(self) -> tuple[str, ...]:
        return PARTS.get(self.kind, (self.kind,))

    def is_like(self, pairings: Sequence[Pairing]) -> bool:
        """Is it what a peer's joint with these pairings is here?"""
        return len(pairings) == len(self.parts) and all(k in p.kinds for k, p in zip(self.parts, pairings, strict=True))


@final
@dataclass(frozen=True, slots=True)
class PeerJoint:
    """A peer's joint with its type in the peer's words; without pairings there is nothing like it here."""

    name: str
    kind: str
    q: int
    v: int
    pairings: tuple[Pairing, ...]


@final
@dataclass(frozen=True, slots=True)
class Match:
    """A pairing and where its coordinates and rates stand on both sides."""

    pairing: Pairing
    q: slice
    v: slice
    q_peer: slice
    v_peer: slice


def checked_model(model: Any, title: str, of_type: str, attribute: str) -> Any:
    """The peer's model, known by an attribute: its library need not be imported."""
    if not hasattr(model, attribute):
        raise ArgumentError(f"{title} takes a robot and its {of_type}, got {type(model).__name__} for the {of_type}")
    return model


def own_joints(robot: Robot) -> dict[str, OwnJoint]:
    """The robot's joints by name; those tied to others have no coordinates and are left out."""
    if not isinstance(robot, Robot):
        raise ArgumentError(f"a peer is of a Robot, as sd.load makes them, got {type(robot).__name__}")
    joints = {}
    for name in robot.joint_names:
        indices = robot.model.joint_indices[name]
        kind = robot.model.joints[indices[0] - 1].kind if len(indices) == 1 else "universal"
        joints[name] = OwnJoint(name, kind, robot.joint_coordinates(name).start, robot.joint_dofs(name).start)
    return joints


def named_pairs(
    robot: Robot, title: str, joints: Sequence[PeerJoint], names: Mapping[str, str]
) -> list[tuple[OwnJoint, PeerJoint]]:
    """Our joints with the peer's of the same name; `names` gives the peer's name where it differs."""
    own, theirs = own_joints(robot), {joint.name: joint for joint in joints}
    if len(theirs) < len(joints):
        twice = sorted({joint.name for joint in joints if sum(other.name == joint.name for other in joints) > 1})
        raise ModelError(f"{title} has several joints called {_listed(twice)}; joints are matched by name")
    for ours, peer in names.items():
        if ours not in own:
            raise unknown_name(f"joint of robot {robot.name!r} in names", ours, own)
        if peer not in theirs:
            raise unknown_name(f"joint of {title} in names", peer, theirs)
    called = {name: names.get(name, name) for name in own}
    called.update(_free_root(own, theirs, called))
    missing = [name for name in own if called[name] not in theirs]
    strange = [name for name in theirs if name not in called.values()]
    if missing or strange or len(set(called.values())) < len(called):
        raise _different(robot, title, theirs, missing, strange)
    return [(joint, theirs[called[name]]) for name, joint in own.items()]


def _free_root(
    own: Mapping[str, OwnJoint], theirs: Mapping[str, PeerJoint], called: Mapping[str, str]
) -> dict[str, str]:
    """A free root is called otherwise by every peer: it is the only free joint left over on both sides."""
    ours = [name for name, joint in own.items() if joint.kind == "free" and called[name] not in theirs]
    free = [
        n for n, joint in theirs.items() if any("free" in p.kinds for p in joint.pairings) and n not in called.values()
    ]
    if len(ours) == len(free) == 1 and (ours[0] == ROOT_JOINT or free[0] in PEER_ROOTS):
        return {ours[0]: free[0]}
    return {}


def _different(
    robot: Robot, title: str, theirs: Mapping[str, PeerJoint], missing: Sequence[str], strange: Sequence[str]
) -> ModelError:
    near = {name: found[0] for name in missing if (found := get_close_matches(name, strange, n=1, cutoff=0.5))}
    hint = f" If these are the same joints, say names={near}." if near else ""
    return ModelError(
        f"robot {robot.name!r} and its model in {title} have different joints. "
        f"Only in the robot: {_listed(missing)}. "
        f"Only in {title}: {_listed([f'{name} ({theirs[name].kind})' for name in strange])}.{hint}"
    )


def _listed(names: Collection[str]) -> str:
    return ", ".join(names) or "none"


def matches(title: str, pairs: Iterable[tuple[OwnJoint, PeerJoint]]) -> list[Match]:
    """The parts of all joints; a pair of joints of different kinds is refused."""
    found = []
    for ours, theirs in pairs:
        _check_kinds(title, ours, theirs)
        q, v, q_peer, v_peer = ours.q, ours.v, theirs.q, theirs.v
        for part, pairing in zip(ours.parts, theirs.pairings, strict=True):
            nq, nv = named_joint_kind(part).nq, pairing.nv
            places = slice(q, q + nq), slice(v, v + nv), slice(q_peer, q_peer + pairing.nq), slice(v_peer, v_peer + nv)
            found.append(Match(pairing, *places))
            q, v, q_peer, v_peer = (place.stop for place in places)
    return found


def _check_kinds(title: str, ours: OwnJoint, theirs: PeerJoint) -> None:
    if ours.is_like(theirs.pairings):
        return
    here = " then ".join(" or ".join(pairing.kinds) for pairing in theirs.pairings)
    meaning = f"which is {here} here" if here else "which has no counterpart here"
    also = "" if ours.name == theirs.name else f" (there {theirs.name!r})"
    raise ModelError(f"joint {ours.name!r}{also} is {ours.kind}, but in {title} a {theirs.kind}, {meaning}")
