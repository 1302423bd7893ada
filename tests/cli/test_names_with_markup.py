"""Names that a terminal, a page, a plot or C could take for something else are shown as they are; what nobody would
see of them is spelled out."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

import soadyn as sd
from soadyn.cli import main
from soadyn.errors import visible, warn_caller

NAME, LINK, JOINT = "[/red] [bold]x[/bold] <b>*/ $y$", "[link=http://x]arm[/link] */", "[/] hinge $\\frac$ <i>"
COMMANDS = {
    "info": ("info", "robot.urdf"),
    "check": ("check", "robot.urdf", "--states", "2"),
    "explain": ("explain", "mass_matrix", "robot.urdf"),
    "simulate": ("simulate", "robot.urdf", "--duration", "0.02", "--step", "0.01", "--out", "run.npz"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    link = f"""<link name={_quoted(LINK)}><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    joint = f"""<joint name={_quoted(JOINT)} type="continuous"><parent link="base"/><child link={_quoted(LINK)}/>
      <axis xyz="0 1 0"/></joint>"""
    text = f"""<robot name={_quoted(NAME)}><link name="base"/>{link}{joint}</robot>"""
    (tmp_path / "robot.urdf").write_text(text, encoding="utf-8")
    return tmp_path


def _quoted(name: str) -> str:
    return f'"{escape(name)}"'


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.heavy(2)
def test_a_command_prints_names_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(COMMANDS[command]))
    assert ended.value.code == 0
    assert NAME in capsys.readouterr().out


def test_a_robot_that_cannot_move_is_named_as_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "still.urdf").write_text('<robot name="[/red]x"><link name="base"/></robot>')
    with pytest.raises(SystemExit):
        main(["check", "still.urdf"])
    assert "'[/red]x' has no moving joint" in capsys.readouterr().out


# Turned around, a new line, a bell of ISO 6429, of no width, a tag beyond the first plane.
UNSEEN = "\u202egnp\u2028\x9b2J\u200b\U000e0041.exe"
SPELLED = r"\u202egnp\u2028"  # as in Python's own quotes, which differ in the others


def assert_nothing_hidden(text: str) -> None:
    assert SPELLED in text
    assert not {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n", "\t"}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_nobody_would_see_of_a_name_is_spelled_out(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    file = folder / "robot.urdf"
    text = file.read_text(encoding="utf-8")
    for name in (NAME, LINK, JOINT):
        text = text.replace(_quoted(name), _quoted(UNSEEN))
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(list(COMMANDS[command]))
    assert ended.value.code == 0
    assert_nothing_hidden(capsys.readouterr().out)


@pytest.mark.parametrize(
    "words", [(UNSEEN,), ("info", "ur5", f"--{UNSEEN}"), ("study", UNSEEN), ("check", "ur5", "--states", UNSEEN)]
)
def test_words_of_the_command_line_are_spelled_out(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert_nothing_hidden("".join(line.strip("│ ") for line in capsys.readouterr().err.splitlines()))


def test_names_in_json_are_read_back_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robot.urdf").write_text(f'<robot name="{UNSEEN}"><link name="base"/></robot>', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["info", "robot.urdf", "--json"])
    printed = capsys.readouterr().out
    assert_nothing_hidden(printed)
    assert json.loads(printed)["name"] == UNSEEN


def test_errors_and_warnings_spell_it_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert_nothing_hidden(str(sd.ModelError(f"{UNSEEN}: broken\n\there")))
    with pytest.warns(sd.ModelWarning) as told:
        warn_caller(f"drawn without {UNSEEN}", sd.ModelWarning)
    assert_nothing_hidden(str(told[0].message))
    with pytest.raises(SystemExit) as ended:
        main(["info", f"{UNSEEN}.urdf"])
    assert ended.value.code == 2
    assert_nothing_hidden(capsys.readouterr().err)


def test_letters_of_all_languages_and_halves_of_letters() -> None:
    assert visible("φ̇ Ellenbogen 関節 مفصل\u00a0🤖\n\tx") == "φ̇ Ellenbogen 関節 مفصل\u00a0🤖\n\tx"
    assert visible(UNSEEN) == r"\u202egnp\u2028\u009b2J\u200b\udb40\udc41.exe"
    assert visible("\ud800\r\x7f") == r"\ud800\u000d\u007f"
