"""What an SDF file describes and robots here do without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from soadyn.loading.document import Element
from soadyn.loading.left_out import LONGEST, left_out
from soadyn.loading.sdf_frames import Scope
from soadyn.loading.sdf_values import real_in, truth_in
from soadyn.model.draft import DraftJoint, LeftOut, LeftOutKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOST = LeftOutKind(
    "set of figures of a joint that closes a loop",
    "sets of figures of joints that close loops",
    "`<dynamics>` and `<limit>` of a joint that is cut",
    "the closure holds both links without friction, springs and limits",
)
GEAR = LeftOutKind(
    "gearbox without two hinges",
    "gearboxes without two hinges",
    '`<joint type="gearbox">` whose links do not hang on hinges about its axes on its reference body',
    "nothing couples its links",
)
STATIC = LeftOutKind(
    "static model", "static models", "`<static>` of a model with joints that move", "its root is fixed, its joints move"
)
WEIGHTLESS = LeftOutKind(
    "link without gravity", "links without gravity", "`<gravity>` false of a `<link>`", "it is heavy"
)
KINEMATIC = LeftOutKind(
    "kinematic link", "kinematic links", "`<kinematic>` true of a `<link>`", "it moves as the forces on it make it"
)
MEDIUM = LeftOutKind(
    "drag of a medium",
    "drags of media",
    "`<velocity_decay>`, `<enable_wind>`, `<fluid_added_mass>`",
    "nothing resists motion but the joints",
)
SECOND_MIMIC = LeftOutKind(
    "mimic of one axis of two",
    "mimics of one axis of two",
    '`<mimic>` of a joint with two axes, or with `axis="axis2"`',
    "the axis turns by itself",
)
WORLD_JOINT = LeftOutKind(
    "joint to the world",
    "joints to the world",
    'a `<joint>` whose parent is `world`, with `root="free"`',
    'root="free" was asked for',
    moves=False,
    matters=False,
)
OTHER = LeftOutKind(
    "other thing in the world",
    "other things in the world",
    "other `<model>`, `<include>`, `<actor>` in `<world>`",
    "nothing touches",
    moves=False,
    matters=False,
)
SDF_PLUGIN = LeftOutKind("plugin", "plugins", "`<plugin>`, `<gripper>`", "it does nothing", moves=False, matters=False)
SDF_UNKNOWN = LeftOutKind(
    "unknown element",
    "unknown elements",
    "any other element in `<model>`, `<link>`, `<inertial>`, `<joint>`, `<axis>`",
    "it is not an element of SDF and is not read",
    moves=False,
)
SDF_KINDS = (
    LOST,
    GEAR,
    STATIC,
    WEIGHTLESS,
    KINEMATIC,
    MEDIUM,
    SECOND_MIMIC,
    SDF_UNKNOWN,
    WORLD_JOINT,
    OTHER,
    SDF_PLUGIN,
)

# What is read, and what does not bear on dynamics: shapes, sensors, lights, how an engine solves.
KNOWN = {
    "model": _words(
        """link joint frame model pose static self_collide allow_auto_disable enable_wind plugin gripper"""
    ),
    "frame": _words("pose"),
    "link": _words("""
        pose inertial visual collision sensor gravity enable_wind self_collide kinematic must_be_base_link
        velocity_decay projector audio_sink audio_source battery light particle_emitter plugin
        """),
    "inertial": _words("pose mass inertia density auto_inertia_params fluid_added_mass"),
    "inertia": _words("ixx iyy izz ixy ixz iyz"),
    "joint": _words("""
        parent child pose axis axis2 physics sensor gearbox_ratio gearbox_reference_body thread_pitch screw_thread_pitch
        """),
    "axis": _words("xyz limit dynamics use_parent_model_frame mimic"),
    "axis2": _words("xyz limit dynamics use_parent_model_frame mimic"),
    "limit": _words("lower upper effort velocity stiffness dissipation"),
    "dynamics": _words("damping friction spring_reference spring_stiffness"),
}


def left_out_of_sdf(document: Element, scopes: Iterable[Scope]) -> Iterator[LeftOut]:
    """What is not read of a robot's model, of the models nested in it, and of the world around it."""
    scopes = list(scopes)
    for place in (document, *document.all("world")):
        for element in place.children:
            if element.tag in ("include", "actor") or (element.tag == "model" and element is not scopes[0].model):
                yield left_out(OTHER, element)
    for scope in scopes:
        yield from _model(scope.model)


def _model(model: Element) -> Iterator[LeftOut]:
    joints = [joint for joint in model.all("joint") if joint.attributes.get("type") != "fixed"]
    if joints and truth_in(model, "static", False):
        yield left_out(STATIC, model)
    if truth_in(model, "enable_wind", False):
        yield left_out(MEDIUM, model, ", which feels the wind,")
    yield from _unknown(model)
    for plugin in (*model.all("plugin"), *model.all("gripper")):
        yield left_out(SDF_PLUGIN, plugin)
    for link in model.all("link"):
        yield from _link(link)
    for joint in model.all("joint"):
        yield from _joint(joint)
    for frame in model.all("frame"):
        yield from _unknown(frame)


def _link(link: Element) -> Iterator[LeftOut]:
    yield from _unknown(link)
    if not truth_in(link, "gravity", True):
        yield LeftOut(WEIGHTLESS, f"<gravity> of {link!s:.{LONGEST}}", link.where)
    if truth_in(link, "kinematic", False):
        yield LeftOut(KINEMATIC, f"<kinematic> of {link!s:.{LONGEST}}", link.where)
    if truth_in(link, "enable_wind", False):
        yield LeftOut(MEDIUM, f"<enable_wind> of {link!s:.{LONGEST}}", link.where)
    for decay in link.all("velocity_decay"):
        if real_in(decay, "linear", 0.0, str(link)) or real_in(decay, "angular", 0.0, str(link)):
            yield left_out(MEDIUM, decay, f" of {link}")
    for inertial in link.all("inertial"):
        yield from _unknown(inertial, f" of {link}")
        for added in inertial.all("fluid_added_mass"):
            yield left_out(MEDIUM, added, f" of {link}")
        for inertia in inertial.all("inertia"):
            yield from _unknown(inertia, f" of {link}")


def _joint(joint: Element) -> Iterator[LeftOut]:
    yield from _unknown(joint)
    axes = [axis for axis in joint.children if axis.tag in ("axis", "axis2")]
    for axis in axes:
        yield from _unknown(axis, f" of {joint}")
        for part in axis.children:
            if part.tag in ("limit", "dynamics"):
                yield from _unknown(part, f" of {joint}")
            elif part.tag == "mimic" and (len(axes) > 1 or part.attributes.get("axis", "axis") != "axis"):
                yield left_out(SECOND_MIMIC, part, f" of {joint}")


def _unknown(inside: Element, more: str = "") -> Iterator[LeftOut]:
    """Elements that are not known there; those with a namespace are other programs' own."""
    for element in inside.children:
        if element.tag not in KNOWN[inside.tag] and ":" not in element.tag:
            yield left_out(SDF_UNKNOWN, element, more or f" of {inside}")


def lost_figures(cuts: Iterable[DraftJoint]) -> Iterator[LeftOut]:
    """What a cut joint did beside holding its links together."""
    for joint in cuts:
        said = [name for name in ("damping", "friction", "stiffness") if np.any(getattr(joint, name))]
        said += ["limits"] * bool(np.isfinite(joint.lower).any() or np.isfinite(joint.upper).any())
        if said:
            what = f"{', '.join(said)} of joint {joint.name!r:.80}, which closes a loop,"
            yield LeftOut(LOST, what, joint.where)
