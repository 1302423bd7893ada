"""Photographs of pages that play: a headless Chromium opens them, a script goes through their time.

Needs Chromium (Debian: `apt-get install chromium`), and Pillow and websockets, which come with viser.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from browser import Page, opened

DRAWN = 2.5  # seconds that a page without a graphics card may take to draw itself
MOVED = 0.45  # seconds after its time has changed
# No notice about software rendering.
QUIET = "document.querySelectorAll('.mantine-Notifications-root').forEach(x => x.remove())"
# React hears of a value only if the element's own setter wrote it.
AT = """(() => {{
  const clock = document.querySelector('#root input');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(clock, '{time:.2f}');
  clock.dispatchEvent(new Event('input', {{bubbles: true}}));
  clock.dispatchEvent(new Event('blur', {{bubbles: true}}));
}})()"""


@contextmanager
def browser(width: int, height: int) -> Iterator[Page]:
    """A browser whose window has this size."""
    with opened("about:blank", (width, height)) as tab:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        tab.ask("Emulation.setDeviceMetricsOverride", **size)
        yield tab


def show(tab: Page, path: Path) -> None:
    """Open a page, and wait until it is drawn."""
    tab.ask("Page.navigate", url=path.resolve().as_uri())
    tab.wait_for("document.querySelector('canvas') !== null")
    time.sleep(DRAWN)


def picture(tab: Page) -> Image.Image:
    """What is seen."""
    return Image.open(io.BytesIO(tab.picture())).convert("RGB")


def film(path: Path, times: Sequence[float], width: int, height: int) -> list[Image.Image]:
    """The page at these times, ascending."""
    frames = []
    with browser(width, height) as tab:
        show(tab, path)
        tab.value(QUIET)
        for moment in times:
            tab.value(AT.format(time=moment))
            time.sleep(MOVED)
            frames.append(picture(tab))
    return frames
