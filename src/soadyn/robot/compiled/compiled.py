"""Formulas compiled for a robot: called like functions, or, where they are operators, applied like matrices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse, Symbol, walk
from soadyn.algebra.misfits import shown
from soadyn.algebra.spaces import NUMBER
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS
from soadyn.engine.engine import PassiveSet, Prepared
from soadyn.engine.tracing.traced import traced
from soadyn.errors import FrozenError, SpaceError
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot
from soadyn.robot.calling import differentiation
from soadyn.robot.calling.derivative_calls import DerivativeCalls
from soadyn.robot.calling.evaluate import precision_of
from soadyn.robot.calling.run_program import outputs_of
from soadyn.robot.compiled.applied import Applied
from soadyn.robot.compiled.choice import Form, Reading
from soadyn.robot.compiled.dense_way import dense_results, solved
from soadyn.robot.compiled.formula_arguments import (
    COORDINATES,
    RATES,
    Argument,
    Setting,
    arguments_named,
    arguments_of,
    bound,
    called_in_program,
    program_arrays,
    vectors_in,
)
from soadyn.robot.compiled.formula_calls import has_fast_path
from soadyn.robot.compiled.formula_problem import problem_of
from soadyn.robot.compiled.inverse_derivatives import InverseAt
from soadyn.robot.compiled.notebook import shown_compiled


@final
class Compiled:
    """A formula, or several that share their sweeps, for one robot; made by `sd.compile`.

    A vector or number is computed by calling it. An operator is called with q and then applied with `@`.

    >>> import soadyn as sd
    >>> from soadyn.algebra import H, M, a, b, phi
    >>> arm = sd.load("ur5")
    >>> bias = sd.compile(H @ phi @ (M @ phi.T @ a + b), arm)
    >>> bias.signature, bias.sweeps
    ('f(q, v) -> joint force (6,)', 2)
    >>> bias(arm.neutral(), [0.0] * 6).shape
    (6,)
    """

    def __init__(
        self,
        formulas: tuple[Expression, ...],
        alone: bool,
        setting: Setting,
        reading: Reading,
        vectors: tuple[Expression, ...],
        form: Form | None,
        dense: bool,
    ) -> None:
        self.formulas = formulas
        self.setting = setting
        self.reading = reading
        self._alone = alone
        self._vectors = vectors
        self._form = form
        self._dense = dense
        self._prepared = Prepared()
        self._derivatives = DerivativeCalls()
        self._is_operator = not formulas[0].is_vector  # kept: comparing spaces takes half as long as a small robot

    @property
    def robot(self) -> Robot:
        return self.setting.robot

    @property
    def is_operator(self) -> bool:
        """Does a call give an operator, to be applied, rather than a vector?"""
        return self._is_operator

    @property
    def is_dense(self) -> bool:
        """Is it computed with dense matrices, no recursion being known?"""
        return self._form is None

    @property
    def form(self) -> Form:
        """How the formulas are written and computed: of all ways that are known the cheapest on this robot."""
        if self._form is None:
            raise SpaceError(f"{shown(self.formulas[0])} is computed with dense matrices; it has no recursion")
        return self._form

    @property
    def program(self) -> Any:
        """The Program that is run."""
        return self.form.lowered.program

    @property
    def sweeps(self) -> int:
        """How many walks over the links it takes."""
        return len(self.form.lowered.walks.used)

    @cached_property
    def arguments(self) -> list[Argument]:
        """What a call takes."""
        if self.is_operator:
            applied_to = Argument("x", _computed_operator(self.formulas[0]).domain)
            return [*self._state, applied_to, *self.setting.parameters]
        if self._form is None:
            return arguments_named(vectors_in(self._vectors), self.reading.given, self.reading.points > 0)
        return [*arguments_of(self.form.inputs, self.program.inputs), *self.setting.parameters]

    @cached_property
    def _state(self) -> list[Argument]:
        """What an operator depends on: q, and the joint rates if an operator in it is linear in them."""
        parts = (x for x in walk(self.formulas[0]) if isinstance(x, Symbol) and x.along is None)
        rates = any(x.name in VELOCITY_OPERATORS for x in parts)
        return [COORDINATES, RATES] if rates else [COORDINATES]

    @property
    def called_with(self) -> list[Argument]:
        """The arguments of a call; the vector that an operator is applied to comes later."""
        return [*self._state, *self.setting.parameters] if self.is_operator else self.arguments

    @property
    def signature(self) -> str:
        """The arguments and results in words.

        >>> import soadyn as sd
        >>> from soadyn.algebra import inv, mass, T
        >>> print(sd.compile(inv(mass) @ T, sd.load("ur5")).signature)
        f(q, T) -> joint motion (6,)
        """
        names = ", ".join(argument.name for argument in self.called_with)
        if self.is_operator:
            X = self.formulas[0]
            size = [self._flat(space) for space in (X.codomain, X.domain)]
            return f"f({names}) -> operator {size[0]} x {size[1]} from {X.domain} to {X.codomain}"
        results = ", ".join(f"{x.codomain} {self.setting.shape(x.codomain)}" for x in self.formulas)
        return f"f({names}) -> {results}"

    def _flat(self, space: Any) -> int:
        return int(np.prod(self.setting.shape(space)))

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The result for one state or a batch of states; for an operator, that operator at q."""
        if not named and not self._is_operator:
            # Where no kernel is kept for such arguments, they are checked below.
            try:
                result = self._prepared.call(*values)
                if result is not None:
                    return result
            except (AttributeError, IndexError, TypeError, ValueError):
                pass
        given = bound(self.called_with, self.signature, values, named)
        if self.is_operator:
            return Applied(self, self._checked(self.called_with, given))
        results = self._computed(given)
        return results[0] if self._alone else tuple(results)

    def _checked(self, wanted: list[Argument], given: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return {argument.name: self.setting.checked(argument, given[argument.name]) for argument in wanted}

    def _computed(self, given: Mapping[str, Any]) -> list[np.ndarray]:
        checked = self._checked(self.arguments, given)
        if self.is_dense:
            return [x[()] for x in dense_results(self._vectors, self.setting, self.arguments, checked)]
        program = self.program
        arrays = program_arrays(self.setting, self.form.inputs, program.inputs, checked)
        arrays |= {argument.parameter: checked[argument.name] for argument in self.setting.parameters}
        inside = called_in_program(self.setting, self.form.inputs)
        called = {inside[x.name]: x.name for x in self.arguments if x.name in inside}
        passive = PassiveSet(arrays["passive"], ()) if "passive" in arrays else None
        precision = precision_of(checked.values())
        outputs, call = outputs_of(self.setting.engine, program, arrays, precision, called=called, passive=passive)
        spaces = [formula.codomain for formula in self._vectors]
        found = [self.setting.result(x, space) for x, space in zip(outputs, spaces, strict=True)]
        if self.is_operator:
            found = [self._for_every(checked, found[0])]
        if call is not None and self._has_fast_path and len(call.batch) <= 1:
            self._prepared.keep(call, [inside.get(argument.name, "") for argument in self.arguments])
        return [x[()] for x in found]

    @cached_property
    def _has_fast_path(self) -> bool:
        # Kernels give a single result as it is, not as a tuple of one; values of a robot's constants are to be checked.
        fits = self.setting.parametric is None and (self._alone or len(self.formulas) > 1)
        return fits and has_fast_path(self.form, self.arguments)

    def _for_every(self, checked: dict[str, np.ndarray], found: np.ndarray) -> np.ndarray:
        """Results with the batch axes of q and x; a program that does not read x (zero operators) lacks x's."""
        shape = self.setting.batch(self.arguments, checked) + self.setting.shape(self._vectors[0].codomain)
        return found if found.shape == shape else np.array(np.broadcast_to(found, shape))

    def times(self, at: Mapping[str, np.ndarray], x: Any) -> np.ndarray:
        """The operator at checked coordinates and parameters applied to vectors, (..., size)."""
        X = self.formulas[0]
        if self.inverted is not None:
            matrix = Applied(self.inverted, at).dense()
            return solved(matrix, self.setting.checked(Argument("x", X.domain), x), str(X))
        try:
            result = self._prepared.call(*(at[argument.name] for argument in self._state), x)
            if result is not None:
                return np.asarray(result)
        except (AttributeError, IndexError, TypeError, ValueError):
            pass
        return self._computed({**at, "x": x})[0]

    def jvp(self, at: Any, along: Any) -> tuple[Any, Any]:
        """The result and its rate of change along a direction: one for each argument, or None where one is constant.

        Directions of q are along the tangent space, one number for each joint rate. An operator is differentiated with
        the vector x that it is applied to.

        >>> import soadyn as sd
        >>> from soadyn.algebra import T, inv, mass
        >>> arm = sd.load("planar_two_link")
        >>> f = sd.compile(inv(mass) @ T, arm)
        >>> value, rate = f.jvp(([0.0, 0.5], [1.0, 0.0]), ([0.1, 0.2], None))
        >>> rate.shape
        (2,)
        """
        if self.inverted is not None:
            return InverseAt(self, self.inverted, at).jvp(along)
        return self._derivatives.jvp(self._kept_as, at, along, lambda: self._problem(at))

    def vjp(self, at: Any, weights: Any) -> tuple[Any, tuple[np.ndarray, ...]]:
        """The result and the derivatives of a weighted sum of its entries by each argument.

        >>> import soadyn as sd
        >>> from soadyn.algebra import M, V
        >>> arm = sd.load("planar_two_link")
        >>> energy = sd.compile(V.T @ M @ V / 2, arm)
        >>> value, (by_q, by_v) = energy.vjp(([0.0, 0.5], [1.0, 0.0]), 1.0)
        >>> bool(abs(by_v - arm.mass_matrix([0.0, 0.5]) @ [1.0, 0.0]).max() < 1e-12)
        True
        """
        if self.inverted is not None:
            return InverseAt(self, self.inverted, at).vjp(weights)
        return self._derivatives.vjp(self._kept_as, at, weights, lambda: self._problem(at))

    @cached_property
    def inverted(self) -> Compiled | None:
        """A of an operator inv(A) whose matrix is solved numerically."""
        X = self.formulas[0]
        found = X if not self.is_operator else _computed_operator(X)
        return None if found is X else self._alike(found)

    @cached_property
    def _kept_as(self) -> str | None:
        """By what name kernels of derivatives are kept; None if arguments or results need work around the kernel."""
        return "formula" if not self.is_dense and self._has_fast_path else None

    def _problem(self, at: Any) -> differentiation.Problem:
        return problem_of(self, [formula.codomain for formula in self._vectors], at)

    @property
    def is_alone(self) -> bool:
        """Is it one formula, not a list of them?"""
        return self._alone

    @cached_property
    def T(self) -> Compiled:
        """The adjoint operator, compiled."""
        if not self.is_operator:
            raise SpaceError(f"{self.formulas[0]} is a vector; only operators have an adjoint here")
        return self._alike(self.formulas[0].T)

    def _alike(self, formula: Expression) -> Compiled:
        from soadyn.robot.compiled.compile import compiled

        return compiled((formula,), self.setting, self.reading, self._dense)

    def operation_counts(self) -> dict[str, int]:
        """How many of each operation a state takes.

        >>> import soadyn as sd
        >>> from soadyn.algebra import A_r, theta_ddot
        >>> sd.compile(A_r @ theta_ddot, sd.load("planar_two_link")).operation_counts()
        {}
        """
        return self._trace().counts()

    def operations_by_stage(self) -> list[int]:
        """How many operations each stage of the program takes, counted where they are first needed."""
        return self._trace().totals_by_stage()

    def _trace(self) -> Any:
        links = {f"point${i}": point.frame.link for i, point in enumerate(self.setting.points)}
        return traced(self.program, self.robot.engine.constants, links)

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("formulas", "setting", "reading") and name in self.__dict__:
            raise FrozenError("a compiled formula cannot be changed; compile another")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<{', '.join(map(str, self.formulas))} for {self.robot.name!r}: {self.signature}>"

    def _repr_html_(self) -> str:
        return shown_compiled(self)


def computed_vectors(formulas: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """The vectors that a program computes; an operator is applied to a symbol x."""
    if formulas[0].is_vector:
        return formulas
    X = _computed_operator(formulas[0])
    return (X @ Symbol("x", NUMBER, X.domain),)


def _computed_operator(X: Expression) -> Expression:
    """The operator that a program computes. inv(X) of operational points is solved numerically; X is computed."""
    return X.of if isinstance(X, Inverse) and X.domain.place == "task" else X
