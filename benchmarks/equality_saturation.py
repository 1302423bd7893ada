"""Three operator identities by equality saturation, beside `sd.prove`; docs/how/decisions.md tells the outcome.

Needs `pip install egglog`. Run `python benchmarks/equality_saturation.py innovations together`: a claim, then whether
the laws of sums join the other rules at once ("together") or only when those have nothing left to do ("phases").
"""

from __future__ import annotations

import resource
import sys
import time

from egglog import EGraph, Expr, StringLike, eq, rewrite, ruleset

SECONDS = 150.0


class Op(Expr):
    @classmethod
    def sym(cls, name: StringLike) -> Op: ...
    @classmethod
    def one(cls) -> Op: ...
    def __mul__(self, other: Op) -> Op: ...
    def __add__(self, other: Op) -> Op: ...
    def __neg__(self) -> Op: ...


NAMES = "H H* phi phi* psi psi* M P E E* K K* D inv(D) A_r"
H, Ht, phi, phit, psi, psit, M, P, E, Et, K, Kt, D, Di, A_r = map(Op.sym, NAMES.split())
I = Op.one()

mass = H * phi * M * phit * Ht + A_r
CLAIMS = {
    "filtered": ((I + -(H * psi * K)) * H * phi, H * psi),
    "innovations": (mass, (I + H * phi * K) * D * (I + Kt * phit * Ht)),
    "inverse": (mass * (I + -(Kt * psit * Ht)) * Di * (I + -(H * psi * K)), I),
}


@ruleset
def products(a: Op, b: Op, c: Op):
    yield rewrite((a * b) * c).to(a * (b * c))
    yield rewrite(a * (b * c)).to((a * b) * c)
    yield rewrite(a * (b + c)).to(a * b + a * c)
    yield rewrite((a + b) * c).to(a * c + b * c)
    yield rewrite(I * a).to(a)
    yield rewrite(a * I).to(a)
    yield rewrite(a * -b).to(-(a * b))
    yield rewrite((-a) * b).to(-(a * b))
    yield rewrite(-(-a)).to(a)  # noqa: B002
    yield rewrite(-(a + b)).to(-a + -b)


@ruleset
def arm():
    yield rewrite(M).to(P + -(E * (P * Et)) + K * (D * Kt))
    yield rewrite(phi * E).to(phi + -I)
    yield rewrite(Et * phit).to(phit + -I)
    yield rewrite(Et * psit).to(psit + -I + Ht * (Kt * psit))
    yield rewrite(phi * (P * Ht)).to(P * Ht + phi * (K * D))
    yield rewrite(H * (P * phit)).to(H * P + D * (Kt * phit))
    yield rewrite(H * (P * psit)).to(H * P + A_r * (Kt * psit))
    yield rewrite(H * (P * Ht)).to(D + -A_r)
    yield rewrite(psi * (K * (H * phi))).to(phi + -psi)
    yield rewrite(phi * (K * (H * psi))).to(phi + -psi)
    yield rewrite(phit * (Ht * (Kt * psit))).to(phit + -psit)
    yield rewrite(psit * (Ht * (Kt * phit))).to(phit + -psit)
    yield rewrite(D * Di).to(I)
    yield rewrite(Di * D).to(I)


@ruleset
def sums(a: Op, b: Op, c: Op):
    yield rewrite(a + b).to(b + a)
    yield rewrite((a + b) + c).to(a + (b + c))
    yield rewrite(a + (b + c)).to((a + b) + c)
    yield rewrite(a + (-a + b)).to(b)


def saturate(claim: str, phases: bool) -> None:
    """Prints the size of the graph round by round, until both sides are in one class or time is up."""
    graph = EGraph()
    left, right = (graph.let(name, side) for name, side in zip(("left", "right"), CLAIMS[claim], strict=True))
    start, size, rules = time.perf_counter(), -1, products | arm if phases else products | arm | sums
    for step in range(1, 60):
        graph.run(rules)
        before, size = size, sum(n for _, n in graph.all_function_sizes())
        found = _holds(graph, eq(left).to(right))
        seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{step:3d} {size:9d} nodes {seconds:8.2f} s {memory:6d} MB {'proved' if found else ''}", flush=True)
        if found or seconds > SECONDS:
            return
        if size == before:
            rules = sums


def _holds(graph: EGraph, fact: object) -> bool:
    try:
        graph.check(fact)
    except Exception:  # egglog says no by an error
        return False
    return True


if __name__ == "__main__":
    saturate(sys.argv[1], sys.argv[2:] == ["phases"])
