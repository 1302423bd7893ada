"""Arguments and results of compiled formulas: which there are, their shapes, and what programs make of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from soadyn.algebra.expressions import Expression, Symbol, walk
from soadyn.algebra.operators import VECTORS
from soadyn.algebra.spaces import JOINT_MOTION, Space
from soadyn.algebra.velocity_operators import DISPLACED, VELOCITY_OPERATORS, d_theta
from soadyn.engine.engine import Engine
from soadyn.errors import ShapeError
from soadyn.model.model import Frame
from soadyn.programs.lowering.build import Inputs
from soadyn.programs.sweep.inputs import is_frame, marked_by
from soadyn.programs.sweep.vector_names import OF_INPUT, OF_SYMBOL, VECTOR_NAMES, argument_name
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import FrameLike
from soadyn.robot.arguments.inputs import Vector, joint_vector, parameter_value, parameter_vector
from soadyn.robot.arguments.selection import Selection
from soadyn.robot.parametric import ParametricRobot, keyword

# What programs call the arguments that they read as they are.
HALVES = {"active joint": "a", "passive joint": "p"}
OF_PROGRAM = {x.argument: x.input for x in VECTOR_NAMES if x.input}


@final
@dataclass(frozen=True, slots=True)
class Point:
    """An operational point: a frame, and as what it was given."""

    frame: Frame
    given: FrameLike


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A robot with the passive set and the operational points of a formula.

    `parametric` is the same robot with some of its constants as arguments, if such a one was given.
    """

    robot: Robot
    passive: np.ndarray | None
    points: tuple[Point, ...]
    parametric: ParametricRobot | None = None

    @property
    def engine(self) -> Engine:
        """What runs the formula's program."""
        return (self.parametric or self.robot).engine

    @property
    def parameters(self) -> list[Argument]:
        """The constants that calls supply, after all vectors."""
        shapes = {} if self.parametric is None else self.parametric.shapes
        return [Argument(keyword(name), None, name, shape) for name, shape in shapes.items()]

    def shape(self, space: Space) -> tuple[int, ...]:
        """The shape of a vector after its batch axes."""
        match space.place:
            case "active joint" | "passive joint":
                return (self.selection.count(HALVES[space.place]),)
            case "link" | "white link":
                return (len(self.robot.model.visible), 6)
            case "task":
                return (6 * len(self.points),)
            case "pose":
                return (12 * len(self.points),)
            case "number":
                return ()
            case _:
                return (self.robot.nv,)

    def size(self, space: Space) -> int:
        """How many numbers a vector has; those of links count six for each."""
        return int(np.prod(self.shape(space)))

    @property
    def selection(self) -> Selection:
        """The passive set; without one every component is active."""
        return Selection(np.zeros(self.robot.nv, dtype=bool) if self.passive is None else self.passive)

    def checked(self, argument: Argument, x: Any) -> np.ndarray:
        """An argument as an array of numbers of the right shape."""
        if argument.parameter:
            return parameter_value(argument.parameter, argument.shape, x)
        if argument.space is None:
            return arguments.coordinates(self.robot.engine.coordinates, x)
        meaning = f"a {argument.space} of robot {self.robot.name!r}"
        return arguments.numbers(argument.name, x, *self.shape(argument.space), meaning=meaning)

    def batch(self, wanted: list[Argument], given: Mapping[str, np.ndarray]) -> tuple[int, ...]:
        """The batch axes of checked arguments together."""
        return arguments.batch_shape(given, {x.name: self.core_axes(x) for x in wanted})

    def core_axes(self, argument: Argument) -> int:
        """How many axes of an argument follow its batch axes."""
        if argument.parameter:
            return len(argument.shape)
        return 1 if argument.space is None else len(self.shape(argument.space))

    def widened(self, x: np.ndarray, space: Space) -> np.ndarray:
        """Active or passive components among zeros for all others."""
        half = HALVES.get(space.place)
        return x if half is None else self.selection.spread(x, half, (self.robot.nv,))

    def vector(self, argument: Argument, inputs: Inputs) -> Vector:
        """An argument as functions take it: how its values and directions become what the program reads."""
        space, name = argument.space, argument.name
        if argument.parameter:
            return replace(parameter_vector(argument.parameter, argument.shape), name=name)
        checked, changed = partial(self.checked, argument), Argument(f"d{name}", space)
        if space is None:
            return joint_vector(self.robot.engine.coordinates, name)
        called = called_in_program(self, inputs)[name]
        to_array = partial(_own_array, self, space) if "$" in called else np.asarray
        half = HALVES.get(space.place)
        return Vector(
            name,
            called,
            lambda x: to_array(checked(x)),
            lambda x: self.widened(self.checked(changed, x), space),
            partial(self.selection.take, letters=half) if half else None,
            (lambda x: self.widened(checked(x), space)) if half else None,
            half is not None,
        )


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a compiled formula: its name in calls, and its space (None for q and for a robot's constants).

    `parameter` is the robot's name of a constant, `shape` that constant's.
    """

    name: str
    space: Space | None
    parameter: str = ""
    shape: tuple[int, ...] = ()


COORDINATES = Argument("q", None)
RATES = Argument("v", JOINT_MOTION)


def arguments_of(inputs: Inputs, program_inputs: tuple[str, ...]) -> list[Argument]:
    """What a program's call takes: q, then those of the papers' vectors that it reads, then a user's by name."""
    papers = [VECTORS[OF_INPUT[name].symbol] for name in program_inputs if name in OF_INPUT]
    return _ordered([*papers, *(symbol for symbol in inputs.places().values() if not is_fixed(symbol))])


def is_fixed(symbol: Symbol) -> bool:
    """Does the formula hold the numbers, so that calls do not supply them?"""
    return symbol.blocks is not None or symbol.along is not None


def vectors_in(formulas: Iterable[Expression]) -> list[Symbol]:
    """The vectors of formulas, and the joint rates where an operator is linear in them."""
    symbols = [x for formula in formulas for x in walk(formula) if isinstance(x, Symbol)]
    found = [VECTORS["theta_dot"] if x.name in VELOCITY_OPERATORS else x for x in symbols]
    found += [d_theta for x in symbols if x.along == DISPLACED]
    return [x for x in found if x.is_vector]


def arguments_named(vectors: Iterable[Symbol], given: tuple[str, ...], points: bool) -> list[Argument]:
    """The same for formulas that are computed densely: what the vectors in them are made from."""
    needed: dict[Symbol, None] = {}
    work = [x for x in vectors if x.formula is None and x != VECTORS["Y"]]  # poses follow from q
    while work:
        x = work.pop()
        row = OF_SYMBOL.get(x.name)
        if row is None or not row.made_from or x.name in given:
            needed[x] = None
        else:
            work += [VECTORS[name] for name in row.made_from if points or name != "f_tip"]
    return _ordered(needed)


def _ordered(vectors: Iterable[Symbol]) -> list[Argument]:
    spaces = {argument_name(x.name): x.codomain for x in vectors}
    papers = [x.argument for x in VECTOR_NAMES if x.argument in spaces]
    users = sorted(spaces.keys() - set(papers))
    return [COORDINATES, *(Argument(name, spaces[name]) for name in (*papers, *users))]


def called_in_program(setting: Setting, inputs: Inputs) -> dict[str, str]:
    """What a program calls the arguments of a call, by their names."""
    own = {argument_name(symbol.name): name for name, symbol in inputs.places().items()}
    return {**OF_PROGRAM, **own, "q": "q", **{x.name: x.parameter for x in setting.parameters}}


def program_arrays(
    setting: Setting, inputs: Inputs, program_inputs: tuple[str, ...], given: Mapping[str, np.ndarray]
) -> dict[str, Any]:
    """What the program reads, from checked arguments."""
    names = called_in_program(setting, inputs)
    arrays = {names[name]: x for name, x in given.items() if names.get(name) in program_inputs}
    own = {name: _own_array(setting, inputs.symbol(name).codomain, x) for name, x in arrays.items() if "$" in name}
    return {**arrays, **own, **fixed_inputs(setting, inputs, program_inputs)}


def fixed_inputs(setting: Setting, inputs: Inputs, program_inputs: tuple[str, ...]) -> dict[str, Any]:
    """What the program reads that is the same in all calls: frames, the passive set, numbers that the formula holds."""
    symbols = {name: symbol for name, symbol in inputs.places().items() if is_fixed(symbol)}
    found: dict[str, Any] = {}
    for name in program_inputs:
        if name in symbols:
            found[name] = fixed_numbers(setting, symbols[name])
        elif name == "passive":
            assert setting.passive is not None
            found[name] = setting.passive.astype(float)
        elif is_frame(marked_by(name) or name):
            frame, constants = setting.points[int(name.partition("$")[2])].frame, setting.robot.engine.constants
            at = arguments.placed(constants, frame)
            found[name] = at if is_frame(name) else arguments.marked(constants, [frame.link])
    return found


def _own_array(setting: Setting, space: Space, array: np.ndarray) -> np.ndarray:
    """A formula's own vector as its program reads it."""
    return array[..., None] if space.place in ("pose", "task") else setting.widened(array, space)


def fixed_numbers(setting: Setting, symbol: Symbol) -> np.ndarray:
    """The numbers that a formula holds: unit rates of a joint component, or a user's for all components or poses."""
    if symbol.along is not None:
        return np.asarray(np.eye(setting.robot.nv)[setting.robot.engine.coordinates.component(*symbol.along)])
    array: np.ndarray = symbol.blocks.array
    is_pose = symbol.domain.place == "pose"
    count = setting.shape(symbol.domain)[0] if is_pose else setting.robot.nv
    if array.shape[0] != count:
        robot = f"robot {setting.robot.name!r} has {count} joint components"
        wanted = f"the frames' poses have {count}" if is_pose else robot
        raise ShapeError(f"operator {symbol.name!r} has {array.shape[0]} numbers; {wanted}")
    return array[:, None] if is_pose else array
