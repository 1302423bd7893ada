"""What an MJCF file describes and robots here do without: counted as MuJoCo has compiled it, placed as it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from soadyn.loading.document import Element
from soadyn.loading.left_out import (
    ACTUATOR,
    BALL_LIMIT,
    COMPENSATED,
    DEFORMABLE,
    FLAG,
    FLUID,
    MOCAP,
    PAIR,
    PLUGIN,
    POLYNOMIAL,
    TENDON,
    left_out,
)
from soadyn.loading.mjcf_joint import KINDS, RATES
from soadyn.loading.mjcf_names import Names
from soadyn.model.draft import LeftOut, LeftOutKind

# The section that holds a kind, the elements in it, and MuJoCo's count; no element names means any.
SECTIONS = (
    ("tendon", (), TENDON, "ntendon"),
    ("actuator", (), ACTUATOR, "nactuator"),
    ("contact", ("pair",), PAIR, "npair"),
)


def left_out_of_mjcf(compiled: Any, documents: list[Element], names: Names) -> Iterator[LeftOut]:
    """What is in MuJoCo's model and not in the draft."""
    for section, tags, kind, count in SECTIONS:
        found = [x for part in _named(documents, section) for x in part.children if not tags or x.tag in tags]
        yield from _counted(kind, found, getattr(compiled, count), names)
    everything = [element for document in documents for element in document.walk()]
    flexes = [x for x in everything if x.tag in ("flex", "flexcomp")]
    yield from _counted(DEFORMABLE, flexes, compiled.nflex, names)
    plugins = [x for x in everything if x.tag == "plugin" and "instance" not in x.attributes]
    yield from _counted(PLUGIN, plugins, compiled.nplugin, names)
    yield from _bodies(compiled, names)
    yield from _options(compiled, everything, names)
    yield from _joints(compiled, names)


def _named(documents: Iterable[Element], tag: str) -> Iterator[Element]:
    for document in documents:
        yield from document.all(tag)


def _counted(kind: LeftOutKind, found: list[Element], count: int, names: Names) -> Iterator[LeftOut]:
    """As many as MuJoCo has: a file that is never attached has some more, <replicate> and <attach> make some more."""
    for element in found[:count]:
        yield left_out(kind, element)
    for _ in range(count - len(found)):
        yield LeftOut(kind, f"{kind.one} made from other elements", names.file)


def _bodies(compiled: Any, names: Names) -> Iterator[LeftOut]:
    for kind, bodies in ((COMPENSATED, compiled.body_gravcomp), (MOCAP, compiled.body_mocapid + 1)):
        for body in np.flatnonzero(bodies).tolist():
            yield LeftOut(kind, f"{kind.one} {names.body[body]!r:.80}", names.where_body(body))


def _options(compiled: Any, everything: list[Element], names: Names) -> Iterator[LeftOut]:
    for figure in ("density", "viscosity"):
        if getattr(compiled, figure):
            yield LeftOut(FLUID, f"{figure} of the fluid around the robot", _place(everything, "option", figure, names))
    for flag in ("SPRING", "DAMPER", "FRICTIONLOSS"):
        if flag in compiled.facts["disabled"]:
            word = flag.lower()
            yield LeftOut(FLAG, f'flag {word}="disable"', _place(everything, "flag", word, names))


def _place(everything: list[Element], tag: str, attribute: str, names: Names) -> str:
    return next((x.where for x in everything if x.tag == tag and attribute in x.attributes), names.file)


def _joints(compiled: Any, names: Names) -> Iterator[LeftOut]:
    for joint in range(compiled.njnt):
        kind, what = KINDS[compiled.jnt_type[joint]], f"joint {names.joint[joint]!r:.80}"
        rates = slice(compiled.jnt_dofadr[joint], compiled.jnt_dofadr[joint] + RATES[kind])
        where = names.where_joint(joint)
        if kind in ("spherical", "free") and compiled.jnt_limited[joint]:
            yield LeftOut(BALL_LIMIT, f"the angle limit of ball {what}", where)
        if np.any(compiled.jnt_stiffnesspoly[joint]):
            yield LeftOut(POLYNOMIAL, f"the nonlinear spring of {what}", where)
        if np.any(compiled.dof_dampingpoly[rates]):
            yield LeftOut(POLYNOMIAL, f"the nonlinear damping of {what}", where)
