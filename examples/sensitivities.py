"""What each joint does to a robot's operators (000 section 6): heat maps of sensitivities, from formulas.

    ∂𝓜/∂θ_i = H φ [X_i φ M + M φ* X_i*] φ* H*          000 (6.12)
    ∂D/∂θ_i = H λ_i H*                                  000 (A.19), joints of one component

Joint i moves what lies beyond it, so the mass matrix does not depend on the first joint at all, and its entry (j, k)
not on joints up to the smaller of j and k. D(k), the inertia that joint k feels while all joints beyond it are free,
depends on the joints beyond k alone. The formulas are compiled to sweeps over the links and held against complex
steps.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import label, panels, run, save
from soadyn.algebra import D, mass, sensitivity

STEP = 1e-30
LARGEST = 0.5  # of the colours


def maps(arm: sd.Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """∂𝓜/∂θ_i, (joints, nv, nv), and the diagonal of ∂D/∂θ_i, (joints, nv)."""
    of_mass = [sd.compile(sensitivity(mass, joint), arm)(q).dense() for joint in arm.joint_names]
    of_pivots = [np.diagonal(sd.compile(sensitivity(D, joint), arm)(q).dense()) for joint in arm.joint_names]
    return np.array(of_mass), np.array(of_pivots)


def main(out: Path, name: str = "ur5") -> dict[str, float]:
    """Draws the sensitivities of an arm at one configuration."""
    arm = sd.load(name).with_backend("numpy")
    q = arm.random_configuration(np.random.default_rng(4))
    of_mass, of_pivots = maps(arm, q)
    steps = [arm.mass_matrix(q + 1j * STEP * e).imag / STEP for e in np.eye(arm.nv)]
    root = np.sqrt(np.diagonal(arm.mass_matrix(q)))
    relative = of_mass / root[:, None] / root  # per unit of the inertias' geometric means

    figure, axes = panels(*(1.9,) * arm.nv, 2.6, height=2.6)
    for i, (ax, values) in enumerate(zip(axes, relative, strict=False)):
        shown = ax.imshow(values, cmap="coolwarm", vmin=-LARGEST, vmax=LARGEST)
        label(ax, f"∂Mass/∂θ{'₁₂₃₄₅₆₇'[i]}", x="", legend=False)
        ax.grid(False)
    figure.colorbar(shown, ax=axes[arm.nv - 1])
    change = of_pivots.T / np.diagonal(arm.mass_matrix_factors(q)[1])[:, None]
    shown = axes[-1].imshow(change, cmap="coolwarm", vmin=-LARGEST, vmax=LARGEST)
    figure.colorbar(shown, ax=axes[-1])
    label(axes[-1], "∂ ln D(k) / ∂θ_i", x="i", y="k", legend=False)
    axes[-1].grid(False)
    save(figure, out, "sensitivities")
    return {
        "largest difference from complex steps": float(np.abs(of_mass - steps).max()),
        "largest entry for the first joint": float(np.abs(of_mass[0]).max()),
        "largest ∂ ln D(k) / ∂θ_i with i inside k": float(np.abs(np.triu(change.T)).max()),
        "largest entry, relative": float(np.abs(relative).max()),
    }


if __name__ == "__main__":
    run(main)
