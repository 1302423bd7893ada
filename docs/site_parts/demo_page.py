"""The page of `soadyn demo` as part of the site, so that the picture on its first page leads to what plays."""

from __future__ import annotations

import logging
from pathlib import Path

from sphinx.application import Sphinx

from soadyn import load
from soadyn.cli.demonstration import ROBOT, reach_page, reach_runs


def write_demo(app: Sphinx, failure: Exception | None) -> None:
    """Written once; `make clean` lets it be written anew."""
    path = Path(app.outdir) / "_static" / "reach.html"
    if failure is None and not path.exists():
        logging.getLogger("websockets").setLevel(logging.WARNING)  # it would tell of viser's server
        reach_page(path, reach_runs(load(ROBOT)))
