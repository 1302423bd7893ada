"""Bodies bounded by triangle meshes, in memory and in files."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from random_robots import random_placement
from same_body import assert_same_body
from soadyn.errors import ArgumentError, ModelError
from soadyn.model import mesh_files
from soadyn.model.mesh_files import read_mesh
from soadyn.model.meshes import mesh_body, mesh_file_body
from soadyn.model.shapes import box, sphere

CUBE_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
CUBE_FACES = np.array(
    [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
)


def ball(levels: int) -> tuple[np.ndarray, np.ndarray]:
    """An octahedron with its triangles cut in four again and again, its corners on the unit sphere."""
    points = [np.array(p, dtype=float) for p in np.vstack([np.eye(3), -np.eye(3)])]
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    for _ in range(levels):
        middle: dict[tuple[int, int], int] = {}

        def between(a, b, middle=middle):
            key = (min(a, b), max(a, b))
            if key not in middle:
                middle[key] = len(points)
                points.append((points[a] + points[b]) / np.linalg.norm(points[a] + points[b]))
            return middle[key]

        cut = [(a, b, c, between(a, b), between(b, c), between(c, a)) for a, b, c in faces]
        faces = [t for a, b, c, x, y, z in cut for t in ((a, x, z), (x, b, y), (z, y, c), (x, y, z))]
    return np.array(points), np.array(faces)


def test_a_cube_of_triangles_is_a_box():
    assert_same_body(mesh_body(CUBE_CORNERS, CUBE_FACES, density=2.0), box((1, 1, 1), density=2, placement=(0.5,) * 3))


@given(st.integers(0, 2**32 - 1))
def test_a_mesh_is_the_same_body_wherever_it_is_moved(seed):
    rng = np.random.default_rng(seed)
    stretch, place = rng.uniform(0.2, 2, 3), random_placement(rng, 5.0)
    moved = CUBE_CORNERS * stretch @ np.array(place.rotation).T + place.position
    expected = box(stretch, mass=3.0, placement=stretch / 2).moved(place)
    assert_same_body(mesh_body(moved, CUBE_FACES, mass=3.0), expected, 1e-11)


def test_a_fine_mesh_of_a_ball_is_nearly_a_sphere():
    body = mesh_body(*ball(5), density=1.0)
    assert_allclose(body.mass, 4 / 3 * np.pi, rtol=2e-3)
    assert_allclose(body.inertia, sphere(1.0, density=1.0).inertia, atol=5e-3)


def test_a_mesh_inside_out_is_turned_round():
    flipped = mesh_body(CUBE_CORNERS, CUBE_FACES[:, ::-1], density=2.0)
    assert_same_body(flipped, mesh_body(CUBE_CORNERS, CUBE_FACES, density=2.0))
    assert_same_body(mesh_body(CUBE_CORNERS, CUBE_FACES[:, ::-1], mass=2.0), box((1, 1, 1), 2.0, placement=(0.5,) * 3))


def test_two_separate_cubes_are_one_body():
    corners = np.vstack([CUBE_CORNERS, CUBE_CORNERS + 10])
    both = mesh_body(corners, np.vstack([CUBE_FACES, CUBE_FACES + 8]), density=1.0)
    assert_allclose((both.mass, *both.com), (2.0, 5.5, 5.5, 5.5))


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (CUBE_CORNERS, CUBE_FACES[1:], "mesh is not closed: 3 of 18 edges are open"),
        (CUBE_CORNERS, [CUBE_FACES[0][::-1], *CUBE_FACES[1:]], "mesh is not consistently oriented: 3 of 18 edges"),
        (CUBE_CORNERS, CUBE_FACES + 1, "vertex indices 1 to 8, but there are vertices 0 to 7 only"),
        (CUBE_CORNERS, CUBE_FACES * 1.0, "whole numbers as faces"),
        (CUBE_CORNERS[:, :2], CUBE_FACES, r"needs vertices \(n, 3\) and faces \(m, 3\), got \(8, 2\)"),
        (CUBE_CORNERS, np.zeros((0, 3), int), "mesh has no triangles"),
        (np.where(CUBE_CORNERS == 1, np.nan, 0), CUBE_FACES, "mesh has 7 vertices that are not finite"),
        (CUBE_CORNERS * (1, 1, 0), CUBE_FACES, "mesh encloses no volume"),
    ],
)
def test_broken_meshes_are_refused_in_words(vertices, faces, words):
    with pytest.raises(ModelError, match=words):
        mesh_body(vertices, faces, density=1.0)


def test_a_mesh_needs_mass_or_density():
    with pytest.raises(ModelError, match=r"mesh needs either mass= .* got neither"):
        mesh_body(CUBE_CORNERS, CUBE_FACES)


def write_stl_binary(path: Path, header: bytes = b"") -> None:
    triangles = CUBE_CORNERS[CUBE_FACES]
    rows = [struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0) for corners in triangles]
    path.write_bytes(header.ljust(80, b" ") + struct.pack("<I", len(rows)) + b"".join(rows))


def one_triangle(number: float) -> bytes:
    """A binary STL file with that number in its second corner."""
    return b" " * 80 + struct.pack("<I12fH", 1, 0, 0, 1, 0, 0, 0, 1, number, 0, 0, 1, 0, 0)


def write_stl_text(path: Path) -> None:
    lines = ["solid cube"]
    for corners in CUBE_CORNERS[CUBE_FACES]:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {x} {y} {z:e}" for x, y, z in corners] + [" endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid cube", ""]))


def write_obj(path: Path) -> None:
    quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (-7, -3, -1, -5)]
    lines = ["# a cube", "o cube", *(f"v {x} {y} {z}" for x, y, z in CUBE_CORNERS), "vn 0 0 1", ""]
    path.write_text("\n".join(lines + ["f " + " ".join(f"{i}//1" for i in quad) for quad in quads]))


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("cube.stl", write_stl_binary),
        ("solid.STL", lambda path: write_stl_binary(path, b"solid cube")),
        ("text.stl", write_stl_text),
        ("cube.obj", write_obj),
    ],
)
def test_every_mesh_format_gives_the_same_cube(tmp_path, name, write):
    write(tmp_path / name)
    vertices, faces = read_mesh(tmp_path / name)
    assert vertices.shape == (8, 3)
    assert faces.shape == (12, 3)
    millimetres = mesh_file_body(tmp_path / name, density=1000.0, scale=0.001)
    assert_same_body(millimetres, box((0.001,) * 3, density=1000.0, placement=(0.0005,) * 3))
    assert_same_body(
        mesh_file_body(tmp_path / name, mass=1.0, scale=(1, 1, -2)), box((1, 1, 2), 1, None, (0.5, 0.5, -1))
    )


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.stl", b"", "empty.stl: the mesh file is empty"),
        ("short.stl", b"x" * 20, "short.stl: not an STL file: 20 bytes, but a binary one has at least 84"),
        ("cut.stl", b" " * 80 + b"\x05\0\0\0" + b"\0" * 60, "its header tells of 5 triangles, 334 bytes; it has 144"),
        ("odd.stl", b"solid x\nvertex 0 0 0\nvertex 1 0 0\n", "2 vertices do not make triangles"),
        ("word.stl", b"solid x\nvertex 0 0 a\n", "every 'vertex' line needs 3 finite numbers"),
        ("nan.obj", b"v 0 0 nan\nv 0 0 0\nv 1 1 1\nf 1 2 3\n", "every 'v' line needs 3 finite numbers"),
        ("two.obj", b"v 0 0\nf 1 1 1\n", "every 'v' line needs 3 finite numbers"),
        ("face.obj", b"v 0 0 0\nf 1 1 1\nf 1 1\n", "face.obj:3: a face needs at least three vertices, got 2"),
        ("index.obj", b"v 0 0 0\nf 1 1 x\n", "index.obj:2: a face has the vertex 'x'; expected a vertex number"),
        ("zero.obj", b"v 0 0 0\nf 0 1 1\n", "zero.obj:2: a face has the vertex '0'"),
        ("far.obj", b"v 0 0 0\nf 1 1 9\n", "far.obj: a face names vertex 9, but there are 1"),
        ("none.obj", b"v 0 0 0\n", "none.obj: the mesh has no triangles"),
        ("none.stl", b" " * 80 + b"\0\0\0\0", "none.stl: the mesh has no triangles"),
        ("nan.stl", one_triangle(np.nan), "nan.stl: vertex 2 has a coordinate that is not a finite number"),
        ("infinite.stl", one_triangle(np.inf), "infinite.stl: vertex 2 has a coordinate that is not a finite number"),
        ("mesh.dae", b"<x/>", "mesh files end in .stl or .obj, got '.dae'"),
    ],
)
def test_broken_mesh_files_are_refused_in_words(tmp_path, name, data, words):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ModelError, match=words):
        mesh_file_body(tmp_path / name, mass=1.0)


def test_missing_and_huge_mesh_files_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ModelError, match="there is no such mesh file"):
        read_mesh(tmp_path / "no.stl")
    write_obj(tmp_path / "cube.obj")
    with pytest.raises(ModelError, match="scale must be one number or three, finite and not zero, got 0"):
        mesh_file_body(tmp_path / "cube.obj", mass=1.0, scale=0)
    monkeypatch.setattr(mesh_files, "LARGEST_FILE", 100)
    with pytest.raises(ModelError, match="the mesh file is larger than 100 bytes"):
        read_mesh(tmp_path / "cube.obj")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX systems only")
def test_folders_and_pipes_in_the_place_of_mesh_files_are_named_and_links_are_followed(tmp_path):
    (tmp_path / "folder.stl").mkdir()
    with pytest.raises(ModelError, match=r"folder\.stl: cannot read the mesh file: it is a directory"):
        read_mesh(tmp_path / "folder.stl")
    os.mkfifo(tmp_path / "pipe.obj")
    with pytest.raises(ModelError, match=r"pipe\.obj: cannot read the mesh file: it is a pipe, expected"):
        read_mesh(tmp_path / "pipe.obj")
    write_obj(tmp_path / "cube.obj")
    (tmp_path / "link.obj").symlink_to("cube.obj")
    assert len(read_mesh(tmp_path / "link.obj")[1]) == 12
    with pytest.raises(ArgumentError, match="cannot read a mesh: expected the path of a file, got 5"):
        read_mesh(5)
