"""URDF: links and joints with their file and line.

Beyond URDF the joint types `helical` (attribute `pitch` of <axis>, m/rad), `cylindrical`, `universal` (second
axis <axis2>) and `spherical` are read, and the attributes `armature`, `stiffness` and `rest` of <dynamics>. A figure
of a joint with several components may be one number for all or one for each. `urdf_closures` reads loops and couplings,
`left_out` has what is not read and would change the robot (transmissions, ...); what does not bear on
dynamics (collision, sensor, ...) is skipped; `visuals` reads <visual>.
"""

from __future__ import annotations

import numpy as np

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.source import Source
from soadyn.loading.urdf_closures import add_urdf_closures
from soadyn.loading.urdf_joint import read_joint
from soadyn.loading.urdf_left_out import left_out_of_urdf
from soadyn.loading.urdf_origin import read_origin
from soadyn.loading.values import child, number, text
from soadyn.model.draft import Draft, DraftLink
from soadyn.model.placement import vector3


def draft_from_urdf(robot: Element, source: Source) -> Draft:
    """The draft that a <robot> element describes."""
    _refuse_xacro(robot)
    draft = Draft(robot.attributes.get("name", "").strip(), where=source.name)
    if not draft.name:
        draft.name = source.stem
        draft.notes.append(f"{robot.where}: <robot> has no name; it is called {draft.name!r} after its file")
    draft.links = [read_link(link) for link in robot.all("link")]
    if not draft.links:
        raise ModelError(f"{robot.where}: robot {draft.name!r} has no <link> elements; expected at least one")
    for element in robot.all("joint"):
        joint, notes = read_joint(element, read_origin(element))
        draft.joints.append(joint)
        draft.notes.extend(notes)
    add_urdf_closures(draft, robot)
    draft.left_out.extend(left_out_of_urdf(robot))
    return draft


def read_link(link: Element) -> DraftLink:
    """A link; without <inertial> it has no mass."""
    drafted = DraftLink(text(link, "name"), where=link.where)
    inertial = link.only("inertial")
    if inertial is None:
        return drafted
    owner = f"link {drafted.name!r}"
    frame = read_origin(inertial, owner)
    drafted.mass = number(child(inertial, "mass"), "value", owner=owner)
    if drafted.mass < 0:
        mass = child(inertial, "mass")
        raise ModelError(f"{mass.where}: {owner} has mass {drafted.mass}; a mass must be zero or more (kg)")
    R = np.array(frame.rotation)
    drafted.inertia = R @ _inertia(child(inertial, "inertia"), owner) @ R.T
    drafted.com = vector3(frame.position)
    return drafted


def _inertia(element: Element, owner: str) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = (number(element, f"i{axes}", owner=owner) for axes in ("xx", "yy", "zz", "xy", "xz", "yz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _refuse_xacro(robot: Element) -> None:
    for element in robot.walk():
        if element.tag.startswith("xacro:"):
            raise ModelError(
                f"{element.where}: <{element.tag}> is xacro, a macro language that makes URDF; "
                f"expand it first: xacro {robot.file} > robot.urdf"
            )
