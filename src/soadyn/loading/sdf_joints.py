"""All joints of an SDF model: those that join links, and gearboxes, which couple two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.loading.document import Element
from soadyn.loading.left_out import left_out
from soadyn.loading.sdf_frames import WORLD, Frames, Scope
from soadyn.loading.sdf_joint import GEARBOX, gear_axis, joint_type, read_joint
from soadyn.loading.sdf_left_out import GEAR
from soadyn.loading.sdf_values import name_in, real_in
from soadyn.loading.values import text
from soadyn.model.draft import Draft, DraftCoupling, DraftJoint
from soadyn.model.placement import Vector3

Hinges = Mapping[frozenset[str | None], DraftJoint]  # by the links that they join
HINGES = ("revolute", "continuous")
PARALLEL = 0.999  # the cosine of axes that are meant to be one: files round their angles


@final
@dataclass(frozen=True, slots=True)
class SdfJoints:
    """The <joint> elements of a model and of those nested in it; `in_model`: axes are along the model's axes."""

    scopes: list[Scope]
    frames: Frames
    in_model: bool

    def read(self) -> list[DraftJoint]:
        """The joints that join links."""
        return [read_joint(x, scope, self.frames, self.in_model) for x, scope in self._of(gears=False)]

    def add_couplings(self, draft: Draft) -> None:
        """Couple the hinges of each gearbox; what is no pair of hinges of the tree is left out."""
        hinges = {frozenset((x.parent, x.child)): x for x in draft.joints if x.kind in HINGES}
        for element, scope in self._of(gears=True):
            coupling = self._coupling(element, scope, hinges)
            if coupling is None:
                draft.left_out.append(left_out(GEAR, element))
            else:
                draft.closures.append(coupling)

    def _of(self, gears: bool) -> list[tuple[Element, Scope]]:
        found = [(x, scope) for scope in self.scopes for x in scope.model.all("joint")]
        return [(x, scope) for x, scope in found if (joint_type(x) == GEARBOX) == gears]

    def _coupling(self, element: Element, scope: Scope, hinges: Hinges) -> DraftCoupling | None:
        """theta_2 + ratio theta_1 = 0.

        theta_1 turns the parent, theta_2 the child, both from the reference body, about <axis> and <axis2>.
        """
        name = scope.full(text(element, "name"))
        ratio = real_in(element, "gearbox_ratio", 1.0, f"joint {name!r}")
        base = self._link(element, "gearbox_reference_body", scope)
        terms: dict[str, float] = {}
        for end, tag, factor in (("parent", "axis", ratio), ("child", "axis2", 1.0)):
            body = self._link(element, end, scope)
            hinge = hinges.get(frozenset((base, body)))
            if hinge is None:
                return None
            axis = gear_axis(element, tag, scope, self.frames, self.in_model)
            same = float(self._along(name, axis, base) @ self._along(hinge.name, hinge.axis, base))
            if abs(same) < PARALLEL:
                return None
            terms[hinge.name] = factor if (same > 0) == (hinge.parent == base) else -factor
        return DraftCoupling(name, terms, where=element.where) if len(terms) == 2 else None

    def _link(self, element: Element, tag: str, scope: Scope) -> str | None:
        return self.frames.link_of(self.frames.find(scope, name_in(element, tag), element.where))

    def _along(self, joint: str, axis: Vector3, base: str | None) -> np.ndarray:
        """A unit vector along an axis of a joint, in the frame of the base."""
        direction = np.array(self.frames.between(base or WORLD, joint).rotation) @ axis
        return direction / np.linalg.norm(direction)
