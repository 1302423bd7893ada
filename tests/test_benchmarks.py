"""The benchmarks run, so that they cannot rot. No test looks at a time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def test_a_quick_run_of_the_benchmarks_reports_every_section(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to measure")
    pytest.importorskip("matplotlib")
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    files = {kind: tmp_path / f"figures.{kind}" for kind in ("json", "markdown")}
    command = [sys.executable, str(BENCHMARKS / "peers.py"), "--quick", "--plots", str(tmp_path / "plots")]
    for kind, path in files.items():
        command += [f"--{kind}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    report = json.loads(files["json"].read_text())
    sections = {figure["section"] for figure in report["figures"]}
    expected = {"batch", "fma", "single", "together", "links", "batches", "memory", "start", "under-actuated"}
    assert sections == expected - (set() if Path("/proc/self/status").exists() else {"memory"})
    counts = [figure for figure in report["figures"] if figure["what"].startswith("compilations")]
    assert [figure["value"] for figure in counts] == [0]
    assert all(figure["value"] > 0 for figure in report["figures"] if figure not in counts)
    errors = [figure["error"] for figure in report["figures"] if figure["error"] is not None]
    assert all(error < 1e-6 for error in errors)
    assert report["machine"]["versions"]["soadyn"]
    assert "| UR5 |" in files["markdown"].read_text()
    assert {path.name for path in (tmp_path / "plots").iterdir()} >= {"links.png", "batches.png"}


def test_a_quick_run_of_the_formulas_reports_every_section(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to measure")
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    file = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARKS / "formulas.py"), "--quick", "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text())["figures"]
    assert {figure["section"] for figure in figures} == {"start", "sweeps"}
    assert {figure["who"] for figure in figures if figure["section"] == "start"} == {"cold", "warm"}
    assert all(figure["value"] > 0 for figure in figures)
    errors = [figure["error"] for figure in figures if figure["error"] is not None]
    assert len(errors) == 16
    assert max(errors) < 1e-9


def test_without_llvmlite_the_benchmarks_say_so() -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    text = "import sys; sys.modules['llvmlite'] = None; sys.path.insert(0, sys.argv[1]); import peers; peers.main([])"
    done = subprocess.run([sys.executable, "-c", text, str(BENCHMARKS)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "llvmlite is not installed, so there is no native code to measure\n"


def prints(tmp_path: Path, text: str, **environment: str) -> str:
    """What a few lines print that can import the benchmarks; their temporary folders are in `tmp_path`, and gone."""
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    folder = tmp_path / "temporary"
    folder.mkdir()
    begun = "import sys; sys.path.insert(0, sys.argv[1]); import casadi_peer, casadi_writer\n"
    environment = {**os.environ, "TMPDIR": str(folder), **environment}
    command = [sys.executable, "-c", begun + text, str(BENCHMARKS)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert not list(folder.iterdir())
    return done.stdout.strip()


@pytest.mark.parametrize("path", [None, ""])
def test_what_generated_c_lacks_is_named(tmp_path: Path, path: str | None) -> None:
    text = "casadi_peer.in_pinocchio = lambda: False; print(casadi_peer.missing())"
    environment = {"SOADYN_CASADI_PYTHON": str(tmp_path / "absent")} | ({} if path is None else {"PATH": path})
    lacks_gcc = path is not None or shutil.which("gcc") is None
    expected = "there is no gcc" if lacks_gcc else "the pip package cmeel-casadi-kin-dyn is not installed"
    assert prints(tmp_path, text, **environment).startswith(expected)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is absent")
def test_generated_c_runs_over_all_columns(tmp_path: Path) -> None:
    pytest.importorskip("casadi")
    text = """
import pathlib, tempfile
import casadi, numpy as np
x, y = casadi.SX.sym("x", 2), casadi.SX.sym("y", 3)
with tempfile.TemporaryDirectory() as name:
    casadi_writer.write("outer", [x, y], casadi.sin(x) @ y.T, pathlib.Path(name))
    function = casadi_peer.compiled(pathlib.Path(name) / "outer.c")
a, b = (np.asfortranarray(np.random.default_rng(1).standard_normal((size, 5))) for size in (2, 3))
expected = np.einsum("in,jn->jin", np.sin(a), b).reshape(6, 5)  # a matrix is stored by columns
print(np.abs(function(a, b) - expected).max() < 1e-15)
"""
    assert prints(tmp_path, text) == "True"


@pytest.mark.parametrize(("robot", "base"), [("ur/ur5_robot", "fixed"), ("talos_data/talos_reduced", "free")])
def test_c_generated_by_casadi_finds_what_soadyn_finds(tmp_path: Path, robot: str, base: str) -> None:
    for package in ("llvmlite", "pinocchio"):
        pytest.importorskip(package)
    text = f"""
import measures
from peer_robots import PinocchioRobot, States, corpus, loaded
path = corpus().get("{robot}")
reason = casadi_peer.missing() if path else "example-robot-data is absent"
if reason:
    raise SystemExit(print("left out:", reason))
robot = loaded(path, "{base}")
pin, s = PinocchioRobot.from_urdf(robot, path, "{base}" == "free"), States.random(robot, 8)
for quantity, column in casadi_peer.columns(pin, path, "{base}" == "free", s).items():
    print(measures.difference(measures.ours(robot, s, quantity)(), pin.rows_back(s, quantity, column.rows())))
"""
    printed = prints(tmp_path, text)
    if printed.startswith("left out"):
        pytest.skip(printed)
    assert len(printed.splitlines()) == 3
    assert all(float(line) < 1e-12 for line in printed.splitlines())
