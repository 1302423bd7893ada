"""What notebooks show: well-formed, typeset, and names as text whatever they contain."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from browser import chromium, opened
from soadyn.algebra import H, I_joint, K, T, inv, mass, phi, psi
from soadyn.algebra.identities import IDENTITIES
from soadyn.algebra.operators import OPERATORS
from soadyn.algebra.writing import latex
from soadyn.quantities import QUANTITIES
from soadyn.view.display.curves import Curve, ticks
from soadyn.view.display.curves import svg as chart
from soadyn.view.display.equations import equation
from soadyn.view.display.heat_map import Labels, colour
from soadyn.view.display.heat_map import svg as heat_map
from soadyn.view.display.mathml import mathml

ROBOT, LINK, JOINT = "<script>alert(1)</script> $r$", "<b>arm</b> & $\\frac", "<img src=x onerror=alert(2)> $\\frac$"
MARKUP = {"script", "b", "img", "i"}


@pytest.fixture(scope="module")
def named() -> sd.Robot:
    b = sd.Builder(ROBOT)
    first = b.link(LINK, sd.Body(1.0, com=(1, 0, 0)), axis=(0, 1, 0), joint_name=JOINT)
    b.link("</svg><i>", sd.Body(1.0, com=(1, 0, 0)), parent=first, axis=(0, 1, 0), origin=(1, 0, 0))
    return sd.build(b)


def shown(robot: sd.Robot) -> dict[str, str]:
    """All that has a face in a notebook, of one robot."""
    q = [0.3, 0.1]
    state, fall = robot.at(q, [0.1, 0.2]), sd.simulate(robot, q, duration=0.2, step=0.01)
    proof, refuted = sd.prove((I_joint - H @ psi @ K) @ H @ phi, H @ psi), sd.prove(H @ phi, H @ psi)
    f = sd.compile(inv(mass) @ T, robot)
    things = {
        "robot": robot,
        "state": state,
        "batch": robot.at([q, q]),
        "trajectory": fall,
        "trajectories": sd.simulate(robot, [q, q], duration=0.2, step=0.01),
        "compiled": f,
        "explained formula": sd.explain(f),
        "explained quantity": sd.explain("forward_dynamics", robot),
        "proof": proof,
        "refuted": refuted,
        "mass": robot.mass(q),
        "root": robot.mass(q).root,
        "masses": robot.mass([q, q]),
        "operator": sd.compile(psi, robot)(q),
    }
    return {name: thing._repr_html_() for name, thing in things.items()}


class Reader(HTMLParser):
    """Tags and text of a piece of HTML."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.said = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.said += data


def test_names_with_markup_are_shown_as_text(named: sd.Robot) -> None:
    for name, source in shown(named).items():
        read = Reader(source)
        pictures = source.count("<img") if name in ("trajectory", "trajectories") else 0
        assert pictures <= 1
        assert not read.tags & (MARKUP - {"b"} - ({"img"} if pictures else set())), name
        assert "<b>arm" not in source
        # Dollar signs would begin a formula for the notebook's typesetter, which leaves these elements alone.
        assert source.startswith('<div class="tex2jax_ignore mathjax_ignore">')
        ET.fromstring(source)  # well-formed, so nothing was left open
    views = shown(named)
    for name in ("robot", "state", "trajectory", "mass", "operator"):
        assert ROBOT in Reader(views[name]).said
    for name in ("robot", "state", "mass"):
        assert JOINT in Reader(views[name]).said
    assert LINK in Reader(views["operator"]).said


def test_what_is_shown_is_what_is_there() -> None:
    views = shown(sd.load("planar_two_link"))
    assert "joint1" in views["robot"]
    assert "0.3" in views["state"]
    assert "a batch of shape (2,)" in views["batch"]
    assert views["trajectory"].count("<img") == 1  # that of `plot`
    assert "(2,) motions" in views["trajectories"]
    assert "<svg" not in views["masses"]
    assert "locked less free" in views["proof"]
    assert "refuted" in views["refuted"]
    assert views["mass"].count("<rect") == 4 + 5
    assert views["operator"].count("<rect") == 12 * 12 + 5


# Formulas


def test_every_operator_and_identity_is_typeset() -> None:
    formulas = [*OPERATORS.values(), *(side for row in IDENTITIES.values() for side in (row.left, row.right))]
    for formula in formulas:
        written = mathml(latex(formula))
        ET.fromstring(written)
        assert not re.search(r"[\\{}]", written), formula


def test_every_equation_of_every_recursion_is_typeset() -> None:
    for name in QUANTITIES:
        for line in sd.explain(name)._repr_html_().split("<math")[1:]:
            assert "\\" not in line.split("</math>")[0], (name, line)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (r"\phi^*", "<msup><mi>φ</mi><mo>∗</mo></msup>"),
        (r"\mathcal{E}_\psi^*", "<msubsup><mi>ℰ</mi><mi>ψ</mi><mo>∗</mo></msubsup>"),
        (r"\ddot\theta(k)", None),
        (r"D^{-1}", "<msup><mi>D</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>"),
        (r"\frac{1}{2}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"\tfrac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\sum_j x", "<munder><mo>∑</mo><mi>j</mi></munder><mi>x</mi>"),
        (r"\mathrm{<b>}", "<mtext>&lt;b&gt;</mtext>"),
        (r"\text{of \_a {b}}", "<mtext>of _a {b}</mtext>"),
    ],
)
def test_latex_becomes_mathml(source: str, wanted: str | None) -> None:
    written = mathml(source)
    ET.fromstring(written)
    assert wanted is None or written == f"<math>{wanted}</math>"


@pytest.mark.parametrize(
    "source", ["", "{", "}", "^", "_", "\\", "\\frac", "{{", "a^", "\\text{", "a_b_c^d^e", "\\dot"]
)
def test_broken_latex_is_shown_and_never_refused(source: str) -> None:
    ET.fromstring(mathml(source))


def test_printed_equations_become_latex() -> None:
    assert equation("ε(k) = T(k) - H(k) z(k)") == r"\epsilon(k) = T(k) - H(k) z(k)"
    assert equation("V_frame = D^-1 x") == r"V_{\text{frame}} = D^{-1} x"


# Maps and curves


def test_a_map_tells_sign_size_and_zeros() -> None:
    x = np.array([[2.0, -1.0], [0.0, np.nan]])
    source = heat_map(x, Labels(["a"], [2]), Labels(["b", "c"], [1, 1]))
    ET.fromstring(source)
    assert re.findall(r"<title>(.*?)</title>", source) == ["2", "-1", "0", "nan"]
    assert source.count("<circle") == 1
    red, blue = colour(2.0, 2.0), colour(-1.0, 2.0)
    assert red[0] > red[2]
    assert blue[2] > blue[0]
    assert np.abs(np.subtract(colour(0.25, 2.0), np.add(colour(0.0, 2.0), red) / 2)).max() <= 1  # the cube root of 1/8


def test_a_map_too_large_for_a_notebook_is_not_even_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = sd.chain(40)
    phi_at = sd.compile(phi, arm)(arm.neutral())
    monkeypatch.setattr(type(phi_at), "dense", lambda self: pytest.fail("computed"))
    assert "240 x 240; a map is shown of at most 40000 numbers" in phi_at._repr_html_()


def test_curves_reach_from_the_lowest_to_the_highest_value_on_a_linear_axis() -> None:
    t = np.linspace(0, 1, 1001)
    source = chart("x", [Curve("a", t, t), Curve("b", t, 4 * t)])
    ET.fromstring(source)
    heights = [
        [float(pair.split(",")[1]) for pair in points.split()] for points in re.findall(r'points="(.*?)"', source)
    ]
    a, b = (ys[0] - ys[-1] for ys in heights)
    assert b == pytest.approx(4 * a, rel=0.01)
    assert all(len(ys) <= 402 for ys in heights)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3e-7, 2e-7), (5.0, 5.0), (-1e9, 4e9), (0.99, 1.01)])
def test_ticks_are_few_and_between_the_bounds(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 1 <= len(found) <= 6
    assert all(low - 1e-9 * abs(low) <= x <= high + 1e-9 * abs(high) for x in found)


# Pictures


def test_plots_are_files_or_pictures(named: sd.Robot, tmp_path: Path) -> None:
    """A name that matplotlib would read as a formula, and a broken one at that, is drawn as it stands."""
    pytest.importorskip("matplotlib")
    q = [0.3, 0.1]
    fall = sd.simulate(named, q, duration=0.2, step=0.01)
    assert fall.plot(tmp_path / "fall.svg").stat().st_size > 1000
    for thing in (named.mass(q), sd.compile(psi, named)(q)):
        assert thing.plot()._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    picture = named.mass(q).root.plot()
    assert picture.save(tmp_path / "root.png").is_file()


def test_a_batch_has_no_one_map() -> None:
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ShapeError, match=r"a map shows one matrix, this is a batch of shape \(3,\); choose one q"):
        arm.mass(np.zeros((3, 2))).plot()


@pytest.mark.slow
@pytest.mark.skipif(chromium() is None, reason="no Chromium found; Debian has it as `apt-get install chromium`")
def test_a_browser_typesets_formulas_and_runs_no_names(named: sd.Robot, tmp_path: Path) -> None:
    page_file = tmp_path / "all.html"
    page_file.write_text("<!doctype html><meta charset=utf-8>" + "".join(shown(named).values()), encoding="utf-8")
    with opened(page_file.as_uri()) as page:
        page.wait_for("document.querySelectorAll('math').length > 10")
        assert page.value("[...document.querySelectorAll('math')].every(m => m.getBoundingClientRect().width > 5)")
        assert page.value("document.querySelectorAll('script, img, i').length") == 0
        assert page.value("document.body.innerText").count(ROBOT) > 5
        assert page.outside() == []
        assert page.complaints == []


def test_names_beside_a_map_do_not_overlap() -> None:
    pytest.importorskip("matplotlib")
    flyer, arm = sd.load("dual_arm_flyer"), sd.load("ur5")
    wide = sd.compile(H @ phi, arm)(arm.neutral()).plot()
    for picture in (sd.compile(inv(mass), flyer)(flyer.neutral()).plot(), wide):
        picture._repr_png_()  # lays it out
        (ax,) = picture.figure.axes
        names = [name.get_window_extent() for name in ax.get_yticklabels()]
        assert all(a.y0 >= b.y1 for a, b in pairwise(names))
        feet = [name.get_position()[0] * ax.get_window_extent().width for name in ax.get_xticklabels()]
        assert all(b > a for a, b in pairwise(feet))
        assert "cube root" in picture.figure.legends[0].get_title().get_text()
    width, height = wide.figure.get_size_inches()
    assert width > 2 * height  # 6 rows and 36 columns


def test_a_map_in_the_papers_order_has_its_names_in_that_order() -> None:
    pytest.importorskip("matplotlib")
    arm = sd.load("ur5")
    picture = sd.compile(phi, arm)(arm.neutral()).plot(order="paper")
    (ax,) = picture.figure.axes
    assert [name.get_text() for name in ax.get_yticklabels()] == list(arm.link_names[::-1])
    with pytest.raises(sd.ArgumentError, match='order is "storage" or "paper"'):
        sd.compile(phi, arm)(arm.neutral()).plot(order="tips")  # type: ignore[arg-type]
