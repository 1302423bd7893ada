"""Charts beside the robots of a page; a line in them moves with the page's time bar, and numbers tell where it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError, ShapeError
from soadyn.view.display.curves import MOST_POINTS, Curve, svg
from soadyn.view.display.picture import COLOURS

BRIGHT = ("#6cc4f5", "#ff9a4d", "#4fdcab", "#f0a6cf", "#f5c542", "#b8e0ff", "#c79bd6", "#c0c0c0")  # on a dark ground
WIDTH, HEIGHT = 380, 170  # of a chart, in pixels; `layout` has the width of their column


@final
@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A title and curves (label, times, values); curves of the same place in different charts share their colour.

    >>> import soadyn as sd
    >>> sd.view.Chart("angle (rad)", [("left", [0.0, 1.0], [0.0, 0.5])]).title
    'angle (rad)'
    """

    title: str
    curves: Sequence[tuple[str, Any, Any]]

    def __post_init__(self) -> None:
        for label, t, y in self.curves:
            times, values = np.asarray(t, dtype=float), np.asarray(y, dtype=float)
            if times.ndim != 1 or times.shape != values.shape or not len(times):
                raise ShapeError(
                    f"curve {label!r} of chart {self.title!r} has times of shape {times.shape} and values of shape "
                    f"{values.shape}; expected the same shape (T,)"
                )
            if not np.isfinite(times).all() or (np.diff(times) <= 0).any():
                raise ArgumentError(f"curve {label!r} of chart {self.title!r} has times that do not ascend")

    def drawn(self, colours: Sequence[str] = COLOURS) -> list[Curve]:
        """The curves, counted from the time they start, thinned to what a page needs."""
        found = []
        for n, (label, t, y) in enumerate(self.curves):
            times, values = np.asarray(t, dtype=float), np.asarray(y, dtype=float)
            kept = np.unique(np.linspace(0, len(times) - 1, min(MOST_POINTS, len(times))).round().astype(int))
            found.append(Curve(label, times[kept] - times[0], values[kept], colours[n % len(colours)]))
        return found


def checked_charts(charts: Any) -> list[Chart]:
    """A list of charts, checked."""
    if not isinstance(charts, list | tuple) or not all(isinstance(chart, Chart) for chart in charts):
        raise ArgumentError(f"charts takes a list of sd.view.Chart, got {charts!r:.80}")
    return list(charts)


def panel(charts: Sequence[Chart], dark: bool) -> str:
    """What is put before the end of a page's body: the charts, and the script that moves their lines."""
    drawn = [chart.drawn(BRIGHT if dark else COLOURS) for chart in charts]
    pictures = "".join(svg(chart.title, curves, WIDTH, HEIGHT) for chart, curves in zip(charts, drawn, strict=True))
    numbers = [[{"t": _rounded(x.t), "y": _rounded(x.y), "label": x.label} for x in curves] for curves in drawn]
    # A name that ends the script element would end it inside a string, too.
    told = json.dumps(numbers).replace("<", "\\u003c")
    return f'<div id="charts">{pictures}</div><script>const curves={told};{SCRIPT}</script>'


def _rounded(x: np.ndarray) -> list[float | None]:
    return [float(f"{value:.5g}") if np.isfinite(value) else None for value in x]


# The page's first input element is the clock of viser's time bar.
SCRIPT = """
const charts = [...document.querySelectorAll('#charts svg')];
const lines = charts.map(chart => {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  for (const [name, value] of Object.entries({y1: 30, y2: chart.getAttribute('height') - 22, stroke: 'currentColor'}))
    line.setAttribute(name, value);
  line.setAttribute('class', 'now');
  chart.appendChild(line);
  return line;
});
function valueAt(curve, time) {
  let low = 0, high = curve.t.length - 1;
  while (high - low > 1) { const mid = (low + high) >> 1; if (curve.t[mid] <= time) low = mid; else high = mid; }
  const share = high > low ? Math.min(Math.max((time - curve.t[low]) / (curve.t[high] - curve.t[low]), 0), 1) : 0;
  return curve.y[low] === null || curve.y[high] === null ? NaN : curve.y[low] + share * (curve.y[high] - curve.y[low]);
}
// As many decimals as tell three digits of the largest number in the chart.
const decimals = curves.map(chart => {
  const largest = Math.max(...chart.flatMap(curve => curve.y.map(Math.abs)), 1e-9);
  return Math.min(Math.max(2 - Math.floor(Math.log10(largest)), 0), 12);
});
let shown = NaN;
function follow() {
  const clock = document.querySelector('#root input');
  const time = clock ? parseFloat(clock.value) : NaN;
  if (Number.isFinite(time) && time !== shown) {
    shown = time;
    charts.forEach((chart, n) => {
      const {left, right, start, end} = chart.dataset;
      const x = Math.min(+left + (time - start) / (end - start) * (right - left), +right);
      lines[n].setAttribute('x1', x); lines[n].setAttribute('x2', x);
      chart.querySelectorAll('.value').forEach((label, k) => {
        label.textContent = curves[n][k].label + ' ' + valueAt(curves[n][k], time).toFixed(decimals[n]);
      });
    });
  }
  requestAnimationFrame(follow);
}
follow();
"""
