"""Formulas compiled for a robot: called like functions, or, where they are operators, applied like matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse, Symbol, walk
from soadyn.algebra.misfits import shown
from soadyn.algebra.spaces import NUMBER
from soadyn.algebra.velocity_operators import VELOCITY_OPERATORS
from soadyn.engine.engine import PassiveSet, nothing_prepared
from soadyn.engine.tracing.traced import traced
from soadyn.errors import ArgumentError, FrozenError, SpaceError
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import bound
from soadyn.robot.arguments.selection import Results
from soadyn.robot.calling.function import Function, check_point
from soadyn.robot.calling.run_program import unpacked
from soadyn.robot.compiled.applied import Applied
from soadyn.robot.compiled.choice import Form, Reading
from soadyn.robot.compiled.dense_way import InverseAt, dense_results, solved
from soadyn.robot.compiled.formula_arguments import (
    COORDINATES,
    HALVES,
    RATES,
    Argument,
    Setting,
    arguments_named,
    arguments_of,
    called_in_program,
    fixed_inputs,
    vectors_in,
)
from soadyn.robot.compiled.typesetting import shown_compiled


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
        self.is_alone = alone  # is it one formula, not a list of them?
        self._vectors = vectors
        self._form = form
        self._dense = dense
        self._quick: Callable[..., Any] = nothing_prepared  # gives the result for arrays that need no checks

    @property
    def robot(self) -> Robot:
        return self.setting.robot

    @cached_property
    def is_operator(self) -> bool:
        """Does a call give an operator, to be applied, rather than a vector?"""
        return not self.formulas[0].is_vector

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
            size = [self.setting.size(space) for space in (X.codomain, X.domain)]
            return f"f({names}) -> operator {size[0]} x {size[1]} from {X.domain} to {X.codomain}"
        results = ", ".join(f"{x.codomain} {self.setting.shape(x.codomain)}" for x in self.formulas)
        return f"f({names}) -> {results}"

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The result for one state or a batch of states; for an operator, that operator at q."""
        if not (named or self.is_operator):
            # Where no kernel is kept for such arrays, they are checked below.
            result = self._quick(*values)
            if result is not None:
                return result
        given = bound(self.signature, [x.name for x in self.called_with], values, named.items())
        if self.is_operator:
            return Applied(self, {x.name: self.setting.checked(x, given[x.name]) for x in self.called_with})
        return self._wrapped(self._computed(given))

    def _computed(self, given: Mapping[str, Any]) -> Any:
        checked = {x.name: self.setting.checked(x, given[x.name]) for x in self.arguments}
        if self.is_dense:
            return unpacked(dense_results(self._vectors, self.setting, self.arguments, checked))
        found = self.function.checked(*[given[name] for name in self._read])
        if self._read == self._names and (self.is_alone or len(self.formulas) > 1):
            self._quick = self.function.quick
        return found

    @cached_property
    def function(self) -> Function:
        """The formulas as a function of the arguments that its program reads."""
        setting, inputs, program = self.setting, self.form.inputs, self.program
        vectors = [setting.vector(x, inputs) for x in self.arguments if x.name in self._read]
        fixed = fixed_inputs(setting, inputs, program.inputs)
        spaces = [formula.codomain for formula in self._vectors]
        results = None
        if any(space.place in HALVES for space in spaces):
            letters = [HALVES.get(x.place, "." * len(setting.shape(x))) for x in spaces]
            whole = [(setting.robot.nv,) if x.place in HALVES else setting.shape(x) for x in spaces]
            results = Results(setting.selection, list(enumerate(letters)), whole)
        passive = PassiveSet(tuple(fixed["passive"].tolist())) if "passive" in fixed else None
        return Function(self.signature, setting.engine, program, vectors, fixed, results, passive)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    @cached_property
    def _read(self) -> tuple[str, ...]:
        """The names of the arguments that the program reads."""
        called = called_in_program(self.setting, self.form.inputs)
        return tuple(x.name for x in self.arguments if x.parameter or called.get(x.name) in self.program.inputs)

    def _wrapped(self, result: Any) -> Any:
        """The result; of a list of one formula, a tuple."""
        return result if self.is_alone or len(self.formulas) > 1 else (result,)

    def times(self, at: Mapping[str, np.ndarray], x: Any) -> np.ndarray:
        """The operator at checked coordinates and parameters applied to vectors, (..., size)."""
        X = self.formulas[0]
        if self.inverted is not None:
            matrix = Applied(self.inverted, at).dense()
            return solved(matrix, self.setting.checked(Argument("x", X.domain), x), str(X))
        given = {**at, "x": x}
        result = self._quick(*[given[argument.name] for argument in self.arguments])
        return np.asarray(self._for_every(given, self._computed(given)) if result is None else result)

    def _for_every(self, given: Mapping[str, Any], found: np.ndarray) -> np.ndarray:
        """Results with the batch axes of q and x; a program that does not read x (zero operators) lacks x's."""
        checked = {x.name: self.setting.checked(x, given[x.name]) for x in self.arguments}
        shape = self.setting.batch(self.arguments, checked) + self.setting.shape(self._vectors[0].codomain)
        return found if found.shape == shape else np.array(np.broadcast_to(found, shape))

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
        value, rate = self.point(at).jvp(at, along)
        return self._wrapped(value), self._wrapped(rate)

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
        value, found = self.point(at).vjp(at, weights)
        return self._wrapped(value), found

    @cached_property
    def inverted(self) -> Compiled | None:
        """A of an operator inv(A) whose matrix is solved numerically."""
        X = self.formulas[0]
        found = X if not self.is_operator else _computed_operator(X)
        return None if found is X else self._alike(found)

    def point(self, at: Any) -> Function:
        """The function that is differentiated at a value for each argument."""
        names = self._names
        check_point(self.signature, names, at)
        if self.is_dense:
            raise ArgumentError(f"{self.signature} is computed with dense matrices, so it has no derivatives")
        if self._read != names:
            unread = next(name for name in names if name not in self._read)
            raise ArgumentError(f"{self.signature} does not depend on {unread!r}, so it has no derivatives by it")
        return self.function

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
