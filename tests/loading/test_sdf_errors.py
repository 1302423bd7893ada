"""Every complaint about an SDF file: provoked, with its words, its file and its line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from test_left_out import quietly

from sdf_cases import ARM, CHANGES
from sdf_models import joint, link, sdf
from soadyn.errors import ModelError
from soadyn.loading import load_model
from soadyn.loading.sdf_frames import LONGEST_CHAIN
from soadyn.model.left_out import MOST_NOTES


def load(path: Path, text: str, **options: Any) -> Any:
    file = path / "arm.sdf"
    file.write_text(text)
    return load_model(file, **options)


@pytest.mark.parametrize("change", CHANGES)
def test_a_spoilt_file_is_refused_with_file_and_line(change: str, tmp_path: Path) -> None:
    old, new, words = CHANGES[change]
    assert old in ARM
    text = ARM.replace(old, new)
    assert text != ARM
    with pytest.raises(ModelError, match=words) as raised:
        load(tmp_path, text)
    assert re.match(r".*arm\.sdf:\d+: ", str(raised.value))


def test_the_unspoilt_file_loads(tmp_path: Path) -> None:
    assert load(tmp_path, ARM).joint_names == ("root", "shoulder", "elbow")


def test_frames_in_frames_end() -> None:
    frames = "".join(
        f'<frame name="f{k}"><pose relative_to="{f"f{k - 1}" if k else "a"}"/></frame>'
        for k in range(LONGEST_CHAIN + 5)
    )
    with pytest.raises(ModelError, match=rf"frame 'f\d+' stands in more than {LONGEST_CHAIN} frames"):
        load_model(sdf(link("a") + frames))


def test_models_in_models_end() -> None:
    text = sdf('<model name="m">' * 1000 + link("a") + "</model>" * 1000)
    with pytest.raises(ModelError, match="elements are nested more than 500 deep"):
        load_model(text)


# An addition to ARM's <model>, and what is said of it.
ADDED = {
    "weightless": (
        '<link name="x"><gravity>0</gravity></link>' + joint("jx", "fixed", "base", "x", axis=""),
        '<gravity> of <link name="x"> is left out: it is heavy',
    ),
    "kinematic": (
        '<link name="x"><kinematic>1</kinematic></link>' + joint("jx", "fixed", "base", "x", axis=""),
        '<kinematic> of <link name="x"> is left out: it moves as',
    ),
    "decay": (
        '<link name="x"><velocity_decay><linear>0.1</linear></velocity_decay></link>'
        + joint("jx", "fixed", "base", "x", axis=""),
        '<velocity_decay> of <link name="x"> is left out: nothing resists',
    ),
    "wind": ("<enable_wind>true</enable_wind>", ", which feels the wind, is left out: nothing resists"),
    "misspelt": ("<sttic>1</sttic>", '<sttic> of <model name="arm"> is left out: it is not an element of SDF'),
    "in an axis": (
        link("x") + joint("jx", "revolute", "base", "x", inside="<dynmics/>"),
        '<dynmics> of <joint name="jx"> is left out: it is not an element of SDF',
    ),
    "plugin": ('<plugin name="p" filename="p.so"/>', '<plugin name="p"> is left out: it does nothing'),
    "second mimic": (
        link("x")
        + joint(
            "jx", "revolute", "base", "x", inside='<mimic joint="elbow" axis="axis2"><multiplier>1</multiplier></mimic>'
        ),
        '<mimic> of <joint name="jx"> is left out: the axis turns by itself',
    ),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_an_sdf_file_says_and_is_not_read_is_named_with_its_line(name: str) -> None:
    more, said = ADDED[name]
    model, told = quietly(ARM.replace("</model>", more + "</model>"))
    (note,) = model.left_out
    assert re.match(r"<string>:\d+: ", note)
    assert said in note
    warned = name in ("weightless", "kinematic", "decay", "wind", "second mimic")
    assert sum("not modelled and left out" in words for words in told) == warned
    if name != "plugin":
        with pytest.raises(ModelError, match=r"the file says more than soadyn models: 1 .*strict=True"):
            load_model(ARM.replace("</model>", more + "</model>"), strict=True)


def test_notes_of_hostile_sdf_files_are_few_and_short() -> None:
    model, _ = quietly(ARM.replace("</model>", f'<plugin name="{"x" * 100_000}"/>' + "<plugin/>" * 50_000 + "</model>"))
    assert len(model.left_out) == MOST_NOTES + 1
    assert max(map(len, model.left_out)) < 300


def test_text_between_tags_costs_no_more_than_the_file() -> None:
    """Twenty megabytes of text in one element, and a million pieces of it."""
    with pytest.raises(ModelError, match="is not a finite number") as raised:
        load_model(ARM.replace("<mass>2", "<mass>" + "x" * (20 * 2**20)))
    assert len(str(raised.value)) < 500
    with pytest.raises(ModelError, match="expected one number, found 100000"):
        load_model(ARM.replace("<mass>2", "<mass>" + "1<!-- --> " * 100_000))


def test_a_ring_of_ten_thousand_links_is_quick() -> None:
    n = 10_000
    links = "".join(f'<link name="l{k}"/>' for k in range(n))
    joints = "".join(joint(f"j{k}", "revolute", f"l{k}", f"l{(k + 1) % n}") for k in range(n))
    model, _ = quietly(sdf(links + joints))
    assert [closure.name for closure in model.closures] == [f"j{n - 1}"]
