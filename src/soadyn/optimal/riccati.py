"""The Riccati recursion along motions, from their end to their beginning, many at once.

With steps x' = A x + B u and the cost ½ Σ (x* Q x + 2 q* x + u* R u + 2 r* u) + the end's, the cost-to-go
½ x* S x + s* x of a step follows from the next one's:

    H_uu = R + B* S B    H_ux = B* S A    g = r + B* s
    u = k - K x,         k = -H_uu⁻¹ g,   K = H_uu⁻¹ H_ux            bounds may hold components of k; their K is zero
    S ← Q + A* S A - K* H_ux - H_ux* K + K* H_uu K        s ← q + A* s - K* (g + H_uu k) + H_ux* k
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.mechanics.spatial.arithmetic import Array, is_positive, ramp
from soadyn.optimal.box import free_solved, least

# k and K from H_uu, g, H_ux and the bounds of k.
Choice = Callable[[Array, Array, Array, Array, Array], tuple[Array, Array]]
LARGEST = 1e100  # stands for a bound that is none
VERSION = 1  # of what is recorded here


@final
@dataclass(frozen=True, slots=True, eq=False)
class QuadraticModel:
    """Steps and costs near motions, time first: A (steps, ..., n, n), B (steps, ..., n, m), and of the cost

    state, force: slopes q (steps + 1, ..., n) and r (steps, ..., m); Q (steps + 1, ..., n, n), R (m, m).
    lower, upper: bounds of u, (steps, ..., m), finite.
    """

    A: np.ndarray
    B: np.ndarray
    state: np.ndarray
    force: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@final
@dataclass(frozen=True, slots=True, eq=False)
class Corrections:
    """k (steps, ..., m), K (steps, ..., m, n), and the change of cost they promise, (...)."""

    k: np.ndarray
    K: np.ndarray
    promise: np.ndarray


def step_before(S: Array, s: Array, near: tuple[Array, ...], R: Array, extra: Array, choice: Any) -> tuple[Array, ...]:
    """One step of the recursion, on numbers or on recorded scalars: S, s, k, K and the promise of the step before.

    `near` are A, B, the slopes of state and force, and Q; `extra` is added to H_uu where u is chosen;
    `choice(H, g, H_ux)` chooses.
    """
    A, B, state, force, Q = near
    BS = B.mT @ S
    H_uu, H_ux, g = R + BS @ B, BS @ A, force + _times(B.mT, s)
    k, K = choice(H_uu + extra, g, H_ux)
    Hk = _times(H_uu, k)
    promise = (k * (g + 0.5 * Hk)).sum(axis=-1, keepdims=True)
    s = state + _times(A.mT, s) - _times(K.mT, g + Hk) + _times(H_ux.mT, k)
    cross = K.mT @ H_ux
    S = Q + A.mT @ S @ A - cross - cross.mT + K.mT @ H_uu @ K
    return 0.5 * (S + S.mT), s, k, K, promise


def _times(A: Array, x: Array) -> Array:
    return (A @ x[..., None])[..., 0]


def between_bounds(H: Array, g: Array, H_ux: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    """k and K of several motors."""
    k, free = least(H, g, lower, upper)
    return k, free_solved(H, H_ux, free)


def of_one_motor(H: Array, g: Array, H_ux: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    """k and K of a single motor, without a branch."""
    wanted = -g / H[..., 0]
    free = is_positive(wanted - lower) * is_positive(upper - wanted)
    return wanted + ramp(lower - wanted) - ramp(wanted - upper), free[..., None] * H_ux / H


def corrections(near: QuadraticModel, damping: np.ndarray | float = 0.0, engine: Engine | None = None) -> Corrections:
    """The best u = k - K x; `damping` (...) is added to H_uu where u is chosen (Levenberg and Marquardt's way).

    With an engine the recursion of a single motor is machine code.
    """
    m = near.B.shape[-1]
    if engine is not None and m == 1:
        return native_corrections(engine, near, np.asarray(damping, dtype=float))
    S, s = near.Q[-1], near.state[-1]
    extra = np.asarray(damping)[..., None, None] * np.eye(m)
    k, K = np.empty_like(near.force), np.empty(near.B.shape[:-2] + near.B.shape[:-3:-1])
    promise = np.zeros((*near.force.shape[1:-1], 1))
    best: Choice = of_one_motor if m == 1 else between_bounds
    for t in range(len(near.A) - 1, -1, -1):

        def choice(H: Array, g: Array, H_ux: Array, t: int = t) -> tuple[Array, Array]:
            return best(H, g, H_ux, near.lower[t], near.upper[t])

        given = tuple(x[t] for x in (near.A, near.B, near.state, near.force, near.Q))
        S, s, k[t], K[t], more = step_before(S, s, given, near.R, extra, choice)
        promise += more
    return Corrections(k, K, promise[..., 0])


def native_corrections(engine: Engine, near: QuadraticModel, damping: np.ndarray) -> Corrections:
    """`corrections` of motions (steps, rows, ...) of a single motor as machine code: a step recorded, and repeated."""
    steps, rows, n = near.A.shape[:3]
    ports = _ports(n)
    code = engine.rollout(ports, ("riccati", VERSION, n), lambda: _recorded(engine, ports), rows == 1)
    begin = [
        np.broadcast_to(near.Q[-1], (rows, n, n)).reshape(rows, n * n).copy(),
        near.state[-1].copy(),
        np.zeros((rows, 1)),
    ]
    held = [near.R.reshape(1, 1), np.broadcast_to(damping, (rows,)).reshape(rows, 1).copy()]
    read = (near.A, near.B, near.state[:-1], near.force, near.Q[:-1], near.lower, near.upper)
    streams = [_backwards(x) for x in read]
    after, records = code.ran([*begin, *held, *streams], steps, 1)
    k, K = (np.ascontiguousarray(x[:, ::-1].swapaxes(0, 1)) for x in records[-2:])
    return Corrections(k, K[:, :, None], after[2][:, 0])


def _backwards(x: np.ndarray) -> np.ndarray:
    """(steps, rows, ...) as rows of steps from the last to the first, (rows, steps, numbers)."""
    return np.ascontiguousarray(x[::-1].reshape(*x.shape[:2], -1).swapaxes(0, 1))


def _ports(n: int) -> StepPorts:
    return StepPorts(
        state=(Port("S", (n, n)), Port("s", (n,)), Port("promise", (1,))),
        held=(Port("R", (1, 1)), Port("extra", (1, 1))),
        streamed=(
            Port("A", (n, n)), Port("B", (n, 1)), Port("state", (n,)), Port("force", (1,)), Port("Q", (n, n)),
            Port("lower", (1,)), Port("upper", (1,)),
        ),
        emitted=(Port("k", (1,)), Port("K", (1, n))),
    )  # fmt: skip


def _recorded(engine: Engine, ports: StepPorts) -> Step:
    recording = Recording(engine.constants)
    given = {port.name: recording.argument(port) for port in ports.arguments}

    def choice(H: Any, g: Any, H_ux: Any) -> Any:
        return of_one_motor(H, g, H_ux, given["lower"], given["upper"])

    near = tuple(given[name] for name in ("A", "B", "state", "force", "Q"))
    S, s, k, K, promise = step_before(given["S"], given["s"], near, given["R"], given["extra"], choice)
    found = {"S": S, "s": s, "promise": given["promise"] + promise, "k": k, "K": K}
    outputs = {port: list(found[port.name].flat) for port in ports.results}
    return Step(recording.graph, ports, recording.inputs, outputs)
