"""Random robots for every test: trees over every joint kind, deterministic given the generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from soadyn.mechanics.joint import KINDS
from soadyn.mechanics.spatial.rotation import from_quaternion
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.draft import Draft, DraftFrame, DraftJoint, DraftLink
from soadyn.model.model import Model
from soadyn.model.placement import Placement, Vector3, vector3

Shape = Literal["tree", "serial", "star"]
SINGLE = ("revolute", "continuous", "prismatic", "helical")
ALL_KINDS = (*SINGLE, "cylindrical", "universal", "planar", "spherical")


def random_model(
    rng: np.random.Generator,
    n: int,
    kinds: Sequence[str] | None = None,
    shape: Shape = "tree",
    root: Literal["fixed", "free"] = "fixed",
    armature: bool = False,
    massless: float = 0.0,
    singular: bool = False,
    gravity: Any = "random",
    fixed_links: float = 0.2,
) -> Model:
    """A random robot with n moving links (hidden ones not counted), its free base included.

    kinds        joint kinds to draw from; all but "free" if omitted, which only the root is
    shape        "tree"; "serial"; "star": every link hangs on the ground or the free base
    armature     random rotor inertias, a fifth of the joints without
    massless     share of the links that lose their mass, of those that can without making a D(k) singular: links with
                 one degree of freedom that carry a massive link with one degree of freedom
    singular     the last link is a massless leaf without armature: exactly one D(k), its own, is zero
    gravity      "random", "standard" or a vector
    fixed_links  chance that a link has another one welded to it, on which later links may hang
    """
    draft = random_draft(rng, n, kinds, shape, root, armature, massless, singular, gravity, fixed_links)
    return assemble(draft, root=root)


def model_of_every_kind() -> Model:
    """A tree with every kind of joint, a free one at its root; always the same."""
    for seed in range(100):
        model = random_model(np.random.default_rng(seed), 9, root="free", armature=True)
        kinds = {joint.kind for joint in model.joints}
        if kinds >= {"free", "revolute", "continuous", "prismatic", "helical", "cylindrical", "planar", "spherical"}:
            return model
    raise AssertionError("no such tree among the first")


def random_draft(
    rng: np.random.Generator,
    n: int,
    kinds: Sequence[str] | None = None,
    shape: Shape = "tree",
    root: Literal["fixed", "free"] = "fixed",
    armature: bool = False,
    massless: float = 0.0,
    singular: bool = False,
    gravity: Any = "random",
    fixed_links: float = 0.2,
) -> Draft:
    """What `random_model` assembles."""
    draft = Draft("random robot", gravity=_gravity(rng, gravity))
    places: list[str | None] = [None]  # where links may hang, the most recent last
    if root == "free":
        draft.links.append(_massive(rng, "base"))
        places = ["base"]
    elif root != "fixed":
        raise ValueError(f"unknown root {root!r}")
    start = len(draft.links)
    for k in range(start + 1, n + 1):
        parent = _parent(rng, places, shape)
        draft.links.append(_massive(rng, f"link_{k}"))
        draft.joints.append(_joint(rng, k, parent, kinds or ALL_KINDS, armature))
        places.append(f"link_{k}")
        if rng.random() < fixed_links:
            draft.links.append(_massive(rng, f"welded_{k}"))
            weld = DraftJoint(f"weld_{k}", "fixed", f"link_{k}", f"welded_{k}", random_placement(rng))
            draft.joints.append(weld)
            places.append(f"welded_{k}")
    draft.frames.append(DraftFrame("tool", places[-1], random_placement(rng)))
    if massless:
        _lighten(rng, draft, massless)
    if singular:
        _make_singular(draft, places)
    return draft


def random_placement(rng: np.random.Generator, reach: float = 0.5) -> Placement:
    """A random pose; three in ten are not turned."""
    R = np.eye(3) if rng.random() < 0.3 else from_quaternion(rng.standard_normal(4))
    return Placement.of(R, rng.uniform(-reach, reach, 3))


def random_body(rng: np.random.Generator) -> Body:
    """A body that can exist: J = (trace C) I - C with a positive definite second moment C."""
    mass = float(np.exp(rng.uniform(-1.5, 1.0)))
    spread = rng.uniform(-0.2, 0.2, (3, 3))
    C = mass * (spread @ spread.T + 0.001 * np.eye(3))
    return Body(mass, rng.uniform(-0.3, 0.3, 3), np.trace(C) * np.eye(3) - C)


def random_q(rng: np.random.Generator, model: Model, size: tuple[int, ...] = ()) -> np.ndarray:
    """Random configurations (*size, nq) within the limits, quaternions of unit length."""
    parts = [j.behaviour.random(rng, np.array(j.lower), np.array(j.upper), size) for j in model.joints]
    return np.concatenate([np.zeros((*size, 0)), *parts], axis=-1)


def random_v(rng: np.random.Generator, model: Model, size: tuple[int, ...] = ()) -> np.ndarray:
    """Random velocities, accelerations or joint forces (*size, nv)."""
    return rng.standard_normal((*size, model.nv))


def _gravity(rng: np.random.Generator, gravity: Any) -> Vector3:
    if isinstance(gravity, str):
        if gravity not in ("random", "standard"):
            raise ValueError(f"unknown gravity {gravity!r}")
        return vector3(rng.normal(0, 6, 3)) if gravity == "random" else (0.0, 0.0, -9.81)
    return vector3(gravity)


def _massive(rng: np.random.Generator, name: str) -> DraftLink:
    body = random_body(rng)
    return DraftLink(name, body.mass, body.com, np.array(body.inertia))


def _parent(rng: np.random.Generator, places: list[str | None], shape: Shape) -> str | None:
    match shape:
        case "serial":
            return places[-1]
        case "star":
            return places[0]
        case "tree":  # half of the time near the tip, so that trees are deep as well as wide
            first = max(0, len(places) - 2) if rng.random() < 0.5 else 0
            return places[int(rng.integers(first, len(places)))]
    raise ValueError(f"unknown shape {shape!r}")


def _joint(rng: np.random.Generator, k: int, parent: str | None, kinds: Sequence[str], armature: bool) -> DraftJoint:
    kind = str(kinds[int(rng.integers(len(kinds)))])
    single = kind in SINGLE
    nv = 2 if kind == "universal" else KINDS[kind].nv
    limited = single and kind != "continuous" and rng.random() < 0.5
    axis = _axis(rng)
    return DraftJoint(
        f"joint_{k}",
        kind,
        parent,
        f"link_{k}",
        random_placement(rng),
        axis,
        axis2=_across(rng, axis),
        pitch=float(rng.uniform(-0.3, 0.3)) if kind == "helical" else 0.0,
        offset=random_placement(rng, 0.2) if rng.random() < 0.3 else Placement(),
        armature=tuple(rng.uniform(0.02, 0.5, nv).tolist()) if armature and rng.random() < 0.8 else 0.0,
        lower=float(rng.uniform(-2, -0.5)) if limited else -float("inf"),
        upper=float(rng.uniform(0.5, 2)) if limited else float("inf"),
    )


def _axis(rng: np.random.Generator) -> Vector3:
    """Four in ten are coordinate axes, either way."""
    if rng.random() < 0.4:
        axis = np.zeros(3)
        axis[rng.integers(3)] = rng.choice([-1.0, 1.0])
        return vector3(axis)
    return vector3(_unit(rng.standard_normal(3)))


def _across(rng: np.random.Generator, axis: Vector3) -> Vector3:
    """A second axis at least 45 degrees away from the first."""
    along = np.array(axis)
    normal = _unit(np.cross(along, rng.standard_normal(3)))
    return vector3(_unit(normal + rng.uniform(-1, 1) * along))


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def _lighten(rng: np.random.Generator, draft: Draft, share: float) -> None:
    links = {link.name: link for link in draft.links}
    above = {joint.child: joint for joint in draft.joints}
    for joint in draft.joints:
        link = links[joint.child]
        welded = any(j.kind == "fixed" and j.parent == link.name for j in draft.joints)
        carried = any(
            j.parent == link.name and j.kind in SINGLE and links[j.child].mass and not _alike(joint, j)
            for j in draft.joints
        )
        parent_massive = joint.parent is None or links[joint.parent].mass or joint.parent not in above
        if joint.kind in SINGLE and carried and not welded and parent_massive and rng.random() < share:
            _empty(link)


def _alike(joint: DraftJoint, child: DraftJoint) -> bool:
    """Nearly the same motion twice, so that a link between would weigh next to nothing."""
    along = joint.offset.then(child.placement)
    between = abs(np.dot(joint.axis, np.array(along.rotation) @ child.axis))
    return bool(between > 0.95)


def _empty(link: DraftLink) -> None:
    link.mass, link.com, link.inertia = 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3))


def _make_singular(draft: Draft, places: list[str | None]) -> None:
    draft.links.append(DraftLink("feather"))
    draft.joints.append(DraftJoint("feather_joint", "revolute", places[-1], "feather", axis=(0.0, 1.0, 0.0)))
