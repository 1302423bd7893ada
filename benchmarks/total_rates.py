"""Algorithm 8.1 of 000 beside forward dynamics, and proofs of its calculus: `python benchmarks/total_rates.py`.

Operations are those of straight-line code on one robot. Times are processor time of one thread, the best of interleaved
rounds of 4,096 states. docs/algebra/walk_000.md cites the figures.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np
from mass import best

import soadyn as sd
from soadyn.algebra import rate, sensitivity
from soadyn.algebra.calculus import sensitivity_of_row
from soadyn.algebra.calculus_rows import CLOSED_FORMS, ELEMENTS
from soadyn.algebra.identities.rates import RATES

STATES = 4096
ROBOTS = ("ur5", "puma560", "free_flyer")
QUANTITIES = ("forward_dynamics", "total_accelerations")


def operations(robot: sd.Robot, quantity: str) -> int:
    return sum(sum(counts.values()) for counts in robot.operation_counts(quantity).values())


def beside_forward_dynamics() -> None:
    """Operations and times of both ways from forces to accelerations."""
    sd.set_threads(1)
    rng = np.random.default_rng(0)
    for name in ROBOTS:
        robot = sd.load(name).specialize()
        q = robot.random_configuration(rng, STATES)
        v, tau = rng.standard_normal((2, STATES, robot.nv))
        work = {x: lambda x=x, robot=robot, at=(q, v, tau): getattr(robot, x)(*at) for x in QUANTITIES}
        for call in work.values():
            call()
        times = best(work, 100)
        counts = {quantity: operations(robot, quantity) for quantity in QUANTITIES}
        said = [f"{x} {counts[x]:,} operations, {times[x] / STATES * 1e9:.0f} ns" for x in QUANTITIES]
        ratios = counts[QUANTITIES[1]] / counts[QUANTITIES[0]], times[QUANTITIES[1]] / times[QUANTITIES[0]]
        print(f"{name:12s} {'; '.join(said)}; ratios {ratios[0]:.2f}, {ratios[1]:.2f}")


def seconds_of_proofs() -> list[float]:
    """Every row of the calculus, as a rate and as a sensitivity, and the identities it rests on."""
    claims = [(row.left, row.right, row.needs) for row in RATES]
    for row in (*ELEMENTS, *CLOSED_FORMS):
        source = row.of if row.defined_by is None else row.defined_by
        claims.append((rate(source), row.rate, row.needs))
        claims.append((sensitivity(source, "j"), sensitivity_of_row(row, "j"), row.needs))
    found = []
    for left, right, needs in claims:
        start = time.process_time()
        if not sd.prove(left, right, assume=needs):
            raise AssertionError(f"{left} = {right} is not proved")
        found.append(time.process_time() - start)
    return found


if __name__ == "__main__":
    beside_forward_dynamics()
    found = seconds_of_proofs()
    print(f"{len(found)} proofs: median {median(found) * 1e3:.0f} ms, longest {max(found) * 1e3:.0f} ms")
