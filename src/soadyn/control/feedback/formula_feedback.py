"""Formulas of the algebra as feedbacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ShapeError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.robot.compiled import Compiled
from soadyn.robot.compiled.formula_arguments import fixed_inputs, program_arrays
from soadyn.simulation.drive.dynamics import Dynamics
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.drive.time_series import TimeSeries


@final
class FormulaFeedback(Feedback):
    """A compiled formula as a torque: a joint force in terms of q, v and vectors that are given as references.

    >>> import soadyn as sd
    >>> from soadyn.algebra import theta_dot
    >>> arm = sd.load("planar_two_link").with_gravity([0, 0, 0])
    >>> c = sd.operator("c", [2.0, 1.0])
    >>> brake = sd.control.FormulaFeedback(sd.compile(-c @ theta_dot, arm))
    >>> run = sd.simulate(arm, [0.0, 0.5], [1.0, -1.0], control=brake, duration=0.1, step=0.01)
    >>> bool(run.kinetic[-1] < run.kinetic[0])
    True
    """

    def __init__(self, formula: Compiled, **references: ArrayLike | TimeSeries) -> None:
        if not isinstance(formula, Compiled) or formula.is_operator or formula.is_dense or not formula.is_alone:
            raise ArgumentError("a FormulaFeedback takes one compiled formula, a vector with recursions")
        shape = formula.setting.shape(formula.formulas[0].codomain)
        if shape != (formula.robot.nv,):
            raise ShapeError(
                f"a FormulaFeedback is a joint force, ({formula.robot.nv},); {formula.signature} gives {shape}"
            )
        wanted = {argument.name: argument for argument in formula.arguments if argument.name not in ("q", "v")}
        if set(wanted) != set(references):
            raise ArgumentError(
                f"FormulaFeedback of {formula.signature}: references are {sorted(wanted) or 'none'}, "
                f"got {sorted(references) or 'none'}"
            )
        self.formula = formula
        given = {
            name: x if isinstance(x, TimeSeries) else formula.setting.checked(wanted[name], x)
            for name, x in references.items()
        }
        super().__init__(formula.robot, given)

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        form, program = self.formula.form, self.formula.program
        arrays = program_arrays(self.formula.setting, form.inputs, program.inputs, {"q": q, "v": v, **references})
        return dynamics.run(program, arrays)[0]

    def content(self) -> tuple[Any, ...]:
        formula = self.formula
        return (formula.program, fixed_inputs(formula.setting, formula.form.inputs, formula.program.inputs))
