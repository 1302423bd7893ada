"""MJCF's equalities as read here against MuJoCo's own residuals and Jacobians."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import soadyn as sd
from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import load_model
from soadyn.model.closing import with_closures_switched
from soadyn.model.closures import Coupling
from soadyn.robot.closed.assembling import assembled

mujoco = pytest.importorskip("mujoco")

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "loops"  # beside the project, if there

BODIES = """<worldbody>
  <body name="a" pos="0 0 1" euler="10 20 30"><joint name="qa" axis="0 1 0.2" pos="0.1 0 0" ref="20"/>
    <geom size=".1" pos="0.2 0 0"/><site name="sa" pos="0.3 0.1 0" euler="40 0 10"/>
    <body name="b" pos="0.4 0 0"><joint name="qb" type="slide" axis="1 0 1" ref="0.3"/><geom size=".1"/>
      <body name="c" pos="0 0.2 0"><joint name="qc" axis="0 0 1"/><geom size=".1" pos="0.1 0.2 0"/></body></body></body>
  <body name="d" pos="0.5 0.5 1"><freejoint name="qd"/><geom size=".1"/>
    <site name="sd" pos="-0.1 0.2 0.1" quat="0.9 0.1 0.2 -0.3"/>
    <body name="e" pos="0 0 0.3"><joint name="qe" type="ball"/><geom size=".1" pos="0.1 0.1 0"/>
      <body name="f" pos="0.1 0 0"><joint name="qf" ref="-30"/><geom size=".1" pos="0.1 0 0"/></body></body></body>
</worldbody>
<tendon>
  <fixed name="one"><joint joint="qc" coef="0.7"/></fixed>
  <fixed name="two"><joint joint="qa" coef="0.4"/><joint joint="qb" coef="-2"/></fixed>
  <fixed name="three"><joint joint="qf" coef="3"/><joint joint="qb" coef="1"/></fixed>
  <spatial name="rope"><site site="sa"/><site site="sd"/></spatial>
</tendon>"""
EQUALITIES = {
    "connect": '<connect name="x" body1="c" body2="e" anchor="0.1 0.2 0.3"/>',
    "connect to the world": '<connect name="x" body1="c" anchor="0.1 0.2 0.3"/>',
    "connect of the world": '<connect name="x" body1="world" body2="c" anchor="0.1 0.2 0.3"/>',
    "connect of sites": '<connect name="x" site1="sa" site2="sd"/>',
    "weld": '<weld name="x" body1="c" body2="e" anchor="0.1 0.2 0.3"/>',
    "weld to a pose": '<weld name="x" body1="c" body2="e" relpose="0.1 0.2 0.3 0.8 0.2 -0.1 0.3" anchor="0.3 0 0.1"/>',
    "weld to the world": '<weld name="x" body1="f" anchor="0 0 0.1"/>',
    "weld of sites": '<weld name="x" site1="sa" site2="sd"/>',
    "joint": '<joint name="x" joint1="qa" joint2="qb" polycoef="0.1 -0.5 0.3 0.7 -0.2"/>',
    "joint by default": '<joint name="x" joint1="qf" joint2="qa"/>',
    "joint held": '<joint name="x" joint1="qf" polycoef="0.25 3 0 0 0"/>',
    "joint at a constant": '<joint name="x" joint1="qf" joint2="qa" polycoef="0.25 0 0 0 0"/>',
    "tendon": '<tendon name="x" tendon1="two" tendon2="three" polycoef="0.2 1.5 0 0 0"/>',
    "tendon by a curve": '<tendon name="x" tendon1="two" tendon2="one" polycoef="0.2 1.5 -0.4 0.3 0.1"/>',
    "tendon held": '<tendon name="x" tendon1="three" polycoef="0.25 3 1 1 1"/>',
}


def with_equality(equality: str, more: str = "") -> str:
    return f"<mujoco>{BODIES}<equality>{equality}</equality>{more}</mujoco>"


def quietly(source: str | Path, **options: Any) -> sd.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return sd.load(source, **options)


def rows(m: Any, robot: sd.Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's residuals of its active equalities, and their Jacobian with columns in our rates."""
    flags = mujoco.mjtDisableBit
    m.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data, peer = mujoco.MjData(m), sd.interop.MuJoCo(robot, m)
    data.qpos[:] = peer.q_to(q)
    mujoco.mj_forward(m, data)
    T = np.array([peer.v_to(q, unit) for unit in np.eye(robot.nv)]).T
    return data.efc_pos[: data.ne].copy(), data.efc_J.reshape(-1, m.nv)[: data.ne] @ T


def apart(A: np.ndarray, B: np.ndarray) -> float:
    """How far the spaces that two sets of rows span are from each other."""
    P, Q = (np.linalg.pinv(X, rcond=1e-9) @ X for X in (A, B))
    return float(abs(P - Q).max())


def closed_states(robot: sd.Robot, count: int = 3) -> list[np.ndarray]:
    """Closed configurations near random ones that are not far from the neutral one."""
    rng, found = np.random.default_rng(4), []
    while len(found) < count:
        result = assembled(robot.engine, robot.integrate(robot.neutral(), 0.4 * rng.standard_normal((8, robot.nv))))
        found += list(result.q[result.is_closed])
    return found[:count]


@pytest.mark.parametrize("name", EQUALITIES)
def test_an_equality_has_mujocos_rows(name: str) -> None:
    text = with_equality(EQUALITIES[name])
    robot, m = quietly(text), mujoco.MjModel.from_xml_string(text)
    (closure,) = robot.model.closures
    assert closure.name == "x"
    for q in closed_states(robot):
        residual, J = rows(m, robot, q)
        assert closure.rows == len(J) == np.linalg.matrix_rank(J, tol=1e-9)
        assert abs(residual).max() < 1e-10
        assert apart(J, robot.closure_jacobian(q)) < 1e-10


@pytest.mark.parametrize("name", [name for name in EQUALITIES if name.startswith(("joint", "tendon"))])
def test_a_coupling_has_mujocos_residual_off_the_closure_too(name: str) -> None:
    text = with_equality(EQUALITIES[name])
    robot, m = quietly(text), mujoco.MjModel.from_xml_string(text)
    rng = np.random.default_rng(5)
    for _ in range(3):
        q = robot.integrate(robot.neutral(), rng.standard_normal(robot.nv))
        residual, J = rows(m, robot, q)
        assert_allclose(robot.closure_error(q), residual, rtol=1e-12, atol=1e-13)
        assert_allclose(robot.closure_jacobian(q), J, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["cassie", "robotiq_2f85", "softfoot"])
def test_robots_with_loops_have_mujocos_rows(name: str) -> None:
    path = SHARED / f"{name}.xml"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        robot = sd.Robot(replace(load_model(path), superfluous=()), "numpy")  # superfluous rows are not asked for
    m = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(6)
    start = sd.interop.MuJoCo(robot, m).q_from(m.qpos0)
    result = assembled(robot.engine, robot.integrate(start, 0.02 * rng.standard_normal((8, robot.nv))))
    assert result.is_closed.sum() >= 3
    for q in result.q[result.is_closed][:3]:
        residual, J = rows(m, robot, q)
        ours = robot.closure_jacobian(q)
        assert len(ours) == len(J) == sum(closure.rows for closure in robot.model.closures)
        assert abs(residual).max() < 1e-10
        assert apart(J, ours) < 1e-9
        for k, row in enumerate(_coupling_rows(robot)):
            at = np.flatnonzero(np.abs(J - ours[row]).max(axis=1) < 1e-12)
            assert len(at) == 1, f"coupling {k} has no row of MuJoCo's"


def _coupling_rows(robot: sd.Robot) -> list[int]:
    starts = np.cumsum([0, *(closure.rows for closure in robot.model.closures)])
    return [int(at) for at, closure in zip(starts, robot.model.closures, strict=False) if isinstance(closure, Coupling)]


def test_a_weld_that_lets_its_bodies_turn_is_a_ball_joint() -> None:
    text = with_equality('<weld name="x" body1="c" body2="e" anchor="0.1 0.2 0.3" torquescale="0"/>')
    robot, m = quietly(text), mujoco.MjModel.from_xml_string(text)
    assert robot.closures[0].kind == "ball"
    for q in closed_states(robot):
        residual, J = rows(m, robot, q)
        assert abs(residual).max() < 1e-10
        assert apart(J, robot.closure_jacobian(q)) < 1e-10


def test_what_is_off_waits_and_can_be_switched_on() -> None:
    text = with_equality(
        '<connect name="x" body1="c" body2="e" anchor="0 0 0" active="false"/><joint name="y" joint1="qa"/>'
    )
    robot = quietly(text)
    assert [closure.name for closure in robot.closures] == ["y"]
    assert [closure.name for closure in robot.model.spare] == ["x"]
    assert not [note for note in robot.notes if "equality" in note]
    other = robot.with_closures(on="x", off="y")
    assert [closure.name for closure in other.closures] == ["x"]
    flag = '<option><flag equality="disable"/></option>'
    assert [x.name for x in load_model(with_equality(EQUALITIES["joint"], flag)).spare] == ["x"]


def switched_on(robot: sd.Robot) -> sd.Robot:
    """With all its spare closures, whether it can be closed or not."""
    names = [spare.name for spare in robot.model.spare]
    return sd.Robot(replace(with_closures_switched(robot.model, names, ()), superfluous=()), "numpy")


def test_surgery_carries_what_is_off_along() -> None:
    """Locked, split, attached and cut out, a robot has its spare closures at the links where they were."""
    robot = quietly(with_equality('<connect name="x" body1="a" body2="c" anchor="0.1 0.2 0.3" active="false"/>'))
    q = robot.integrate(robot.neutral(), 0.3 * np.random.default_rng(7).standard_normal(robot.nv))
    error = switched_on(robot).closure_error(q)
    locked = robot.lock(["qb"], q)
    other = np.delete(q, robot.joint_coordinates("qb")[0])
    assert_allclose(switched_on(locked).closure_error(other), error, atol=1e-14)
    twice = robot.attach(robot, "f", name_prefix="second_")
    assert [spare.name for spare in twice.model.spare] == ["x", "second_x"]
    q_twice = twice.neutral()
    for name in robot.joint_names:
        for prefix in ("", "second_"):
            q_twice[list(twice.joint_coordinates(prefix + name))] = q[list(robot.joint_coordinates(name))]
    assert_allclose(switched_on(twice).closure_error(q_twice), [*error, *error], atol=1e-13)
    part = robot.subtree("a", q)
    assert_allclose(switched_on(part).closure_error(q[: part.nq]), error, atol=1e-14)
    with pytest.raises(ModelError, match=r"closure 'x' holds the subtree of 'c' to what is left behind"):
        robot.subtree("c", q)
    assert not robot.open().model.spare


def test_what_is_switched_must_be_known_and_in_one_sense() -> None:
    robot = quietly(with_equality('<joint name="held" joint1="qa" active="false"/>'))
    with pytest.raises(sd.UnknownNameError, match=r"unknown closure 'hold' of robot .* Did you mean 'held'"):
        robot.with_closures(on="hold")
    with pytest.raises(sd.ArgumentError, match="closure 'held' is to be switched on and off; expected one of both"):
        robot.with_closures(on="held", off=["held"])


@pytest.mark.parametrize(
    "equality",
    [
        '<tendon name="x" tendon1="rope"/>',
        '<tendon name="x" tendon1="one" tendon2="rope"/>',
        '<tendon name="x" tendon1="one" tendon2="two" polycoef="0 1 1 0 0"/>',
    ],
)
def test_what_no_coupling_can_say_is_left_out(equality: str) -> None:
    robot = quietly(with_equality(equality))
    assert not robot.model.closures
    assert sum('<tendon name="x"> is left out: what it holds together moves freely' in x for x in robot.notes) == 1
    with pytest.raises(ModelError, match=r"1 equality constraint \(<tendon name=\"x\"> at <string>:\d+\)"):
        load_model(with_equality(equality), strict=True)


def test_equalities_without_names_are_called_after_what_they_hold() -> None:
    equality = '<connect body1="c" anchor="0 0 0"/><connect body1="c" anchor="0 0 1"/><joint joint1="qa" joint2="qb"/>'
    model = load_model(with_equality(equality + '<weld site1="sa" site2="sd"/><tendon tendon1="one"/>'))
    assert [closure.name for closure in model.closures] == ["c/world", "c/world2", "qa/qb", "a/d", "equality5"]


def test_a_closure_of_a_body_with_itself_is_refused_with_its_line() -> None:
    fixed = BODIES.replace(
        '</body></body></body>\n  <body name="d"', '<body name="g"/></body></body></body>\n  <body name="d"'
    )
    text = f'<mujoco>{fixed}\n<equality>\n<connect body1="c" body2="g" anchor="0 0 0"/></equality></mujoco>'
    with pytest.raises(
        ModelError, match=r"<string>:\d+: closure 'c/g' joins 'c' to itself; its frames must move apart"
    ):
        load_model(text)


def test_couplings_in_a_circle_are_refused_with_their_line() -> None:
    around = "".join(
        f'<joint joint1="{one}" joint2="{other}"/>\n' for one, other in (("qa", "qb"), ("qb", "qc"), ("qc", "qa"))
    )
    with pytest.raises(ModelError, match=r"<string>:\d+: coupling 'qc/qa' of joints 'qc' and 'qa' closes a circle"):
        load_model(with_equality(around))
