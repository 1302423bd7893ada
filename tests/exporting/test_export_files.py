"""The files of exported C: what they call, hold and say, and what happens to them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import soadyn as sd
from c_code import STRICT, gcc
from random_robots import model_of_every_kind
from soadyn.engine import policy
from soadyn.exporting import c_source, parts
from soadyn.programs.sweep.algorithms import GRAVITY_FORCE


def test_the_header_is_for_c_plus_plus_as_well(ur5: sd.Robot, tmp_path: Path) -> None:
    sd.export_c(ur5.gravity_force, tmp_path / "hold.c")
    (tmp_path / "main.cc").write_text(
        '#include "hold.h"\n#include "hold.h"\n'
        "int main() { double q[6] = {0}, tau[6]; return ur5_gravity_force(q, tau); }\n"
    )
    gcc("-c", *STRICT, tmp_path / "hold.c", "-o", tmp_path / "hold.o")
    flags = ("-std=c++98", "-Wall", "-Wextra", "-Werror", "-pedantic")
    gcc(*flags, tmp_path / "main.cc", tmp_path / "hold.o", "-lm", "-o", tmp_path / "main", compiler="g++")
    assert subprocess.run([tmp_path / "main"]).returncode == 0


@pytest.mark.parametrize("libm", [False, True])
@pytest.mark.heavy(2)
def test_nothing_is_called_but_mathematics(libm: bool, ur5: sd.Robot, tmp_path: Path) -> None:
    path, _ = sd.export_c(ur5.forward_dynamics, tmp_path / "code", libm=libm)
    gcc("-c", *STRICT, "-O2", "-fno-stack-protector", path, "-o", tmp_path / "code.o")
    if shutil.which("nm") is None:
        pytest.skip("nm is absent: there is nothing to look at symbols with")
    done = subprocess.run(["nm", "-u", tmp_path / "code.o"], capture_output=True, text=True, check=True)
    called = {line.split()[-1].lstrip("_") for line in done.stdout.splitlines()}
    assert called <= {"sin", "cos", "sincos", "sqrt", "fma", "memset", "memcpy"}
    assert called & {"sin", "cos", "sincos"}
    data = subprocess.run(["nm", tmp_path / "code.o"], capture_output=True, text=True, check=True).stdout
    assert not re.search(r" [bBdDC] ", data), "memory that outlives a call"


@pytest.mark.parametrize("optimised", ["-O0", "-O2"])
@pytest.mark.parametrize("part", [2_000, 150])
@pytest.mark.heavy(2)
def test_the_stack_is_as_small_as_told(
    part: int, optimised: str, robot: sd.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART", part)
    path, _ = sd.export_c(robot.forward_dynamics, tmp_path / "code", name="f")
    gcc("-c", *STRICT, optimised, "-fstack-usage", path, "-o", tmp_path / "code.o")
    (usage,) = tmp_path.glob("*.su")
    taken = {
        line.split("\t")[0].rpartition(":")[2]: int(line.split("\t")[1]) for line in usage.read_text().splitlines()
    }
    deepest = taken.pop("f") + max((x for name, x in taken.items() if "_part_" in name), default=0)
    deepest += max((x for name, x in taken.items() if "sine" in name), default=0)
    (told,) = re.findall(r"at most\D+(\d+)\D+bytes", path.read_text(encoding="utf-8"))
    assert 200 < deepest <= int(told)


def test_the_comment_tells_the_conventions(tmp_path: Path) -> None:
    robot = sd.load("ets_vii")
    _, path = sd.export_c(robot.jacobian, tmp_path / "code", frame=robot.link_names[-1])
    text = path.read_text(encoding="utf-8")
    for told in (
        "jacobian of robot ets_vii",
        f"soadyn {sd.__version__}",
        "J = B* phi* H*",
        "w, x, y, z",
        "[angular; linear]",
        f"frame: {robot.link_names[-1]}",
        "axes: world",
        *robot.joint_names,
    ):
        assert told in text
    counts = robot.operation_counts("jacobian", robot.link_names[-1])
    (told_count,) = re.findall(r"(\d+) operations in double", text)
    assert 0 < int(told_count) <= sum(sum(stage.values()) for stage in counts.values())


def test_the_same_robot_gives_the_same_text(tmp_path: Path) -> None:
    for path in ("one/code", "two/code"):
        (tmp_path / path).parent.mkdir()
        sd.export_c(sd.load("ets_vii").forward_dynamics, tmp_path / path)
    for name in ("code.c", "code.h"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_names_from_files_break_neither_comments_nor_identifiers(tmp_path: Path) -> None:
    builder = sd.Builder('7 */ int main; /* "??/\n \\ \u202e ü')
    builder.link("*/", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0), joint_name="/* ??/")
    builder.link("int", sd.Body(1.0, com=(0, 0, -1)), parent="*/", axis=(0, 1, 0), joint_name="*??/\n/")
    path, header = sd.export_c(sd.build(builder).inverse_dynamics, tmp_path / "odd-name 1.2", external=True)
    assert (path.name, header.name) == ("odd-name 1.2.c", "odd-name 1.2.h")
    assert "int robot_7_int_main_inverse_dynamics(" in header.read_text(encoding="utf-8")
    gcc("-c", *STRICT, path, "-o", tmp_path / "code.o")


def test_nothing_is_written_but_the_two_files(ur5: sd.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sd.export_c(ur5.gravity_force, "hold") == (Path("hold.c"), Path("hold.h"))
    (tmp_path / "other.h").mkdir()
    for path in ("other", "other.h", ".", "no/such/place"):
        with pytest.raises(sd.ArgumentError, match=r"directory|cannot write"):
            sd.export_c(ur5.gravity_force, path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hold.c", "hold.h", "other.h"]


def test_what_was_there_stays_if_writing_fails(ur5: sd.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sd.export_c(ur5.gravity_force, tmp_path / "hold")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(sd.ArgumentError, match="No space left"):
        sd.export_c(ur5.mass_matrix, tmp_path / "hold")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_is_too_long_is_refused(ur5: sd.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "LONGEST_EXPORTED", 20)
    with pytest.raises(sd.ArgumentError, match=r"takes \d+ operations, more than the 20 that are written out"):
        sd.export_c(ur5.gravity_force, tmp_path / "hold")
    assert not list(tmp_path.iterdir())


def test_fast_mathematics_is_refused(ur5: sd.Robot, tmp_path: Path) -> None:
    path, _ = sd.export_c(ur5.gravity_force, tmp_path / "hold")
    refused = gcc("-c", *STRICT, "-ffast-math", path, "-o", tmp_path / "hold.o", check=False)
    assert refused.returncode != 0
    assert "would remove the checks" in refused.stderr


def test_a_program_without_a_quantity_can_be_exported(ur5: sd.Robot, tmp_path: Path) -> None:
    text, header = c_source(GRAVITY_FORCE, ur5, "hold", results=("w",))
    assert "int hold(const double q[6], double w_[6]);" in header
    (tmp_path / "hold.c").write_text(text)
    (tmp_path / "hold.h").write_text(header)
    gcc("-c", *STRICT, tmp_path / "hold.c", "-o", tmp_path / "hold.o")


@pytest.mark.slow
@pytest.mark.parametrize("part", [2_000, 150])
def test_sanitizers_find_nothing(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", part)
    robot = sd.Robot(model_of_every_kind())
    path, _ = sd.export_c(robot.hybrid_dynamics, tmp_path / "code", name="f")
    nq, nv = robot.nq, robot.nv
    (tmp_path / "main.c").write_text(
        f"""#include "code.h"
        #include <math.h>
        #include <stdlib.h>
        static double number(void) {{ return 4.0 * rand() / RAND_MAX - 2.0; }}
        int main(void)
        {{
            int row, i, bad = 0;
            for (row = 0; row < 2000; ++row) {{
                double *q = malloc({nq} * sizeof *q), *v = malloc({nv} * sizeof *v), *a = malloc({nv} * sizeof *a);
                double *tau = malloc({nv} * sizeof *tau), *x = malloc({nv} * sizeof *x), *y = malloc({nv} * sizeof *y);
                int *passive = malloc({nv} * sizeof *passive);
                for (i = 0; i < {nq}; ++i) q[i] = row % 7 == 0 ? 1e300 * number() : row % 5 == 0 ? 1e9 : number();
                for (i = 0; i < {nv}; ++i) {{
                    v[i] = number(); a[i] = row % 11 == 0 ? NAN : number(); tau[i] = number();
                    passive[i] = rand() & 1;
                }}
                i = f(q, v, a, tau, passive, x, y);
                if (i < 0 || i > 3 || (i == 0) != (isfinite(x[0]) != 0)) ++bad;
                free(q); free(v); free(a); free(tau); free(x); free(y); free(passive);
            }}
            return bad != 0;
        }}"""
    )
    flags = ("-g", "-O1", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all")
    gcc(*STRICT, *flags, path, tmp_path / "main.c", "-lm", "-o", tmp_path / "main")
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
