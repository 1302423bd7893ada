"""The reference: runs a Program link by link on NumPy arrays. It defines what a Program does; it is never optimised.

Works on float, complex, long double and object arrays (mpmath numbers, recorded scalars), with leading batch axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.engine.constants.constants import Constants, LinkConstants
from soadyn.engine.constants.parameters import NO_PARAMETERS, with_parameters
from soadyn.engine.reference import checks
from soadyn.engine.reference.faults import Faults
from soadyn.engine.reference.layout import Blocks, all_of, laid_out, side_by_side
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.inertia import Inertia
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Spatial
from soadyn.programs.sweep.closed import kept_names
from soadyn.programs.sweep.combine import one_unit
from soadyn.programs.sweep.inputs import core_axes, share_of
from soadyn.programs.sweep.program import (
    SPATIAL,
    Climb,
    Direction,
    Once,
    Pairs,
    Program,
    Stage,
    Substitution,
    Sweep,
    read_of,
)

Values = dict[str, Any]  # per link a list, the ground at 0; of a Once the value itself, of a Climb or Pairs Blocks


def run(
    program: Program,
    constants: Constants,
    inputs: Mapping[str, Any],
    batch: tuple[int, ...],
    parameters: Mapping[str, tuple[int, ...]] = NO_PARAMETERS,
) -> tuple[list[Array], Faults]:
    """The program's outputs, and the rows that have no answer (NaN in every entry).

    `inputs` holds an array or value for each of `program.inputs`; frame and axes are pairs of a link and a Transform.
    Constants that are `parameters`, by name and shape, stand among the inputs.
    """
    if parameters:
        values = {name: inputs[name] for name in parameters}
        others = {name: x for name, x in inputs.items() if name not in values}
        outputs, found = run(program, with_parameters(constants, values), others, batch)
        faults = Faults(batch)
        for name, shape in parameters.items():
            checks.argument(f"parameter {name!r} is", values[name], len(shape), faults)
        for fault in found.found:
            faults.add(fault.reason, fault.rows)
        return [checks.with_bad_rows(output, batch, faults) for output in outputs], faults
    if program.units:
        axes = {name: count for name in inputs if (count := core_axes(name)) is not None}
        return in_turn(program, inputs, axes, batch, constants.model.nv, lambda *one: run(one[0], constants, *one[1:]))
    evaluation = Evaluation(constants, inputs, _nothing(inputs["q"]))
    faults = Faults(batch)
    checks.inputs(inputs, constants, faults)
    with np.errstate(all="ignore"):
        for stage in program.stages:
            evaluation.values.update(evaluation.written_by(stage))
            if "D" in stage.writes:
                checks.pivots(evaluation.values["D"], constants, inputs.get("passive"), faults)
            if "Lambda_pivot" in stage.writes:
                checks.task_pivots(evaluation.values["Lambda_pivot"], faults)
            if "Lambda_Q_pivot" in stage.writes:
                names = kept_names(constants.model)
                checks.closure_pivots(evaluation.values["Lambda_Q_pivot"], names, faults)
            if "Lambda_Q_room" in stage.writes:
                checks.closure_room(evaluation.values["Lambda_Q_room"], kept_names(constants.model), faults)
            if "Phi_Q_room" in stage.writes:
                names = kept_names(constants.model)
                checks.shut(evaluation.values["Phi_Q"], evaluation.values["Phi_Q_room"], names, faults)
        outputs = [laid_out(evaluation.values[out.value], out, constants, batch) for out in program.outputs]
    checks.overflow(outputs, batch, faults)
    return [checks.with_bad_rows(output, batch, faults) for output in outputs], faults


def in_turn(
    program: Program,
    inputs: Mapping[str, Any],
    axes: Mapping[str, int],
    batch: tuple[int, ...],
    nv: int,
    run: Callable[[Program, Mapping[str, Any], tuple[int, ...]], tuple[Any, Faults]],
) -> tuple[list[Array], Faults]:
    """The outputs of a program with `units`, and the bad rows.

    `axes` says of inputs that are arrays how many axes follow those of the batch; `run` runs a program without units.
    """
    wider = {name: np.expand_dims(x, -1 - axes[name]) if name in axes else x for name, x in inputs.items()}
    kind = inputs["q"].dtype
    wider[program.units] = np.eye(nv, dtype=kind if kind.kind == "f" else float)
    outputs, found = run(one_unit(program), wider, (*batch, nv))
    faults = Faults(batch)
    for fault in found.found:
        faults.add(fault.reason, fault.rows.any(axis=-1))
    return [np.ascontiguousarray(np.moveaxis(output, len(batch), -1)) for output in outputs], faults


@final
class Evaluation:
    """The values written so far, and how a step reads them.

    `nothing` is a zero inertia in the precision of q if that is finer than float64, else None.
    """

    def __init__(self, constants: Constants, inputs: Mapping[str, Any], nothing: Inertia | None = None) -> None:
        self.constants = constants
        self.inputs = inputs
        self.nothing = nothing
        self.values: Values = {}

    def written_by(self, stage: Stage) -> Values:
        match stage:
            case Sweep():
                return self._sweep(stage)
            case Climb() | Pairs():
                return self._climb(stage)
            case Once() | Substitution():
                read = [self._reader(name, stage, {}) for name in stage.reads]
                return dict(zip(stage.writes, stage.step(*(get(0) for get in read)), strict=True))

    def _sweep(self, sweep: Sweep) -> Values:
        n = self.constants.model.n
        new: Values = {name: [None] * (n + 1) for name in sweep.writes}
        for name, ground in sweep.ground:
            new[name][0] = ground(self.constants.gravity)
        read = [self._reader(name, sweep, new) for name in sweep.reads]
        order = range(n, 0, -1) if sweep.direction is Direction.TIP_TO_BASE else range(1, n + 1)
        for k in order:
            results = sweep.step(self._link(k).kind, *(get(k) for get in read))
            for name, value in zip(sweep.writes, results, strict=True):
                new[name][k] = value
        return new

    def _climb(self, climb: Climb | Pairs) -> Values:
        """For each matrix the links' blocks: their own columns, then those that climbed up from beyond; and below them.

        A link's own columns come before its children's, as in storage order.
        """
        n, phi = self.constants.model.n, self.values["phi"]
        own = [self._reader(name, climb, {}) for name in climb.own_reads]
        row = [self._reader(name, climb, {}) for name in climb.row_reads]
        found = {name: Blocks(n, mirrored=isinstance(climb, Climb)) for name in climb.writes}
        rising: list[list[tuple[Any, ...]]] = [[] for _ in range(n + 1)]
        for k in range(n, 0, -1):
            link = self._link(k)
            beyond = [tuple(phi[j].carried(x) for x in values) for j in link.children for values in rising[j]]
            if beyond:
                together = [side_by_side(values) for values in zip(*beyond, strict=True)]
                above, below, passed = climb.take(link.kind, *(get(k) for get in row), *together)
                for blocks, right, under in zip(found.values(), above, below, strict=True):
                    blocks.rows[k], blocks.below[k] = [right], under
                rising[k] = [passed]
            if not (climb.visible_only and link.row is None):
                diagonal, values = climb.begin(link.kind, *(get(k) for get in own))
                for blocks, block in zip(found.values(), diagonal, strict=True):
                    blocks.rows[k].insert(0, block)
                rising[k].insert(0, values)
        return dict(found)

    def _link(self, k: int) -> LinkConstants:
        return self.constants.moving[k - 1]

    def _reader(self, name: str, stage: Stage, new: Values) -> Callable[[int], Any]:
        """How to read a value at link k."""
        given = dict(stage.given)
        prefix, value = read_of(name)
        if name in given:
            return self._constant_reader(name, given[name])
        if prefix == "parent":
            source = new.get(value) or self.values[value]
            return lambda k: source[self._link(k).parent]
        if prefix == "children":
            source = new.get(value) or self.values[value]
            return lambda k: sum(source[j] for j in self._link(k).children)
        if prefix == "ground":
            total = sum(self.values[value][j] for j in self.constants.model.children[0])
            return lambda k: total
        if prefix == "all":
            whole = all_of(self.values[value], self.constants)
            return lambda k: whole
        if prefix:  # a frame
            at = self.values[value][self.inputs[prefix][0]]
            return lambda k: at
        if name in self.inputs or share_of(name):
            return self._input_reader(name)
        if name == "gravity":
            return lambda k: self.constants.gravity
        if name in self.values:
            stored = self.values[name]
            return (lambda k: stored[k]) if isinstance(stored, list) else (lambda k: stored)
        if name == "M" and self.nothing is not None:
            nothing = self.nothing
            return lambda k: self._link(k).M + nothing
        if name == "placement" and self.nothing is not None:  # cosines and sines of its screws are rounded
            return lambda k: self._link(k).placement.without_screws
        return lambda k: getattr(self._link(k), name)

    def _input_reader(self, name: str) -> Callable[[int], Any]:
        x = self.inputs[name]
        match share_of(name):
            case "coordinates":
                return lambda k: x[..., self._link(k).coordinates]
            case "joint":
                return lambda k: x[..., self._link(k).dofs, None]
            case "wrench":
                return lambda k: (
                    Spatial.zero() if (row := self._link(k).row) is None else Spatial.of(x[..., row, :, None])
                )
            case "each":
                return lambda k: x[k]
            case "whole":
                # frame and axes are (link, Transform); about is a column
                whole = x[1] if isinstance(x, tuple) and isinstance(x[1], Transform) else x
                return lambda k: whole
        raise AssertionError(name)

    def _constant_reader(self, name: str, constant: float | str) -> Callable[[int], Any]:
        if name in SPATIAL:
            return lambda k: Spatial.zero()
        if constant == "identity":
            identity = np.eye(self.constants.model.nv)
            return lambda k: identity[self._link(k).dofs]
        return lambda k: np.full((self._link(k).kind.nv, 1), constant)


def _nothing(q: Array) -> Inertia | None:
    """A zero inertia in q's precision if that is finer than float64; added to M, it makes what M leads to as fine."""
    if q.dtype == object:
        import mpmath

        zero: Any = mpmath.mpf(0)
    elif q.dtype.kind in "fc" and np.finfo(q.dtype).eps < np.finfo(float).eps:
        zero = q.dtype.type(0)
    else:
        return None
    Z = Inertia.zero()
    return Inertia(Z.J + zero, Z.mp + zero, Z.m + zero)
