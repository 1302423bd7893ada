"""Geoms and meshes of an MJCF model that cannot change its dynamics: most robots' meshes need not even be read."""

from __future__ import annotations

from collections.abc import Iterator

from soadyn.loading.document import Element
from soadyn.loading.mjcf_words import UNUSED_ELEMENTS, asset_name

GEOM_REFERENCES = ("geom", "geom1", "geom2")


def idle_elements(model: Element) -> set[int]:
    """The ids of the geoms that no inertia is inferred from, and of the meshes that only they use.

    MuJoCo infers a body's inertia from its geoms only if the body has no <inertial>, and that of the ground never. A
    geom that another element names is not idle. Nor is any in a model with <attach>, which may move it to another body.
    """
    used = list(_used(model))
    if any(element.tag in ("attach", "model") for element in used) or _inferred_always(model):
        return set()
    named = {element.attributes[name] for element in used for name in GEOM_REFERENCES if name in element.attributes}
    geoms = {
        id(geom)
        for body in used
        if body.tag == "worldbody" or (body.tag == "body" and body.all("inertial"))
        for geom in _own_geoms(body)
        if geom.attributes.get("name") not in named
    }
    shapes = {element.attributes.get("mesh") for element in used if id(element) not in geoms}
    meshes = {id(mesh) for asset in model.all("asset") for mesh in asset.all("mesh") if asset_name(mesh) not in shapes}
    return geoms | meshes


def _used(model: Element) -> Iterator[Element]:
    waiting = [model]
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(child for child in element.children if child.tag not in UNUSED_ELEMENTS)


def _inferred_always(model: Element) -> bool:
    return any(compiler.attributes.get("inertiafromgeom") == "true" for compiler in model.all("compiler"))


def _own_geoms(body: Element) -> Iterator[Element]:
    """A body's geoms; those in a <frame> or <replicate> are the body's too."""
    waiting = list(body.children)
    while waiting:
        element = waiting.pop()
        if element.tag == "geom":
            yield element
        elif element.tag in ("frame", "replicate"):
            waiting.extend(element.children)
