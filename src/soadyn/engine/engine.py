"""The engine of a robot: its constants, its coordinates, and the backend that runs programs on them.

This is the one place that chooses between the reference and native code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, final, get_args

import numpy as np

from soadyn.engine import derivative_reference
from soadyn.engine.constants.constants import Constants, constants_of
from soadyn.engine.constants.supplied import supplied
from soadyn.engine.native import run as native
from soadyn.engine.native.kernel import available
from soadyn.engine.native.kernels import Kernels, size_of
from soadyn.engine.native.llvm.processor import processor
from soadyn.engine.native.prepared import Prepared
from soadyn.engine.native.rollout import Rollout
from soadyn.engine.native.run import Call
from soadyn.engine.native.single_state import nothing_prepared
from soadyn.engine.native.threads import one_thread, set_threads
from soadyn.engine.precision import Precision
from soadyn.engine.reference import run as reference
from soadyn.engine.reference.faults import Faults
from soadyn.engine.tracing.passive_set import Part, PassiveSet
from soadyn.engine.tracing.ports import ports_of
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.errors import ArgumentError
from soadyn.fork_safe import cached_property
from soadyn.model.coordinates import Coordinates
from soadyn.model.model import Model
from soadyn.programs.sweep.inputs import core_axes
from soadyn.programs.sweep.program import Program

__all__ = [
    "Backend",
    "Call",
    "Engine",
    "Part",
    "PassiveSet",
    "Precision",
    "Prepared",
    "computing_processor",
    "nothing_prepared",
    "one_thread",
    "set_threads",
]

Backend = Literal["auto", "numpy", "rolled", "straight"]


@final
class Engine:
    """One robot's numbers and the code that computes with them, each made when it is first needed.

    `backend` is "numpy" (the reference), "rolled" or "straight" (native code in one form), or "auto". `parameters` are
    constants that every call supplies, by name and shape. Straight-line code may be made for the set `passive` alone,
    booleans (nv,).

    >>> from soadyn.loading import load_model
    >>> engine = Engine(load_model("planar_two_link"))
    >>> engine.coordinates.nv, engine.constants.model.name
    (2, 'planar_two_link')
    """

    def __init__(
        self,
        model: Model,
        backend: Backend = "auto",
        parameters: Mapping[str, tuple[int, ...]] | None = None,
        passive: np.ndarray | None = None,
    ) -> None:
        if not isinstance(backend, str) or backend not in get_args(Backend):
            raise ArgumentError(f"a backend is one of {', '.join(map(repr, get_args(Backend)))}, got {backend!r}")
        self.model = model
        self.backend = backend
        self.parameters = dict(parameters or {})
        self.passive = passive
        self.functions: dict[Any, Any] = {}  # what else is made once, by what it is made for

    @cached_property
    def constants(self) -> Constants:
        """The model's numbers as arrays, in private frames."""
        return constants_of(self.model)

    @cached_property
    def coordinates(self) -> Coordinates:
        """Where each joint's numbers stand in q and v."""
        return Coordinates(self.model)

    @cached_property
    def kernels(self) -> Kernels | None:
        """Native kernels; None where the reference computes: on request, without joints, without llvmlite."""
        if self.backend == "numpy" or self.coordinates.nv == 0 or not available():
            return None
        return Kernels(self.constants, self.backend, self.parameters)

    def run(
        self,
        program: Program,
        inputs: Mapping[str, Any],
        batch: tuple[int, ...],
        precision: Precision | None,
        passive: PassiveSet | None = None,
    ) -> tuple[Sequence[np.ndarray], Faults, Call | None]:
        """A program's outputs, the rows without an answer, and the native call that gave the outputs if there was one.

        `precision` None leaves the arrays' own numbers (complex, long double, mpmath) to the reference. Values of
        parameters stand among the inputs. Straight-line code is made for the set `passive` alone if it is given, and
        gives just the set's parts of the outputs.
        """
        inputs = {**supplied(program, self.constants), **inputs} if self.model.closures else inputs
        call = None
        if self.kernels is not None and precision is not None:
            call = native.call_for(program, self.kernels, inputs, batch, precision, passive)
        if call is not None:
            outputs, faults = native.run(
                call,
                inputs,
                lambda given: self.core_axes(program, given),
                lambda rows, count: self._by_reference(program, rows, count)[1],
            )
        else:
            outputs, faults = self._by_reference(program, in_double(inputs), batch)
        if precision == "float32":
            outputs = [output.astype(np.float32, copy=False) for output in outputs]
        return outputs, faults, call

    def has_kernel(self, program: Program, batch: tuple[int, ...], precision: Precision | None) -> bool:
        """Is there native code for a program without frames? None where it would be too long, or without llvmlite."""
        if self.kernels is None or precision is None:
            return False
        return self.kernels.choose(program, precision, {}, size_of(batch)) is not None

    def rollout(self, ports: StepPorts, content: tuple[Any, ...], record: Callable[[], Step], single: bool) -> Rollout:
        """A step in time as machine code that repeats it. `content` is all that the step depends on.

        With `single` for one row, otherwise for many at once.
        """
        assert self.kernels is not None, "there is no native code"
        return self.kernels.rollout(ports, content, record, single)

    def core_axes(self, program: Program, inputs: Mapping[str, Any]) -> dict[str, int]:
        """How many axes each input has after those of the batch; inputs without a batch are left out."""
        axes = {name: count for name in inputs if (count := core_axes(name)) is not None}
        if self.parameters or program.derivatives:
            ports, _ = ports_of(program, self.model, self.parameters)
            further = {port.name: len(port.shape) for port in ports if port.name not in program.inputs}
            axes |= {name: count for name, count in further.items() if name in inputs}
        return axes

    def _by_reference(
        self, program: Program, inputs: Mapping[str, Any], batch: tuple[int, ...]
    ) -> tuple[Sequence[np.ndarray], Faults]:
        if program.derivatives:
            return derivative_reference.run(program, self.constants, inputs, batch, self.parameters)
        return reference.run(program, self.constants, inputs, batch, self.parameters)


def computing_processor() -> tuple[str, str]:
    """The name and features of the processor that kernels are compiled for, as LLVM tells them; empty without it."""
    if not available():
        return "", ""
    target = processor()
    return target.name, target.features


def in_double(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs in double precision: single precision is for what comes in and goes out, not for sums and sines."""
    return {
        name: x.astype(np.result_type(x.dtype, np.float64))
        if isinstance(x, np.ndarray) and x.dtype in (np.float32, np.complex64)
        else x
        for name, x in inputs.items()
    }
