"""A feedback as C text: the joint forces of a controller, from the state and its references."""

from __future__ import annotations

from soadyn.backends import policy
from soadyn.exporting.c_text import Real, RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.source import check_trace, traced_source
from soadyn.simulation.feedback import Feedback


def feedback_source(feedback: Feedback, header: str, real: RealName, libm: bool, name: str | None) -> tuple[str, str]:
    """The source and header of a feedback; its gains are folded in, its references are arguments."""
    robot, kind = feedback.robot, type(feedback).__name__
    trace = feedback.recorded()
    purpose = (
        f"The joint forces of a {kind} at a state, to be called once for each sample. Its gains are folded in; what it "
        "follows is an argument, at the time of the sample."
    )
    described = Description(kind, purpose, "", "N m or N", ("gains",))
    check_trace(kind, robot, policy.LONGEST_EXPORTED, trace)
    called = {port.name: port.name for port in trace.inputs}
    # A reference may be called as the state is.
    called |= {f"reference {x}": f"wanted {x}" if x in ("q", "v", "a") else x for x in feedback.references}
    function = function_name(name, f"{robot.name}_{kind}")
    return traced_source(trace, robot, function, described, called, ["tau"], header, Real(real), libm)
