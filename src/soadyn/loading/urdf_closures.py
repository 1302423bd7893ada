"""Loops and couplings of a URDF: URDF+'s <loop> and <coupling>, Isaac Sim's <loop_joint>.

<loop name="pin" type="revolute">           a joint that is cut: its frame in both links, one axis in both frames
  <predecessor link="a"><origin .../></predecessor>  <successor link="b"><origin .../></successor>  <axis .../>
<loop_joint name="pin" type="spherical">    the same
  <link1 link="a" xyz="..." rpy="..."/>  <link2 link="b" xyz="..." rpy="..."/>
<coupling name="gear">                      ratio times what turns the predecessor = what turns the successor,
  <predecessor link="a"/>  <successor link="b"/>  <ratio value="6"/>              both seen from where they part
"""

from __future__ import annotations

from collections.abc import Mapping

from soadyn.errors import ModelError, unknown_name
from soadyn.loading.cutting import KINDS, check_terms, closure_of_joint
from soadyn.loading.document import Element
from soadyn.loading.urdf_joint import TYPES, read_axes
from soadyn.loading.urdf_origin import read_origin, read_placement
from soadyn.loading.values import child, number, text
from soadyn.model.draft import Draft, DraftClosure, DraftCoupling, DraftJoint
from soadyn.model.placement import Placement

LINK_TAGS = ("link1", "link2")  # Isaac Sim's own documents say link1 twice


def is_loop_joint(element: Element) -> bool:
    """Is this a loop joint in Isaac Sim's words? There are others, which say too little."""
    return element.tag == "loop_joint" and sum(part.tag in LINK_TAGS for part in element.children) == len(LINK_TAGS)


def add_urdf_closures(draft: Draft, robot: Element) -> None:
    """Put the loops and couplings of a <robot> into its draft, whose links and joints are known."""
    hung = {joint.child: joint for joint in draft.joints}
    links = {link.name: link.where for link in draft.links}
    terms = 0
    for element in robot.children:
        if element.tag == "loop":
            ends = [child(element, "predecessor"), child(element, "successor")]
            draft.closures.append(_loop(element, [(end, read_origin(end)) for end in ends], links))
        elif is_loop_joint(element):
            ends = [part for part in element.children if part.tag in LINK_TAGS]
            draft.closures.append(_loop(element, [(end, read_placement(end, str(element))) for end in ends], links))
        elif element.tag == "coupling":
            draft.closures.append(coupling := _coupling(element, hung, links))
            terms += len(coupling.terms)
            check_terms(terms, element.where)


def _loop(element: Element, ends: list[tuple[Element, Placement]], links: Mapping[str, str]) -> DraftClosure:
    owner = f"loop {text(element, 'name')!r}"
    kind = text(element, "type")
    known = [name for name, called in TYPES.items() if called in KINDS]
    if kind not in known:
        raise ModelError(f"{element.where}: {owner}: {unknown_name('loop type', kind, known)}")
    (one, x), (other, y) = ends
    joint = DraftJoint(
        element.attributes["name"],
        TYPES[kind],
        _link(one, links, owner),
        _link(other, links, owner),
        placement=x,
        offset=y.inverse(),
        where=element.where,
    )
    read_axes(element, joint, owner)
    return closure_of_joint(joint)


def _coupling(element: Element, hung: Mapping[str, DraftJoint], links: Mapping[str, str]) -> DraftCoupling:
    name = text(element, "name")
    owner = f"coupling {name!r}"
    ratio = number(child(element, "ratio"), "value", owner=owner)
    ends = [_link(child(element, tag), links, owner) for tag in ("predecessor", "successor")]
    leading, led = (_moved_by(link, hung) for link in ends)
    shared = {joint.name for joint in leading} & {joint.name for joint in led}
    terms = {joint.name: ratio for joint in leading if joint.name not in shared}
    terms |= {joint.name: -1.0 for joint in led if joint.name not in shared}
    if not terms:
        raise ModelError(f"{element.where}: {owner}: nothing moves between links {ends[0]!r} and {ends[1]!r}")
    return DraftCoupling(name, terms, where=element.where)


def _moved_by(link: str, hung: Mapping[str, DraftJoint]) -> list[DraftJoint]:
    """The joints from a link to the root; a circle of them is told later, as in any robot."""
    joints: dict[str, DraftJoint] = {}
    at: str | None = link
    while at is not None and (joint := hung.get(at)) is not None and joint.child not in joints:
        joints[joint.child] = joint
        at = joint.parent
    return [joint for joint in joints.values() if joint.kind != "fixed"]


def _link(end: Element, links: Mapping[str, str], owner: str) -> str:
    name = text(end, "link", owner)
    if name not in links:
        raise ModelError(f"{end.where}: {owner}: {unknown_name('link', name, links)}")
    return name
