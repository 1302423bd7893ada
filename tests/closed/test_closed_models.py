"""Closures of models: how they are written, listed, refused, and carried along by surgery."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from agreement import close
from closed_robots import four_bar, random_closed
from random_robots import random_q
from soadyn.mechanics.joint.closure_kinds import COMPONENTS, FREE
from soadyn.model.surgery import attach, lock, split_joint


@pytest.mark.parametrize(("kind", "superfluous"), [("hinge", (2, 3, 4)), ("ball", (2,)), ("point on line", ())])
def test_a_planar_loop_needs_two_rows(kind: str, superfluous: tuple[int, ...]) -> None:
    bar = four_bar(kind)
    (pin,) = bar.closures
    assert (pin.name, pin.kind, pin.between, pin.superfluous) == ("pin", kind, ("coupler", "rocker"), superfluous)
    assert bar.mobility == 1
    assert bar.open().closures == ()
    assert bar.open().mobility == 3


def test_free_components_and_kinds_are_the_same(rng: np.random.Generator) -> None:
    arm = sd.load("ur5")
    q = rng.standard_normal(6)
    for kind in ("weld", "hinge", "universal", "planar"):
        free = FREE[kind]
        frames = "tool0", ("ground", arm.pose(q, "tool0"))
        by_kind = arm.close(frames, kind, keep=True, name="c").model
        by_free = arm.close(frames, free=free, keep=True, name="c").model
        assert by_kind == by_free
    everything_but_x = tuple(name for name in COMPONENTS if name != "x")
    wall = arm.close((("tool0", np.eye(4)), "ground"), free=everything_but_x)
    assert close(wall.closure_error(q), wall.pose(q, "tool0")[:3, :3].T[:1] @ -wall.pose(q, "tool0")[:3, 3], 1e-12)


def test_couplings_are_polynomials_of_joints() -> None:
    b = sd.Builder("gears")
    for name in ("a", "b", "c"):
        b.link(name, sd.Body(1.0, com=(0.1, 0, 0)))
    b.couple("gear", {"a_joint": 1.0, "b_joint": -3.0})
    b.couple("cam", {"b_joint": [0.5, 1.0, 2.0], "c_joint": [0.0, -1.0]})
    train, (qa, qb, qc) = b.robot(), (0.3, 0.4, 0.5)
    assert train.mobility == 1
    assert close(train.closure_error([qa, qb, qc]), [qa - 3 * qb, 0.5 + qb + 2 * qb**2 - qc], 1e-15)
    assert close(train.closure_jacobian([qa, qb, qc]), [[1, -3, 0], [0, 1 + 4 * qb, -1]], 1e-15)
    assert close(train.closure_drift([qa, qb, qc], [1.0, 2.0, 3.0]), [0, 4 * 2.0**2], 1e-15)


def test_a_robot_on_another_brings_its_closures(rng: np.random.Generator) -> None:
    for _ in range(5):
        model, _ = random_closed(rng, 5, cuts=2, couplings=1, root="free")
        other, _ = random_closed(rng, 3, cuts=1)
        frame = model.link_names[int(rng.integers(len(model.link_names)))]
        joined = attach(model, other, frame, name_prefix="o_")
        assert [each.name for each in joined.closures] == ["cut_0", "cut_1", "coupling_0", "o_cut_0"][
            -len(joined.closures) :
        ]
        robot, alone, pair = sd.Robot(model), sd.Robot(other), sd.Robot(replace(joined, superfluous=()))
        q, q_other = random_q(rng, model), random_q(rng, other)
        values = {name: q[list(robot.joint_coordinates(name))] for name in robot.joint_names}
        values |= {f"o_{name}": q_other[list(alone.joint_coordinates(name))] for name in alone.joint_names}
        expected = [*robot.closure_error(q), *alone.closure_error(q_other)]
        assert close(pair.closure_error(pair.configuration(values)), expected, 1e-12)


def test_locking_joints_moves_closures_to_what_is_left(rng: np.random.Generator) -> None:
    for _ in range(8):
        model, _ = random_closed(rng, 6, cuts=2, couplings=1)
        robot, q = sd.Robot(model), random_q(rng, model)
        joint = str(rng.choice(robot.joint_names))
        (k,) = model.joint_indices[joint] if len(model.joint_indices[joint]) == 1 else (0,)
        held = [{*each.links} == {k, model.parents[k - 1]} for each in model.closures if k]
        if any(held):
            with pytest.raises(sd.ModelError, match="nothing to hold"):
                lock(model, joint, q)
            continue
        stiff = sd.Robot(replace(lock(model, joint, q), superfluous=()))
        at = [i for name in robot.joint_names if name != joint for i in robot.joint_coordinates(name)]
        assert close(stiff.closure_error(q[at]), robot.closure_error(q), 1e-12)


def test_splitting_joints_renumbers_closures(rng: np.random.Generator) -> None:
    model, _ = random_closed(rng, 5, cuts=2, couplings=1, kinds=("cylindrical", "revolute", "planar"))
    q = random_q(rng, model)
    wide = next(joint.name for joint in model.joints if joint.behaviour.nv > 1)
    split = sd.Robot(replace(split_joint(model, wide), superfluous=()))
    assert close(split.closure_error(q), sd.Robot(model).closure_error(q), 1e-12)


def test_a_subtree_keeps_its_own_closures_and_refuses_others() -> None:
    bar = four_bar()
    with pytest.raises(sd.ModelError, match="closure 'pin' holds the subtree of 'crank'"):
        bar.subtree("crank")
    b = sd.Builder("two loops")
    base = b.link("base", sd.Body(1.0, com=(0, 0, 0.1)))
    left = b.link("left", sd.Body(1.0, com=(0.2, 0, 0)), base)
    right = b.link("right", sd.Body(1.0, com=(0.2, 0, 0)), base, origin=(0.5, 0, 0))
    b.loop("rod", left, right, "distance", origin=(0.4, 0, 0), other_origin=(0.4, 0, 0), length=0.3)
    assert b.robot().subtree("base").closures[0].name == "rod"


def test_what_cannot_be_closed_is_refused_by_its_name() -> None:
    b = sd.Builder("too short")
    for name, x in (("a", 0.0), ("b", 5.0)):
        b.link(name, sd.Body(1.0, com=(0.2, 0, 0)), origin=(x, 0, 0))
    b.loop("reach", "a", "b", "ball", origin=(1, 0, 0), other_origin=(1, 0, 0))
    with pytest.raises(sd.ModelError, match=r"cannot be closed: .* closure 'reach' stays open by 3 m"):
        b.robot()


def test_quantities_that_closures_change_are_refused_or_closed() -> None:
    bar, v = four_bar(), [0.1, 0.2, 0.3]
    q = bar.closed([0.3, 0.4, 1.0])
    assert close(bar.mass_matrix(q), bar.open().mass_matrix(q), 1e-15)
    assert not close(bar.forward_dynamics(q, v, v), bar.open().forward_dynamics(q, v, v), 1e-3)
    with pytest.raises(sd.ArgumentError, match="which has closures"):
        bar.operational_inertia(q, "coupler")
    with pytest.raises(sd.ArgumentError, match="this robot has none"):
        sd.load("ur5").closure_error(np.zeros(6))
