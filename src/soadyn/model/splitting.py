"""A joint with several degrees of freedom as a chain of joints with one each, hidden massless links between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import final

import numpy as np

from soadyn.errors import ModelError, check_name
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.closures import renumbered_closures
from soadyn.model.locking import renumbered
from soadyn.model.model import INFINITY, Joint, Link, Model
from soadyn.model.placement import Placement, vector3

X, Y, Z = 0, 1, 2


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """One elementary joint of a split one: its name's ending, its kind, and its axis in the joint's frame."""

    ending: str
    kind: str
    axis: int


TURNS = (Piece("rx", "revolute", X), Piece("ry", "revolute", Y), Piece("rz", "revolute", Z))
SLIDES = (Piece("x", "prismatic", X), Piece("y", "prismatic", Y), Piece("z", "prismatic", Z))
PIECES = MappingProxyType(
    {
        "cylindrical": (Piece("angle", "revolute", Z), Piece("slide", "prismatic", Z)),
        "planar": (*SLIDES[:2], Piece("angle", "revolute", Z)),
        "spherical": TURNS,
        "free": (*SLIDES, *TURNS),
    }
)
FIGURES = ("armature", "damping", "friction", "stiffness")


def split_joint(model: Model, joint: str) -> Model:
    """The robot with a joint of several degrees of freedom taken apart into joints with one each.

    | joint | becomes | coordinates |
    |---|---|---|
    | cylindrical | `joint/angle`, `joint/slide` | the same |
    | planar | `joint/x`, `joint/y`, `joint/angle` | the same |
    | universal | `joint/first`, `joint/second` | the same (it is two joints already, with one name) |
    | spherical | `joint/rx`, `joint/ry`, `joint/rz` | angles: R = Rot_x(rx) Rot_y(ry) Rot_z(rz) |
    | free | `joint/x`, `joint/y`, `joint/z`, `joint/rx`, `joint/ry`, `joint/rz` | position in the parent, then angles |

    Armature, damping, friction and stiffness go to the joint along which they act, as do limits. For spherical and
    free joints they act along the link's axes and not on angles: there they must be zero, and limits are dropped.
    At ry = +-pi/2 the angles of a spherical or free joint are singular. The links between are hidden and massless.

    >>> from soadyn.model.builder import assemble, chain
    >>> split_joint(assemble(chain(1, kind="planar")), "joint_1").joint_names
    ('joint_1/x', 'joint_1/y', 'joint_1/angle')
    """
    check_name("joint", joint, model.joint_indices, of=f"robot {model.name!r}")
    indices = model.joint_indices[joint]
    if len(indices) > 1:
        return _renamed(model, indices)
    k = indices[0]
    whole = model.joints[k - 1]
    if whole.kind not in PIECES:
        raise ModelError(f"joint {joint!r} is {whole.kind}: it has one degree of freedom and cannot be split")
    if whole.behaviour.quaternion() is not None:
        _check_no_figures(whole)
    return _replaced(model, k, _pieces(whole))


def _renamed(model: Model, indices: Sequence[int]) -> Model:
    """A joint that is several elementary ones already: only names change."""
    endings = ("first", "second") if len(indices) == 2 else [str(i + 1) for i in range(len(indices))]
    joints = list(model.joints)
    for k, ending in zip(indices, endings, strict=True):
        joints[k - 1] = replace(joints[k - 1], name=f"{joints[k - 1].name}/{ending}")
    _check_new(model, [joints[k - 1].name for k in indices])
    return replace(model, joints=tuple(joints))


def _pieces(whole: Joint) -> list[Joint]:
    R = onto(whole.axis) if whole.behaviour.has_axis else np.eye(3)
    pieces = PIECES[whole.kind]
    same = whole.behaviour.quaternion() is None  # do the coordinates stay?
    joints = []
    for i, piece in enumerate(pieces):
        joints.append(
            Joint(
                name=f"{whole.name}/{piece.ending}",
                kind=piece.kind,
                placement=whole.placement if i == 0 else Placement(),
                axis=vector3(R[:, piece.axis]),
                pitch=0.0,
                offset=whole.offset if i == len(pieces) - 1 else Placement(),
                armature=(whole.armature[i],),
                damping=(whole.damping[i],),
                friction=(whole.friction[i],),
                stiffness=(whole.stiffness[i],),
                rest=(whole.rest[i] if same else 0.0,),
                lower=(whole.lower[i] if same else -INFINITY,),
                upper=(whole.upper[i] if same else INFINITY,),
                velocity=(whole.velocity[i] if same else INFINITY,),
                effort=(whole.effort[i] if same else INFINITY,),
            )
        )
    return joints


def _check_no_figures(whole: Joint) -> None:
    for name in FIGURES:
        if any(getattr(whole, name)):
            raise ModelError(
                f"joint {whole.name!r} is {whole.kind} and has {name} {getattr(whole, name)}, "
                "which acts along the link's axes and not on angles; it cannot be split"
            )


def _replaced(model: Model, k: int, pieces: Sequence[Joint]) -> Model:
    """The model with the joint of link k replaced by several; all links from k on move up."""
    _check_new(model, [piece.name for piece in pieces])
    more = len(pieces) - 1
    new = {i: i if i < k else i + more for i in range(model.n + 1)}
    hidden = [Link(piece.name, hidden=True) for piece in pieces[:-1]]
    between = [model.parents[k - 1], *range(k, k + more)]
    return replace(
        model,
        links=(*model.links[: k - 1], *hidden, *model.links[k - 1 :]),
        joints=(*model.joints[: k - 1], *pieces, *model.joints[k:]),
        parents=(*model.parents[: k - 1], *between, *(new[parent] for parent in model.parents[k:])),
        frames=tuple(replace(frame, link=new[frame.link]) for frame in model.frames),
        ties=renumbered(model.ties, new),
        closures=renumbered_closures(model.closures, new),
        spare=renumbered_closures(model.spare, new),
        superfluous=None,
    )


def _check_new(model: Model, names: Sequence[str]) -> None:
    taken = {*model.joint_names, *(link.name for link in model.links), *(frame.name for frame in model.frames)}
    for name in names:
        if name in taken:
            raise ModelError(f"robot {model.name!r} has a joint, link or frame named {name!r} already; rename it first")
