"""The frames of an SDF model and of the models nested in it, put in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.sdf_frames import MODEL, SEPARATOR, WORLD, Frames, Placed, Scope
from soadyn.loading.sdf_values import name_in, pose_in
from soadyn.loading.values import text
from soadyn.model.placement import Placement


def scopes_of(model: Element) -> Iterator[Scope]:
    """The model and those nested in it, outer ones first."""
    waiting = [Scope("", model)]
    while waiting:
        scope = waiting.pop()
        for include in scope.model.all("include"):
            raise ModelError(
                f"{include.where}: {scope.model} includes another file; gz sdf -p writes the whole model in one"
            )
        yield scope
        nested = scope.model.all("model")
        waiting += [Scope(scope.full(_name(x)) + SEPARATOR, x, scope) for x in reversed(nested)]


def frames_of(scopes: Iterable[Scope]) -> Frames:
    """The frames of all models: their own, and those of links, joints and frames."""
    frames = Frames()
    for scope in scopes:
        _put_model(scope, frames)
        for link in scope.model.all("link"):
            frames.put(scope.full(_name(link)), _placed(link, MODEL, None, scope))
        for frame in scope.model.all("frame"):
            attached = frame.attributes.get("attached_to") or MODEL
            frames.put(scope.full(_name(frame)), _placed(frame, attached, attached, scope))
        for joint in scope.model.all("joint"):
            child = name_in(joint, "child")
            frames.put(scope.full(_name(joint)), _placed(joint, child, child, scope))
    return frames


def _put_model(scope: Scope, frames: Frames) -> None:
    """A model's own frame moves with its canonical link, the first if it names none, or with its first nested model."""
    model = scope.model
    if model.attributes.get("placement_frame"):
        raise ModelError(f"{model.where}: {model} is placed by its placement_frame; only its own frame is read")
    links = [*model.all("link"), *model.all("model")]
    canonical = model.attributes.get("canonical_link") or (_name(links[0]) if links else WORLD)
    outside = scope.outer or Scope("", model)
    base, placement = _pose(model, MODEL if scope.outer else WORLD)
    if not scope.outer and base != WORLD:
        raise ModelError(f"{model.where}: {model} stands in frame {base!r:.40}; a robot must stand in the world")
    frames.put(scope.full(MODEL), Placed((outside, base), placement, (scope, canonical), model.where))


def _placed(element: Element, base: str, moves_with: str | None, scope: Scope) -> Placed:
    base, placement = _pose(element, base)
    moved = None if moves_with is None else (scope, moves_with)
    return Placed((scope, base), placement, moved, element.where)


def _pose(element: Element, base: str) -> tuple[str, Placement]:
    """What an element's <pose> says, and the frame it counts from: `base` unless it names another."""
    pose = element.only("pose")
    said = {} if pose is None else pose.attributes
    return said.get("relative_to") or said.get("frame") or base, pose_in(pose, str(element))


def _name(element: Element) -> str:
    """The name of something that has a frame, none of those that SDF keeps for itself."""
    name = text(element, "name")
    if name == WORLD or (name.startswith("__") and name.endswith("__")):
        raise ModelError(f"{element.where}: {element} has a name that SDF keeps for itself; expected another")
    return name
