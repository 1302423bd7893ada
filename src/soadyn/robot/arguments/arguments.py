"""From what a caller passes to what a program takes; whatever does not fit gets an error that names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soadyn.engine.constants.constants import Constants
from soadyn.errors import ArgumentError, ShapeError, UnknownNameError, unknown_name
from soadyn.mechanics.spatial.reading import common_batch, shaped
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Frame, Model
from soadyn.model.placement import Placement
from soadyn.programs.sweep.vector_names import public_name

FrameLike = str | tuple[str, ArrayLike]
ExternalLike = ArrayLike | Mapping[FrameLike, ArrayLike]
PassiveLike = Sequence[str | tuple[str, int]] | NDArray[np.bool_] | ArrayLike
WORLD = Frame("world", 0, Placement())
MOST_SHIFTS = 1000  # matrices that carry wrenches, kept by the placement of their frame
# Pinocchio's words for axes, as text or as its enumeration writes them.
OF_PINOCCHIO = {
    "LOCAL_WORLD_ALIGNED": "Pinocchio's LOCAL_WORLD_ALIGNED is axes='world' here, the point being the frame's origin",
    "LOCAL": "Pinocchio's LOCAL is axes='local' here. Did you mean 'local'?",
    "WORLD": "axes='world' keeps the frame's origin as the point (Pinocchio's LOCAL_WORLD_ALIGNED); Pinocchio's WORLD "
    "moves the point to the world's origin as well. Did you mean 'world'?",
}
PASSIVE = "a list of joint names and (name, component) pairs, or a boolean array"


def numbers(name: str, x: Any, *trailing: int, meaning: str) -> np.ndarray:
    """x as an array of numbers (..., *trailing)."""
    return shaped(name, x, trailing, meaning)


def coordinates(space: Coordinates, x: Any, name: str = "q") -> np.ndarray:
    return numbers(name, x, space.nq, meaning=f"the {space.nq} coordinates of robot {space.model.name!r}")


def joint_vector(space: Coordinates, x: Any, name: str) -> np.ndarray:
    meaning = f"one number for each of the {space.nv} joint rates of robot {space.model.name!r}"
    return numbers(name, x, space.nv, meaning=meaning)


def batch_shape(arrays: Mapping[str, np.ndarray], core: Mapping[str, int]) -> tuple[int, ...]:
    """The batch axes that all arguments broadcast to."""
    shapes = {name: x.shape[: x.ndim - core[name]] for name, x in arrays.items()}
    if len(different := set(shapes.values())) == 1:
        return different.pop()
    return common_batch({public_name(name): shape for name, shape in shapes.items()})


def bound(
    what: str,
    names: Sequence[str],
    values: Sequence[Any],
    named: Iterable[tuple[str, Any]],
    usual: Mapping[str, Any] = {},
) -> dict[str, Any]:
    """The value of every argument of a call by its name; those that have a `usual` value may be left out."""
    given = dict(zip(names, values, strict=False))
    for name, value in named:
        if name not in names and name not in usual:
            raise ArgumentError(f"{what} has no argument {name!r}; it takes {', '.join([*names, *usual])}")
        if name in given:
            raise ArgumentError(f"{what} was given {name!r} twice, by position and by keyword")
        given[name] = value
    missing = [name for name in names if name not in given]
    if missing or len(values) > len(names):
        got = f"{len(values)} values" + (f", without {', '.join(missing)}" if missing else "")
        raise ArgumentError(f"{what} takes {', '.join(names)}; got {got}")
    return {**usual, **given}


def frame(model: Model, name: FrameLike) -> Frame:
    """A frame by name, or by name and a 4x4 offset in it."""
    if isinstance(name, str):
        return model.frame(name)
    if isinstance(name, tuple) and len(name) == 2 and isinstance(name[0], str):
        carrier = model.frame(name[0])
        offset = Placement.from_matrix(name[1], what=f"the offset of frame {name[0]!r}")
        return Frame(f"{name[0]} + offset", carrier.link, carrier.placement.then(offset))
    raise ArgumentError(f"a frame is a name or (name, 4x4 offset), got {name!r}")


def frame_key(model: Model, name: FrameLike) -> FrameLike:
    """The same frame as a dictionary's key: an offset becomes nested tuples, since arrays cannot be keys."""
    frame(model, name)
    return name if isinstance(name, str) else (name[0], tuple(map(tuple, np.asarray(name[1]).tolist())))


def axes(model: Model, wanted: FrameLike, of: Frame) -> Frame:
    """The frame along whose axes a result is wanted."""
    if isinstance(wanted, str) and wanted == "world":
        return WORLD
    if isinstance(wanted, str) and wanted == "local":
        return of
    if str(wanted) in OF_PINOCCHIO and wanted not in model.frame_index:
        raise UnknownNameError(f"unknown axes {str(wanted)!r}: {OF_PINOCCHIO[str(wanted)]}")
    if isinstance(wanted, str) and wanted not in model.frame_index:
        raise unknown_name("axes", wanted, ["world", "local", *model.frame_index])
    return frame(model, wanted)


def external(constants: Constants, wrenches: ExternalLike) -> np.ndarray:
    """Wrenches on the visible links, (..., links, 6), each at its link's frame and along its axes."""
    model = constants.model
    links = len(model.visible)
    if not isinstance(wrenches, Mapping):
        meaning = f"a wrench [moment; force] for each of the {links} links of robot {model.name!r}"
        return numbers("external", wrenches, links, 6, meaning=meaning)
    given: dict[str, tuple[Frame, np.ndarray]] = {}
    for name, wrench in wrenches.items():
        place = frame(model, name)
        if place.link == 0:
            raise ArgumentError(f"external wrench on {name!r}: that frame is fixed to the ground, so nothing feels it")
        label = f"external[{name!r}]"
        given[label] = place, numbers(label, wrench, 6, meaning="a wrench [moment; force] at that frame")
    arrays = {label: array for label, (_, array) in given.items()}
    batch = batch_shape(arrays, dict.fromkeys(given, 1))
    total = np.full((*batch, links, 6), 0.0, np.result_type(float, *arrays.values()))
    for place, array in given.values():
        total[..., model.rows[place.link], :] += carried(shift_of(place.placement), array)
    return total


def quick_external(constants: Constants, wrenches: ExternalLike) -> np.ndarray:
    """The same; wrenches of one state in double precision, which need little looking at, come flat, (6 links,)."""
    model = constants.model
    if type(wrenches) is np.ndarray and wrenches.dtype == np.float64 and wrenches.ndim == 2 and wrenches.shape[1] == 6:
        return wrenches.reshape(-1)
    if type(wrenches) is not dict:
        return external(constants, wrenches)
    total = np.zeros((len(model.visible), 6))
    for name, wrench in wrenches.items():
        if type(name) is not str:
            return external(constants, wrenches)
        place = model.frame(name)
        if place.link == 0 or type(wrench) is not np.ndarray or wrench.shape != (6,) or wrench.dtype != np.float64:
            return external(constants, wrenches)
        total[model.rows[place.link]] += carried(shift_of(place.placement), wrench)
    return total.reshape(-1)


@lru_cache(maxsize=MOST_SHIFTS)
def shift_of(placement: Placement) -> np.ndarray | None:
    """The matrix (6, 6) that carries a wrench from a frame so placed to its link's; None where they are the same.

    It is kept: making it takes a hundred times as long as its use, and a simulation asks for it at every evaluation.
    """
    phi = placement.transform()
    if not phi.l.any() and (np.eye(3) == phi.R).all():
        return None
    shift = np.stack([(phi @ Spatial.of(unit[:, None])).dense()[:, 0] for unit in np.eye(6)], axis=-1)
    shift.flags.writeable = False
    return shift


def carried(shift: np.ndarray | None, wrench: np.ndarray) -> np.ndarray:
    """A wrench at a frame as one at its link's."""
    # Row by row in the same order for one wrench and for many, so that a batch has the same bits.
    return wrench if shift is None else np.add.reduce(shift * wrench[..., None, :], axis=-1)


def passive(space: Coordinates, chosen: PassiveLike) -> np.ndarray:
    """The mask of passive components, booleans (..., nv)."""
    if isinstance(chosen, str):
        raise ArgumentError(f"passive takes a list of joint names, got the text {chosen!r}; write [{chosen!r}]")
    is_mask = isinstance(chosen, list) and len(chosen) > 0 and isinstance(chosen[0], bool | np.bool)
    if is_mask or isinstance(chosen, np.ndarray):
        if np.ma.is_masked(chosen):
            raise ShapeError(f"passive has masked entries; expected booleans (..., {space.nv}) or joint names")
        mask = np.asarray(chosen)
        if mask.dtype != bool or mask.ndim < 1 or mask.shape[-1] != space.nv:
            raise ShapeError(
                f"passive has dtype {mask.dtype} and shape {mask.shape}; "
                f"expected booleans (..., {space.nv}) or joint names"
            )
        return mask
    if not isinstance(chosen, Iterable):
        raise ArgumentError(f"passive takes {PASSIVE}, got {chosen!r}")
    mask = np.zeros(space.nv, dtype=bool)
    for item in chosen:
        if isinstance(item, str):
            mask[list(space.joint_dofs(item))] = True
        elif isinstance(item, tuple) and len(item) == 2:
            dofs = space.joint_dofs(item[0])
            # A bool is an int in Python, but no component.
            if type(item[1]) is bool or not isinstance(item[1], int | np.integer):
                raise ArgumentError(
                    f"passive component {item!r}: expected an integer after the joint's name, "
                    f"got {type(item[1]).__name__}"
                )
            if not 0 <= item[1] < len(dofs):
                raise ArgumentError(
                    f"passive component {item!r}: joint {item[0]!r} has components 0 to {len(dofs) - 1}"
                )
            mask[dofs[item[1]]] = True
        else:
            raise ArgumentError(f"passive takes {PASSIVE}, got an entry {item!r}")
    return mask


def one_passive_set(space: Coordinates, chosen: PassiveLike, what: str) -> np.ndarray:
    """The mask of passive components where there is one set for all states, booleans (nv,)."""
    mask = passive(space, chosen)
    if mask.ndim != 1:
        raise ShapeError(f"{what} takes one passive set for all states, booleans ({space.nv},); got shape {mask.shape}")
    return mask


def components_named(space: Coordinates, mask: Any) -> str:
    """The joints that a mask of components touches, for messages."""
    names = [name for name in space.joint_names if mask[list(space.joint_dofs(name))].any()]
    return ", ".join(repr(name) for name in names[:6]) + (", ..." if len(names) > 6 else "")


def marked(constants: Constants, links: Iterable[int]) -> list[float]:
    """1 for these links, 0 for the others."""
    chosen = set(links)
    return [float(k in chosen) for k in range(constants.model.n + 1)]


def placed(constants: Constants, at: Frame) -> tuple[int, Transform]:
    """A frame as programs take it."""
    return at.link, constants.place(at)
