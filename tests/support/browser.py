"""A headless Chromium, driven through its debugging port: what a page draws, complains of and asks the network for."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)
LOCAL = ("file:", "data:", "blob:", "http://127.0.0.1:", "ws://127.0.0.1:", "about:")


def chromium() -> str | None:
    """Where a Chromium is, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A page that is open; `complaints` and `requests` grow while it is used."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.numbers = itertools.count(1)
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message.get("id") == number:
                assert "error" not in message, message
                return dict(message["result"])
            self.hear(message)

    def hear(self, message: dict[str, Any]) -> None:
        told = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(str(told["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if told["type"] in ("error", "assert"):
                self.complaints.append(str(told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] == "error":
                self.complaints.append(str(told["entry"]))
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Network.webSocketCreated":
                self.requests.append(told["url"])

    def value(self, expression: str) -> Any:
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 40.0) -> None:
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, f"{expression} did not come true; complaints: {self.complaints}"
            time.sleep(0.1)

    def picture(self) -> bytes:
        """A PNG of what is seen."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def outside(self) -> list[str]:
        """The addresses that were asked for and are not on this machine."""
        return [url for url in self.requests if not url.startswith(LOCAL)]


@contextmanager
def opened(url: str, size: tuple[int, int] = (1100, 700)) -> Iterator[Page]:
    """A page in a browser of its own, with an empty profile."""
    from websockets.sync.client import connect

    program = chromium()
    assert program is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = _port(Path(profile) / "DevToolsActivePort", process)
            with connect(_page_socket(port), max_size=None) as socket:
                page = Page(socket)
                for domain in ("Runtime", "Log", "Network", "Page"):
                    page.ask(f"{domain}.enable")
                page.ask("Page.navigate", url=url)
                yield page
        finally:
            process.terminate()
            process.wait(timeout=20)


def _port(told: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + 30
    while not (told.is_file() and told.read_text().strip()):
        assert process.poll() is None, f"the browser ended with {process.returncode}"
        assert time.monotonic() < end, "the browser did not tell its port"
        time.sleep(0.05)
    return int(told.read_text().split()[0])


def _page_socket(port: int) -> str:
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
        targets = json.load(answer)
    return next(str(target["webSocketDebuggerUrl"]) for target in targets if target["type"] == "page")
