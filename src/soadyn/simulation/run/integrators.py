"""The integrators, one row each with all that the rest of the program knows of it. `simulate` names them by `method`.

Order, stability and cost are compared, measured, in docs/guides/methods.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, final, get_args

from soadyn.errors import ArgumentError, check_name
from soadyn.model.coordinates import Coordinates
from soadyn.model.discrete import Discrete
from soadyn.model.rosenbrock import rosenbrock
from soadyn.model.steppers import SOLVES, Canonical, Stepper, Stiff, implicit, rk4, semi_implicit, symplectic
from soadyn.programs.sweep.canonical import CANONICAL, RATES_FROM_MOMENTA
from soadyn.programs.sweep.program import Program
from soadyn.programs.sweep.stiffened import STIFFENED
from soadyn.robot import Robot
from soadyn.robot.arguments.plain_values import positive
from soadyn.simulation.run.equations import Equations
from soadyn.simulation.run.two_sweeps import TwoSweeps

AnyMethod = Literal[
    "auto", "rk4", "semi-implicit", "rosenbrock", "implicit", "symplectic", "adaptive", "diagonalized", "two-sweep"
]
MOST_ASKED = 4  # evaluations of a step between which machine code stops to ask a Python function


@final
@dataclass(frozen=True, slots=True)
class Adaptive:
    """Steps as long as errors allow: of a step in v at most atol + rtol |v|, in q at most atol + rtol (rad, m).

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> run = sd.simulate(arm, [0.3, 0.0], duration=0.1, step=0.01, method=sd.Adaptive(rtol=1e-9, atol=1e-12))
    >>> bool(run.relative_energy_drift < 1e-9)
    True
    """

    rtol: float = 1e-6
    atol: float = 1e-9

    def __post_init__(self) -> None:
        positive("rtol", self.rtol, "Adaptive")
        positive("atol", self.atol, "Adaptive")


@final
@dataclass(frozen=True, slots=True)
class StepParts:
    """What a step is made of: the equations of motion; programs `called` as functions of arrays; the coordinates."""

    equations: Equations
    called: Callable[[Program], Callable[..., Any]]
    space: Coordinates


@final
@dataclass(frozen=True, slots=True)
class Integrator:
    """How steps in time are made, and what the method knows.

    order       of the error of a motion
    stages      when a step evaluates the equations of motion, in their order, as shares of its length
    make        the step of a robot; None where `adapts`
    stable      the largest h |λ| that it follows: on the real axis for Runge-Kutta steps, anywhere for others; a
                symplectic step finds its end by corrections, which shrink as h |λ|; None: there is no such bound
    operations  in machine code, about so many for each joint rate
    hybrid      it knows prescribed accelerations and joints that stick
    tied        it knows tied mimic joints
    closed      it knows closures
    parametric  it knows parameters that differ from row to row
    memory      it carries more than a state from step to step
    total       its equations are those of the total rates ξ (000 Algorithm 8.1)
    adapts      it chooses the lengths of its steps
    in_python   why it has no machine code, and what has
    """

    name: AnyMethod
    order: int
    stages: tuple[float, ...]
    make: Callable[[StepParts], Stepper] | None
    stable: float | None = None
    operations: int = 500
    hybrid: bool = True
    tied: bool = True
    closed: bool = True
    parametric: bool = True
    memory: bool = False
    total: bool = False
    adapts: bool = False
    in_python: str = ""

    @property
    def moments(self) -> tuple[float, ...]:
        """When a step evaluates the equations of motion, each moment once."""
        return tuple(sorted(set(self.stages)))

    @property
    def asked(self) -> int:
        """How often machine code can stop in a step to ask a Python function; 0 if it cannot."""
        return len(self.stages) if len(self.stages) <= MOST_ASKED else 0


def _plain(stepper: Stepper) -> Callable[[StepParts], Stepper]:
    return lambda parts: stepper


def _in_total_rates(parts: StepParts) -> Stepper:
    dynamics = parts.equations.dynamics
    return partial(rk4, into=dynamics.into_total, back=dynamics.from_total)


def _stiff(step: Callable[..., Any]) -> Callable[[StepParts], Stepper]:
    return lambda parts: partial(step, of=Stiff(parts.equations.acting.slopes, parts.called(STIFFENED)))


def _canonical(parts: StepParts) -> Stepper:
    programs = parts.called(CANONICAL), parts.called(RATES_FROM_MOMENTA)
    return partial(symplectic, of=Canonical(*programs, Discrete(parts.space)))


def _two_sweeps(parts: StepParts) -> Stepper:
    both = TwoSweeps(parts.equations.robot)
    parts.equations.solver = both.solve
    return both.take


RUNGE_KUTTA = (0.0, 0.5, 0.5, 1.0)
ROWS = (
    Integrator("rk4", 4, RUNGE_KUTTA, _plain(rk4), stable=2.7),
    Integrator("semi-implicit", 1, (0.0,), _plain(semi_implicit), stable=2.0, operations=130),
    Integrator("rosenbrock", 2, (0.0, 1.0), _stiff(rosenbrock), tied=False, closed=False),
    Integrator("implicit", 1, (0.0,), _stiff(implicit), operations=250, tied=False, closed=False),
    Integrator(
        "symplectic", 2, (0.5,) * (SOLVES + 1), _canonical, stable=1.0, operations=3000, tied=False, closed=False
    ),
    Integrator(
        "adaptive", 5, (0.0, 0.2, 0.3, 0.8, 8 / 9, 1.0, 1.0), None, memory=True, adapts=True,
        in_python="chooses its steps in Python: methods with steps of one length run in machine code",
    ),
    Integrator("diagonalized", 4, RUNGE_KUTTA, _in_total_rates, stable=2.7, hybrid=False, closed=False, total=True),
    Integrator(
        "two-sweep", 1, (0.0,), _two_sweeps, hybrid=False, tied=False, closed=False, parametric=False, memory=True,
        in_python='steps in Python: "semi-implicit" is the same motion in machine code',
    ),
)  # fmt: skip
INTEGRATORS: Mapping[str, Integrator] = {row.name: row for row in ROWS}
assert get_args(AnyMethod) == ("auto", *INTEGRATORS)


def check_method(
    method: Any, robot: Robot, acceleration: Any = None, of: str = "simulate", memory: bool = True
) -> None:
    """A method by its name, which knows the robot's joints and prescribed accelerations where there are some."""
    row = INTEGRATORS.get(method) if isinstance(method, str) else None
    if row is not None and row.memory and not memory:
        raise ArgumentError(
            f'{of}: method "{method}" carries more than a state from step to step; take "rk4", or sd.simulate'
        )
    if row is None:
        check_name(f"method of {of}", method, ["auto", *(x.name for x in ROWS if memory or not x.memory)])
        row = INTEGRATORS["rk4"]
    if not row.hybrid and acceleration is not None:
        raise ArgumentError(f'{of}: method "{method}" takes joint forces; prescribed accelerations need "rk4"')
    if acceleration is not None and robot.model.closures:
        raise ArgumentError(
            f"{of}: prescribed accelerations know no closures yet, and robot {robot.name!r} has "
            f"{robot.closures[0].name!r}; give joint forces, or robot.open(), the tree"
        )
    if not row.closed and robot.model.closures:
        raise ArgumentError(
            f'{of}: method "{method}" knows no closures yet, and robot {robot.name!r} has {robot.closures[0].name!r}; '
            'take "rk4", "semi-implicit" or "adaptive", or robot.open(), the tree'
        )
    if not row.tied and robot.engine.coordinates.tied:
        raise ArgumentError(
            f'{of}: method "{method}" takes each joint by itself, but robot {robot.name!r} has tied mimic joints'
        )
