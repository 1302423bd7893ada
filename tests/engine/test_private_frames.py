"""Private frames: on common normals, never far away, and of no influence on results."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from random_robots import ALL_KINDS, random_model
from soadyn.engine.constants.constants import constants_of
from soadyn.engine.constants.private_frames import FARTHEST, angles, private_frames
from soadyn.mechanics.spatial.transform import Transform


def test_angles_make_the_rotation_again(rng: np.random.Generator) -> None:
    for _ in range(50):
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R *= np.sign(np.linalg.det(R))
        a, b, c = angles(R)
        about = [np.array([[np.cos(x), -np.sin(x), 0], [np.sin(x), np.cos(x), 0], [0, 0, 1]]) for x in (a, c)]
        across = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
        np.testing.assert_allclose(about[0] @ across @ about[1], R, atol=1e-14)


def test_a_chain_on_common_normals_has_the_numbers_of_its_table() -> None:
    """From joint to joint a slide and a turn about x, then a slide along the next axis: nothing else."""
    rng = np.random.default_rng(5)
    rows = [(*rng.uniform((0.1, 0.3, 0.1), (1.0, 1.2, 1.0)), 0.0) for _ in range(6)]
    for link in constants_of(sd.from_dh(rows).model, slid=True).moving[1:]:
        assert link.placement.screws is not None
        own, across, sideways, last = link.placement.screws
        assert (own.c, own.s, sideways.d, last.c, last.s) == (1.0, 0.0, 0.0, 1.0, 0.0)
        assert across.s != 0.0
        assert last.d == 0.0 or not link.children


@pytest.mark.parametrize("slid", [False, True])
@pytest.mark.parametrize("root", ["fixed", "free"])
@pytest.mark.heavy(2)
def test_screws_are_the_placement_and_lead_to_the_public_frame(root: str, slid: bool) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        model = random_model(rng, 8, ALL_KINDS, root=root)  # type: ignore[arg-type]
        q = np.concatenate([joint.behaviour.neutral() for joint in model.joints])
        for k, frame in enumerate(private_frames(model, slid)[1:], start=1):
            joint, parent = model.joints[k - 1], model.parents[k - 1]
            kind = joint.behaviour
            turned = kind.transform(q[model.q_slices[k - 1]], np.array(joint.pitch), frame.start)
            found = frame.placement.then(turned).then(frame.link_frame)
            above = private_frames(model, slid)[parent].link_frame
            expected = above.then(joint.placement.transform()).then(joint.offset.transform())
            np.testing.assert_allclose(found.homogeneous(), expected.homogeneous(), atol=1e-12)
            assert frame.placement.screws is not None
            whole = Transform.of(*frame.placement.screws)
            np.testing.assert_allclose(whole.homogeneous(), frame.placement.homogeneous(), atol=1e-12)


def test_frames_of_a_stack_of_parallel_axes_stay_near_their_links() -> None:
    builder = sd.Builder("stack")
    parent = None
    for i in range(40):
        parent = builder.link(f"l{i}", sd.Body(1.0), parent, "revolute", axis=(0, 0, 1), origin=(0.1, 0, 0.1))
    for frame in private_frames(sd.build(builder).model, slid=True):
        assert abs(frame.link_frame.l).max() <= FARTHEST * np.hypot(0.1, 0.1) + 1e-12


def test_almost_parallel_axes_have_no_far_normal() -> None:
    builder = sd.Builder("almost")
    parent = None
    for i in range(5):
        axis = (0.0, np.sin(1e-6 * i), np.cos(1e-6 * i))
        body = sd.Body(1.0, (0.1, 0.0, 0.0), 0.01 * np.eye(3))
        parent = builder.link(f"l{i}", body, parent, "revolute", axis=axis, origin=(0.1, 0.2, 0.1))
    robot = sd.build(builder)
    for frame in private_frames(robot.model, slid=True):
        assert abs(frame.link_frame.l).max() < 1.0
    q, v, tau = np.random.default_rng(0).normal(size=(3, 5))
    a = robot.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, a), tau, atol=1e-10)
