"""Inputs of programs that the model itself supplies: where its closures hold on, coefficients of its couplings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.closures import Anchor, Closure, Coupling
from soadyn.model.model import Frame, Model
from soadyn.programs.sweep.inputs import is_supplied, marked_by
from soadyn.programs.sweep.program import Program

Supplied = dict[str, Any]


def supplied(program: Program, constants: Constants) -> Supplied:
    """What a program reads of the model's closures, in the form that the reference takes."""
    names = [name for name in program.inputs if is_supplied(name)]
    if not names:
        return {}
    anchors, vectors = _anchors(constants.model), _coefficients(constants.model)
    return {name: _value(name, constants, anchors, vectors) for name in names}


def _value(name: str, constants: Constants, anchors: list[Anchor], vectors: list[np.ndarray]) -> Any:
    number, model = int(name.partition("$")[2]), constants.model
    if name.startswith("coupling$"):
        return vectors[number]
    if name.startswith("at_home$"):
        home = model.homes[number] if model.homes else 0
        return [float(k == home > 0) for k in range(model.n + 1)]
    anchor = anchors[number]
    if marked_by(name) is None:
        return anchor.link, _place(constants, anchor)
    links: Iterable[int] = model.ancestors(anchor.link) if name.startswith("on_") else [anchor.link]
    marked = set(links)
    return [float(k in marked) for k in range(model.n + 1)]


def _place(constants: Constants, anchor: Anchor) -> Transform:
    return constants.place(Frame("", anchor.link, anchor.placement))


def _anchors(model: Model) -> list[Anchor]:
    """The frames x and y of every cut, in turn."""
    return [anchor for each in model.closures if isinstance(each, Closure) for anchor in (each.x, each.y)]


def _coefficients(model: Model) -> list[np.ndarray]:
    """For each coupling, and each power up to its degree, the coefficients of all joint components, (nv,)."""
    found = []
    for each in model.closures:
        if isinstance(each, Coupling):
            for power in range(max(len(poly) for _, poly in each.terms)):
                vector = np.zeros(model.nv)
                for joint, poly in each.terms:
                    vector[model.v_slices[joint - 1]] = poly[power] if power < len(poly) else 0.0
                found.append(vector)
    return found
