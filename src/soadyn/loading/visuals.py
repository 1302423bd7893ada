"""What a URDF's <visual> elements show; a bad one is noted, never a reason to refuse a robot."""

from __future__ import annotations

import os
from pathlib import Path

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.source import Source
from soadyn.loading.urdf_origin import read_origin
from soadyn.loading.values import child, number, numbers, text, vector
from soadyn.model.draft import Draft
from soadyn.model.placement import Placement, Vector3
from soadyn.model.visuals import MeshAddress, Visual, VisualKind

Colour = tuple[float, float, float, float]


def add_visuals(draft: Draft, robot: Element, source: Source, roots: tuple[Path, ...]) -> None:
    """Put the shapes of a <robot> element into its draft."""
    colours = {name: material for material in robot.all("material") if (name := material.attributes.get("name"))}
    for link in robot.all("link"):
        for visual in link.all("visual"):
            try:
                draft.visuals.append(_visual(text(link, "name"), visual, colours, source, roots))
            except ModelError as error:
                draft.notes.append(f"{error} (not shown)")


def _visual(link: str, visual: Element, colours: dict[str, Element], source: Source, roots: tuple[Path, ...]) -> Visual:
    owner = f"link {link!r}"
    placement: Placement = read_origin(visual, owner)
    shapes = child(visual, "geometry").children
    if len(shapes) != 1:
        raise ModelError(f"{visual.where}: <geometry> of {owner} has {len(shapes)} shapes; expected one")
    kind, size = _shape(shapes[0], owner)
    address = mesh_address(text(shapes[0], "filename", owner), shapes[0], source, roots) if kind == "mesh" else None
    return Visual(link, kind, size, placement, _colour(visual, colours, owner), address)


def _shape(shape: Element, owner: str) -> tuple[VisualKind, Vector3]:
    match shape.tag:
        case "box":
            text(shape, "size", owner)
            return "box", vector(shape, "size", (0.0, 0.0, 0.0), owner)
        case "cylinder":
            radius = number(shape, "radius", owner=owner)
            return "cylinder", (radius, radius, number(shape, "length", owner=owner))
        case "sphere":
            radius = number(shape, "radius", owner=owner)
            return "sphere", (radius, radius, radius)
        case "mesh":
            return "mesh", vector(shape, "scale", (1.0, 1.0, 1.0), owner)
    raise ModelError(f"{shape.where}: {owner} has the shape <{shape.tag}>; expected box, cylinder, sphere or mesh")


def mesh_address(uri: str, mesh: Element, source: Source, roots: tuple[Path, ...]) -> MeshAddress | None:
    """None where there is no folder to look in: XML given as text, and files inside the package."""
    if source.path is None:
        return None
    return MeshAddress(uri, os.path.abspath(source.path), tuple(os.path.abspath(root) for root in roots), mesh.where)


def _colour(visual: Element, colours: dict[str, Element], owner: str) -> Colour | None:
    material = visual.only("material")
    if material is None:
        return None
    colour = material.only("color")
    if colour is None:
        named = colours.get(material.attributes.get("name", ""))
        colour = None if named is None else named.only("color")
    if colour is None:
        return None
    red, green, blue, opacity = (min(max(x, 0.0), 1.0) for x in numbers(colour, "rgba", (4,), owner))
    return (red, green, blue, opacity)
