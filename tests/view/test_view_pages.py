"""Pages in a real browser: something is drawn, nothing is complained of, nothing is asked of the network."""

from __future__ import annotations

import io
import time
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from browser import Page, chromium, opened
from soadyn.simulation import simulate

pytest.importorskip("viser")
Image = pytest.importorskip("PIL.Image")
pytestmark = [
    pytest.mark.slow,  # without a graphics card a page takes ten seconds and more to draw
    pytest.mark.skipif(chromium() is None, reason="no Chromium found; Debian has it as `apt-get install chromium`"),
]

WINDOW = (640, 480)  # wide enough that the notice leaves the right half free
CLOCK = "parseFloat(document.querySelector('input').value)"


def pixels(page: Page) -> np.ndarray:
    """What is seen in the right half, away from the browser's notice on software rendering."""
    picture = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB")).astype(int)
    height, width, _ = picture.shape
    return picture[: int(0.85 * height), width // 2 :]


def share(picture: np.ndarray, red: tuple[int, int], green: tuple[int, int], blue: tuple[int, int]) -> float:
    bounds = np.array([red, green, blue])
    return float(((picture >= bounds[:, 0]) & (picture <= bounds[:, 1])).all(axis=-1).mean())


def orange(page: Page) -> float:
    """The share of the picture in the colour of active joints, lit or in shade."""
    return share(pixels(page), (150, 255), (60, 215), (0, 150))


def until(page: Page, fact: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not fact(page):  # type: ignore[operator]
        assert time.monotonic() < end, f"it did not come true; complaints: {page.complaints}"
        time.sleep(0.3)


def test_a_page_plays_a_motion_from_a_file_without_a_network(tmp_path: Path) -> None:
    arm = sd.chain(3, length=0.5)
    fall = simulate(arm, [0.3, 0.2, 0.1], duration=3.0, step=0.01)
    path = sd.view.save_page(tmp_path / "two.html", [("falling", fall), ("held <b>", arm.at([0.3, 0.2, 0.1]))])
    assert path.stat().st_size < 1.5e6
    with opened(path.as_uri(), WINDOW) as page:
        page.wait_for("document.querySelector('canvas') !== null && document.querySelector('input') !== null")
        until(page, lambda page: orange(page) > 0.002)
        assert page.value("document.title") == "falling, held <b>"
        early = page.value(CLOCK)
        page.wait_for(f"{CLOCK} != {early}")  # it plays by itself
        page.value("document.querySelector('.tabler-icon-player-pause-filled').closest('button').click()")
        page.wait_for("document.querySelector('.tabler-icon-player-play-filled') !== null")
        held = page.value(CLOCK)
        time.sleep(0.5)
        assert page.value(CLOCK) == held
        assert page.complaints == []
        assert page.outside() == []


def test_a_page_of_a_robot_shows_passive_joints_in_blue(tmp_path: Path) -> None:
    arm = sd.chain(3, length=0.5)
    path = arm.save_view(tmp_path / "arm.html", passive=["joint_1", "joint_2", "joint_3"], frames=["tip"])
    with opened(path.as_uri(), WINDOW) as page:
        page.wait_for("document.querySelector('canvas') !== null")
        until(page, lambda page: share(pixels(page), (0, 110), (60, 190), (120, 255)) > 0.002)
        assert orange(page) < 0.0005
        assert page.complaints == []
        assert page.outside() == []


def test_a_live_view_draws_and_asks_this_machine_alone() -> None:
    fall = simulate(sd.chain(3, length=0.5), [0.3, 0.2, 0.1], duration=3.0, step=0.01)
    with fall.show(port=0) as view, opened(view.url, WINDOW) as page:
        page.wait_for("document.querySelector('canvas') !== null")
        until(page, lambda page: orange(page) > 0.002)
        assert page.complaints == []
        assert page.outside() == []
        assert any(url.startswith("http://127.0.0.1:") for url in page.requests)


def test_a_slider_in_the_browser_moves_the_robot_and_names_are_text() -> None:
    b = sd.Builder("<img src=x onerror=alert(1)>")
    b.link("<b>arm</b>", sd.Body(1.0, com=(0.5, 0, 0)), axis=(0, 0, 1), joint_name="<i>hinge</i> $x$")
    robot = sd.build(b)
    with robot.show(port=0) as view, opened(view.url, (900, 600)) as page:
        page.wait_for("document.body.innerText.includes('<i>hinge</i> $x$')")
        assert page.value("document.querySelectorAll('img[src=x], b, i').length") == 0
        node = view._scene.actors[0].nodes[-1]
        before = tuple(node.wxyz)
        page.value("document.querySelector('[role=slider]').focus()")
        for kind in 3 * ("keyDown", "keyUp"):
            page.ask("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
        until(page, lambda _: tuple(node.wxyz) != before)
        assert page.outside() == []


def test_charts_follow_the_time_bar(tmp_path: Path) -> None:
    fall = simulate(sd.chain(2, length=0.5), [0.3, 0.2], duration=4.0, step=0.01)
    chart = sd.view.Chart("time <b>", [("t", fall.t, fall.t), ("twice", fall.t, 2 * fall.t)])
    path = sd.view.save_page(tmp_path / "x.html", [("fall", fall)], charts=[chart], sky="dark")
    line = "parseFloat(document.querySelector('#charts .now').getAttribute('x1'))"
    told = "[...document.querySelectorAll('#charts .value')].map(x => parseFloat(x.textContent.split(' ')[1]))"
    with opened(path.as_uri(), (1100, 600)) as page:
        page.wait_for(f"document.querySelector('#root input') !== null && {line} > 0")
        before = page.value(line)
        until(page, lambda page: page.value(line) != before)
        once, twice = page.value(told)
        assert twice == pytest.approx(2 * once, abs=0.02)
        assert page.value("document.querySelectorAll('#charts b').length") == 0
        width = page.value("document.querySelector('canvas').getBoundingClientRect().right")
        assert width <= page.value("document.querySelector('#charts').getBoundingClientRect().left") + 1
        assert page.outside() == []
        assert page.complaints == []


def test_in_a_narrow_window_charts_stand_below_and_every_robot_is_seen(tmp_path: Path) -> None:
    fall = simulate(sd.chain(2, length=0.5), [0.3, 0.2], duration=4.0, step=0.01)
    chart = sd.view.Chart("time", [("t", fall.t, fall.t)])
    shown = [("left", fall), ("middle", fall), ("right", fall)]
    path = sd.view.save_page(tmp_path / "x.html", shown, charts=[chart], title="three", trails=["tip"])
    with opened(path.as_uri(), (500, 800)) as page:
        page.wait_for("document.querySelector('#root input') !== null")
        until(page, lambda page: orange(page) > 0.001)
        scene = page.value("document.querySelector('canvas').getBoundingClientRect().bottom")
        assert scene <= page.value("document.querySelector('#charts').getBoundingClientRect().top") + 1
        assert page.value("document.querySelector('#legend').innerText").split("\n")[0] == "three"
        picture = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB")).astype(int)[: int(scene)]
        red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
        columns = np.flatnonzero(((red > 150) & (green < 0.75 * red) & (blue < 0.6 * red))[120:].any(axis=0))
        assert 5 < columns.min() < 0.45 * 500
        assert 0.55 * 500 < columns.max() < 495
        assert page.complaints == []
