"""A feedback as C text: the joint forces of a controller, from the state and its references."""

from __future__ import annotations

import re
from collections.abc import Iterable

from soadyn.engine import policy
from soadyn.errors import ArgumentError, check_name
from soadyn.exporting.c_text import Real, RealName, function_name
from soadyn.exporting.comments import Description
from soadyn.exporting.source import check_trace, traced_source
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.drive.time_series import TimeSeries

MEANING = {
    "wanted_q": "wanted coordinates: rad, m; quaternions are w, x, y, z",
    "wanted_v": "wanted joint rates: rad/s, m/s",
    "wanted_a": "wanted joint accelerations: rad/s^2, m/s^2",
    "tau": "joint forces to begin with: N m, N",
    "K": "gains, row by row: motors x [joint motion, joint rates]",
}


def feedback_source(
    feedback: Feedback, given: Iterable[str] | None, header: str, real: RealName, libm: bool, name: str | None
) -> tuple[str, str]:
    """The source and header of a feedback; references that are not `given` are folded in as its gains are."""
    robot, kind = feedback.robot, type(feedback).__name__
    arguments = _arguments(feedback, given)
    known = {name: x for name, x in feedback.references.items() if name not in arguments}
    trace = feedback.recorded(known)
    purpose = f"The joint forces of a {kind} at a state, to be called once for each sample. Its gains are folded in"
    if arguments:
        purpose += f"; {', '.join(map(_called, arguments))}: what it follows, at the time of the sample"
    folded = ("gains", *(f"reference: {name}" for name in known))
    described = Description(kind, f"{purpose}.", "", "N m or N", folded, MEANING)
    check_trace(kind, robot, policy.LONGEST_EXPORTED, trace)
    called = {port.name: port.name for port in trace.inputs} | {f"reference {x}": _called(x) for x in arguments}
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    function = function_name(name, f"{robot.name}_{words}")
    return traced_source(trace, robot, function, described, called, ["tau"], header, Real(real), libm)


def _called(reference: str) -> str:
    """A reference may be called as the state is."""
    return f"wanted_{reference}" if reference in ("q", "v", "a") else reference


def _arguments(feedback: Feedback, given: Iterable[str] | None) -> list[str]:
    """The references that are arguments of the C function, in the feedback's order."""
    kind, names = type(feedback).__name__, tuple(feedback.references)
    if given is None:
        return [name for name in names if name not in feedback.design]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentError(f"export_c: given is a list of references of the {kind}, got {given!r:.60}")
    chosen = tuple(given)
    for name in chosen:
        check_name(f"reference of the {kind}", name, names)
    for name, x in feedback.references.items():
        if name not in chosen and isinstance(x, TimeSeries):
            raise ArgumentError(
                f"export_c: reference {name!r} of the {kind} is samples in time, which cannot be folded in; name it in "
                "given="
            )
    return [name for name in names if name in chosen]
