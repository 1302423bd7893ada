"""A compiled formula at a point, to be differentiated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from soadyn.algebra.spaces import Space
from soadyn.errors import ArgumentError
from soadyn.robot.arguments import arguments
from soadyn.robot.calling.differentiation import Problem, Vector
from soadyn.robot.compiled.formula_arguments import Argument, Setting, called_in_program, program_arrays

if TYPE_CHECKING:
    from soadyn.robot.compiled.compiled import Compiled


def problem_of(function: Compiled, spaces: Sequence[Space], at: Any) -> Problem:
    """A formula, whose results lie in these spaces, at a value for each of its arguments."""
    setting, wanted = function.setting, function.arguments
    checked = checked_point(function, at)
    program, inputs = function.program, function.form.inputs
    arrays = program_arrays(setting, inputs, program.inputs, checked)
    arrays |= {argument.parameter: checked[argument.name] for argument in setting.parameters}
    called = called_in_program(setting, inputs)

    def results(outputs: Sequence[np.ndarray]) -> Any:
        found = [setting.result(x, space)[()] for x, space in zip(outputs, spaces, strict=True)]
        return found[0] if function.is_alone else tuple(found)

    return Problem(
        function.signature,
        setting.engine,
        program,
        arrays,
        tuple(_vector(setting, x, called[x.name]) for x in wanted),
        results,
        lambda given: [setting.widened(x, space) for x, space in zip(given, spaces, strict=True)],
        tuple(setting.shape(space) for space in spaces),
    )


def checked_point(function: Compiled, at: Any) -> dict[str, np.ndarray]:
    """A value for each argument of a formula that can be differentiated."""
    names = [argument.name for argument in function.arguments]
    if not isinstance(at, tuple | list) or len(at) != len(names):
        got = f"{len(at)} values" if isinstance(at, tuple | list) else f"{at!r:.60}"
        raise ArgumentError(f"{function.signature} is differentiated at a tuple ({', '.join(names)}); got {got}")
    if function.is_dense:
        raise ArgumentError(f"{function.signature} is computed with dense matrices, so it has no derivatives")
    called = called_in_program(function.setting, function.form.inputs)
    for x in function.arguments:
        if not x.parameter and called.get(x.name) not in function.program.inputs:
            raise ArgumentError(f"{function.signature} does not depend on {x.name!r}, so it has no derivatives by it")
    return {x.name: function.setting.checked(x, value) for x, value in zip(function.arguments, at, strict=True)}


def _vector(setting: Setting, argument: Argument, called: str) -> Vector:
    space = argument.space
    if argument.parameter:
        meaning = f"a change of parameter {argument.parameter!r}"
        read = lambda x: arguments.numbers(f"d{argument.name}", x, *argument.shape, meaning=meaning)  # noqa: E731
        return Vector(argument.name, called, read)
    if space is None:
        coordinates = setting.robot.engine.coordinates
        return Vector("q", "q", lambda x: arguments.joint_vector(coordinates, x, "dq"))
    changed = Argument(f"d{argument.name}", space)
    return Vector(
        argument.name,
        called,
        lambda x: setting.widened(setting.checked(changed, x), space),
        lambda x: setting.result(x, space),
    )
