"""Plans with steps as short as they must be."""

from __future__ import annotations

from collections.abc import Callable

from soadyn.control.planning.plan import Plan
from soadyn.control.planning.plan_checks import Tolerance, beyond_limits, checked, step_error, tolerances
from soadyn.robot.arguments.plain_values import positive

MOST_HALVINGS = 5


def refined(make: Callable[[float], Plan], step: float, tolerance: Tolerance, zero_momentum: bool = True) -> Plan:
    """The plan that `make` makes of steps, halved while the error is too large and falls; checked."""
    limits = tolerances(tolerance)
    plan = make(positive("step", step))
    error = step_error(plan, *limits, zero_momentum)
    for halvings in range(1, MOST_HALVINGS + 1):
        if error <= 1 or beyond_limits(plan):
            break
        finer = make(step / 2**halvings)
        less = step_error(finer, *limits, zero_momentum)
        # Half a step of fourth order should leave a sixteenth of the error; near a singularity it does not.
        if not less <= error / 2:
            break
        plan, error = finer, less
    return checked(plan, tolerance, zero_momentum)
