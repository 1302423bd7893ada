"""The inertias beside which a pivot D(k) is zero: constants of a robot.

D(k) = H P(k) H* + A_r is singular where it vanishes beside the numbers it was computed from. P(k) itself does not tell
how large they were: a massless link has P(k) = Σⱼ φ P⁺(j) φ*, differences that may be rounding errors and nothing else.
Its load does:

    moment(k) = tr J(k) + Σⱼ [ moment⁺(j) + |l(j)|² mass⁺(j) ],    mass(k) = m(k) + Σⱼ mass⁺(j)

moment⁺ and mass⁺ are the joint's armature if it turns about, or slides along, three axes: P⁺ has no rounding errors
then (see `crossing`). Otherwise they are moment and mass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array

if TYPE_CHECKING:
    from soadyn.engine.constants.constants import LinkConstants

NO_LOAD = np.zeros(3)
# A link whose own inertia along its joint is this part of its load cannot have a singular D(k).
REGULAR = 2.0**-14


def set_loads(links: list[LinkConstants], known: bool) -> None:
    """Gives the links of a list their loads (..., 3): moment, mass, and 1 if D(k) can be singular.

    Only where all constants are `known` numbers can it be excluded; the load is zero then.
    """
    moment: list[Any] = [0.0] * (len(links) + 1)
    mass: list[Any] = [0.0] * (len(links) + 1)
    for link in reversed(links):
        k, J, l = link.index, link.M.J, link.placement.l
        moment[k] = moment[k] + J[..., 0, 0] + J[..., 1, 1] + J[..., 2, 2]
        mass[k] = mass[k] + link.M.m[..., 0, 0]
        left = _left(link, (3, 4, 5), mass[k])
        moment[link.parent] = moment[link.parent] + _left(link, (0, 1, 2), moment[k]) + (l.mT @ l)[..., 0, 0] * left
        mass[link.parent] = mass[link.parent] + left
        load = np.stack(np.broadcast_arrays(moment[k], mass[k], 1.0), axis=-1)
        links[k - 1] = replace(link, load=NO_LOAD if known and _is_regular(link, load) else load)


def _left(link: LinkConstants, entries: tuple[int, ...], size: Any) -> Any:
    """What the joint leaves of a moment or a mass."""
    picks = link.kind.picks
    if not set(entries) <= set(picks):
        return size
    return sum(link.A_r[..., i, i] for i, entry in enumerate(picks) if entry in entries)


def _is_regular(link: LinkConstants, load: Array) -> bool:
    """Is the link's own inertia along its joint enough, whatever hangs on it?"""
    H = link.kind.H(link.kind.neutral(), np.asarray(link.pitch))
    own = H @ (link.M @ H.mT) + link.A_r
    size = np.array([load[0 if kind == "angular" else 1] for kind in link.kind.components])
    if not size.all():
        return False
    return bool(np.linalg.eigvalsh(own / np.sqrt(size * size[:, None]))[0] > REGULAR)
