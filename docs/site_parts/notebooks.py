"""Notebooks are executed while the site is built, by the very Python that builds it."""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path


def own_kernel(folder: Path) -> None:
    """A kernel `python3` in `folder`, found before others that may be installed; it tells of errors only."""
    logging.getLogger("traitlets").setLevel(logging.WARNING)  # it would tell of every notebook
    home = folder / "kernels" / "python3"
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
    told = {"argv": command, "display_name": "Python 3", "language": "python"}
    (home / "kernel.json").write_text(json.dumps(told), encoding="utf-8")
    os.environ["JUPYTER_PATH"] = str(folder)
