"""Operators as matrices, drawn from robots: where they have entries, and how large."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import soadyn as sd
from soadyn.algebra import D, E_phi, Expression, H, I_joint, K, M, Omega, Upsilon, mass, phi, psi_tilde

POSTURE = (0.4, -0.7, 1.1, 0.5, 0.8, 0.3)


def patterns() -> Figure:
    """Neighbours and all pairs of PUMA's links, and of a satellite with two arms."""
    flyer = sd.load("dual_arm_flyer")
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    shown = ((E_phi, "PUMA: neighbours"), (phi, "PUMA: $\\phi$"))
    first, second, third = figure.subplots(1, 3)
    for axes, (operator, title) in zip((first, second), shown, strict=True):
        _pattern(axes, _dense(operator), title)
    tree = sd.compile(phi, flyer)(flyer.neutral()).dense(order="paper")
    _pattern(third, tree, "two arms on a satellite: $\\phi$")
    return figure


def factorization() -> Figure:
    """H, φ, M and the mass matrix of PUMA."""
    figure = Figure(figsize=(9.5, 3.0), layout="constrained")
    parts = ((H, "$H$"), (phi, "$\\phi$"), (M, "$M$"), (phi.T, "$\\phi^*$"), (H.T, "$H^*$"), (mass, "$\\mathcal{M}$"))
    sizes = [6, 12, 12, 12, 4, 8]
    for axes, (operator, title) in zip(figure.subplots(1, 6, width_ratios=sizes), parts, strict=True):
        _heat(axes, _dense(operator), title)
    return figure


def factors() -> Figure:
    """The mass matrix, its unit triangular factor and D."""
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    parts = ((mass, "$\\mathcal{M}$"), (I_joint + H @ phi @ K, "$I + H\\phi K$"), (D, "$D$"))
    for axes, (operator, title) in zip(figure.subplots(1, 3), parts, strict=True):
        drawn = _heat(axes, _dense(operator), title)
    figure.colorbar(drawn, ax=axes, label="$\\log_{10}$ of the entry")
    return figure


def between_branches() -> Figure:
    """The mobility of a satellite with two arms: all of it, and what the formula for chains gives."""
    flyer = sd.load("dual_arm_flyer")
    figure = Figure(figsize=(8, 4.0), layout="constrained")
    chains = Upsilon + Upsilon @ psi_tilde + psi_tilde.T @ Upsilon
    parts = ((Omega, "$\\Omega$"), (chains, "$\\Upsilon + \\Upsilon\\tilde\\psi + \\tilde\\psi^*\\Upsilon$"))
    for axes, (operator, title) in zip(figure.subplots(1, 2), parts, strict=True):
        _pattern(axes, sd.compile(operator, flyer)(flyer.neutral()).dense(order="paper"), title)
    return figure


def _dense(operator: Expression) -> np.ndarray:
    puma = sd.load("puma560")
    return sd.compile(operator, puma)(np.array(POSTURE)).dense(order="paper")


def _pattern(axes: Axes, x: np.ndarray, title: str) -> None:
    axes.spy(np.abs(x) > 1e-12, markersize=1.2, color="#2a6fb0")
    for edge in range(0, x.shape[0] + 1, 6):
        axes.axhline(edge - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
        axes.axvline(edge - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
    _bare(axes, title)


def _heat(axes: Axes, x: np.ndarray, title: str) -> object:
    with np.errstate(divide="ignore"):
        size = np.log10(np.where(np.abs(x) > 1e-12, np.abs(x), np.nan))
    drawn = axes.imshow(size, cmap="viridis", vmin=-3, vmax=1.5, interpolation="nearest")
    _bare(axes, title)
    return drawn


def _bare(axes: Axes, title: str) -> None:
    axes.set_title(title, fontsize=11)
    axes.set(xticks=[], yticks=[])
