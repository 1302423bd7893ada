"""What single links have, do and carry, and what frames feel: against explicit matrices and Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import soadyn as sd
from agreement import error, random_state
from random_robots import random_model
from soadyn.theory.oracle.dense_geometry import rigid
from soadyn.theory.oracle.dense_robot import DenseRobot

VARIANTS: dict[str, dict[str, Any]] = {
    "fixed": {},
    "free": {"root": "free"},
    "armature": {"armature": True},
    "free with armature and massless links": {"root": "free", "armature": True, "massless": 0.4},
}
TOLERANCE = 1e-10


def to_link_frame(dense: DenseRobot, k: int) -> np.ndarray:
    """φ(link frame, k): forces from link k's origin and world axes to its public frame."""
    T = dense.link_poses[k]
    return np.kron(np.eye(2), T[:3, :3].T) @ rigid(dense.origins[k] - T[:3, 3])


def six(k: int) -> slice:
    return slice(6 * k, 6 * k + 6)


def dense_links(robot: sd.Robot, s: dict[str, Any]) -> dict[str, np.ndarray]:
    """Every quantity of single links, by dense matrices."""
    model = robot.model
    dense = DenseRobot(model, s["q"], s["v"])
    phi, P = dense.phi, dense.P
    alpha = phi.T @ (dense.H.T @ s["a"] + dense.a + dense.a_g)
    f = phi @ (dense.M @ alpha + dense.b - dense.external_force(s["external"]))
    R = phi @ dense.M @ phi.T
    found: dict[str, list[np.ndarray]] = {"P": [], "R": [], "Upsilon": [], "V": [], "alpha": [], "f": []}
    for k, name in zip((k - 1 for k in model.visible), robot.link_names, strict=True):
        out = to_link_frame(dense, k)
        J = dense.jacobian(name, "local")
        found["P"].append(out @ P[six(k), six(k)] @ out.T)
        found["R"].append(out @ R[six(k), six(k)] @ out.T)
        found["Upsilon"].append(J @ np.linalg.solve(dense.mass_matrix, J.T))
        found["V"].append(dense.frame_velocity(name, "local"))
        found["alpha"].append(dense.frame_acceleration(s["a"], name, "local"))
        found["f"].append(out @ f[six(k)])
    return {name: np.array(x) for name, x in found.items()}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 4, 12, 30])
@pytest.mark.heavy
def test_links_have_what_the_dense_matrices_say(variant: str, n: int, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, n, **VARIANTS[variant]))
    batch = random_state(rng, robot, (2,))
    q, v, a = batch["q"], batch["v"], batch["a"]
    ours = {
        "P": robot.articulated_inertias(q),
        "R": robot.composite_inertias(q),
        "Upsilon": robot.link_mobilities(q),
        "V": robot.link_velocities(q, v),
        "alpha": robot.link_accelerations(q, v, a),
        "f": robot.link_forces(q, v, a, batch["external"]),
    }
    for i in range(2):
        for name, x in dense_links(robot, {key: value[i] for key, value in batch.items()}).items():
            assert error(ours[name][i], x) <= TOLERANCE, name


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_root_is_triangular_and_its_square_the_mass_matrix(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 12, **VARIANTS[variant]))
    q = robot.random_configuration(rng, 3)
    m = robot.mass_matrix_root(q)
    assert error(m @ m.mT, np.array([DenseRobot(robot.model, x).mass_matrix for x in q])) <= TOLERANCE
    same_joint = np.zeros((robot.nv, robot.nv), dtype=bool)
    for name in robot.joint_names:
        same_joint[np.ix_(robot.joint_dofs(name), robot.joint_dofs(name))] = True
    assert (m[:, np.tri(robot.nv, k=-1, dtype=bool) & ~same_joint] == 0).all()


@pytest.mark.parametrize("name", ["ur5", "puma560", "planar_two_link"])
def test_of_single_joints_the_root_is_choleskys_factor_in_the_papers_order(name: str, rng: np.random.Generator) -> None:
    arm = sd.load(name)
    q = arm.random_configuration(rng)
    in_paper_order = arm.mass_matrix_root(q)[::-1, ::-1]
    assert error(in_paper_order, np.linalg.cholesky(arm.mass_matrix(q)[::-1, ::-1])) <= 1e-12


@pytest.mark.parametrize("variant", ["free", "free with armature and massless links"])
def test_frames_feel_the_inverse_of_their_response(variant: str, rng: np.random.Generator) -> None:
    robot = sd.Robot(random_model(rng, 9, **VARIANTS[variant]))
    s = random_state(rng, robot)
    dense = DenseRobot(robot.model, s["q"], s["v"])
    free_fall = dense.forward_dynamics(np.zeros(robot.nv), s["external"])
    for axes in ("world", "local"):
        J = dense.jacobian("tool", axes)
        Lambda = np.linalg.inv(J @ np.linalg.solve(dense.mass_matrix, J.T))
        bias = -Lambda @ dense.frame_acceleration(free_fall, "tool", axes)
        assert error(robot.operational_inertia(s["q"], "tool", axes=axes), Lambda) <= TOLERANCE
        assert error(robot.operational_bias(s["q"], s["v"], "tool", s["external"], axes), bias) <= TOLERANCE


def test_several_frames_are_felt_together(rng: np.random.Generator) -> None:
    robot = sd.load("dual_arm_flyer")
    s = random_state(rng, robot, (2,))
    frames = [robot.link_names[-1], robot.link_names[len(robot.link_names) // 2]]
    inverse = robot.operational_inertia_inverse(s["q"], frames)
    Lambda = robot.operational_inertia(s["q"], frames)
    assert error(Lambda @ inverse, np.broadcast_to(np.eye(12), (2, 12, 12))) <= 1e-9
    bias = robot.operational_bias(s["q"], s["v"], frames)
    assert bias.shape == (2, 12)
    for i in range(2):
        dense = DenseRobot(robot.model, s["q"][i], s["v"][i])
        fall = dense.forward_dynamics(np.zeros(robot.nv))
        alpha = np.concatenate([dense.frame_acceleration(fall, frame) for frame in frames])
        assert error(bias[i], -Lambda[i] @ alpha) <= 1e-9


def test_a_wrench_and_the_bias_accelerate_a_frame_as_the_equation_says(rng: np.random.Generator) -> None:
    """Joint forces J* F give the frame the acceleration with F = Λ ẍ + bias, whatever the robot."""
    arm = sd.load("ur5")
    s = random_state(rng, arm, (50,))
    F = rng.standard_normal((50, 6))
    J = arm.jacobian(s["q"], "tool0")
    a = arm.forward_dynamics(s["q"], s["v"], (J.mT @ F[..., None])[..., 0])
    moved = arm.frame_acceleration(s["q"], s["v"], a, "tool0")
    Lambda, bias = arm.operational_inertia(s["q"], "tool0"), arm.operational_bias(s["q"], s["v"], "tool0")
    left = (Lambda @ moved[..., None])[..., 0] + bias
    scale = abs(Lambda).max(axis=(-1, -2)) * abs(moved).max(axis=-1)
    assert (abs(left - F).max(axis=-1) / scale).max() <= 1e-10


@pytest.mark.parametrize("backend", ["numpy", "rolled", "straight"])
@pytest.mark.heavy(2)
def test_where_a_frame_cannot_be_accelerated_the_row_is_nan(backend: Any) -> None:
    arm = sd.load("ur5").with_backend(backend)
    # In the second state the wrist is straight.
    q = np.array([[0.1, -1.0, 1.2, 0.3, 0.8, 0.2], [0.1, -1.0, 1.2, 0.3, 0.0, 0.2]])
    with pytest.warns(RuntimeWarning, match=r"1 of 2 rows came out NaN: the operational inertia does not exist"):
        Lambda = arm.operational_inertia(q, "tool0")
    assert np.isfinite(Lambda[0]).all()
    assert np.isnan(Lambda[1]).all()
    with sd.errstate("ignore"):
        assert np.isnan(arm.operational_bias(q, np.zeros(6), ["tool0"])).tolist() == [[False] * 6, [True] * 6]
    with sd.errstate("raise"), pytest.raises(sd.SingularError, match="row 1: the operational inertia does not exist"):
        arm.operational_inertia(q, ["tool0"])


def test_links_agree_with_pinocchio(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    from corpus import loadable_urdfs, pin_model, short_name
    from native_cases import corpus_robot

    path = next(path for path in loadable_urdfs() if short_name(path) == "ur/ur5_robot")
    model, robot = pin_model(path), corpus_robot("ur/ur5_robot")
    data = model.createData()
    s = random_state(rng, robot)
    swap = np.roll(np.eye(6), 3, axis=0)  # Pinocchio's spatial vectors are [linear; angular]
    pin.rnea(model, data, s["q"], s["v"], s["a"])
    joints = range(1, model.njoints)
    assert [model.names[i] for i in joints] == list(robot.joint_names)
    assert error(robot.link_velocities(s["q"], s["v"]), [swap @ data.v[i].vector for i in joints]) <= TOLERANCE
    assert error(robot.link_forces(s["q"], s["v"], s["a"]), [swap @ data.f[i].vector for i in joints]) <= TOLERANCE
    pin.crba(model, data, s["q"], pin.Convention.LOCAL)
    R = [swap @ data.Ycrb[i].matrix() @ swap.T for i in joints]
    assert error(robot.composite_inertias(s["q"]), R) <= TOLERANCE
