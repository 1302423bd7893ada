"""Robots described in code, link by link: each call is checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from soadyn.errors import ArgumentError, ModelError, check_name, unknown_name
from soadyn.model.assemble import MimicRule, Root, assemble, elementary_joints
from soadyn.model.bodies import Body
from soadyn.model.checks import check_joint
from soadyn.model.closing import cut_of, frame_along
from soadyn.model.closures import Anchor
from soadyn.model.draft import Draft, DraftClosure, DraftCoupling, DraftFrame, DraftJoint, DraftLink, Mimic
from soadyn.model.model import GROUND, Model
from soadyn.model.placement import Placement, Vector3
from soadyn.model.poses import Pose, as_placement, finite3

STANDARD_GRAVITY: Vector3 = (0.0, 0.0, -9.81)

Figure = float | tuple[float, ...]  # one number for every component of a joint, or one each


class JointFigures(TypedDict, total=False):
    """What a joint may carry beyond its geometry; SI units, one number or one per component."""

    pitch: float
    armature: Figure
    damping: Figure
    friction: Figure
    stiffness: Figure
    rest: Figure | None
    lower: Figure
    upper: Figure
    velocity: Figure
    effort: Figure
    mimic: Mimic | None


FIGURES = frozenset(JointFigures.__annotations__)


class Drafting:
    """Collects links, joints and frames; every call checks what it is given. `sd.Builder` also makes a robot of them.

    >>> from soadyn.model.shapes import rod
    >>> b = Drafting("double pendulum")
    >>> upper = b.link("upper", rod((0, 0, 0), (0, 0, -1), mass=1.0), axis=(0, 1, 0))
    >>> lower = b.link("lower", rod((0, 0, 0), (0, 0, -1), mass=1.0), parent=upper, axis=(0, 1, 0), origin=(0, 0, -1))
    >>> b.frame("tip", lower, (0, 0, -1))
    'tip'
    >>> b.model().joint_names
    ('upper_joint', 'lower_joint')
    """

    def __init__(self, name: str, gravity: Any = STANDARD_GRAVITY) -> None:
        if not isinstance(name, str):
            raise ModelError(f"a robot's name must be a text, got {name!r}")
        self._draft = Draft(name, gravity=finite3(gravity, f"gravity of robot {name!r} (m/s^2)"))
        self._links: set[str] = set()
        self._names: set[str] = set()  # of links and frames, which share one list
        self._joints: set[str] = set()

    def __repr__(self) -> str:
        figures = f"{len(self._links)} links, {len(self._joints)} joints"
        return f"<{type(self).__name__} of {self._draft.name!r}: {figures}>"

    def link(
        self,
        name: str,
        body: Body | None = None,
        parent: str | None = None,
        joint: str = "revolute",
        axis: Any = (0.0, 0.0, 1.0),
        origin: Pose = None,
        offset: Pose = None,
        joint_name: str | None = None,
        axis2: Any = (0.0, 1.0, 0.0),
        **figures: Unpack[JointFigures],
    ) -> str:
        """Add a link and the joint it hangs on; returns the link's name.

        `parent` is a link added before, or None for the ground. `origin` places the joint in the parent, `offset` the
        link in the joint's outboard frame (position, 4x4 matrix or Placement). `joint` is a kind: revolute,
        continuous, prismatic, helical, cylindrical, universal, planar, spherical, free or fixed. The joint is called
        `<name>_joint` unless `joint_name` is given. Without a body the link is massless.

        >>> Drafting("slider").link("cart", Body(1.0), joint="prismatic", axis=(1, 0, 0), lower=-1.0, upper=1.0)
        'cart'
        """
        self._check_new(name, "link")
        if body is not None and not isinstance(body, Body):
            raise ModelError(f"link {name!r}: body must be a Body, got {type(body).__name__}")
        if parent is not None:
            self._check_link(parent, f"link {name!r}: ")
        drafted = self._joint(joint_name or f"{name}_joint", joint, parent, name, axis, axis2, origin, offset, figures)
        body = body or Body()
        self._draft.links.append(DraftLink(name, body.mass, body.com, np.array(body.inertia)))
        self._draft.joints.append(drafted)
        self._links.add(name)
        self._names.add(name)
        self._joints.add(drafted.name)
        return name

    def fixed(
        self,
        name: str,
        body: Body | None = None,
        parent: str | None = None,
        origin: Pose = None,
        joint_name: str | None = None,
    ) -> str:
        """Add a link welded to its parent: its mass joins the parent's, its name becomes a frame.

        Welded to the ground, its mass counts only in `model(root="free")`.

        >>> Drafting("satellite").fixed("bus", Body(100.0))
        'bus'
        """
        return self.link(name, body, parent, "fixed", origin=origin, joint_name=joint_name)

    def frame(self, name: str, link: str | None, placement: Pose = None) -> str:
        """Add a named frame fixed in a link (None: in the ground); returns its name.

        >>> Drafting("empty").frame("camera", None, (0, 0, 1))
        'camera'
        """
        self._check_new(name, "frame")
        if link is not None:
            self._check_link(link, f"frame {name!r}: ")
        self._draft.frames.append(DraftFrame(name, link, as_placement(placement, f"placement of frame {name!r}")))
        self._names.add(name)
        return name

    def loop(
        self,
        name: str,
        link: str | None,
        other: str | None,
        kind: str | None = None,
        origin: Pose = None,
        other_origin: Pose = None,
        axis: Any = None,
        other_axis: Any = None,
        free: Collection[str] | None = None,
        length: float | None = None,
        pitch: float | None = None,
        radius: float | None = None,
        keep: bool = False,
    ) -> str:
        """Close a loop: hold a frame of `other` at a frame of `link` (None: the ground); returns the closure's name.

        The frames are at `origin` in the link and `other_origin` in the other, their z along `axis` and `other_axis`
        (the same numbers unless given). `kind` is weld, ball, hinge, prismatic, cylindrical, planar, universal,
        "point on plane", "point on line", "parallel axes", distance (with its `length`), helical (`pitch`) or rolling
        (of a sphere of that `radius` about the other's origin, on the plane across z). Instead of a kind, `free` lists
        what is left free: of "x", "y", "z", "rx", "ry", "rz", along the axes of the link's frame.
        `keep`: rows that follow from others are not left out, see `Robot.closures`.

        >>> from soadyn.model.shapes import rod
        >>> b = Drafting("four-bar")
        >>> crank = b.link("crank", rod((0, 0, 0), (0.3, 0, 0), mass=1.0))
        >>> coupler = b.link("coupler", rod((0, 0, 0), (0.9, 0, 0), mass=1.0), crank, origin=(0.3, 0, 0))
        >>> rocker = b.link("rocker", rod((0, 0, 0), (0.7, 0, 0), mass=1.0), origin=(0.8, 0, 0))
        >>> b.loop("pin", coupler, rocker, "hinge", origin=(0.9, 0, 0), other_origin=(0.7, 0, 0))
        'pin'
        """
        what = f"closure {name!r}"
        self._check_new_closure(name)
        link, other = (None if end == GROUND and end not in self._links else end for end in (link, other))
        for end in (link, other):
            if end is not None:
                self._check_link(end, f"{what}: ")
        figures = {"length": length, "pitch": pitch, "radius": radius}
        places = (
            frame_along(origin, axis, what),
            frame_along(other_origin, axis if other_axis is None else other_axis, what),
        )
        cut_of(name, Anchor(0, places[0]), Anchor(0, places[1]), kind, free, figures, keep)
        drafted = DraftClosure(name, link, other, kind, free, *places, figures, keep)
        if drafted.link == drafted.other:
            raise ModelError(f"{what} joins {link or GROUND!r} to itself; its frames must move apart")
        self._draft.closures.append(drafted)
        return name

    def couple(self, name: str, terms: Mapping[str, float | Sequence[float]], keep: bool = False) -> str:
        """Couple joints with one coordinate each: the sum of their polynomials stays zero; returns the coupling's name.

        A joint's polynomial is a number, the factor of its coordinate, or the coefficients of 1, q, q^2 and so on.

        >>> b = Drafting("gear")
        >>> motor, crank = b.link("motor", Body(0.1)), b.link("crank", Body(1.0))
        >>> b.couple("gear", {"motor_joint": 1.0, "crank_joint": -50.0})
        'gear'
        """
        self._check_new_closure(name)
        if isinstance(terms, Mapping):
            for joint in terms:
                check_name("joint", joint, self._joints, f"coupling {name!r}")
        self._draft.closures.append(DraftCoupling(name, terms, keep))
        return name

    def _check_new_closure(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ModelError(f"a closure needs a name, got {name!r}")
        if any(name == closure.name for closure in self._draft.closures):
            raise ModelError(f"robot {self._draft.name!r} has a closure {name!r} already")

    def draft(self) -> Draft:
        """What was collected so far, as a draft of its own.

        >>> Drafting("empty").draft().links
        []
        """
        d = self._draft
        return Draft(d.name, list(d.links), list(d.joints), list(d.frames), d.gravity, closures=list(d.closures))

    def model(self, root: Root = "fixed", mimic: MimicRule = "independent", strict: bool = False) -> Model:
        """What a robot computes with, without its methods: links, joints, masses, names. `robot()` makes a robot of it.

        `root="free"` puts a free joint in place of the first link's weld to the ground.

        >>> b = Drafting("satellite")
        >>> _ = b.fixed("bus", Body(100.0))
        >>> b.model(root="free").nv
        6
        """
        return assemble(self.draft(), root, mimic, strict)

    def _joint(
        self,
        name: str,
        kind: str,
        parent: str | None,
        child: str,
        axis: Any,
        axis2: Any,
        origin: Pose,
        offset: Pose,
        figures: JointFigures,
    ) -> DraftJoint:
        if not isinstance(name, str):
            raise ModelError(f"a joint's name must be a text, got {name!r}")
        if name in self._joints:
            raise ModelError(f"robot {self._draft.name!r} has a joint {name!r} already; give another joint_name")
        if unknown := set(figures) - FIGURES:
            raise ArgumentError(f"joint {name!r}: {unknown_name('figure', min(unknown), sorted(FIGURES))}")
        mimic = figures.get("mimic")
        if mimic is not None and not isinstance(mimic, Mimic):
            raise ModelError(f"joint {name!r}: mimic must be a Mimic(leader, multiplier, offset), got {mimic!r}")
        what = f"joint {name!r}: "
        joint = DraftJoint(
            name,
            kind,
            parent,
            child,
            placement=as_placement(origin, f"{what}origin"),
            axis=finite3(axis, f"{what}axis"),
            axis2=finite3(axis2, f"{what}axis2"),
            offset=as_placement(offset, f"{what}offset"),
            **figures,
        )
        check_joint(joint)
        if kind != "fixed":
            elementary_joints(joint, Placement())  # counts the figures
        return joint

    def _check_new(self, name: str, what: str) -> None:
        if not isinstance(name, str) or not name:
            raise ModelError(f"a {what} needs a name, got {name!r}")
        if name in self._names:
            raise ModelError(f"robot {self._draft.name!r} has a link or frame {name!r} already")

    def _check_link(self, name: str, what: str) -> None:
        if not isinstance(name, str) or name not in self._links:
            raise ModelError(f"{what}{unknown_name('link', name, (link.name for link in self._draft.links))}")
