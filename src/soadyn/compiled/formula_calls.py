"""Short cuts of compiled formulas: arrays straight to the kernels that served such arrays before.

They are for vectors of all joints and plain numbers: what stands for active or passive joints, links or operational
points is brought into its place first, the long way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, final

import numpy as np

from soadyn.backends.native import run as native
from soadyn.backends.native.prepared import ShortCut
from soadyn.compiled.choice import Form
from soadyn.compiled.formula_arguments import OF_PROGRAM, Argument, Setting, block_numbers

AS_THEY_ARE = ("joint", "white joint", "number")


def nothing_ready(*arrays: Any) -> None:
    """The call before anything is ready."""


@final
class Readiness:
    """Of one compiled formula, the kernels that are ready; `call` answers None where the long way has to be taken."""

    def __init__(self, setting: Setting, form: Form, arguments: list[Argument]) -> None:
        self._setting = setting
        self._form = form
        self._short_cut = ShortCut()
        self._taken = [_of_program(form, argument) for argument in arguments]
        self.call: Callable[..., Any] = nothing_ready

    def prepare(self, q: np.ndarray) -> None:
        """Keeps the kernel for such a state or batch, if there is a short cut for these arguments and results."""
        size = self._short_cut.size(q)
        kernels, program = self._setting.robot.engine.kernels, self._form.lowered.program
        if kernels is None or size in self._short_cut or q.ndim > 2 or q.dtype != np.float64 or not self._possible():
            return
        kernel = native.kernel_for(program, kernels, {}, "float64", math.prod(q.shape[:-1]))
        self._short_cut.add(size, kernel, [self._constant(name) for name in program.inputs[len(self._taken) :]])
        self.call = self._short_cut.call()

    def _possible(self) -> bool:
        program = self._form.lowered.program
        taken, rest = program.inputs[: len(self._taken)], program.inputs[len(self._taken) :]
        plain = all(formula.codomain.place in AS_THEY_ARE for formula in self._form.formulas)
        return plain and list(taken) == self._taken and all(self._is_constant(name) for name in rest)

    def _is_constant(self, name: str) -> bool:
        return name == "passive" or (
            name.startswith("joint$") and self._form.inputs.joint[_place(name)].blocks is not None
        )

    def _constant(self, name: str) -> np.ndarray:
        if name == "passive":
            assert self._setting.passive is not None
            return self._setting.passive.astype(float)
        return block_numbers(self._setting, self._form.inputs.joint[_place(name)])


def _of_program(form: Form, argument: Argument) -> str | None:
    """What the program calls an argument; None if it is not taken as it is."""
    if argument.space is None:
        return "q"
    if argument.space.place not in AS_THEY_ARE:
        return None
    if argument.name in OF_PROGRAM:
        return OF_PROGRAM[argument.name]
    names = [symbol.name for symbol in form.inputs.joint]
    return f"joint${names.index(argument.name)}" if argument.name in names else None


def _place(name: str) -> int:
    return int(name.partition("$")[2])
