"""Curves over time as SVG, for notebooks and pages; linear axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from soadyn.view.display.picture import COLOURS
from soadyn.view.display.tables import text

MOST_POINTS = 400
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 24, 22


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Numbers (T,) at times (T,) under a label; without a colour the usual ones are taken in turn."""

    label: str
    t: np.ndarray
    y: np.ndarray
    colour: str = ""


def ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    """Round numbers between two bounds: multiples of 1, 2 or 5 times a power of ten.

    >>> [round(x, 6) for x in ticks(0.0, 1.3)]
    [0.0, 0.5, 1.0]
    """
    if not high > low:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(next(lead * power for lead in (1, 2, 5, 10) if lead * power >= rough * 0.999))
    return [float(step * n) for n in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


def svg(title: str, curves: Sequence[Curve], width: int = 460, height: int = 180) -> str:
    """A chart with title, axes and legend. `data-*` of the element tell where its axes stand, for scripts."""
    values = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves] or [np.zeros(1)])
    low, high = min(float(values.min(initial=0.0)), 0.0), max(float(values.max(initial=0.0)), 0.0)
    low, high = (low, high) if high > low else (low, low + 1.0)
    start = min((float(curve.t[0]) for curve in curves), default=0.0)
    end = max((float(curve.t[-1]) for curve in curves), default=1.0)
    end = end if end > start else start + 1.0
    right, bottom = width - RIGHT, height - BOTTOM

    def x(t: np.ndarray | float) -> np.ndarray:
        return LEFT + (np.asarray(t) - start) / (end - start) * (right - LEFT)

    def y(value: np.ndarray | float) -> np.ndarray:
        return bottom - (np.asarray(value) - low) / (high - low) * (bottom - TOP - 12)

    parts = [f'<text x="{LEFT}" y="14" font-weight="bold">{text(title)}</text>']
    for value in ticks(low, high):
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}" opacity="0.25"/>')
        parts.append(f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>')
    for t in ticks(start, end, 6):
        parts.append(f'<text x="{x(t):.1f}" y="{height - 6}" text-anchor="middle">{t:.4g}</text>')
    parts.append(f'<text x="{width - 2}" y="{height - 6}" text-anchor="end">s</text>')
    for n, curve in enumerate(curves):
        parts.append(_path(curve, _colour(curve, n), x, y))
        parts.append(
            f'<text class="value" x="{right - 100 * (len(curves) - 1 - n)}" y="{TOP + 6}" text-anchor="end" '
            f'fill="{text(_colour(curve, n))}" stroke="none">{text(curve.label)}</text>'
        )
    axes = f'data-left="{LEFT}" data-right="{right}" data-start="{start:.6g}" data-end="{end:.6g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f"{axes} "
        'font-family="sans-serif" font-size="11" fill="currentColor"><g stroke="currentColor" stroke-width="0">'
        f"<style>line{{stroke-width:1}}</style>{''.join(parts)}</g></svg>"
    )


def _colour(curve: Curve, n: int) -> str:
    return curve.colour or COLOURS[n % len(COLOURS)]


def _path(curve: Curve, colour: str, x, y) -> str:  # type: ignore[no-untyped-def]
    every = max(1, -(-len(curve.t) // MOST_POINTS))
    chosen = np.unique(np.append(np.arange(0, len(curve.t), every), len(curve.t) - 1))
    points = [(a, b) for a, b in zip(x(curve.t[chosen]), y(curve.y[chosen]), strict=True) if np.isfinite(b)]
    joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    return f'<polyline points="{joined}" fill="none" stroke="{text(colour)}" stroke-width="1.8"/>'
