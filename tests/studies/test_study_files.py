"""Study files: data alone, nothing outside their folder; the commands that run them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import soadyn as sd
from soadyn.studies import Grid, Measure, Quantities, Simulation, StudyError, load_study

GRID = """
robot = "planar_two_link"
[quantities]
v = [0.2, 0.0]
[parameters]
design = "grid"
values = { "q.joint1" = { from = 0.0, to = 1.0, count = 3 }, "link2.mass" = [1.0, 2.0] }
[measures.weight]
of = "gravity_force"
norm = true
[results]
folder = "out"
histograms = { weight = { low = 0.0, high = 50.0, bins = 5 } }
"""
SWING = """
robot = "arm.urdf"
[simulate]
q0 = [0.1, 0.0]
duration = 0.1
step = 0.01
record_every = 0.1
stops = false
[simulate.control]
kind = "JointFeedback"
q = [0.2, 0.1]
stiffness = 50.0
damping = 5.0
[parameters]
design = "latin_hypercube"
rows = 8
seed = 3
[parameters.values]
"link2.mass" = { norm = { loc = 1.0, scale = 0.05 } }
"v0.joint1" = [-0.1, 0.1]
[measures.end]
of = "q"
"""


def test_a_file_says_what_python_says(tmp_path):
    (tmp_path / "weights.toml").write_text(GRID)
    by_file = load_study(tmp_path / "weights.toml").run(progress=False)
    assert by_file.folder == tmp_path / "out"
    scenario = Quantities(
        sd.load("planar_two_link"),
        {"weight": Measure("gravity_force", norm=True)},
        v=[0.2, 0.0],
        histograms={"weight": sd.studies.Histogram(0.0, 50.0, 5)},
    )
    design = Grid({"q.joint1": np.linspace(0.0, 1.0, 3), "link2.mass": [1.0, 2.0]})
    same = sd.studies.Study(scenario, design, tmp_path / "out")  # refused if it were another study
    np.testing.assert_array_equal(same.results.values["weight"], by_file.results.values["weight"])


def test_a_file_may_name_a_robot_beside_it_and_a_controller(tmp_path):
    shutil.copy(Path(sd.__file__).parent / "loading" / "robots" / "planar_two_link.urdf", tmp_path / "arm.urdf")
    (tmp_path / "swing.toml").write_text(SWING)
    found = load_study(tmp_path / "swing.toml").run(progress=False).results
    arm = sd.load("planar_two_link")
    hold = sd.control.JointFeedback(arm, [0.2, 0.1], stiffness=50.0, damping=5.0)
    x = found.parameters
    v0 = np.stack([x["v0.joint1"], np.zeros(8)], axis=-1)
    options = {"duration": 0.1, "step": 0.01, "record_every": 0.1, "stops": False, "effort_limit": None}
    values = {"link2.mass": x["link2.mass"]}
    run = sd.simulate(
        arm.parametric("link2.mass"), np.tile([0.1, 0.0], (8, 1)), v0, control=hold, parameters=values, **options
    )
    np.testing.assert_allclose(found.values["end"], run.q[-1], rtol=1e-11, atol=1e-13)
    assert (tmp_path / "swing").is_dir()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('folder = "out"', 'folder = "../out"'), "does not lie in the file's own folder"),
        (('folder = "out"', 'folder = "/tmp/out"'), "does not lie in the file's own folder"),
        (('folder = "out"', 'folder = "."'), "does not lie in the file's own folder"),
        (('"planar_two_link"', '"../arm.urdf"'), "does not lie in the study file's own folder"),
        (('"planar_two_link"', '"/etc/passwd"'), "does not lie in the study file's own folder"),
        (('"planar_two_link"', '"nothing.urdf"'), "neither built in"),
        (("[quantities]", "[function]"), "unknown key 'function'"),
        (('of = "gravity_force"', 'of = "__import__"'), "unknown measure '__import__'"),
        (('design = "grid"', 'design = "os.system"'), "unknown design 'os.system'"),
        (("count = 3", "count = 10000000000"), "a count up to 1,000,000"),
        (("norm = true", "norm = true\npython = 'print(1)'"), "unknown key 'python'"),
        (("bins = 5", "bins = 1000000000"), "bins"),
        (("v = [0.2, 0.0]", "v = [0.2"), "is not a TOML file"),
        (("v = [0.2, 0.0]", "x = " + "[" * 5000), "is not a TOML file"),
        (("", "#" * 1_100_000), "bytes, expected at most 1000000"),
    ],
)
def test_files_of_strangers_run_no_code_and_leave_no_folder(tmp_path, change, words):
    file = tmp_path / "sub" / "weights.toml"
    file.parent.mkdir()
    (tmp_path / "arm.urdf").write_text("<robot/>")
    file.write_text(GRID.replace(*change, 1))
    with pytest.raises(sd.SoadynError, match=words.replace("(", r"\(")):
        load_study(file)
    assert [path.name for path in file.parent.iterdir()] == ["weights.toml"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (inner / "out").symlink_to(tmp_path / "elsewhere")
    (inner / "weights.toml").write_text(GRID)
    with pytest.raises(StudyError, match="does not lie in the file's own folder"):
        load_study(inner / "weights.toml")


def test_commands_run_a_study_tell_how_far_it_is_and_what_came_of_it(soadyn, tmp_path):
    (tmp_path / "weights.toml").write_text(GRID)
    code, printed, _ = soadyn("study", "status", "weights.toml")
    assert (code, printed.strip()) == (0, "0 of 6 rows (0 of 0 chunks)")
    code, printed, told = soadyn("study", "run", "weights.toml")
    assert code == 0, told
    assert printed.startswith("6 of 6 rows (1 of 1 chunks)")
    code, printed, _ = soadyn("study", "status", "weights.toml", "--json")
    assert json.loads(printed)["complete"] is True
    code, printed, _ = soadyn("study", "results", "weights.toml", "--out", "all.npz")
    assert code == 0
    assert "weight" in printed
    assert "95%" in printed
    assert (tmp_path / "all.npz").exists()
    code, printed, _ = soadyn("study", "results", "weights.toml", "--json")
    found = load_study("weights.toml").results.summary["weight"]
    assert json.loads(printed)["measures"]["weight"]["mean"] == pytest.approx(float(found.mean))
    pytest.importorskip("matplotlib")
    assert soadyn("study", "results", "weights.toml", "--plot", "map.png")[0] == 0
    assert (tmp_path / "map.png").stat().st_size > 1000


def test_commands_say_what_is_wrong(soadyn, tmp_path):
    (tmp_path / "weights.toml").write_text(GRID)
    code, _, told = soadyn("study", "results", "weights.toml")
    assert code == 2
    assert "has not begun" in told
    code, _, told = soadyn("study", "run", "nothing.toml")
    assert code == 2
    assert "No such file" in told


def test_simulations_from_files_hold_no_functions():
    arm = sd.load("planar_two_link")
    with pytest.raises(sd.ArgumentError, match=r"is sd\.studies\.Function"):
        Simulation(arm, {"q": Measure("q")}, control=lambda t, q, v: 0 * v)
