"""The mass matrix of a two-armed robot in space and its factors (001), and what the array form of the filter saves.

    Mass = (I + H φ K) D (I + H φ K)*,    Mass⁻¹ = (I - H ψ K)* D⁻¹ (I - H ψ K)

Links are counted from the tips, as in the paper; white is zero. The curves are of a heavy body on four axes through one
point, carried by rings of a gram: how many digits of the joints' articulated inertias D(k) are lost by the Riccati
recursion, and by its array form, which carries roots of P(k) inward by orthogonal transformations (section X.B).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mpmath
import numpy as np

import soadyn as sd
from pictures import BLUE, RED, label, panels, run, save

RATIOS = 10.0 ** np.arange(0, 16)


def rings(rng: np.random.Generator, heavy: float) -> sd.Robot:
    """A body on four axes through one point, carried by three rings of a gram."""
    builder, parent = sd.Builder("rings"), None
    for name, mass in (("outer", 1e-3), ("middle", 1e-3), ("inner", 1e-3), ("body", heavy)):
        spread = (A := rng.standard_normal((3, 3))) @ A.T * mass / 3
        body = sd.Body(mass, 0.1 * rng.standard_normal(3), np.trace(spread) * np.eye(3) - spread)
        parent = builder.link(name, body, parent, "revolute", rng.standard_normal(3), np.zeros(3))
    return sd.build(builder)


def lost(heavy: float, samples: int) -> tuple[float, float]:
    """Digits of D(k) that the recursion and its array form lose, the median of random rings; 16 without a result."""
    rng = np.random.default_rng(0)
    losses = []
    for _ in range(samples):
        robot = rings(rng, heavy).with_backend("numpy")
        q = robot.random_configuration(rng)
        with mpmath.workdps(60):
            true = robot.mass_matrix_root(np.frompyfunc(mpmath.mpf, 1, 1)(q)).astype(float)
        with sd.errstate("ignore"):
            found = robot.mass_matrix_root(q), sd.compile(sd.papers["001 root by arrays"], robot)(q)
        losses.append([_digits(np.diag(m) / np.diag(true) - 1) for m in found])
    recursion, arrays = np.median(losses, axis=0)
    return float(recursion), float(arrays)


def _digits(relative: np.ndarray) -> float:
    error = np.abs(relative).max()
    return 16.0 if np.isnan(error) else float(np.clip(np.log10(max(error, 1e-16)) + 16, 0, 16))


def draw(ax: Any, matrix: np.ndarray, title: str) -> None:
    """The sizes of a matrix's entries in the papers' order; nothing where they are zero."""
    turned = np.abs(matrix[::-1, ::-1])
    shown = np.where(turned > 1e-12, np.log10(np.maximum(turned, 1e-12)), np.nan)
    ax.imshow(shown, cmap="viridis", vmin=-4, vmax=2)
    ax.grid(visible=False)
    label(ax, title, x="joint component, from the tips", legend=False)
    ax.set_xticks(range(0, len(shown), 5))
    ax.set_yticks(range(0, len(shown), 5))


def main(out: Path, samples: int = 9) -> dict[str, float]:
    """Draws the factors of the dual-arm flyer's mass matrix, and counts lost digits."""
    flyer = sd.load("dual_arm_flyer")
    q = flyer.random_configuration(np.random.default_rng(1))
    M, (U, D) = flyer.mass_matrix(q), flyer.mass_matrix_factors(q)
    digits = np.array([lost(0.001 * ratio, samples) for ratio in RATIOS])

    figure, (mass, factor, pivots, inverse, curves) = panels(3.0, 3.0, 3.0, 3.0, 4.4)
    draw(mass, M, "mass matrix")
    draw(factor, U, "I + H φ K")
    draw(pivots, D, "D")
    draw(inverse, np.linalg.inv(U), "(I + H φ K)⁻¹ = I - H ψ K")
    curves.semilogx(RATIOS, digits[:, 0], "-o", color=RED, markersize=3, label="Riccati recursion, 001 (34)-(37)")
    curves.semilogx(RATIOS, digits[:, 1], "-o", color=BLUE, markersize=3, label="array form, section X.B")
    label(curves, "digits of D lost (16: no answer)", x="mass of the body / mass of a ring")
    save(figure, out, "factors")
    return {
        "relative error of the product of the factors": float(np.abs(U @ D @ U.T - M).max() / np.abs(M).max()),
        "zeros of the factor, of 400": float((np.abs(U) < 1e-12).sum()),
        "digits lost at a ratio of 1e6, recursion": float(digits[6, 0]),
        "digits lost at a ratio of 1e6, arrays": float(digits[6, 1]),
        "digits lost at a ratio of 1e15, arrays": float(digits[15, 1]),
    }


if __name__ == "__main__":
    run(main)
