"""Makes README's moving picture, docs/plots/reach.gif, and docs/plots/reach_page.png from the page of `soadyn demo`.

Run it with `.venv/bin/python docs/make_reach.py [PAGE]`; without a page the demo is run first.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from photographs import film
from PIL import Image

from soadyn.cli.demonstration import DURATION, run_demo

PLOTS = Path(__file__).resolve().parent / "plots"
SIZE, WIDTH = (1180, 530), 820  # of the page, and of the picture in pixels
FRAMES, HOLD = 46, 1800  # how many, and how long the last one stays, in ms
SHADES, TINTS = 160, 96  # colours of the picture: the most frequent ones, and those furthest apart
STILL = 0.62  # of the motion, in the picture that does not move


def make(page: Path) -> None:
    """Both pictures."""
    times = np.linspace(0.0, DURATION - 0.05, FRAMES)  # at its end the page begins again
    seen = film(page, times.tolist(), *SIZE)
    seen[round(STILL * FRAMES)].save(PLOTS / "reach_page.png", optimize=True)
    small = [frame.resize((WIDTH, SIZE[1] * WIDTH // SIZE[0]), Image.Resampling.LANCZOS) for frame in seen]
    palette = _palette(small[FRAMES // 2])
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in small]
    waits = [100] * (FRAMES - 1) + [HOLD]
    frames[0].save(PLOTS / "reach.gif", save_all=True, append_images=frames[1:], duration=waits, loop=0, optimize=True)


def _palette(frame: Image.Image) -> Image.Image:
    """The dark sky's many shades, and the few bright colours of what is in it."""
    shades = frame.quantize(SHADES, Image.Quantize.MEDIANCUT).getpalette() or []
    tints = frame.quantize(TINTS, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades[: 3 * SHADES] + tints[: 3 * TINTS])
    return palette


if __name__ == "__main__":
    if len(sys.argv) > 1:
        make(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            run_demo(folder=Path(folder))
            make(Path(folder) / "reach.html")
    print(PLOTS / "reach.gif")
