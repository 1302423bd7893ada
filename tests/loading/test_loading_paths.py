"""Paths inside robot files stay inside the allowed folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from soadyn.errors import ModelError
from soadyn.loading import meshes, resolve_package_path
from urdf_cases import ARM

TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """ws/arm_description/{urdf/arm.urdf, meshes/link.obj}, ws/other/meshes/tool.obj, secret.obj."""
    for name in ("ws/arm_description/urdf", "ws/arm_description/meshes", "ws/other/meshes"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ws/arm_description/urdf/arm.urdf").write_text(ARM)
    (tmp_path / "ws/arm_description/urdf/near.obj").write_text(TRIANGLES)
    (tmp_path / "ws/arm_description/meshes/link.obj").write_text(TRIANGLES)
    (tmp_path / "ws/other/meshes/tool.obj").write_text(TRIANGLES)
    (tmp_path / "secret.obj").write_text(TRIANGLES)
    return tmp_path


def test_addresses_that_stay_inside_resolve(package: Path) -> None:
    urdf, ws = package / "ws/arm_description/urdf/arm.urdf", package / "ws"
    link, tool, near = ws / "arm_description/meshes/link.obj", ws / "other/meshes/tool.obj", urdf.parent / "near.obj"
    assert resolve_package_path("package://arm_description/meshes/link.obj", urdf) == link.resolve()
    assert resolve_package_path("package://arm_description/meshes/link.obj", urdf, [ws]) == link.resolve()
    assert resolve_package_path("package://other/meshes/tool.obj", urdf, [ws]) == tool.resolve()
    assert resolve_package_path("package://other/meshes/tool.obj", urdf, [ws / "other"]) == tool.resolve()
    assert resolve_package_path("near.obj", urdf) == near.resolve()
    assert resolve_package_path(near.as_uri(), urdf) == near.resolve()
    assert resolve_package_path("../meshes/link.obj", urdf, [ws]) == link.resolve()
    assert resolve_package_path(str(link), urdf, [str(ws)]) == link.resolve()


@pytest.mark.parametrize(
    "uri",
    [
        "../../../secret.obj",
        "../meshes/link.obj",
        "package://arm_description/../../secret.obj",
        "package://arm_description/../other/meshes/tool.obj",
        "/etc/passwd",
        "file:///etc/passwd",
        "file:///etc/%70asswd",
        "file://../../../secret.obj",
        "package://arm_description//etc/passwd",
    ],
)
def test_paths_that_leave_are_refused(uri: str, package: Path) -> None:
    with pytest.raises(
        ModelError, match=r"path '.*' leaves the allowed folders \(.*\); name its folder in package_roots"
    ):
        resolve_package_path(uri, package / "ws/arm_description/urdf/arm.urdf")


@pytest.mark.parametrize("uri", ["package://../secret.obj", "package://other/../../secret.obj"])
def test_paths_that_leave_the_given_roots_are_refused(uri: str, package: Path) -> None:
    with pytest.raises(ModelError, match="leaves the allowed folders"):
        resolve_package_path(uri, package / "ws/arm_description/urdf/arm.urdf", [package / "ws"])


def test_links_that_lead_out_are_refused(package: Path) -> None:
    urdf = package / "ws/arm_description/urdf/arm.urdf"
    (urdf.parent / "sly.obj").symlink_to(package / "secret.obj")
    with pytest.raises(ModelError, match=r"path 'sly\.obj' leaves the allowed folders"):
        resolve_package_path("sly.obj", urdf)


def test_circles_of_links_are_refused(package: Path) -> None:
    urdf = package / "ws/arm_description/urdf/arm.urdf"
    (urdf.parent / "loop.obj").symlink_to(urdf.parent / "loop.obj")
    with pytest.raises(ModelError, match=r"leaves the allowed folders|no file for"):
        resolve_package_path("loop.obj", urdf)


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("package://other/meshes/tool.obj", "is in package 'other', and the robot file is not; give the folder"),
        ("missing.obj", r"no file for 'missing\.obj'; looked for .*missing\.obj"),
        ("https://example.org/a.obj", "is neither a path nor a package:// or file:// address"),
        ("model://arm/a.obj", "is neither a path nor"),
        ("a\0b", r"'a\\x00b' is not a path"),
        ("", "'' is not a path"),
        (".", "no file for"),
    ],
)
def test_addresses_without_a_file_are_explained(uri: str, words: str, package: Path) -> None:
    with pytest.raises(ModelError, match=words):
        resolve_package_path(uri, package / "ws/arm_description/urdf/arm.urdf")


def with_mesh(filename: str) -> str:
    shape = f'<origin xyz="0 0 1"/><geometry><mesh filename="{filename}" scale="0.001 0.001 0.001"/></geometry>'
    return ARM.replace('<link name="base"/>', f'<link name="base">\n<visual>{shape}</visual></link>')


def test_meshes_are_listed_with_link_file_scale_and_place(package: Path) -> None:
    urdf = package / "ws/arm_description/urdf/arm.urdf"
    urdf.write_text(with_mesh("package://arm_description/meshes/link.obj"))
    (mesh,) = meshes(urdf)
    assert (mesh.link, mesh.scale, mesh.role) == ("base", (0.001, 0.001, 0.001), "visual")
    assert mesh.path == (package / "ws/arm_description/meshes/link.obj").resolve()
    assert mesh.where.endswith("arm.urdf:3")
    assert mesh.placement.position == (0.0, 0.0, 1.0)


def test_a_mesh_outside_is_refused_with_its_line(package: Path) -> None:
    urdf = package / "ws/arm_description/urdf/arm.urdf"
    urdf.write_text(with_mesh("../../../secret.obj"))
    with pytest.raises(ModelError, match=r"arm\.urdf:3: path '\.\./\.\./\.\./secret\.obj' leaves the allowed folders"):
        meshes(urdf)


def test_meshes_of_other_formats_are_refused(package: Path) -> None:
    file = package / "m.xml"
    file.write_text("<mujoco/>")
    with pytest.raises(ModelError, match=r"m\.xml:1: the root element is <mujoco>; meshes are read from URDF"):
        meshes(file)
