"""The random robots that other tests rely on are what they claim to be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from plain_kinematics import link_poses
from random_robots import ALL_KINDS, SINGLE, random_body, random_model, random_q, random_v
from soadyn.model.model import Model


def pivots(model: Model, q: np.ndarray) -> dict[int, np.ndarray]:
    """D(k) of every joint from the textbook recursion with dense 6x6 matrices in world axes at the world origin."""
    poses = link_poses(model, q)
    P = [np.zeros((6, 6)) for _ in range(model.n + 1)]
    for k in range(1, model.n + 1):
        link, R, p = model.links[k - 1], poses[k][:3, :3], poses[k][:3, 3]
        c = skew(p + R @ link.com)
        P[k][:3, :3] = R @ np.array(link.inertia) @ R.T - link.mass * c @ c
        P[k][:3, 3:], P[k][3:, :3], P[k][3:, 3:] = link.mass * c, -link.mass * c, link.mass * np.eye(3)
    D = {}
    for k in range(model.n, 0, -1):
        joint = model.joints[k - 1]
        S = motion_subspace(model, poses, k, q)
        D[k] = S.T @ P[k] @ S + np.diag(joint.armature)
        if np.linalg.matrix_rank(D[k]) == len(D[k]):
            parent = model.parents[k - 1]
            P[parent] = P[parent] + P[k] - P[k] @ S @ np.linalg.solve(D[k], S.T @ P[k])
    return D


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def motion_subspace(model, poses, k, q, step=1e-6):
    """Spatial velocity at the world origin for each rate, by differences of the pose along `integrate`."""
    behaviour, place = model.joints[k - 1].behaviour, model.q_slices[k - 1]
    columns = []
    for i in range(behaviour.nv):
        moved = []
        for sign in (1, -1):
            other = q.copy()
            other[place] = behaviour.integrate(q[place], sign * step * np.eye(behaviour.nv)[i])
            moved.append(link_poses(model, other)[k])
        rate = (moved[0] - moved[1]) / (2 * step) @ np.linalg.inv(poses[k])
        columns.append([rate[2, 1], rate[0, 2], rate[1, 0], *rate[:3, 3]])
    return np.array(columns).T


def test_the_same_seed_gives_the_same_robot():
    options = {"armature": True, "massless": 0.5, "root": "free"}
    a, b = (random_model(np.random.default_rng(3), 9, **options) for _ in range(2))
    assert a == b
    assert a != random_model(np.random.default_rng(4), 9, **options)


@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.parametrize("shape", ["tree", "serial", "star"])
@pytest.mark.parametrize("n", [1, 2, 9])
def test_robots_have_the_asked_size_and_shape(root, shape, n):
    model = random_model(np.random.default_rng(n), n, shape=shape, root=root)
    visible = [k for k in range(1, model.n + 1) if not model.links[k - 1].hidden]
    assert len(visible) == n
    assert len(model.joint_names) == n
    assert all(parent < k for k, parent in enumerate(model.parents, start=1))
    assert (model.joints[0].kind == "free") == (root == "free")
    depth = max(sum(1 for i in model.ancestors(k) if i in visible) for k in visible)
    assert {"serial": depth == n, "star": depth <= 1 + (root == "free"), "tree": True}[shape]


def test_no_robot_is_physically_impossible():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(20):
            random_model(np.random.default_rng(seed), 10, massless=0.5)
    rng = np.random.default_rng(0)
    assert all(random_body(rng).impossible() is None for _ in range(200))


def test_every_kind_appears_and_only_the_kinds_asked_for():
    kinds = {j.kind for seed in range(10) for j in random_model(np.random.default_rng(seed), 20).joints}
    assert kinds == set(ALL_KINDS) - {"universal"}  # two revolute joints
    only = random_model(np.random.default_rng(0), 20, kinds=("prismatic",), fixed_links=0.0)
    assert {j.kind for j in only.joints} == {"prismatic"}
    assert not any(f.name.startswith("weld") for f in only.frames)


def test_axes_placements_offsets_and_armature_vary():
    model = random_model(np.random.default_rng(1), 60, armature=True)
    offsets = [j.offset != type(j.offset)() for j in model.joints]
    coordinate = [sorted(map(abs, j.axis)) == [0, 0, 1] for j in model.joints if j.behaviour.has_axis]
    loaded = [any(j.armature) for j in model.joints]
    assert all(any(x) and not all(x) for x in (offsets, coordinate, loaded))
    assert not any(any(j.armature) for j in random_model(np.random.default_rng(1), 60).joints)
    assert any(frame.name.startswith("welded") and frame.link for frame in model.frames)


def test_gravity_is_random_or_standard_or_given():
    make = np.random.default_rng
    assert random_model(make(0), 2, gravity="standard").gravity == (0, 0, -9.81)
    assert random_model(make(0), 2, gravity=(1, 2, 3)).gravity == (1, 2, 3)
    assert random_model(make(0), 2).gravity != random_model(make(1), 2).gravity


@pytest.mark.parametrize("seed", range(25))
def test_massless_links_keep_every_pivot_positive(seed):
    rng = np.random.default_rng(seed)
    model = random_model(
        rng, 15, massless=0.9, root=("fixed", "free")[seed % 2], shape=("tree", "serial")[seed // 2 % 2]
    )
    for D in pivots(model, random_q(rng, model)).values():
        assert np.linalg.eigvalsh(D).min() > 1e-7
    bare = [model.joints[k].kind for k in range(model.n) if not model.links[k].mass and not model.links[k].hidden]
    assert all(kind in SINGLE for kind in bare)


def test_massless_links_do_appear():
    count = 0
    for seed in range(10):
        model = random_model(np.random.default_rng(seed), 20, massless=1.0)
        count += sum(not link.mass and not link.hidden for link in model.links)
    assert count > 10


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_a_singular_robot_has_one_pivot_that_is_zero(root):
    rng = np.random.default_rng(5)
    model = random_model(rng, 8, singular=True, armature=True, root=root)
    D = pivots(model, random_q(rng, model))
    singular = [model.joints[k - 1].name for k, pivot in D.items() if np.linalg.eigvalsh(pivot).min() < 1e-9]
    assert singular == ["feather_joint"]
    assert float(D[model.joint_indices["feather_joint"][0]][0, 0]) == 0.0


def test_states_have_the_right_shapes_and_keep_limits():
    rng = np.random.default_rng(2)
    model = random_model(rng, 12, root="free")
    q, v = random_q(rng, model, (4, 3)), random_v(rng, model, (5,))
    assert q.shape == (4, 3, model.nq)
    assert v.shape == (5, model.nv)
    for joint, place in zip(model.joints, model.q_slices, strict=True):
        assert (q[..., place] >= np.array(joint.lower)).all()
        assert (q[..., place] <= np.array(joint.upper)).all()
    assert_allclose(np.linalg.norm(q[..., :4], axis=-1), 1)


@pytest.mark.parametrize("option", [{"shape": "ring"}, {"root": "loose"}, {"gravity": "lunar"}])
def test_unknown_options_are_refused(option):
    with pytest.raises(ValueError, match="unknown"):
        random_model(np.random.default_rng(0), 3, **option)
