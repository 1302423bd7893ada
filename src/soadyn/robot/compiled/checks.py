"""First stage of `sd.compile`: check formulas, robot and options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from soadyn.algebra.expressions import Expression, Inverse, Symbol, walk
from soadyn.algebra.misfits import shown
from soadyn.algebra.operators import NAMES, PASSIVE_NAMES, WHOLE_ARM_NAMES
from soadyn.algebra.rewriting.modes import ARTICULATED_NAMES
from soadyn.algebra.spaces import NUMBER
from soadyn.algebra.velocity_operators import DISPLACED, d_theta, moving
from soadyn.errors import ArgumentError, SpaceError
from soadyn.programs.sweep.vector_names import VECTOR_NAMES, argument_name
from soadyn.robot import Backend, Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag
from soadyn.robot.checked import checked_robot
from soadyn.robot.closed.refusing import refuse_closures
from soadyn.robot.compiled.choice import Reading
from soadyn.robot.compiled.formula_arguments import Point, Setting
from soadyn.robot.parametric import ParametricRobot

GIVEN = tuple(x.symbol for x in VECTOR_NAMES if x.made_from)


def is_list(x: Any) -> bool:
    """Does an argument hold several things? Neither text does nor an array without axes, though both are iterable."""
    return isinstance(x, Iterable) and not isinstance(x, str) and getattr(x, "shape", None) != ()


def points_of(robot: Robot, frames: Sequence[FrameLike]) -> tuple[Point, ...]:
    """The frames of a formula, found in the robot."""
    if not is_list(frames):
        got = f"the text {frames!r}; write [{frames!r}]" if isinstance(frames, str) else repr(frames)
        raise ArgumentError(f"frames takes a list of frames, got {got}")
    return tuple(Point(arguments.frame(robot.model, frame), frame) for frame in frames)


def checked_formulas(formula: Any) -> tuple[Expression, ...]:
    """The formulas as a tuple, if each can be computed."""
    alone = isinstance(formula, Expression)
    if not alone and not is_list(formula):
        raise ArgumentError(f"compile takes a formula or a list of formulas, got {type(formula).__name__}")
    formulas = (formula,) if alone else tuple(formula)
    if not formulas:
        raise ArgumentError("compile takes a formula or a list of formulas, got an empty list")
    for x in formulas:
        if not isinstance(x, Expression):
            raise ArgumentError(f"compile takes a formula or a list of formulas, got {type(x).__name__}")
        if not alone and not x.is_vector:
            raise ArgumentError(
                f"a list of formulas is of vectors and numbers; {shown(x)} is an operator: apply it to a vector"
            )
        if x.codomain == NUMBER and not x.is_vector:
            raise ArgumentError(f"{shown(x)} maps {x.domain} to numbers: apply it to a vector")
    vectors = _vectors_by_name(formulas)
    if vectors and not formulas[0].is_vector:
        raise ArgumentError(
            f"{shown(formulas[0])} is an operator made of vectors ({', '.join(vectors)}), and operators depend on q "
            "alone: apply it to a vector"
        )
    return formulas


def _vectors_by_name(formulas: tuple[Expression, ...]) -> dict[str, Symbol]:
    found: dict[str, Symbol] = {}
    for formula in formulas:
        for x in walk(formula):
            if isinstance(x, Symbol) and x.along == DISPLACED:
                x = d_theta
            if isinstance(x, Symbol) and x.is_vector and found.setdefault(x.name, x) != x:
                raise ArgumentError(
                    f"two vectors of the formula are called {x.name!r}; a call could not tell them apart"
                )
    return found


def checked_setting(robot: Any, frames: Sequence[FrameLike], passive: PassiveLike, backend: Backend | None) -> Setting:
    """The robot with its passive set and operational points."""
    parametric = robot if isinstance(robot, ParametricRobot) else None
    if parametric is not None:
        robot = Robot(parametric.engine.model, parametric.engine.backend)
        parametric = parametric if backend is None else ParametricRobot(robot.model, parametric.names, backend)
    refuse_closures(checked_robot(robot, "compile").model, "compile")
    if robot.model.ties:
        raise ArgumentError(
            f"robot {robot.name!r} has tied mimic joints, which couple D across the tree; "
            "formulas, and observers and random fields made of them, need independent joints: "
            "load it with mimic='independent'"
        )
    robot = robot if backend is None else robot.with_backend(backend)
    named = isinstance(passive, np.ndarray) or bool(passive)
    mask = arguments.one_passive_set(robot.engine.coordinates, passive, "compile") if named else None
    return Setting(robot, mask, points_of(robot, frames), parametric)


def checked_reading(
    formulas: tuple[Expression, ...], setting: Setting, given: Sequence[str], as_written: bool
) -> Reading:
    """How the formulas are read for a robot, if it has the joints and points that they speak of.

    With a passive set, P, psi and operators made of them belong to the passive arm; mass, its inverse and all vectors
    belong to all joints. `Reading.passive` is True only if the formulas have operators of the passive arm; otherwise
    inverses are replaced by articulated bodies of the whole arm.
    """
    if not is_list(given):
        raise ArgumentError(f"given takes a list of names, got {given!r}")
    names = tuple(given)
    if unknown := [name for name in names if name not in GIVEN]:
        raise ArgumentError(f"given names {unknown[0]!r}; it can name {', '.join(GIVEN)}")
    parts = [x for formula in formulas for x in walk(formula)]
    vectors = {argument_name(x.name) for x in parts if isinstance(x, Symbol) and x.is_vector}
    if taken := [parameter.name for parameter in setting.parameters if parameter.name in vectors]:
        raise ArgumentError(f"the vector {taken[0]!r} has the name of the robot's parameter; rename it")
    symbols = {moving(x).name for x in parts if isinstance(x, Symbol)}
    places = {space.place for x in parts for space in (x.domain, x.codomain)}
    if setting.passive is None and places & {"active joint", "passive joint"}:
        spoken = ", ".join(sorted(symbols & PASSIVE_NAMES)) or "active and passive joints"
        raise ArgumentError(f"the formula speaks of {spoken}: name the passive joints, passive=[...]")
    if (whole := sorted(symbols & WHOLE_ARM_NAMES)) and setting.passive is not None:
        others = [f"{name}_p" for name in whole if f"{name}_p" in NAMES]
        hint = f"; write {', '.join(others)}: P, psi and Omega are the passive arm's as well" if others else ""
        raise SpaceError(f"the formula has a passive set and {', '.join(whole)} of the whole arm{hint}")
    if places & {"task", "pose"} and not setting.points:
        raise ArgumentError("the formula speaks of operational points (B): name them, frames=[...]")
    if "pose" in places and any(point.frame.link == 0 for point in setting.points):
        raise ArgumentError("the formula speaks of the pose (Y, L_Y) of a frame that is fixed in the ground")
    inverted = any(isinstance(x, Inverse) and x.domain.place == "passive joint" for x in parts)
    passive_arm = setting.passive is not None and (inverted or bool(symbols & ARTICULATED_NAMES))
    as_it_is, grounded = flag("as_written", as_written), any(x.frame.link == 0 for x in setting.points)
    return Reading(passive_arm, tuple(sorted(names)), as_it_is, len(setting.points), grounded)
