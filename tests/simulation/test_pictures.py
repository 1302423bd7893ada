"""Pictures of motions: what is drawn by default and when asked, units, limits, attitudes, batches, phases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import soadyn as sd
from soadyn.robot.labels import coordinate_names, rate_names
from soadyn.simulation import Trajectory
from soadyn.simulation.record.attitudes import rotation_vectors
from soadyn.simulation.record.groups import groups_of


@pytest.fixture(autouse=True)
def _matplotlib():
    pytest.importorskip("matplotlib")


LINK = """<link name="{}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
CRANE = f"""<robot name="crane"><link name="base"/>{LINK.format("cart")}{LINK.format("arm")}
<joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="2" velocity="1" effort="50"/></joint>
<joint name="hinge" type="revolute"><parent link="cart"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1.5" upper="1.5" velocity="3" effort="20"/></joint></robot>"""
T = np.linspace(0.0, 1.0, 21)


def run_of(robot, q, v=None, tau=None, **given) -> Trajectory:
    """A record made up of these states: pictures ask for nothing else."""
    q = np.asarray(q, dtype=float)
    rest, none = np.zeros((*q.shape[:-1], robot.nv)), np.zeros(q.shape[:-1])
    v, tau = (rest if x is None else np.asarray(x, dtype=float) for x in (v, tau))
    names = coordinate_names(robot), rate_names(robot)
    t = np.linspace(0.0, 1.0, len(q))
    return Trajectory(robot.name, *names, "rk4", 0.01, False, t, q, v, tau, none, none, none, robot=robot, **given)


def axes_of(picture):
    return [ax for ax in picture.figure.axes if ax.axison]


def labels(picture):
    return [ax.get_ylabel() for ax in axes_of(picture)]


def titles(picture):
    return [ax.get_title() for ax in axes_of(picture) if ax.get_title()]


def marks(ax, kind):
    return sorted(
        line.get_ydata()[0] if kind == "limit" else line.get_xdata()[0] for line in ax.lines if line.get_gid() == kind
    )


def curves(ax):
    return [line for line in ax.lines if line.get_gid() is None]


def names_in(picture):
    return [text.get_text() for ax in picture.figure.axes if not ax.axison for text in ax.get_legend().get_texts()]


def half_turns(angle):
    """Quaternions of turns about z."""
    return np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=-1)


def test_radians_and_metres_have_panels_of_their_own_with_torques_where_there_are_any():
    crane = sd.load(CRANE)
    q = np.stack([0.9 * T, 0.5 * T], axis=-1)
    still = run_of(crane, q, q)
    assert labels(still.plot()) == ["q (m)", "v (m/s)", "q (rad)", "v (rad/s)", "energy (J)"]
    driven = run_of(crane, q, q, 10.0 * q).plot()
    assert labels(driven)[2::3][:2] == ["tau (N)", "tau (N m)"]
    assert names_in(driven) == ["rail", "hinge"]
    assert labels(still.plot(what="tau")) == ["tau (N)", "tau (N m)"]
    assert labels(still.plot(what=("v", "energy_drift"))) == ["v (m/s)", "v (rad/s)", "energy drift (J)"]
    with pytest.raises(sd.UnknownNameError, match=r"part of a picture 'torque'.*'tau'"):
        still.plot(what="torque")
    with pytest.raises(sd.ArgumentError, match=r"the motion of 'crane' has no 'momentum': its base is not free"):
        still.plot(what="momentum")


def test_limits_are_drawn_where_their_own_joint_comes_near_to_them():
    crane = sd.load(CRANE)
    q = np.stack([1.5 * T, 0.5 * T], axis=-1)
    rail_q, rail_v, rail_tau, hinge_q, hinge_v, hinge_tau, _ = axes_of(run_of(crane, q, q, 15.0 * q).plot())
    assert marks(rail_q, "limit") == [2.0]
    assert marks(rail_v, "limit") == [1.0]
    assert marks(rail_tau, "limit") == []  # 22.5 of 50 N
    assert marks(hinge_q, "limit") == marks(hinge_v, "limit") == marks(hinge_tau, "limit") == []
    loaded = axes_of(run_of(crane, q, q, -30.0 * q).plot())
    assert marks(loaded[2], "limit") == [-50.0]
    assert marks(loaded[5], "limit") == [-20.0]


def test_a_free_base_is_drawn_as_attitude_in_degrees_position_and_momentum_and_wheels_apart():
    flyer = sd.load("free_flyer")
    q = np.tile(flyer.neutral(), (21, 1))
    q[:, :4] = half_turns(np.radians(400.0) * T) * np.where(T > 0.5, -1.0, 1.0)[:, None]
    q[:, 7:14] = 0.4 * T[:, None]
    q[:, 14:] = 600.0 * T[:, None]
    v = np.zeros((21, flyer.nv))
    v[:, 6:13], v[:, 13:] = 0.4, 600.0
    momentum = np.zeros((21, 6))
    run = run_of(flyer, q, v, momentum=momentum, impulse=momentum)
    picture = run.plot()
    assert titles(picture) == [
        "root: attitude from the start",
        "root: position",
        "joints, slow",
        "joints, fast",
        "energy; drift 0 J",
        "angular momentum about the origin; drift 0",
        "linear momentum; drift 0",
    ]
    assert labels(picture)[:4] == ["q (deg)", "v (rad/s)", "q (m)", "v (m/s)"]
    attitude = axes_of(picture)[0].lines[2].get_ydata()
    np.testing.assert_allclose(attitude, 400.0 * T, atol=1e-9)
    assert names_in(picture)[-3:] == ["wheel_x", "wheel_y", "wheel_z"]
    unknown = groups_of(replace(run, robot=None))  # read from a file
    assert [group.unit for group in unknown] == ["deg", "m", "rad, m", "rad, m"]


def test_quaternions_go_on_with_the_sign_they_have_in_joined_motions():
    ball = sd.chain(1, root="free")
    q = np.tile(ball.neutral(), (21, 1))
    q[:, :4] = half_turns(2.0 * T)
    first, then = run_of(ball, q[:11]), run_of(ball, -q[10:] * [1, 1, 1, 1, -1, -1, -1, -1])
    then.q[6:, :4] *= -1.0
    whole = first.joined(then)
    np.testing.assert_allclose(whole.q, q, atol=1e-15)
    assert then.q[0, 0] < 0  # the parts stay as they are


def test_events_are_kept_and_shifted_when_motions_are_joined():
    arm = sd.load("planar_two_link")
    first = run_of(arm, np.zeros((3, 2)), events=((0.5, "low"),))
    then = run_of(arm, np.zeros((3, 2)), events=((0.25, "high"),))
    assert first.joined(then).events == ((0.5, "low"), (1.25, "high"))
    assert marks(axes_of(first.plot())[0], "event") == [0.5]


@pytest.mark.parametrize("axis", [[0.0, 0.0, 1.0], [0.6, 0.0, -0.8]])
def test_rotation_vectors_count_on_past_whole_turns_in_either_direction(axis):
    angle = 20.0 * np.sin(3.0 * np.linspace(0.0, 1.0, 200))
    x = np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], axis=-1)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (200, 1))
    np.testing.assert_allclose(rotation_vectors(signs * x), angle[:, None] * axis, atol=1e-9)


def test_few_rows_are_lines_and_many_are_a_median_with_a_band():
    arm = sd.load("planar_two_link")
    spread = np.linspace(-1.0, 1.0, 101)
    q = T[:, None, None] * spread[:, None] * [1.0, 2.0]
    q[:, 0] = np.nan
    few, many = run_of(arm, q[:, 1:5]).plot(), run_of(arm, q).plot()
    assert len(curves(axes_of(few)[0])) == 8
    ax = axes_of(many)[0]
    assert (len(curves(ax)), len(ax.collections)) == (2, 2)
    np.testing.assert_allclose(ax.lines[0].get_ydata()[-1], np.median(spread[1:]))
    assert "100 rows: median and 5 to 95 %, 1 without an answer left out" in many.figure.get_suptitle()
    assert names_in(many) == ["joint1", "joint2"]
    assert "rows" not in run_of(arm, q).plot(row=3).figure.get_suptitle()
    cube = run_of(arm, q[:, 1:].reshape(21, 10, 10, 2)).plot()
    assert "100 rows" in cube.figure.get_suptitle()


def test_phases_are_marked_and_what_happens_between_them_is_no_drift():
    arm = sd.load("planar_two_link")
    first = run_of(arm, np.zeros((3, 2)))
    then = replace(run_of(arm, np.zeros((3, 2))), kinetic=np.full(3, -5.0))
    picture = sd.Phases([first, then]).plot()
    assert all(marks(ax, "phase") == [1.0] for ax in axes_of(picture))
    assert "energy; drift 0 J" in titles(picture)
    assert first.joined(then).energy_drift[-1] == -5.0
