"""Equations are typeset in the reader's browser by MathJax, copied into the site from the wheel that carries it.

The SVG output is one file without fonts: browsers refuse fonts of other folders to pages that were opened as files.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

from sphinx.application import Sphinx

WHEEL = "sphinx-mathjax-offline"  # the package folder has the wheel's own name
PROGRAM = "tex-svg.js"


def vendored(app: Sphinx) -> None:
    """Pages load MathJax from the site's own folder, and the finished build holds it there."""
    app.setup_extension("sphinx.ext.mathjax")
    app.config.mathjax_path = f"mathjax/{PROGRAM}"
    app.config.mathjax3_config = {"options": {"enableMenu": False}, "startup": {"typeset": True}}
    app.connect("build-finished", _copy)


def _copy(app: Sphinx, failure: Exception | None) -> None:
    if failure is None:
        folder = Path(app.outdir) / "_static" / "mathjax"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(_program(), folder / PROGRAM)


def _program() -> Path:
    found = importlib.util.find_spec(WHEEL)
    assert found is not None, f"{WHEEL} is part of the docs extra"
    assert found.origin is not None
    return Path(found.origin).parent / "static" / "mathjax" / PROGRAM
