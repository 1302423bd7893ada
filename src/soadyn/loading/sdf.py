"""SDF 1.4 and later: a model's links, joints and frames, with loops.

Links stand where the file's poses put them, and joints join any two: those that span a tree become its joints, those
left over close loops (`spanning` says which). Gearboxes are couplings of two hinges. A model floats unless it is
static or a joint holds it to the world. `sdf_left_out` has what is not read.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from soadyn.errors import ModelError
from soadyn.loading.cutting import closure_of_joint
from soadyn.loading.document import Element
from soadyn.loading.sdf_frames import WORLD, Frames, Scope
from soadyn.loading.sdf_joints import SdfJoints
from soadyn.loading.sdf_left_out import WORLD_JOINT, left_out_of_sdf, lost_figures
from soadyn.loading.sdf_scopes import frames_of, scopes_of
from soadyn.loading.sdf_values import pose_in, real_in, truth_in, vector_in
from soadyn.loading.sdf_visuals import add_sdf_visuals
from soadyn.loading.source import Source
from soadyn.loading.spanning import Spanning, spanning
from soadyn.loading.values import child, text
from soadyn.model.assemble import Root
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink, LeftOut
from soadyn.model.placement import vector3

AXES_OF_MODELS = (1, 4)  # the last version whose axes are along the model's axes unless said otherwise
OLDEST = (1, 4)
MOMENTS = (("xx", 1.0), ("yy", 1.0), ("zz", 1.0), ("xy", 0.0), ("xz", 0.0), ("yz", 0.0))  # and SDF's defaults


def draft_from_sdf(document: Element, source: Source, roots: tuple[Path, ...], root: Root | None) -> tuple[Draft, Root]:
    """The draft that an <sdf> document describes, and how its root hangs; meshes may lie in `roots`.

    With `root="free"` the joints that hold it to the world are left out.
    """
    version = _version(document)
    model, world = _model(document)
    draft = Draft(text(model, "name"), where=source.name)
    if world is not None:
        gravity = world.only("gravity")
        draft.gravity = (0.0, 0.0, -9.8) if gravity is None else vector_in(gravity, draft.gravity, "the world")
    scopes = list(scopes_of(model))
    frames = frames_of(scopes)
    draft.links = [_link(link, scope, draft) for scope in scopes for link in scope.model.all("link")]
    if not draft.links:
        raise ModelError(f"{model.where}: model {draft.name!r} has no <link> elements; expected at least one")
    draft.frames = [_frame(frame, scope, frames) for scope in scopes for frame in scope.model.all("frame")]
    found = _join(draft, SdfJoints(scopes, frames, in_model=version <= AXES_OF_MODELS), root == "free")
    draft.left_out.extend(left_out_of_sdf(document, scopes))
    add_sdf_visuals(draft, scopes, frames, source, roots)
    floats = found is not None and not truth_in(model, "static", False)
    return draft, "free" if floats else "fixed"


def _join(draft: Draft, elements: SdfJoints, loose: bool) -> str | None:
    """Put joints and closures into a draft; returns the root link if it hangs on no joint.

    `loose`: joints to the world are left out.
    """
    joints = elements.read()
    if loose:
        draft.left_out += [LeftOut(WORLD_JOINT, f"joint {x.name!r:.80}", x.where) for x in joints if x.parent is None]
        joints = [joint for joint in joints if joint.parent is not None]
    found = spanning([link.name for link in draft.links], joints)
    if found.apart:
        of = {link.name: link.where for link in draft.links}
        rest = found.root or WORLD
        raise ModelError(
            f"{of[found.apart[0]]}: no joint joins link {found.apart[0]!r} to {rest!r}; expected one robot in one piece"
        )
    draft.joints = found.tree
    if found.root is not None:
        draft.joints.append(_stand(found, elements.frames))
    draft.notes += [
        f"{x.where}: joint {x.name!r} is left out: its links are welded together, and nothing moves it"
        for x in found.idle
    ]
    draft.closures += map(closure_of_joint, found.cuts)
    draft.left_out += lost_figures(found.cuts)
    elements.add_couplings(draft)
    return found.root


def _stand(found: Spanning, frames: Frames) -> DraftJoint:
    """The root link held where the file's poses put it."""
    assert found.root is not None
    name, taken = f"{found.root}_stand", {joint.name for joint in (*found.tree, *found.cuts, *found.idle)}
    while name in taken:
        name += "_"
    return DraftJoint(name, "fixed", None, found.root, frames.between(WORLD, found.root))


def _version(document: Element) -> tuple[int, ...]:
    said = text(document, "version")
    if not re.fullmatch(r"1\.\d{1,3}(\.\d{1,3})?", said):
        raise ModelError(f'{document.where}: <sdf> has version="{said:.40}"; expected 1.4 or a later 1.x')
    version = tuple(map(int, said.split(".")))
    if version < OLDEST:
        raise ModelError(f"{document.where}: SDF {said} is older than 1.4; gz sdf -p writes it anew")
    return version


def _model(document: Element) -> tuple[Element, Element | None]:
    """The one model that is a robot, and the world it is in: a world's static models are scenery."""
    world = document.only("world")
    places = [document] if world is None else [document, world]
    models = [model for place in places for model in place.all("model")]
    movable = [model for model in models if not truth_in(model, "static", False)] or models
    if len(movable) == 1:
        return movable[0], world
    if movable:
        names = ", ".join(f"{model.attributes.get('name', '')!r:.40}" for model in movable[:5])
        raise ModelError(f"{movable[1].where}: the file has {len(movable)} models, {names}; expected one robot")
    raise ModelError(f"{document.where}: <sdf> has no <model> element; expected one{_included(places)}")


def _included(places: list[Element]) -> str:
    return " (files named by <include> are not read)" if any(place.all("include") for place in places) else ""


# Links and frames


def _link(link: Element, scope: Scope, draft: Draft) -> DraftLink:
    """A link; what its <inertial> does not say is SDF's default, 1 kg and 1 kg m^2."""
    drafted = DraftLink(scope.full(text(link, "name")), where=link.where)
    owner = f"link {drafted.name!r}"
    inertial = link.only("inertial")
    if inertial is None:
        draft.notes.append(f"{link.where}: {owner} has no <inertial>; SDF takes it as 1 kg with moments of 1 kg m^2")
        drafted.mass, drafted.inertia = 1.0, np.eye(3)
        return drafted
    if inertial.attributes.get("auto", "false").strip().lower() in ("true", "1"):
        raise ModelError(
            f"{inertial.where}: the inertia of {owner} is to be found from its shapes; write its mass and moments"
        )
    frame = pose_in(inertial.only("pose"), owner)
    drafted.mass = real_in(inertial, "mass", 1.0, owner)
    if drafted.mass < 0:
        mass = child(inertial, "mass")
        raise ModelError(f"{mass.where}: {owner} has mass {drafted.mass}; a mass must be zero or more (kg)")
    R = np.array(frame.rotation)
    drafted.inertia = R @ _moments(inertial.only("inertia"), owner) @ R.T
    drafted.com = vector3(frame.position)
    return drafted


def _moments(inertia: Element | None, owner: str) -> np.ndarray:
    if inertia is None:
        return np.eye(3)
    xx, yy, zz, xy, xz, yz = (real_in(inertia, f"i{axes}", default, owner) for axes, default in MOMENTS)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _frame(frame: Element, scope: Scope, frames: Frames) -> DraftFrame:
    """A frame, fixed in the link that it is attached to, or in the ground."""
    name = scope.full(text(frame, "name"))
    link = frames.link_of(name)
    return DraftFrame(name, link, frames.between(link or WORLD, name), where=frame.where)
