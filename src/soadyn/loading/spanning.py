"""From joints between links to a tree and what closes its loops: cut where most freedoms are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

from soadyn.model.draft import DraftJoint

FREEDOMS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "helical": 1, "universal": 2, "spherical": 3}


@final
@dataclass(frozen=True, slots=True)
class Spanning:
    """`tree`: joints from the root outwards, some turned round; `cuts`: the others, as they were.

    `idle` are cuts between links that are welded together: nothing moves them.
    """

    root: str | None
    tree: list[DraftJoint]
    cuts: list[DraftJoint]
    idle: list[DraftJoint]
    apart: list[str]  # a link of each part that no joint joins with the root's


def spanning(links: Sequence[str], joints: Sequence[DraftJoint]) -> Spanning:
    """The tree that keeps the joints with the fewest freedoms, in the order of `joints`.

    Of joints with as many freedoms, the first that has a link as its child is kept before others of that child, so that
    files whose loops are cut by second parents keep their first ones. The root is the ground if a joint hangs on it,
    else a link that no kept joint has as its child, the first one.
    """
    in_order = sorted(joints, key=lambda joint: FREEDOMS[joint.kind])
    first: dict[str, int] = {}
    for joint in in_order:
        first.setdefault(joint.child, id(joint))
    in_order.sort(key=lambda joint: (FREEDOMS[joint.kind], first[joint.child] != id(joint)))
    parts = _Parts()
    kept = {id(joint) for joint in in_order if parts.join(joint.parent, joint.child)}
    tree = [joint for joint in joints if id(joint) in kept]
    welded = _Parts()
    for joint in tree:
        if joint.kind == "fixed":
            welded.join(joint.parent, joint.child)
    cuts: list[DraftJoint] = []
    idle: list[DraftJoint] = []
    for joint in joints:
        if id(joint) not in kept:
            still = joint.parent != joint.child and welded.of(joint.parent) == welded.of(joint.child)
            (idle if still else cuts).append(joint)
    root = _root(links, tree)
    turned, reached = _outwards(tree, root)
    outward = [turned[id(joint)] for joint in tree if id(joint) in turned]
    return Spanning(root, outward, cuts, idle, _apart(links, reached, parts))


def _root(links: Sequence[str], tree: Sequence[DraftJoint]) -> str | None:
    if any(joint.parent is None for joint in tree):
        return None
    children = {joint.child for joint in tree}
    return next((link for link in links if link not in children), links[0])


def _outwards(tree: Sequence[DraftJoint], root: str | None) -> tuple[dict[int, DraftJoint], set[str | None]]:
    """Each joint with its parent nearer to the root, and all that is reached."""
    ends: dict[str | None, list[DraftJoint]] = {}
    for joint in tree:
        ends.setdefault(joint.parent, []).append(joint)
        ends.setdefault(joint.child, []).append(joint)
    turned: dict[int, DraftJoint] = {}
    reached, waiting = {root}, [root]
    while waiting:
        here = waiting.pop()
        for joint in ends.get(here, ()):
            if id(joint) not in turned:
                turned[id(joint)] = outward = joint if joint.parent == here else reversed_joint(joint)
                reached.add(outward.child)
                waiting.append(outward.child)
    return turned, reached


def _apart(links: Sequence[str], reached: Collection[str | None], parts: _Parts) -> list[str]:
    found: dict[str | None, str] = {}
    for link in links:
        if link not in reached:
            found.setdefault(parts.of(link), link)
    return list(found.values())


def reversed_joint(joint: DraftJoint) -> DraftJoint:
    """The same joint from its child to its parent, with the same coordinates: its axes point the other way.

    Of a universal joint the axes change places too, and so do its coordinates and figures; a ball joint's quaternion is
    the conjugate.
    """
    assert joint.parent is not None  # nothing is nearer to the root than the ground
    turned = replace(
        joint,
        parent=joint.child,
        child=joint.parent,
        placement=joint.offset.inverse(),
        offset=joint.placement.inverse(),
        axis=_opposite(joint.axis),
    )
    if joint.kind != "universal":
        return turned
    figures = ("armature", "damping", "friction", "stiffness", "rest", "lower", "upper", "velocity", "effort")
    swapped: dict[str, Any] = {name: x[::-1] for name in figures if isinstance(x := getattr(joint, name), tuple)}
    return replace(turned, axis=_opposite(joint.axis2), axis2=_opposite(joint.axis), **swapped)


def _opposite(axis: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = axis
    return (0.0 - x, 0.0 - y, 0.0 - z)


class _Parts:
    """Which links hang together."""

    def __init__(self) -> None:
        self.above: dict[str | None, str | None] = {}

    def of(self, link: str | None) -> str | None:
        """The link that stands for all that hangs together with this one."""
        while self.above.get(link, link) != link:
            self.above[link] = self.above.get(self.above[link], self.above[link])  # shorter ways for later
            link = self.above[link]
        return link

    def join(self, one: str | None, other: str | None) -> bool:
        """Hang two together; False if they were."""
        one, other = self.of(one), self.of(other)
        self.above[one] = other
        return one != other
