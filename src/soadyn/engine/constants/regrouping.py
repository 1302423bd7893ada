"""Inertias regrouped: what a joint does not feel of its link is counted with the link inboard.

Let Δ(k) be a part of M(k) with H(k) Δ(k) = 0 which the joint's motion leaves as it is: mass on the axis of a revolute
joint, the moments of inertia beyond a prismatic one. It may as well be fixed to the inboard link,

    M(k) ← M(k) - Δ(k),    M(p) ← M(p) + φ(p,k) Δ(k) φ*(p,k)

and on the ground it is dropped. P H*, D and G stay the same, and with them all that is said of joints: forces,
accelerations, the mass matrix and its factors. What is left of M has many zeros (most links have no mass), which a
trace folds away. In identification these inertias are called base parameters.

P, R, forces on single links, mass centres, momenta and the potential energy do change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from soadyn.engine.cache.cached import kept_answer
from soadyn.engine.constants.constants import Constants, LinkConstants, links_of
from soadyn.engine.reference import run as reference
from soadyn.engine.tracing.ports import Port, ports_of
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Model
from soadyn.programs.sweep.inputs import columns_of, is_frame, marked_by
from soadyn.programs.sweep.program import Program

Grouping = Literal["as they are", "regrouped", "slid and regrouped"]

# Results that differ by less of their largest entry are the same but for rounding.
SAME = 1e-10


def constants_for(program: Program, constants: Constants) -> Constants:
    """The constants that a program computes with."""
    return grouped(constants, grouping_for(program, constants))


def grouping_for(program: Program, constants: Constants) -> Grouping:
    """How the inertias that a program computes with are grouped: as they are, unless its results are of joints alone.

    Frames slide along their axes then, unless the program is given frames, which are placed in those at the joints.
    """
    return _of_joints(program) if program.joint_space and constants.known else "as they are"


def _of_joints(program: Program) -> Grouping:
    return "regrouped" if any(map(is_frame, program.inputs)) else "slid and regrouped"


def grouped(constants: Constants, grouping: Grouping) -> Constants:
    """The constants with inertias grouped that way."""
    if grouping == "as they are":
        return constants
    make = regrouped if grouping == "regrouped" else _slid_and_regrouped
    found: Constants = constants.derived(grouping, lambda: make(constants))
    return found


def regrouped(constants: Constants) -> Constants:
    """The constants with what joints do not feel moved inward; pivots are still judged by the true inertias."""
    return replace(constants, links=_regroup(list(constants.moving)))


def _slid_and_regrouped(constants: Constants) -> Constants:
    return replace(constants, slid=True, links=_regroup(links_of(constants.model, slid=True)))


def _regroup(links: list[LinkConstants]) -> tuple[LinkConstants, ...]:
    """The links of the list regrouped. The list is emptied on the way: long chains are not held twice."""
    sums: dict[int, tuple[Inertia, tuple[float, float]]] = {}  # what links have by now, with the sizes of its parts
    done: list[LinkConstants] = []
    while links:
        link = links.pop()
        own = sums.pop(link.index, None)
        M, sizes = own or (link.M, link.M.sizes())
        unfelt = link.kind.unfelt(M)
        done.append(replace(link, M=(M - unfelt).without_rounding(sizes)))
        if p := link.parent:
            carried = link.placement.shift(unfelt)
            M, sizes = sums.get(p) or (links[p - 1].M, links[p - 1].M.sizes())
            J, mp = map(max, sizes, carried.sizes(), (M + carried).sizes())
            sums[p] = M + carried, (J, mp)
    return tuple(reversed(done))


def is_joint_space(program: Program, constants: Constants) -> bool:
    """Do a program's results depend only on what joints feel of the inertias? It is tried at a random state.

    The results must stay the same if frames slide along their axes, and if inertias of random size that joints do not
    feel are moved inward. What was found is kept on disk, beside machine code.
    """
    if program.joint_space or not constants.known:
        return program.joint_space
    answer = kept_answer(
        lambda: "yes" if _feels_only_joints(program, constants) else "no", "joint space", program, constants
    )
    return answer == "yes"


def _feels_only_joints(program: Program, constants: Constants) -> bool:
    rng = np.random.default_rng(0)
    inputs = {port.name: _random_input(port, constants.model, rng) for port in ports_of(program, constants.model)[0]}
    moved = _otherwise_grouped(grouped(constants, _of_joints(program)), rng)
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


def _random_input(port: Port, model: Model, rng: np.random.Generator) -> Any:
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
