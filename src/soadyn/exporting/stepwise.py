"""A step with a memory as C text: what was remembered is an argument, what is to be remembered a result."""

from __future__ import annotations

from soadyn.engine import policy
from soadyn.exporting.c_text import Real, RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.source import check_trace, traced_source
from soadyn.simulation.run.recorded_step import Stepwise


def stepwise_source(stepwise: Stepwise, header: str, real: RealName, libm: bool, name: str | None) -> tuple[str, str]:
    """The source and header of a step; arguments and results are called as its trace calls them."""
    step = stepwise.recorded_step()
    check_trace(step.kind, step.robot, policy.LONGEST_EXPORTED, step.trace)
    described = Description(step.kind, step.purpose, folded=step.folded, meaning=step.meaning)
    called = {port.name: port.name for port in step.trace.inputs}
    results = [port.name for port in step.trace.outputs]
    function = function_name(name, f"{step.robot.name}_{step.kind}")
    return traced_source(step.trace, step.robot, function, described, called, results, header, Real(real), libm)
