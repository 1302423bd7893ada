"""The same physics told differently: frames moved, links split, robots mirrored, re-rooted, locked and scaled."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import close, random_state
from random_robots import SINGLE, random_body, random_draft, random_model, random_placement
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.draft import Draft, DraftJoint, DraftLink, Mimic
from soadyn.model.model import Joint, Model
from soadyn.model.placement import Placement, matrix3, vector3
from soadyn.theory.oracle.dense_robot import DenseRobot

TOLERANCE = 1e-11


same = partial(close, tolerance=TOLERANCE)


def assert_same_dynamics(one: sd.Robot, other: sd.Robot, s: dict[str, Any]) -> None:
    """Everything that does not mention links or frames, at the same q, v, a, tau."""
    q, v, a, tau = s["q"], s["v"], s["a"], s["tau"]
    assert same(one.mass_matrix(q), other.mass_matrix(q))
    assert same(one.inverse_dynamics(q, v, a), other.inverse_dynamics(q, v, a))
    assert same(one.forward_dynamics(q, v, tau), other.forward_dynamics(q, v, tau), tolerance=1e-9)
    assert same(one.gravity_force(q), other.gravity_force(q))
    assert same(one.kinetic_energy(q, v), other.kinetic_energy(q, v))
    assert same(one.potential_energy(q), other.potential_energy(q))
    assert same(one.momentum(q, v), other.momentum(q, v))
    assert same(one.center_of_mass(q), other.center_of_mass(q))
    assert same(one.center_of_mass_jacobian(q), other.center_of_mass_jacobian(q))
    assert same(one.centroidal_momentum_matrix(q), other.centroidal_momentum_matrix(q))
    for x, y in zip(one.mass_matrix_factors(q), other.mass_matrix_factors(q), strict=True):
        assert same(x, y, tolerance=1e-9)


# Frames


def reframed(model: Model, moves: list[Placement]) -> Model:
    """The same robot with each link's frame moved by a placement of its own."""
    links, joints = [], []
    for k, (link, joint, parent) in enumerate(zip(model.links, model.joints, model.parents, strict=True)):
        X = moves[k]
        body = Body(link.mass, link.com, link.inertia).moved(X.inverse())
        links.append(replace(link, com=body.com, inertia=body.inertia))
        placement = moves[parent - 1].inverse().then(joint.placement) if parent else joint.placement
        joints.append(replace(joint, placement=placement, offset=joint.offset.then(X)))
    frames = [
        replace(frame, placement=moves[frame.link - 1].inverse().then(frame.placement)) if frame.link else frame
        for frame in model.frames
    ]
    return replace(model, links=tuple(links), joints=tuple(joints), frames=tuple(frames))


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_moving_link_frames_changes_no_dynamics(root: str, rng: np.random.Generator) -> None:
    model = random_model(rng, 10, root=root, armature=True)
    moves = [random_placement(rng) for _ in model.links]
    one, other = sd.Robot(model), sd.Robot(reframed(model, moves))
    s = random_state(rng, one)
    assert_same_dynamics(one, other, s)
    visible = [moves[k - 1].matrix() for k in model.visible]
    assert same(other.poses(s["q"]), one.poses(s["q"]) @ np.array(visible))
    assert same(other.jacobian(s["q"], "tool"), one.jacobian(s["q"], "tool"))
    acceleration = one.frame_acceleration(s["q"], s["v"], s["a"], "tool")
    assert same(other.frame_acceleration(s["q"], s["v"], s["a"], "tool"), acceleration)


def test_a_frame_is_an_offset_of_its_link(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 6))
    s = random_state(rng, robot)
    X = random_placement(rng).matrix()
    link = robot.link_names[-1]
    assert same(robot.pose(s["q"], (link, X)), robot.pose(s["q"], link) @ X)
    named = robot.model.frame("tool")
    host = robot.model.links[named.link - 1].name if named.link else "ground"
    offset = (host, named.placement.matrix())
    assert same(robot.jacobian(s["q"], offset), robot.jacobian(s["q"], "tool"))
    assert same(robot.frame_velocity(s["q"], s["v"], offset), robot.frame_velocity(s["q"], s["v"], "tool"))


def test_wrenches_by_frame_and_by_link_are_the_same_wrenches(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 6, shape="serial"))
    s = random_state(rng, robot, (4,))
    by_name = {name: s["external"][:, i] for i, name in enumerate(robot.link_names)}
    expected = robot.inverse_dynamics(s["q"], s["v"], s["a"], s["external"])
    assert same(robot.inverse_dynamics(s["q"], s["v"], s["a"], by_name), expected)
    X = random_placement(rng).matrix()
    wrench = rng.standard_normal(6)
    R, p = X[:3, :3], X[:3, 3]
    carried = np.concatenate([R @ wrench[:3] + np.cross(p, R @ wrench[3:]), R @ wrench[3:]])
    link = robot.link_names[3]
    key = (link, tuple(map(tuple, X)))  # keys of a dict must be hashable
    at_offset = robot.forward_dynamics(s["q"], s["v"], s["tau"], {key: wrench})
    assert same(at_offset, robot.forward_dynamics(s["q"], s["v"], s["tau"], {link: carried}), tolerance=1e-9)


# Bodies


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_a_link_split_into_two_welded_ones_is_the_same_link(root: str, rng: np.random.Generator) -> None:
    draft = random_draft(rng, 7, root=root)
    split = Draft(draft.name, list(draft.links), list(draft.joints), list(draft.frames), draft.gravity)
    for i, link in enumerate(draft.links):
        if not link.mass:
            continue
        part = random_body(rng)
        X = random_placement(rng)
        there = part.moved(X)
        rest = less(Body(link.mass, link.com, matrix3(link.inertia)), there)
        split.links[i] = DraftLink(link.name, rest[0], rest[1], rest[2])
        split.links.append(DraftLink(f"part of {link.name}", part.mass, part.com, np.array(part.inertia)))
        split.joints.append(DraftJoint(f"weld of {link.name}", "fixed", link.name, f"part of {link.name}", X))
    one = sd.Robot(assemble(draft, root=root))
    with pytest.MonkeyPatch.context() as patch:
        # The remainder need not be a body that can exist, so the checks of single links are left out.
        patch.setattr("soadyn.model.checks.check_link", lambda link: None)
        other = sd.Robot(assemble(split, root=root))
    assert one.link_names == other.link_names
    assert_same_dynamics(one, other, random_state(rng, one))


def less(whole: Body, part: Body) -> tuple[float, Any, np.ndarray]:
    """What remains of a body when a part is taken away: mass, mass centre, moment of inertia about it."""
    m = whole.mass - part.mass
    c = (whole.mass * np.array(whole.com) - part.mass * np.array(part.com)) / m

    def about_origin(body: Body) -> np.ndarray:
        p = np.array(body.com)
        return np.array(body.inertia) + body.mass * (p @ p * np.eye(3) - np.outer(p, p))

    J = about_origin(whole) - about_origin(part) - m * (c @ c * np.eye(3) - np.outer(c, c))
    return m, vector3(c), J


def test_a_payload_is_a_welded_link(rng: np.random.Generator) -> None:
    draft = random_draft(rng, 6, shape="serial")
    body, X = random_body(rng), random_placement(rng)
    host = draft.links[-1].name
    plain = sd.Robot(assemble(draft))
    draft.links.append(DraftLink("load", body.mass, body.com, np.array(body.inertia)))
    draft.joints.append(DraftJoint("grip", "fixed", host, "load", X))
    welded = sd.Robot(assemble(draft))
    moved = body.moved(X)
    loaded = plain.with_payload(host, moved.mass, moved.com, moved.inertia)
    assert_same_dynamics(loaded, welded, random_state(rng, plain))
    assert loaded.total_mass == pytest.approx(plain.total_mass + body.mass)


def test_a_link_without_mass_changes_nothing(rng: np.random.Generator) -> None:
    draft = random_draft(rng, 6)
    plain = sd.Robot(assemble(draft))
    draft.links.append(DraftLink("sticker"))
    draft.joints.append(DraftJoint("glue", "fixed", draft.links[2].name, "sticker", random_placement(rng)))
    s = random_state(rng, plain)
    assert_same_dynamics(plain, sd.Robot(assemble(draft)), s)


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_scaling_all_masses_scales_forces_and_leaves_falling_alone(root: str, rng: np.random.Generator) -> None:
    model, scale = random_model(rng, 8, root=root, armature=True), 7.3
    links = [
        replace(link, mass=scale * link.mass, inertia=matrix3(scale * np.array(link.inertia))) for link in model.links
    ]
    joints = [replace(joint, armature=tuple(scale * x for x in joint.armature)) for joint in model.joints]
    light, heavy = sd.Robot(model), sd.Robot(replace(model, links=tuple(links), joints=tuple(joints)))
    s = random_state(rng, light)
    q, v = s["q"], s["v"]
    assert same(heavy.mass_matrix(q), scale * light.mass_matrix(q))
    assert same(heavy.bias_force(q, v), scale * light.bias_force(q, v))
    assert same(heavy.forward_dynamics(q, v, scale * s["tau"]), light.forward_dynamics(q, v, s["tau"]), tolerance=1e-9)
    assert same(heavy.momentum(q, v), scale * light.momentum(q, v))
    assert same(heavy.center_of_mass(q), light.center_of_mass(q))


def test_a_robot_twice_as_long_is_slower_by_the_root_of_two(rng: np.random.Generator) -> None:
    """Lengths times 2, inertias times 4, rates over sqrt 2: accelerations are halved (revolute joints, gravity)."""
    model = random_model(rng, 7, kinds=["revolute", "spherical"])

    def longer(x: Placement) -> Placement:
        return Placement(x.rotation, vector3(2 * np.array(x.position)))

    links = [
        replace(link, com=vector3(2 * np.array(link.com)), inertia=matrix3(4 * np.array(link.inertia)))
        for link in model.links
    ]
    joints = [replace(j, placement=longer(j.placement), offset=longer(j.offset)) for j in model.joints]
    short, long = sd.Robot(model), sd.Robot(replace(model, links=tuple(links), joints=tuple(joints)))
    s = random_state(rng, short)
    slow = long.forward_dynamics(s["q"], s["v"] / np.sqrt(2), 2 * s["tau"])
    assert same(slow, short.forward_dynamics(s["q"], s["v"], s["tau"]) / 2, tolerance=1e-9)


# Mirrors

S = np.diag([-1.0, 1.0, 1.0])


def mirrored(model: Model) -> Model:
    """The robot seen in the mirror x = 0; axes of turns are pseudovectors, and a screw becomes left-handed."""

    def reflect(x: Placement) -> Placement:
        return Placement(matrix3(S @ np.array(x.rotation) @ S), vector3(S @ np.array(x.position)))

    def seen(joint: Joint) -> Joint:
        slides = joint.kind == "prismatic"
        axis = (S if slides else -S) @ np.array(joint.axis)
        placements = {"placement": reflect(joint.placement), "offset": reflect(joint.offset)}
        return replace(joint, axis=vector3(axis), pitch=-joint.pitch, **placements)

    links = [
        replace(link, com=vector3(S @ np.array(link.com)), inertia=matrix3(S @ np.array(link.inertia) @ S))
        for link in model.links
    ]
    frames = [replace(frame, placement=reflect(frame.placement)) for frame in model.frames]
    gravity = vector3(S @ np.array(model.gravity))
    joints = tuple(seen(joint) for joint in model.joints)
    return replace(model, links=tuple(links), joints=joints, frames=tuple(frames), gravity=gravity)


def seen_coordinates(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Matrices that take q and v into the mirror."""
    Q, T = np.zeros((model.nq, model.nq)), np.zeros((model.nv, model.nv))
    for joint, q_place, v_place in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        match joint.kind:
            case "cylindrical":
                T[v_place, v_place] = Q[q_place, q_place] = np.diag([1, -1])
            case "planar":
                image = onto(-S @ np.array(joint.axis))[:, :2]
                T[v_place, v_place] = np.eye(3)
                T[v_place.start : v_place.start + 2, v_place.start : v_place.start + 2] = (
                    image.T @ S @ onto(np.array(joint.axis))[:, :2]
                )
                Q[q_place, q_place] = T[v_place, v_place]
            case "spherical":
                Q[q_place, q_place] = np.diag([1, *-np.diag(S)])
                T[v_place, v_place] = -S
            case "free":
                Q[q_place, q_place] = np.diag([1, *-np.diag(S), *np.diag(S)])
                T[v_place, v_place] = np.diag([*-np.diag(S), *np.diag(S)])
            case _:
                Q[q_place, q_place] = T[v_place, v_place] = 1
    return Q, T


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_a_mirror_image_obeys_the_same_laws(root: str, rng: np.random.Generator) -> None:
    model = random_model(rng, 14, root=root)
    robot, image = sd.Robot(model), sd.Robot(mirrored(model))
    s = random_state(rng, robot)
    Q, T = seen_coordinates(model)
    q, v, a, tau = Q @ s["q"], T @ s["v"], T @ s["a"], T @ s["tau"]
    assert same(image.mass_matrix(q), T @ robot.mass_matrix(s["q"]) @ T.T)
    assert same(image.inverse_dynamics(q, v, a), T @ robot.inverse_dynamics(s["q"], s["v"], s["a"]))
    assert same(image.forward_dynamics(q, v, tau), T @ robot.forward_dynamics(s["q"], s["v"], s["tau"]), tolerance=1e-9)
    assert same(image.kinetic_energy(q, v), robot.kinetic_energy(s["q"], s["v"]))
    assert same(image.potential_energy(q), robot.potential_energy(s["q"]))
    assert same(image.center_of_mass(q), S @ robot.center_of_mass(s["q"]))
    mirror = np.diag([*np.diag(S), 1.0])
    assert same(image.poses(q), mirror @ robot.poses(s["q"]) @ mirror)
    both = np.diag([*-np.diag(S), *np.diag(S)])
    assert same(image.momentum(q, v), both @ robot.momentum(s["q"], s["v"]))
    velocity = robot.frame_velocity(s["q"], s["v"], "tool")
    assert same(image.frame_velocity(q, v, "tool"), both @ velocity)


# Joints


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_a_locked_joint_is_a_deleted_row_and_column(root: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 9, root=root))
    q, v, a = (random_state(rng, robot)[name] for name in ("q", "v", "a"))
    names = [name for name in robot.joint_names if name != "root"]
    held = [str(name) for name in rng.choice(names, 3, replace=False)]
    stiff = robot.lock(held, q)
    kept_v = np.concatenate([list(robot.joint_dofs(name)) for name in stiff.joint_names]).astype(int)
    kept_q = np.concatenate([list(robot.joint_coordinates(name)) for name in stiff.joint_names]).astype(int)
    still = np.isin(np.arange(robot.nv), kept_v)
    moving_v, moving_a = np.where(still, v, 0), np.where(still, a, 0)
    assert same(stiff.mass_matrix(q[kept_q]), robot.mass_matrix(q)[np.ix_(kept_v, kept_v)])
    expected = robot.inverse_dynamics(q, moving_v, moving_a)[kept_v]
    assert same(stiff.inverse_dynamics(q[kept_q], v[kept_v], a[kept_v]), expected)
    for name in stiff.frame_names:
        assert same(stiff.pose(q[kept_q], name), robot.pose(q, name))


@pytest.mark.parametrize("kind", ["cylindrical", "planar", "universal"])
def test_a_joint_taken_apart_is_the_same_joint(kind: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 5, kinds=[kind], armature=True))
    split = robot.split_joint(robot.joint_names[2])
    s = random_state(rng, robot)
    q, v, a = s["q"], s["v"], s["a"]
    assert len(split.joint_names) > len(robot.joint_names)
    assert split.link_names == robot.link_names
    assert same(split.mass_matrix(q), robot.mass_matrix(q))
    assert same(split.inverse_dynamics(q, v, a, s["external"]), robot.inverse_dynamics(q, v, a, s["external"]))
    assert same(split.forward_dynamics(q, v, s["tau"]), robot.forward_dynamics(q, v, s["tau"]), tolerance=1e-9)
    assert same(split.poses(q), robot.poses(q))


def test_the_reduced_manipulator_is_a_block_of_the_whole(rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 10))
    q = robot.random_configuration(rng)
    link = robot.link_names[4]
    part = robot.subtree(link, q)
    dofs = np.concatenate([list(robot.joint_dofs(name)) for name in part.joint_names]).astype(int)
    places = np.concatenate([list(robot.joint_coordinates(name)) for name in part.joint_names]).astype(int)
    assert same(part.mass_matrix(q[places]), robot.mass_matrix(q)[np.ix_(dofs, dofs)])
    assert same(part.gravity_force(q[places]), robot.gravity_force(q)[dofs])


def test_an_attached_robot_moves_like_both(rng: np.random.Generator) -> None:
    arm, hand = sd.load("ur5"), sd.load("planar_two_link")
    both = arm.attach(hand, "tool0", name_prefix="hand_")
    q = both.random_configuration(rng)
    assert same(both.pose(q, "hand_tool"), arm.pose(q[:6], "tool0") @ hand.pose(q[6:], "tool"))
    assert same(both.mass_matrix(q)[6:, 6:], hand.mass_matrix(q[6:]))


def rerooted(draft: Draft, root: str) -> Draft:
    """The same free robot with another link as its root: the joints on the way are turned round."""
    joints = {joint.child: joint for joint in draft.joints}
    turned: dict[str, DraftJoint] = {}
    link = root
    while link in joints:
        joint = joints[link]
        turned[joint.name] = replace(
            joint,
            parent=link,
            child=joint.parent,
            placement=joint.offset.inverse(),
            axis=vector3(-np.array(joint.axis)),
            offset=joint.placement.inverse(),
        )
        link = joint.parent
    kept = [turned.get(joint.name, joint) for joint in draft.joints]
    return Draft(draft.name, draft.links, kept, draft.frames, draft.gravity)


@pytest.mark.parametrize("shape", ["serial", "tree"])
def test_any_link_of_a_free_robot_can_be_its_root(shape: Any, rng: np.random.Generator) -> None:
    kinds = (*SINGLE, "cylindrical")
    draft = random_draft(rng, 9, kinds=kinds, shape=shape, root="free", armature=True, fixed_links=0.0)
    one = sd.Robot(assemble(draft, root="free"))
    new = draft.links[-2].name
    other = sd.Robot(assemble(rerooted(draft, new), root="free"))
    s = random_state(rng, one)
    s["tau"][:6] = 0

    def told(x: np.ndarray, root: Any) -> np.ndarray:
        """Joint numbers in the other robot's order, and the root's."""
        parts = [root if name == "root" else x[list(one.joint_dofs(name))] for name in other.joint_names]
        return np.concatenate(parts)

    T = one.pose(s["q"], new)
    quaternion = from_matrix(T[:3, :3])
    joints = {name: s["q"][list(one.joint_coordinates(name))] for name in one.joint_names}
    joints["root"] = np.concatenate([quaternion, T[:3, 3]])
    q = np.concatenate([joints[name] for name in other.joint_names])
    v = told(s["v"], one.frame_velocity(s["q"], s["v"], new, axes="local"))
    for frame in one.frame_names:
        assert same(other.pose(q, frame), one.pose(s["q"], frame))
        assert same(other.frame_velocity(q, v, frame), one.frame_velocity(s["q"], s["v"], frame))
    assert same(other.kinetic_energy(q, v), one.kinetic_energy(s["q"], s["v"]))
    assert same(other.potential_energy(q), one.potential_energy(s["q"]))
    assert same(other.momentum(q, v), one.momentum(s["q"], s["v"]))
    a = one.forward_dynamics(s["q"], s["v"], s["tau"])
    found = other.forward_dynamics(q, v, told(s["tau"], np.zeros(6)))
    for name in one.joint_names[1:]:
        assert same(found[list(other.joint_dofs(name))], a[list(one.joint_dofs(name))], tolerance=1e-9)
    acceleration = one.frame_acceleration(s["q"], s["v"], a, "tool")
    assert same(other.frame_acceleration(q, v, found, "tool"), acceleration, tolerance=1e-9)


def from_matrix(R: np.ndarray) -> np.ndarray:
    """A quaternion (w, x, y, z) of a rotation that is not half a turn."""
    w = np.sqrt(1 + np.trace(R)) / 2
    return np.array([w, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / [1, 4 * w, 4 * w, 4 * w]


# Tied mimic joints


def tied_pair(rng: np.random.Generator, root: str = "fixed") -> tuple[sd.Robot, sd.Robot, np.ndarray, np.ndarray]:
    """A robot with followers, tied and independent, and E, e with q_all = E q + e for its single coordinates."""
    draft = random_draft(rng, 8, kinds=("revolute", "prismatic"), root=root, armature=True)
    names = [joint.name for joint in draft.joints if joint.kind != "fixed"]
    rules = {
        names[-1]: Mimic(names[1], -1.5, 0.2),
        names[-2]: Mimic(names[1], 0.7, 0.0),
        names[0]: Mimic(names[-1], 2.0, 0.1),
    }
    for joint in draft.joints:
        joint.mimic = rules.get(joint.name)
    every, tied = sd.Robot(assemble(draft, root=root)), sd.Robot(assemble(draft, root=root, mimic="tie"))
    E, e = np.zeros((every.nv, tied.nv)), np.zeros(every.nv)
    for name in every.joint_names:
        # names[0] follows names[-1], which follows names[1]: multiplied and shifted twice.
        leader, multiplier, offset = name, 1.0, 0.0
        while leader in rules:
            rule = rules[leader]
            leader, multiplier, offset = rule.leader, multiplier * rule.multiplier, offset + multiplier * rule.offset
        E[list(every.joint_dofs(name)), list(tied.joint_dofs(leader))] = multiplier
        e[list(every.joint_dofs(name))] = offset
    return every, tied, E, e


def test_a_tied_robot_is_the_condensed_independent_one(rng: np.random.Generator) -> None:
    every, tied, E, e = tied_pair(rng)
    assert tied.nv == every.nv - 3
    s = random_state(rng, tied)
    q, v, a, tau = s["q"], s["v"], s["a"], s["tau"]
    dense = DenseRobot(every.model, E @ q + e, E @ v)
    mass = E.T @ dense.mass_matrix @ E
    bias = E.T @ dense.bias_force(s["external"])
    assert same(tied.mass_matrix(q), mass)
    assert same(tied.inverse_dynamics(q, v, a, s["external"]), mass @ a + bias)
    assert same(tied.forward_dynamics(q, v, tau, s["external"]), np.linalg.solve(mass, tau - bias), tolerance=1e-10)
    assert same(tied.mass_matrix_inverse(q), np.linalg.inv(mass), tolerance=1e-10)
    U, D = tied.mass_matrix_factors(q)
    assert same(U @ D @ U.T, mass)
    assert same(U, np.triu(U))
    assert same(D, np.diag(np.diag(D)))
    assert same(tied.bias_force(q, v), E.T @ dense.bias_force())
    assert same(tied.gravity_force(q), E.T @ dense.gravity_force)
    assert same(tied.kinetic_energy(q, v), dense.kinetic_energy)
    assert same(tied.momentum(q, v), dense.momentum())
    assert same(tied.jacobian(q, "tool"), dense.jacobian("tool") @ E)
    assert same(tied.frame_velocity(q, v, "tool"), dense.frame_velocity("tool"))
    assert same(tied.frame_acceleration(q, v, a, "tool"), dense.frame_acceleration(E @ a, "tool"))
    assert same(tied.center_of_mass_jacobian(q), dense.center_of_mass_jacobian @ E)
    assert same(tied.centroidal_momentum_matrix(q), dense.centroidal_momentum_matrix @ E)
    assert same(tied.inertia_regressor(q, v, a), E.T @ dense.inertia_regressor(E @ a))
    assert same(tied.poses(q), dense.poses)


def test_tied_hybrid_dynamics_agree_with_the_schur_complement(rng: np.random.Generator) -> None:
    every, tied, E, e = tied_pair(rng)
    s = random_state(rng, tied)
    dense = DenseRobot(every.model, E @ s["q"] + e, E @ s["v"])
    mass, bias = E.T @ dense.mass_matrix @ E, E.T @ dense.bias_force(s["external"])
    for _ in range(10):
        p = rng.random(tied.nv) < 0.5
        a, tau = tied.hybrid_dynamics(s["q"], s["v"], s["a"], s["tau"], p, s["external"])
        assert same(a[~p], s["a"][~p])
        assert same(tau[p], s["tau"][p])
        assert same(mass @ a + bias, tau, tolerance=1e-10)


def test_tied_robots_take_batches(rng: np.random.Generator) -> None:
    _, tied, _, _ = tied_pair(rng)
    s = random_state(rng, tied, (2, 3))
    M = tied.mass_matrix(s["q"])
    a = tied.forward_dynamics(s["q"], s["v"], s["tau"])
    assert M.shape == (2, 3, tied.nv, tied.nv)
    assert a.shape == (2, 3, tied.nv)
    assert same(a[1, 2], tied.forward_dynamics(s["q"][1, 2], s["v"][1, 2], s["tau"][1, 2]), tolerance=1e-12)
    assert same(tied.difference(s["q"], tied.integrate(s["q"], s["v"])), s["v"])
