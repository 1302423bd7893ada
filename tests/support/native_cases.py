"""Robots, states and calls to compare backends by: every quantity of the table in every way it can be asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import cache
from typing import Any

import numpy as np

import soadyn as sd
from corpus import loadable_urdfs, short_name
from every_quantity import results
from random_robots import ALL_KINDS, random_model, random_placement
from soadyn.mechanics.link.operational import SWEPT
from soadyn.mechanics.spatial.arithmetic import PIVOT_ROUNDINGS
from soadyn.quantities import QUANTITIES
from soadyn.quantities.derivatives import DERIVATIVES

Call = tuple[str, dict[str, Any]]  # a quantity and its arguments by name


def random_robot(seed: int, n: int, **options: Any) -> sd.Robot:
    return sd.Robot(random_model(np.random.default_rng(seed), n, **options))


def corpus_robot(name: str, **options: Any) -> sd.Robot:
    """A robot of example-robot-data by folder and file; LookupError without the package."""
    found = [path for path in loadable_urdfs() if short_name(path) == name]
    if not found:
        raise LookupError(f"example-robot-data is not installed, so there is no {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.ModelWarning)
        return sd.load(found[0], **options)


# Robots small enough to compile straight-line code for in every test run.
SMALL: dict[str, Callable[[], sd.Robot]] = {
    "planar_two_link": lambda: sd.load("planar_two_link"),
    "ur5": lambda: sd.load("ur5"),
    "puma560": lambda: sd.load("puma560"),
    "universal joints": lambda: random_robot(4, 3, kinds=["universal", "revolute"], armature=True),
    "tree on a free base": lambda: random_robot(5, 4, kinds=["revolute", "prismatic"], root="free", armature=True),
    **{kind: lambda kind=kind: random_robot(7, 2, kinds=[kind], shape="serial", armature=True) for kind in ALL_KINDS},
}
LARGE: dict[str, Callable[[], sd.Robot]] = {
    **{name: lambda name=name: sd.load(name) for name in sd.robots() if name not in SMALL},
    "every kind": lambda: random_robot(11, 14, armature=True),
    "every kind on a free base": lambda: random_robot(12, 12, root="free", armature=True),
    "without armature": lambda: random_robot(13, 12, root="free"),
    "massless links": lambda: random_robot(14, 14, massless=0.5, armature=True),
    "star": lambda: random_robot(15, 9, shape="star", root="free"),
    "corpus ur5": lambda: corpus_robot("ur/ur5_robot"),
    "corpus hand": lambda: corpus_robot("allegro_hand/allegro_right_hand"),
    "corpus talos": lambda: corpus_robot("talos_data/talos_reduced", root="free"),
}


@cache
def robot_named(name: str) -> sd.Robot:
    return {**SMALL, **LARGE}[name]()


def usual(form: str) -> sd.Robot:
    """The robot on which tests of every quantity in one form agree, so that its code is compiled once."""
    return robot_named("tree on a free base" if form == "rolled" else "planar_two_link")


def random_state(rng: np.random.Generator, robot: sd.Robot, size: tuple[int, ...] = ()) -> dict[str, Any]:
    """Coordinates, rates, accelerations, joint forces, wrenches on the links and a point."""
    vectors = {name: rng.standard_normal((*size, robot.nv)) for name in ("v", "a", "tau")}
    wrenches = 10 * rng.standard_normal((*size, len(robot.link_names), 6))
    about = rng.standard_normal((*size, 3))
    return {"q": robot.random_configuration(rng, size), **vectors, "external": wrenches, "about": about}


def frames_of(robot: sd.Robot, rng: np.random.Generator) -> list[Any]:
    """A frame of the ground if there is one, the last link, a welded link or tool, and an offset from a link."""
    model = robot.model
    ground = [name for name in robot.frame_names if model.frame(name).link == 0]
    others = [name for name in robot.frame_names if name not in robot.link_names and name not in ground]
    names = [*ground[:1], robot.link_names[-1], *others[-1:]]
    return [*names, (robot.link_names[len(robot.link_names) // 2], random_placement(rng).matrix())]


def one_mask(robot: sd.Robot, rng: np.random.Generator) -> np.ndarray:
    """Passive components, some but not all of them where there are several."""
    mask = rng.random(robot.nv) < 0.5
    mask[:2] = (True, False)[: robot.nv]
    return mask


# Quantities with long programs, which take long to compile: every backend tries them on robots this small.
LONG = tuple(quantity.name for quantity in DERIVATIVES if quantity.name != "mass_matrix_log_determinant")
SMALL_ENOUGH = 4


def tried_on(robot: sd.Robot) -> list[str]:
    """The quantities that are tried on a robot."""
    return [name for name in QUANTITIES if name not in LONG or robot.nv <= SMALL_ENOUGH]


def calls(
    robot: sd.Robot, state: dict[str, Any], rng: np.random.Generator, names: Iterable[str] | None = None
) -> Iterator[Call]:
    """Every quantity at a state: with and without wrenches, in several frames and axes, for masks and points.

    Long programs are left out on larger robots, unless `names` says which quantities are wanted.
    """
    batch = state["q"].shape[:-1]
    frames = frames_of(robot, rng)
    for name in tried_on(robot) if names is None else names:
        quantity = QUANTITIES[name]
        needed = {argument.name: None for argument in quantity.parameters}
        base = {key: state[key] for key in needed if key in ("q", "v", "a", "tau")}
        like = {"nu": "v", "xi": "v", "epsilon": "tau", "kappa": "tau"}
        base |= {key: state[like[key]] for key in needed if key in like}
        if "passive set" in quantity.arguments:
            mask = one_mask(robot, rng)
            base["passive"] = mask.tolist()  # no array: it has no batch axes
            sizes = {"x": int((~mask).sum()), "y": int(mask.sum()), "f": 6}
            base |= {key: rng.standard_normal((*batch, size)) for key, size in sizes.items() if key in needed}
        if "frame" in needed or "frames" in needed:
            for i, frame in enumerate(frames):
                axes = ("world", "local", frames[i - 1])[i % 3]
                further = {"axes": axes} if "axes" in needed else {}
                yield name, {**base, "frame" if "frame" in needed else "frames": frame, **further}
        elif "passive set" in quantity.arguments:
            yield name, base
        elif "passive" in needed:
            yield name, {**base, "passive": rng.random((*batch, robot.nv)) < 0.5, "external": state["external"]}
            yield name, {**base, "passive": [robot.joint_names[0]]}
        elif "about" in needed:
            for about in ("origin", "com", state["about"]):
                yield name, {**base, "about": about}
        elif "external" in needed:
            yield name, base
            yield name, {**base, "external": state["external"]}
        else:
            yield name, base


# Quantities that have no answer where the joints cannot accelerate a frame in every direction.
# What quantities of one half of the joints take beside q and the passive set.
HALVES: dict[str, tuple[str, ...]] = {
    "generalized_jacobian_times": ("x", "frame"),
    "disturbance_jacobian_times": ("x",),
    "generalized_jacobian_transposed_times": ("f", "frame"),
    "disturbance_jacobian_transposed_times": ("y",),
    "generalized_drift": ("v", "frame", "tau"),
    "disturbance_drift": ("v", "tau"),
}

IN_EVERY_DIRECTION = ("operational_inertia", "operational_bias")


def called(robot: sd.Robot, call: Call) -> tuple[np.ndarray, ...]:
    """All results of a call."""
    name, arguments = call
    with sd.errstate("ignore") if name in IN_EVERY_DIRECTION else nullcontext():
        return results(getattr(robot, name)(**arguments))


def in_single(call: Call) -> Call:
    """The same call with every array in single precision."""
    name, arguments = call
    return name, {
        key: x.astype(np.float32) if isinstance(x, np.ndarray) and x.dtype == float else x
        for key, x in arguments.items()
    }


def row(call: Call, i: int | tuple[int, ...]) -> Call:
    """The call for one row of its batch."""
    name, arguments = call
    return name, {key: x[i] if isinstance(x, np.ndarray) else x for key, x in arguments.items()}


def largest(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def norm(x: Any) -> np.ndarray:
    """The infinity norm of the vectors in the last axis."""
    return np.max(np.abs(x), axis=-1, initial=0.0)


def matrix_norm(x: Any) -> np.ndarray:
    """The infinity norm of the matrices in the last two axes."""
    return np.max(np.abs(x).sum(axis=-1), axis=-1, initial=0.0)


def force_scale(robot: sd.Robot, arguments: dict[str, Any]) -> float:
    """What joint forces are measured by: weight, and the wrenches that act."""
    return robot.total_mass * 9.81 + largest(arguments.get("external", 0.0)) * len(robot.link_names)


def blocks(robot: sd.Robot) -> np.ndarray:
    """Where two components belong to the same joint, (nv, nv)."""
    owner = np.array([i for i, name in enumerate(robot.joint_names) for _ in robot.joint_dofs(name)])
    return owner[:, None] == owner


def depth(robot: sd.Robot) -> int:
    """The links on the longest way from the ground to a tip."""
    return max(len(list(robot.model.ancestors(k))) for k in range(1, robot.model.n + 1))


def error(reference: sd.Robot, call: Call, found: tuple[np.ndarray, ...]) -> float:
    """How far results are from the reference's, by a natural scale; what inverts the mass matrix, by residual."""
    name, arguments = call
    arguments = {
        key: x.astype(float) if isinstance(x, np.ndarray) and x.dtype != bool else x for key, x in arguments.items()
    }
    x = [np.asarray(part, dtype=float) for part in found]
    q = arguments["q"]
    if name in IN_EVERY_DIRECTION:
        return operational_residual(reference, call, x[0], float(np.finfo(found[0].dtype).eps))
    if not all(np.isfinite(part).all() for part in x):
        return np.inf
    if name in ("forward_dynamics", "hybrid_dynamics"):
        # M a + c = tau, whatever the condition of M
        a, tau = (x[0], arguments["tau"]) if name == "forward_dynamics" else x
        external = arguments.get("external")
        residual = reference.inverse_dynamics(q, arguments["v"], a, external) - tau
        bias = reference.inverse_dynamics(q, arguments["v"], np.zeros_like(a), external)
        return largest(norm(residual) / (matrix_norm(reference.mass_matrix(q)) * norm(a) + norm(tau) + norm(bias)))
    if name == "mass_matrix_inverse":
        M = reference.mass_matrix(q)
        return largest(matrix_norm(M @ x[0] - np.eye(reference.nv)) / (matrix_norm(M) * matrix_norm(x[0])))
    if name == "mass_matrix_factors":
        M, (U, D) = reference.mass_matrix(q), x
        assert (np.triu(U) == U).all(), "U is not upper triangular"
        assert (np.diagonal(U, axis1=-2, axis2=-1) == 1).all(), "U has no unit diagonal"
        assert (D[..., ~blocks(reference)] == 0).all(), "D is not block diagonal"
        return largest(matrix_norm(U @ D @ U.mT - M) / matrix_norm(M))
    if name.startswith(("disturbance", "actuation", "passive")):
        return passive_residual(reference, name, arguments, x)
    if name in ("forward_dynamics_derivatives", "hybrid_dynamics_derivatives"):
        return changes_residual(reference, name, arguments, x)
    expected = called(reference, (name, arguments))
    scale = force_scale(reference, arguments) if name.endswith(("force", "dynamics")) else 1.0
    assert [part.shape for part in x] == [np.shape(part) for part in expected]
    return max(largest(part - y) / max(largest(y), scale) for part, y in zip(x, expected, strict=True))


def operational_residual(reference: sd.Robot, call: Call, x: np.ndarray, eps: float) -> float:
    """How well Λ⁻¹ x is what it should be, where there is an answer.

    There must be one where the reference has one, unless Λ⁻¹ is singular beside numbers of this rounding.
    """
    name, arguments = call
    (expected,) = called(reference, call)
    q, frame, axes = arguments["q"], arguments["frames"], arguments.get("axes", "world")
    inverse = reference.operational_inertia_inverse(q, frame, axes)
    with sd.errstate("ignore"):
        inertia = reference.operational_inertia(q, frame, axes)
    near = matrix_norm(inverse) * matrix_norm(inertia) > 1 / (PIVOT_ROUNDINGS * SWEPT * eps)
    core = tuple(range(np.ndim(near), x.ndim))
    missing = np.isnan(x).any(axis=core)
    if (missing & ~np.isnan(expected).any(axis=core) & ~near).any() or (
        ~missing & np.isnan(expected).any(axis=core)
    ).any():
        return np.inf
    right = np.eye(6)
    if name == "operational_bias":
        fall = reference.forward_dynamics(q, arguments["v"], np.zeros(reference.nv))
        right = -reference.frame_acceleration(q, arguments["v"], fall, frame, axes)[..., None]
    x = x if name == "operational_inertia" else x[..., None]
    scale = matrix_norm(inverse) * matrix_norm(x) + matrix_norm(np.broadcast_to(right, x.shape))
    off = np.asarray(matrix_norm(inverse @ x - right) / scale)
    return largest(off[~np.isnan(off)])


def changes_residual(reference: sd.Robot, name: str, arguments: dict[str, Any], x: list[np.ndarray]) -> float:
    """M ∂a + ∂T = ∂tau, with the derivatives ∂T of inverse dynamics, whatever the condition of M."""
    quantity = name.removesuffix("_derivatives")
    a = results(getattr(reference, quantity)(**arguments))[0]
    external = arguments.get("external")
    dq, dv, M = reference.inverse_dynamics_derivatives(arguments["q"], arguments["v"], a, external)
    unit, zero = np.eye(reference.nv), np.zeros_like(M)
    if quantity == "forward_dynamics":
        rows = zip(x, (dq, dv, zero), (zero, zero, unit + zero), strict=True)
    else:
        rows = zip(x[:4], (dq, dv, zero, zero), x[4:], strict=True)
    worst = []
    for change, side, tau in rows:
        scale = matrix_norm(M) * matrix_norm(change) + matrix_norm(side) + matrix_norm(tau)
        worst.append(largest(matrix_norm(M @ change + side - tau) / np.maximum(scale, 1e-300)))
    return max(worst)


def passive_residual(reference: sd.Robot, name: str, arguments: dict[str, Any], x: list[np.ndarray]) -> float:
    """How well M_pp y = r is solved for what is y in a quantity, whatever the condition of M_pp."""
    q, p = arguments["q"], np.array(arguments["passive"])
    M = reference.mass_matrix(q)
    M_aa, M_ap, M_pp = (M[..., rows, :][..., columns] for rows, columns in ((~p, ~p), (~p, p), (p, p)))

    def residual(A: np.ndarray, y: np.ndarray, r: Any) -> float:
        scale = matrix_norm(A) * matrix_norm(y) + matrix_norm(np.broadcast_to(r, (A @ y).shape))
        return largest(matrix_norm(A @ y - r) / scale)

    if name == "disturbance_jacobian":
        return residual(M_pp, x[0], -M_ap.mT)
    if name == "disturbance_jacobian_times":
        return residual(M_pp, x[0][..., None], -M_ap.mT @ arguments["x"][..., None])
    if name == "disturbance_jacobian_transposed_times":
        (expected,) = called(reference, (name, arguments))
        scale = matrix_norm(M_ap) * matrix_norm(np.linalg.inv(M_pp)) * norm(arguments["y"])
        return largest(norm(x[0] - expected) / np.maximum(scale, 1.0))
    if name == "disturbance_drift":
        bias = reference.bias_force(q, arguments["v"])
        return residual(M_pp, x[0][..., None], (arguments["tau"] - bias)[..., p, None])
    if name == "passive_mass_factors":
        A, D = x
        return largest(matrix_norm(A @ D @ A.mT - M_pp) / matrix_norm(M_pp))
    S_aa, S_ap, S_pp = x
    felt = matrix_norm(S_aa - M_aa + S_ap @ M_ap.mT) / (matrix_norm(M_aa) + matrix_norm(S_ap) * matrix_norm(M_ap.mT))
    return max(residual(M_pp, S_pp, np.eye(int(p.sum()))), residual(M_pp, S_ap.mT, M_ap.mT), largest(felt))
