"""Saha's elimination of the mass matrix (002): joint after joint from the last one, and what that order saves.

    L_k = E_k L_k+1,    E_2 ... E_n Mass = D U*

The pictures show PUMA's mass matrix while its joints are eliminated. What is left above and to the left of a joint is
the mass matrix that the joints before it feel. The curves count operations of forward dynamics on chains whose
Denavit-Hartenberg parameters are all different from zero: the recursion in O(n), and composite bodies with Cholesky's
n³ / 3.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd
from pictures import BLUE, RED, label, panels, run, save
from soadyn.algebra import T, inv, mass
from soadyn.theory.literature.parts import bias


def generic(n: int) -> sd.Robot:
    """A chain whose Denavit-Hartenberg parameters and inertias are all different from zero."""
    rng = np.random.default_rng(n)
    bodies = [
        sd.Body(1.0 + k / 10, rng.uniform(0.1, 0.5, 3), np.diag(rng.uniform(1.0, 1.5, 3)) + 0.05) for k in range(n)
    ]
    return sd.from_dh([(*rng.uniform(0.2, 1.0, 3), 0.0) for _ in range(n)], bodies=bodies)


def counted(robot: sd.Robot) -> tuple[int, int]:
    """Operations of forward dynamics: by the recursion, and by composite bodies and Cholesky's factors."""
    recursion = sum(sd.compile(inv(mass) @ (T - bias), robot).operation_counts().values())
    n = robot.nv
    parts = [
        count
        for name in ("mass_matrix", "bias_force")
        for stage in robot.operation_counts(name).values()
        for count in stage.values()
    ]
    return recursion, sum(parts) + n + (2 * n**3 + 3 * n**2 + n) // 6 + 2 * n**2


def draw(ax: Any, matrix: np.ndarray, title: str) -> None:
    """The sizes of a matrix's entries; nothing where they are zero."""
    size = np.abs(matrix)
    ax.imshow(np.where(size > 1e-12, np.log10(np.maximum(size, 1e-12)), np.nan), cmap="viridis", vmin=-6, vmax=1)
    ax.grid(visible=False)
    label(ax, title, x="joint", legend=False)
    ax.set_xticks(range(6), map(str, range(1, 7)))
    ax.set_yticks(range(6), map(str, range(1, 7)))


def main(out: Path, longest: int = 16) -> dict[str, float]:
    """Eliminates PUMA's joints, and counts operations up to `longest` joints."""
    arm = sd.load("puma560")
    q = arm.random_configuration(np.random.default_rng(0))
    U, D = arm.mass_matrix_factors(q)
    steps = {joint: arm.elimination(q, joint).L for joint in reversed(arm.joint_names)}
    sizes = np.arange(2, longest + 1)
    counts = np.array([counted(generic(int(n))) for n in sizes])

    figure, (whole, one, three, all_, curves) = panels(2.8, 2.8, 2.8, 2.8, 4.2, height=3.4)
    draw(whole, arm.mass_matrix(q), "mass matrix")
    draw(one, steps["joint6"], "joint 6 eliminated")
    draw(three, steps["joint4"], "joints 4, 5, 6")
    draw(all_, steps["joint1"], "all: D U*")
    curves.plot(sizes, counts[:, 1], color=RED, label="composite bodies, Cholesky")
    curves.plot(sizes, counts[:, 0], color=BLUE, label="O(n) recursion")
    label(curves, "operations of forward dynamics", x="joints")
    save(figure, out, "elimination")
    felt = arm.actuation_matrices(q, ["joint4", "joint5", "joint6"])[0]
    return {
        "difference of what is left from D U*": float(np.abs(steps["joint1"] - D @ U.T).max()),
        "difference from what three joints feel": float(np.abs(steps["joint4"][:3, :3] - felt).max()),
        "joints from which on the recursion is cheaper": float(sizes[np.argmax(counts[:, 0] < counts[:, 1])]),
        "operations for one joint more, recursion": float(counts[-1, 0] - counts[-2, 0]),
    }


if __name__ == "__main__":
    run(main)
