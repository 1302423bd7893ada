"""The camera of a page: as near as everything stays in sight, in whatever window the page is opened.

A point at a to the right, u up and t towards the camera of the middle of what is shown is seen, from the distance d
along `towards`, at

    a / ((d − t) tan(f/2))  and  u / ((d − t) tan(f/2))

of half the window's height, f the upright field of view. The least d follows from the window's half width and half
height; a page's labels take room beside their points, in pixels.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from typing import final

import numpy as np

FIELD = np.radians(38.0)  # of the camera, upright
ASPECT = 1.4  # width by height of the narrowest window in which a live view shows everything
MARGIN = 1.05


@final
class Framing:
    """What a camera must have in sight: points (n, 3) as (a, u, t), and labels with their numbers of letters."""

    def __init__(
        self, low: np.ndarray, high: np.ndarray, towards: np.ndarray, labels: Sequence[tuple[np.ndarray, str]]
    ) -> None:
        self.middle = (low + high) / 2
        right = np.cross([0, 0, 1], towards)
        right /= np.linalg.norm(right)
        self.axes = np.array([right, np.cross(towards, right), towards])
        self.points = (np.array(list(product(*zip(low, high, strict=True)))) - self.middle) @ self.axes.T
        self.labels = [(*((at - self.middle) @ self.axes.T), len(text)) for at, text in labels]

    def distance(self, aspect: float = ASPECT) -> float:
        """The least d at which every point is seen in a window of that width by height."""
        a, u, t = self.points.T
        half = np.tan(FIELD / 2)
        return MARGIN * float((t + np.maximum(np.abs(u) / half, np.abs(a) / (half * aspect))).max())

    def told(self) -> str:
        """The numbers from which a page finds the same distance for its own window, as JSON."""
        told = {
            "middle": self.middle.tolist(),
            "towards": self.axes[2].tolist(),
            "points": self.points.tolist(),
            "labels": [[float(x) for x in label] for label in self.labels],
            "half": float(np.tan(FIELD / 2)),
            "margin": MARGIN,
        }
        return json.dumps(json.loads(json.dumps(told), parse_float=lambda x: float(f"{float(x):.6g}")))
