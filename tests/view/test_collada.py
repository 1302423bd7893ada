"""Collada meshes: what is read beside what Pinocchio's reader (assimp) reads, and files that mean harm."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_root
from soadyn.errors import ModelError
from soadyn.view import collada_files
from soadyn.view.collada_files import read_collada
from soadyn.view.drawing import figure

pytest.importorskip("collada")

FILE = """<?xml version="1.0"?>{doctype}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified>{asset}</asset>
<library_images><image id="skin"><init_from>/etc/hostname</init_from></image></library_images>
<library_effects><effect id="paint"><profile_COMMON><technique sid="t"><lambert><diffuse><color>0.2 0.4 0.6 1</color>
</diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="blue"><instance_effect url="#paint"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">{points}</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{primitive}
</mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="s"><node id="top">{scene}<instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="m" target="#blue"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
POINTS = "0 0 0 1 0 0 0 2 0 0 0 3"
PRIMITIVE = """<polylist count="2" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>{vcount}</vcount><p>{p}</p></polylist>"""
NODE_BOMB = "".join(f"<node id='n{i}'>" + 2 * f"<instance_node url='#n{i + 1}'/>" + "</node>" for i in range(40))


def written(folder: Path, vcount: str = "4 3", p: str = "0 1 2 3 0 2 1", **parts: str) -> Path:
    usual = {"doctype": "", "asset": "", "points": POINTS, "nodes": "", "scene": ""}
    primitive = PRIMITIVE.format(vcount=vcount, p=p)
    path = folder / "shape.dae"
    path.write_text(FILE.format(**{**usual, "primitive": primitive, **parts}))
    return path


def bounds(vertices: list[np.ndarray]) -> np.ndarray:
    every = np.concatenate(vertices)
    return np.array([every.min(axis=0), every.max(axis=0)])


def test_polygons_become_triangles_with_the_colour_of_their_material(tmp_path: Path) -> None:
    ((vertices, faces, colour),) = read_collada(written(tmp_path))
    corners = {tuple(map(tuple, triangle)) for triangle in vertices[faces].tolist()}
    a, b, c, d = np.array(POINTS.split(), dtype=float).reshape(4, 3).tolist()
    assert corners == {tuple(map(tuple, t)) for t in ([a, b, c], [a, c, d], [a, c, b])}
    assert colour == (0.2, 0.4, 0.6, 1.0)


def test_lengths_follow_the_unit_and_the_upward_axis_is_left_alone(tmp_path: Path) -> None:
    asset = '<unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis>'
    ((vertices, _, _),) = read_collada(written(tmp_path, asset=asset))
    np.testing.assert_allclose(vertices.max(axis=0), 0.0254 * np.array([1, 2, 3]))


def test_nodes_move_what_they_hold(tmp_path: Path) -> None:
    scene = "<matrix>0 -1 0 5  1 0 0 0  0 0 1 0  0 0 0 1</matrix>"
    ((vertices, _, _),) = read_collada(written(tmp_path, scene=scene))
    np.testing.assert_allclose(bounds([vertices]), [[3, 0, 0], [5, 1, 3]], atol=1e-6)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"doctype": '<!DOCTYPE c [<!ENTITY a "ha">]>'}, "DOCTYPE"),
        ({"nodes": NODE_BOMB, "scene": "<instance_node url='#n0'/>"}, "unfolds to more than 100000 nodes"),
        ({"nodes": "<node id='x'><instance_node url='#x'/></node>"}, "node 'x' contains itself"),
        ({"vcount": "4 2000000000"}, "polygons of 2000000004 corners in all, but 7 are listed"),
        ({"p": "0 1 2 3 0 2 9"}, "shape.dae: "),
        ({"points": POINTS.replace("3", "1e99")}, "a coordinate that is not a finite number"),
        ({"asset": '<unit meter="-1"/>'}, r"the unit of the Collada file is -1.0 m; expected a length"),
        ({"vcount": "", "p": ""}, "no triangles"),
        ({"vcount": "2 2", "p": "0 1 2 3"}, "shape.dae: the mesh has no triangles"),
    ],
    ids=["entities", "unfolding", "circle", "counts", "index", "infinite", "unit", "empty", "lines"],
)
def test_files_that_mean_harm_or_are_broken_are_refused_in_words(
    tmp_path: Path, parts: dict[str, str], words: str
) -> None:
    with pytest.raises(ModelError, match=words):
        read_collada(written(tmp_path, **parts))


def test_no_other_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """We read the file by its Path; whatever the reader opened itself would go through `open`."""
    path, opened = written(tmp_path), []
    monkeypatch.setattr("builtins.open", lambda *rest, **_: opened.append(rest))
    assert read_collada(path)
    assert not opened


def test_an_archive_is_no_collada_file(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(written(tmp_path), "shape.dae")
    (tmp_path / "packed.dae").write_bytes(packed.getvalue())
    with pytest.raises(ModelError, match=r"packed\.dae:1: this is not XML"):
        read_collada(tmp_path / "packed.dae")


def test_very_many_triangles_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collada_files, "MOST_CORNERS", 6)
    with pytest.raises(ModelError, match="more than 2 triangles"):
        read_collada(written(tmp_path))


def test_without_the_reader_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "collada", None)
    with pytest.raises(ModelError, match=r"pip install pycollada"):
        read_collada(written(tmp_path))


# Beside assimp, which Pinocchio reads meshes with

# Links with a mesh, the ground's among them.
ROBOTS = {
    "ur_description/urdf/ur5_robot.urdf": 7,
    "panda_description/urdf/panda.urdf": 10,
    "go2_description/urdf/go2.urdf": 13,
}


def corpus_meshes(*folders: str) -> list[Path]:
    root = corpus_root()
    if root is None:
        pytest.skip("example-robot-data is not installed")
    robots = root / "example-robot-data" / "robots"
    found = [path for folder in folders for path in (robots / folder).rglob("*") if path.suffix.lower() == ".dae"]
    return sorted(path for path in found if path.name != "anymal_foot.dae")  # a scene without a shape


def assert_same_bounds(path: Path) -> None:
    coal = pytest.importorskip("coal")
    peer = bounds([coal.MeshLoader().load(str(path), np.ones(3)).vertices()])
    ours = bounds([vertices[np.unique(faces)] for vertices, faces, _ in read_collada(path)])
    np.testing.assert_allclose(ours, peer, atol=1e-5 * np.abs(peer).max(), err_msg=str(path))


def test_the_meshes_of_a_quadruped_have_the_bounds_that_assimp_finds() -> None:
    for path in corpus_meshes("go2_description"):
        assert_same_bounds(path)


@pytest.mark.slow
def test_all_meshes_of_the_corpus_have_the_bounds_that_assimp_finds() -> None:
    meshes = corpus_meshes("")
    assert len(meshes) > 200
    for path in meshes:
        assert_same_bounds(path)


@pytest.mark.parametrize("file", ROBOTS)
@pytest.mark.heavy(2)
def test_well_known_robots_are_drawn_by_their_meshes(file: str) -> None:
    root = corpus_root()
    if root is None:
        pytest.skip("example-robot-data is not installed")
    robot = sd.load(root / "example-robot-data" / "robots" / file)
    drawn = figure(robot.model, (200, 200, 200), {})  # a mesh that is not read would warn, an error here
    assert len({part.link for part in drawn.parts}) == ROBOTS[file]
    assert sum(len(part.solid.faces) for part in drawn.parts) > 20_000
