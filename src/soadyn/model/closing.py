"""Closures put onto a robot, checked: cuts between two frames, couplings of joints."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, count
from types import MappingProxyType
from typing import Any

import numpy as np

from soadyn.errors import ArgumentError, ModelError, SoadynError, check_name
from soadyn.mechanics.joint.closure_kinds import CLOSURE_KINDS, COMPONENTS, FIGURES, FREE, named_kind
from soadyn.mechanics.spatial.reading import real_array
from soadyn.mechanics.spatial.rotation import onto
from soadyn.model.checks import at
from soadyn.model.closures import Anchor, AnyClosure, Closure, Coupling
from soadyn.model.draft import Draft, DraftClosure, DraftCoupling
from soadyn.model.model import GROUND, Frame, Model
from soadyn.model.placement import Placement
from soadyn.model.poses import Pose, as_placement, finite3

Polynomial = float | Sequence[float]
FARTHEST = 1e100  # m; squares of more overflow
MOST_CLOSURES = 10_000  # more would fill the memory with their Jacobians


def with_closure(model: Model, closure: AnyClosure) -> Model:
    """The robot with one more closure, whose name must be new."""
    _check_new(model, closure, {known.name for known in (*model.closures, *model.spare)})
    return _checked(replace(model, closures=(*model.closures, closure), superfluous=None))


def with_drafted_closures(model: Model, draft: Draft) -> Model:
    """The model with the closures that its draft describes; those that are off are spare."""
    if len(draft.closures) > MOST_CLOSURES:
        raise ModelError(
            f"{at(draft.where)}robot {model.name!r} has {len(draft.closures)} closures; "
            f"more than {MOST_CLOSURES} are refused"
        )
    made: dict[str, AnyClosure] = {}
    for drafted in draft.closures:
        with _placed(drafted.where):
            closure = _assembled(model, drafted)
            _check_new(model, closure, made)
            made[closure.name] = closure
    on = {drafted.name: drafted.where for drafted in draft.closures if drafted.on}
    spare = tuple(closure for name, closure in made.items() if name not in on)
    found = replace(model, closures=tuple(made[name] for name in on), spare=spare, superfluous=None)
    return _checked(found, on)


@contextmanager
def _placed(where: str) -> Iterator[None]:
    """Errors about what a file says begin with its place in it."""
    try:
        yield
    except SoadynError as error:
        raise type(error)(f"{at(where)}{error}") from None


def _check_new(model: Model, closure: AnyClosure, taken: Collection[str]) -> None:
    what = f"robot {model.name!r}"
    if not isinstance(closure.name, str) or not closure.name:
        raise ModelError(f"{what}: a closure needs a name, got {closure.name!r}")
    if closure.name in taken:
        raise ModelError(f"{what} has a closure {closure.name!r} already")
    if isinstance(closure, Closure) and not max(map(_reach, (closure.x, closure.y))) < FARTHEST:
        raise ModelError(f"closure {closure.name!r}: its placements are too large; expected less than {FARTHEST:g} m")
    if isinstance(closure, Closure) and closure.x.link == closure.y.link:
        where = model.links[closure.x.link - 1].name if closure.x.link else "ground"
        raise ModelError(f"closure {closure.name!r} joins {where!r} to itself; its frames must move apart")


def _reach(anchor: Anchor) -> float:
    """How far from its link's origin a closure holds on to it, infinite where that has no number."""
    far = math.hypot(*anchor.placement.position)
    turned = all(math.isfinite(x) for row in anchor.placement.rotation for x in row)
    return far if turned and math.isfinite(far) else math.inf


def with_closures_switched(model: Model, on: Collection[str], off: Collection[str]) -> Model:
    """The robot with spare closures switched on, and others off: those are spare then."""
    known = {each.name: each for each in (*model.closures, *model.spare)}
    for name in (*on, *off):
        check_name("closure", name, known, of=f"robot {model.name!r}")
    if both := set(on) & set(off):
        raise ArgumentError(f"closure {min(both)!r} is to be switched on and off; expected one of both")
    active = {each.name for each in model.closures} - set(off) | set(on)
    spare = tuple(each for each in known.values() if each.name not in active)
    closures = tuple(each for each in known.values() if each.name in active)
    return _checked(replace(model, closures=closures, spare=spare, superfluous=None))


def _assembled(model: Model, drafted: DraftClosure | DraftCoupling) -> AnyClosure:
    if isinstance(drafted, DraftCoupling):
        return coupling_of(model, drafted.name, drafted.terms, drafted.keep)
    x = anchor_at(_link_frame(model, drafted.link), drafted.placement)
    y = anchor_at(_link_frame(model, drafted.other), drafted.other_placement)
    return cut_of(drafted.name, x, y, drafted.kind, drafted.free, drafted.figures, drafted.keep)


def _link_frame(model: Model, name: str | None) -> Frame:
    """The frame of a link, or of the ground itself, whatever link is called so."""
    return Frame(GROUND, 0, Placement()) if name is None else model.frame(name)


def anchor_at(frame: Frame, placement: Placement) -> Anchor:
    """A placement in a frame, as one on the link that carries it."""
    return Anchor(frame.link, frame.placement.then(placement))


def without_closures(model: Model) -> Model:
    """The tree that is left when every closure is opened.

    >>> from soadyn.model.builder import assemble, chain
    >>> without_closures(assemble(chain(2))).closures
    ()
    """
    return replace(model, closures=(), spare=(), superfluous=None)


def cut_of(
    name: str,
    x: Anchor,
    y: Anchor,
    kind: str | None,
    free: Collection[str] | None,
    figures: Mapping[str, Any],
    keep: Any,
) -> Closure:
    """A closure of a kind, or one that leaves the components in `free`; `figures` are length, pitch or radius."""
    what = f"closure {name!r}"
    if (kind is None) == (free is None):
        raise ArgumentError(f"{what} takes a kind or its free components, one of both")
    if not isinstance(keep, bool | np.bool_):
        raise ArgumentError(f"{what}: keep is True or False, got {keep!r:.80}")
    if free is None:
        check_name("kind of closure", kind, CLOSURE_KINDS, what)
        assert kind is not None
        return Closure(name, kind, FREE.get(kind, ()), x, y, _figure(what, kind, figures), bool(keep))
    try:
        given = [free] if isinstance(free, str) else list(free)
    except TypeError:
        raise ArgumentError(f"{what}: free are components such as ('x', 'rz'), got {free!r:.80}") from None
    for component in given:
        check_name("component", component, COMPONENTS, what)
    if len(set(given)) == len(COMPONENTS):
        raise ArgumentError(f"{what} leaves all six components free: it holds nothing")
    kind = named_kind(given)
    sorted_free = tuple(component for component in COMPONENTS if component in given)
    return Closure(name, kind, sorted_free, x, y, _figure(what, kind, figures), bool(keep))


def _figure(what: str, kind: str, figures: Mapping[str, Any]) -> float:
    """The figure that a kind needs, and no other."""
    needed = FIGURES.get(kind)
    for name, value in figures.items():
        if value is not None and name != needed:
            raise ArgumentError(f"{what} of kind {kind!r} has no {name}")
    if needed is None:
        return 0.0
    value = figures.get(needed)
    if value is None:
        raise ArgumentError(f"{what} of kind {kind!r} needs its {needed}")
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not is_number or not abs(value) < 1e300 or (value <= 0 if needed != "pitch" else value == 0):
        wanted = "a finite number that is not zero" if needed == "pitch" else "a positive number"
        raise ModelError(f"{what} has {needed} {value!r:.80}; expected {wanted}")
    return float(value)


def frame_along(origin: Pose, axis: Any, what: str) -> Placement:
    """A closure's frame on a link: at `origin`, its z along `axis` if one is given."""
    place = as_placement(origin, f"{what}: origin")
    if axis is None:
        return place
    along = np.array(finite3(axis, f"{what}: axis"))
    length = np.linalg.norm(along)
    if not 1e-9 <= length < math.inf:
        raise ModelError(f"{what} has axis {axis!r}; an axis must be finite and not zero")
    return place.then(Placement.of(onto(along / length)))


def coupling_of(model: Model, name: str, terms: Any, keep: Any = False) -> Coupling:
    """The coupling Σ poly(q) = 0 of joints by their names: a number for a factor, or coefficients of 1, q, q², ..."""
    what = f"coupling {name!r}"
    if not isinstance(terms, Mapping) or not terms:
        raise ArgumentError(f"{what} takes a dictionary of joints and coefficients, got {terms!r:.80}")
    if not isinstance(keep, bool | np.bool_):
        raise ArgumentError(f"{what}: keep is True or False, got {keep!r:.80}")
    found = []
    for joint, given in terms.items():
        check_name("joint", joint, model.joint_indices, of=f"robot {model.name!r}, in {what}")
        indices = model.joint_indices[joint]
        if len(indices) != 1 or model.joints[indices[0] - 1].behaviour.nq != 1:
            raise ModelError(f"{what}: joint {joint!r} has several coordinates; only single ones can be coupled")
        found.append((indices[0], _coefficients(what, joint, given)))
    return Coupling(name, tuple(found), bool(keep))


def _coefficients(what: str, joint: str, given: Any) -> tuple[float, ...]:
    try:
        numbers = real_array(given)
    except ValueError:
        numbers = np.empty((0, 0))
    poly = np.array([0.0, float(numbers)]) if numbers.ndim == 0 else numbers
    if poly.ndim != 1 or not np.isfinite(poly).all() or not poly[1:].any():
        raise ModelError(
            f"{what}: the coefficients of joint {joint!r} must be a number or a list for 1, q, q^2, ..., not all zero "
            f"beyond the first; got {given!r:.80}"
        )
    return tuple(float(x) for x in np.trim_zeros(poly, "b"))


def _checked(model: Model, where: Mapping[str, str] = MappingProxyType({})) -> Model:
    """The model, whose couplings of two joints each must not lead back to where they began."""
    group: dict[int, int] = {}

    def root(k: int) -> int:
        while group.get(k, k) != k:
            group[k] = group.get(group[k], group[k])  # shorter ways for later
            k = group[k]
        return k

    for pair in model.closures:
        if isinstance(pair, Coupling) and len(pair.terms) == 2:
            first, second = (root(joint) for joint, _ in pair.terms)
            if first == second:
                names = [model.joints[joint - 1].name for joint, _ in pair.terms]
                raise ModelError(
                    f"{at(where.get(pair.name, ''))}coupling {pair.name!r} of joints {names[0]!r} and {names[1]!r} "
                    "closes a circle of couplings: others couple these two already"
                )
            group[first] = second
    return model


def fresh_name(model: Model, stem: str) -> str:
    """A closure's name that is not taken: the stem, or the stem and a number."""
    taken = {closure.name for closure in (*model.closures, *model.spare)}
    return next(name for name in chain([stem], (f"{stem}_{i}" for i in count(2))) if name not in taken)
