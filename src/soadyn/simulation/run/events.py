"""Events: moments at which a function of time and state changes its sign, found to rounding, and what happens then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.model.steppers import Moment
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.plain_values import single
from soadyn.simulation.run.stepping import Now

Action = Callable[[float, np.ndarray, np.ndarray], "tuple[ArrayLike, ArrayLike] | None"]

TRIALS_OF_A_MOMENT = 60  # at most, until a moment is found
NEAR = 1e-12  # of a step: moments that are closer are one
MOST = 1000  # events in one step; more are a sign of an action that brings its own event about


@final
@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A moment at which `when(t, q, v)`, a number, changes its sign, and what to do then.

    do: "stop" ends the simulation there; "note" lets it go on; a function (t, q, v) is called and may return the state
        (q, v) to go on with.
    direction: 1 looks only for changes from negative to positive, -1 only for the other way, 0 for both.

    `trajectory.events` holds the (time, name) of all that happened, and there is a record of each. Events are looked
    for in simulations of one motion, once in a step: two changes within one step cancel.

    >>> import soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> low = sd.Event(lambda t, q, v: q[0], do="stop", name="level")
    >>> fall = sd.simulate(arm, [0.3, 0.0], duration=2.0, step=0.01, events=[low])
    >>> bool(abs(fall.q[-1, 0]) < 1e-12), fall.events[0][1]
    (True, 'level')
    """

    when: Callable[[float, np.ndarray, np.ndarray], Any]
    do: str | Action = "note"
    direction: int = 0
    name: str = "event"

    def __post_init__(self) -> None:
        if not callable(self.when):
            raise ArgumentError(f"Event: when is a function of (t, q, v), got {self.when!r:.80}")
        if not callable(self.do) and (not isinstance(self.do, str) or self.do not in ("stop", "note")):
            raise ArgumentError(f'Event: do is "stop", "note" or a function of (t, q, v), got {self.do!r:.80}')
        if single(self.direction) not in (-1, 0, 1):
            raise ArgumentError(f"Event: direction is 1, -1 or 0, got {self.direction!r:.80}")

    def value(self, moment: Moment) -> float:
        number = single(self.when(moment.t, moment.q, moment.v))
        if not np.isfinite(number):
            raise ArgumentError(f"Event {self.name!r}: when(t, q, v) must be a finite number at t = {moment.t:.6g} s")
        return number

    def crossed(self, before: float, after: float) -> bool:
        """Does the sign change, in the direction that is looked for? A value that starts at zero does not count."""
        upward = before < 0 <= after
        downward = before > 0 >= after
        return (upward and self.direction >= 0) or (downward and self.direction <= 0)


def checked_events(events: Any, batch: tuple[int, ...]) -> tuple[Event, ...]:
    """The events of a simulation."""
    listed = (events,) if isinstance(events, Event) else events
    if not isinstance(listed, Sequence) or not all(isinstance(event, Event) for event in listed):
        raise ArgumentError(f"simulate: events are a list of sd.Event, got {events!r:.80}")
    if listed and batch:
        raise ArgumentError(f"simulate: events are of one motion, not of a batch {batch}; simulate its rows in turn")
    return tuple(listed)


@final
class Watch:
    """Looks for events in steps; `taken(now, h)` is a step, `happened` what was found."""

    def __init__(self, robot: Robot, events: Sequence[Event], taken: Callable[[Now, float], Now]) -> None:
        self.robot, self.events, self.taken = robot, events, taken
        self.happened: list[tuple[float, str]] = []
        self.stopped = False

    def step(self, now: Now, h: float, keep: Callable[[Now], None]) -> Now:
        """The state after h seconds, or at the event that stops the simulation; states at events are kept."""
        end = now.moment.t + h
        for _ in range(MOST):
            left = end - now.moment.t
            if not left > NEAR * h:
                return now
            now, met = self.met(now, self._timed(now, left), left, keep)
            if self.stopped or not met:
                return now
        raise ArgumentError(f"simulate: more than {MOST} events in one step at t = {now.moment.t:.6g} s")

    def met(self, now: Now, after: Now, h: float, keep: Callable[[Now], None]) -> tuple[Now, bool]:
        """The state after a step of h seconds, or after its first event has acted; and whether there was an event."""
        events, now = self._first(now, after, h)
        if not events:
            return now, False
        self.happened += [(now.moment.t, event.name) for event in events]
        keep(now)
        self.stopped = any(event.do == "stop" for event in events)
        for event in () if self.stopped else events:
            now = self._changed(event, now)
        return now, True

    def _timed(self, now: Now, h: float) -> Now:
        """A step, its time counted."""
        return self.taken(now, h).at(now.moment.t + h)

    def _first(self, now: Now, after: Now, h: float) -> tuple[list[Event], Now]:
        """The first event of a step, with those of the same moment, and the state just past it; or the step's end."""
        found: list[tuple[float, Event, Now]] = []
        for event in self.events:
            before = event.value(now.moment)
            if not event.crossed(before, event.value(after.moment)):
                continue
            found.append(self._just_past(event, now, after, h))
        if not found:
            return [], after
        first, _, state = min(found, key=lambda one: one[0])
        return [event for time, event, _ in found if time - first <= 2 * NEAR * h], state

    def _just_past(self, event: Event, now: Now, after: Now, h: float) -> tuple[float, Event, Now]:
        """How long after the step's begin an event happens, and the state there, at which it has happened."""
        from scipy.optimize import toms748

        tried = {0.0: (event.value(now.moment), now), h: (event.value(after.moment), after)}
        before = tried[0.0][0]

        def value(x: float) -> float:
            if x not in tried:
                there = self._timed(now, x)
                tried[x] = event.value(there.moment), there
            return tried[x][0]

        toms748(value, 0.0, h, xtol=NEAR * h, rtol=4 * np.finfo(float).eps, maxiter=TRIALS_OF_A_MOMENT, disp=False)
        # The shortest of the times tried at which it has happened: of the last bracket, the upper end.
        x = min(x for x, (y, _) in tried.items() if event.crossed(before, y))
        return x, event, tried[x][1]

    def _changed(self, event: Event, now: Now) -> Now:
        """The state that an event's function returns."""
        if not callable(event.do):
            return now
        m = now.moment
        given = event.do(m.t, m.q, m.v)
        if given is None:
            return now
        space = self.robot.engine.coordinates
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise ArgumentError(f"Event {event.name!r}: its function returns None or (q, v), got {given!r:.80}")
        q, v = (np.array(x, dtype=float) for x in given)
        arguments.coordinates(space, q)
        arguments.joint_vector(space, v, "v")
        return replace(now, moment=replace(m, q=q, v=v))
