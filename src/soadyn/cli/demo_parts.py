"""What the demo tells on the terminal besides the free-flyer: speed, a proof, the derivative of a formula."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.text import Text

from soadyn.algebra import D, H, I_joint, K, T, inv, mass, phi, psi, rate
from soadyn.cli.peer_checks import quiet, urdf_of
from soadyn.cli.terminal import err, loaded, out, plain_table
from soadyn.engine import host as machine
from soadyn.engine.engine import set_threads
from soadyn.later import install
from soadyn.robot import Robot
from soadyn.robot.compiled import compile_formulas
from soadyn.theory.proof.proving import prove
from soadyn.view.display.tables import number

ARM = "ur5"
STATES = 8192
TURNS, CALLS = 6, 4  # the libraries take turns, each of several calls; the best processor time is told


def tell_speed() -> None:
    """Forward dynamics of a six-joint arm on one core, with Pinocchio beside it if it is installed."""
    arm = loaded(ARM)
    rng = np.random.default_rng(0)
    q, v, tau = rng.uniform(-2.0, 2.0, (3, STATES, arm.nv))
    before = machine.threads()
    set_threads(1)
    try:
        with err.status("measuring"):
            rows = _measured(arm, q, v, tau)
    finally:
        set_threads(before)
    times = "times" if len(rows) > 1 else ""
    table = plain_table(f"forward dynamics of {ARM}, one core", "ns a state", times, right=True)
    slowest = max(seconds for _, seconds in rows)
    for name, seconds in rows:
        table.add_row(name, f"{1e9 * seconds / STATES:.0f}", f"{slowest / seconds:.1f}" if len(rows) > 1 else "")
    out.print(table)
    out.print("Several states share a vector register; docs/benchmarks/ says what gives how much.", style="dim")


def _measured(arm: Robot, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> list[tuple[str, float]]:
    compute: Any = arm
    calls: dict[str, Callable[[], Any]] = {f"soadyn, {STATES} states": lambda: compute.forward_dynamics(q, v, tau)}
    theirs = _pinocchio(q, v, tau)
    if theirs is None:
        out.print(f"Pinocchio is not installed; with it ({install('pinocchio')}) it would stand beside", style="dim")
    else:
        calls["Pinocchio's abaInParallel, the same"] = theirs
    best = dict.fromkeys(calls, np.inf)
    for _ in range(TURNS):
        for name, call in calls.items():
            best[name] = min(best[name], *(_seconds(call) for _ in range(CALLS)))
    return list(best.items())


def _seconds(call: Callable[[], Any]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def _pinocchio(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> Callable[[], Any] | None:
    """Pinocchio's batch call on one thread; joints of this arm stand in the same order there."""
    try:
        import pinocchio
    except ImportError:
        return None
    with quiet():
        model = pinocchio.buildModelFromXML(urdf_of(ARM))
    pool = pinocchio.ModelPool(model, 1)
    columns = [np.asfortranarray(x.T) for x in (q, v, tau)]
    result = np.zeros((model.nv, len(q)), order="F")
    return lambda: pinocchio.abaInParallel(1, pool, *columns, result)


def tell_proof() -> None:
    """The inverse of the mass matrix without an inversion, proved."""
    innovations = I_joint - H @ psi @ K
    proof = prove(inv(mass), innovations.T @ inv(D) @ innovations)
    steps = len(proof.steps) + (len(proof.because.steps) if proof.because is not None else 0)
    out.print(Text(f"{proof.left} = {proof.right}"), soft_wrap=True)
    out.print(f"{proof.status} in {steps} steps, for every arm, by: {', '.join(proof.identities)}", soft_wrap=True)
    out.print(Text(f"\nand a short one in full, {prove(innovations @ H @ phi, H @ psi)}"), soft_wrap=True)


def tell_derivative() -> None:
    """The time derivative of the inverse mass matrix: a formula again, compiled, beside differences of the inverse."""
    formula = rate(inv(mass))
    out.print(Text(f"d/dt {inv(mass)} = {formula}"), soft_wrap=True)
    arm = loaded(ARM)
    q, v, tau = np.random.default_rng(0).normal(size=(3, arm.nv))
    found = compile_formulas(formula @ T, arm)(q, v, tau)
    apply, h = compile_formulas(inv(mass) @ T, arm), 1e-5
    differences = (apply(arm.integrate(q, h * v), tau) - apply(arm.integrate(q, -h * v), tau)) / (2 * h)
    apart = float(np.abs(found - differences).max() / np.abs(found).max())
    out.print(f"compiled for {ARM}, it differs from central differences by {number(apart)} of its size")
