"""The numbers of a model that programs compute with, in the frames they use.

The sweeps see each link from a private frame (see `private_frames`); `link_frame` leads from it to the public one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from soadyn.engine.constants.pivot_loads import NO_LOAD, set_loads
from soadyn.engine.constants.private_frames import private_frames
from soadyn.mechanics.joint import JointKind
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.model.model import Frame, Model


@final
@dataclass(frozen=True, slots=True, eq=False)
class LinkConstants:
    """One link's constants; `dofs` is its slice of v, `coordinates` of q, `row` its number among the visible links."""

    index: int
    name: str
    joint_name: str
    kind: JointKind
    parent: int
    children: tuple[int, ...]
    coordinates: slice
    dofs: slice
    row: int | None
    placement: Transform
    pitch: float
    start: float
    link_frame: Transform
    M: Inertia
    A_r: Array
    load: Array  # (..., 3): see `pivot_loads`


@final
@dataclass(frozen=True, slots=True, eq=False)
class Constants:
    """A model's constants, each link's frame `slid` along its axis or at the joint.

    `links`, if given, replace the model's own. `known`: inertias and placements are numbers, not parameters whose
    values come with a call.
    """

    model: Model
    gravity: Array
    slid: bool = False
    links: tuple[LinkConstants, ...] | None = None
    known: bool = True
    _derived: dict[Any, Any] = field(default_factory=dict, init=False, compare=False)

    @property
    def moving(self) -> tuple[LinkConstants, ...]:
        """The links' constants, `moving[k-1]` those of link k; the ground, link 0, has none.

        They are made when first asked for: most calls compute with regrouped ones alone (see `regrouping`).
        """
        if self.links is not None:
            return self.links
        links: tuple[LinkConstants, ...] = self.derived("links", lambda: tuple(links_of(self.model, self.slid)))
        return links

    def derived(self, what: Any, make: Callable[[], Any]) -> Any:
        """What `make` makes of these constants, made once; kept as long as they are, under `what` it is."""
        if what not in self._derived:
            self._derived[what] = make()
        return self._derived[what]

    def place(self, frame: Frame) -> Transform:
        """A public frame as seen from the private frame of its link."""
        placement = frame.placement.transform()
        return self.moving[frame.link - 1].link_frame.then(placement) if frame.link else placement


def constants_of(model: Model, slid: bool = False) -> Constants:
    """The constants of a model, every link's axis turned onto z."""
    return Constants(model, np.array(model.gravity)[:, None], slid)


def links_of(model: Model, slid: bool) -> list[LinkConstants]:
    """The constants of a model's links, their frames `slid` along the axes or at the joints."""
    frames = private_frames(model, slid)
    links: list[LinkConstants] = []
    for k, (body, joint, parent) in enumerate(zip(model.links, model.joints, model.parents, strict=True), start=1):
        inertia = Inertia.at_mass_centre(body.mass, np.array(body.com), np.array(body.inertia))
        frame = frames[k]
        M = frame.link_frame.shift(inertia)
        links.append(
            LinkConstants(
                index=k,
                name=body.name,
                joint_name=joint.name,
                kind=joint.behaviour,
                parent=parent,
                children=model.children[k],
                coordinates=model.q_slices[k - 1],
                dofs=model.v_slices[k - 1],
                row=model.rows.get(k),
                placement=frame.placement,
                pitch=joint.pitch,
                start=frame.start,
                link_frame=frame.link_frame,
                M=M.without_rounding(M.sizes()),
                A_r=np.diag(joint.armature),
                load=NO_LOAD,
            )
        )
    set_loads(links, known=True)
    return links
