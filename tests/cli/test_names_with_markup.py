"""Names that a terminal, a page, a plot or C could take for something else are shown as they are."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from soadyn.cli import main

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
