"""Shapes of SDF links: what viewers draw, and what they leave."""

from __future__ import annotations

from pathlib import Path

from numpy.testing import assert_allclose

from sdf_models import INERTIAL, sdf
from sdf_peer import pose_matrix
from soadyn.loading import load_model, resolve_package_path
from soadyn.model.visuals import Visual


def shown(geometry: str, more: str = "", nested: str = "") -> tuple[tuple[Visual, ...], tuple[str, ...]]:
    visual = f'<visual name="v">{more}<geometry>{geometry}</geometry></visual>'
    frame = '<frame name="f"><pose>0 0 1 0 0 0</pose></frame>'
    link = f'<link name="a"><pose>1 0 0 0 0 0</pose>{INERTIAL}{visual}</link>'
    model = load_model(sdf(frame + link + nested), root="fixed")
    return model.visuals, model.notes


def test_boxes_cylinders_and_spheres_have_their_sizes() -> None:
    ((box,), _) = shown("<box><size>1 2 3</size></box>", "<pose>0.1 0 0 0 0 0.3</pose>")
    assert (box.frame, box.kind, box.size) == ("a", "box", (1.0, 2.0, 3.0))
    assert_allclose(box.placement.matrix(), pose_matrix("0.1 0 0 0 0 0.3"), atol=1e-16)
    ((cylinder,), _) = shown("<cylinder><radius>0.2</radius><length>3</length></cylinder>")
    assert (cylinder.kind, cylinder.size) == ("cylinder", (0.2, 0.2, 3.0))
    ((sphere,), _) = shown("<sphere><radius>0.2</radius></sphere>")
    assert (sphere.kind, sphere.size) == ("sphere", (0.2, 0.2, 0.2))


def test_a_shape_may_stand_in_another_frame() -> None:
    ((box,), _) = shown("<box><size>1 2 3</size></box>", '<pose relative_to="f">0 0.5 0 0 0 0</pose>')
    assert_allclose(box.placement.matrix(), pose_matrix("-1 0.5 1 0 0 0"), atol=1e-16)


def test_colours_are_diffuse_or_ambient() -> None:
    ambient = "<material><ambient>0.1 0.2 0.3 1</ambient>{}</material>"
    ((box,), _) = shown("<box/>".replace("/>", "><size>1 1 1</size></box>"), ambient.format(""))
    assert box.colour == (0.1, 0.2, 0.3, 1.0)
    ((box,), _) = shown("<box><size>1 1 1</size></box>", ambient.format("<diffuse>2 0.5 0</diffuse>"))
    assert box.colour == (1.0, 0.5, 0.0, 1.0)


def test_meshes_are_found_in_the_models_package(tmp_path: Path) -> None:
    folder = tmp_path / "robot_description"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "arm.stl").write_text("solid arm\nendsolid arm\n")
    mesh = "<mesh><uri>model://robot_description/meshes/arm.stl</uri><scale>1 1 -1</scale></mesh>"
    visual = f'<visual name="v"><geometry>{mesh}</geometry></visual>'
    (folder / "robot.sdf").write_text(sdf(f'<link name="a">{INERTIAL}{visual}</link>'))
    (shape,) = load_model(folder / "robot.sdf", root="fixed").visuals
    assert (shape.kind, shape.size) == ("mesh", (1.0, 1.0, -1.0))
    assert shape.mesh is not None
    assert resolve_package_path(shape.mesh.uri, shape.mesh.robot_file) == folder / "meshes" / "arm.stl"


def test_what_cannot_be_shown_is_noted_and_no_reason_to_refuse() -> None:
    for geometry, words in (
        ("<plane/>", "has the shape <plane>; expected box, cylinder, sphere or mesh (not shown)"),
        ("<mesh><uri>x.dae</uri><submesh><name>s</name></submesh></mesh>", "has the shape <submesh>"),
        ("<box><size>1 2</size></box>", "expected three numbers, found 2 (not shown)"),
        ("<sphere><radius>nan</radius></sphere>", "'nan' is not a finite number (not shown)"),
        ("<box/><box/>", "has 2 shapes; expected one"),
    ):
        visuals, notes = shown(geometry)
        assert not visuals
        assert words in notes[0]
