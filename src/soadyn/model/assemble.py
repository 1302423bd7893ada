"""From a draft to a Model: check the tree, fold fixed joints, split compound joints, put links in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from soadyn.errors import ArgumentError, ModelError, ModelWarning, unknown_name, visible, warn_caller
from soadyn.mechanics.joint import named_joint_kind
from soadyn.model.bodies import joined
from soadyn.model.checks import at, check_draft, check_model
from soadyn.model.closing import with_drafted_closures
from soadyn.model.draft import Draft, DraftJoint, DraftLink
from soadyn.model.ground import with_ground_free
from soadyn.model.left_out import tell_left_out
from soadyn.model.model import INFINITY, ROOT_JOINT, Frame, Joint, Link, Model
from soadyn.model.placement import Placement, matrix3, vector3
from soadyn.model.ties import resolve_ties
from soadyn.model.validity import impossible_inertia

Root = Literal["fixed", "free"]
MimicRule = Literal["independent", "tie"]


def assemble(
    draft: Draft,
    root: Root = "fixed",
    mimic: MimicRule = "independent",
    strict: bool = False,
    known_impossible: Collection[str] = (),
) -> Model:
    """The Model a draft describes.

    `strict` refuses what is otherwise only warned of; links named in `known_impossible` are not warned of.
    """
    if not isinstance(root, str) or root not in ("fixed", "free"):
        raise ArgumentError(f'root must be "fixed" or "free", got {root!r}')
    if not isinstance(mimic, str) or mimic not in ("independent", "tie"):
        raise ArgumentError(f'mimic must be "independent" or "tie", got {mimic!r}')
    check_draft(draft)
    children, top = _tree(draft)
    with np.errstate(all="ignore"):  # check_model looks at what comes out
        left_out = list(map(visible, tell_left_out(draft, strict)))
        notes = [*left_out, *draft.notes, *_impossible_inertias(draft, strict, known_impossible)]
        top = _hang(draft, children, top, root)
        model = check_model(_walk(draft, children, top), draft.where)
    mimics = {joint.name: joint for joint in draft.joints if joint.mimic and joint.kind != "fixed"}
    if mimics and mimic == "independent":
        names = ", ".join(mimics)
        notes.append(f"mimic joints are independent here: {names}")
        warn_caller(
            f'robot {draft.name!r}: mimic joints {names} are treated as independent; load with mimic="tie" to tie them',
            ModelWarning,
        )
    ties = resolve_ties(model, mimics.values()) if mimic == "tie" else ()
    model = replace(model, notes=tuple(map(visible, notes)), left_out=tuple(left_out))
    model = replace(model, ties=ties, visuals=tuple(draft.visuals))
    model = with_drafted_closures(model, draft) if draft.closures else model
    return with_ground_free(model, draft.where)


def _impossible_inertias(draft: Draft, strict: bool, known: Collection[str]) -> list[str]:
    notes, fresh = [], []
    for link in draft.links:
        if reason := impossible_inertia(link.inertia):
            note = f"{at(link.where)}link {link.name!r} has a physically impossible inertia: {reason}"
            if strict:
                raise ModelError(f"{note} (refused because strict=True)")
            notes.append(note)
            if link.name not in known:
                fresh.append(note)
    if fresh:
        others = len(fresh) - 1
        more = f" (and {others} more link{'s' * (others > 1)}; see robot.notes)" if others else ""
        warn_caller(f"{fresh[0]}{more}", ModelWarning)
    return notes


# The tree


def _tree(draft: Draft) -> tuple[dict[str | None, list[DraftJoint]], str | None]:
    """Joints by parent in file order, and the link at the top (None: joints hang on the ground)."""
    links = {link.name: link for link in draft.links}
    above: dict[str, DraftJoint] = {}
    children: dict[str | None, list[DraftJoint]] = {name: [] for name in (None, *links)}
    for joint in draft.joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name is not None and name not in links:
                raise ModelError(f"{at(joint.where)}joint {joint.name!r}: {unknown_name(f'{role} link', name, links)}")
        if joint.child in above:
            first = above[joint.child]
            raise ModelError(
                f"{at(joint.where)}link {joint.child!r} hangs on two joints, {first.name!r} and {joint.name!r}; "
                "one of them closes a loop and must be said as such: <loop> in URDF, Builder.loop in code"
            )
        above[joint.child] = joint
        children[joint.parent].append(joint)
    roots = [name for name in links if name not in above]
    if children[None]:
        if roots:
            raise ModelError(f"{at(links[roots[0]].where)}link {roots[0]!r} hangs on no joint")
        top = None
    else:
        if not roots:
            raise ModelError(f"{at(draft.where)}robot {draft.name!r} has no root link: its joints form a cycle")
        if len(roots) > 1:
            raise ModelError(
                f"{at(links[roots[1]].where)}robot {draft.name!r} has {len(roots)} root links, "
                f"{', '.join(map(repr, roots[:5]))}; expected one link that is no joint's child"
            )
        top = roots[0]
    _check_reached(draft, children, top)
    return children, top


def _check_reached(draft: Draft, children: dict[str | None, list[DraftJoint]], top: str | None) -> None:
    reached, stack = {top}, [top]
    while stack:
        for joint in children[stack.pop()]:
            reached.add(joint.child)
            stack.append(joint.child)
    for link in draft.links:
        if link.name not in reached:
            raise ModelError(
                f"{at(link.where)}link {link.name!r} is part of a cycle of joints; one of them must be a closure"
            )


def _hang(draft: Draft, children: dict[str | None, list[DraftJoint]], top: str | None, root: Root) -> str | None:
    """Put a free joint in front of the root if that was asked for; returns where the walk starts."""
    if root == "fixed":
        return top
    if any(joint.name == ROOT_JOINT for joint in draft.joints):
        raise ModelError(f'robot {draft.name!r} has a joint named "root" already; root="free" would add another')
    if top is None:
        hanging = children[None]
        if len(hanging) != 1 or hanging[0].kind != "fixed":
            names = ", ".join(repr(joint.name) for joint in hanging)
            raise ModelError(
                f'robot {draft.name!r} hangs on the ground by joints {names}; root="free" needs a loose root link'
            )
        top = hanging[0].child
    children[None] = [DraftJoint(ROOT_JOINT, "free", None, top)]
    return None


# The walk


@dataclass(slots=True)
class _Body:
    """A moving link under construction, with the masses folded into it so far."""

    name: str
    joint: Joint
    parent: int
    hidden: bool
    masses: list[tuple[float, np.ndarray, np.ndarray]]


def _walk(draft: Draft, children: dict[str | None, list[DraftJoint]], top: str | None) -> Model:
    """Depth first, children in file order; fixed joints fold into the link they hang on."""
    links = {link.name: link for link in draft.links}
    bodies: list[_Body] = []
    frames: list[Frame] = []
    place: dict[str | None, tuple[int, Placement]] = {None: (0, Placement())}
    if top is not None:
        place[top] = (0, Placement())
        frames.append(Frame(top, 0, Placement()))
    stack = list(reversed(children[top]))
    while stack:
        drafted = stack.pop()
        host, mount = place[drafted.parent]
        mount = mount.then(drafted.placement)
        link = links[drafted.child]
        if drafted.kind == "fixed":
            mount = mount.then(drafted.offset)
            place[link.name] = (host, mount)
            frames.append(Frame(link.name, host, mount))
        else:
            for name, joint, hidden in elementary_joints(drafted, mount):
                bodies.append(_Body(name, joint, host, hidden or link.hidden, []))
                host = len(bodies)
            place[link.name] = (host, Placement())
        if host:
            bodies[host - 1].masses.append(_seen_from(place[link.name][1], link))
        stack.extend(reversed(children[link.name]))
    for frame in draft.frames:
        if frame.link not in place:
            raise ModelError(f"{at(frame.where)}frame {frame.name!r}: {unknown_name('link', frame.link, links)}")
        host, mount = place[frame.link]
        frames.append(Frame(frame.name, host, mount.then(frame.placement)))
    return Model(
        name=draft.name,
        links=tuple(_link(body) for body in bodies),
        joints=tuple(body.joint for body in bodies),
        parents=tuple(body.parent for body in bodies),
        frames=tuple(frames),
        gravity=draft.gravity,
    )


def _seen_from(mount: Placement, link: DraftLink) -> tuple[float, np.ndarray, np.ndarray]:
    R, p = np.array(mount.rotation), np.array(mount.position)
    return link.mass, p + R @ link.com, R @ link.inertia @ R.T


def _link(body: _Body) -> Link:
    mass, com, inertia = body.masses[0] if len(body.masses) == 1 else joined(body.masses)
    return Link(body.name, float(mass), vector3(com), matrix3((inertia + inertia.T) / 2), body.hidden)


def elementary_joints(drafted: DraftJoint, mount: Placement) -> list[tuple[str, Joint, bool]]:
    """The elementary joints of a drafted one, as (link name, joint, hidden)."""
    if drafted.kind != "universal":
        return [(drafted.child, _joint(drafted, drafted.kind, mount, drafted.axis, drafted.offset, slice(None)), False)]
    first = _joint(drafted, "revolute", mount, drafted.axis, Placement(), slice(0, 1))
    second = _joint(drafted, "revolute", Placement(), drafted.axis2, drafted.offset, slice(1, 2))
    return [(f"{drafted.name}/cross", first, True), (drafted.child, second, False)]


def _joint(
    drafted: DraftJoint, kind: str, mount: Placement, axis: Sequence[float], offset: Placement, part: slice
) -> Joint:
    behaviour = named_joint_kind(kind)
    total = 2 if drafted.kind == "universal" else behaviour.nv
    coordinates = 2 if drafted.kind == "universal" else behaviour.nq

    def figure(name: str, size: int) -> tuple[float, ...]:
        given = getattr(drafted, name)
        if isinstance(given, float):
            return (float(given),) * len(range(size)[part])
        value = np.asarray(given, dtype=float)
        if value.ndim and value.shape != (size,):
            raise ModelError(
                f"{at(drafted.where)}joint {drafted.name!r} has {value.size} values of {name}; expected {size}"
            )
        return tuple(float(x) for x in np.broadcast_to(value, size)[part])

    rest = tuple(behaviour.neutral().tolist()) if drafted.rest is None else figure("rest", coordinates)
    limited = kind != "continuous"
    if behaviour.has_axis:
        direction = np.asarray(axis, dtype=float)
        axis = direction / np.linalg.norm(direction)
    else:
        axis = (0.0, 0.0, 1.0)
    return Joint(
        name=drafted.name,
        kind=kind,
        placement=mount,
        axis=vector3(axis),
        pitch=float(drafted.pitch) if kind == "helical" else 0.0,
        offset=offset,
        armature=figure("armature", total),
        damping=figure("damping", total),
        friction=figure("friction", total),
        stiffness=figure("stiffness", total),
        rest=rest,
        lower=figure("lower", coordinates) if limited else (-INFINITY,),
        upper=figure("upper", coordinates) if limited else (INFINITY,),
        velocity=figure("velocity", total),
        effort=figure("effort", total),
    )
