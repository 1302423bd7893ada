"""A free body of a robot, with all that hangs on it, welded to another link where it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from soadyn.errors import ModelError, check_name
from soadyn.model.closures import renumbered_closures
from soadyn.model.locking import lock, renumbered
from soadyn.model.model import Frame, Model
from soadyn.model.motion import neutral
from soadyn.model.placement import Placement


def free_body(model: Model, body: Any) -> int:
    """The number of a link that moves freely in the ground."""
    check_name("moving link", body, model.link_names, of=f"robot {model.name!r}")
    k = model.frame(body).link
    joint = model.joints[k - 1]
    if joint.kind != "free" or model.parents[k - 1]:
        free = [link.name for link, j, p in zip(model.links, model.joints, model.parents, strict=True)
                if j.kind == "free" and not p]  # fmt: skip
        raise ModelError(
            f"{body!r} hangs on the {joint.kind} joint {joint.name!r}; a body to hold moves freely in the ground, as "
            f"{', '.join(map(repr, free)) or 'no link of this robot'} does"
        )
    return k


def holder(model: Model, body: int, frame: Any) -> Frame:
    """The frame that will hold the body: of a moving link, and not the body's own."""
    where = model.frame(frame)
    name = model.links[body - 1].name
    if where.link == 0:
        raise ModelError(f"frame {frame!r} is fixed in the ground; a moving link must hold {name!r}")
    if body <= where.link < model.subtree_end[body]:
        raise ModelError(f"frame {frame!r} belongs to {name!r} itself, or hangs on it")
    return where


def rehung(model: Model, body: int, where: Frame, pose: Placement) -> Model:
    """The robot with a free body welded to a frame, at `pose` in it.

    >>> from soadyn.model.builder import assemble, chain
    >>> from soadyn.model.surgery import attach
    >>> from soadyn.model.bodies import Body
    >>> target = assemble(chain(1, base=Body(1.0)), root="free")
    >>> both = attach(assemble(chain(2)), target, "ground", name_prefix="a_")
    >>> held = rehung(both, free_body(both, "a_base"), both.frame("tip"), Placement())
    >>> held.joint_names, held.frame("a_base").link
    (('joint_1', 'joint_2', 'a_joint_1'), 2)
    """
    moved = range(body, model.subtree_end[body])
    # Depth-first order: the newcomers follow the last link beyond their holder.
    end = model.subtree_end[where.link]
    order = [*(k for k in range(1, end) if k not in moved), *moved,
             *(k for k in range(end, model.n + 1) if k not in moved)]  # fmt: skip
    new = {0: 0, **{k: number for number, k in enumerate(order, start=1)}}
    joint = model.joints[body - 1]
    mount = where.placement.then(pose).then(joint.offset.inverse())
    parents = {k: model.parents[k - 1] for k in order} | {body: where.link}
    joints = {k: model.joints[k - 1] for k in order} | {body: replace(joint, placement=mount)}
    hung = replace(
        model,
        links=tuple(model.links[k - 1] for k in order),
        joints=tuple(joints[k] for k in order),
        parents=tuple(new[parents[k]] for k in order),
        frames=tuple(replace(frame, link=new[frame.link]) for frame in model.frames),
        ties=renumbered(model.ties, new),
        closures=renumbered_closures(model.closures, new),
        spare=renumbered_closures(model.spare, new),
        superfluous=None,
    )
    return lock(hung, joint.name, neutral(hung))
