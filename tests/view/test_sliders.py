"""Sliders of a live view, and a view in a notebook. In a real browser: test_view_pages.py."""

from __future__ import annotations

import html

import numpy as np
import pytest

import soadyn as sd
from soadyn.view.motions import all_poses, motion_of
from soadyn.view.sliders import _scales

pytest.importorskip("viser")


def test_every_angle_and_length_has_a_slider_and_no_quaternion_has() -> None:
    b = sd.Builder("all")
    body = sd.Body(1.0)
    last = None
    for kind in ("free", "spherical", "planar", "cylindrical", "universal", "prismatic", "revolute"):
        axes = {"axis": (0, 0, 1)} if kind not in ("free", "spherical", "universal") else {}
        last = b.link(kind, body, joint=kind, parent=last, **axes)  # type: ignore[arg-type]
    robot = sd.build(b)
    scales = list(_scales(motion_of("all", robot), 2.0))
    quaternions = {i for name in ("free", "spherical") for i in robot.joint_coordinates(f"{name}_joint")[:4]}
    assert [place for place, *_ in scales] == [i for i in range(robot.nq) if i not in quaternions]
    assert all(low < high for *_, low, high in scales)


def test_a_slider_ends_where_its_joint_does_and_tied_joints_have_none() -> None:
    arm = sd.load("ur5")
    scales = list(_scales(motion_of("arm", arm), 1.0))
    np.testing.assert_allclose([low for *_, low, _ in scales], np.maximum(arm.lower, -1e3))
    assert [label for _, label, *_ in scales] == list(arm.joint_names)


def test_a_slider_moves_the_robot_and_the_robot_moves_the_sliders() -> None:
    arm = sd.load("planar_two_link")
    with arm.show([0.1, 0.2], port=0) as view:
        (sliders,) = view._sliders
        first = sliders._handles[0]
        first.value = 0.7  # by the program: nothing follows
        assert sliders._q[0] == 0.1
        sliders._q[0] = 0.7
        sliders._moved(sliders._q)
        node = view._scene.actors[0].nodes[-1]
        wanted = all_poses(arm, np.array([[0.7, 0.2]]))[0, -1]
        np.testing.assert_allclose(node.position, wanted[:3, 3], atol=1e-4)
        view.move([-0.3, 0.4])
        assert [handle.value for handle in sliders._handles.values()] == pytest.approx([-0.3, 0.4])
        sliders._back()
        assert [handle.value for handle in sliders._handles.values()] == pytest.approx([0.1, 0.2])


def test_figures_follow_the_sliders() -> None:
    arm = sd.load("planar_two_link")
    with arm.show([0.0, 0.0], port=0) as view:
        (figures,) = view._figures
        (sliders,) = view._sliders
        assert "**tool** at 2 0 0 m" in figures._shown.content
        sliders._moved(np.array([np.pi / 2, 0.0]))
        shown = figures._shown.content
        assert "**tool** at 0 0 2 m" in shown
        energy = float(arm.potential_energy([np.pi / 2, 0.0]))
        assert f"potential energy {energy:.4g} J" in shown
        assert "joint1: 0" in shown
        view.move([0.0, 0.0])
        assert "joint1: 19.6" in figures._shown.content
    with arm.show(frames=["link1"], port=0) as view:
        assert "**link1** at 0 0 0 m" in view._figures[0]._shown.content


def test_names_in_figures_are_text() -> None:
    b = sd.Builder("odd")
    b.link("<b>*x*{y}\u202e", sd.Body(1.0), axis=(0, 1, 0))
    with b.robot().show(port=0) as view:
        shown = view._figures[0]._shown.content
    assert not set("<>{}\u202e") & set(shown)


def test_a_view_begins_away_from_limits() -> None:
    panda = sd.load("panda")
    with panda.show(port=0) as view:
        q = view._motions[0].q[0]
    away = np.minimum(q - panda.lower, panda.upper - q) / (panda.upper - panda.lower)
    assert away.min() > 0.2
    np.testing.assert_array_equal(q[[0, 1, 2, 4, 6]], 0.0)
    with panda.show(panda.neutral(), port=0) as view:
        np.testing.assert_array_equal(view._motions[0].q[0], panda.neutral())


def test_a_notebook_shows_a_page_that_outlives_the_view() -> None:
    with sd.load("planar_two_link").show(port=0) as view:
        shown = view._repr_html_()
        assert view.url in shown
    after = view._repr_html_()
    assert view.url not in after
    page = html.unescape(after.split('srcdoc="', 1)[1].split('" style', 1)[0])
    assert page.lstrip().lower().startswith("<!doctype html")
    assert '"' not in after.split('srcdoc="', 1)[1].split('" style', 1)[0]
