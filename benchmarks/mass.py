"""The mass matrix as an object beside Pinocchio, its growth with the links, and symbols: `python benchmarks/mass.py`.

Times are processor time of one thread, the best of interleaved rounds. docs/algebra/walk_001.md and
walk_002.md cite it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from corpus_files import corpus
from measures import TALOS, UR5
from peer_robots import loaded
from rounds import best

import soadyn as sd
from soadyn.simulation.run.two_sweeps import moving, step

ROUNDS = 150  # the shortest calls are rarely undisturbed on a busy machine
STATES = 1024


def beside_pinocchio() -> None:
    """1,024 inverses at once against a loop of computeMinverse on the same states."""
    try:
        import pinocchio as pin
    except ImportError:
        print("without Pinocchio there is nothing to compare with")
        return
    sd.set_threads(1)
    rng = np.random.default_rng(0)
    for name, free in ((UR5, False), (TALOS, True)):
        path = corpus()[name]
        robot = loaded(path, "free" if free else "fixed")
        base = [pin.JointModelFreeFlyer()] if free else []
        model = pin.buildModelFromUrdf(str(path), *base)
        data = model.createData()
        q = robot.random_configuration(rng, STATES)
        theirs = [pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)) for _ in range(STATES)]

        def loop(model: object = model, data: object = data, states: list[np.ndarray] = theirs) -> None:
            for x in states:
                pin.computeMinverse(model, data, x)

        straight = robot.specialize()
        work = {
            "inverse": lambda robot=robot, q=q: robot.mass(q).inverse.dense(),
            "specialized": lambda robot=straight, q=q: robot.mass(q).inverse.dense(),
            "loop": loop,
        }
        for call in work.values():
            call()
        found = best(work, ROUNDS)
        for kind in ("inverse", "specialized"):
            print(
                f"{name}, {kind}: {STATES} states {found[kind] * 1e3:.2f} ms, loop of computeMinverse "
                f"{found['loop'] * 1e3:.2f} ms, ratio {found['loop'] / found[kind]:.1f}"
            )


def growth() -> None:
    """One element of the inverse, the diagonal and a determinant of chains: O(N)."""
    for n in (250, 500, 1000):
        chain = sd.chain(n)
        m = chain.mass(chain.neutral())
        first, last = chain.joint_names[0], chain.joint_names[-1]
        work: dict[str, Callable[[], object]] = {
            "element of the inverse": lambda m=m, a=first, b=last: m.inverse_block(a, b),
            "diagonal of the inverse": m.inverse_diagonal,
            "log determinant": m.log_determinant,
            "product": lambda m=m, n=n: m @ np.ones(n),
        }
        for call in work.values():
            call()
        found = best(work, ROUNDS)
        print(f"{n:5d} links: " + ", ".join(f"{name} {value * 1e6:.0f} us" for name, value in found.items()))


def two_sweeps() -> None:
    """A semi-implicit step of 4,096 UR5s: by forward dynamics, and in two sweeps with the links' velocities kept."""
    sd.set_threads(1)
    arm, h = sd.load("ur5"), 1e-3
    q, v = np.random.default_rng(0).standard_normal((2, 4096, 6))
    now, tau = moving(arm, q, v), np.zeros(6)

    def three() -> np.ndarray:
        after = v + h * arm.forward_dynamics(q, v, tau)
        return arm.integrate(q, h * after)

    work: dict[str, Callable[[], object]] = {"two sweeps": lambda: step(arm, now, tau, h), "three sweeps": three}
    for call in work.values():
        call()
    found = best(work)
    print("ur5, a step: " + ", ".join(f"{name} {value / 4096 * 1e9:.0f} ns" for name, value in found.items()))


def symbols() -> None:
    """Symbolic factors of PUMA and the bias force of Panda."""
    try:
        import sympy  # noqa: F401
    except ImportError:
        print("without SymPy there are no symbols")
        return
    start = time.process_time()
    made = sd.load("puma560").symbolic("mass_matrix_factors", free=("q",))
    operations = made.operations()
    print(f"puma560 U, D: {time.process_time() - start:.2f} s, {operations} operations after shared sub-expressions")
    paths = [path for name, path in corpus().items() if path.name == "panda.urdf"]
    if paths:
        start = time.process_time()
        made = loaded(paths[0]).symbolic("bias_force", free=("q", "v"))
        operations = made.operations()
        print(f"panda bias force: {time.process_time() - start:.2f} s, {operations} operations")


if __name__ == "__main__":
    beside_pinocchio()
    growth()
    two_sweeps()
    symbols()
