"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import builtins
import importlib.util
import json
import os
import re
import subprocess
import sys
from importlib import resources

import numpy as np
import pytest

import soadyn as sd
from soadyn.cli import demonstration, motion
from soadyn.simulation import Trajectory, simulate


def write_urdf(path, mass="0"):
    path.write_text(
        f"""<robot name="odd">
        <link name="base"/>
        <link name="arm"><inertial><origin xyz="0 0 0"/><mass value="{mass}"/>
          <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
        </robot>"""
    )
    return str(path)


def test_the_module_runs_as_a_program(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "soadyn", "--version"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, sd.__version__)


def test_plain_commands_import_neither_scipy_nor_matplotlib(tmp_path):
    program = "import soadyn.cli, sys; print([m for m in ('scipy', 'matplotlib', 'pinocchio') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_terminal_without_greek_letters_is_no_reason_to_fail(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "soadyn", "explain", "mass_matrix"],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert ran.returncode == 0
    assert b"for k = 1 ... n   (tip to base)" in ran.stdout


def test_robots_lists_all_with_their_sources(soadyn):
    code, printed, _ = soadyn("robots")
    assert code == 0
    assert all(name in printed for name in sd.robots())
    assert "Yoshida" in printed


def test_info_shows_links_joints_frames_and_topology(soadyn):
    code, printed, _ = soadyn("info", "free_flyer")
    assert code == 0
    robot = sd.load("free_flyer")
    for name in (*robot.link_names, *robot.joint_names, "tool", "ground", "255 kg", "└──", "-2.967 to 2.967"):
        assert name in printed


def test_info_has_units_for_limits_speed_and_effort(soadyn, tmp_path):
    assert "-2.897 to 2.897 rad    2.175 rad/s  87 N m" in soadyn("info", "panda")[1]
    path = tmp_path / "rail.urdf"
    path.write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="prismatic"><parent link="a"/>'
        '<child link="b"/><axis xyz="-0 -0 1"/><limit lower="-0" upper="2" velocity="3" effort="4"/></joint></robot>'
    )
    printed = soadyn("info", str(path))[1]
    assert "0 to 2 m         3 m/s  4 N" in printed
    assert "-0 " not in printed


def test_no_zero_is_printed_with_a_sign(soadyn, tmp_path):
    printed = soadyn("simulate", "planar_two_link", "--duration", "0.01", "--out", str(tmp_path / "x.npz"))[1]
    numbers = printed.replace(str(tmp_path), "")  # a folder may be called pytest-0
    assert not re.search(r"-0(?![.\d])", numbers)


def test_info_reports_impossible_inertia(soadyn):
    code, printed, _ = soadyn("info", "ets_vii")
    assert code == 0
    assert "impossible inertia" in printed
    assert "triangle inequality" in printed
    code, _, complaint = soadyn("info", "ets_vii", "--strict")
    assert code == 2
    assert "impossible inertia" in complaint


def test_info_takes_root_and_mimic(soadyn):
    assert "root (free)" in soadyn("info", "planar_two_link", "--root", "free")[1]
    assert "nq = 2, nv = 2" in soadyn("info", "planar_two_link", "--root=fixed", "--mimic", "tie")[1]


@pytest.mark.parametrize("robot", ["free_flyer", "ets_vii", "snake"])
def test_info_as_json_is_what_the_robot_is(soadyn, robot):
    code, printed, complaint = soadyn("info", robot, "--json")
    assert (code, complaint) == (0, "")
    told, arm = json.loads(printed), sd.load(robot)
    assert (told["name"], told["nq"], told["nv"], told["mass"]) == (arm.name, arm.nq, arm.nv, arm.total_mass)
    assert told["gravity"] == arm.gravity.tolist()
    assert [link["name"] for link in told["links"] if not link["hidden"]] == list(arm.link_names)
    assert {link["parent"] for link in told["links"]} <= {"ground", *(link["name"] for link in told["links"])}
    assert [joint["name"] for joint in told["joints"]] == list(arm.joint_names)
    assert [i for joint in told["joints"] for i in joint["v"]] == list(range(arm.nv))
    assert [x for joint in told["joints"] for x in joint["lower"]] == [x if np.isfinite(x) else None for x in arm.lower]
    assert told["notes"] == list(arm.notes)
    assert any(link["impossible_inertia"] for link in told["links"]) == (robot == "ets_vii")


def test_info_as_json_tells_which_joint_follows_which(soadyn, tmp_path):
    path = tmp_path / "hand.urdf"
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    finger = '<joint name="{}" type="continuous"><parent link="palm"/><child link="{}"/>{}</joint>'
    links = "".join(f'<link name="{name}">{inertial}</link>' for name in ("a", "b"))
    mimic = '<mimic joint="left" multiplier="-2" offset="0.5"/>'
    joints = finger.format("left", "a", "") + finger.format("right", "b", mimic)
    path.write_text(f'<robot name="hand"><link name="palm"/>{links}{joints}</robot>')
    told = json.loads(soadyn("info", str(path), "--mimic", "tie", "--json")[1])
    left, right = told["joints"]
    assert (left["q"], left["follows"]) == ([0], [])
    assert (right["q"], right["follows"]) == ([], [{"joint": "left", "multiplier": -2.0, "offset": 0.5}])


def test_check_as_json_is_what_it_prints(soadyn, monkeypatch):
    code, printed, complaint = soadyn("check", "ur5", "--states", "2", "--seed", "7", "--json")
    assert (code, complaint) == (0, "")
    told = json.loads(printed)
    assert (told["robot"], told["states"], told["seed"], told["holds"]) == ("ur5", 2, 7, True)
    assert all(check["error"] <= check["allowed"] for check in told["checks"])
    listed = soadyn("check", "ur5", "--states", "2", "--seed", "7")[1]
    assert all(check["fact"][:40] in listed for check in told["checks"])  # long ones are wrapped
    assert f"all {len(told['checks'])} checks hold" in listed
    true = sd.Robot.bias_force
    monkeypatch.setattr(sd.Robot, "bias_force", lambda self, q, v: 1.001 * true(self, q, v))
    code, printed, _ = soadyn("check", "ur5", "--states", "2", "--json")
    assert code == 1
    wrong = [check["fact"] for check in json.loads(printed)["checks"] if not check["holds"]]
    assert "inverse dynamics is mass matrix times acceleration plus bias" in wrong


def test_check_as_json_of_robots_without_an_answer(soadyn, tmp_path):
    code, printed, _ = soadyn("check", write_urdf(tmp_path / "odd.urdf"), "--states", "2", "--json")
    assert code == 1
    told = next(check for check in json.loads(printed)["checks"] if check["reason"])
    assert told["error"] is None
    assert "the mass matrix is singular" in told["reason"]
    path = tmp_path / "stone.urdf"
    path.write_text('<robot name="stone"><link name="rock"/></robot>')
    code, printed, _ = soadyn("check", str(path), "--json")
    assert code == 0
    assert json.loads(printed)["checks"] == []
    assert "snake" in soadyn("check", "snake", "--states", "2", "--json")[1]


@pytest.mark.parametrize("option", ["--out", "--save", "-o"])
@pytest.mark.heavy(2)
def test_every_command_that_writes_takes_out_and_save(soadyn, tmp_path, option):
    short = ("--duration", "0.02", "--step", "0.01")
    assert soadyn("simulate", "planar_two_link", *short, option, "run.csv")[0] == 0
    assert (tmp_path / "run.csv").read_text().startswith("t,q.joint1,q.joint2,v.joint1")
    assert soadyn("export", "ur5", "gravity_force", option, "weight")[0] == 0
    assert (tmp_path / "weight.c").is_file()
    assert option in soadyn("demo", "--help")[1]
    if importlib.util.find_spec("viser"):
        assert soadyn("show", "planar_two_link", option, "arm.html")[0] == 0
        assert (tmp_path / "arm.html").is_file()


@pytest.mark.parametrize("robot", ["ur5", "free_flyer", "puma560", "snake"])
def test_check_passes_on_built_in_robots(soadyn, robot):
    code, printed, _ = soadyn("check", robot, "--states", "4", "--seed", "7")
    assert code == 0
    assert "✗" not in printed
    assert "forward dynamics undoes inverse dynamics" in printed
    assert "innovations factorization" in printed
    assert "checks hold on" in printed


def test_check_compares_with_pinocchio_if_it_is_there(soadyn):
    pytest.importorskip("pinocchio")
    assert "inverse dynamics agrees with Pinocchio" in soadyn("check", "puma560", "--root", "free", "--states", "2")[1]
    assert "does not come from a URDF file" in soadyn("check", "snake", "--states", "2")[1]


def test_check_explains_a_singular_robot_and_fails(soadyn, tmp_path):
    code, printed, _ = soadyn("check", write_urdf(tmp_path / "odd.urdf"), "--states", "2")
    assert code == 1
    assert "✗" in printed
    assert "the mass matrix is singular at link 'arm'" in printed
    assert "no inertia along joint 'hinge'" in printed
    assert "checks failed on 'odd'" in printed


def test_check_notices_a_wrong_result(soadyn, monkeypatch):
    true = sd.Robot.bias_force
    monkeypatch.setattr(sd.Robot, "bias_force", lambda self, q, v: 1.001 * true(self, q, v))
    code, printed, _ = soadyn("check", "ur5", "--states", "2")
    assert code == 1
    assert "✗  inverse dynamics is mass matrix times acceleration plus bias" in printed


def test_check_names_what_the_file_says_and_is_left_out(soadyn, tmp_path):
    path = tmp_path / "four.urdf"
    more = '<transmission name="belt"/>' * 9 + '<loop_joint name="close"/></robot>'
    arm = resources.files("soadyn.loading").joinpath("robots", "planar_two_link.urdf").read_text()
    path.write_text(arm.replace("</robot>", more))
    code, printed, _ = soadyn("check", str(path), "--states", "2")
    assert code == 0
    assert '<loop_joint name="close"> is left out: the loop that it closes is open' in printed
    assert printed.rstrip().endswith("checked without 10 things that its file says and soadyn leaves out (see above)")
    told = json.loads(soadyn("check", str(path), "--states", "2", "--json")[1])
    assert len(told["not_modelled"]) == 10
    code, _, complaint = soadyn("check", str(path), "--strict")
    assert (code, "1 loop joint (<loop_joint" in complaint, "9 transmissions" in complaint) == (2, True, True)


def test_check_of_a_robot_without_joints_says_so(soadyn, tmp_path):
    path = tmp_path / "stone.urdf"
    path.write_text('<robot name="stone"><link name="rock"/></robot>')
    code, printed, _ = soadyn("check", str(path))
    assert (code, "no moving joint" in printed) == (0, True)


def test_explain_prints_the_recursion(soadyn):
    code, printed, _ = soadyn("explain", "forward-dynamics", "ur5")
    assert code == 0
    assert "for k = 1 ... n   (tip to base)" in printed
    assert "P⁺(k) = P(k) - G(k) D(k) G*(k)" in printed
    assert "wrist_3" in printed
    assert soadyn("explain", "mass_matrix")[0] == 0


def test_simulate_writes_states_and_picture(soadyn, tmp_path):
    code, printed, _ = soadyn(
        "simulate", "free_flyer", "--duration", "0.04", "--step", "0.02", "--out", "run.npz", "--plot", "run.svg"
    )
    assert code == 0
    assert "energy drift" in printed
    assert "momentum drift" in printed
    assert len(Trajectory.load(tmp_path / "run.npz")) == 3
    assert (tmp_path / "run.svg").is_file()


def test_simulate_can_hold_a_robot_up(soadyn, tmp_path):
    options = ("--duration", "0.1", "--step", "0.05", "--control", "hold", "--start", "random", "--seed", "3")
    code, _, _ = soadyn("simulate", "planar_two_link", *options)
    assert code == 0
    assert np.abs(Trajectory.load(tmp_path / "planar_two_link.npz").v).max() < 1e-12


def test_an_interrupted_simulation_is_kept(soadyn, monkeypatch, tmp_path):
    def interrupted(*arguments, progress, **options):
        def impatient(t, end):
            if t > 0.025:
                raise KeyboardInterrupt

        assert progress is True
        return simulate(*arguments, progress=impatient, **options)

    monkeypatch.setattr(motion, "simulate", interrupted)
    code, printed, _ = soadyn("simulate", "planar_two_link", "--duration", "1", "--step", "0.01", "--out", "run.npz")
    assert code == 130
    assert "interrupted at t = 0.03 s; what was done is kept" in printed
    assert Trajectory.load(tmp_path / "run.npz").interrupted


@pytest.fixture
def short_demo(monkeypatch):
    for name, value in {"AWAY": (0.02, 0.0, 0.0), "DURATION": 3.0, "PLANNED": 0.3, "STEP": 0.1}.items():
        monkeypatch.setattr(demonstration, name, value)


def test_demo_checks_reaches_and_says_where_things_are(soadyn, short_demo, tmp_path):
    code, printed, _ = soadyn("demo", "--out", "here/demo")
    assert code == 0
    assert "checks hold on 'free_flyer'" in printed
    assert "✓" not in printed  # in brief
    turned = next(line for line in printed.splitlines() if line.startswith("base turned")).split()
    held, naive, driven = (float(x) for x in turned[-3:])
    assert held < 0.01 < naive
    assert driven <= naive
    assert Trajectory.load(tmp_path / "here/demo/reaction-mode.npz").t[-1] == 3.0
    if importlib.util.find_spec("viser"):
        assert "page     here/demo/reach.html" in printed
        assert (tmp_path / "here/demo/reach.html").stat().st_size > 1e5
        assert printed.splitlines()[-1] == f"open {tmp_path}/here/demo/reach.html in a browser and press play"


def test_demo_goes_without_a_page(soadyn, short_demo, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    code, printed, _ = soadyn("demo")
    assert code == 0
    assert "no page: viewing needs viser; install it with: pip install viser" in printed


def test_demo_tells_all_about_a_check_that_fails(soadyn, short_demo, monkeypatch):
    true = sd.Robot.bias_force
    monkeypatch.setattr(sd.Robot, "bias_force", lambda self, q, v: 1.001 * true(self, q, v))
    code, printed, _ = soadyn("demo")
    assert code == 1
    assert "✗  inverse dynamics is mass matrix times acceleration plus bias" in printed


def test_without_matplotlib_commands_say_how_to_get_it(soadyn, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    options = ("--duration", "0.02", "--step", "0.01")
    code, printed, _ = soadyn("simulate", "planar_two_link", *options)
    assert code == 0
    assert "no picture: plotting needs matplotlib; install it with: pip install matplotlib" in printed
    code, _, complaint = soadyn("simulate", "planar_two_link", *options, "--plot", "x.png")
    assert code == 2
    assert "pip install matplotlib" in complaint


def test_without_pinocchio_check_says_so(soadyn, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name == "pinocchio":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    code, printed, _ = soadyn("check", "planar_two_link", "--states", "2")
    assert code == 0
    assert "not compared with Pinocchio: Pinocchio is not installed (pip install pin)" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("info", "ur55"), "error: unknown robot 'ur55'. Did you mean 'ur5'?"),
        (("check", "nowhere/robot.urdf"), "no such file"),
        (("check", "ur5", "--states", "0"), "check needs at least one state, got --states 0"),
        (("explain", "mass_matrx"), "unknown quantity 'mass_matrx'. Did you mean 'mass_matrix'"),
        (("simulate", "ur5", "--duration", "-1"), "duration must be a positive number, got -1.0"),
        (("simulate", "ur5", "--out", "nowhere/x.npz"), "cannot write 'nowhere/x.npz': there is no folder 'nowhere'"),
        (("simulate", "ur5", "--out", "x.txt"), "its suffix is '.txt'; expected .npz, .csv or .parquet"),
        (("simulate", "ur5", "--plot", "x.docx"), "its suffix is '.docx'; expected .png, .pdf, .svg"),
        (("show", "ur5", "--save", "x.txt"), "cannot write a page to 'x.txt': its suffix is '.txt'; expected .html"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(soadyn, arguments, words):
    code, _, complaint = soadyn(*arguments)
    assert code == 2
    assert words in complaint
    assert "Traceback" not in complaint
    assert len(complaint.strip().splitlines()) == 1


def test_debug_shows_the_traceback(soadyn):
    code, _, complaint = soadyn("info", "ur55", "--debug")
    assert code == 2
    assert "Traceback" in complaint
    assert "unknown robot 'ur55'" in complaint


@pytest.mark.parametrize(
    "arguments", [("chek", "ur5"), ("info",), ("check", "ur5", "--states", "many"), ("info", "ur5", "--nonsense")]
)
def test_wrong_commands_end_with_exit_code_2(soadyn, arguments):
    code, printed, complaint = soadyn(*arguments)
    assert code == 2
    assert "Error" in complaint + printed


def test_a_method_that_is_not_there_is_answered_with_those_that_are(soadyn):
    code, printed, complaint = soadyn("simulate", "ur5", "--method", "rk5")
    assert code == 2
    said = " ".join((complaint + printed).replace("│", " ").split())
    assert 'Invalid value "rk5" for --method. Choose from: "auto", "rk4", "semi-implicit"' in said
    assert 'Did you mean "rk4"?' in said
    assert "Literal" not in said


def test_a_simulation_that_goes_wrong_keeps_what_was_done(soadyn, tmp_path):
    code, _, complaint = soadyn("simulate", write_urdf(tmp_path / "odd.urdf"), "--out", "odd.npz", "--duration", "0.1")
    assert code == 2
    assert "no inertia along joint 'hinge'" in complaint
    assert "what was done until then is in odd.npz" in complaint


def test_help_names_every_command(soadyn):
    code, printed, _ = soadyn("--help")
    assert code == 0
    assert all(command in printed for command in ("info", "robots", "check", "explain", "simulate", "demo", "--debug"))


def test_export_writes_c_where_it_is_told(soadyn, tmp_path):
    code, printed, _ = soadyn("export", "ur5", "jacobian", "--frame", "tool0", "--out", "tool")
    assert code == 0
    assert printed.strip() == "wrote tool.c and tool.h"
    assert "int ur5_jacobian(const double q[6], double J[36]);" in (tmp_path / "tool.h").read_text()
    code, printed, _ = soadyn("export", "ets_vii", "hybrid-dynamics", "--passive", "root", "--real", "float", "--libm")
    assert code == 0
    assert "cosf(" in (tmp_path / "ets_vii_hybrid_dynamics.c").read_text()
    code, _, told = soadyn("export", "ur5", "pose")
    assert code == 2
    assert "pose needs a frame: --frame NAME" in told
    code, printed, _ = soadyn("export", "planar_two_link", "gravity-force", "--derivative", "jvp", "--mimic", "tie")
    assert code == 0
    assert "const double dq[2]" in (tmp_path / "planar_two_link_gravity_force_jvp.h").read_text()
    code, _, told = soadyn("export", "ur5", "forward_dynamic")
    assert code == 2
    assert "Did you mean 'forward_dynamics'" in told
    assert len(list(tmp_path.iterdir())) == 6


def test_show_saves_a_page(soadyn, tmp_path):
    pytest.importorskip("viser")
    code, printed, _ = soadyn("show", "ur5", "--save", "ur5.html", "--start", "random", "--frames", "tool0", "--masses")
    assert code == 0
    assert "page  ur5.html (" in printed
    assert "<title>ur5</title>" in (tmp_path / "ur5.html").read_text(encoding="utf-8")
    code, _, _ = soadyn("show", "planar_two_link", "--save", "fall.html", "--duration", "0.2", "--passive", "joint1")
    assert code == 0
    assert (tmp_path / "fall.html").stat().st_size > 0.5e6


def test_show_says_what_is_wrong_in_one_line(soadyn):
    code, _, told = soadyn("show", "ur5", "--save", "nowhere/ur5.html")
    assert (code, told.count("\n")) == (2, 1)
    assert "cannot write 'nowhere/ur5.html': there is no folder 'nowhere'" in told
    code, _, told = soadyn("show", "ur5", "--save", "ur5.html", "--frames", "tol")
    assert code == 2
    assert "unknown frame 'tol'" in told


def test_show_serves_until_it_is_stopped(soadyn, monkeypatch):
    pytest.importorskip("viser")
    served = []
    monkeypatch.setattr(sd.view.View, "wait", lambda view: (served.append(view.url), view.stop()))
    assert soadyn("show", "planar_two_link", "--port", "0")[0] == 0
    assert served[0].startswith("http://127.0.0.1:")
