"""Robots made in code: a Builder that checks each call, and ready-made chains and snakes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, final

import numpy as np

from soadyn.errors import ArgumentError, ModelError, unknown_name
from soadyn.model.assemble import MimicRule, Root, assemble, elementary_joints
from soadyn.model.bodies import Body, checked_amount
from soadyn.model.checks import check_joint
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink, Mimic
from soadyn.model.model import Model
from soadyn.model.placement import Placement, Vector3, vector3
from soadyn.model.poses import Pose, as_placement, finite3
from soadyn.model.shapes import capsule, cylinder
from soadyn.spatial.rotation import onto

if TYPE_CHECKING:
    from soadyn.robot import Robot

STANDARD_GRAVITY: Vector3 = (0.0, 0.0, -9.81)
ALONG_X = Placement.of([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # turns a shape along z into one along x
PITCH_AND_YAW: tuple[Vector3, ...] = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

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


@final
class Builder:
    """Collects links, joints and frames; every call checks what it is given. `robot()` makes the robot.

    >>> from soadyn.model.shapes import rod
    >>> b = Builder("double pendulum")
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

        >>> Builder("slider").link("cart", Body(1.0), joint="prismatic", axis=(1, 0, 0), lower=-1.0, upper=1.0)
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

        >>> Builder("satellite").fixed("bus", Body(100.0))
        'bus'
        """
        return self.link(name, body, parent, "fixed", origin=origin, joint_name=joint_name)

    def frame(self, name: str, link: str | None, placement: Pose = None) -> str:
        """Add a named frame fixed in a link (None: in the ground); returns its name.

        >>> Builder("empty").frame("camera", None, (0, 0, 1))
        'camera'
        """
        self._check_new(name, "frame")
        if link is not None:
            self._check_link(link, f"frame {name!r}: ")
        self._draft.frames.append(DraftFrame(name, link, as_placement(placement, f"placement of frame {name!r}")))
        self._names.add(name)
        return name

    def draft(self) -> Draft:
        """What was collected so far, as a draft of its own.

        >>> Builder("empty").draft().links
        []
        """
        d = self._draft
        return Draft(d.name, list(d.links), list(d.joints), list(d.frames), d.gravity)

    def model(self, root: Root = "fixed", mimic: MimicRule = "independent", strict: bool = False) -> Model:
        """The description that a robot computes with, without its methods: links, joints, masses, names.

        `robot()` makes a robot of it. `root="free"` puts a free joint in place of the first link's weld to the ground.

        >>> b = Builder("satellite")
        >>> _ = b.fixed("bus", Body(100.0))
        >>> b.model(root="free").nv
        6
        """
        return assemble(self.draft(), root, mimic, strict)

    if TYPE_CHECKING:  # `robot.sources` adds it, because a model knows nothing of robots

        def robot(self, root: Root = "fixed", mimic: MimicRule = "independent", strict: bool = False) -> Robot: ...

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


def chain(
    n: int,
    kind: str | Sequence[str] = "revolute",
    axes: Sequence[Any] = PITCH_AND_YAW,
    length: float = 1.0,
    mass: float = 1.0,
    radius: float | None = None,
    base: Body | None = None,
    name: str | None = None,
    gravity: Any = STANDARD_GRAVITY,
) -> Draft:
    """A chain of n equal links, each a uniform round rod along its x axis with its joint at its start.

    The joints' kinds and axes repeat the given ones in turn: by default revolute, about y and z (the second axis of a
    universal joint is across its first). A rod's radius is a
    tenth of its length unless given. The first joint stands on the ground, or on a root link `base` with the given
    body (needed for a free root). The end of the last rod is the frame `tip`.

    >>> assemble(chain(3)).joint_names
    ('joint_1', 'joint_2', 'joint_3')
    >>> assemble(chain(3, base=Body(10.0, inertia=np.eye(3))), root="free").nv
    9
    """
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 1:
        raise ArgumentError(f"a chain needs a whole number of links, one or more, got {n!r}")
    for what, given in (("kind", kind), ("axes", axes)):
        if not isinstance(given, Sequence | np.ndarray):
            raise ArgumentError(f"a chain's {what} must be a list, got {given!r}")
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if not kinds or not len(axes):
        raise ArgumentError("a chain needs at least one joint kind and one axis")
    step = checked_amount(length, "a chain's link length", "m", positive=True)
    body = cylinder(step / 10 if radius is None else radius, step, mass=mass).moved(ALONG_X).moved((step / 2, 0, 0))
    stand = None if base is None else ("base", base, 0.0)
    return _row([body] * int(n), step, kinds, axes, stand, name or f"chain_{n}", gravity)


def snake(n: int = 8, link_length: float = 0.15, link_mass: float = 0.5, gravity: Any = STANDARD_GRAVITY) -> Draft:
    """A snake robot of n capsules in a row along x: n - 1 joints, pitch and yaw in turn, at most 1.5 rad each way.

    Its first link, `link_0`, is a loose root: assemble with root="free". Capsules are 0.06 m thick.

    >>> assemble(snake(8), root="free").nv
    13
    """
    if not isinstance(n, int | np.integer) or n < 2:
        raise ArgumentError(f"a snake needs a whole number of links, two or more, got {n!r}")
    step = checked_amount(link_length, "a snake's link length", "m", positive=True)
    body = capsule(0.03, step, mass=link_mass).moved(ALONG_X).moved((step / 2, 0, 0))
    head = ("link_0", body, step)
    draft = _row([body] * (int(n) - 1), step, ["revolute"], PITCH_AND_YAW, head, f"snake_{n}", gravity)
    for joint in draft.joints:
        joint.lower, joint.upper, joint.effort = -1.5, 1.5, 10.0
    return draft


def _row(
    bodies: Sequence[Body],
    step: float,
    kinds: Sequence[str],
    axes: Sequence[Any],
    base: tuple[str, Body, float] | None,
    name: str,
    gravity: Any,
) -> Draft:
    """Links one behind the other along x; the base is a name, a body, and how far along it the first joint stands."""
    draft = Draft(name, gravity=finite3(gravity, f"gravity of robot {name!r} (m/s^2)"))
    parent, place, further = None, Placement(), Placement.of(None, (step, 0, 0))
    if base is not None:
        parent, body, reach = base
        place = Placement.of(None, (reach, 0, 0))
        draft.links.append(DraftLink(parent, body.mass, body.com, np.array(body.inertia)))
    directions = [finite3(axis, "a chain's axis") for axis in axes]
    repeated = zip(bodies, cycle(kinds), cycle(directions), strict=False)
    for k, (body, kind, axis) in enumerate(repeated, start=1):
        link = f"link_{k}"
        joint = DraftJoint(f"joint_{k}", kind, parent, link, place, axis)
        if kind == "universal":
            joint.axis2 = vector3(onto(np.array(axis) / np.linalg.norm(axis))[:, 0])
        draft.links.append(DraftLink(link, body.mass, body.com, np.array(body.inertia)))
        draft.joints.append(joint)
        parent, place = link, further
    draft.frames.append(DraftFrame("tip", parent, further))
    return draft
