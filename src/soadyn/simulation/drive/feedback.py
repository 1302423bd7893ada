"""Feedbacks: torques that depend on the state and on references, on numbers or on recorded scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.recorded import recorded_function
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.trace import Traced
from soadyn.errors import ArgumentError
from soadyn.mechanics.spatial.arithmetic import Array
from soadyn.mechanics.spatial.reading import NotNumbersError, real_array
from soadyn.robot import Robot
from soadyn.robot.arguments import arguments
from soadyn.simulation.drive.dynamics import Dynamics, RecordedDynamics, RobotDynamics
from soadyn.simulation.drive.time_series import TimeSeries, along_time

Reference = np.ndarray | TimeSeries


class Feedback:
    """A torque as a function of (t, q, v) that machine code can compute: `simulate` compiles it into the step.

    The robot is the one that the feedback counts on; the one that moves may have other masses and lengths, but not
    other joints. A subclass says what the torque is at a state, in `torque`, without a branch on numbers. `references`
    are vectors that it also reads: constant, or `TimeSeries` in time.

    >>> import soadyn as sd
    >>> class Damping(Feedback):
    ...     def torque(self, dynamics, q, v, references):
    ...         return -2.0 * v
    ...     def content(self):
    ...         return ("damping", 2.0)
    >>> Damping(sd.load("planar_two_link"), {})(0.0, [0.0, 0.0], [1.0, 2.0])
    array([-2., -4.])
    """

    def __init__(self, robot: Robot, references: Mapping[str, Reference]) -> None:
        self.robot = robot
        self.references = dict(references)

    def __repr__(self) -> str:
        given = self.references.items()
        said = ", ".join(f"{name} at {len(x.times)} times" if isinstance(x, TimeSeries) else name for name, x in given)
        return f"<{type(self).__name__} of {self.robot.name!r}{': references ' if said else ''}{said}>"

    def torque(self, dynamics: Dynamics, q: Array, v: Array, references: Mapping[str, Array]) -> Array:
        """The joint forces (..., nv) at a state, of numbers of any kind."""
        raise NotImplementedError

    def content(self) -> tuple[Any, ...]:
        """All that `torque` depends on besides the references."""
        raise NotImplementedError

    def size(self, reference: str) -> int:
        """How many numbers a reference has."""
        x = self.references[reference]
        return int((x.values if isinstance(x, TimeSeries) else x).shape[-1])

    def __call__(self, t: float, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """The joint forces at a time and state, (..., nv), as the feedback's own robot has them."""
        _check_time(t, self)
        space = self.robot.engine.coordinates
        values = {name: x(t) if isinstance(x, TimeSeries) else x for name, x in self.references.items()}
        q, v = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
        return np.asarray(self.torque(RobotDynamics(self.robot), q, v, values))

    @property
    def design(self) -> tuple[str, ...]:
        """The names of references that belong to the feedback as its gains do: constants, no motion to follow."""
        return ()

    def recorded(self, known: Mapping[str, Reference] | None = None) -> Traced:
        """The torque on recorded scalars: of q, v and each reference, called "reference NAME", that is not `known`."""
        recording, known = Recording(self.robot.engine.constants), known or {}
        state, references = self._ports()[:2], zip(self.references, self._ports()[2:], strict=True)
        q, v = (recording.argument(port) for port in state)
        values = {
            name: np.array(known[name], dtype=object) if name in known else recording.argument(port)
            for name, port in references
        }
        tau = self.torque(RecordedDynamics(recording), q, v, values)
        inputs: dict[Port, Sequence[Any]] = dict(recording.inputs)
        outputs: dict[Port, Sequence[Any]] = {Port("tau", (self.robot.nv,)): list(tau)}
        return Traced(recording.graph, inputs, outputs, (("feedback", len(recording.graph.nodes)),))

    def compiled(self) -> Callable[[float, ArrayLike, ArrayLike], np.ndarray]:
        """The same function of (t, q, v) as machine code, for control loops in Python and for large batches.

        Making it takes about as long as the first of a simulation's steps; a call takes some microseconds. Rows without
        an answer, where an argument is not finite, are NaN.

        >>> import numpy as np, soadyn as sd
        >>> arm = sd.load("planar_two_link")
        >>> hold = sd.control.JointFeedback(arm, [0.5, -0.2], stiffness=200.0, damping=40.0)
        >>> state = 0.1, np.array([0.4, 0.0]), np.array([1.0, 0.0])
        >>> bool(np.allclose(hold.compiled()(*state), hold(*state), rtol=1e-13))
        True
        """
        ports, space = self._ports(), self.robot.engine.coordinates
        outputs = (Port("tau", (self.robot.nv,)),)
        depends = (self.content(), tuple((port.name, port.shape) for port in ports))
        name = type(self).__name__
        function = recorded_function(self.robot.engine, name, (ports, outputs), depends, self.recorded, single=True)
        if function is None:
            return self.__call__
        machine = function

        def call(t: float, q: ArrayLike, v: ArrayLike) -> np.ndarray:
            _check_time(t, self)
            values = [x(t) if isinstance(x, TimeSeries) else x for x in self.references.values()]
            state = arguments.coordinates(space, q), arguments.joint_vector(space, v, "v")
            return np.asarray(machine(*state, *values))

        return call

    def _ports(self) -> tuple[Port, ...]:
        state = Port("q", (self.robot.nq,)), Port("v", (self.robot.nv,))
        return *state, *(Port(reference(name), (self.size(name),)) for name in self.references)

    def over_time(self, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The joint forces (T, ..., nv) at times (T,) and states (T, ..., n)."""
        values = {
            name: along_time(x(t), v.ndim) if isinstance(x, TimeSeries) else x for name, x in self.references.items()
        }
        return np.asarray(self.torque(RobotDynamics(self.robot), q, v, values))


def reference(name: str) -> str:
    """What a step calls a reference, which may have a name that the step uses itself."""
    return f"reference {name}"


def _check_time(t: Any, feedback: Feedback) -> None:
    """A time that is not a number is refused, whether or not a reference is looked up there."""
    # Only NaN differs from itself; `np.isnan` would take as long as the torque.
    if t != t if isinstance(t, float | int) else not _are_times(t):
        raise ArgumentError(f"{type(feedback).__name__}: t must be a time in seconds, got {t!r:.80}")


def _are_times(t: Any) -> bool:
    try:
        return not np.isnan(real_array(t)).any()
    except NotNumbersError:
        return False


def check_fits(torque: Any, robot: Robot) -> None:
    """Refuse a feedback for a robot with other joints than the one that moves."""
    if not isinstance(torque, Feedback):
        return
    own, moving = ([(joint.name, joint.kind) for joint in x.model.joints] for x in (torque.robot, robot))
    if own != moving:
        raise ArgumentError(
            f"simulate: the {type(torque).__name__} is for robot {torque.robot.name!r} with joints "
            f"{[name for name, _ in own]!r:.120}; robot {robot.name!r} has {[name for name, _ in moving]!r:.120}"
        )
