"""Damaged URDF, SDF and MJCF files, loops among them: each gives a sound robot or an error of soadyn's.

None reads anything outside its folder.

A trial takes a good file, damages it (bytes, elements, numbers, paths or encoding) and loads it from a folder that has
parts inside and bait outside.
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import fields
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from loop_cases import FOURBAR, GEARED
from mjcf_models import MJCF_MODELS
from sdf_models import SDF_MODELS
from soadyn.errors import ModelWarning, SoadynError
from soadyn.loading import load_model, mjcf_child
from soadyn.model.closures import Closure
from soadyn.model.model import Model
from urdf_cases import ARM

mjcf_child.PATIENCE = 10  # seconds; what takes longer is refused, as it is after a longer time without this line

OBJ = "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
BAIT = "bait"
PARTS: dict[str, str] = {
    "inside/parts/solid.obj": OBJ.format(1),
    "inside/solid.obj": OBJ.format(2),
    "inside/parts/arm.xml": '<part><body name="arm"><joint/><geom type="box" size="1 1 1"/></body></part>',
    "inside/sub.xml": '<mujoco><worldbody><body name="s"><joint/><geom size="1"/></body></worldbody></mujoco>',
    "outside/arm.xml": f'<part><body name="{BAIT}"><joint/><geom size="1"/></body></part>',
    "outside/sub.xml": f'<mujoco><worldbody><body name="{BAIT}"><joint/><geom size="1"/></body></worldbody></mujoco>',
    "outside/solid.obj": OBJ.format(7),
}
WITH_FILES = """<mujoco model="files">
  <compiler meshdir="parts" strippath="false" angle="radian"/>
  <asset><mesh name="m" file="solid.obj"/><model name="sub" file="sub.xml"/>
  <texture name="t" type="2d" file="t.png"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
  <worldbody>
    <include file="parts/arm.xml"/>
    <body name="b"><joint name="j"/><geom type="mesh" mesh="m"/><geom type="hfield" hfield="h"/>
      <frame pos="1 0 0"><attach model="sub" body="s" prefix="p"/></frame></body>
    <replicate count="2" offset="1 0 0"><body name="r"><joint/><geom size="1"/></body></replicate>
    <flexcomp name="f" type="grid" count="2 2 1" spacing="1 1 1" dim="2"/>
  </worldbody>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <equality><connect name="c" body1="b" body2="arm" anchor="0 0 1"/><weld body1="b" active="false"/>
    <joint joint1="j" polycoef="0.1 1 0 0 0"/><tendon tendon1="t" polycoef="0.1 1 2 0 0"/></equality>
  <actuator><motor joint="j" gear="2"/></actuator>
</mujoco>"""
WITH_MESH = ARM.replace(
    '<link name="lower"/>',
    '<link name="lower"><visual><origin xyz="0 0 1"/><geometry><mesh filename="parts/solid.obj"/></geometry>'
    '<material name="m"><color rgba="1 0 0 1"/></material></visual></link>',
).replace("</robot>", '<joint name="grip" type="universal"><parent link="lower"/><child link="hand"/></joint>'
          '<link name="hand"/></robot>')  # fmt: skip
BUILT_IN = files("soadyn.loading").joinpath("robots/planar_two_link.urdf").read_text(encoding="utf-8")

URDF = (ARM, WITH_MESH, BUILT_IN, FOURBAR, GEARED)
SDF = tuple(SDF_MODELS.values())
MJCF = (*MJCF_MODELS.values(), WITH_FILES)


def _words(text: str) -> list[str]:
    return text.split()


NUMBERS = _words("""nan inf -inf 1e400 -1e400 1e308 -1e308 1e-320 1e154 0 -0 -1 1 2 3.5 0x10 1e5 65536 2147483648
             -2147483649 99999999999999999999 1_000 NaN(ind) ١ + - . e 1,5 0..1 true""")
TEXTS = ("", " ", "\n", "base", "b", "root", "ground", "world", "é", "\U0001f916", "x" * 5000, "0 " * 3000, "<&>'")
PATHS = (
    *_words("""../outside/{} ..\\outside\\{} parts/../../outside/{} /etc/passwd /dev/zero parts {}/ ./{} out/{} ~/{}
               file:///etc/passwd package://x/{} http://localhost/{} arm.xml C:\\{} parts//{} .. . loop"""),
    "{}\n",
    " {}",
    "a" * 300,
)
MJCF_WORDS = _words("""replicate attach include model mesh texture hfield flexcomp plugin extension size compiler option
    flag default frame body joint freejoint geom site inertial camera light keyframe key custom numeric tuple skin bone
    deformable flex tendon spatial fixed pulley equality connect weld actuator general muscle sensor user contact pair
    exclude worldbody asset mujoco lengthrange visual statistic composite""")
URDF_WORDS = _words("""link joint origin inertial inertia mass axis axis2 limit dynamics mimic parent child visual
    collision geometry mesh box sphere cylinder material color robot transmission xacro:macro loop coupling loop_joint
    predecessor successor ratio link1 link2""")
SDF_WORDS = _words("""link joint frame model pose inertial mass inertia ixx iyy izz ixy parent child axis axis2 xyz
    limit lower upper dynamics damping friction spring_stiffness spring_reference mimic gearbox_ratio
    gearbox_reference_body thread_pitch screw_thread_pitch static gravity visual geometry mesh uri include
    world plugin sdf""")
SDF_TEXTS = _words(
    """revolute base upper lower crank coupler rocker world __model__ true hand::palm hand::tip finger gear"""
)
ATTRIBUTES = _words("""name class childclass pos quat euler axisangle xyaxes zaxis size type mass density file meshdir
    texturedir assetdir strippath count offset prefix model body joint axis range ref springref stiffness damping
    armature gear fullinertia diaginertia gravity angle eulerseq nuserdata memory dim builtin params nrow ncol vertex
    face user fusestatic settotalmass boundmass inertiafromgeom balanceinertia content_type actdim nsample limited link
    xyz rpy quat_xyzw value ixx iyy izz lower upper velocity effort multiplier filename scale rgba pitch rest version
    relative_to attached_to expressed_in rotation_format degrees canonical_link placement_frame body1 body2 site1 anchor
    joint1 joint2 tendon1 polycoef active""")


def urdf_elements(rng: random.Random) -> None:
    """Elements of a URDF file deleted, doubled, moved and renamed; attributes swapped and changed."""
    _try(rng, _rearranged(rng, rng.choice(URDF), URDF_WORDS).encode(), "arm.urdf")


def sdf_elements(rng: random.Random) -> None:
    """The same with SDF, and texts between tags changed and swapped."""
    root = ET.fromstring(_rearranged(rng, rng.choice(SDF), SDF_WORDS))
    for _ in range(rng.randint(0, 3)):
        one, other = (rng.choice(list(root.iter())) for _ in range(2))
        one.text = rng.choice((other.text, rng.choice(SDF_TEXTS), _value(rng)))
    _try(rng, ET.tostring(root, encoding="utf-8"), rng.choice(("arm.sdf", "arm.xml")))


def mjcf_elements(rng: random.Random) -> None:
    """The same with MJCF."""
    _try(rng, _rearranged(rng, rng.choice(MJCF), MJCF_WORDS).encode(), "arm.xml")


def numbers(rng: random.Random) -> None:
    """Numbers replaced by what is hardly a number."""
    text = rng.choice(URDF + MJCF + SDF)
    for _ in range(rng.randint(1, 4)):
        places = list(re.finditer(r"(?<=[\" >])-?\d+(\.\d*)?(?=[\" <])", text))
        place = rng.choice(places)
        text = text[: place.start()] + rng.choice(NUMBERS) + text[place.end() :]
    _try(rng, text.encode(), "arm.xml")


def damaged_bytes(rng: random.Random) -> None:
    """Bytes flipped, cut out, doubled or put in."""
    data = bytearray(rng.choice(URDF + MJCF + SDF).encode())
    for _ in range(rng.randint(1, 6)):
        start = rng.randrange(len(data))
        end = min(len(data), start + rng.choice((0, 1, 3, 40)))
        match rng.randrange(4):
            case 0:
                data[start] ^= 1 << rng.randrange(8)
            case 1:
                del data[start:end]
            case 2:
                data[start:start] = data[start:end] * rng.choice((1, 1, 100))
            case _:
                data[start:end] = rng.choice((b"\0", b"<", b"/>", b"&#10;", b"&#x1F916;", b"<!--", b"]]>", b"\xff"))
        if not data:
            data = bytearray(b" ")
    _try(rng, bytes(data), rng.choice(("arm.xml", "arm.urdf", "arm.mjcf", "arm")))


def paths(rng: random.Random) -> None:
    """Paths that lead elsewhere, in every place that names a file or a folder."""
    text = rng.choice((WITH_FILES, WITH_FILES, WITH_MESH))
    for _ in range(rng.randint(1, 3)):
        place = rng.choice(list(re.finditer(r'(?<=file=")[^"]*|(?<=filename=")[^"]*|(?<=meshdir=")[^"]*', text)))
        name = rng.choice(("solid.obj", "sub.xml", "arm.xml", "t.png"))
        text = text[: place.start()] + rng.choice(PATHS).format(name) + text[place.end() :]
    if rng.random() < 0.5:
        text = text.replace('strippath="false"', f'strippath="{rng.choice(("true", "false", "True", ""))}"')
    _try(rng, text.encode(), "arm.xml")


def encodings(rng: random.Random) -> None:
    """Text in one encoding that is declared in another."""
    known = ("utf-8", "utf-16", "utf-16-le", "utf-32", "iso-8859-1", "windows-1252", "ascii", "utf-7", "utf-8-sig",
             "cp037", "idna", "rot13", "nonsense", "shift-jis", "", "UTF8", "hex")  # fmt: skip
    text = rng.choice(URDF + MJCF + SDF).replace(
        'name="', f'name="{rng.choice(("", "é", "ß", "日本"))}', rng.randint(0, 3)
    )
    text = f'<?xml version="{rng.choice(("1.0", "1.0", "1.1", "2.0", ""))}" encoding="{rng.choice(known)}"?>{text}'
    try:
        data = text.encode(rng.choice(("utf-8", "utf-16", "utf-32", "iso-8859-1", "shift-jis", "utf-8-sig")), "replace")
    except LookupError:
        data = text.encode()
    _try(rng, data, "arm.xml")


CASES: dict[str, Callable[[random.Random], None]] = {
    "files: URDF elements": urdf_elements,
    "files: SDF elements": sdf_elements,
    "files: MJCF elements": mjcf_elements,
    "files: numbers": numbers,
    "files: bytes": damaged_bytes,
    "files: paths": paths,
    "files: encodings": encodings,
}


# Damage


def _rearranged(rng: random.Random, text: str, words: list[str]) -> str:
    root = ET.fromstring(text)
    for _ in range(rng.randint(1, 5)):
        elements = list(root.iter())
        one, other = rng.choice(elements), rng.choice(elements)
        match rng.randrange(8):
            case 0:
                _without(root, one)
            case 1:
                other.append(deepcopy(one))
            case 2:
                if one is not root:
                    other.append(deepcopy(one))
                    _without(root, one)
            case 3:
                one.tag = rng.choice(words)
            case 4:
                other.append(ET.Element(rng.choice(words), {rng.choice(ATTRIBUTES): _value(rng)}))
            case 5:
                one.attrib[rng.choice(ATTRIBUTES)] = _value(rng)
            case 6:
                one.attrib, other.attrib = dict(other.attrib), dict(one.attrib)
            case _:
                if one.attrib:
                    one.attrib[rng.choice(list(one.attrib))] = _value(rng)
    return ET.tostring(root, encoding="unicode")


def _value(rng: random.Random) -> str:
    match rng.randrange(4):
        case 0:
            return rng.choice(TEXTS)
        case 1:
            return rng.choice(PATHS).format(rng.choice(("solid.obj", "sub.xml", "arm.xml")))
        case 2:
            return " ".join(rng.choice(NUMBERS) for _ in range(rng.randint(1, 7)))
        case _:
            return " ".join(f"{rng.uniform(-2, 2):.3g}" for _ in range(rng.choice((1, 2, 3, 4, 6))))


def _without(root: ET.Element, gone: ET.Element) -> None:
    for element in root.iter():
        if gone in list(element):
            element.remove(gone)
            return


# Judgement

_opened: list[str] = []
_watched: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Note the files that Python opens in the folder nobody may read."""
    if event == "open" and _watched and isinstance(arguments[0], str | bytes):
        path = os.path.realpath(os.fsdecode(arguments[0]).replace("\0", ""))
        if path.startswith(_watched[0]):
            _opened.append(path)


sys.addaudithook(_watch)


def _try(rng: random.Random, data: bytes, name: str) -> None:
    """Load the file with random options; complain of anything but a sound robot or an error of soadyn's."""
    options: dict[str, Any] = {
        "root": rng.choice((None, None, "free")),
        "mimic": rng.choice(("independent", "tie")),
        "closures": rng.random() < 0.8,
    }
    with tempfile.TemporaryDirectory() as where:
        folder = Path(os.path.realpath(where))
        for path, text in PARTS.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        (folder / "inside/out").symlink_to(folder / "outside")
        (folder / "inside/loop").symlink_to(folder / "inside/loop")
        (folder / "inside" / name).write_bytes(data)
        before = set(os.listdir("."))
        model: Model | None
        _watched[:], _opened[:] = [str(folder / "outside")], []
        try:
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                model = load_model(folder / "inside" / name, **options)
        except SoadynError:
            model = None
        finally:
            _watched.clear()
        if model is not None:
            _check_sound(model)
        assert not _opened, f"opened {_opened}"
        assert set(os.listdir(".")) == before, f"left {set(os.listdir('.')) - before} behind"
        for warning in heard:
            assert issubclass(warning.category, ModelWarning), f"warned: {warning.category.__name__} {warning.message}"


def _check_sound(model: Model) -> None:
    names = [*model.link_names, *model.joint_names, *(frame.name for frame in model.frames)]
    assert not any(BAIT in name for name in names), "read a file outside"
    assert all(abs(link.mass - 1000 * 7**3 / 6) > 1e-6 for link in model.links), "read a mesh outside"
    for link in model.links:
        _check_finite(link, ("mass", "com", "inertia"))
    for joint in model.joints:
        _check_finite(joint, ("placement", "offset", "axis", "pitch", "armature", "damping", "friction", "rest"))
    for frame in model.frames:
        _check_finite(frame, ("placement",))
    for closure in (*model.closures, *model.spare):
        if isinstance(closure, Closure):
            _check_finite(closure, ("x", "y", "figure"))
            assert closure.x.link != closure.y.link, f"{closure!r} holds nothing"
        else:
            _check_finite(closure, ("terms",))
        assert all(0 <= k <= model.n for k in closure.links), f"{closure!r} is not on the robot"
    _check_finite(model, ("gravity",))


def _check_finite(item: Any, names: Iterable[str]) -> None:
    for name in names:
        bad = [x for x in _figures(getattr(item, name)) if not isfinite(x)]
        assert not bad, f"{name} of {item!r} is not finite"


def _figures(value: Any) -> Iterator[float]:
    if isinstance(value, float | int):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _figures(part)
    else:
        for part in fields(value):
            yield from _figures(getattr(value, part.name))
