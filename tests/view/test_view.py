"""What is drawn of a robot, where it is drawn, and how it moves in time; bad input. Browsers: test_view_pages.py."""

from __future__ import annotations

import socket
import struct
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from random_robots import random_model
from soadyn.mechanics.spatial.rotation import from_quaternion, quaternion_of
from soadyn.model import shapes
from soadyn.simulation import Trajectory, simulate
from soadyn.view.drawing import ACTIVE, BODY, MASS, PASSIVE, STAND, Drawing, figure
from soadyn.view.motions import all_poses, extent, frame_times, motion_of, offsets
from soadyn.view.scene import Scene, server, stop
from soadyn.view.shapes import MOST_TRIANGLES
from soadyn.view.solids import Solid, ball, box, capsule, cylinder

GREY = (200, 200, 200)


def coloured(drawn: Drawing, colour: tuple[int, int, int]) -> list[int]:
    return [part.link for part in drawn.parts if part.colour == colour]


# Solids


@pytest.mark.parametrize(
    ("solid", "volume", "rounding"),
    [
        (box((1.0, 2.0, 3.0)), 6.0, 1e-12),
        (cylinder(0.5, 2.0), np.pi * 0.25 * 2.0, 0.02),
        (ball(0.5), np.pi / 6, 0.04),
        (capsule((1, 2, 3), (1, 2, 5), 0.3), np.pi * 0.09 * 2 + 4 / 3 * np.pi * 0.027, 0.03),
    ],
    ids=["box", "cylinder", "ball", "capsule"],
)
def test_a_solid_encloses_its_volume_with_faces_outwards(solid: Solid, volume: float, rounding: float) -> None:
    """Corners are repeated along sharp edges, so the divergence theorem is asked, not the edges."""
    a, b, c = np.moveaxis(solid.vertices[solid.faces], 1, 0)
    assert np.einsum("ni,ni->", a, np.cross(b, c)) / 6 == pytest.approx(volume, rel=rounding)


def test_a_capsule_has_its_ends_where_they_are_asked_for(rng: np.random.Generator) -> None:
    start, end = rng.standard_normal((2, 3))
    rod = capsule(start, end, 0.1)
    along = (end - start) / np.linalg.norm(end - start)
    heights = (rod.vertices - start) @ along
    np.testing.assert_allclose([heights.min(), heights.max()], [-0.1, np.linalg.norm(end - start) + 0.1])
    distance = np.linalg.norm((rod.vertices - start) - heights[:, None] * along, axis=1)
    assert distance.max() == pytest.approx(0.1)


# Figures


@pytest.mark.parametrize("root", ["fixed", "free"])
def test_everything_drawn_is_finite_and_fixed_in_a_link_that_can_be_seen(rng: np.random.Generator, root: str) -> None:
    for n in (1, 4, 12):
        model = random_model(rng, n, root=root, massless=0.2)  # type: ignore[arg-type]
        drawn = figure(model, GREY, {"masses": True, "frames": list(model.frame_index)[:4]})
        assert {part.link for part in drawn.parts} <= {0, *model.visible}
        for part in drawn.parts:
            assert np.isfinite(part.solid.vertices).all()
            assert 0 <= part.solid.faces.min() <= part.solid.faces.max() < len(part.solid.vertices)
        assert [triad.name for triad in drawn.triads] == list(model.frame_index)[:4]


def test_links_are_rods_between_joints() -> None:
    arm = sd.chain(3, length=0.7)
    drawn = figure(arm.model, GREY, {})
    for part in drawn.parts:
        if part.colour == GREY:
            low, high = part.solid.vertices.min(axis=0), part.solid.vertices.max(axis=0)
            r = high[2]
            np.testing.assert_allclose([low[0], high[0]], [-r, 0.7 + r], atol=1e-12)
    assert coloured(drawn, STAND) == [0]


def test_passive_joints_have_a_colour_of_their_own() -> None:
    arm = sd.chain(3)
    drawn = figure(arm.model, GREY, {"passive": ["joint_2"]})
    assert coloured(drawn, PASSIVE) == [1]  # a joint's mark is fixed in the link that carries it
    assert coloured(drawn, ACTIVE) == [0, 2]
    assert not coloured(figure(arm.model, GREY, {}), PASSIVE)


def test_a_floating_base_without_a_shape_is_the_box_of_its_inertia() -> None:
    b = sd.Builder("satellite")
    b.link("bus", shapes.box((1.0, 2.0, 3.0), mass=100.0), joint="free")
    (part,) = figure(sd.build(b).model, GREY, {}).parts
    assert part.colour == BODY
    np.testing.assert_allclose(np.ptp(part.solid.vertices, axis=0), [1.0, 2.0, 3.0])


def test_masses_are_balls_in_links_that_can_be_seen_through() -> None:
    arm = sd.load("ur5")
    drawn = figure(arm.model, GREY, {"masses": True})
    balls = [part for part in drawn.parts if part.colour == MASS]
    assert [part.link for part in balls] == list(arm.model.visible)
    for part in balls:
        np.testing.assert_allclose(part.solid.corners.mean(axis=0), arm.model.links[part.link - 1].com, atol=1e-12)
    assert all(part.opacity < 1 for part in drawn.parts if part.link and part.colour != MASS)


def test_shapes_of_the_file_are_drawn_unless_unwanted() -> None:
    flyer = sd.load("free_flyer")
    (base,) = [part for part in figure(flyer.model, GREY, {}).parts if part.colour == BODY]
    np.testing.assert_allclose(np.ptp(base.solid.vertices, axis=0), [0.8] * 3)
    with_shapes, without = figure(flyer.model, GREY, {}), figure(flyer.model, GREY, {"shapes": False})
    assert len(with_shapes.parts[3].solid.faces) > len(without.parts[3].solid.faces)


def test_the_extent_holds_the_robot_throughout_its_motion(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    v = np.zeros(flyer.nv)
    v[flyer.joint_dofs("root")[-1]] = 2.0  # drifts along z
    drift = simulate(flyer, flyer.neutral(), v, duration=1.0, step=0.1)
    motion = motion_of("drift", drift)
    low, high = extent(motion, figure(flyer.model, GREY, {}))
    rest_low, rest_high = extent(motion_of("rest", flyer), figure(flyer.model, GREY, {}))
    np.testing.assert_allclose(low, rest_low, atol=1e-6)
    np.testing.assert_allclose(high, rest_high + np.array([0, 0, 2.0]), atol=1e-6)


# Meshes

URDF = """<robot name="one"><link name="ground_link"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 5"/><geometry><mesh filename="{file}" scale="{scale}"/></geometry></visual></link>
  <joint name="hinge" type="continuous"><parent link="ground_link"/><child link="arm"/></joint></robot>"""


def write_stl(path: Path, solid: Solid) -> None:
    corners = solid.vertices[solid.faces].astype("<f4")
    rows = b"".join(bytes(12) + triangle.tobytes() + bytes(2) for triangle in corners)
    path.write_bytes(bytes(80) + struct.pack("<I", len(corners)) + rows)


def with_mesh(folder: Path, file: str = "box.stl", scale: str = "1 1 1") -> sd.Robot:
    (folder / "one.urdf").write_text(URDF.format(file=file, scale=scale))
    return sd.load(folder / "one.urdf")


@pytest.mark.parametrize("scale", ["2 2 2", "2 2 -2"])
def test_a_mesh_beside_the_robot_file_is_drawn_instead_of_rods(tmp_path: Path, scale: str) -> None:
    write_stl(tmp_path / "box.stl", box((1.0, 2.0, 3.0)))
    drawn = figure(with_mesh(tmp_path, scale=scale).model, GREY, {})
    (part,) = [part for part in drawn.parts if part.link == 1]
    np.testing.assert_allclose(part.solid.vertices.max(axis=0), [1.0, 2.0, 8.0])
    # outside stays outside, also when mirrored: the signed volume is positive
    a, b, c = np.moveaxis(part.solid.vertices[part.solid.faces] - [0, 0, 5], 1, 0)
    assert np.einsum("ni,ni->", a, np.cross(b, c)) / 6 == pytest.approx(48.0)


def test_a_mesh_outside_the_allowed_folders_is_not_read(tmp_path: Path) -> None:
    write_stl(tmp_path / "secret.stl", ball(1.0))
    inner = tmp_path / "robots"
    inner.mkdir()
    robot = with_mesh(inner, "../secret.stl")
    with pytest.warns(sd.ModelWarning, match=r"drawn without a shape: .*leaves the allowed folders"):
        drawn = figure(robot.model, GREY, {})
    assert 1 in {part.link for part in drawn.parts}  # by its mass
    (inner / "one.urdf").write_text(URDF.format(file="../secret.stl", scale="1 1 1"))
    trusted = sd.load(inner / "one.urdf", package_roots=[tmp_path])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure(trusted.model, GREY, {})


@pytest.mark.parametrize("file", ["missing.stl", "shape.dae", "none.stl", "nan.stl"])
def test_a_mesh_that_cannot_be_read_is_told_once_and_the_link_drawn_otherwise(tmp_path: Path, file: str) -> None:
    (tmp_path / "shape.dae").write_text("<COLLADA/>")
    (tmp_path / "none.stl").write_bytes(bytes(84))
    (tmp_path / "nan.stl").write_bytes(bytes(80) + struct.pack("<I12fH", 1, *(np.nan,) * 12, 0))
    with pytest.warns(sd.ModelWarning, match=rf"drawn without a shape: .*{file}") as told:
        drawn = figure(with_mesh(tmp_path, file).model, GREY, {})
    assert len(told) == 1
    assert 1 in {part.link for part in drawn.parts}


def test_a_mesh_of_very_many_triangles_is_thinned_and_keeps_its_form(tmp_path: Path) -> None:
    u, v = np.meshgrid(np.linspace(0, np.pi, 201), np.linspace(0, 2 * np.pi, 201), indexing="ij")
    vertices = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    i = (np.arange(200)[:, None] * 201 + np.arange(200)).reshape(-1)
    faces = np.concatenate([np.column_stack([i, i + 201, i + 202]), np.column_stack([i, i + 202, i + 1])])
    write_stl(tmp_path / "box.stl", Solid(vertices, faces))
    drawn = figure(with_mesh(tmp_path).model, GREY, {})
    (part,) = [part for part in drawn.parts if part.link == 1]
    assert MOST_TRIANGLES / 4 < len(part.solid.faces) <= MOST_TRIANGLES < len(faces)
    assert np.linalg.norm(part.solid.vertices - [0, 0, 5], axis=1) == pytest.approx(1.0, abs=1e-6)
    a, b, c = np.moveaxis(part.solid.vertices[part.solid.faces] - [0, 0, 5], 1, 0)
    assert np.einsum("ni,ni->", a, np.cross(b, c)) / 6 == pytest.approx(4 / 3 * np.pi, rel=0.02)


# Motions


def test_a_film_has_at_most_sixty_frames_a_second_and_ends_with_the_motion() -> None:
    fall = simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=0.5, step=0.001)
    times = frame_times([motion_of("fall", fall)], 60.0)
    assert np.diff(times).max() <= 1 / 60 + 1e-12
    assert len(times) == 31
    assert times[-1] == pytest.approx(0.5)
    for fps in (0.0, -1.0, 61.0, np.nan):
        with pytest.raises(sd.ArgumentError, match="fps must be above 0 and at most 60 frames a second"):
            frame_times([], fps)


def test_between_records_a_motion_follows_the_manifold(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    q0, dv = flyer.random_configuration(rng), 0.5 * rng.standard_normal(flyer.nv)
    t = np.array([2.0, 3.0])
    motion = motion_of("turn", Recorded(flyer, t, np.array([q0, flyer.integrate(q0, dv)])))
    found = motion.at(np.array([0.0, 0.25, 1.0, 7.0]))
    for q, share in zip(found, (0.0, 0.25, 1.0, 1.0), strict=True):
        np.testing.assert_allclose(flyer.difference(flyer.integrate(q0, share * dv), q), 0, atol=1e-12)


class Recorded:
    def __init__(self, robot: object, t: object, q: object) -> None:
        self.robot, self.t, self.q = robot, np.asarray(t, dtype=float), np.asarray(q, dtype=float)


def test_robots_side_by_side_stay_clear_of_each_other() -> None:
    names = ["ur5", "free_flyer", "planar_two_link"]
    extents = [extent(motion_of(n, sd.load(n)), figure(sd.load(n).model, GREY, {})) for n in names]
    places = offsets(extents, None)
    for (_, high), (low, _), at, after in zip(extents, extents[1:], places, places[1:], strict=False):
        assert (high + at)[1] < (low + after)[1]
    assert [at[1] for at in offsets(extents, 3.0)] == [-3.0, 0.0, 3.0]
    assert [at[1] for at in offsets(extents, 0.0)] == [0.0] * 3


# The scene


def scene_of(*shown: tuple[str, object], **options: object) -> tuple[object, Scene]:
    pytest.importorskip("viser")
    running = server()
    return running, Scene(running, [motion_of(label, thing) for label, thing in shown], options)  # type: ignore


def test_links_stand_in_the_scene_where_the_robot_says(rng: np.random.Generator) -> None:
    flyer = sd.load("free_flyer")
    q = flyer.random_configuration(rng)
    running, scene = scene_of(("flyer", flyer.at(q)))
    try:
        scene.show(0.0)
        T = all_poses(flyer, q[None])[0]
        for node, pose in zip(scene.actors[0].nodes, T, strict=True):
            np.testing.assert_allclose(node.position, pose[:3, 3], atol=1e-4 * scene.size)
            np.testing.assert_allclose(from_quaternion(np.array(node.wxyz)), pose[:3, :3], atol=1e-4)
    finally:
        stop(running)


@pytest.mark.parametrize(("name", "grid"), [("ur5", True), ("free_flyer", False)])
def test_there_is_a_ground_unless_the_robot_floats(name: str, grid: bool) -> None:
    running, scene = scene_of((name, sd.load(name)))
    try:
        assert (scene.api.get_handle_by_name("/ground") is not None) == grid
    finally:
        stop(running)


@pytest.mark.parametrize(("name", "ground"), [("ur5", False), ("free_flyer", True)])
def test_a_ground_is_drawn_if_and_only_if_it_is_asked_for(name: str, ground: bool) -> None:
    running, scene = scene_of((name, sd.load(name)), ground=ground)
    try:
        assert (scene.api.get_handle_by_name("/ground") is not None) == ground
    finally:
        stop(running)


def test_the_camera_sees_every_corner() -> None:
    running, scene = scene_of(("a", sd.load("ur5")), ("b", sd.load("dual_arm_flyer")))
    try:
        camera = running.initial_camera  # type: ignore[attr-defined]
        towards = camera.position - camera.look_at
        towards /= np.linalg.norm(towards)
        right = np.cross([0, 0, 1], towards)
        right /= np.linalg.norm(right)
        for corner in Solid(np.array([scene.low, scene.high]), np.zeros((0, 3))).corners:
            seen = corner - camera.position
            depth = -seen @ towards
            assert abs(seen @ np.cross(towards, right)) < depth * np.tan(camera.fov / 2)
            assert abs(seen @ right) < 1.4 * depth * np.tan(camera.fov / 2)
    finally:
        stop(running)


# Live


def test_a_live_view_can_be_reached_from_this_machine_only() -> None:
    pytest.importorskip("viser")
    with sd.load("ur5").show(port=0) as view:
        port = int(view.url.rsplit(":", 1)[1])
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in others - {"127.0.0.1"} | {"127.0.0.2"}:
            with pytest.raises(OSError, match=r"refused|timed out|unreachable|not available|assign"):
                socket.create_connection((str(address), port), timeout=2)
        assert repr(view) == f"<View at {view.url}>"
    assert repr(view).endswith(", ended>")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_nobody_can_publish_a_view() -> None:
    pytest.importorskip("viser")
    running = server()
    try:
        assert running.request_share_url() is None
        assert running._share_tunnel is None
    finally:
        stop(running)


def test_a_view_says_nothing_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("viser")
    with sd.load("ur5").show(port=0):
        pass
    assert capsys.readouterr().out == ""


def test_a_live_view_moves_the_robots_it_was_given() -> None:
    pytest.importorskip("viser")
    arm = sd.load("planar_two_link")
    with sd.view.show([("a", arm), ("b", arm)], port=0) as view:
        view.move([0.5, 0.0], [-0.5, 0.0])
        a, b = (actor.nodes[-1].wxyz for actor in view._scene.actors)
        assert not np.allclose(a, b)
        with pytest.raises(sd.ArgumentError, match="one configuration for each of the 2 robots, got 1"):
            view.move([0.5, 0.0])
        with pytest.raises(sd.ShapeError, match=r"'q' has shape \(3,\)"):
            view.move([0.5, 0.0, 0.0], [0.0, 0.0])
        with pytest.raises(sd.ArgumentError, match=r"'b': expected one finite configuration \(2,\)"):
            view.move([0.5, 0.0], [np.nan, 0.0])


def test_a_live_motion_plays_pauses_and_follows_the_slider() -> None:
    pytest.importorskip("viser")
    fall = simulate(sd.load("planar_two_link"), [0.3, 0.0], duration=2.0, step=0.01)
    with fall.show(port=0) as view:
        player = view._player
        assert player is not None
        assert comes_true(lambda: player._time.value > 0.1)
        player.pause()
        assert comes_true(lambda: player._time.value == after_a_while(lambda: player._time.value))
        player._time.value = 1.5
        node = view._scene.actors[0].nodes[1]
        wanted = quaternion_of(all_poses(fall.robot, motion_of("", fall).at(np.array([1.5])))[0, 1, :3, :3])
        assert comes_true(lambda: np.allclose(node.wxyz, wanted, atol=1e-3))


def comes_true(fact: object, seconds: float = 10.0) -> bool:
    import time

    end = time.monotonic() + seconds
    while not fact():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def after_a_while(value: object) -> object:
    import time

    time.sleep(0.1)
    return value()  # type: ignore[operator]


# Bad input


def test_without_viser_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    arm = sd.load("planar_two_link")
    for show in (arm.show, lambda: arm.save_view(tmp_path / "x.html")):
        with pytest.raises(sd.ArgumentError, match=r"viewing needs viser; install it with: pip install viser"):
            show()


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    pytest.importorskip("viser")
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match=r"cannot write .*there is no folder .*nowhere"):
        arm.save_view(tmp_path / "nowhere" / "x.html")
    page = arm.save_view(tmp_path / "x.html")
    before = page.read_bytes()
    with pytest.raises(sd.UnknownNameError, match=r"unknown frame 'tol'.*'tool'"):
        arm.save_view(page, frames=["tol"])
    assert page.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]


def test_motions_that_cannot_be_shown_are_named(tmp_path: Path) -> None:
    arm = sd.load("planar_two_link")
    fall = simulate(arm, [[0.3, 0.0], [0.4, 0.0]], duration=0.1, step=0.01)
    with pytest.raises(sd.ShapeError, match=r"'two' holds a batch of shape \(2,\); choose one of them, .*row\(0\)"):
        motion_of("two", fall)
    with pytest.raises(sd.ArgumentError, match=r"'file' does not know its robot; .*trajectory\.of\(robot\)"):
        motion_of("file", Trajectory.load(fall.row(0).save(tmp_path / "fall.npz")))
    with pytest.raises(sd.ArgumentError, match="'none' is empty: there is nothing to show"):
        motion_of("none", Recorded(arm, [], np.zeros((0, 2))))
    with pytest.raises(sd.ArgumentError, match="'bad' has coordinates or times that are not finite"):
        motion_of("bad", Recorded(arm, [0.0, 1.0], [[0, 0], [np.nan, 0]]))
    with pytest.raises(sd.ArgumentError, match="'back' has times that do not ascend"):
        motion_of("back", Recorded(arm, [1.0, 0.0], np.zeros((2, 2))))
    with pytest.raises(
        sd.ShapeError, match=r"'wide' has 2 times and configurations of shape \(2, 3\); expected \(2, 2\)"
    ):
        motion_of("wide", Recorded(arm, [0.0, 1.0], np.zeros((2, 3))))
