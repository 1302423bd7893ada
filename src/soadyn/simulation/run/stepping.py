"""One step of a simulation: the stepper's, and what friction makes of it.

A component with dry friction sticks or slides in one direction during a step. Sticking, its acceleration is the one
that stops it within the step, zero once it rests. The step is tried again in another way if the force that holds it is
larger than friction can be, or if a component that slides would turn back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from soadyn.mechanics.spatial.arithmetic import Array, is_positive, sign
from soadyn.model.steppers import Moment, Rates, Stepper
from soadyn.simulation.run.equations import Equations, Evaluated, Given, Held

# What comes from outside at a moment and state.
Supply = Callable[[Any, Array, Array], Given]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Now:
    """A moment; the direction in which each component with dry friction slides, 0 if it sticks; what has acted yet.

    `waiting` are the torques (..., delay nv) that were asked for and act in the next steps, the next step's first; None
    where torques act at once.
    """

    moment: Moment
    sliding: Array
    acted: Array
    waiting: Array | None = None

    def at(self, t: Any) -> Now:
        """The same at another time."""
        return replace(self, moment=replace(self.moment, t=t))

    def named(self) -> dict[str, Array]:
        """What goes on from step to step, by name."""
        m = self.moment
        found = {"q": m.q, "v": m.v, "inflow": m.inflow, "sliding": self.sliding, "acted": self.acted}
        return found if self.waiting is None else {**found, "waiting": self.waiting}

    @staticmethod
    def of(t: Any, values: Mapping[str, Array]) -> Now:
        """What `named` named; components that are not there are none."""
        none = values["q"][..., :0]
        sliding, acted = values.get("sliding", none), values.get("acted", none)
        return Now(Moment(t, values["q"], values["v"], values["inflow"]), sliding, acted, values.get("waiting"))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A step that was tried: the state after it, and where (...) it must be tried again with the new directions."""

    after: Now
    again: Array


def start(equations: Equations, moment: Moment, waiting: Array | None = None) -> Now:
    """The beginning of a simulation."""
    sticking = equations.acting.sticking
    sliding = np.zeros((*moment.v.shape[:-1], 0)) if sticking is None else sign(moment.v[..., sticking.v])
    return Now(moment, sliding, np.zeros((*moment.v.shape[:-1], len(equations.acts()))), waiting)


def trial(equations: Equations, stepper: Stepper, supply: Supply, now: Now, h: Any) -> Trial:
    """A step of h seconds."""
    sticking = equations.acting.sticking
    first: list[tuple[Given, Given, Evaluated]] = []
    held = None
    if sticking is not None:
        stuck = 1 - now.sliding * now.sliding
        held = Held(stuck, now.sliding, -now.moment.v[..., sticking.v] / h)

    def rates(t: Any, q: Array, v: Array) -> Rates:
        asked = supply(t, q, v)
        given = asked if now.waiting is None else replace(asked, tau=now.waiting[..., : v.shape[-1]])
        found = equations.evaluated(given, q, v, held)
        first.append((asked, given, found))
        return found.rates

    after = stepper(equations.dynamics.integrate, rates, now.moment, h)
    asked, given, found = first[0]
    waiting = _later(now.waiting, asked.tau)
    acted = now.acted + (1 - now.acted) * found.acted
    if held is None or sticking is None or found.holding is None:
        return Trial(Now(after, now.sliding, acted, waiting), np.zeros(()))
    free = 1 if given.passive is None else given.passive[..., sticking.v]  # not accelerated as prescribed
    v = np.array(after.v)
    v[..., sticking.v] = v[..., sticking.v] * (1 - free * held.stuck)  # what sticks rests, to the last digit
    after = Moment(after.t, after.q, v, after.inflow)
    slips = free * held.stuck * is_positive(found.holding * found.holding - sticking.static * sticking.static)
    turns = free * is_positive(-v[..., sticking.v] * now.sliding)
    sliding = free * (now.sliding * (1 - turns) - slips * sign(found.holding)) + (1 - free) * sign(v[..., sticking.v])
    return Trial(Now(after, sliding, acted, waiting), (slips + turns).sum(axis=-1, keepdims=True)[..., 0])


def _later(waiting: Array | None, asked: Array) -> Array | None:
    """The torques under way after a step: the first has acted, the one asked for has joined."""
    return None if waiting is None else np.concatenate([waiting[..., asked.shape[-1] :], asked], axis=-1)
