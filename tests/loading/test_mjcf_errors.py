"""MJCF that is refused: by us before MuJoCo sees it, or by MuJoCo."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import pytest

from mjcf_models import MJCF_MODELS
from soadyn.errors import ModelError, SoadynError
from soadyn.loading import load_model

pytest.importorskip("mujoco")

BODY = '<body name="{}"><joint name="{}_turn"/><geom size="0.1"/></body>'
TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """robot/ with parts inside, and a part and a mesh outside."""
    (tmp_path / "robot/parts").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "robot/parts/arm.xml").write_text(f"<part>{BODY.format('arm', 'arm')}</part>")
    (tmp_path / "outside/leg.xml").write_text(f"<part>{BODY.format('leg', 'leg')}</part>")
    for name in ("robot/parts/solid.obj", "outside/solid.obj"):
        (tmp_path / name).write_text(TRIANGLES)
    return tmp_path


def model_file(folder: Path, worldbody: str = "", top: str = "") -> Path:
    file = folder / "robot/model.xml"
    file.write_text(f"<mujoco>\n{top}\n<worldbody>\n{BODY.format('base', 'base')}{worldbody}</worldbody>\n</mujoco>")
    return file


def mesh(file: str, compiler: str = "") -> dict[str, str]:
    return {
        "top": f'{compiler}<asset><mesh name="m" file="{file}"/></asset>',
        "worldbody": '<body name="b"><joint/><geom type="mesh" mesh="m"/></body>',
    }


def test_includes_inside_the_folder_are_read(folder: Path) -> None:
    file = model_file(folder, '<include file="parts/arm.xml"/>')
    assert load_model(file).link_names == ("base", "arm")


def test_meshes_inside_the_folder_are_read(folder: Path) -> None:
    assert load_model(model_file(folder, **mesh("parts/solid.obj"))).n == 2
    assert load_model(model_file(folder, **mesh("solid.obj", '<compiler meshdir="parts"/>'))).n == 2
    assert (
        load_model(model_file(folder, **mesh("/far/away/solid.obj", '<compiler meshdir="parts" strippath="true"/>'))).n
        == 2
    )


@pytest.mark.parametrize("name", ["model.mjcf", "model", "model.txt", "model.urdf"])
@pytest.mark.heavy(2)
def test_the_files_name_does_not_matter(name: str, folder: Path) -> None:
    file = model_file(folder, **mesh("parts/solid.obj")).rename(folder / "robot" / name)
    assert load_model(file).n == 2


def test_a_file_of_any_name_can_include_others(folder: Path) -> None:
    file = model_file(folder, '<include file="parts/arm.xml"/>').rename(folder / "robot/model.mjcf")
    assert load_model(file).link_names == ("base", "arm")


def test_folders_named_by_the_caller_are_allowed(folder: Path) -> None:
    file = model_file(folder, '<include file="../outside/leg.xml"/>')
    assert load_model(file, package_roots=[folder / "outside"]).link_names == ("base", "leg")


@pytest.mark.parametrize(
    "uri", ["../outside/leg.xml", r"..\outside\leg.xml", "parts/../../outside/leg.xml", "/etc/passwd"]
)
def test_includes_that_leave_the_folder_are_refused(uri: str, folder: Path) -> None:
    file = model_file(folder, f'\n<include file="{uri}"/>')
    with pytest.raises(ModelError, match=r"model\.xml:5: path '.*' leaves the allowed folders \(.*robot\)"):
        load_model(file)


def test_includes_of_includes_are_looked_at(folder: Path) -> None:
    (folder / "robot/parts/arm.xml").write_text('<part>\n<include file="../outside/leg.xml"/></part>')
    with pytest.raises(ModelError, match=r"arm\.xml:2: path '\.\./outside/leg\.xml' leaves the allowed folders"):
        load_model(model_file(folder, '<include file="parts/arm.xml"/>'))


def test_links_that_lead_out_are_refused(folder: Path) -> None:
    (folder / "robot/parts/sly.xml").symlink_to(folder / "outside/leg.xml")
    with pytest.raises(ModelError, match=r"path 'parts/sly\.xml' leaves the allowed folders"):
        load_model(model_file(folder, '<include file="parts/sly.xml"/>'))


@pytest.mark.parametrize(
    ("uri", "compiler"),
    [
        ("../outside/solid.obj", ""),
        ("solid.obj", '<compiler meshdir="../outside"/>'),
        ("solid.obj", '<compiler assetdir="../outside"/>'),
        ("solid.obj", '<compiler meshdir="parts"/><compiler meshdir="/etc"/>'),
        ("/etc/passwd", ""),
    ],
)
def test_meshes_that_leave_the_folder_are_refused(uri: str, compiler: str, folder: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.xml:2: path '.*' leaves the allowed folders"):
        load_model(model_file(folder, **mesh(uri, compiler)))


@pytest.mark.parametrize("attribute", ["file", "fileright", "fileback"])
def test_textures_that_leave_the_folder_are_refused(attribute: str, folder: Path) -> None:
    top = f'<asset><texture name="t" type="cube" {attribute}="../secret.png"/></asset>'
    with pytest.raises(ModelError, match=r"path '\.\./secret\.png' leaves the allowed folders"):
        load_model(model_file(folder, top=top))


def test_submodels_are_looked_at(folder: Path) -> None:
    (folder / "robot/parts/sub.xml").write_text(
        '<mujoco><asset><mesh name="m" file="../../outside/solid.obj"/></asset><worldbody/></mujoco>'
    )
    file = model_file(folder, top='<asset><model name="sub" file="parts/sub.xml"/></asset>')
    with pytest.raises(ModelError, match=r"sub\.xml:1: path '\.\./\.\./outside/solid\.obj' leaves"):
        load_model(file)


def test_other_addresses_are_refused(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"'http://example\.org/a\.obj' is not a plain path"):
        load_model(model_file(folder, **mesh("http://example.org/a.obj")))


def test_an_included_doctype_is_refused(folder: Path) -> None:
    (folder / "robot/parts/arm.xml").write_text("<!DOCTYPE part><part/>")
    with pytest.raises(ModelError, match=r"arm\.xml:1: the file has a DOCTYPE"):
        load_model(model_file(folder, '<include file="parts/arm.xml"/>'))


def test_an_include_without_file_is_refused(folder: Path) -> None:
    with pytest.raises(ModelError, match=r'model\.xml:4: <include> has no attribute "file"; it is required'):
        load_model(model_file(folder, "<include/>"))


def test_text_cannot_refer_to_files() -> None:
    with pytest.raises(
        ModelError, match=r"<string>:1: <include> refers to the file \'x\.xml\', but XML given as text has no folder"
    ):
        load_model('<mujoco><include file="x.xml"/></mujoco>')


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ("<mujoco>\n<worldbody><bady/></worldbody></mujoco>", "<string>:2: MuJoCo refuses the file: .*bady"),
        (
            "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
            "MuJoCo refuses the file: .*mass and inertia",
        ),
        ("<mujoco><worldbody/></mujoco>", "<string>:1: robot '.*' has no <body> elements"),
        ("<mujoco><worldbody><body></worldbody></mujoco>", "<string>:1: not well-formed XML, mismatched tag"),
        (MJCF_MODELS["pendulum"].replace('mass="2"', 'mass="-2"'), "MuJoCo refuses the file"),
        (MJCF_MODELS["pendulum"].replace('axis="0 1 0"', 'axis="0 0 0"'), "MuJoCo refuses the file"),
        (MJCF_MODELS["pendulum"].replace('"0.1 0.2 0.25"', '"0.1 0.2 0.9"'), "MuJoCo refuses the file: .*inertia"),
    ],
)
def test_what_mujoco_or_we_cannot_read_is_explained(xml: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        load_model(xml)


JOINTED = """<mujoco>
<option gravity="0 0 -9.81"/>
<worldbody>
<body name="inf" pos="0 0 1" quat="1 0 0 0">
<joint name="nan" axis="0 1 0" pos="0 0 0" ref="0" range="-1 1"/>
<geom size="0.1" pos="0 0 0"/>
<site name="tip" pos="0 0 1"/>
</body></worldbody></mujoco>"""


@pytest.mark.parametrize("word", ["nan", "-inf", "1e400", "NaN(ind)", "Infinity"])
@pytest.mark.parametrize(
    ("place", "line"),
    [
        ('gravity="0 0 -9.81"', 2),
        ('pos="0 0 1" quat', 4),
        ('quat="1 0 0 0"', 4),
        ('axis="0 1 0"', 5),
        ('ref="0"', 5),
        ('size="0.1"', 6),
        ('pos="0 0 1"/>', 7),
    ],
)
def test_numbers_that_are_not_finite_are_refused_with_their_line(place: str, line: int, word: str) -> None:
    changed = place.replace("0 ", f"{word} ", 1) if "0 " in place else re.sub(r'"[0-9.]+"', f'"{word}"', place)
    with pytest.raises(ModelError, match=rf"<string>:{line}: .* has \w+=\".*\"; '{re.escape(word)}' is not a finite"):
        load_model(JOINTED.replace(place, changed))


def test_names_may_read_like_numbers() -> None:
    model = load_model(JOINTED)
    assert (model.link_names, model.joint_names) == (("inf",), ("nan",))


def test_an_infinite_range_is_no_limit() -> None:
    joint = load_model(JOINTED.replace('range="-1 1"', 'range="-inf inf" limited="true"')).joints[0]
    assert (joint.lower, joint.upper) == ((-math.inf,), (math.inf,))


@pytest.mark.parametrize(("old", "new"), [("0 0 1", "0 0 1e308"), ('size="0.1"', 'size="0.1" density="1e308"')])
def test_numbers_that_overflow_on_the_way_are_refused(old: str, new: str) -> None:
    again = JOINTED.replace("<site", '<body pos="0 0 1e308"><geom size="1"/></body><site').replace(old, new)
    with pytest.raises(ModelError, match=r"overflow|MuJoCo refuses|finite"):
        load_model(again)


def test_two_joints_to_the_ground_cannot_have_a_free_root() -> None:
    with pytest.raises(ModelError, match=r'hangs on the ground by joints .*; root="free" needs a loose root link'):
        load_model(MJCF_MODELS["pendulum"], root="free")


def test_without_mujoco_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(SoadynError, match=r"reading MJCF needs the package mujoco-core .*pip install mujoco-core"):
        load_model(MJCF_MODELS["pendulum"])
