"""MJCF: MuJoCo compiles the model, and the compiled model's bodies and joints become a draft.

A body with several joints becomes a chain of hidden massless links, the last joint carrying the body. Coordinates are
MuJoCo's, but for the free joint, whose quaternion comes first here. Equalities become closures and couplings. What
robots here do not hold (contacts, tendons, actuators, ...) is left out and told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.mjcf_child import mujoco_model
from soadyn.loading.mjcf_closures import MjcfClosures
from soadyn.loading.mjcf_joint import read_joint
from soadyn.loading.mjcf_left_out import left_out_of_mjcf
from soadyn.loading.mjcf_names import Names
from soadyn.loading.mjcf_text import rewritten
from soadyn.loading.source import Source
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink, LeftOut
from soadyn.model.placement import Placement, vector3


def draft_from_mjcf(document: Element, source: Source, roots: tuple[Path, ...]) -> Draft:
    """The draft that a <mujoco> document describes; it may read files in its own folder and in `roots`."""
    model = rewritten(document, source, roots)
    compiled = mujoco_model(model, source.name)
    names = Names(compiled, model.documents, source)
    draft = Draft(compiled.facts["name"] or source.stem, where=source.name)
    draft.gravity = (0.0, 0.0, 0.0) if "GRAVITY" in compiled.facts["disabled"] else vector3(compiled.gravity)
    for body in range(1, compiled.nbody):
        _add_body(compiled, body, names, draft)
    if not draft.links:
        raise ModelError(f"{document.where}: robot {draft.name!r} has no <body> elements; expected at least one")
    _add_sites(compiled, names, draft)
    equalities = MjcfClosures(compiled, model.documents, names).read()
    draft.closures = [x for x in equalities if not isinstance(x, LeftOut)]
    draft.left_out = [x for x in equalities if isinstance(x, LeftOut)]
    if off := [x.name for x in draft.closures if not x.on]:
        shown = ", ".join(f"{name:.40}" for name in off[:5]) + ", ..." * (len(off) > 5)
        switch = "robot.with_closures(on=...) switches them on"
        draft.notes.append(f"{source.name}: {len(off)} closures are off ({shown}); {switch}")
    draft.left_out.extend(left_out_of_mjcf(compiled, model.documents, names))
    return draft


def _add_body(compiled: Any, body: int, names: Names, draft: Draft) -> None:
    """A body with the joints it hangs on; without any it is welded to its parent."""
    name = names.body[body]
    above = compiled.body_parentid[body]
    parent = names.body[above] if above else None
    pose = _pose(compiled.body_pos[body], compiled.body_quat[body])
    R = from_quaternion(compiled.body_iquat[body])
    draft.links.append(
        DraftLink(
            name,
            mass=float(compiled.body_mass[body]),
            com=vector3(compiled.body_ipos[body]),
            inertia=R @ np.diag(compiled.body_inertia[body]) @ R.T,
            where=names.where_body(body),
        )
    )
    first = compiled.body_jntadr[body]
    joints = range(first, first + compiled.body_jntnum[body])
    if not joints:
        draft.joints.append(DraftJoint(names.weld[body], "fixed", parent, name, pose, where=names.where_body(body)))
    for joint in joints:
        child = name if joint == joints[-1] else names.between[joint]
        if child != name:
            draft.links.append(DraftLink(child, hidden=True, where=names.where_joint(joint)))
        draft.joints.append(read_joint(compiled, joint, names, parent, child, pose))
        parent, pose = child, Placement()


def _add_sites(compiled: Any, names: Names, draft: Draft) -> None:
    """Named sites become frames; a name that is taken is noted and skipped."""
    taken = {link.name for link in draft.links}
    for site in range(compiled.nsite):
        name = names.site[site]
        if not name:
            continue
        if name in taken:
            draft.notes.append(f"{names.where('site', name)}: site {name!r} has a body's name; it is no frame")
            continue
        host = compiled.site_bodyid[site]
        pose = _pose(compiled.site_pos[site], compiled.site_quat[site])
        draft.frames.append(DraftFrame(name, names.body[host] if host else None, pose, where=names.where("site", name)))


def _pose(position: Any, quaternion: Any) -> Placement:
    return Placement.of(from_quaternion(np.asarray(quaternion)), position)
