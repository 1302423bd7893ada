"""The mesh files that a URDF's links refer to, for inertias from meshes and for viewers."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, final

from soadyn.errors import ModelError
from soadyn.loading.document import Element, parse
from soadyn.loading.paths import Roots, resolve_package_path
from soadyn.loading.source import file_source
from soadyn.loading.urdf_origin import read_origin
from soadyn.loading.values import text, vector
from soadyn.model.placement import Placement, Vector3


@final
@dataclass(frozen=True, slots=True)
class MeshReference:
    """A mesh of a link: its file, how it is scaled, where it is said ("file:line"), how it lies in the link."""

    link: str
    path: Path
    scale: Vector3
    where: str
    role: Literal["visual", "collision"]
    placement: Placement


def meshes(path: str | PathLike[str], package_roots: Roots = ()) -> list[MeshReference]:
    """The meshes of a URDF file in its order; every file exists and lies in the allowed folders."""
    roots = tuple(package_roots)
    robot = parse(file_source(Path(path)))
    if robot.tag != "robot":
        raise ModelError(f"{robot.where}: the root element is <{robot.tag}>; meshes are read from URDF's <robot> only")
    return [
        _reference(link, shape, mesh, path, roots)
        for link in robot.all("link")
        for shape in link.children
        if shape.tag in ("visual", "collision")
        for geometry in shape.all("geometry")
        for mesh in geometry.all("mesh")
    ]


def _reference(
    link: Element, shape: Element, mesh: Element, file: str | PathLike[str], roots: tuple[str | PathLike[str], ...]
) -> MeshReference:
    name = text(link, "name")
    owner = f"link {name!r}"
    return MeshReference(
        link=name,
        path=resolve_package_path(text(mesh, "filename", owner), file, roots, where=mesh.where),
        scale=vector(mesh, "scale", (1.0, 1.0, 1.0), owner),
        where=mesh.where,
        role="visual" if shape.tag == "visual" else "collision",
        placement=read_origin(shape, owner),
    )
