"""The steps of the ladder: who computes a quantity of a batch, by which call, and what each step is compared with."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import casadi_peer
import numpy as np
import pinocchio_loop
import shared_library
from casadi_peer import ALGORITHMS, Column
from cpp_loop import CppLoop
from debian_loops import LOOPS
from drake_calls import DrakeRobot, drake_robot, drake_steps
from figures import Report
from generated_c import lanes_name
from measures import Case, ours
from mujoco_calls import mujoco_steps
from peer_robots import MujocoRobot, PinocchioRobot, States, mujoco_robot
from pinocchio_calls import theirs
from steps import Step, in_our_order

import soadyn as sd

# What everything is compared with: the batch call, or the loop where there is none.
BASE = {
    "forward_dynamics": "Pinocchio abaInParallel",
    "inverse_dynamics": "Pinocchio rneaInParallel",
    "mass_matrix": "Pinocchio loop of crba",
}
ROLLED, STRAIGHT = "soadyn rolled", "soadyn straight-line"


class Contestants:
    """Everybody who is there, for one robot and one batch."""

    def __init__(self, report: Report, case: Case, s: States, compile_loop: bool) -> None:
        self._case, self._s = case, s
        self._loop = loop_in_cpp(
            report, case, "Pinocchio", pinocchio_loop.missing(compile_loop), pinocchio_loop.library
        )
        self._debian = [(each, loop_in_cpp(report, case, each.name, each.missing(), each.library)) for each in LOOPS]
        self._columns = _columns(report, case, s)
        self._mujoco: MujocoRobot | None = _other(report, mujoco_robot, case)
        self._drake: DrakeRobot | None = _other(report, drake_robot, case)

    def steps(self, quantity: str, lanes: int) -> list[Step]:
        """The steps from the slowest to ours, and other libraries after them."""
        case, s = self._case, self._s
        found: list[Step] = []
        if case.pin:
            found += _from_python(case.pin, s, quantity)
            if self._loop:
                found.append(self._loop.step(cpp_name(quantity), s, quantity, before=BASE[quantity]))
            found += _generated(case.pin, self._columns.get(quantity, []), s, quantity)
        found += _own(case.robot, s, quantity, lanes)
        found += [loop.step(each.who(quantity), s, quantity, note=each.note()) for each, loop in self._debian if loop]
        found += mujoco_steps(self._mujoco, s, quantity) if self._mujoco else []
        return found + (drake_steps(self._drake, s, quantity) if self._drake else [])

    def remarks(self) -> Iterable[str]:
        """Versions and flags."""
        if self._loop:
            yield f"Pinocchio C++ loop: {pinocchio_loop.note()}"
        notes: dict[str, list[str]] = {}
        for column in self._columns.get("forward_dynamics", []):
            notes.setdefault(column.note, []).append(column.form.who)
        for note, names in notes.items():
            yield f"{', '.join(names)}: {note}"


def _from_python(pin: PinocchioRobot, s: States, quantity: str) -> list[Step]:
    """The wheel: a loop, then the batch call where there is one."""
    calls = theirs(pin, s, quantity)
    loop = f"Pinocchio loop of {ALGORITHMS[quantity][0]}"
    first = Step(loop, calls.pop(loop))
    return [first, *(Step(who, call, before=loop) for who, call in calls.items())]


def cpp_name(quantity: str) -> str:
    return f"Pinocchio C++ loop of {ALGORITHMS[quantity][0]}"


def _generated(pin: PinocchioRobot, columns: list[Column], s: States, quantity: str) -> list[Step]:
    """CasADi's C: one state after another, then in lanes, then in more lanes of float32."""
    steps: list[Step] = []
    for column in columns:
        before = steps[-1].who if steps else cpp_name(quantity)
        rows = partial(lambda c: in_our_order(pin.peer, s, quantity, c.rows()), column)
        steps.append(Step(_precise(column.form.who, column.form.number), column.call, rows, before))
    return steps


def _precise(who: str, number: str) -> str:
    return who if number == "float64" else f"{who}, {number}"


def _own(robot: sd.Robot, s: States, quantity: str, lanes: int) -> list[Step]:
    """The kernel that takes any robot, and the one of this robot, in both precisions."""
    steps = []
    befores = {ROLLED: cpp_name(quantity), STRAIGHT: lanes_name(lanes)}
    for number in ("float64", "float32"):
        states = States(*(x.astype(number) for x in (s.q, s.v, s.a, s.tau)))
        for form, whose in ((ROLLED, robot.specialize(False)), (STRAIGHT, robot.specialize())):
            call = ours(whose, states, quantity)
            rows = partial(lambda f: np.asarray(f(), dtype=float), call)
            steps.append(Step(_precise(form, number), call, rows, befores[form]))
        befores = {ROLLED: ROLLED, STRAIGHT: STRAIGHT}
    return steps


# What is there


def loop_in_cpp(
    report: Report, case: Case, name: str, reason: str, library: Callable[[], ctypes.CDLL]
) -> CppLoop | None:
    """A library's loop in C++, where it can be compiled and takes the robot."""
    if case.pin is None:
        return None
    if not reason:
        try:
            return CppLoop(case.pin, library())
        except subprocess.CalledProcessError as error:
            reason = shared_library.complaint(error)
        except ValueError as error:
            reason = f"{case.name}: {error}"
    report.skip(f"{name}'s C++ loop: {reason}")
    return None


def _columns(report: Report, case: Case, s: States) -> dict[str, list[Column]]:
    """Columns of generated C for each quantity, where CasADi is."""
    if case.pin is None:
        return {}
    reason = casadi_peer.missing()
    if not reason:
        if why := casadi_peer.lanes_missing():
            report.skip(f"CasADi's C in lanes: {why}")
        try:
            return casadi_peer.columns(case.pin, case.path, case.free, s, casadi_peer.forms())
        except subprocess.CalledProcessError as error:
            reason = f"{case.name}: {shared_library.complaint(error)}"
    report.skip(f"CasADi's generated C: {reason}")
    return {}


def _other(report: Report, load: Callable[..., tuple[Any, str]], case: Case) -> Any:
    """Another library's robot, where it is and reads it."""
    if not case.path.is_file():
        return None
    other, reason = load(case.robot, case.path, case.free)
    if reason:
        report.skip(reason if "not installed" in reason else f"{case.name}: {reason}")
    return other
