"""Robots to look at: a live view in the browser, and pages that play from a file. Needs viser.

Cameras, textures and films as video files are not made.

>>> import tempfile, soadyn as sd
>>> arm = sd.load("ur5")
>>> up = arm.at([0.0, -1.2, 1.0, 0.2, 0.0, 0.0])
>>> with tempfile.TemporaryDirectory() as folder:
...     sd.view.save_page(f"{folder}/arm.html", [("stretched", arm), ("up", up)]).name
'arm.html'
"""

from typing import TYPE_CHECKING

from soadyn.later import imported_later

if TYPE_CHECKING:
    from soadyn.view.charts import Chart
    from soadyn.view.live import View, show
    from soadyn.view.page import save_page
else:
    # A robot only has methods that need these: they are imported when one is called.
    __getattr__, __dir__ = imported_later(
        globals(),
        {
            "Chart": "soadyn.view.charts:Chart",
            "View": "soadyn.view.live:View",
            "save_page": "soadyn.view.page:save_page",
            "show": "soadyn.view.live:show",
        },
    )

__all__ = ["Chart", "View", "save_page", "show"]
