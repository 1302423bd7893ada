"""Calls of every kind, made by several threads at once as the first calls of a process; run as a script.

`python first_calls.py THREADS SEED` ends with 0 if every thread got what one thread alone gets from the reference.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import soadyn as sd
from soadyn.algebra import T, inv, mass

Job = Callable[[sd.Robot], Any]
q, v = np.full(6, 0.3), np.linspace(-0.4, 0.5, 6)
Q = np.linspace(-1.0, 1.0, 6 * 300).reshape(300, 6)


def short(arm: sd.Robot) -> Any:
    return sd.simulate(arm, q, v, duration=0.01, step=0.005).q


def long(arm: sd.Robot) -> Any:
    return sd.simulate(arm, q, v, duration=0.5, step=0.005).q[-1]


def reached(arm: sd.Robot) -> Any:
    found = arm.inverse_kinematics({"tool0": arm.pose(q, frame="tool0")}, q + 0.05)
    return arm.with_backend("numpy").pose(found.q, frame="tool0")


JOBS: dict[str, Job] = {
    "one state": lambda arm: arm.forward_dynamics(q, v, v),
    "a batch": lambda arm: arm.forward_dynamics(Q, Q, Q),
    "a small batch": lambda arm: arm.mass_matrix(Q[:7]),
    "single precision": lambda arm: arm.inverse_dynamics(*(x.astype(np.float32) for x in (q, v, v))),
    "derivatives": lambda arm: np.stack(arm.forward_dynamics_derivatives(q, v, v)[:2]),
    "jvp": lambda arm: np.stack(arm.jvp("forward_dynamics", (q, v, v), (v, v, v))),
    "vjp": lambda arm: np.stack(arm.vjp("forward_dynamics", (q, v, v), v)[1]),
    "a formula": lambda arm: sd.compile(inv(mass) @ T, arm)(q, v),
    "a formula of a batch": lambda arm: sd.compile(inv(mass) @ T, arm)(Q, Q),
    "short": short,
    "long": long,
    "inverse kinematics": reached,
    "a pose": lambda arm: arm.pose(q, frame="tool0"),
    "a jacobian": lambda arm: arm.jacobian(Q, frame="tool0"),
    "a passive set": lambda arm: arm.generalized_jacobian(q, frame="tool0", passive=["shoulder_pan_joint"]),
    "a mass matrix": lambda arm: arm.mass(q).solve(v),
    "energies": lambda arm: arm.kinetic_energy(q, v) + arm.potential_energy(q),
}


def main(threads: int, seed: int) -> None:
    """Start the threads, each with kinds of calls in an order of its own; compare what they find."""
    warnings.simplefilter("error")
    arm = sd.load("ur5")
    names = list(JOBS)
    rng = np.random.default_rng(seed)
    orders = [[names[i] for i in rng.permutation(len(names))[:3]] for _ in range(threads)]
    start, found = threading.Barrier(threads), []

    def work(own: list[str]) -> None:
        start.wait()
        found.extend((name, JOBS[name](arm)) for name in own)

    workers = [threading.Thread(target=work, args=(own,)) for own in orders]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 3 * threads, "a thread raised"
    reference = arm.with_backend("numpy")
    expected = {name: JOBS[name](reference) for name in dict(found)}
    for name, result in found:
        far = 1e-4 if name in ("single precision", "inverse kinematics") else 1e-8
        assert np.allclose(result, expected[name], far, far), name


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
