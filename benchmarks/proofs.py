"""How long proofs take: `python benchmarks/proofs.py`. docs/how/decisions.md cites the figures."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import soadyn as sd
from soadyn.algebra import A_r, D, H, I_joint, K, M, inv, mass, phi, psi
from soadyn.algebra.expressions import Expression
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.rewriting.system import system_for

A, A_INVERSE = I_joint + H @ phi @ K, I_joint - H @ psi @ K
INVERSE = A_INVERSE.T @ inv(D) @ A_INVERSE
CLAIMS: dict[str, tuple[Expression, Expression]] = {
    "filtered joint map": (A_INVERSE @ H @ phi, H @ psi),
    "innovations factorization": (H @ phi @ M @ phi.T @ H.T + A_r, A @ D @ A.T),
    "mass matrix times its inverse": (mass @ INVERSE, I_joint),
    "inverse mass matrix": (inv(mass), INVERSE),
}


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """The best of a few."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def rewrite(left: Expression, right: Expression) -> None:
    system = system_for((left, right), passive=False)
    if system.normal(system.polynomial(left)) != system.normal(system.polynomial(right)):
        raise AssertionError(f"{left} = {right} is not proved")


if __name__ == "__main__":
    sd.prove(phi, phi)  # makes the random arms
    for name, (left, right) in CLAIMS.items():
        alone = seconds(lambda left=left, right=right: rewrite(left, right))
        whole = seconds(lambda left=left, right=right: sd.prove(left, right))
        print(f"{name:32s} rewriting {alone * 1e3:6.1f} ms, with numbers and chain {whole * 1e3:6.1f} ms")
    rows = {
        name: seconds(lambda row=row: sd.prove(row.left, row.right, assume=row.needs), 1)
        for name, row in IDENTITIES.items()
    }
    slowest = max(rows, key=lambda name: rows[name])
    middle, longest = median(rows.values()) * 1e3, rows[slowest] * 1e3
    print(f"{len(rows)} rows: median {middle:.0f} ms, longest {longest:.0f} ms ({slowest})")
