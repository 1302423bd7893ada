"""The book's pictures, drawn when the site is built; each module draws some, into files of their names."""

from __future__ import annotations

import logging
from pathlib import Path

from site_parts.pictures.inertias import felt_mass, floating_base, locked_and_free, mobility
from site_parts.pictures.matrices import between_branches, factorization, factors, patterns
from site_parts.pictures.sketches import one_link, two_walks, walks

SKETCHES = (one_link, walks, two_walks)
MATRICES = (patterns, factorization, factors, between_branches)
INERTIAS = (locked_and_free, felt_mass, mobility, floating_base)
DRAWINGS = (*SKETCHES, *MATRICES, *INERTIAS)


def draw_all(folder: Path) -> None:
    """Each picture as an SVG file, without dates and random names: the same robot gives the same file."""
    import matplotlib

    logging.getLogger("matplotlib.mathtext").setLevel(logging.WARNING)  # it tells which font has a letter

    folder.mkdir(exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "soadyn", "svg.fonttype": "path", "font.size": 10}):
        for draw in DRAWINGS:
            draw().savefig(folder / f"{draw.__name__}.svg", metadata={"Date": None})
