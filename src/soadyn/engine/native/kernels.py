"""A robot's kernels: which form of code serves which batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, final

from soadyn.engine import policy
from soadyn.engine.cache.code_cache import found, keep
from soadyn.engine.cache.fingerprint import fingerprint
from soadyn.engine.constants.constants import Constants
from soadyn.engine.constants.parameters import with_parameters
from soadyn.engine.native.kernel import Kernel, Lanes, rolled_kernel, straight_kernel
from soadyn.engine.native.rollout import Rollout, rollout
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import Graph, TooLongError
from soadyn.engine.tracing.algorithm_choice import cheapest_trace
from soadyn.engine.tracing.passive_set import PassiveSet, part_ports
from soadyn.engine.tracing.ports import Port, Ports
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.engine.tracing.trace import Traced, recorded
from soadyn.engine.tracing.traced import WORLD, arguments_and_results, traced
from soadyn.fork_safe import forked_lock
from soadyn.programs.derive.programs import Derived, derived_program
from soadyn.programs.sweep.program import Program, summed_by_entries

Form = Literal["auto", "rolled", "straight"]
Size = Literal["one", "some", "many"]
# The links that carry a program's frames, by the frames' names; None for the world's axes, along which nothing turns.
Frames = Mapping[str, int | None]
Shapes = Mapping[str, tuple[int, ...]]


def size_of(batch: tuple[int, ...]) -> Size:
    """How many states a batch has, which the choice of a kernel depends on: one, some, or many."""
    rows = batch[0] if len(batch) == 1 else math.prod(batch)
    if rows == 1:
        return "one"
    return "some" if rows < policy.MANY_STATES else "many"


@final
@dataclass(frozen=True, slots=True)
class Known:
    """What straight-line code knows of a call's options: the frames' links, and the passive set if it is for one."""

    frames: Frames
    passive: PassiveSet | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        return self.passive.key if self.passive else None, *sorted(self.frames.items(), key=repr)

    @property
    def world(self) -> dict[str, Any]:
        """The world's axes, where a frame stands for them."""
        return {name: WORLD for name, link in self.frames.items() if link is None}


@final
class Kernels:
    """A robot's kernels, each made when first needed.

    `form` "auto" takes rolled code for single states and small batches, and straight-line code for larger ones if its
    trace is short enough for them. `parameters` are constants that calls supply, by name and shape: then all code is
    straight-line, after the program's own arguments come the parameters, and `choose` gives None for long traces; so it
    does for programs that no loop can run.
    """

    def __init__(self, constants: Constants, form: Form, parameters: Shapes | None = None) -> None:
        self.constants = constants
        self.form = form
        self._parameters = dict(parameters or {})
        self._made: dict[Any, Kernel | None] = {}
        self._lock = forked_lock()

    def choose(
        self, program: Program, precision: Precision, frames: Frames, size: Size, passive: PassiveSet | None = None
    ) -> Kernel | None:
        """The kernel for batches of that size. Straight-line code is made for the set `passive` alone if it is given.

        Such code has no argument `passive` and gives the parts that are wanted.
        """
        known = Known(frames, passive)
        if self._parameters or not summed_by_entries(program):
            return self._straight(program, precision, Known(frames), size, policy.LONGEST_WITH_PARAMETERS)
        if program.derivatives:
            return self._derivative(program, precision, known, size)
        if self.form == "straight":
            return self._straight(program, precision, known, size, None)
        if self.form == "auto" and size == "many" and self._results(program) < policy.MOST_RESULTS:
            kernel = self._straight(program, precision, known, size, policy.LONGEST_TRACE)
            if kernel is not None:
                return kernel
        return self._rolled(program, precision, size)

    def _derivative(self, program: Program, precision: Precision, known: Known, size: Size) -> Kernel | None:
        """The kernel of a program with derivatives; loops over the links where these have a program of their own."""
        derived = None if self.form == "straight" else derived_program(program)
        if derived is None or (self.form == "auto" and size == "many"):
            kernel = self._straight(program, precision, known, size, policy.LONGEST_WITH_PARAMETERS)
            if kernel is not None or derived is None:
                return kernel
        return self._rolled(program, precision, size, derived)

    def _rolled(self, program: Program, precision: Precision, size: Size, derived: Derived | None = None) -> Kernel:
        """Loops over the links, those of the program `derived` from this one if it has derivatives."""
        single = size == "one"

        def new() -> Kernel:
            if derived is None:
                return rolled_kernel(program, self.constants, precision, single)
            kernel = rolled_kernel(derived.program, self.constants, precision, single)
            kernel.inputs = tuple(Port(derived.called.get(port.name, port.name), port.shape) for port in kernel.inputs)
            return kernel

        return self._once(("rolled", program, precision, single), new)

    def _straight(
        self, program: Program, precision: Precision, known: Known, size: Size, longest: int | None
    ) -> Kernel | None:
        """The straight-line kernel, or None if its trace is longer than `longest`."""
        ports = self._ports(program, known)
        lanes: Lanes = "one" if size == "one" else "many"
        key = ("straight", program, precision, lanes, longest, *known.key)
        return self._once(key, lambda: self._new_straight(program, precision, known, ports, lanes, longest))

    def _ports(self, program: Program, known: Known) -> Ports:
        """The arguments of straight-line code, and its results."""
        folded = {*known.world, "passive"} if known.passive else {*known.world}
        inputs, outputs = arguments_and_results(program, self.constants.model, folded, self._parameters)
        parts = known.passive.parts if known.passive else ()
        return inputs, part_ports(parts) if parts else outputs

    def _results(self, program: Program) -> int:
        """How many numbers a program's results are for each state."""
        return sum(port.count for port in self._ports(program, Known({}))[1])

    def _new_straight(
        self,
        program: Program,
        precision: Precision,
        known: Known,
        ports: Ports,
        lanes: Lanes,
        longest: int | None,
    ) -> Kernel | None:
        parameters = {name: Port(name, shape) for name, shape in self._parameters.items()}
        content = fingerprint(program, self.constants, known.frames, self._parameters, known.passive)

        def trace(same: Program) -> Traced:
            graph = Graph()
            unknown = {name: recorded(graph, port) for name, port in parameters.items()}
            constants = with_parameters(self.constants, unknown) if unknown else self.constants
            further = {parameters[name]: array for name, array in unknown.items()}
            links = {name: link or 0 for name, link in known.frames.items()}
            return traced(same, constants, links, graph, further, known.world, longest, known.passive)

        def cheapest() -> Traced:
            return cheapest_trace(program, self.constants.model, trace)

        # Finding out that a trace is too long may take a second, so later processes are told.
        too_long = fingerprint(content, "longer than", longest) if content else None
        if too_long and found(too_long):
            return None
        try:
            kernel = straight_kernel(program.name, ports, content, cheapest, precision, lanes)
        except TooLongError:
            if too_long:
                keep(too_long, b"too long")
            return None
        return kernel if longest is None or kernel.work <= longest else None

    def rollout(self, ports: StepPorts, content: tuple[Any, ...], record: Callable[[], Step], single: bool) -> Rollout:
        """A step as machine code that repeats it, for one row or for many; made once if its content can be read."""
        step = fingerprint("step", *content)
        if step is None:
            return rollout(ports, None, record, single)

        def new() -> Rollout:
            return rollout(ports, fingerprint(step, self.constants, self._parameters), record, single)

        return self._once(("rollout", step, single), new)

    def _once(self, key: Any, make: Any) -> Any:
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = make()
        return self._made[key]
