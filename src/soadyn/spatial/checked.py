"""Arguments of the public functions of this folder: real numbers of the right shape, rotations that are some.

Each comes as doubles, with the precision that the result will have. A row with an entry that is not finite is NaN
throughout, so that it comes out NaN and the others do not mind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.reading import common_batch, real_only, shaped
from soadyn.mechanics.spatial.rotation import NEARLY, is_rotation

Given = tuple[np.ndarray, np.dtype[Any]]
# How many roundings of single precision the entries of a rotation may have gone through.
ROUNDINGS = 100


def real(of: str, name: str, x: Any, *trailing: int, meaning: str) -> Given:
    """Real numbers (..., *trailing)."""
    array = real_only(shaped(name, x, trailing, meaning), f"argument {name!r}", of)
    kind = array.dtype if array.dtype == np.float32 else np.dtype(float)
    array = array.astype(float, copy=False)
    finite = np.isfinite(array).all(axis=tuple(range(-len(trailing), 0)), keepdims=True)
    return (array if finite.all() else np.where(finite, array, np.nan)), kind


def rotations(of: str, name: str, x: Any) -> Given:
    """Rotation matrices (..., 3, 3)."""
    R, kind = real(of, name, x, 3, 3, meaning="a rotation matrix")
    _check_rotations(of, name, R, kind)
    return R, kind


def poses(of: str, name: str, x: Any) -> Given:
    """Poses (..., 4, 4)."""
    T, kind = real(of, name, x, 4, 4, meaning="a pose")
    _check_rotations(of, name, T[..., :3, :3], kind)
    wrong = (T[..., 3, :] != [0, 0, 0, 1]).any(axis=-1) & ~np.isnan(T).any(axis=(-1, -2))
    if wrong.any():
        found = T[wrong][0, 3].tolist()
        raise ArgumentError(f"{of}: {name}{_row(wrong)} is no pose: its last row must be 0 0 0 1, got {found}")
    return T, kind


def quaternions(of: str, name: str, x: Any) -> Given:
    """Quaternions (..., 4), scaled to a largest entry of 1 so that no square of theirs overflows or vanishes."""
    Q, kind = real(of, name, x, 4, meaning="a quaternion w, x, y, z")
    size = np.abs(Q).max(axis=-1, keepdims=True)
    zero = size[..., 0] == 0
    if zero.any():
        raise ArgumentError(f"{of}: {name}{_row(zero)} is zero; a quaternion w, x, y, z of any other length will do")
    return Q / size, kind


def fit(**arrays: tuple[np.ndarray, int]) -> None:
    """An error unless the batch axes of arrays, each with the number of its other axes, broadcast."""
    common_batch({name: x.shape[: x.ndim - core] for name, (x, core) in arrays.items()})


def _check_rotations(of: str, name: str, R: np.ndarray, kind: np.dtype[Any]) -> None:
    nearly = max(NEARLY, ROUNDINGS * float(np.finfo(kind).eps))
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = ~(is_rotation(R, nearly) | np.isnan(R).any(axis=(-1, -2)))
    if wrong.any():
        raise ArgumentError(
            f"{of}: the rotation of {name}{_row(wrong)} is none (unit columns at right angles, determinant 1), "
            f"got\n{R[wrong][0]}"
        )


def _row(wrong: np.ndarray) -> str:
    """Where in a batch the first wrong one is."""
    return f"[{', '.join(str(i[0]) for i in np.nonzero(wrong))}]" if wrong.ndim else ""
