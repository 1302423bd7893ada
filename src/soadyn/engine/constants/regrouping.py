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
from typing import Literal

from soadyn.engine.constants.constants import Constants, LinkConstants, links_of
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.programs.sweep.inputs import is_frame
from soadyn.programs.sweep.program import Program

Grouping = Literal["as they are", "regrouped", "slid and regrouped"]


def constants_for(program: Program, constants: Constants) -> Constants:
    """The constants that a program computes with."""
    return grouped(constants, grouping_for(program, constants))


def grouping_for(program: Program, constants: Constants) -> Grouping:
    """How the inertias that a program computes with are grouped: as they are, unless its results are of joints alone.

    Frames slide along their axes then, unless the program is given frames, which are placed in those at the joints.
    """
    return grouping_of_joints(program) if program.joint_space and constants.known else "as they are"


def grouping_of_joints(program: Program) -> Grouping:
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
