"""The Riccati recursion of a single motor as machine code: its step recorded, and repeated along motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.engine.engine import Engine
from soadyn.engine.tracing.ports import Port
from soadyn.engine.tracing.recording import Recording
from soadyn.engine.tracing.step import Step, StepPorts
from soadyn.optimal.riccati import Corrections, QuadraticModel, of_one_motor, step_before

VERSION = 1  # of what is recorded here and in riccati.py


def native_corrections(engine: Engine, near: QuadraticModel, damping: np.ndarray) -> Corrections:
    """`corrections` of motions (steps, rows, ...)."""
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
