"""What can be given to load_model, and what is said about everything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from soadyn.errors import ArgumentError, ModelError, SoadynError, UnknownNameError
from soadyn.loading import builtin_robots, load_model
from urdf_cases import ARM


def test_a_missing_file_is_called_so_with_near_matches(tmp_path: Path) -> None:
    (tmp_path / "gripper.urdf").write_text(ARM)
    with pytest.raises(ModelError, match=r"griper\.urdf: no such file\. Did you mean 'gripper\.urdf'\?"):
        load_model(tmp_path / "griper.urdf")


def test_a_missing_folder_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no such file; there is no folder '.*nowhere' either"):
        load_model(str(tmp_path / "nowhere" / "arm.urdf"))


def test_an_unknown_name_lists_near_ones_and_says_that_no_such_file_exists() -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown robot 'ur55'\. Did you mean 'ur5'.*There is no file 'ur55' either\."
    ):
        load_model("ur55")


def test_a_file_name_like_a_builtin_robots_points_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"panda\.urdf: no such file\. Did you mean 'panda'\?"):
        load_model("panda.urdf")


def test_a_directory_is_no_robot(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    with pytest.raises(ModelError, match=r"is a directory; expected a URDF, SDF or MJCF file, such as arm\.urdf in it"):
        load_model(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_robot(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "arm.urdf")
    with pytest.raises(ModelError, match=r"arm\.urdf is not a regular file"):
        load_model(tmp_path / "arm.urdf")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_called_so(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    file.chmod(0)
    with pytest.raises(ModelError, match=r"arm\.urdf cannot be read: Permission denied"):
        load_model(file)


def test_a_read_that_fails_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "arm.urdf").write_text(ARM)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ModelError, match=r"arm\.urdf cannot be read: Permission denied"):
        load_model(tmp_path / "arm.urdf")


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ("", ModelError, "the path is empty; expected a path, XML text or the name of a built-in robot"),
        ("arm\0.urdf", ModelError, r"'arm\\x00.urdf' is not a path: it contains a NUL character"),
        ("x" * 5000, ModelError, "cannot be opened: File name too long"),
        (42, ArgumentError, "expected a path, XML text or the name of a built-in robot, got int 42"),
        (None, ArgumentError, "got NoneType None"),
        (b"arm.urdf", ArgumentError, "got bytes b'arm.urdf'"),
        ("<robot", ModelError, "<string>:1: this is not XML"),
        ("<robot><link name='a'/>", ModelError, "<string>:1: the file ends inside <robot>"),
        ("<!DOCTYPE robot><robot/>", ModelError, "<string>:1: the file has a DOCTYPE"),
    ],
)
def test_what_cannot_be_a_robot_is_refused(source: object, error: type[SoadynError], words: str) -> None:
    with pytest.raises(error, match=words):
        load_model(source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"root": "loose"}, 'root must be "fixed" or "free", got \'loose\''),
        ({"mimic": "copy"}, 'mimic must be "independent" or "tie", got \'copy\''),
        ({"gravity": [0, 0]}, r"gravity must be three finite numbers \(m/s\^2\), got \[0, 0\]"),
        ({"gravity": "down"}, "gravity must be three finite numbers"),
        ({"gravity": [0, 0, float("nan")]}, "gravity must be three finite numbers"),
        ({"package_roots": "/tmp"}, r"package_roots must be a list of folders, got '/tmp'; write \['/tmp'\]"),
        ({"package_roots": ["/no/such"]}, "package_roots names '/no/such', which is not a folder"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        load_model(ARM, **options)  # type: ignore[arg-type]


def test_xml_text_is_a_source_with_or_without_a_declaration() -> None:
    plain = load_model(ARM)
    declared = load_model('\ufeff\n<?xml version="1.0" encoding="utf-16"?>\n' + ARM)
    assert plain == declared
    assert plain.name == "arm"


def test_utf16_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text('<?xml version="1.0" encoding="utf-16"?>' + ARM, encoding="utf-16")
    assert load_model(tmp_path / "arm.urdf") == load_model(ARM)


def test_gravity_can_be_replaced() -> None:
    assert load_model(ARM).gravity == (0.0, 0.0, -9.81)
    assert load_model(ARM, gravity=[0, 0, -1.62]).gravity == (0.0, 0.0, -1.62)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", builtin_robots())
def test_every_builtin_robot_loads_without_a_warning(name: str) -> None:
    entry, model = builtin_robots()[name], load_model(name)
    assert model.n > 0
    assert entry.description
    assert entry.source
    assert (model.joints[0].name == "root") == (entry.root == "free")


@pytest.mark.parametrize("name", [name for name, entry in builtin_robots().items() if entry.impossible_inertia])
def test_published_but_impossible_inertias_are_refused_when_strict(name: str) -> None:
    with pytest.raises(ModelError, match=r"strict=True"):
        load_model(name, strict=True)


def test_a_builtin_robots_root_can_be_chosen() -> None:
    assert load_model("ur5", root="free").joint_names[0] == "root"
    assert "root" not in load_model("free_flyer", root="fixed").joint_names
