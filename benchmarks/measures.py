"""Speed beside peers: batches, single states, several quantities at once, and every robot of the corpus."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import casadi_peer
import numpy as np
import peer_robots
from figures import Report
from machine import FmaLoop
from peer_robots import MujocoRobot, PinocchioRobot, States, corpus, loaded, mujoco_robot, pinocchio
from rounds import interleaved

import soadyn as sd
from soadyn.backends.traced import WORLD, traced
from soadyn.evaluation.together import one_program
from soadyn.quantities import QUANTITIES
from soadyn.sweep.algorithms import without_external

UR5, TALOS = "ur/ur5_robot", "talos_data/talos_reduced"
ARITHMETIC = ("add", "sub", "mul", "reciprocal")
# Ratios to reach on a machine with AVX-512, by robot and quantity.
BATCH_TARGETS = {
    ("UR5", "forward_dynamics"): 35.0,
    ("UR5", "inverse_dynamics"): 40.0,
    ("UR5", "mass_matrix"): 15.0,
    ("Talos", "forward_dynamics"): 20.0,
}
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


def operations(robot: sd.Robot, *names: str, frame: str | None = None) -> int:
    """Additions, subtractions, products and divisions of the trace, the quantities of several names together."""
    program = one_program([QUANTITIES[name] for name in names])
    if "external" in program.inputs:
        program = without_external(program)
    links = {"frame": robot.model.frame(frame).link} if frame else {}
    counts = traced(program, robot.engine.constants, links, known={"axes": WORLD}).counts()
    return sum(counts.get(operation, 0) for operation in ARITHMETIC)


def difference(x: Any, y: Any) -> float:
    """The worst of the rows, each relative to its own largest number."""
    core = tuple(range(1, np.ndim(y)))
    return float((np.abs(x - y).max(axis=core) / np.maximum(1.0, np.abs(y).max(axis=core))).max())


# Batches


def ours(robot: sd.Robot, s: States, quantity: str) -> Callable[[], Any]:
    """A call of a public method on a batch."""
    arguments = {
        "forward_dynamics": (s.q, s.v, s.tau),
        "inverse_dynamics": (s.q, s.v, s.a),
        "mass_matrix": (s.q,),
    }[quantity]
    method = getattr(robot, quantity)
    return lambda: method(*arguments)


def theirs(pin: PinocchioRobot, s: States, quantity: str) -> dict[str, Callable[[], Any]]:
    """Pinocchio's batch call with one thread, and a loop in Python."""
    c, model, data, pool = pin.columns(s), pin.model, pin.data, pin.pool
    rows = {name: [np.array(column) for column in x.T] for name, x in c.items()}
    out = np.zeros((model.nv, len(s.q)), order="F")

    def loop(function: Any, *names: str) -> Callable[[], Any]:
        columns = list(zip(*(rows[name] for name in names), strict=True))

        def call() -> None:
            for column in columns:
                function(model, data, *column)

        return call

    match quantity:
        case "forward_dynamics":
            return {
                "Pinocchio abaInParallel": lambda: pinocchio.abaInParallel(1, pool, c["q"], c["v"], c["tau"], out),
                "Pinocchio loop of aba": loop(pinocchio.aba, "q", "v", "tau"),
            }
        case "inverse_dynamics":
            return {
                "Pinocchio rneaInParallel": lambda: pinocchio.rneaInParallel(1, pool, c["q"], c["v"], c["a"], out),
                "Pinocchio loop of rnea": loop(pinocchio.rnea, "q", "v", "a"),
            }
        case _:
            return {"Pinocchio loop of crba": loop(pinocchio.crba, "q")}


def pinocchio_difference(pin: PinocchioRobot, s: States, quantity: str, found: np.ndarray) -> float:
    """Ours against theirs, in our order."""
    c, model, data = pin.columns(s), pin.model, pin.data
    n = min(len(s.q), 64)
    expected = []
    for i in range(n):
        q = c["q"][:, i]
        if quantity == "mass_matrix":
            M = np.triu(pinocchio.crba(model, data, q))
            expected.append(M + np.triu(M, 1).T)
        elif quantity == "forward_dynamics":
            expected.append(np.array(pinocchio.aba(model, data, q, c["v"][:, i], c["tau"][:, i])))
        else:
            expected.append(np.array(pinocchio.rnea(model, data, q, c["v"][:, i], c["a"][:, i])))
    return difference(found[:n], pin.rows_back(s, quantity, np.array(expected)))


def mujoco_calls(other: MujocoRobot, s: States) -> dict[str, Callable[[], Any]]:
    """A loop of mj_forward, and one step of rollout, over the states."""
    mujoco = peer_robots.mujoco
    m, d, rows = other.model, other.data, other.rows(s)
    triples = list(zip(rows["q"], rows["v"], rows["tau"], strict=True))

    def forward() -> None:
        for q, v, tau in triples:
            d.qpos[:], d.qvel[:], d.qfrc_applied[:] = q, v, tau
            mujoco.mj_forward(m, d)

    calls: dict[str, Callable[[], Any]] = {"MuJoCo loop of mj_forward": forward}
    try:
        from mujoco import rollout
    except ImportError:
        return calls
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    mujoco.mj_resetData(m, d)
    initial = np.zeros((len(s.q), mujoco.mj_stateSize(m, full)))
    initial[:, 1 : 1 + m.nq + m.nv] = np.hstack([rows["q"], rows["v"]])
    control = np.ascontiguousarray(rows["tau"][:, None, :])
    spec = mujoco.mjtState.mjSTATE_QFRC_APPLIED
    runner = rollout.Rollout(nthread=0)
    calls["MuJoCo rollout, one step"] = lambda: runner.rollout(m, d, initial, control, control_spec=spec, nstep=1)
    return calls


def mujoco_difference(other: MujocoRobot, s: States, found: np.ndarray) -> float:
    mujoco = peer_robots.mujoco
    m, d, rows = other.model, other.data, other.rows(s)
    n = min(len(s.q), 64)
    expected = np.zeros((n, m.nv))
    for i in range(n):
        d.qpos[:], d.qvel[:], d.qfrc_applied[:] = rows["q"][i], rows["v"][i], rows["tau"][i]
        mujoco.mj_forward(m, d)
        expected[i] = d.qacc
    return difference(found[:n], other.peer.a_from(s.q[:n], s.v[:n], expected))


def batches(report: Report, case: Case, options: Options, fma: FmaLoop) -> None:
    """The three main quantities of a robot beside everybody else's."""
    s = States.random(case.robot, options.states)
    generated = _casadi(report, case, s)
    for quantity in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
        calls = {
            "soadyn": ours(case.robot, s, quantity),
            "soadyn rolled": ours(case.robot.specialize(False), s, quantity),
        }
        errors: dict[str, float] = {}
        if case.pin:
            calls |= theirs(case.pin, s, quantity)
            errors["soadyn"] = pinocchio_difference(case.pin, s, quantity, calls["soadyn"]())
            errors["soadyn rolled"] = pinocchio_difference(case.pin, s, quantity, calls["soadyn rolled"]())
        if quantity == "forward_dynamics":
            calls |= _mujoco(report, case, s, calls["soadyn"](), errors)
        column = generated.get(quantity)
        if case.pin and column:
            calls[column.who] = column.call
            errors[column.who] = difference(calls["soadyn"](), case.pin.rows_back(s, quantity, column.rows()))
        calls["fma loop"] = fma
        times = interleaved(calls, options.rounds, options.spend)
        rate = max(fma.operations / float(times.seconds["fma loop"].min()), fma.best_rate())
        for who in calls:
            if who != "fma loop":
                ns = times.median(who) / options.states * 1e9
                note = f"vectors of up to {fma.lanes} states" if who.startswith("soadyn") else ""
                if column and who == column.who:
                    note = column.note
                report.add("batch", case.name, quantity, who, ns, "ns/state", error=errors.get(who), note=note)
        peers = [who for who in calls if who.startswith("Pinocchio")]
        if peers:
            target = BATCH_TARGETS.get((case.name, quantity))
            wanted = (">=", target * options.ease) if target else None
            note = f"against {peers[0].removeprefix('Pinocchio ')}"
            ratio = times.ratio(peers[0], "soadyn")
            report.add("batch", case.name, quantity, "soadyn", ratio, "times faster", target=wanted, note=note)
        if column:
            ratio, note = times.ratio(column.who, "soadyn"), f"against {column.who}"
            report.add("batch", case.name, quantity, "soadyn", ratio, "times faster", note=note)
        _share(report, case, quantity, times.median("soadyn") / options.states, rate)


def _share(report: Report, case: Case, quantity: str, seconds: float, rate: float) -> None:
    count = operations(case.robot, quantity)
    target = (">=", 30.0) if (case.name, quantity) == ("UR5", "forward_dynamics") else None
    note = f"{count:,} operations; limit {rate / 1e9:.1f} G/s"
    report.add("fma", case.name, quantity, "soadyn", 100 * count / seconds / rate, "%", target=target, note=note)


def _mujoco(
    report: Report, case: Case, s: States, found: np.ndarray, errors: dict[str, float]
) -> dict[str, Callable[[], Any]]:
    """MuJoCo, where it is."""
    calls: dict[str, Callable[[], Any]] = {}
    if case.path.is_file():
        other, reason = mujoco_robot(case.robot, case.path, case.free)
        if other is None:
            report.skip(f"MuJoCo on {case.name}: {reason}")
        else:
            calls |= mujoco_calls(other, s)
            errors["MuJoCo loop of mj_forward"] = mujoco_difference(other, s, found)
    return calls


def _casadi(report: Report, case: Case, s: States) -> dict[str, casadi_peer.Column]:
    """A column of generated C for each quantity, where CasADi is."""
    reason = casadi_peer.missing()
    if not reason and case.pin:
        try:
            return casadi_peer.columns(case.pin, case.path, case.free, s)
        except subprocess.CalledProcessError as error:
            reason = f"{case.name}: {(error.stderr.strip() or str(error)).splitlines()[-1]}"
    if reason:
        report.skip(f"CasADi's generated C: {reason}")
    return {}


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


def together(report: Report, case: Case, options: Options) -> None:
    """What `arm.at(q, v, together=...)` saves."""
    robot, s = case.robot, States.random(case.robot, options.states)
    frame = robot.link_names[-1]
    requests = ["mass_matrix", "bias_force", ("jacobian", frame), ("pose", frame)]
    names = ["mass_matrix", "bias_force", "jacobian", "pose"]
    alone = sum(operations(robot, name, frame=frame) for name in names)
    shared = operations(robot, *names, frame=frame)
    share = shared / alone
    note = f"{shared:,} of {alone:,}"
    report.add("together", case.name, "operations", "soadyn", share, "of the sum", target=("<=", 0.9), note=note)
    calls: dict[str, Callable[[], Any]] = {
        "mass_matrix": lambda: robot.mass_matrix(s.q),
        "bias_force": lambda: robot.bias_force(s.q, s.v),
        "jacobian": lambda: robot.jacobian(s.q, frame),
        "pose": lambda: robot.pose(s.q, frame),
        "together": lambda: robot.at(s.q, s.v, together=requests),
    }
    times = interleaved(calls, options.rounds, options.spend)
    for who in calls:
        report.add("together", case.name, who, "soadyn", times.median(who) / options.states * 1e9, "ns/state")
    share = times.ratio_of_sum(names, "together")
    report.add("together", case.name, "time", "soadyn", share, "of the sum")


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
        error = pinocchio_difference(pin, s, "forward_dynamics", calls["soadyn"]())
        note = f"nv {robot.nv}, {times.median('soadyn') / options.states * 1e9:,.0f} ns/state"
        report.add(
            "corpus", name, "forward_dynamics", "one of them", ratios[name], "times faster", error=error, note=note
        )
    if ratios:
        worst = min(ratios, key=lambda name: ratios[name])
        middle = float(np.median(list(ratios.values())))
        report.add("corpus", f"{len(ratios)} robots", "forward_dynamics", "median", middle, "times faster")
        target = (">=", 5.0 * options.ease)
        report.add("corpus", worst, "forward_dynamics", "worst", ratios[worst], "times faster", target=target)
