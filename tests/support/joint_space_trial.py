"""A trial of whether a program's results depend only on what joints feel of the inertias."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.regrouping import grouped, grouping_of_joints
from soadyn.engine.reference import run as reference
from soadyn.engine.tracing.ports import Port, ports_of
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Model
from soadyn.programs.sweep.inputs import columns_of, is_frame, marked_by
from soadyn.programs.sweep.program import Program

# Results that differ by less of their largest entry are the same but for rounding.
SAME = 1e-10
InputOf = Callable[[Port, Model, np.random.Generator], Any]


def feels_only_joints(program: Program, constants: Constants, input_of: InputOf | None = None) -> bool:
    """Are a program's results the same if what joints do not feel is moved? Tried at a random state.

    Frames slide along their axes, and inertias of random size that joints do not feel are moved inward.
    """
    make = random_input if input_of is None else input_of
    rng = np.random.default_rng(0)
    inputs = {port.name: make(port, constants.model, rng) for port in ports_of(program, constants.model)[0]}
    moved = _otherwise_grouped(grouped(constants, grouping_of_joints(program)), rng)
    before, after = (reference.run(program, c, inputs, ())[0] for c in (constants, moved))
    return all(
        bool(np.abs(x - y).max(initial=0.0) <= SAME * np.abs(x).max(initial=0.0))
        for x, y in zip(before, after, strict=True)
    )


def _otherwise_grouped(constants: Constants, rng: np.random.Generator) -> Constants:
    """The robot with random inertias moved over its joints, about as large as its own."""
    inertias = [Inertia.zero(), *(link.M for link in constants.moving)]
    size = max(abs(M.dense()).max() for M in inertias)
    for link in reversed(constants.moving):
        J = rng.normal(size=(3, 3))
        anything = Inertia.at_mass_centre(size * rng.normal(), rng.normal(size=3), size * (J + J.T))
        moved = link.kind.unfelt(anything)
        inertias[link.index] -= moved
        inertias[link.parent] += link.placement.shift(moved)
    return replace(constants, links=tuple(replace(link, M=inertias[link.index]) for link in constants.moving))


def random_input(port: Port, model: Model, rng: np.random.Generator) -> Any:
    match port.name:
        case "q":
            joints = ((joint.behaviour, np.array(joint.lower), np.array(joint.upper)) for joint in model.joints)
            return np.concatenate([np.zeros(0), *(kind.random(rng, low, high, ()) for kind, low, high in joints)])
        case "passive":
            return np.arange(model.nv) % 2.0
        case name if is_frame(name):
            return model.n, Transform(np.eye(3), rng.normal(size=(3, 1)))
        case name if marked_by(name) is not None:
            return [0.0, *np.ones(model.n)]  # on all links, so that none is left out
        case name if columns_of(name) is not None:
            return rng.normal(size=(*port.shape, 1))
        case _:
            return rng.normal(size=port.shape)
