"""Motion in normalized rates (000): energies, work, Lyapunov functions, and where the mass matrix is curved.

    ν̇ + C = ε,    kinetic energy Σ ν(k)² / 2,    ν* C = 0

An arm of two links without gravity turns freely: its energy passes from joint to joint, the Coriolis term of the
normalized equations does no work while Lagrange's does, and a feedback ε = -c ν stops it. The map shows the one Riemann
symbol of its mass matrix over where the tool can be; where it is not zero, no coordinates are free of Coriolis terms.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save

STEP = 5e-3
START = ([0.3, 0.8], [1.0, -2.0])


def workspace(arm: sd.Robot, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the tool is at angles of both joints, (count, count, 2), and the curvature there."""
    angles = np.linspace(-np.pi, np.pi, count)
    q = np.stack(np.meshgrid(angles, angles[angles >= 0], indexing="ij"), axis=-1)
    symbols = arm.mass_matrix_curvature(q)
    return arm.pose(q, "tool")[..., [0, 2], 3], symbols[..., 0, 1, 0, 1]


def main(out: Path, duration: float = 4.0, count: int = 73) -> dict[str, float]:
    """Swings the arm, stops it, and maps its curvature."""
    arm = sd.load("planar_two_link").with_gravity([0, 0, 0])
    free = sd.simulate(arm, *START, duration=duration, step=STEP, joint_forces=False)
    nu = arm.normalized_rates(free.q, free.v)
    shares = nu**2 / 2
    normalized = (nu * arm.normalized_bias(free.q, free.v)).sum(axis=-1)
    lagrange = (free.v * arm.bias_force(free.q, free.v)).sum(axis=-1)
    stops = {c: sd.control.RateFeedback(arm, c) for c in (0.5, 1.0, 2.0)}
    runs = {
        c: sd.simulate(arm, *START, control=stop, duration=duration, step=STEP, joint_forces=False)
        for c, stop in stops.items()
    }
    falling = {c: stop.lyapunov(runs[c].q, runs[c].v) for c, stop in stops.items()}
    where, symbol = workspace(arm, count)

    figure, (energy, power, lyapunov, map_) = panels(3.6, 3.6, 3.6, 4.2)
    energy.stackplot(free.t, shares.T, colors=(BLUE, ORANGE), labels=("ν(1)²/2", "ν(2)²/2"))
    label(energy, "kinetic energy, free motion", y="J", legend=False)
    energy.legend(loc="lower left", fontsize=8)
    power.plot(free.t, lagrange, color=RED, label="θ̇* C, Lagrange's")
    power.plot(free.t, normalized, color=GREEN, label="ν* C, normalized")
    label(power, "power of the Coriolis terms", y="W")
    for (c, values), colour in zip(falling.items(), (BLUE, ORANGE, GREEN), strict=True):
        lyapunov.semilogy(runs[c].t, values, color=colour, label=f"c = {c} /s")
    label(lyapunov, "energy under ε = -c ν", y="J")
    shown = map_.contourf(where[..., 0], where[..., 1], symbol, levels=np.linspace(-0.5, 0.5, 21), cmap="coolwarm")
    figure.colorbar(shown, ax=map_, label="R₁₂₁₂ (kg m²)")
    map_.set_aspect("equal")
    label(map_, "curvature of the mass matrix", x="tool x (m)", y="tool z (m)", legend=False)
    save(figure, out, "diagonalized")
    return {
        "relative drift of the energy, free": float(np.ptp(shares.sum(axis=-1)) / shares[0].sum()),
        "largest power of the normalized term (W)": float(np.abs(normalized).max()),
        "largest power of Lagrange's term (W)": float(np.abs(lagrange).max()),
        "largest rise of an energy under feedback (J)": float(
            max(np.diff(values).max() for values in falling.values())
        ),
        "largest curvature (kg m²)": float(np.abs(symbol).max()),
    }


if __name__ == "__main__":
    run(main)
