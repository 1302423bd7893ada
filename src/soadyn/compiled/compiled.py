"""Formulas compiled for a robot: called like functions, or, where they are operators, applied like matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse, Symbol, walk
from soadyn.algebra.spaces import NUMBER
from soadyn.backends.engine import Prepared
from soadyn.backends.traced import traced
from soadyn.compiled.applied import Applied
from soadyn.compiled.choice import Form, Reading, check_reading, chosen_form
from soadyn.compiled.dense_way import dense_results
from soadyn.compiled.formula_arguments import Argument, Setting, arguments_named, arguments_of, bound, program_arrays
from soadyn.compiled.formula_calls import has_fast_path
from soadyn.compiled.points import points_of
from soadyn.errors import ArgumentError, FrozenError, SpaceError
from soadyn.evaluation import arguments
from soadyn.evaluation.arguments import FrameLike, PassiveLike
from soadyn.evaluation.evaluate import outputs_of, precision_of
from soadyn.fork_safe import cached_property
from soadyn.robot import Backend, Robot

GIVEN = ("a", "b", "V", "alpha", "f")


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
        self, formulas: tuple[Expression, ...], alone: bool, setting: Setting, reading: Reading, dense: bool
    ) -> None:
        self.formulas = formulas
        self.setting = setting
        self.reading = reading
        self._alone = alone
        self._dense = dense
        self._prepared = Prepared()

    @property
    def robot(self) -> Robot:
        return self.setting.robot

    @property
    def is_operator(self) -> bool:
        """Does a call give an operator, to be applied, rather than a vector?"""
        return not self.formulas[0].is_vector

    @cached_property
    def _vectors(self) -> tuple[Expression, ...]:
        """The formulas that are computed: an operator is applied to an unknown vector."""
        if not self.is_operator:
            return self.formulas
        formula = self.formulas[0]
        small = _small_inverse(formula)
        inner = formula if small is None else small
        return (inner @ Symbol("x", NUMBER, inner.domain),)

    @cached_property
    def form(self) -> Form:
        """The way the formulas are computed, chosen by what it costs on this robot."""
        return chosen_form(self._vectors, self.reading, self.robot.engine.constants)

    @cached_property
    def is_dense(self) -> bool:
        """Is it computed with dense matrices, no recursion being known?"""
        if not self._dense:
            return False
        try:
            return self.form is None
        except SpaceError:
            return True

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
        vectors = tuple(x for formula in self._vectors for x in walk(formula) if isinstance(x, Symbol) and x.is_vector)
        if self.is_dense:
            return arguments_named(vectors, self.reading.given)
        return arguments_of(self.form.inputs, self.program.inputs, vectors)

    @property
    def signature(self) -> str:
        """The arguments and results in words.

        >>> import soadyn as sd
        >>> from soadyn.algebra import inv, mass, T
        >>> print(sd.compile(inv(mass) @ T, sd.load("ur5")).signature)
        f(q, T) -> joint motion (6,)
        """
        if self.is_operator:
            X = self.formulas[0]
            size = [self._flat(space) for space in (X.codomain, X.domain)]
            return f"f(q) -> operator {size[0]} x {size[1]} from {X.domain} to {X.codomain}"
        names = ", ".join(argument.name for argument in self.arguments)
        results = ", ".join(f"{x.codomain} {self.setting.shape(x.codomain)}" for x in self.formulas)
        return f"f({names}) -> {results}"

    def _flat(self, space: Any) -> int:
        return int(np.prod(self.setting.shape(space)))

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The result for one state or a batch of states; for an operator, that operator at q."""
        if not named:
            # Where no kernel is kept for such arguments, they are checked below.
            try:
                result = None if self.is_operator else self._prepared.call(*values)
                if result is not None:
                    return result
            except (AttributeError, IndexError, TypeError, ValueError):
                pass
        if self.is_operator:
            given = bound([Argument("q", None)], self.signature, values, named)
            return Applied(self, arguments.coordinates(self.robot.engine.coordinates, given["q"]))
        given = bound(self.arguments, self.signature, values, named)
        results = self._computed({**given})
        return results[0] if self._alone else tuple(results)

    def _computed(self, given: dict[str, Any]) -> list[np.ndarray]:
        checked: dict[str, np.ndarray] = {}
        for argument in self.arguments:
            value = given[argument.name]
            if argument.space is None:
                checked["q"] = arguments.coordinates(self.robot.engine.coordinates, value)
            else:
                checked[argument.name] = self.setting.checked(argument.name, value, argument.space)
        if self.is_dense:
            return [x[()] for x in dense_results(self._vectors, self.setting, self.arguments, checked)]
        program = self.program
        arrays = program_arrays(self.setting, self.form.inputs, program.inputs, checked)
        outputs, call = outputs_of(self.robot.engine, program, arrays, precision_of(checked.values()))
        spaces = [formula.codomain for formula in self._vectors]
        found = [self.setting.result(x, space, checked["q"]) for x, space in zip(outputs, spaces, strict=True)]
        if call is not None and self._has_fast_path and checked["q"].dtype == np.float64 and len(call.batch) <= 1:
            self._prepared.keep(call, len(self.arguments))
        return [x[()] for x in found]

    @cached_property
    def _has_fast_path(self) -> bool:
        # Kernels give a single result as it is, not as a tuple of one.
        return (self._alone or len(self.formulas) > 1) and has_fast_path(self.form, self.arguments)

    def times(self, q: np.ndarray, x: Any) -> np.ndarray:
        """The operator at q applied to vectors, (..., size)."""
        formula = self.formulas[0]
        small = _small_inverse(formula)
        if small is not None:
            x = self.setting.checked("x", x, formula.domain)
            inner = Applied(_inner(self, small), q).dense()
            return np.asarray(np.linalg.solve(inner, x[..., None])[..., 0])
        try:
            result = self._prepared.call(q, x)
            if result is not None:
                return np.asarray(result)
        except (AttributeError, IndexError, TypeError, ValueError):
            pass
        return self._computed({"q": q, "x": x})[0]

    @cached_property
    def T(self) -> Compiled:
        """The adjoint operator, compiled."""
        if not self.is_operator:
            raise SpaceError(f"{self.formulas[0]} is a vector; only operators have an adjoint here")
        return _inner(self, self.formulas[0].T)

    def operation_counts(self) -> dict[str, int]:
        """How many of each operation a state takes.

        >>> import soadyn as sd
        >>> from soadyn.algebra import A_r, theta_ddot
        >>> sd.compile(A_r @ theta_ddot, sd.load("planar_two_link")).operation_counts()
        {}
        """
        return traced(self.program, self.robot.engine.constants, {}).counts()

    def operations_by_stage(self) -> list[int]:
        """How many operations each stage of the program takes, counted where they are first needed."""
        return traced(self.program, self.robot.engine.constants, {}).totals_by_stage()

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("formulas", "setting", "reading") and name in self.__dict__:
            raise FrozenError("a compiled formula cannot be changed; compile another")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<{', '.join(map(str, self.formulas))} for {self.robot.name!r}: {self.signature}>"


def _inner(like: Compiled, formula: Expression) -> Compiled:
    return Compiled((formula,), True, like.setting, like.reading, like._dense)


def _small_inverse(X: Expression) -> Expression | None:
    """What is inverted in the space of operational points: a few equations, solved as they are."""
    return X.of if isinstance(X, Inverse) and X.domain.place == "task" else None


def compile_formulas(
    formula: Expression | Sequence[Expression],
    robot: Robot,
    frames: Sequence[FrameLike] = (),
    passive: PassiveLike = (),
    given: Sequence[str] = (),
    backend: Backend | None = None,
    dense: bool = False,
    as_written: bool = False,
) -> Compiled:
    """A formula as a function for one robot: O(N) sweeps over its links, native where the robot is.

    `frames` are the operational points of B, `passive` the passive joints of H_p, D_p, K_p (P, psi and Omega are then
    the passive arm's), `given` those of a, b, V that calls supply. A list of formulas gives one function with several
    results that share their sweeps. `as_written` keeps the formula's own form and a user's equations apart,
    `dense` uses dense matrices where no recursion is known.

    >>> import soadyn as sd
    >>> from soadyn.algebra import inv, mass
    >>> arm = sd.load("ur5")
    >>> f = sd.compile(inv(mass), arm)
    >>> f(arm.neutral()).dense().shape
    (6, 6)
    """
    alone = isinstance(formula, Expression)
    formulas = (formula,) if isinstance(formula, Expression) else tuple(formula)
    _check_formulas(formulas, alone)
    if not isinstance(robot, Robot):
        raise ArgumentError(f"compile takes a Robot, as sd.load makes them, got {type(robot).__name__}")
    if robot.model.ties:
        raise ArgumentError(
            f"robot {robot.name!r} has tied mimic joints, which couple D across the tree; "
            "formulas need independent joints"
        )
    robot = robot if backend is None else robot.with_backend(backend)
    mask = arguments.passive(robot.engine.coordinates, passive) if _says_something(passive) else None
    if mask is not None and mask.ndim != 1:
        raise ArgumentError(f"compile takes one passive set, got an array of shape {mask.shape}")
    unknown = [name for name in given if name not in GIVEN]
    if unknown:
        raise ArgumentError(f"given names {unknown[0]!r}; it can name {', '.join(GIVEN)}")
    points = points_of(robot, frames)
    check_reading(formulas, mask is not None, bool(points))
    reading = Reading(mask is not None, tuple(sorted(given)), as_written, bool(points))
    compiled = Compiled(formulas, alone, Setting(robot, mask, points), reading, dense)
    if not compiled.is_dense:
        compiled.form  # noqa: B018 - what cannot be compiled is refused here
    return compiled


def _says_something(passive: Any) -> bool:
    return isinstance(passive, np.ndarray) or bool(passive)


def _check_formulas(formulas: tuple[Any, ...], alone: bool) -> None:
    if not formulas:
        raise ArgumentError("compile takes a formula or a list of formulas, got an empty list")
    for x in formulas:
        if not isinstance(x, Expression):
            raise ArgumentError(f"compile takes a formula or a list of formulas, got {type(x).__name__}")
        if not alone and not x.is_vector:
            raise ArgumentError(
                f"a list of formulas is of vectors and numbers; {x} is an operator: apply it to a vector"
            )
        if x.codomain == NUMBER and not x.is_vector:
            raise ArgumentError(f"{x} maps {x.domain} to numbers: apply it to a vector")
