"""Charts beside the robots of a page, trails, and the dark sky. In a real browser: test_view_pages.py."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import soadyn as sd
from soadyn.view.charts import Chart, panel
from soadyn.view.drawing import ACTIVE, PASSIVE, figure
from soadyn.view.framing import FIELD, MARGIN, Framing
from soadyn.view.legend import legend
from soadyn.view.motions import ShownMotion, motion_of
from soadyn.view.scene import Scene, _trail_times, server, stars, stop


def test_a_panel_holds_the_numbers_that_its_script_reads() -> None:
    t = np.linspace(2.0, 5.0, 2001)
    told = panel([Chart("</script><b>", [("</script>", t, t**2)])], dark=True)
    assert told.count("</script>") == 1
    assert "<b>" not in told
    ((curve,),) = json.loads(re.search(r"const curves=(.*?);\n", told)[1])  # type: ignore[index]
    assert curve["label"] == "</script>"
    assert curve["t"][0] == 0.0
    assert curve["t"][-1] == 3.0  # films count from the start of a motion
    assert len(curve["t"]) <= 400
    np.testing.assert_allclose(curve["y"], (np.array(curve["t"]) + 2) ** 2, rtol=1e-3)


def test_a_trail_is_the_way_of_its_frame() -> None:
    pytest.importorskip("viser")
    fall = sd.simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.5, step=0.01)
    running = server()
    try:
        scene = Scene(running, [motion_of("fall", fall)], {"trails": ["tool"], "sky": "dark", "look_from": (0, -1, 0)})
        points = np.asarray(scene.api.get_handle_by_name("/1 fall/trail 1").points)
        ends = fall.robot.pose(fall.q[[0, -1]], "tool")[:, :3, 3]  # type: ignore[union-attr]
        np.testing.assert_allclose([points[0, 0], points[-1, 1]], ends, atol=1e-5)
        np.testing.assert_array_equal(points[1:, 0], points[:-1, 1])
        camera = running.initial_camera
        towards = camera.position - camera.look_at
        np.testing.assert_allclose(towards / np.linalg.norm(towards), [0, -1, 0], atol=1e-9)
        assert scene.dark
    finally:
        stop(running)


@pytest.mark.parametrize(("records", "most"), [(20, 140), (500, 500), (5000, 2000)])
def test_trails_go_through_all_records_up_to_a_bound(records: int, most: int) -> None:
    arm = sd.load("planar_two_link")
    t = np.linspace(2.0, 3.0, records)
    times = _trail_times(ShownMotion("", arm, t, np.zeros((records, 2))))
    assert min(records, 120) <= len(times) <= most
    assert (np.diff(times) > 0).all()
    np.testing.assert_allclose(times[[0, -1]], [0.0, 1.0])
    if records <= 2000:
        assert np.abs(times[:, None] - (t - 2.0)).min(axis=0).max() < 1e-12


def test_a_legend_names_trails_axes_and_passive_joints_as_text() -> None:
    told = legend("<b>", {"trails": ["tip"], "frames": {"<i>": ("ground", np.eye(4))}}, True, {PASSIVE})
    words = re.sub("<[^>]*>", "|", told)
    for wanted in ("&lt;b&gt;", "way of tip", "axes x, y, z of &lt;i&gt;", "passive joints"):
        assert wanted in words
    assert "way of" not in legend("", {"trails": ["tip"]}, False, set())
    assert legend("", {}, True, set()) == ""


def test_frames_may_have_names_of_their_own() -> None:
    arm = sd.load("planar_two_link")
    drawn = figure(arm.model, (200, 200, 200), {"frames": {"target": ("ground", np.eye(4)), "hand": "tool"}})
    assert [triad.link for triad in drawn.triads] == [0, 2]


@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.4, 3.0])
def test_a_camera_at_the_framing_distance_just_sees_every_point(aspect: float, rng: np.random.Generator) -> None:
    low, high, towards = -rng.random(3), rng.random(3), np.array([0.6, 0.0, 0.8])
    framing = Framing(low, high, towards, [])
    d = framing.distance(aspect) / MARGIN
    a, u, t = framing.points.T
    half = np.tan(FIELD / 2)
    seen = np.maximum(np.abs(a) / aspect, np.abs(u)) / (half * (d - t))
    assert seen.max() == pytest.approx(1.0)


def test_the_sky_is_dark_and_has_stars() -> None:
    sky = stars()
    assert np.median(sky) < 30
    assert sky.max() > 200
    np.testing.assert_array_equal(sky, stars())


def test_the_marks_of_wheels_do_not_hide_them() -> None:
    """A wheel turns about its own middle: its joint is marked by a hub."""
    flyer = sd.load("free_flyer")
    wheels = [flyer.model.links.index(link) + 1 for link in flyer.model.links if link.name.startswith("wheel")]
    drawn = figure(flyer.model, (200, 200, 200), {})
    (marks,) = [part.solid for part in drawn.parts if part.colour == ACTIVE and part.link == 1]
    for k in wheels:
        at = np.array(flyer.model.joints[k - 1].placement.position)
        near = np.linalg.norm(marks.vertices - at, axis=1)
        assert near[near < 0.2].max() < 0.06  # the wheel's radius is 0.15 m
        colours = {part.colour for part in drawn.parts if part.link == k}
        assert len(colours) == 2  # rim and spoke, so that turning is seen
