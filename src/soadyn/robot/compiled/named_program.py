"""Algorithms that the papers describe without a formula, as functions of one robot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from soadyn.engine.tracing.traced import traced
from soadyn.errors import ArgumentError
from soadyn.programs.sweep.algorithms import without_external
from soadyn.programs.sweep.loops import loops
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.vector_names import public_name
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import bound
from soadyn.robot.arguments.inputs import joint_vector
from soadyn.robot.calling.function import Function
from soadyn.robot.compiled.formula_arguments import Setting
from soadyn.theory.literature.entry import PaperProgram


@final
@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """An algorithm of `sd.papers` for one robot; made by `sd.compile`.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> f = sd.compile(sd.papers["001 two sweeps without velocities"], arm)
    >>> f.signature, f.sweeps
    ('f(q, v, tau)', 2)
    >>> bool(abs(f([0.1, 0.2], [1, 2], [0, 0]) - arm.forward_dynamics([0.1, 0.2], [1, 2], [0, 0])).max() < 1e-12)
    True
    """

    robot: Robot
    entry: PaperProgram
    function: Function

    @property
    def program(self) -> Program:
        """The Program that is run; no wrenches act."""
        return self.function.program

    @property
    def arguments(self) -> tuple[str, ...]:
        """What a call takes."""
        return tuple(vector.name for vector in self.function.vectors)

    @property
    def signature(self) -> str:
        return f"f({', '.join(self.arguments)})"

    @property
    def sweeps(self) -> int:
        """How many walks over the links it takes."""
        return len(loops(self.program))

    def operation_counts(self) -> dict[str, int]:
        """How many of each operation a state takes."""
        return traced(self.program, self.robot.engine.constants, {}).counts()

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The result, batched as quantities are."""
        given = bound(self.entry.key, self.arguments, values, named.items())
        return self.function(*[given[name] for name in self.arguments])


def compiled_program(entry: PaperProgram, setting: Setting, **options: Any) -> CompiledProgram:
    """The algorithm for a robot; it has no points, passive set or vectors to be given."""
    meant = [name for name, value in options.items() if value]
    meant += ["frames"] * bool(setting.points) + ["passive"] * (setting.passive is not None)
    if meant:
        raise ArgumentError(f"{entry.key} is an algorithm without a formula: it takes no {meant[0]}")
    if setting.parametric is not None:
        raise ArgumentError(
            f"{entry.key} is an algorithm without a formula: compile it for a Robot, not a parametric one"
        )
    engine, program = setting.robot.engine, without_external(entry.program)
    vectors = [joint_vector(engine.coordinates, public_name(name)) for name in program.inputs]
    return CompiledProgram(setting.robot, entry, Function(entry.name, engine, program, vectors))
