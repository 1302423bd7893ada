"""From the values of the links to the array that is a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants
from soadyn.mechanics.spatial.arithmetic import Array, beside, symmetric
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.sweep.program import SHAPES, Output

Batch = tuple[int, ...]


@final
class Blocks:
    """A matrix of pairs of links: each link's rows from its own columns on, and what stands below its own block.

    `mirrored`: read by a Once, the matrix is symmetric and only its upper half is written.
    """

    def __init__(self, n: int, mirrored: bool) -> None:
        self.mirrored = mirrored
        self.rows: list[list[Array]] = [[] for _ in range(n + 1)]
        self.below: list[Array | None] = [None] * (n + 1)


def side_by_side(values: Sequence[Spatial | Array]) -> Spatial | Array:
    """Spatial vectors, or other columns, side by side."""
    return Spatial.beside(values) if isinstance(values[0], Spatial) else beside(values)


def laid_out(value: Any, output: Output, constants: Constants, batch: Batch) -> Array:
    """A value of the sweeps as the array a caller gets, with its batch axes."""
    match output.layout:
        case "whole":
            found = _whole(value, batch)
            return found.reshape(batch + output.sizes) if output.sizes and set(output.sizes) == {1} else found
        case "solved":
            return _full(value, batch)
        case "sum":
            rows = 1 if output.sizes is None else output.sizes[0]
            assert isinstance(rows, int), "the sum of a column of numbers"
            column = _full(sum(value[1:], np.zeros((rows, 1))), batch)[..., 0]
            return column if output.sizes else column[..., 0]
        case "coordinates":
            return np.concatenate(
                [np.zeros((*batch, 0)), *(np.broadcast_to(x, (*batch, x.shape[-1])) for x in value[1:])], axis=-1
            )
        case "joint":
            return _joined(value[1:], batch, -2, (0, 1))[..., 0]
        case "joint matrix":
            return np.ascontiguousarray(symmetric(_joined(value[1:], batch, -2, (0, 0))))
        case "joint columns":
            return _joined(value[1:], batch, -2, (0, 0))
        case "columns":
            return _joined([matrix_of(x) for x in value[1:]], batch, -1, (6, 0))
        case "link" | "link matrices" as layout:
            shown = [_full(value[k], batch)[..., None, :, :] for k in constants.model.visible]
            return np.concatenate(shown, axis=-3) if shown else np.zeros((*batch, 0, *SHAPES[layout][1:]))
        case "link vectors":
            columns = _joined([matrix_of(value[k]) for k in constants.model.visible], batch, -1, (6, 0))
            return np.ascontiguousarray(columns.swapaxes(-1, -2))
        case "blocks":
            return _assembled(
                [[x] for x in value[1:]], [link.dofs.start for link in constants.moving], constants, batch
            )
        case "matrix":
            return _climbed(value.rows, constants, batch)
        case "symmetric":
            return _mirrored(value, constants, batch)
        case "pairs":
            return _both_ways(value, constants, batch)


def all_of(value: Any, constants: Constants) -> Array:
    """All links' shares of a joint vector as one column, a Climb's matrix as a symmetric one, one of Pairs as it is."""
    climbed = isinstance(value, Blocks)
    blocks = [block for row in value.rows for block in row] if climbed else value[1:]
    below = [block for block in value.below if block is not None] if climbed else []
    batch = np.broadcast_shapes(*(block.shape[:-2] for block in (*blocks, *below)))
    if not climbed:
        return _joined(value[1:], batch, -2, (0, 1))
    return (_mirrored if value.mirrored else _both_ways)(value, constants, batch)


def _whole(value: Any, batch: Batch) -> Array:
    array = np.ascontiguousarray(_full(matrix_of(value), batch))
    if array.shape[-1] > 1:
        return array
    return array[..., 0, 0] if array.shape[-2] == 1 else array[..., 0]


def matrix_of(value: Any) -> Array:
    """A value of one link, or of a Once, as a matrix."""
    if isinstance(value, Transform):
        return value.homogeneous()
    return value.dense() if isinstance(value, Spatial) else value


def _full(x: Array, batch: Batch) -> Array:
    """A matrix value with all the batch axes of the call."""
    return np.array(np.broadcast_to(x, batch + x.shape[-2:]), order="C")


def _joined(parts: list[Array], batch: Batch, axis: int, empty: tuple[int, ...]) -> Array:
    if not parts:
        return np.zeros(batch + empty)
    return np.concatenate([_full(part, batch) for part in parts], axis=axis)


def _climbed(rows: list[list[Array]], constants: Constants, batch: Batch) -> Array:
    """The block upper triangular matrix whose rows a Climb wrote, each from its own columns on."""
    starts, total = [], 0
    for link in constants.moving:
        starts.append(total)
        # A row holds the link's own columns and those of all beyond it; what the children start is the rest.
        width = sum(block.shape[-1] for block in rows[link.index])
        total += width - sum(sum(b.shape[-1] for b in rows[j]) for j in link.children)
    return _assembled(rows[1:], starts, constants, batch, total)


def _mirrored(value: Blocks, constants: Constants, batch: Batch) -> Array:
    """The symmetric matrix whose upper half a Climb wrote."""
    return np.ascontiguousarray(symmetric(_climbed(value.rows, constants, batch)))


def _both_ways(value: Blocks, constants: Constants, batch: Batch) -> Array:
    """The matrix with blocks above and below the diagonal."""
    matrix = _climbed(value.rows, constants, batch)
    for link, below in zip(constants.moving, value.below[1:], strict=True):
        if below is not None:
            matrix = matrix.astype(np.result_type(matrix, below), copy=False)
            matrix[..., link.dofs.stop : link.dofs.stop + below.shape[-2], link.dofs] = below
    return matrix


def _assembled(
    rows: list[list[Array]], starts: list[int], constants: Constants, batch: Batch, total: int | None = None
) -> Array:
    nv = constants.model.nv
    blocks = [block for row in rows for block in row]
    dtype = np.result_type(float, *(block.dtype for block in blocks))
    matrix = np.zeros((*batch, nv, nv if total is None else total), dtype=dtype)
    for link, row, start in zip(constants.moving, rows, starts, strict=True):
        for block in row:
            matrix[..., link.dofs, start : start + block.shape[-1]] = block
            start += block.shape[-1]
    return matrix
