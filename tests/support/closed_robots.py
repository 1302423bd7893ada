"""Random robots with closures of every kind, closed at a configuration that is told with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import soadyn as sd
from random_robots import random_model, random_placement, random_q
from soadyn.mechanics.joint.closure_kinds import CLOSURE_KINDS, COMPONENTS, FREE, named_kind
from soadyn.model.closing import with_closure
from soadyn.model.closures import Anchor, AnyClosure, Closure, Coupling
from soadyn.model.model import Model
from soadyn.model.placement import Placement
from soadyn.theory.oracle.dense_geometry import turned
from soadyn.theory.oracle.dense_robot import DenseRobot

X, Y, Z = np.eye(3)
FURTHER = (("rx",), ("ry",), ("rx", "rz"), ("ry", "rz"))  # free components without a name of their own


def four_bar(kind: str = "hinge", keep: bool = False) -> sd.Robot:
    b, beam = sd.Builder("four-bar"), sd.Body(1.0, com=(0.2, 0.0, 0.0), inertia=np.diag([0.01, 0.02, 0.02]))
    crank = b.link("crank", beam)
    coupler = b.link("coupler", beam, crank, origin=(0.3, 0, 0))
    rocker = b.link("rocker", beam, origin=(0.8, 0, 0))
    b.loop("pin", coupler, rocker, kind, origin=(0.9, 0, 0), other_origin=(0.7, 0, 0), keep=keep)
    return b.robot()


def random_closed(
    rng: np.random.Generator,
    n: int,
    cuts: int,
    couplings: int = 0,
    kind: str | None = None,
    mobile: bool = False,
    **of: object,
) -> tuple[Model, np.ndarray]:
    """A random tree with closures, and where it is closed; `mobile`: with fewer rows than the tree has rates."""
    while True:
        model = random_model(rng, n, **of)  # type: ignore[arg-type]
        q = random_q(rng, model)
        for i in range(cuts):
            model = with_closure(model, random_cut(rng, model, q, f"cut_{i}", kind))
        for i in range(couplings):
            if coupling := random_coupling(rng, model, q, f"coupling_{i}"):
                model = with_closure(model, coupling)
        if not mobile or sum(each.rows for each in model.closures) < model.nv:
            return replace(model, superfluous=()), q


def random_cut(rng: np.random.Generator, model: Model, q: np.ndarray, name: str, kind: str | None = None) -> AnyClosure:
    """A cut between two random links, one of them the ground at times, closed at q."""
    kind = kind or str(rng.choice([*CLOSURE_KINDS, "other"]))
    free = FURTHER[int(rng.integers(len(FURTHER)))] if kind == "other" else FREE.get(kind, ())
    i, j = rng.choice(model.n + 1, 2, replace=False)
    x = Anchor(int(i), random_placement(rng))
    place, figure = np.eye(4), 0.0
    for component in free:
        place = place @ _free_motion(rng, component)
    if kind == "distance":
        place[:3, 3] = rng.standard_normal(3)
        figure = float(np.linalg.norm(place[:3, 3]))
    elif kind == "helical":
        figure, angle = float(rng.uniform(0.1, 0.4)), rng.uniform(-8, 8)
        place[:3, :3], place[2, 3] = turned(Z, angle), figure * angle
    elif kind == "rolling":
        figure = float(rng.uniform(0.1, 0.4))
        place[:3, :3], place[:3, 3] = turned(X, rng.uniform(-3, 3)), [*rng.standard_normal(2), figure]
    dense = DenseRobot(model, q)
    poses = [np.eye(4), *dense.link_poses]
    y = np.linalg.inv(poses[j]) @ poses[i] @ x.placement.matrix() @ place
    return Closure(
        name,
        kind if kind in CLOSURE_KINDS else named_kind(free),
        tuple(free),
        x,
        Anchor(int(j), Placement.of(y[:3, :3], y[:3, 3])),
        figure,
    )


def _free_motion(rng: np.random.Generator, component: str) -> np.ndarray:
    T, axis = np.eye(4), {"x": X, "y": Y, "z": Z}[component[-1]]
    if component in COMPONENTS[3:]:
        T[:3, :3] = turned(axis, rng.uniform(-3, 3))
    else:
        T[:3, 3] = axis * rng.uniform(-1, 1)
    return T


def random_coupling(rng: np.random.Generator, model: Model, q: np.ndarray, name: str) -> AnyClosure | None:
    """A coupling of up to three joints by polynomials up to the third degree, closed at q."""
    taken = {joint for each in model.closures if isinstance(each, Coupling) for joint, _ in each.terms}
    single = [k for k, joint in enumerate(model.joints, 1) if joint.behaviour.nq == 1 and k not in taken]
    if len(single) < 2:
        return None
    chosen = rng.choice(single, int(rng.integers(2, min(3, len(single)) + 1)), replace=False)
    terms = [(int(k), (0.0, *rng.uniform(-1, 1, int(rng.integers(1, 4))).tolist())) for k in chosen]
    value = sum(np.polynomial.Polynomial(poly)(q[model.q_slices[k - 1]][0]) for k, poly in terms)
    (first, poly), *others = terms
    return Coupling(name, ((first, (-float(value), *poly[1:])), *others))


def consistent(J: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The nearest rates that keep closures closed."""
    return v - np.linalg.pinv(J, rcond=1e-9) @ (J @ v)
