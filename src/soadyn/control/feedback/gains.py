"""Gains of errors that decay: a bandwidth in rad/s and a damping ratio.

    ë + 2 ζ ω ė + ω² e = 0

With ζ = 1 an error decays fastest without passing zero: to a tenth in 3.9 / ω seconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from soadyn.robot.arguments.component_values import per_component

FASTEST = 1e100  # its square must be a number


def second_order(
    bandwidth: Any, damping_ratio: Any, count: int, of: str, prefix: str = "", what: str = "joint components"
) -> tuple[np.ndarray, np.ndarray]:
    """ω² in 1/s² and 2 ζ ω in 1/s, (count,) each; `prefix` goes before the arguments' names."""
    omega = per_component(f"{prefix}bandwidth", bandwidth, count, of, most=FASTEST, what=what)
    zeta = per_component(f"{prefix}damping_ratio", damping_ratio, count, of, most=FASTEST, what=what)
    return omega * omega, 2 * zeta * omega
