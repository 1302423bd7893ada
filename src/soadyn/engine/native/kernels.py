"""A robot's kernels: which form of code serves which batch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, final, get_args

from soadyn.engine import policy
from soadyn.engine.cache.fingerprint import cached, fingerprint
from soadyn.engine.constants.constants import Constants
from soadyn.engine.native.kernel import Kernel
from soadyn.engine.native.passes import Backend, Folded, Frames, Lanes, Shapes, Size, loops, repeated, straight, ways
from soadyn.engine.native.rollout import Rollout
from soadyn.engine.precision import Precision
from soadyn.engine.tracing import TooLongError
from soadyn.engine.tracing.passive_set import PassiveSet
from soadyn.engine.tracing.ports import ports_of
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.fork_safe import forked_lock
from soadyn.programs.sweep.inputs import is_frame, marked_by
from soadyn.programs.sweep.program import Program, summed_by_entries

Made = TypeVar("Made")


def size_of(batch: tuple[int, ...]) -> Size:
    """How many states a batch has, which the choice of a kernel depends on: one, some, or many."""
    rows = batch[0] if len(batch) == 1 else math.prod(batch)
    if rows == 1:
        return "one"
    return "some" if rows < policy.MANY_STATES else "many"


@final
class Kernels:
    """A robot's kernels, each made when first needed, in the form of code that `ways` tells.

    `parameters` are constants that calls supply, by name and shape: after a program's own arguments come the
    parameters.
    """

    def __init__(self, constants: Constants, form: Backend, parameters: Shapes | None = None) -> None:
        self.constants = constants
        self.form = form
        self._parameters = dict(parameters or {})
        self._made: dict[Any, Any] = {}
        self._lock = forked_lock()

    def choose(
        self, program: Program, precision: Precision, frames: Frames, size: Size, passive: PassiveSet | None = None
    ) -> Kernel | None:
        """The kernel for batches of that size; None if straight-line code, which alone would do, is too long.

        Straight-line code is made for the set `passive` alone if it is given: it has no argument `passive` and gives
        the parts that are wanted.
        """

        def results() -> int:
            return sum(port.count for port in ports_of(program, self.constants.model, self._parameters)[1])

        for way, longest in ways(program, self.form, size, results, bool(self._parameters)):
            if way == "loops":
                key = way, program, precision, size == "one"
                return self._once(key, lambda: loops(program, self.constants, precision, single=size == "one"))
            alone = summed_by_entries(program) and not self._parameters  # otherwise the set stays an argument
            setting = Folded(self.constants, self._parameters, frames, passive if alone else None)
            kernel = self._straight(program, setting, precision, "one" if size == "one" else "many", longest)
            if kernel is not None:
                return kernel
        return None

    def forms(self, program: Program) -> dict[Size, str]:
        """The form of code that serves each size of batch, made if need be; frames are those of the last link."""
        named = {name if is_frame(name) else marked_by(name) for name in program.inputs}
        frames = {name: self.constants.model.n for name in named if name is not None}
        found = {size: self.choose(program, "float64", frames, size) for size in get_args(Size)}
        return {size: kernel.form if kernel else "NumPy, the reference" for size, kernel in found.items()}

    def _straight(
        self, program: Program, setting: Folded, precision: Precision, lanes: Lanes, longest: int | None
    ) -> Kernel | None:
        found: list[Kernel] = []

        def make() -> str:
            try:
                found.append(straight(program, setting, precision, lanes, longest))
            except TooLongError:
                return "too long"
            return "fits" if longest is None or found[0].work <= longest else "too long"

        def new() -> Kernel | None:
            # Finding out that a trace is too long may take a second, so later processes are told.
            if longest is not None and cached("length", (*setting.depends(program), longest), make) == "too long":
                return None
            return found[0] if found else straight(program, setting, precision, lanes, longest)

        return self._once(("straight", program, precision, lanes, longest, *setting.key), new)

    def rollout(self, ports: StepPorts, content: tuple[Any, ...], record: Callable[[], Step], single: bool) -> Rollout:
        """A step as machine code that repeats it, for one row or for many; made once if its content can be read."""
        step = fingerprint("step", *content)
        if step is None:
            return repeated(ports, None, record, single)

        def new() -> Rollout:
            return repeated(ports, fingerprint(step, self.constants, self._parameters), record, single)

        return self._once(("rollout", step, single), new)

    def _once(self, key: Any, make: Callable[[], Made]) -> Made:
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = make()
        found: Made = self._made[key]
        return found
