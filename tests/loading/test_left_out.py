"""What files say and robots do without: named with file and line, warned of once, refused if strict."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from soadyn.errors import ModelError
from soadyn.loading import load_model
from soadyn.loading.left_out import MJCF_KINDS, URDF_KINDS
from soadyn.loading.sdf_left_out import SDF_KINDS
from soadyn.model import surgery
from soadyn.model.draft import LeftOutKind
from soadyn.model.left_out import MOST_NOTES
from soadyn.model.model import Model
from urdf_cases import ARM

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "robots.md"

FOURBAR = """<mujoco model="fourbar">
  <worldbody>
    <body name="crank"><joint name="a" axis="0 1 0"/><geom size=".1"/>
      <body name="rod" pos="0 0 .2"><joint name="b" axis="0 1 0"/><geom size=".1"/>
        <body name="rocker" pos=".5 0 0"><joint name="c" axis="0 1 0"/><geom size=".1"/></body></body></body>
  </worldbody>
  <equality>
    <connect name="close" body1="rocker" body2="world" anchor="0 0 -.3"/>
  </equality>
</mujoco>"""

# An addition to ARM's <robot>, and what is said of it.
URDF = {
    "loop": ('<loop_joint name="close" type="revolute"/>', '<loop_joint name="close"> is left out: the loop'),
    "gazebo_loop": ('<gazebo><joint name="close"/></gazebo>', '<joint name="close"> in <gazebo> is left out: the loop'),
    "gazebo": ('<gazebo reference="upper"><turnGravityOff/></gazebo>', '<turnGravityOff> of "upper" is left out'),
    "transmission": ('<transmission name="belt"/>', '<transmission name="belt"> is left out: forces act at the joints'),
    "unknown": ('<spring name="s"/>', '<spring name="s"> is left out: it is not an element of URDF'),
}
IN_JOINT = {
    "safety": (
        '<safety_controller k_velocity="3"/>',
        '<safety_controller> of <joint name="elbow"> is left out: no soft',
    ),
    "calibration": ('<calibration rising="0"/>', '<calibration> of <joint name="elbow"> is left out: joint positions'),
    "misspelt": ('<dynamic damping="3"/>', '<dynamic> of <joint name="elbow"> is left out: it is not an element'),
    "attribute": (
        '<dynamics dampling="3"/>',
        "attribute 'dampling' of <dynamics> of <joint name=\"elbow\"> is left out: it is not an attribute",
    ),
}
# An addition to FOURBAR, and what is said of it.
MJCF = {
    "tendon": ('<tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>', '<fixed name="t"> is left out'),
    "motor": ('<actuator><motor name="m" joint="a" gear="50"/></actuator>', '<motor name="m"> is left out: forces act'),
    "servo": ('<actuator><position joint="a"/></actuator>', "<position> is left out"),
    "pair": ('<contact><pair geom1="x" geom2="y"/></contact>', "<pair> is left out: nothing touches"),
    "fluid": ('<option viscosity="1"/>', "viscosity of the fluid around the robot is left out"),
    "springs": ('<option><flag spring="disable"/></option>', 'flag spring="disable" is left out'),
}


def quietly(text: str) -> tuple[Model, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = load_model(text)
    return model, [str(warning.message) for warning in caught]


def elbow_with(more: str) -> str:
    start = ARM.index('<joint name="elbow"')
    end = ARM.index("</joint>", start)
    return ARM[:end] + more + ARM[end:]


def in_urdf(name: str) -> tuple[str, str]:
    more, said = (URDF | IN_JOINT)[name]
    return (elbow_with(more) if name in IN_JOINT else ARM.replace("</robot>", more + "</robot>")), said


@pytest.mark.parametrize("name", URDF | IN_JOINT)
def test_what_a_urdf_says_and_is_not_read_is_named_with_its_line(name: str) -> None:
    text, said = in_urdf(name)
    model, told = quietly(text)
    (note,) = model.left_out
    assert re.match(r"<string>:\d+: ", note)
    assert said in note
    assert note in model.notes
    assert len(told) == (name in ("loop", "gazebo_loop", "gazebo"))
    assert model == load_model(ARM)
    if name == "calibration":
        load_model(text, strict=True)
    else:
        with pytest.raises(ModelError, match=r"the file says more than soadyn models: 1 .*strict=True"):
            load_model(text, strict=True)


def test_a_whole_urdf_loads_if_strict() -> None:
    extras = '<gazebo reference="upper"><mu1>1</mu1></gazebo><material name="red"/><my:own name="x"/>'
    text = ARM.replace("<robot", '<robot xmlns:my="http://x.y"', 1).replace("</robot>", extras + "</robot>")
    assert not load_model(text, strict=True).left_out


def test_a_loop_is_closed_unless_it_is_opened_on_request() -> None:
    pytest.importorskip("mujoco")
    model, told = quietly(FOURBAR)
    assert not told
    assert [closure.name for closure in load_model(FOURBAR, strict=True).closures] == ["close"]
    opened = load_model(FOURBAR, closures=False, strict=True)
    assert opened.left_out == ("<string>:8: closure 'close' is left out: closures=False was asked for; it is open",)
    assert opened == replace(model, closures=())


@pytest.mark.parametrize("switch", ['active="false" name', "flag"])
def test_an_equality_that_is_off_changes_nothing(switch: str) -> None:
    pytest.importorskip("mujoco")
    flag = '<option><flag equality="disable"/></option></mujoco>'
    text = (
        FOURBAR.replace("</mujoco>", flag) if switch == "flag" else FOURBAR.replace("connect name", f"connect {switch}")
    )
    model, told = quietly(text)
    assert not told
    assert not model.closures
    assert model.notes == ("<string>: 1 closures are off (close); robot.with_closures(on=...) switches them on",)
    load_model(text, strict=True)


@pytest.mark.parametrize("name", MJCF)
def test_what_an_mjcf_file_says_and_is_not_read_is_named_with_its_line(name: str) -> None:
    pytest.importorskip("mujoco")
    more, said = MJCF[name]
    text = re.sub(r"<equality>.*</equality>", more, FOURBAR, flags=re.DOTALL)
    text = text.replace("<geom size", '<geom name="x" size', 1).replace("<geom size", '<geom name="y" size', 1)
    model, told = quietly(text)
    (note,) = model.left_out
    assert note.startswith("<string>:7: ")
    assert said in note
    assert len(told) == 1
    with pytest.raises(ModelError, match=r"the file says more than soadyn models: 1 "):
        load_model(text, strict=True)


def test_constraints_that_mujoco_makes_itself_are_counted() -> None:
    pytest.importorskip("mujoco")
    more = (
        '<flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2"><edge equality="true"/></flexcomp>'
    )
    model, _ = quietly(FOURBAR.replace("</worldbody>", f"{more}</worldbody>"))
    assert '<string>:6: <flexcomp name="cloth"> is left out' in "\n".join(model.left_out)
    assert "constraint 'equality2' is left out: what it holds together moves freely" in "\n".join(model.left_out)


def test_notes_of_hostile_files_are_few_and_short() -> None:
    name = "x" * 100_000
    text = ARM.replace("</robot>", f'<transmission name="{name}"/>' + "<transmission/>" * 100_000 + "</robot>")
    model, _ = quietly(text)
    assert len(model.left_out) == MOST_NOTES + 1
    assert model.left_out[-1].startswith("<string>: 99951 more transmissions left out: forces act")
    assert max(map(len, model.left_out)) < 300
    with pytest.raises(ModelError, match="100001 transmissions") as refused:
        load_model(text, strict=True)
    assert len(str(refused.value)) < 400


def test_letters_that_steer_a_terminal_are_spelled_out_in_notes() -> None:
    model, _ = quietly(ARM.replace("</robot>", '<transmission name="&#x202e;&#x85;&#x2028;&#10;"/></robot>'))
    (note,) = model.left_out
    assert note.isprintable()
    assert r"\u202e\u0085\u2028\n" in note


def test_attached_robots_bring_what_they_do_without() -> None:
    hand = load_model(ARM.replace("</robot>", '<transmission name="belt"/></robot>'))
    both = surgery.attach(load_model(ARM), hand, "lower", name_prefix="hand_")
    assert both.left_out == hand.left_out


def rows(heading: str) -> list[list[str]]:
    """The cells of the guide's table under a heading."""
    text = GUIDE.read_text(encoding="utf-8").split(f"### {heading}")[1].split("\n#")[0]
    return [[cell.strip() for cell in line.split(" | ")] for line in text.splitlines() if line.startswith("| ")][1:]


def row(kind: LeftOutKind) -> list[str]:
    warned = "yes" if kind.moves else "no"
    refused = "yes" if kind.matters else "no"
    return [f"| {kind.many}: {kind.found}", kind.instead.replace("<limit>", "`<limit>`"), warned, f"{refused} |"]


@pytest.mark.parametrize(("heading", "kinds"), [("URDF", URDF_KINDS), ("SDF", SDF_KINDS), ("MJCF", MJCF_KINDS)])
def test_the_guide_names_exactly_what_is_left_out(heading: str, kinds: tuple[LeftOutKind, ...]) -> None:
    assert rows(heading) == [row(kind) for kind in kinds]
