"""Speed beside peers: single states, several quantities at once, and every robot of the corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from corpus_files import corpus
from figures import Report
from peer_robots import PinocchioRobot, States, loaded, pinocchio
from pinocchio_calls import pinocchio_rows, theirs
from rounds import interleaved

import soadyn as sd
from soadyn.engine.tracing.traced import WORLD, traced
from soadyn.programs.sweep.algorithms import without_external
from soadyn.quantities import QUANTITIES

UR5, TALOS, LARGEST = "ur/ur5_robot", "talos_data/talos_reduced", "tiago/tiago_dual"
ARITHMETIC = ("add", "sub", "mul", "reciprocal")
# How many times Pinocchio's own call a single one may take.
SINGLE_TARGETS = {
    ("UR5", "forward_dynamics"): 1.0,
    ("UR5", "inverse_dynamics"): 1.3,
    ("UR5", "mass_matrix"): 1.3,
    ("Talos", "forward_dynamics"): 1.0,
    ("Talos", "inverse_dynamics"): 1.0,
    ("Talos", "mass_matrix"): 1.0,
}


@dataclass
class Options:
    """How much to measure."""

    states: int = 4096
    rounds: int = 7
    spend: float = 0.03
    quick: bool = False
    ease: float = 1.0  # targets of ratios are multiplied by this: a half without AVX-512


@dataclass
class Case:
    """A robot of the corpus here and elsewhere."""

    name: str
    path: Path
    free: bool
    robot: sd.Robot
    pin: PinocchioRobot | None
    locked: tuple[str, ...] = ()  # joints of the file that the robot does not have


def cases(report: Report) -> list[Case]:
    """UR5 and Talos."""
    paths = corpus()
    if pinocchio is None:
        report.skip("Pinocchio is not installed, so there is nothing to compare with")
    if not paths:
        report.skip("example-robot-data is not installed; the built-in UR5 stands in for its robots")
        return [Case("UR5", Path(), False, sd.load("ur5"), None)]
    found = []
    for name, key, free in (("UR5", UR5, False), ("Talos", TALOS, True)):
        robot = loaded(paths[key], "free" if free else "fixed")
        found.append(Case(name, paths[key], free, robot, PinocchioRobot.from_urdf(robot, paths[key], free)))
    return found


def operations(robot: sd.Robot, name: str) -> int:
    """Additions, subtractions, products and divisions of the trace."""
    program = QUANTITIES[name].program
    if "external" in program.inputs:
        program = without_external(program)
    counts = traced(program, robot.engine.constants, {}, known={"axes": WORLD}).counts()
    return sum(counts.get(operation, 0) for operation in ARITHMETIC)


def difference(x: Any, y: Any) -> float:
    """The worst of the rows, each relative to its own largest number."""
    core = tuple(range(1, np.ndim(y)))
    return float((np.abs(x - y).max(axis=core) / np.maximum(1.0, np.abs(y).max(axis=core))).max())


def ours(robot: sd.Robot, s: States, quantity: str) -> Callable[[], Any]:
    """A call of a public method on a batch."""
    arguments = {
        "forward_dynamics": (s.q, s.v, s.tau),
        "inverse_dynamics": (s.q, s.v, s.a),
        "forward_dynamics_derivatives": (s.q, s.v, s.tau),
        "inverse_dynamics_derivatives": (s.q, s.v, s.a),
        "mass_matrix": (s.q,),
    }[quantity]
    method = getattr(robot, quantity)
    return lambda: method(*arguments)


# Single states and several quantities


def singles(report: Report, case: Case, options: Options) -> None:
    """One state through the public method, as Pinocchio's own call is one state."""
    s = States.random(case.robot, 1)
    q, v, a, tau = (x[0].copy() for x in (s.q, s.v, s.a, s.tau))
    robot = case.robot
    given = {"forward_dynamics": (q, v, tau), "inverse_dynamics": (q, v, a), "mass_matrix": (q,)}
    for quantity, arguments in given.items():
        method = getattr(robot, quantity)
        calls: dict[str, Callable[[], Any]] = {"soadyn": lambda method=method, x=arguments: method(*x)}
        if case.pin:
            name = {"forward_dynamics": "aba", "inverse_dynamics": "rnea", "mass_matrix": "crba"}[quantity]
            c = case.pin.columns(s)
            used = {"aba": ("q", "v", "tau"), "rnea": ("q", "v", "a"), "crba": ("q",)}[name]
            their = [np.array(c[key][:, 0]) for key in used]
            function, model, data = getattr(pinocchio, name), case.pin.model, case.pin.data
            calls[f"Pinocchio {name}"] = lambda f=function, m=model, d=data, x=tuple(their): f(m, d, *x)
        times = interleaved(calls, options.rounds, options.spend)
        for who in calls:
            report.add("single", case.name, quantity, who, times.median(who) * 1e6, "us")
        if case.pin:
            most = SINGLE_TARGETS.get((case.name, quantity))
            ratio = 1 / times.ratio(next(who for who in calls if who != "soadyn"), "soadyn")
            target = ("<=", most) if most else None
            report.add("single", case.name, quantity, "soadyn", ratio, "times Pinocchio's", target=target)


# The corpus


def whole_corpus(report: Report, options: Options) -> None:
    """Forward dynamics of every robot, but those that do not move or whose mass matrix is singular."""
    ratios: dict[str, float] = {}
    if pinocchio is None:
        return
    for name, path in corpus().items():
        robot = loaded(path)
        s = States.random(robot, options.states)
        with sd.errstate("ignore"):
            if robot.nv == 0 or np.isnan(robot.forward_dynamics(s.q[:64], s.v[:64], s.tau[:64])).any():
                report.skip(f"{name}: it does not move, or its mass matrix is singular")
                continue
        pin = PinocchioRobot.from_urdf(robot, path, False)
        assert pin is not None
        calls = {"soadyn": ours(robot, s, "forward_dynamics"), **theirs(pin, s, "forward_dynamics")}
        calls.pop("Pinocchio loop of aba")
        times = interleaved(calls, options.rounds, options.spend)
        ratios[name] = times.ratio("Pinocchio abaInParallel", "soadyn")
        expected = pinocchio_rows(pin, s, "forward_dynamics")
        error = difference(calls["soadyn"]()[: len(expected)], expected)
        note = f"nv {robot.nv}, {times.median('soadyn') / options.states * 1e9:,.0f} ns/state"
        report.add(
            "corpus", name, "forward_dynamics", "one of them", ratios[name], "times faster", error=error, note=note
        )
    if ratios:
        worst = min(ratios, key=lambda name: ratios[name])
        middle = float(np.median(list(ratios.values())))
        for name, who, ratio, least in (
            (f"{len(ratios)} robots", "median", middle, 46.0),
            (worst, "worst", ratios[worst], 15.0),
        ):
            target = (">=", least * options.ease)
            report.add("corpus", name, "forward_dynamics", who, ratio, "times faster", target=target)
