"""`sd.compile`: from formulas and a robot to a function, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import overload

from soadyn.algebra.expressions import Expression
from soadyn.algebra.misfits import shown
from soadyn.engine.constants.constants import Constants
from soadyn.errors import SpaceError
from soadyn.programs.lowering.build import NoRecursionError
from soadyn.programs.lowering.known_inverses import resolved
from soadyn.robot import Backend, Robot
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag
from soadyn.robot.compiled.checks import checked_formulas, checked_reading, checked_setting
from soadyn.robot.compiled.choice import (
    ExistsNowhereError,
    Form,
    Reading,
    cheapest,
    check_cancelled,
    equal_ways,
    lowered_ways,
)
from soadyn.robot.compiled.compiled import Compiled, computed_vectors
from soadyn.robot.compiled.formula_arguments import Setting
from soadyn.robot.compiled.named_program import CompiledProgram, compiled_program
from soadyn.robot.parametric import ParametricRobot
from soadyn.theory.literature.entry import Entry, PaperFormula, PaperProgram


@overload
def compile_formulas(
    formula: PaperProgram, robot: Robot | ParametricRobot, *, backend: Backend | None = None
) -> CompiledProgram: ...
@overload
def compile_formulas(
    formula: Expression | PaperFormula | Sequence[Expression],
    robot: Robot | ParametricRobot,
    frames: Sequence[FrameLike] = (),
    passive: PassiveLike = (),
    given: Sequence[str] = (),
    backend: Backend | None = None,
    dense: bool = False,
    as_written: bool = False,
) -> Compiled: ...
def compile_formulas(
    formula: Expression | Entry | Sequence[Expression],
    robot: Robot | ParametricRobot,
    frames: Sequence[FrameLike] = (),
    passive: PassiveLike = (),
    given: Sequence[str] = (),
    backend: Backend | None = None,
    dense: bool = False,
    as_written: bool = False,
) -> Compiled | CompiledProgram:
    """A formula as a function for one robot: O(N) sweeps over its links, native where the robot is.

    `frames` are the operational points of B, `passive` the passive joints of H_p, D_p, K_p (P, psi and Omega are then
    the passive arm's), `given` those of a, b, V that calls supply. A list of formulas gives one function with several
    results that share their sweeps. `as_written` keeps the formula's own form and a user's equations apart,
    `dense` uses dense matrices where no recursion is known. Of a parametric robot calls take the constants last. A
    formula of `sd.papers` is compiled as it is printed; an algorithm there without a formula gives a function too.

    >>> import soadyn as sd
    >>> from soadyn.algebra import inv, mass
    >>> arm = sd.load("ur5")
    >>> f = sd.compile(inv(mass), arm)
    >>> f(arm.neutral()).dense().shape
    (6, 6)
    """
    if isinstance(formula, PaperProgram):
        setting = checked_setting(robot, frames, passive, backend)
        return compiled_program(formula, setting, given=given, dense=dense)
    if isinstance(formula, PaperFormula):
        as_written = as_written or formula.as_written
        formula = formula.formula
    formulas = checked_formulas(formula)
    setting = checked_setting(robot, frames, passive, backend)
    reading = checked_reading(formulas, setting, given, as_written)
    allowed = flag("dense", dense)
    return compiled(formulas, setting, reading, allowed, alone=isinstance(formula, Expression))


def compiled(
    formulas: tuple[Expression, ...], setting: Setting, reading: Reading, dense: bool, alone: bool = True
) -> Compiled:
    """Compile checked formulas; use dense matrices if no recursion is known and `dense` is True."""
    vectors = computed_vectors(formulas)
    form: Form | None = None
    try:
        form = chosen_form(vectors, reading, setting.robot.engine.constants)
    except NoRecursionError as error:
        if not dense or setting.parametric is not None:
            raise SpaceError(_refusal(error, formulas, reading)) from None
    return Compiled(formulas, alone, setting, reading, vectors, form, dense)


@lru_cache(maxsize=256)
def chosen_form(vectors: tuple[Expression, ...], reading: Reading, constants: Constants) -> Form:
    """The cheapest known program on the robot for vectors or numbers."""
    ways = equal_ways(vectors, reading)  # by the identity table
    forms = lowered_ways(ways, reading, constants)  # operators to sweeps over the links
    form = cheapest(forms)  # operations counted on the robot
    check_cancelled(ways[0].formulas, form.formulas, reading.passive, reading.points == 1)
    return form


def _refusal(error: NoRecursionError, formulas: tuple[Expression, ...], reading: Reading) -> str:
    """Why formulas cannot be compiled, and what can be done."""
    part = error.formula
    whole = "" if formulas == (part,) else f" in {', '.join(map(shown, formulas))}"
    if isinstance(error, ExistsNowhereError):
        return (
            f"{shown(part)}{whole} cancels, but no random arm has it: what it inverts is singular; "
            "sd.compile(..., dense=True) computes it with dense matrices, on robots that have it"
        )
    if reading.passive and resolved(part) != part:
        return (
            f"{shown(part)} is the inverse for all joints, and the formula has operators of the passive arm as well; "
            "a program has the articulated bodies of one arm: compile formulas of their own, or use dense=True"
        )
    written = "; as_written=True keeps inverses that are replaced otherwise" if reading.as_written else ""
    return (
        f"no recursion over the links is known for {shown(part)}{whole}{written}; "
        "sd.compile(..., dense=True) computes it with dense matrices"
    )
