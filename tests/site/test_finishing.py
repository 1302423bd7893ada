"""Written pages: where names may break, what only a live notebook shows; groups of members; stills."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import soadyn as sd


@pytest.fixture(autouse=True)
def parts_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "docs"))


def body(text: str) -> str:
    pytest.importorskip("sphinx")
    from site_parts.finishing import finished

    context = {"body": text}
    finished(None, "page", "page.html", context, None)  # type: ignore[arg-type]
    return context["body"]


def test_names_in_tables_may_break_after_dots_underscores_and_at_humps() -> None:
    told = body('<table><span class="pre">computeGeneralizedGravity</span><span class="pre">LOCAL_WORLD_ALIGNED</span>')
    assert "<wbr>" not in told  # a table that does not end is left alone
    told = body('<table><code><span class="pre">computeGeneralizedGravity(a_b)</span></code></table>')
    assert "compute<wbr>Generalized<wbr>Gravity(<wbr>a_<wbr>b)" in told


def test_names_outside_tables_stay_whole() -> None:
    assert "<wbr>" not in body('<p><span class="pre">computeGeneralizedGravity</span></p>')


def test_addresses_of_views_are_left_out_of_written_pages() -> None:
    pytest.importorskip("viser")
    with sd.load("planar_two_link").show(port=0) as view:
        html = view._repr_html_()
        assert view.url in html
        assert view.url not in body(html)


def test_every_member_of_a_robot_has_a_group() -> None:
    from site_parts.reference import _members
    from site_parts.robot_groups import OTHERS, grouped

    groups = grouped(list(_members("soadyn.Robot", sd.Robot)))
    assert OTHERS not in groups, groups[OTHERS]
    assert "mass_matrix" in groups["Dynamics"]
    assert "lower" in groups["What it is"]


def test_a_still_shows_a_robot_where_the_camera_sees_it() -> None:
    pytest.importorskip("PIL")
    from rendering import still

    arm = sd.load("planar_two_link")
    picture = np.asarray(still([("", arm.at([0.5, 0.4]))], 80, 60, {}))
    assert picture.shape == (60, 80, 4)
    seen = picture[..., 3] > 128
    assert 0.002 < seen.mean() < 0.5
    assert not seen[0].any()
    assert not seen[:, 0].any()
    assert not seen[:, -1].any()
