"""`soadyn doctor`: what is installed here, what the machine can do, and whether the answers are right."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

import soadyn
from soadyn.cli.terminal import JsonOption, counted, loaded, out, print_json
from soadyn.engine import host as machine

ROBOT = "free_flyer"
STATES = 300  # enough for the kernels of large batches
ALLOWED = 1e-9
EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
INTERNAL = ("dev", "docs", "peers", "all")  # extras that bring nothing of their own to users


def run_doctor(*, json: JsonOption = False) -> int:
    """Tell versions, processor, cache and missing extras, and test the machine code; exit code 1 if it is wrong."""
    installed, machine_facts = versions(), _machine()
    tests = list(self_tests())
    right = all(test["error"] <= ALLOWED for test in tests)
    extras = missing_extras()
    if json:
        told = {"versions": installed, "machine": machine_facts, "missing": extras, "tests": tests, "right": right}
        print_json(told)
        return 0 if right else 1
    _print("installed", installed)
    _print("machine", machine_facts)
    there = {name: _said(missing) for name, missing in extras.items()}
    _print("extras", there or {"": "not known: soadyn is not installed as a package"})
    _print("self-test", {test["fact"]: f"{test['error']:.1e}   {test['seconds']:.2f} s" for test in tests})
    words = "all is well" if right else "the machine code is wrong here: please report it with this page"
    out.print(f"\n{words}", style="bold green" if right else "bold red")
    return 0 if right else 1


def versions() -> dict[str, str]:
    """Versions of what computes; "missing" where there is none."""
    found = {"soadyn": soadyn.__version__, "Python": platform.python_version(), "system": platform.platform()}
    for package in ("numpy", "scipy", "llvmlite", "cyclopts", "rich"):
        found[package] = _version(package) or "missing"
    return found


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _machine() -> dict[str, str]:
    cpu, cache = machine.processor(), machine.cache()
    if cpu is None:
        facts = {"machine code": "none: llvmlite is missing or does not work here; NumPy computes, slower"}
    else:
        fused = "fused" if cpu.fused else "not fused"
        facts = {
            "processor": f"{cpu.name} ({platform.machine()}), LLVM {cpu.llvm}",
            "features": ", ".join(cpu.features) or "none of those that matter",
            "vectors": f"{cpu.doubles} doubles; products and sums {fused}",
        }
    kept = f"{counted(cache.files, 'file')}, {cache.bytes / 1e6:.1f} MB in {cache.folder}"
    return {
        **facts,
        "threads": str(machine.threads()),
        "cache": f"nothing is kept: {cache.problem}" if cache.problem else kept,
    }


def missing_extras() -> dict[str, list[str]]:
    """Of each extra the packages that are not installed."""
    found: dict[str, list[str]] = {}
    try:
        lines = importlib.metadata.requires("soadyn") or []
    except importlib.metadata.PackageNotFoundError:  # it runs from its sources: nobody knows of extras
        return found
    for line in lines:
        extra = EXTRA.search(line)
        if extra is None or extra[1] in INTERNAL:
            continue
        package = re.split(r"[\s<>=!~;\[]", line, maxsplit=1)[0]
        found.setdefault(extra[1], [])
        if _version(package) is None:
            found[extra[1]].append(package)
    return found


def self_tests() -> Iterator[dict[str, Any]]:
    """Machine code against the reference, and both against plain linear algebra, at random states."""
    flyer = loaded(ROBOT)
    rng = np.random.default_rng(0)
    q = flyer.random_configuration(rng, size=STATES)
    v, tau = rng.standard_normal((2, STATES, flyer.nv))
    reference = flyer.with_backend("numpy")
    M, bias = reference.mass_matrix(q), reference.bias_force(q, v)
    solved = np.linalg.solve(M, (tau - bias)[..., None])[..., 0]
    for backend, name in (
        ("numpy", "the reference"),
        ("rolled", "loops over the links"),
        ("straight", "one robot's code"),
    ):
        began = time.perf_counter()
        found = flyer.with_backend(backend).forward_dynamics(q, v, tau)  # type: ignore[arg-type]
        yield {
            "fact": f"forward dynamics by {name} solves M a = tau - c",
            "error": float(np.abs(found - solved).max() / np.abs(solved).max()),
            "seconds": time.perf_counter() - began,
        }


def _said(missing: list[str]) -> str:
    return "missing " + ", ".join(missing) if missing else "installed"


def _print(title: str, facts: dict[str, str]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, title_justify="left")
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for name, fact in facts.items():
        table.add_row(Text(name), Text(fact, style="yellow" if fact.startswith(("missing", "none:")) else ""))
    out.print(Text(f"\n{title}", style="bold"))
    out.print(table)
