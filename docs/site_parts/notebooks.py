"""Notebooks are executed while the site is built, by the very Python that builds it; each page offers its .ipynb."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

IPYNB = Path(__file__).resolve().parents[1] / "notebooks" / "ipynb"


def own_kernel(folder: Path) -> None:
    """A kernel `python3` in `folder`, found before others that may be installed; it tells of errors only."""
    logging.getLogger("traitlets").setLevel(logging.WARNING)  # it would tell of every notebook
    home = folder / "kernels" / "python3"
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
    told = {"argv": command, "display_name": "Python 3", "language": "python"}
    (home / "kernel.json").write_text(json.dumps(told), encoding="utf-8")
    os.environ["JUPYTER_PATH"] = str(folder)


def with_download(app: Sphinx, page: str, source: list[str]) -> None:
    """A link to the notebook's .ipynb below the title."""
    name = page.rpartition("/")[2]
    if page.startswith("notebooks/") and (IPYNB / f"{name}.ipynb").exists():
        link = f"{{download}}`Download this notebook <ipynb/{name}.ipynb>`"
        told = f"{link}, or open `docs/notebooks/ipynb/{name}.ipynb` of a clone."
        source[0] = re.sub(r"^(# .*)$", rf"\1\n\n{told}", source[0], count=1, flags=re.MULTILINE)
