"""MJCF that would blow up, run for ever or read elsewhere: refused or tamed before MuJoCo sees it."""

from __future__ import annotations

import subprocess
import warnings
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from mjcf_models import MJCF_MODELS
from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import load_model, mjcf_child
from soadyn.loading.document import parse
from soadyn.loading.mjcf_text import rewritten
from soadyn.loading.source import file_source
from soadyn.model.model import Model

mujoco = pytest.importorskip("mujoco")

BALL = '<body name="{0}"><joint name="{0}_turn"/><geom name="{0}_ball" size="0.1"/></body>'


def tetrahedron(size: float) -> str:
    corners = f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n"
    return corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def model(worldbody: str = "", top: str = "", bottom: str = "") -> str:
    return f"<mujoco>\n{top}\n<worldbody>\n{BALL.format('base')}\n{worldbody}</worldbody>\n{bottom}</mujoco>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """robot/ with parts, and a folder outside of it."""
    (tmp_path / "robot/parts").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return tmp_path


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "robot/model.xml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


# Files


def test_a_submodel_that_names_itself_is_refused(folder: Path) -> None:
    file = written(folder, model(top='<asset>\n<model name="self" file="model.xml"/></asset>'))
    with pytest.raises(ModelError, match=r"model\.xml:3: 'model\.xml' is a sub-model of itself"):
        load_model(file)


def test_submodels_that_name_each_other_are_refused(folder: Path) -> None:
    (folder / "robot/a.xml").write_text('<mujoco><asset><model name="b" file="b.xml"/></asset></mujoco>')
    (folder / "robot/b.xml").write_text('<mujoco><asset>\n<model name="a" file="a.xml"/></asset></mujoco>')
    with pytest.raises(ModelError, match=r"b\.xml:2: 'a\.xml' is a sub-model of itself"):
        load_model(written(folder, model(top='<asset><model name="a" file="a.xml"/></asset>')))


def test_submodels_are_attached(folder: Path) -> None:
    (folder / "robot/parts/arm.xml").write_text(
        '<mujoco><compiler angle="radian"/><asset><mesh file="solid.obj"/></asset>'
        '<worldbody><body name="arm"><joint/><geom type="mesh" mesh="solid"/></body></worldbody></mujoco>'
    )
    (folder / "robot/parts/solid.obj").write_text(tetrahedron(1.0))
    attached = '<attach model="arm" body="arm" prefix="left_"/>'
    file = written(folder, model(attached, '<asset><model name="arm" file="parts/arm.xml"/></asset>'))
    assert load_model(file).link_names == ("base", "left_arm")
    assert load_model(file).links[1].mass == pytest.approx(1000 / 6)


def test_the_path_of_a_submodel_is_not_stripped(folder: Path) -> None:
    """MuJoCo strips the paths of meshes and textures, not those of sub-models."""
    for place in ("robot", "outside"):
        (folder / place / "leg.xml").write_text(f"<mujoco><worldbody>{BALL.format(place)}</worldbody></mujoco>")
    top = '<compiler strippath="true"/><asset><model name="leg" file="../outside/leg.xml"/></asset>'
    with pytest.raises(ModelError, match=r"path '\.\./outside/leg\.xml' leaves the allowed folders"):
        load_model(written(folder, model(top=top)))


def test_a_line_break_in_a_path_leads_nowhere_else(folder: Path) -> None:
    """XML turns a line break in an attribute into a space; MuJoCo's reader does not."""
    (folder / "robot/a b").mkdir()
    (folder / "robot/a b/solid.obj").write_text(tetrahedron(1.0))
    (folder / "robot/a\nb").symlink_to(folder / "outside")
    (folder / "outside/solid.obj").write_text(tetrahedron(2.0))
    body = '<body name="b"><joint/><geom type="mesh" mesh="solid"/></body>'
    found = load_model(written(folder, model(body, '<asset><mesh file="a\nb/solid.obj"/></asset>')))
    assert found.links[1].mass == pytest.approx(1000 / 6)


COMPILERS = [
    "",
    '<compiler meshdir="parts"/>',
    '<compiler assetdir="parts"/>',
    '<compiler assetdir="more" meshdir="parts"/>',
    '<compiler strippath="true"/>',
    '<compiler strippath="false"/>',
    '<compiler meshdir=""/>',
]
PLACES = {".": 1.0, "parts": 2.0, "more": 3.0, "parts/more": 4.0, "parts/parts": 5.0}


@pytest.mark.parametrize("uri", ["solid.obj", "parts/solid.obj"])
@pytest.mark.parametrize("included", [False, True])
def test_files_are_found_where_mujoco_finds_them(included: bool, uri: str, folder: Path) -> None:
    for place, size in PLACES.items():
        (folder / "robot" / place).mkdir(exist_ok=True)
        (folder / "robot" / place / "solid.obj").write_text(tetrahedron(size))
    mesh = f'<asset><mesh name="m" file="{uri}"/></asset>'
    (folder / "robot/parts/part.xml").write_text(f"<part>{mesh}</part>")
    body = '<body name="b"><joint/><geom type="mesh" mesh="m"/></body>'
    # in an included file MuJoCo looks in other places after an empty meshdir than in the main file
    compilers = COMPILERS[:-1] if included else COMPILERS
    for first, second in product(compilers, repeat=2):
        asset = '<include file="parts/part.xml"/>' if included else mesh
        file = written(folder, model(body, f"{first}{asset}{second}"))
        assert our_mesh(file) == mujocos_mesh(file)


def our_mesh(file: Path) -> float | None:
    """The size of the tetrahedron that is read, None if there is no file."""
    source = file_source(file)
    try:
        (mesh,) = rewritten(parse(source), source, ()).files.values()
    except ModelError:
        return None
    return next(size for size in PLACES.values() if mesh == tetrahedron(size).encode())


def mujocos_mesh(file: Path) -> float | None:
    try:
        compiled = mujoco.MjSpec.from_file(str(file)).compile()
    except ValueError:
        return None
    return float(round((compiled.body_mass[2] * 6 / 1000) ** (1 / 3), 9))


# Growth


def twice(k: int) -> str:
    return f'<body name="b{k + 1}"><attach body="b{k}" prefix="x{k}"/><attach body="b{k}" prefix="y{k}"/></body>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            model(f'<replicate count="1000">\n<replicate count="1000">{BALL.format("b")}</replicate></replicate>'),
            r":5: <replicate> makes \d+ elements; more than 100000 are refused",
        ),
        (model(f'<replicate count="{10**18}">{BALL.format("b")}</replicate>'), "<replicate> makes"),
        (model(f'<replicate count="1e9">{BALL.format("b")}</replicate>'), 'count "1e9"; expected a whole number'),
        (model('<flexcomp name="f" type="grid" count="1000 1000 1" dim="2"/>'), '<flexcomp name="f"> makes'),
        (model(BALL.format("b0") + "".join(map(twice, range(30)))), r'<body name="b\d+"> makes'),
    ],
    ids=["nested", "huge", "no-count", "flexcomp", "doubling"],
)
def test_what_grows_without_bound_is_refused_at_once(text: str, words: str) -> None:
    start = perf_counter()
    with pytest.raises(ModelError, match=words):
        load_model(text)
    assert perf_counter() - start < 2.0


def test_submodels_that_double_are_refused(folder: Path) -> None:
    for k in range(20):
        below = f'<asset><model name="x" file="m{k + 1}.xml"/><model name="y" file="m{k + 1}.xml"/></asset>'
        (folder / f"robot/m{k}.xml").write_text(f"<mujoco>{below}<worldbody>{BALL.format('b')}</worldbody></mujoco>")
    (folder / "robot/m20.xml").write_text(f"<mujoco><worldbody>{BALL.format('b')}</worldbody></mujoco>")
    with pytest.raises(ModelError, match="<mujoco> makes"):
        load_model(folder / "robot/m0.xml")


LARGE = {
    "texture": {"top": '<asset><texture name="t" type="2d" builtin="flat" width="60000" height="60000"/></asset>'},
    "heights": {"top": '<asset><hfield name="h" nrow="60000" ncol="60000" size="1 1 1 1"/></asset>'},
    "userdata": {"top": '<size nuserdata="2000000000"/>'},
    "memory": {"top": '<size memory="100000G"/>'},
    "bodies": {"top": '<size nuser_body="2000000000"/>'},
    "numbers": {"top": '<custom><numeric name="n" size="2000000000"/></custom>'},
    "history": {"bottom": '<actuator><motor joint="base_turn" delay="1" nsample="16000000"/></actuator>'},
    "readings": {"bottom": '<sensor><user name="s" dim="2000000000"/></sensor>'},
    "ranges": {
        "top": '<compiler><lengthrange mode="all" inttotal="1e9"/></compiler>',
        "bottom": '<actuator><muscle joint="base_turn"/></actuator>',
    },
}


@pytest.mark.parametrize("parts", LARGE.values(), ids=list(LARGE))
def test_what_dynamics_does_not_need_takes_neither_time_nor_memory(parts: dict[str, str]) -> None:
    start = perf_counter()
    assert load_quietly(model(**parts)).nv == 1
    assert perf_counter() - start < 2.0


def load_quietly(text: str) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return load_model(text)


def test_a_height_field_has_the_mass_that_mujoco_gives_it() -> None:
    heights = '<asset><hfield name="h" nrow="2" ncol="3" elevation="0 1 5 2 0 1" size="1 2 3 0.5"/></asset>'
    text = model('<body name="hill"><joint/><geom type="hfield" hfield="h"/></body>', heights)
    ours = load_model(text).links[1]
    theirs = mujoco.MjModel.from_xml_string(text)
    assert ours.mass == theirs.body_mass[2]


# The child process


def test_a_plain_model_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", refuse)
    for name, text in MJCF_MODELS.items():
        if name != "mesh":
            load_quietly(text)


def plate(number: int) -> str:
    """A body that is a mesh of that number of points squared."""
    body = '<body name="plate"><joint/><geom type="mesh" mesh="m"/></body>'
    return model(body, f'<asset><mesh name="m" builtin="plate" params="{number} {number}"/></asset>')


def test_memory_is_bounded() -> None:
    with pytest.raises(ModelError, match="<string>: MuJoCo needs more than 4 GB of memory for the file"):
        load_model(plate(10000))


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mjcf_child, "PATIENCE", 0.01)
    with pytest.raises(ModelError, match="<string>: MuJoCo did not finish within 60 s; the model is too large"):
        load_model(plate(10))


def test_a_crash_of_mujoco_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    died = subprocess.CompletedProcess([], -11, b"", b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: died)
    with pytest.raises(ModelError, match=r"<string>: MuJoCo crashed on the file \(exit -11\)"):
        load_model(plate(10))


def test_mujoco_leaves_nothing_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    load_quietly(model(top='<compiler settotalmass="3"/>'))
    load_quietly(MJCF_MODELS["mesh"])
    with pytest.raises(ModelError):
        load_model(model('<site pos="0 0 nan"/>'))
    assert not list(tmp_path.iterdir())


# What MuJoCo says


def test_mujocos_warnings_become_ours() -> None:
    with pytest.warns(ModelWarning, match="<string>: MuJoCo warns: compiler attribute 'settotalmass' is deprecated"):
        load_model(model(top='<compiler settotalmass="3"/>'))


def test_the_line_of_a_mistake_is_that_of_the_included_file(folder: Path) -> None:
    (folder / "robot/parts/arm.xml").write_text("<part>\n\n<bady/></part>")
    with pytest.raises(ModelError, match=r"parts/arm\.xml:3: MuJoCo refuses the file: .*Element 'bady'$"):
        load_model(written(folder, model('<include file="parts/arm.xml"/>')))


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "utf-8", "windows-1252"])
def test_names_are_read_by_the_declared_encoding(encoding: str, folder: Path) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>{model(BALL.format("Grüße"))}'
    assert load_model(written(folder, text.encode(encoding))).link_names == ("base", "Grüße")


def test_bytes_that_do_not_fit_the_encoding_are_refused(folder: Path) -> None:
    file = written(folder, model(BALL.format("Grüße")).encode("iso-8859-1"))
    with pytest.raises(ModelError, match=r"model\.xml:5: not well-formed XML, .*invalid token"):
        load_model(file)


# Geoms that do not matter

HEAVY = '<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>'
SHAPED = '<body name="b"><joint/>{}<frame pos="1 0 0"><geom type="mesh" mesh="m"/></frame></body>'


def test_meshes_of_bodies_with_their_own_inertia_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    file = written(folder, model(SHAPED.format(HEAVY), '<asset><mesh name="m" file="missing.obj"/></asset>'))
    assert load_model(file).links[1].mass == 3.0


@pytest.mark.parametrize(
    ("worldbody", "top", "bottom"),
    [
        (SHAPED.format(""), "", ""),
        (SHAPED.format(HEAVY), '<compiler inertiafromgeom="true"/>', ""),
        (SHAPED.format(HEAVY) + '<body><joint/><geom size="1"/><attach body="b" prefix="x"/></body>', "", ""),
        (
            SHAPED.format(HEAVY).replace("<geom", '<geom name="g"'),
            "",
            '<contact><pair geom1="g" geom2="base_ball"/></contact>',
        ),
    ],
    ids=["inferred", "always inferred", "attached", "named"],
)
def test_meshes_that_may_matter_are_read(worldbody: str, top: str, bottom: str, folder: Path) -> None:
    asset = '<asset><mesh name="m" file="missing.obj"/></asset>'
    with pytest.raises(ModelError, match=r"no file for 'missing\.obj'"):
        load_model(written(folder, model(worldbody, top + asset, bottom)))


def test_meshes_that_are_not_read_must_lie_inside_too(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"path '\.\./m\.obj' leaves the allowed folders"):
        load_model(written(folder, model(SHAPED.format(HEAVY), '<asset><mesh name="m" file="../m.obj"/></asset>')))
