"""Laws placed in a robot's joints: arrays of the components they act on and of their figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial import rotation
from soadyn.mechanics.spatial.arithmetic import Array, exp, is_positive, ramp, sign, tanh
from soadyn.model.model import Model
from soadyn.simulation.laws.laws import Backlash, Damper, Figure, Friction, Law, Spring, described, figures


@final
@dataclass(frozen=True, slots=True, eq=False)
class Elastic:
    """Springs, or stops on one side: in one joint that turns freely, or in components of joints that do not.

        U = Σ K d² / 2,        d = x of a spring, max(0, side x - play) of a stop

    A stop never pulls. Its damping is C, or C d where it `grows` with the depth (Hunt and Crossley 1975). The figures
    are numbers for each component, or for each row and component.
    """

    free_turn: bool  # of a joint that turns about any axis; else rates are derivatives of coordinates
    q: np.ndarray  # places of the coordinates
    v: np.ndarray  # places of the components
    K: Array
    rest: np.ndarray
    side: int = 0  # 1 or -1 of a stop
    play: Array | None = None  # half the gap, where there is one
    C: Array = 0.0
    grows: bool = True

    def displacement(self, q: Array) -> Array:
        """x: how far the joint is from rest."""
        if not self.free_turn:
            return q - self.rest
        relative = rotation.product(rotation.conjugate(rotation.unit(self.rest[:4])), rotation.unit(q[..., :4]))
        return np.concatenate([rotation.logarithm(relative), q[..., 4:] - self.rest[4:]], axis=-1)

    def rate(self, q: Array, x: Array, v: Array) -> Array:
        """ẋ: a rotation vector r changes by J_r⁻¹(r) ω = J_l⁻¹(-r) ω, a free joint's position by R v."""
        if not self.free_turn:
            return v
        parts = [rotation.left_jacobian_solve(-x[..., :3], v[..., :3])]
        if len(self.v) > 3:
            parts.append((rotation.from_quaternion(q[..., :4]) @ v[..., 3:, None])[..., 0])
        return np.concatenate(parts, axis=-1)

    def joint_force(self, q: Array, x: Array, f: Array) -> Array:
        """The joint force of a force f along x, by the adjoint of `rate`: J_r⁻*(r) = J_l⁻¹(r), and R*."""
        if not self.free_turn:
            return f
        parts = [rotation.left_jacobian_solve(x[..., :3], f[..., :3])]
        if len(self.v) > 3:
            parts.append((rotation.from_quaternion(q[..., :4]).mT @ f[..., 3:, None])[..., 0])
        return np.concatenate(parts, axis=-1)

    def depth(self, x: Array) -> Array:
        """d: how far a spring is from rest, or how far a stop is pressed."""
        if not self.side:
            return x
        return ramp(self.side * x if self.play is None else self.side * x - self.play)

    def pressed(self, q: Array) -> Array:
        """d at a configuration."""
        return self.depth(self.displacement(q))

    def energy(self, q: Array) -> Array:
        d = self.pressed(q)
        return 0.5 * (self.K * d * d).sum(axis=-1)

    def elastic_force(self, q: Array) -> Array:
        """T = -(∂ẋ/∂v)* K d, away from the side of a stop"""
        x = self.displacement(q)
        return self.joint_force(q, x, -(self.side or 1) * self.K * self.depth(x))

    def stiffness(self, q: Array) -> Array:
        """How fast the force grows with x: K, nothing where a stop is not met."""
        return self.K * is_positive(self.pressed(q)) if self.side else self.K

    def damping(self, d: Array) -> Array:
        """How fast a stop's force grows with the speed at depth d."""
        return self.C * (d if self.grows else is_positive(d))

    def damping_force(self, q: Array, v: Array) -> Array:
        """What a stop's damping adds to the elastic force, at least so much that it never pulls."""
        x = self.displacement(q)
        d = self.depth(x)
        whole = ramp(self.K * d + self.damping(d) * self.side * self.rate(q, x, v))
        return self.joint_force(q, x, -self.side * (whole - self.K * d))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Dry:
    """Dry friction in components of joints: smoothed over a speed, or such that joints stick.

    T = -[F_c + (F_s - F_c) exp(-(v / v_s)²)] tanh(v / v_0)    or, where v_0 is zero, with the direction of sliding
    """

    v: np.ndarray  # places of the components
    coulomb: np.ndarray
    static: np.ndarray
    stribeck_speed: np.ndarray
    speed: np.ndarray

    @property
    def sticks(self) -> bool:
        return not self.speed.any()

    def raised(self, components: Sequence[int], more: Array) -> Dry:
        """The same with larger forces in some of the model's components, which may be all of a joint."""
        found = [(place, components.index(i)) for place, i in enumerate(self.v.tolist()) if i in components]
        if not found:
            return self
        here, there = (list(column) for column in zip(*found, strict=True))
        shape, kind = (*np.shape(more)[:-1], len(self.v)), np.result_type(more)
        coulomb, static = (np.zeros(shape, dtype=kind) + x for x in (self.coulomb, self.static))
        coulomb[..., here] += more[..., there]
        static[..., here] += more[..., there]
        return replace(self, coulomb=coulomb, static=coulomb if self.static is self.coulomb else static)

    def level(self, v: Array) -> Array:
        """How large the force is at a speed."""
        if self.static is self.coulomb or (self.static == self.coulomb).all():
            return self.coulomb
        ratio = v / self.stribeck_speed
        return self.coulomb + (self.static - self.coulomb) * exp(-ratio * ratio)

    def force(self, v: Array) -> Array:
        return -self.level(v) * (sign(v) if self.sticks else tanh(v / self.speed))

    def slope(self, v: Array) -> Array:
        """How fast the force falls with the speed, apart from the Stribeck effect."""
        level = tanh(v / self.speed)
        return self.level(v) / self.speed * (1 - level * level)


def own_laws(model: Model, given: Collection[str] = ()) -> list[Law]:
    """The springs, damping and friction that the model's joints come with.

    `given` are parameters: a JOINT.friction among them is a law with zeros, in whose place the values come later.
    """
    laws: list[Law] = []
    for name, ks in model.joint_indices.items():
        K, B, F, rest = (
            tuple(x for k in ks for x in getattr(model.joints[k - 1], figure))
            for figure in ("stiffness", "damping", "friction", "rest")
        )
        laws += [Spring(name, K, rest)] if any(K) else []
        laws += [Damper(name, B)] if any(B) else []
        varies = f"{name}.friction" in given
        laws += [Friction(name, F)] if any(F) or varies else []
    return laws


def viscous(model: Model, laws: Iterable[Law]) -> np.ndarray:
    """The damping of every component of the model, all laws together."""
    total = np.zeros(model.nv)
    for law in laws:
        if isinstance(law, Damper | Friction):
            total += _by_component(model, law, "damping" if isinstance(law, Damper) else "viscous")
    return total


def dry(model: Model, laws: Iterable[Law], given: Collection[str] = ()) -> list[Dry]:
    """All dry friction; `given` as in `own_laws`."""
    rows = []
    for law in laws:
        if isinstance(law, Friction):
            coulomb = _by_component(model, law, "coulomb")
            static = coulomb if law.static is None else _by_component(model, law, "static")
            varies = f"{_name(law)}.friction" in given
            places = _places(model, law) if varies else np.flatnonzero(coulomb + static).tolist()
            speeds = float(law.stribeck_speed), float(law.smoothing_speed or 0.0)
            rows += [(i, coulomb[i], static[i], *speeds) for i in places]
    smooth, sticking = [row for row in rows if row[-1]], _summed(row for row in rows if not row[-1])
    return [Dry(*columns) for columns in (*_columns(smooth), *_columns(sticking))]


def _summed(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """One row for each component that sticks: its laws' forces together, with the lowest of their Stribeck speeds."""
    found: dict[int, tuple[Any, ...]] = {}
    for i, coulomb, static, stribeck_speed, _ in rows:
        _, c, s, low, _ = found.get(i, (i, 0.0, 0.0, np.inf, 0.0))
        found[i] = (i, c + coulomb, s + static, min(low, stribeck_speed), 0.0)
    return list(found.values())


def elastic(model: Model, laws: Iterable[Law]) -> list[Elastic]:
    """All springs, and the two sides of backlash: joints that turn freely each by itself, the others side by side."""
    rows: dict[int, list[Any]] = {0: [], -1: [], 1: []}
    turning = []
    for law in laws:
        if not isinstance(law, Spring | Backlash):
            continue
        K, rest = _by_component(model, law, "stiffness"), _rest(model, law)
        play = C = np.zeros(model.nv)
        if isinstance(law, Backlash):
            play, C = _by_component(model, law, "gap") / 2, _by_component(model, law, "damping")
        for side in (0,) if isinstance(law, Spring) else (-1, 1):
            for k in model.joint_indices[_name(law)]:
                q, v = np.arange(model.nq)[model.q_slices[k - 1]], np.arange(model.nv)[model.v_slices[k - 1]]
                if model.joints[k - 1].behaviour.free_turn:
                    turning.append(Elastic(True, q, v, K[v], rest[q], side, play[v], C[v]))
                else:
                    rows[side] += [(i, j, K[i], rest[j], play[i], C[i]) for i, j in zip(v, q, strict=True) if K[i]]
    return [
        Elastic(False, q, v, K, rest, side, play, C)
        for side, some in rows.items()
        for v, q, K, rest, play, C in _columns(some)
    ] + turning


def _columns(rows: list[Any]) -> Iterator[tuple[np.ndarray, ...]]:
    """Rows as arrays, one per column; a component (first column) that recurs goes to a further group, since `+=` with
    an index array adds only once to each component."""
    portions: list[dict[int, Any]] = []
    for row in rows:
        free = next((portion for portion in portions if row[0] not in portion), None)
        if free is None:
            portions.append(free := {})
        free[row[0]] = row
    for portion in portions:
        yield tuple(np.array(column) for column in zip(*portion.values(), strict=True))


def _name(law: Law) -> str:
    return law.joint if isinstance(law.joint, str) else law.joint[0]


def _places(model: Model, law: Law) -> list[int]:
    """The places in the model's v of the components that a law acts on."""
    dofs = model.joint_dofs(_name(law))
    if isinstance(law.joint, str):
        return list(dofs)
    component = law.joint[1]
    if not isinstance(component, int | np.integer) or not 0 <= component < len(dofs):
        raise ArgumentError(
            f"{described(law)}: joint {_name(law)!r} has components 0 to {len(dofs) - 1}, got {component!r}"
        )
    return [dofs[int(component)]]


def _by_component(model: Model, law: Law, figure: str) -> np.ndarray:
    """A law's figure at every component of the model, zero where it does not act."""
    places = _places(model, law)
    values = figures(getattr(law, figure))
    if values.shape not in ((), (len(places),)):
        raise ShapeError(
            f"{described(law)}: {figure} has shape {values.shape}; expected one number, or one for each "
            f"of its {len(places)} components"
        )
    everywhere = np.zeros(model.nv)
    everywhere[places] = values
    return everywhere


def _rest(model: Model, law: Spring | Backlash) -> np.ndarray:
    """Where a law's displacement is counted from, at every coordinate of the model."""
    joints = [model.joints[k - 1] for k in model.joint_indices[_name(law)]]
    places = [i for k in model.joint_indices[_name(law)] for i in np.arange(model.nq)[model.q_slices[k - 1]]]
    everywhere = np.zeros(model.nq)
    everywhere[places] = np.concatenate([joint.behaviour.neutral() for joint in joints])
    given: Figure | None = law.rest if isinstance(law, Spring) else law.center
    if given is None:
        return everywhere
    what = "rest" if isinstance(law, Spring) else "center"
    values = figures(given)
    turning = joints[0].behaviour.free_turn
    if not turning and not isinstance(law.joint, str):
        places = [places[law.joint[1]]]
    shapes = [(len(places),)] if turning else [(), (len(places),)]
    if values.shape not in shapes or not np.isfinite(values).all() or (turning and not values[:4].any()):
        number = f"{len(places)} finite coordinates" + (", a quaternion w, x, y, z first" if turning else "")
        raise ShapeError(f"{described(law)}: {what} must be {number}, got {given!r}")
    everywhere[places] = values
    return everywhere
