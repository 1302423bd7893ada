"""What is installed: the wheel's files, its dependencies, and how little `import soadyn` imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = (
    "scipy",
    "matplotlib",
    "llvmlite",
    "mujoco",
    "pinocchio",
    "pydrake",
    "mpmath",
    "sympy",
    "rich",
    "cyclopts",
    "viser",
)


def run(*command: str | Path, **options: object) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=environment,
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return str(done.stdout)


def test_importing_soadyn_imports_nothing_heavy() -> None:
    code = f"import sys, soadyn; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    assert run(sys.executable, "-c", code, cwd=ROOT).split() == []


def test_loading_and_computing_imports_no_peer() -> None:
    code = (
        "import sys, soadyn as sd; arm = sd.load('ur5'); arm.forward_dynamics(*[arm.neutral()] * 3);"
        "print(*[name for name in ('scipy', 'matplotlib', 'mujoco', 'pinocchio', 'mpmath') if name in sys.modules])"
    )
    assert run(sys.executable, "-c", code, cwd=ROOT).split() == []


def test_importing_soadyn_leaves_what_most_programs_do_not_use() -> None:
    """How long the rest takes is for `benchmarks/peers.py` to tell: a time in a test would test the machine."""
    told = "print(*[name.removeprefix('soadyn.') for name in sys.modules if name.startswith('soadyn.')])"
    alone = run(sys.executable, "-c", f"import sys, soadyn; {told}", cwd=ROOT).split()
    assert sorted(alone) == ["errors", "later", "version"]
    modules = set(run(sys.executable, "-c", f"import sys, soadyn; soadyn.load('ur5'); {told}", cwd=ROOT).split())
    assert "robot.robot" in modules
    assert not modules & {
        "cli",
        "control",
        "exporting",
        "interop",
        "programs.lowering",
        "robot.compiled",
        "simulation",
        "theory.oracle",
        "theory.proof",
    }
    drawing = {name for name in modules if name.startswith("view.") and not name.startswith("view.display")}
    assert drawing <= {"view.options", "view.viewable"}


def test_names_imported_later_are_there() -> None:
    code = (
        "import soadyn; print(*[name for name in soadyn.__all__ if not hasattr(soadyn, name)], 'view' in dir(soadyn))"
    )
    assert run(sys.executable, "-c", code, cwd=ROOT).split() == ["True"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_soadyn_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    info = {name for name in names if ".dist-info/" in name}
    assert {name.split("/")[0] for name in names - info} == {"soadyn"}
    assert "soadyn/py.typed" in names
    assert any(name.endswith("/LICENSE") for name in info)
    tracked = {path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert names - info == {path.relative_to(ROOT / "src").as_posix() for path in tracked}
    assert {Path(name).suffix for name in names - info} <= {".py", ".typed", ".urdf", ".toml", ".pyi"}
    robots = {name for name in names if name.startswith("soadyn/loading/robots/")}
    assert len(robots) > 5
    assert "soadyn/loading/robots/catalogue.toml" in robots
    # Folders of the project that stay at home; soadyn/studies/seeds.py is about random numbers.
    at_home = ("test", "seed", "benchmark", "peer_data")
    assert not [name for name in names for part in Path(name).parts[:-1] if any(word in part for word in at_home)]
    assert not [name for name in names if Path(name).name.startswith(("test_", "benchmark"))]
    assert wheel.stat().st_size < 2 * 2**20


@pytest.mark.slow
def test_the_wheel_tells_what_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        told = archive.read(name).decode()
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [line for line in told.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert len(needed) == len(asked["dependencies"])
    assert "License-Expression: BSD-3-Clause" in told
    assert "# soadyn" in told  # README is the long description


@pytest.mark.slow
def test_the_wheel_runs_its_demo_with_its_own_dependencies_alone(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "bare")
    python = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    work = tmp_path / "work"
    work.mkdir()
    shown = run(python, "-m", "soadyn", "demo", cwd=work)
    assert "reaction mode" in shown
    assert "done in" in shown
    assert list(work.rglob("*.npz"))
    extras = ("matplotlib", "mujoco", "pinocchio", "pytest")
    absent = f"import importlib.util as u; print(*[n for n in {extras} if u.find_spec(n)])"
    assert run(python, "-c", absent, cwd=work).split() == []
    where = run(python, "-c", "import soadyn; print(soadyn.__file__)", cwd=work)
    assert str(tmp_path) in where
