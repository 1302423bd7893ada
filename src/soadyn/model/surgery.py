"""New robots from old ones: other gravity, a payload, locked joints, a part, two robots in one.

Every function takes a Model and returns a new one; links stay in depth-first order, descendants without a gap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ModelError, ModelWarning, check_name, warn_caller
from soadyn.model.bodies import ZERO, Body
from soadyn.model.closures import AnyClosure, landed_closures, prefixed_closures, renumbered_closures
from soadyn.model.locking import body_of, lock, renumbered, with_body
from soadyn.model.model import GROUND, ROOT_JOINT, Frame, Model
from soadyn.model.motion import configuration, moved_by
from soadyn.model.placement import Placement, vector3
from soadyn.model.poses import finite3
from soadyn.model.splitting import split_joint
from soadyn.model.visuals import Visual

__all__ = ["ZERO", "attach", "lock", "split_joint", "subtree", "with_gravity", "with_payload"]


def with_gravity(model: Model, gravity: Any) -> Model:
    """The robot under another gravity (m/s^2, along the ground's axes).

    >>> from soadyn.model.builder import assemble, chain
    >>> with_gravity(assemble(chain(2)), (0, 0, -1.62)).gravity
    (0.0, 0.0, -1.62)
    """
    return replace(model, gravity=finite3(gravity, f"gravity of robot {model.name!r} (m/s^2)"))


def with_payload(model: Model, frame: str, mass: float, com: Any = (0.0, 0.0, 0.0), inertia: Any = ZERO) -> Model:
    """The robot holding a payload: a body fixed in the link or frame of that name.

    `com` is the payload's mass centre in the frame, `inertia` its moment of inertia about that centre, along the
    frame's axes.

    >>> from soadyn.model.builder import assemble, chain
    >>> loaded = with_payload(assemble(chain(2)), "tip", 3.0)
    >>> [link.mass for link in loaded.links]
    [1.0, 4.0]
    """
    where = model.frame(frame)
    if where.link == 0:
        raise ModelError(f"a payload on {frame!r} would change nothing: that frame is fixed in the ground")
    payload = Body(mass, com, inertia)
    if reason := payload.impossible():
        warn_caller(f"the payload on {frame!r} has a physically impossible inertia: {reason}", ModelWarning)
    links = list(model.links)
    carrier = links[where.link - 1]
    links[where.link - 1] = with_body(carrier, body_of(carrier) + payload.moved(where.placement))
    return replace(model, links=tuple(links))


def with_bodies(model: Model, parameters: np.ndarray) -> Model:
    """The robot with other bodies on its visible links, ten inertial parameters (m, h, J) for each.

    >>> from soadyn.model.builder import assemble, chain
    >>> twice = with_bodies(assemble(chain(2)), np.tile([2.0, 0, 0, 0, 1.0, 0, 1.0, 0, 0, 1.0], 2))
    >>> [link.mass for link in twice.links]
    [2.0, 2.0]
    """
    links = list(model.links)
    for k, (m, *h_J) in zip(model.visible, parameters.reshape(-1, 10), strict=True):
        c = np.array(h_J[:3]) / m if m else np.zeros(3)
        xx, xy, yy, xz, yz, zz = h_J[3:]
        links[k - 1] = with_body(links[k - 1], Body.about_origin(m, c, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return replace(model, links=tuple(links))


def subtree(model: Model, link: str, q: Any = None) -> Model:
    """The reduced manipulator at a link (000 section 2): that link, all beyond it, and the joint it hangs on.

    The link's inboard hinge frame O+ becomes the ground frame, so poses are seen from there. It is the robot whose
    hinges inboard of the link are locked at `q` (a full configuration of the whole robot; neutral if omitted), which
    matters for gravity alone: its vector is turned into the axes of the new ground. Frames of links that are left
    behind go with them.

    >>> from soadyn.model.builder import assemble, chain
    >>> subtree(assemble(chain(5)), "link_4").joint_names
    ('joint_4', 'joint_5')
    """
    first = _first_of(model, link)
    end = model.subtree_end[first]
    outboard = range(first, end)
    new = {0: 0, **{k: k - first + 1 for k in outboard}}
    _check_ties_inside(model, outboard, link)
    above = _pose(model, model.parents[first - 1], configuration(model, q)).then(model.joints[first - 1].placement)
    joints = [replace(model.joints[first - 1], placement=Placement()), *model.joints[first : end - 1]]
    return replace(
        model,
        links=model.links[first - 1 : end - 1],
        joints=tuple(joints),
        parents=(0, *(new[parent] for parent in model.parents[first : end - 1])),
        frames=tuple(replace(frame, link=new[frame.link]) for frame in model.frames if frame.link in outboard),
        gravity=vector3(np.array(above.rotation).T @ model.gravity),
        ties=renumbered(model.ties, new),
        closures=renumbered_closures(_closures_inside(model, model.closures, outboard, link), new),
        spare=renumbered_closures(_closures_inside(model, model.spare, outboard, link), new),
        superfluous=None,
        visuals=_left(model, outboard),
    )


def _left(model: Model, outboard: range) -> tuple[Visual, ...]:
    """The shapes of the links that are still there."""
    return tuple(visual for visual in model.visuals if model.frame(visual.frame).link in outboard)


def _first_of(model: Model, name: str) -> int:
    """The index of a link, or of the first hidden link of the joint it hangs on."""
    if isinstance(name, str) and name not in model.link_names:
        frame = model.frame_index.get(name)
        if frame is not None and frame.link:
            raise ModelError(
                f"{name!r} is a frame of link {model.links[frame.link - 1].name!r}, not a moving link itself"
            )
    check_name("moving link", name, model.link_names, of=f"robot {model.name!r}")
    k = model.frame(name).link
    while model.parents[k - 1] and model.links[model.parents[k - 1] - 1].hidden:
        k = model.parents[k - 1]
    return k


def _check_ties_inside(model: Model, outboard: range, link: str) -> None:
    for tie in model.ties:
        if tie.joint in outboard and tie.leader not in outboard:
            follower, leader = model.joints[tie.joint - 1].name, model.joints[tie.leader - 1].name
            raise ModelError(f"joint {follower!r} follows {leader!r}, which is not in the subtree of {link!r}")


def _closures_inside(model: Model, closures: Iterable[AnyClosure], outboard: range, link: str) -> list[AnyClosure]:
    """The closures of the subtree; none may hold it to what is left behind."""
    inside = []
    for closure in closures:
        held = [k in outboard for k in closure.links]
        if any(held) and not all(held):
            raise ModelError(f"closure {closure.name!r} holds the subtree of {link!r} to what is left behind; open it")
        if all(held):
            inside.append(closure)
    return inside


def _pose(model: Model, k: int, q: np.ndarray) -> Placement:
    """The pose of link k in the ground."""
    pose = Placement()
    for i in model.ancestors(k):
        pose = moved_by(model.joints[i - 1], q[model.q_slices[i - 1]]).then(pose)
    return pose


def attach(model: Model, other: Model, frame: str, name_prefix: str = "", weld: bool = False) -> Model:
    """The robot with another one standing on one of its frames, which takes the place of the other's ground.

    The other robot's links, joints and frames get `name_prefix` in front of their names; names must stay different.
    Gravity is the first robot's. What is fixed in the other's ground has no mass in a Model: to keep the mass of its
    root link, load it with root="free" and attach it with weld=True, which locks its free root joint.

    >>> from soadyn.model.builder import assemble, chain
    >>> both = attach(assemble(chain(2)), assemble(chain(1)), "tip", name_prefix="hand_")
    >>> both.link_names
    ('link_1', 'link_2', 'hand_link_1')
    """
    if not isinstance(other, Model):
        raise ArgumentError(f"attach takes another robot, got {other!r}")
    if not isinstance(name_prefix, str):
        raise ArgumentError(f'name_prefix must be a text, such as "hand_", got {name_prefix!r}')
    where = model.frame(frame)
    other = _prefixed(other, name_prefix)
    _check_names_apart(model, other, name_prefix)
    start = model.subtree_end[where.link]  # the first number of the newcomers
    shift = {k: k if k < start else k + other.n for k in range(model.n + 1)}
    land = {0: where.link, **{k: k + start - 1 for k in range(1, other.n + 1)}}
    placed = [
        joint if parent else replace(joint, placement=where.placement.then(joint.placement))
        for joint, parent in zip(other.joints, other.parents, strict=True)
    ]
    cut = start - 1
    both = replace(
        model,
        links=model.links[:cut] + other.links + model.links[cut:],
        joints=(*model.joints[:cut], *placed, *model.joints[cut:]),
        parents=(
            *model.parents[:cut],
            *(land[parent] for parent in other.parents),
            *(shift[parent] for parent in model.parents[cut:]),
        ),
        frames=(
            *(replace(f, link=shift[f.link]) for f in model.frames),
            *(_landed(f, land[f.link], where.placement) for f in other.frames),
        ),
        ties=(*renumbered(model.ties, shift), *renumbered(other.ties, land)),
        closures=(
            *renumbered_closures(model.closures, shift),
            *landed_closures(other.closures, land, where.placement),
        ),
        spare=(*renumbered_closures(model.spare, shift), *landed_closures(other.spare, land, where.placement)),
        superfluous=None,
        notes=(*model.notes, *other.notes),
        left_out=(*model.left_out, *other.left_out),
        visuals=(*model.visuals, *other.visuals),
    )
    if not isinstance(weld, bool | np.bool_):
        raise ArgumentError(f"attach: weld is True or False, got {weld!r:.80}")
    return lock(both, _root_joint(other, name_prefix), configuration(both, None)) if weld else both


def _landed(frame: Frame, link: int, ground: Placement) -> Frame:
    placement = frame.placement if frame.link else ground.then(frame.placement)
    return Frame(frame.name, link, placement)


def _root_joint(other: Model, prefix: str) -> str:
    name = prefix + ROOT_JOINT
    if other.n == 0 or other.joints[0].name != name or other.joints[0].kind != "free":
        raise ArgumentError(f'robot {other.name!r} has no free root joint to weld; load it with root="free"')
    return name


def _prefixed(model: Model, prefix: str) -> Model:
    if not prefix:
        return model
    return replace(
        model,
        links=tuple(replace(link, name=prefix + link.name) for link in model.links),
        joints=tuple(replace(joint, name=prefix + joint.name) for joint in model.joints),
        frames=tuple(replace(frame, name=prefix + frame.name) for frame in model.frames),
        closures=prefixed_closures(model.closures, prefix),
        spare=prefixed_closures(model.spare, prefix),
        visuals=tuple(replace(visual, frame=prefix + visual.frame) for visual in model.visuals),
    )


def _check_names_apart(model: Model, other: Model, prefix: str) -> None:
    def names(robot: Model) -> dict[str, set[str]]:
        links = (link.name for link in robot.links)
        return {
            "link or frame": {*links, *(frame.name for frame in robot.frames)},
            "joint": set(robot.joint_names),
            "closure": {closure.name for closure in (*robot.closures, *robot.spare)},
        }

    for what, mine in names(model).items():
        taken = {*mine, GROUND} if what == "link or frame" else mine
        clash = sorted(taken & names(other)[what])
        if clash:
            shown = ", ".join(map(repr, clash[:5])) + (", ..." if len(clash) > 5 else "")
            hint = "give another name_prefix" if prefix else 'give a name_prefix, such as "hand_"'
            raise ModelError(
                f"cannot attach {other.name!r} to {model.name!r}: both have a {what} named {shown}; {hint}"
            )
