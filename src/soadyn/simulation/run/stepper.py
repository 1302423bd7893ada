"""Steps in time, called from a loop of one's own: made once, then n steps at a call, at the speed of machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, final

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, unknown_name
from soadyn.fork_safe import forked_lock
from soadyn.robot import Robot
from soadyn.robot.arguments.arguments import ExternalLike, PassiveLike, coordinates
from soadyn.robot.arguments.plain_values import flag, positive, real, whole
from soadyn.robot.parametric import ParametricRobot
from soadyn.simulation.drive.failure import SimulationError, check_state, ran_away
from soadyn.simulation.drive.feedback import Feedback, check_fits
from soadyn.simulation.drive.inputs import external_of, initial_state, spread
from soadyn.simulation.drive.subject import subject_of
from soadyn.simulation.drive.time_series import TimeSeries
from soadyn.simulation.laws.acting import EffortLimit, acting_on
from soadyn.simulation.laws.forces import JointForces, Laws
from soadyn.simulation.laws.limits import Stops
from soadyn.simulation.run import rollout
from soadyn.simulation.run.automatic import chosen
from soadyn.simulation.run.integrators import AnyMethod, check_method
from soadyn.simulation.run.posing import check_laws, checked_bad_rows, posed
from soadyn.simulation.run.problem import AsGiven, BadRows, Problem
from soadyn.simulation.run.step_code import StepCode
from soadyn.simulation.run.step_length import with_advice
from soadyn.simulation.run.stepping import start
from soadyn.simulation.run.stepwise import taken_by

DOUBLE = np.dtype(np.float64)
MOST_KEPT = 16  # shapes of batches, and numbers of steps of a single state, that are kept ready
MOST_RECORDS = 2**20  # of all rows, for an error that says when a motion ran away


@final
class Stepper:
    """Steps of a robot's motion, taken n at a time: for environments, and for loops that decide between steps.

    `q, v = stepper(q, v, tau, n=10)` moves a state, or a batch of any shape, (..., nq) and (..., nv), n steps on while
    the joint forces tau (..., nv) stay as they are; None is none. The numbers are those of `simulate`, to the last bit
    where that runs machine code; results are new arrays. The first call compiles the step, or finds it on disk; so
    does the first call with another choice of what is given, and of one state or many. Several threads may call it.

    step: the length of a step in seconds.
    method: as of `simulate`, but "two-sweep" and "adaptive", which carry more than a state from step to step.
    control: a feedback of `sd.control` that acts in place of `tau`. Its references are constant here; a call may bring
        others as `references={"q": ...}`, (..., size).
    sampled: ask the feedback once, at the beginning of a step.
    passive: the joints that move by their torque where a call prescribes accelerations, `acceleration=` (..., nv).
    joint_forces, stops, effort_limit, parameters: as of `simulate`. Rows of parameters go with the calls' rows.
    q0: the configuration, or one for each row, with whose inertias stops get their stiffness, the neutral one if
        omitted; `simulate` takes those of its first state. It does not matter with `stops=sd.Stops(...)` that have
        both figures.
    bad_rows: "raise": numbers that are not finite raise `SimulationError`, or "nan": such rows come out as NaN.

    A call also takes `external=`, wrenches as quantities take them, held through the steps. `sliding` is all that a
    step knows beside q and v, where joints have dry friction that sticks: the direction in which each of them slides,
    0 where it sticks. Without it that is the sign of its speed, which it is after all but the few steps in which
    friction found no answer in eight trials. To have the same bits however the steps are split among calls, begin with
    `stepper.sliding(v)` and hand on what calls then give as a third result.

    Robots with tied mimic joints, springs in joints that turn freely or no native code take the steps in Python.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> stepper = sd.Stepper(arm, 0.01)
    >>> q, v = np.array([0.3, 0.0]), np.zeros(2)
    >>> for _ in range(5):
    ...     q, v = stepper(q, v, np.array([1.0, 0.0]), n=2)
    >>> run = sd.simulate(arm, [0.3, 0.0], control=[1.0, 0.0], duration=0.1, step=0.01)
    >>> bool(np.allclose(q, run.q[-1], rtol=1e-12))
    True
    >>> many = stepper(np.tile(q, (100, 1)), np.tile(v, (100, 1)))
    >>> many[0].shape, bool((many[1][7] == stepper(q, v)[1]).all())
    ((100, 2), True)
    """

    def __init__(
        self,
        robot: Robot | ParametricRobot,
        step: float = 0.002,
        method: AnyMethod = "auto",
        *,
        control: Feedback | None = None,
        sampled: bool = False,
        passive: PassiveLike | None = None,
        joint_forces: bool | Laws | JointForces = True,
        stops: bool | Stops = True,
        effort_limit: EffortLimit = "robot",
        parameters: Mapping[str, ArrayLike] | None = None,
        q0: ArrayLike | None = None,
        bad_rows: BadRows = "raise",
    ) -> None:
        self._options = {name: x for name, x in locals().items() if name not in ("self", "robot", "step", "method")}
        self._given_robot = robot
        self._subject = subject = subject_of(robot, parameters)
        self.robot = subject.robot
        check_method(method, self.robot, of="Stepper", memory=False)
        self.step = positive("step", step, "Stepper")
        self._control, self._passive = _feedback(control, self.robot), passive
        self._sampled, self._bad_rows = flag("sampled", sampled), checked_bad_rows(bad_rows, "Stepper")
        space = self.robot.engine.coordinates
        at = self.robot.neutral() if q0 is None else coordinates(space, q0, "q0")
        first, _ = initial_state(self.robot, at, None, subject.rows)
        self._rows = first.shape[:-1]
        self._acting = acting_on(subject, first, self.step, joint_forces, stops, effort_limit)
        self.method = chosen(method, subject, self._acting, stops, self.step)
        check_laws(self.method, self._acting, subject.values, "Stepper", bool(self.robot.model.closures))
        self._codes: dict[Any, StepCode] = {}
        self._single: dict[Any, Any] = {}
        self._lock = forked_lock()

    def __repr__(self) -> str:
        return f"<Stepper of {self.robot.name!r}: {self.method}, {self.step:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Stepper, **self._options), (self._given_robot, self.step, self.method)

    def sliding(self, v: ArrayLike) -> np.ndarray:
        """The directions (..., k) in which the k components with dry friction that sticks slide at the beginning."""
        return self._modes(real("v", v, self.robot.nv, meaning="joint rates", of="Stepper"), None).copy()

    def __call__(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike | None = None,
        n: int = 1,
        *,
        external: ExternalLike | None = None,
        acceleration: ArrayLike | None = None,
        references: Mapping[str, ArrayLike] | None = None,
        sliding: ArrayLike | None = None,
    ) -> tuple[np.ndarray, ...]:
        """The state n steps on; with `sliding`, also in which direction joints with dry friction slide then."""
        if external is None and acceleration is None and references is None and sliding is None and type(n) is int:
            # One state in plain arrays: the call itself is machine code. Whatever does not fit gives None.
            ready = self._single.get((n, tau is None), nothing_ready)
            found = ready(q, v) if tau is None else ready(q, v, tau)
            if found is not None:
                return found[0], found[1]
        n = n if type(n) is int and n > 0 else whole("Stepper: n", n, 1)
        state: Any = q, v
        if not self._plain(q, v, tau) or acceleration is not None:
            state = initial_state(self.robot, q, v, self._rows, ("q", "v"), tau=tau, acceleration=acceleration)
        at, rates = state
        source = self._source(at, rates, tau, external, acceleration, references)
        after = self._after(source, at, rates, self._modes(rates, sliding), n)
        return after if sliding is not None else after[:2]

    def _plain(self, q: Any, v: Any, tau: Any) -> bool:
        """Are these arrays that can be taken as they are?"""
        for x in (q, v) if tau is None else (q, v, tau):
            if type(x) is not ndarray or x.dtype is not DOUBLE:
                return False
        batch = q.shape[:-1]
        fits = q.shape == (*batch, self.robot.nq) and v.shape == (*batch, self.robot.nv)
        return fits and (tau is None or tau.shape == v.shape) and self._rows in ((), batch)

    def _source(
        self, q: np.ndarray, v: np.ndarray, tau: Any, external: Any, acceleration: Any, references: Any
    ) -> AsGiven:
        """What a call gives, checked."""
        batch = q.shape[:-1]
        for name, x in (("tau", tau), ("external", external), ("acceleration", acceleration)):
            if callable(x):
                raise ArgumentError(
                    f"Stepper: {name} is held through a call's steps; got a function of time or state: call it "
                    f"yourself and give what it returns"
                )
        torque: Any = None if tau is None else np.asarray(tau, dtype=float)
        if self._control is None and references is not None:
            raise ArgumentError("Stepper: references are those of a feedback, control=, and this stepper has none")
        if self._control is not None and tau is not None:
            raise ArgumentError(
                f"Stepper: the torque is that of {self._control!r}; leave out tau, or make a stepper without control="
            )
        if self._control is not None:
            torque = self._with_references(self._control, references, batch)
        if external is not None:
            external = external_of(self.robot, external, batch)(0.0, q, v)
        return AsGiven(torque, external, acceleration, self._passive)

    def _with_references(self, feedback: Feedback, references: Any, batch: tuple[int, ...]) -> Feedback:
        """The feedback with a call's references in place of its own."""
        if references is None:
            return feedback
        changed, known = copy(feedback), feedback.references
        if not isinstance(references, Mapping):
            raise ArgumentError(f"Stepper: references are a dict of arrays by name, got {type(references).__name__}")
        for name in references:
            if name not in known:
                raise unknown_name("reference", name, known, of=type(feedback).__name__)
        changed.references = {**known, **{name: self._reference(name, x, batch) for name, x in references.items()}}
        return changed

    def _reference(self, name: str, x: Any, batch: tuple[int, ...]) -> np.ndarray:
        assert self._control is not None
        size = self._control.size(name)
        numbers = real(f"references[{name!r}]", x, size, meaning="a reference of the feedback", of="Stepper")
        return spread(numbers, (*batch, size), f"references[{name!r}]") if numbers.ndim > 1 else numbers

    def _modes(self, v: np.ndarray, sliding: Any) -> np.ndarray:
        """In which direction joints with dry friction slide, as given, or as their speeds say."""
        sticking = self._acting.sticking
        if sliding is None:
            return v[..., :0] if sticking is None else np.sign(v[..., sticking.v])
        many = 0 if sticking is None else len(sticking.v)
        given = real("sliding", sliding, many, meaning="1, -1 or 0 for each component that sticks", of="Stepper")
        return spread(given, (*v.shape[:-1], many), "sliding")

    def _after(
        self, source: AsGiven, q: np.ndarray, v: np.ndarray, modes: np.ndarray, n: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The state n steps on, and what slides then."""
        batch = q.shape[:-1]
        if 0 in batch:
            return q.copy(), v.copy(), modes
        code = self._code(source, q, v)
        if code is None:
            return self._in_python(self._problem(source, q, v, np.array([0.0])), modes, n)
        found = code.run(n, {"q": q, "v": v, "sliding": modes, **self._brought(source, code)})
        if self._bad_rows == "raise" and not (np.isfinite(found["q"]).all() and np.isfinite(found["v"]).all()):
            self._explain(source, q, v, n)
        if not batch and source.external is None and source.acceleration is None:
            self._make_ready(code, source, n)
        return found["q"], found["v"], found.get("sliding", modes)

    def _problem(self, source: AsGiven, q: np.ndarray, v: np.ndarray, times: np.ndarray) -> Problem:
        state = q.copy(), v.copy()  # a feedback's are read-only, and a caller may go on with his own
        return posed(self._subject, self._acting, source, state, self.method, self.step, times, sampled=self._sampled)

    def _code(self, source: AsGiven, q: np.ndarray, v: np.ndarray) -> StepCode | None:
        """The machine code for such a call; None where there can be none."""
        key = q.shape[:-1], *(x is None for x in (source.control, source.external, source.acceleration))
        code = self._codes.get(key)
        if code is None:
            # A call's own references are not those of later calls.
            source = source if self._control is None else replace(source, control=self._control)
            problem = self._problem(source, q, v, np.array([0.0, self.step]))
            if not rollout.possible(problem):
                return None
            code = StepCode(problem)
            self._keep(self._codes, key, code)
        return code

    def _brought(self, source: AsGiven, code: StepCode) -> dict[str, np.ndarray]:
        """What this call brings, by the names that the step has for it."""
        found = source.named()
        if source.acceleration is not None:
            passive = code.problem.actuation.sets(0.0).passive
            found["acceleration"] = np.where(passive, 0.0, np.asarray(source.acceleration, dtype=float))
        return found

    def _make_ready(self, code: StepCode, source: AsGiven, n: int) -> None:
        """Keep machine code for later calls with n steps of one state."""
        key, sticking = (n, source.control is None or self._control is not None), self._acting.sticking
        if key in self._single:
            return
        names = ("q", "v", *(("sliding",) if sticking is not None else ()), *(("tau",) if not key[1] else ()))
        ready = code.of_one_row(n, names)
        if sticking is not None:
            ready = partial(_with_signs, ready, sticking.v)
        self._keep(self._single, key, ready)

    def _keep(self, those: dict[Any, Any], key: Any, value: Any) -> None:
        """Keep one more, and no more than so many."""
        with self._lock:
            those[key] = value
            while len(those) > MOST_KEPT:
                del those[next(iter(those))]

    def _in_python(self, problem: Problem, modes: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same where there is no machine code."""
        equations = problem.equations()
        taken, now = taken_by(problem, equations), replace(start(equations, problem.start), sliding=modes)
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(n):
                now = taken(now, self.step)
                check_state(self.robot, now.moment.t, now.moment.q, now.moment.v)
        return now.moment.q.copy(), now.moment.v.copy(), now.sliding

    def _explain(self, source: AsGiven, q: np.ndarray, v: np.ndarray, n: int) -> NoReturn:
        """Take the steps again as a simulation with records, whose error says when and where they fail."""
        records = max(1, min(n, MOST_RECORDS // max(1, v.size)))
        times = self.step * np.unique(np.linspace(0, n, records + 1).astype(int))
        problem = self._problem(source, q, v, times)
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                rollout.run(problem, None)
            except SimulationError as stopped:
                raise with_advice(problem, stopped) from None
        raise ran_away(self.robot, 0.0, v)


def nothing_ready(*state: Any) -> None:
    """What a single state's call gives before there is machine code for it."""


def _with_signs(ready: Callable[..., Any], at: np.ndarray, q: Any, v: Any, *tau: Any) -> Any:
    """A call of a single state in which each joint with dry friction slides as its speed says."""
    return ready(q, v, np.sign(v[at]), *tau) if type(v) is np.ndarray and v.ndim == 1 else None


def _feedback(control: Any, robot: Robot) -> Feedback | None:
    """A feedback for the robot whose references do not change in time."""
    if control is None:
        return None
    if not isinstance(control, Feedback):
        raise ArgumentError(
            f"Stepper: control is a feedback of sd.control, got {type(control).__name__}; joint forces are given at "
            "each call: stepper(q, v, tau)"
        )
    check_fits(control, robot)
    for name, x in control.references.items():
        if isinstance(x, TimeSeries):
            raise ArgumentError(
                f"Stepper: the reference {name!r} of {type(control).__name__} are samples in time, which a stepper "
                f"does not know; make it constant and bring references={{{name!r}: ...}} at each call"
            )
    return control
