"""Every complaint about a URDF: provoked, with its words, its file and its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import document, load_model
from urdf_cases import ARM, CHANGES, IMPOSSIBLE


def load(path: Path, text: str | bytes, **options: Any) -> Any:
    file = path / "arm.urdf"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_model(file, **options)


# What is changed in the arm, what it is changed to, what is said.


@pytest.mark.parametrize("change", CHANGES)
def test_a_spoilt_file_is_refused_with_file_and_line(change: str, tmp_path: Path) -> None:
    old, new, words = CHANGES[change]
    assert old in ARM
    text = ARM.replace(old, new)
    assert text != ARM
    with pytest.raises(ModelError, match=words) as raised:
        load(tmp_path, text)
    assert "arm.urdf" in str(raised.value)


def test_the_unspoilt_file_loads(tmp_path: Path) -> None:
    assert load(tmp_path, ARM).link_names == ("upper", "lower")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "arm.urdf is empty; expected a URDF, SDF or MJCF file"),
        (b" \n\t\n", "arm.urdf is empty"),
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 30,
            "arm.urdf is binary; expected a URDF, SDF or MJCF file, which are XML text",
        ),
        (b"\x1f\x8b\x08junk", r"arm\.urdf:1: this is not XML \(.*invalid token.*\)"),
        (b"solid mesh\nfacet normal 0 0 1\n", r"arm\.urdf:1: this is not XML"),
        (b"<?xml version='1.0'?>\n<!-- nothing -->\n", r"arm\.urdf:3: this is not XML \(no element found\)"),
        (
            ARM[: ARM.index('iyy="0.1"')].encode(),
            r"arm\.urdf:7: the file ends inside <inertial>, opened at line 4; it seems truncated",
        ),
        (ARM[: ARM.index("</robot>")].encode(), r"the file ends inside <robot name=\"arm\">, opened at line 1"),
        (b"<?xml version='1.0' encoding='klingon'?><robot/>", r"arm\.urdf:1: .*encoding"),
        (b"<?xml version='1.0' encoding='utf-7'?><robot/>", r"arm\.urdf:1: .*encoding"),
        (b'<robot name="\xff\xfe"/>', r"arm\.urdf:1: (this is not XML|not well-formed)"),
    ],
)
def test_what_is_not_xml_is_called_so(data: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=words):
        load(tmp_path, data)


def test_an_entity_bomb_is_refused_before_it_grows(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "boom"}">' for k in range(12))
    with pytest.raises(ModelError, match=r"arm\.urdf:1: the file has a DOCTYPE, through which entities could blow up"):
        load(tmp_path, f"<!DOCTYPE robot [{entities}]><robot name='&e11;'/>")


def test_an_external_entity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="DOCTYPE"):
        load(tmp_path, '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>')


def test_a_hundred_megabytes_are_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    with open(file, "wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(ModelError, match=r"arm\.urdf has 100 MB; robot files of more than 64 MB are refused"):
        load_model(file)


def test_text_is_bounded_too() -> None:
    with pytest.raises(ModelError, match="<string> has 65 MB"):
        load_model("<robot>" + " " * (65 * 2**20))


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"arm\.urdf:1: elements are nested more than 500 deep"):
        load(tmp_path, "<robot>" + "<a>" * 100_000)


def test_a_million_elements_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_ELEMENTS", 1000)
    with pytest.raises(ModelError, match=r"arm\.urdf:1: the file has more than 1000 elements"):
        load(tmp_path, "<robot>" + "<a/>" * 2000)


def test_a_tag_of_megabytes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="a tag or comment is longer than 4 MB"):
        load(tmp_path, "<robot " + " ".join(f'a{k}=""' for k in range(2_000_000)) + "/>")


def test_an_impossible_inertia_is_warned_of_and_noted(tmp_path: Path) -> None:
    with pytest.warns(
        ModelWarning, match=r"arm\.urdf:3: link 'upper' has a physically impossible inertia: .*triangle inequality"
    ):
        model = load(tmp_path, IMPOSSIBLE)
    assert "impossible" in model.notes[0]


def test_an_impossible_inertia_is_refused_when_strict(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"arm\.urdf:3: .*0\.1 \+ 0\.1 < 0\.9\) \(refused because strict=True\)"):
        load(tmp_path, IMPOSSIBLE, strict=True)


def with_mimic(*rules: tuple[str, str]) -> str:
    text = ARM
    for joint, leader in rules:
        child = {"shoulder": '<child link="upper"/>', "elbow": '<child link="lower"/>'}[joint]
        text = text.replace(child, child + f'<mimic joint="{leader}" multiplier="2" offset="0.5"/>')
    return text


def test_mimic_joints_are_independent_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(ModelWarning, match="mimic joints elbow are treated as independent"):
        assert load(tmp_path, with_mimic(("elbow", "shoulder"))).ties == ()


def test_mimic_joints_can_be_tied(tmp_path: Path) -> None:
    (tie,) = load(tmp_path, with_mimic(("elbow", "shoulder")), mimic="tie").ties
    assert (tie.joint, tie.leader, tie.multiplier, tie.offset) == (2, 1, 2.0, 0.5)


def test_mimic_circles_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"arm\.urdf:11: mimic joints form a circle: shoulder -> elbow -> shoulder"):
        load(tmp_path, with_mimic(("elbow", "shoulder"), ("shoulder", "elbow")), mimic="tie")


def test_an_unknown_leader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"arm\.urdf:18: mimic joint 'elbow': unknown moving joint 'sholder'\. Did you mean"
    ):
        load(tmp_path, with_mimic(("elbow", "sholder")), mimic="tie")


def test_mimic_on_a_fixed_joint_is_ignored(tmp_path: Path) -> None:
    text = with_mimic(("elbow", "nobody")).replace('type="continuous"', 'type="fixed"')
    assert load(tmp_path, text, mimic="tie").ties == ()
