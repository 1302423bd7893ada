"""The benchmarks run, so that they cannot rot. No test looks at a time."""

from __future__ import annotations

import json
import os
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
