"""What is handed out: source distribution, wheel, every Python found here, licences, citation."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from soadyn.theory.literature.references import REFERENCES

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def run(*command: str | Path, cwd: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


# Data and words


def test_every_data_file_tells_its_licence_and_where_its_figures_come_from() -> None:
    folder = ROOT / "src" / "soadyn" / "loading" / "robots"
    files = [path for path in folder.iterdir() if path.is_file() and path.suffix != ".py"]
    assert len(files) > 5
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "SPDX-License-Identifier: BSD-3-Clause" in text, path.name
        assert "Provenance:" in text or path.name == "catalogue.toml", path.name


def test_the_citation_tells_the_version_and_the_papers() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {sd.__version__}\n" in text
    assert f"\nlicense: {PROJECT['license']}\n" in text
    cited = re.findall(r'^    title: "(.*)"\n(?:.*\n)*?    year: (\d{4})', text, re.MULTILINE)
    assert sorted(cited) == sorted((paper.title, str(paper.year)) for paper in REFERENCES.values())


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", text, re.MULTILINE)[1] == sd.__version__  # type: ignore[index]


def test_all_is_every_extra_that_serves_users() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(re.fullmatch(r"soadyn\[(.*)\]", everything)[1].split(","))  # type: ignore[index]
    assert named == set(extras) - {"all", "dev", "docs", "peers"}
    pinned = {requirement for name in named for requirement in extras[name]}
    assert pinned <= set(extras["dev"]), "what users may install is there when tests run"


def test_optional_packages_are_those_of_extras() -> None:
    """`optional(module, of)` tells people to install a package: an extra brings it too, so tests have it."""
    extras = PROJECT["optional-dependencies"]
    asked = [
        call
        for file in (ROOT / "src" / "soadyn").rglob("*.py")
        if file.name != "later.py"  # its example asks for what is nowhere
        for call in re.findall(r'[^`]\boptional\("(\w+)[\w.]*", ', file.read_text(encoding="utf-8"))
    ]
    assert len(asked) > 7
    brought = {re.split(r"[^\w-]", line)[0] for name, lines in extras.items() if name != "dev" for line in lines}
    assert set(asked) <= brought | {"cloudpickle"}  # distributed brings that


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("matplotlib.figure", "arm.mass([0.0, 0.0]).plot()"),
        ("pandas", "sd.simulate(arm, [0.0, 0.0], duration=0.01, step=0.01).to_dataframe()"),
        ("sympy", "arm.base_parameters().symbolic()"),
    ],
)
def test_a_missing_package_is_named_with_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, package: str, code: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    name = package.split(".")[0]
    with pytest.raises(sd.SoadynError, match=rf"needs {name}.*; install it with: pip install {name}$"):
        eval(code, {"sd": sd, "np": np, "arm": sd.load("planar_two_link")})


def test_every_python_that_is_claimed_is_allowed() -> None:
    claimed = [x.rsplit(" ", 1)[1] for x in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", x)]
    assert claimed == sorted(claimed, key=lambda version: int(version.split(".")[1]))
    assert PROJECT["requires-python"] == f">={claimed[0]}"


# What is built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that is built from it."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.mark.slow
def test_the_source_distribution_holds_what_is_tracked_and_nothing_else(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
    assert all(member.isfile() for member in members)
    names = {member.name.split("/", 1)[1] for member in members}
    tracked = set(run("git", "ls-files", cwd=ROOT).split("\n"))
    made = {"PKG-INFO", ".gitignore"}
    assert names - made <= tracked, sorted(names - made - tracked)[:5]
    assert {"README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", "pyproject.toml"} <= names
    assert {path for path in tracked if path.startswith(("src/", "tests/"))} <= names
    assert archive.stat().st_size < 10 * 2**20


@pytest.mark.slow
def test_the_wheel_from_the_source_distribution_holds_every_module(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"soadyn-{sd.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = archive.read(metadata).decode()
    sources = (ROOT / "src").rglob("*.py")
    assert {path.relative_to(ROOT / "src").as_posix() for path in sources} <= names
    assert told.count("Classifier: ") == len(PROJECT["classifiers"])
    assert "Provides-Extra: all" in told


def python_of(version: str) -> Path | None:
    """An interpreter of that version that runs: on the path, or among pyenv's."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [*sorted(root.glob(f"{version}.*/bin/python")), shutil.which(f"python{version}")]
    for path in filter(None, found):
        told = subprocess.run([str(path), "--version"], capture_output=True, text=True)
        if told.returncode == 0 and f" {version}." in told.stdout:
            return Path(path)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_works_in_every_python_found_here(built: Path, tmp_path: Path, version: str) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    run(python, "-m", "venv", tmp_path / "bare")
    inside = tmp_path / "bare" / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    run(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    told = run(inside, "-m", "soadyn", "doctor", cwd=tmp_path)
    assert f"Python    {version}." in told
    assert "all is well" in told
    assert "missing viser" in told or "missing pycollada, viser" in told
    code = "import soadyn as sd; arm = sd.load('ur5'); print(sd.simulate(arm, arm.neutral(), duration=0.1, step=0.01))"
    assert "Trajectory of 'ur5'" in run(inside, "-W", "error", "-c", code, cwd=tmp_path)
