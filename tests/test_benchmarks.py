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


@pytest.mark.slow
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
    expected = {
        "ladder",
        "fma",
        "single",
        "links",
        "batches",
        "threads",
        "memory",
        "start",
        "under-actuated",
    }
    expected -= set() if Path("/proc/self/status").exists() else {"memory"}
    several = hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1
    assert sections == expected - (set() if several else {"threads"})
    counts = [figure for figure in report["figures"] if figure["what"].startswith("compilations")]
    assert [figure["value"] for figure in counts] == [0]
    assert all(figure["value"] > 0 for figure in report["figures"] if figure not in counts)
    errors = {figure["who"]: figure["error"] for figure in report["figures"] if figure["error"] is not None}
    assert all(error < (1e-4 if "float32" in who else 1e-6) for who, error in errors.items())
    assert report["machine"]["versions"]["soadyn"]
    steps = {figure["who"] for figure in report["figures"] if figure["section"] == "ladder"}
    assert steps >= {"soadyn rolled", "soadyn straight-line", "soadyn straight-line, float32"}
    page = files["markdown"].read_text()
    assert "| UR5 |" in page
    assert (BENCHMARKS / "text" / "ladder.md").read_text().strip() in page
    assert {path.name for path in (tmp_path / "plots").iterdir()} >= {"links.png", "batches.png"}


@pytest.mark.slow
def test_a_quick_run_of_the_formulas_reports_every_section(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to measure")
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    file = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARKS / "formulas.py"), "--quick", "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text())["figures"]
    assert {figure["section"] for figure in figures} == {"start", "sweeps", "derivatives"}
    assert {figure["who"] for figure in figures if figure["section"] == "start"} == {"cold", "warm"}
    assert all(figure["value"] > 0 for figure in figures)
    errors = [figure["error"] for figure in figures if figure["error"] is not None]
    assert len(errors) == 16
    assert max(errors) < 1e-9


@pytest.mark.slow
def test_a_quick_run_of_the_derivatives_reports_every_section(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to measure")
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    files = {kind: tmp_path / f"figures.{kind}" for kind in ("json", "markdown", "guide")}
    files["guide"].write_text(
        "before\n\n<!-- figures of benchmarks/derivatives.py -->\nold\n<!-- end of figures -->\n\nafter\n"
    )
    command = [sys.executable, str(BENCHMARKS / "derivatives.py"), "ur5", "--quick"]
    for kind, path in files.items():
        command += [f"--{kind}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    report = json.loads(files["json"].read_text())
    figures = report["figures"]
    assert {figure["section"] for figure in figures} == {"jacobians", "jacobians-single", "gradients", "hessians"}
    assert all(figure["value"] > 0 for figure in figures)
    assert all(figure["error"] < 1e-12 for figure in figures if figure["error"] is not None)
    steps = {figure["who"] for figure in figures if figure["section"] == "jacobians"}
    assert steps >= {"soadyn rolled", "soadyn straight-line"}
    counted = [figure for figure in figures if figure["unit"] == "times the value's operations"]
    assert len(counted) == 4
    assert all(figure["value"] <= (3.6 if "rolled" in figure["note"] else 2.8) for figure in counted)
    page = files["markdown"].read_text()
    assert all((BENCHMARKS / "text" / f"{name}.md").read_text().strip() in page for name in ("jacobians", "gradients"))
    guide = files["guide"].read_text()
    assert "old" not in guide
    assert guide.startswith("before\n")
    assert guide.endswith("\nafter\n")
    assert guide.count("| UR5 |") == 2


def test_a_run_of_some_sections_leaves_the_others_of_a_page(tmp_path: Path) -> None:
    text = """
from figures import Report
names = ("processor", "processors", "compiled for", "avx512", "threads", "load", "python", "system")
machine = {**dict.fromkeys(names, ""), "features": [], "versions": {}}
first, second = Report({**machine, "commit": "one"}), Report({**machine, "commit": "two"})
for section in ("single", "memory"):
    first.add(section, "arm", "time", "soadyn", 1.0, "s")
second.add("single", "arm", "time", "soadyn", 2.0, "s")
second.add("ladder", "arm", "time", "soadyn", 3.0, "s", further={"speed": "4"})
page = first.markdown("all").replace("## Memory", "## A section of old\\n\\n| 7 s |\\n\\n## Memory")
print(second.renewed(page, "some"))
"""
    page = prints(tmp_path, text)
    head, ladder, single, memory = page.split("\n## ")
    assert "commit one" in head
    assert "commit two" in ladder
    assert "| 3 s | 4 |" in ladder
    assert "| 2 s |" in single
    assert "| 1 s |" in memory
    assert "commit" not in memory


def test_the_short_table_of_derivatives_says_how_many_times_as_long_others_take(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    text = """
from figures import Report
from derivative_summary import table
report, what = Report({}), "inverse_dynamics_derivatives"
for who, ns in (("Pinocchio loop of f", 400), ("Pinocchio C++ loop of f", 300), ("CasADi's C", 200)):
    report.add("jacobians", "arm", what, who, ns, "ns/state")
report.add("jacobians", "arm", what, "CasADi's C in 8 lanes", 150, "ns/state")
report.add("jacobians", "arm", what, "soadyn rolled", 120, "ns/state")
report.add("jacobians", "tree", what, "soadyn rolled", 90, "ns/state")
report.add("jacobians", "arm", what, "soadyn straight-line", 100, "ns/state", further={"operations": "1,234"})
report.add("jacobians", "arm", what, "soadyn straight-line", 1.5, "times faster")
for robot in ("arm", "tree"):
    report.add("jacobians-single", robot, what, "soadyn", 2.0, "us")
report.add("jacobians-single", "arm", what, "Pinocchio f", 5.0, "us")
print(*table(report.figures)[2:], sep="\\n")
"""
    arm, tree = prints(tmp_path, text).splitlines()
    others = "1.5 times | 2 times | 3 times | 4 times"
    assert arm == f"| inverse | arm | 1,234 | 100 | {others} | 2 | 2.5 times |"
    assert tree == "| inverse | tree | rolled | 90 | - | - | - | - | 2 | - |"


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
@pytest.mark.heavy(2)
def test_what_generated_c_lacks_is_named(tmp_path: Path, path: str | None) -> None:
    text = "casadi_peer.in_pinocchio = lambda: False; print(casadi_peer.missing())"
    environment = {"SOADYN_CASADI_PYTHON": str(tmp_path / "absent")} | ({} if path is None else {"PATH": path})
    lacks_gcc = path is not None or shutil.which("gcc") is None
    expected = "there is no gcc" if lacks_gcc else "the pip package cmeel-casadi-kin-dyn is not installed"
    assert prints(tmp_path, text, **environment).startswith(expected)


# sin(x) y* of x (2) and y (3), in the form in which CasADi writes C.
OUTER = """
#include <math.h>
#ifndef casadi_real
#define casadi_real double
#endif
#ifndef casadi_int
#define casadi_int long long int
#endif
#ifdef __cplusplus
extern "C" {
#endif
static const casadi_int s0[6] = {2, 1, 0, 2, 0, 1}, s1[7] = {3, 1, 0, 3, 0, 1, 2}, s2[2] = {2, 3};
int f(const casadi_real** arg, casadi_real** res, casadi_int* iw, casadi_real* w, int mem) {
  casadi_real a0, a1;
  for (int i = 0; i < 2; ++i) {
    a0 = arg[0] ? arg[0][i] : 0;
    a0 = sin(a0);
    for (int j = 0; j < 3; ++j) {
      a1 = (a0 * arg[1][j]);
      if (res[0] != 0) res[0][2 * j + i] = a1;
    }
  }
  return 0;
}
casadi_int f_n_in(void) { return 2; }
const casadi_int* f_sparsity_in(casadi_int i) { return i ? s1 : s0; }
const casadi_int* f_sparsity_out(casadi_int i) { return s2; }
int f_work(casadi_int* sz_arg, casadi_int* sz_res, casadi_int* sz_iw, casadi_int* sz_w) {
  *sz_arg = 2, *sz_res = 1, *sz_iw = 0, *sz_w = 0;
  return 0;
}
#ifdef __cplusplus
}
#endif
"""


# 2.5 x sin(y) - 2.5 and 2.5 x + y of (x, y): names are used again, a constant and an argument are read late.
ASSIGNMENTS = (
    OUTER.partition("static const")[0]
    + """static const casadi_int s0[6] = {2, 1, 0, 2, 0, 1};
static int casadi_f0(const casadi_real** arg, casadi_real** res, casadi_int* iw, casadi_real* w, int mem) {
  casadi_real a0, a1, a2, a3;
  a0=2.5000000000000000e+00;
  a1=arg[0]? arg[0][0] : 0;
  a1=(a0*a1);
  a2=arg[0]? arg[0][1] : 0;
  a3=sin(a2);
  a3=(a1*a3);
  a3=(a3-a0);
  if (res[0]!=0) res[0][0]=a3;
  a1=(a1+a2);
  if (res[0]!=0) res[0][1]=a1;
  return 0;
}
int f(const casadi_real** arg, casadi_real** res, casadi_int* iw, casadi_real* w, int mem) {
  return casadi_f0(arg, res, iw, w, mem);
}
casadi_int f_n_in(void) { return 1; }
const casadi_int* f_sparsity_in(casadi_int i) { return s0; }
const casadi_int* f_sparsity_out(casadi_int i) { return s0; }
int f_work(casadi_int* sz_arg, casadi_int* sz_res, casadi_int* sz_iw, casadi_int* sz_w) {
  *sz_arg = 1, *sz_res = 1, *sz_iw = 0, *sz_w = 0;
  return 0;
}
#ifdef __cplusplus
}
#endif
"""
)


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("g++") is None, reason="gcc or g++ is absent")
def test_generated_c_runs_over_all_columns_one_by_one_and_in_lanes(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    text = f"""
import pathlib, tempfile
import numpy as np
a, b = (np.asfortranarray(np.random.default_rng(1).standard_normal((size, 37))) for size in (2, 3))
expected = np.einsum("in,jn->jin", np.sin(a), b).reshape(6, 37)  # a matrix is stored by columns
for form in casadi_peer.forms():
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name, "outer.c")
        source.write_text({OUTER!r})
        function = casadi_peer.compiled(source, form)
    found = function(a.astype(form.number), b.astype(form.number))
    print(np.abs(found - expected).max() < 64 * np.finfo(form.number).eps)
"""
    assert set(prints(tmp_path, text).split()) == {"True"}


@pytest.mark.parametrize(("robot", "base"), [("ur/ur5_robot", "fixed"), ("talos_data/talos_reduced", "free")])
@pytest.mark.heavy(2)
def test_c_generated_by_casadi_finds_what_soadyn_finds(tmp_path: Path, robot: str, base: str) -> None:
    for package in ("llvmlite", "pinocchio"):
        pytest.importorskip(package)
    text = f"""
import measures
from steps import in_our_order
from corpus_files import corpus
from peer_robots import PinocchioRobot, States, loaded
path = corpus().get("{robot}")
reason = casadi_peer.missing() if path else "example-robot-data is absent"
if reason:
    raise SystemExit(print("left out:", reason))
robot = loaded(path, "{base}")
pin, s = PinocchioRobot.from_urdf(robot, path, "{base}" == "free"), States.random(robot, 8)
for quantity, (column,) in casadi_peer.columns(pin, path, "{base}" == "free", s).items():
    print(measures.difference(measures.ours(robot, s, quantity)(), in_our_order(pin.peer, s, quantity, column.rows())))
"""
    printed = prints(tmp_path, text)
    if printed.startswith("left out"):
        pytest.skip(printed)
    assert len(printed.splitlines()) == 3
    assert all(float(line) < 1e-12 for line in printed.splitlines())


@pytest.mark.parametrize(
    ("robot", "base"),
    [
        ("ur/ur5_robot", "fixed"),
        pytest.param("ur/ur5_robot", "free", marks=pytest.mark.slow),
        pytest.param("panda/panda", "fixed", marks=pytest.mark.slow),
    ],
)
def test_derivatives_generated_by_casadi_are_what_soadyn_finds(tmp_path: Path, robot: str, base: str) -> None:
    """By q means along the tangent space, also of a free root; fingers are locked."""
    for package in ("llvmlite", "pinocchio"):
        pytest.importorskip(package)
    text = f"""
import derivative_robots, measures
import numpy as np
from derivative_steps import matrices
from steps import in_our_order
from corpus_files import corpus
from peer_robots import PinocchioRobot, States, loaded
path = corpus().get("{robot}")
reason = casadi_peer.missing() if path else "example-robot-data is absent"
if reason:
    raise SystemExit(print("left out:", reason))
if "{robot}" == derivative_robots.PANDA:
    case = derivative_robots.case_of("panda")
else:
    robot, free = loaded(path, "{base}"), "{base}" == "free"
    case = measures.Case("", path, free, robot, PinocchioRobot.from_urdf(robot, path, free))
s, forms = States.random(case.robot, 8), [form for form in casadi_peer.forms() if form.number == "float64"]
columns = casadi_peer.derivative_columns(case.pin, case.path, case.free, case.locked, s, forms)
for quantity, ways in columns.items():
    for column in ways:
        found = in_our_order(case.pin.peer, s, quantity, column.rows())
        ours = np.stack(measures.ours(case.robot, s, quantity)(), axis=1)
        print(measures.difference(matrices(found), matrices(ours)))
"""
    printed = prints(tmp_path, text)
    if printed.startswith("left out"):
        pytest.skip(printed)
    assert len(printed.splitlines()) in (2, 4)
    assert all(float(line) < 1e-12 for line in printed.splitlines())


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is absent")
def test_long_generated_c_in_parts_finds_the_same(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    text = f"""
import pathlib, tempfile
import numpy as np
from c_in_parts import in_parts, operations
a = np.asfortranarray(np.random.default_rng(1).standard_normal((2, 37)))
whole = {ASSIGNMENTS!r}
assert in_parts(whole) == whole
print(operations(whole))
for size in (1, 2, 3, 100):
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name, "whole.c")
        source.write_text(parts := in_parts(whole, longest=0, size=size))
        found = casadi_peer.compiled(source)(a)
    assert parts.count("void part_") == -(-10 // size)
    print(np.abs(found - [2.5 * a[0] * np.sin(a[1]) - 2.5, 2.5 * a[0] + a[1]]).max() < 1e-14)
"""
    assert prints(tmp_path, text).split() == ["4", *["True"] * 4]


@pytest.mark.parametrize(
    ("robot", "base", "taken"),
    [
        ("ur/ur5_robot", "fixed", "pinocchio_loop KDL Simbody"),
        pytest.param("panda/panda", "fixed", "pinocchio_loop Simbody", marks=pytest.mark.slow),  # its fingers slide
        pytest.param("talos_data/talos_reduced", "free", "pinocchio_loop Simbody", marks=pytest.mark.slow),
    ],
)
@pytest.mark.heavy(2)
def test_loops_in_c_plus_plus_find_what_soadyn_finds(tmp_path: Path, robot: str, base: str, taken: str) -> None:
    for package in ("llvmlite", "pinocchio"):
        pytest.importorskip(package)
    text = f"""
import cpp_loop, measures, pinocchio_loop
from debian_loops import LOOPS
import numpy as np
from derivative_steps import matrices
from corpus_files import corpus
from peer_robots import PinocchioRobot, States, loaded
path = corpus().get("{robot}")
there = {{"pinocchio_loop": (pinocchio_loop.missing(compile_it=False), pinocchio_loop.library)}}
there |= {{each.name: (each.missing(), each.library) for each in LOOPS}}
left_out = [reason if path else "example-robot-data is absent" for reason, _ in there.values() if reason or not path]
for name, (reason, library) in there.items():
    if reason or not path:
        continue
    robot = loaded(path, "{base}")
    s, pin = States.random(robot, 8), PinocchioRobot.from_urdf(robot, path, "{base}" == "free")
    try:
        loop = cpp_loop.CppLoop(pin, library())
    except ValueError as error:
        print(name, "refuses:", error)
        continue
    for quantity in casadi_peer.ALGORITHMS:
        found = measures.difference(loop.step("", s, quantity).rows(), measures.ours(robot, s, quantity)())
        print(name, found)
    if name == "pinocchio_loop":
        for quantity in casadi_peer.DERIVATIVES:
            ours = np.stack(measures.ours(robot, s, quantity)(), axis=1)
            print(name, measures.difference(matrices(loop.step("", s, quantity).rows()), matrices(ours)))
print("left out:", *left_out)
"""
    *lines, left_out = prints(tmp_path, text).splitlines()
    if not lines:
        pytest.skip(left_out)
    for line in lines:
        name, found = line.split(maxsplit=1)
        if name in taken.split():
            assert float(found) < 1e-12, line
        else:
            assert found.startswith("refuses: it does not take the"), line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("inverse_kinematics", ("--targets", "40", "--peer-targets", "4"), "0 of 200 called solved"),
        ("time_optimal", ("--paths", "4", "--intervals", "20"), "limits passed by"),
        ("feedbacks", ("--quick",), "times faster, one state"),
        ("cliffs", ("--quick", "--before", str(BENCHMARKS.parent)), "a step of ten takes"),
    ],
)
def test_benchmarks_of_kinematics_paths_and_control_run(name: str, options: tuple[str, ...], words: str) -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout


def test_two_checkouts_are_compared_row_by_row(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is absent: there is no native code to measure")
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are not part of this copy")
    script, there = str(BENCHMARKS / "two_trees.py"), str(BENCHMARKS.parent)
    figures = tmp_path / "ratios.json"
    few = [
        "--rows", r"ETS-VII \| auto \| (mass_matrix|hybrid_dynamics|generalized_drift) \| 1$",
        "--rounds", "2", "--pairs", "1", "--worse", "1000", "--json", str(figures), "--cache", str(tmp_path / "cache"),
    ]  # fmt: skip
    done = subprocess.run([sys.executable, script, there, *few], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "0 of 3 rows slower" in done.stdout
    assert all(min(ratios) > 0 for ratios in json.loads(figures.read_text()).values())
    slower = [*few, "--worse", "0"]
    done = subprocess.run([sys.executable, script, there, *slower], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr
    assert "3 of 3 rows slower" in done.stdout
    done = subprocess.run([sys.executable, script, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert f"{tmp_path} is no checkout of soadyn: it has no src/soadyn" in done.stderr
