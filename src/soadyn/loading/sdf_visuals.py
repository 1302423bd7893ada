"""What an SDF model's <visual> elements show; a bad one is noted, never a reason to refuse a robot."""

from __future__ import annotations

from pathlib import Path

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.sdf_frames import Frames, Scope
from soadyn.loading.sdf_values import name_in, pose_in, real_in, reals, vector_in
from soadyn.loading.source import Source
from soadyn.loading.values import child, text
from soadyn.loading.visuals import Colour, mesh_address
from soadyn.model.draft import Draft
from soadyn.model.placement import Vector3
from soadyn.model.visuals import Visual, VisualKind


def add_sdf_visuals(draft: Draft, scopes: list[Scope], frames: Frames, source: Source, roots: tuple[Path, ...]) -> None:
    """Put the shapes of a model, and of those nested in it, into its draft."""
    for scope in scopes:
        for link in scope.model.all("link"):
            for visual in link.all("visual"):
                try:
                    draft.visuals.append(_visual(scope.full(text(link, "name")), visual, scope, frames, source, roots))
                except ModelError as error:
                    draft.notes.append(f"{error} (not shown)")


def _visual(
    link: str, visual: Element, scope: Scope, frames: Frames, source: Source, roots: tuple[Path, ...]
) -> Visual:
    owner = f"link {link!r}"
    pose = visual.only("pose")
    placement = pose_in(pose, owner)
    if pose is not None and (other := pose.attributes.get("relative_to")):
        placement = frames.between(link, frames.find(scope, other, pose.where)).then(placement)
    geometry = child(visual, "geometry")
    if len(geometry.children) != 1:
        raise ModelError(f"{visual.where}: <geometry> of {owner} has {len(geometry.children)} shapes; expected one")
    shape = geometry.children[0]
    kind, size = _shape(shape, owner)
    uri = name_in(shape, "uri").replace("model://", "package://", 1) if kind == "mesh" else ""
    address = mesh_address(uri, shape, source, roots) if uri else None
    return Visual(link, kind, size, placement, _colour(visual, owner), address)


def _shape(shape: Element, owner: str) -> tuple[VisualKind, Vector3]:
    match shape.tag:
        case "box":
            return "box", vector_in(child(shape, "size"), (1.0, 1.0, 1.0), owner)
        case "cylinder":
            radius = real_in(shape, "radius", 1.0, owner)
            return "cylinder", (radius, radius, real_in(shape, "length", 1.0, owner))
        case "sphere":
            radius = real_in(shape, "radius", 1.0, owner)
            return "sphere", (radius, radius, radius)
        case "mesh" if shape.only("submesh") is None:
            scale = shape.only("scale")
            return "mesh", (1.0, 1.0, 1.0) if scale is None else vector_in(scale, (1.0, 1.0, 1.0), owner)
        case "mesh":
            raise ModelError(f"{shape.where}: {owner} has the shape <submesh>; expected a whole mesh")
    raise ModelError(f"{shape.where}: {owner} has the shape <{shape.tag}>; expected box, cylinder, sphere or mesh")


def _colour(visual: Element, owner: str) -> Colour | None:
    """The diffuse colour, else the ambient one."""
    material = visual.only("material")
    said = None if material is None else material.only("diffuse") or material.only("ambient")
    if said is None or not said.text:
        return None
    red, green, blue, *opacity = (min(max(x, 0.0), 1.0) for x in reals(said, (3, 4), owner))
    return (red, green, blue, opacity[0] if opacity else 1.0)
