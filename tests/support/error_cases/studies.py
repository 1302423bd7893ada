"""Studies, their folders and their files."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from soadyn.studies import StudyError

WEIGHT = 'weight = sd.studies.Quantities(arm, {"weight": sd.studies.Measure("gravity_force")})\n'
ROWS = 'rows = sd.studies.Grid({"q.joint1": [0.0, 0.5, 1.0]})\n'
HERE = "processes=False, progress=False"


STUDIES = (
    Case(
        "a study of no scenario",
        f"{ROWS}sd.run_study(7, rows, 'x')",
        sd.ArgumentError,
        "takes a scenario, or a function",
    ),
    Case(
        "a study of no design",
        f"{WEIGHT}sd.run_study(weight, {{'q': [0, 1]}}, 'x')",
        sd.ArgumentError,
        "Study takes parameters as sd.studies.Grid, Table",
    ),
    Case(
        "a study in no folder",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 3)",
        sd.ArgumentError,
        "a study needs a folder",
    ),
    Case(
        "a study's chunk that is no node of the tree",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', chunk=3000)",
        sd.ArgumentError,
        "chunk must be 1024 times a power of two, got 3000",
    ),
    Case(
        "a study with no workers",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', workers=0)",
        sd.ArgumentError,
        "workers must be a whole number from 1",
    ),
    Case(
        "a study's progress that is no function",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=3)",
        sd.ArgumentError,
        "a function of a Status, got 3",
    ),
    Case(
        "a client that is none",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', client='tcp://10.0.0.1')",
        sd.ArgumentError,
        r"client is a dask\.distributed\.Client, got str",
    ),
    Case(
        "a folder of another study",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False)\n"
        "sd.run_study(weight, sd.studies.Grid({'q.joint1': [0.7]}), 'x')",
        StudyError,
        "holds another study, with other parameters; take another folder",
    ),
    Case(
        "a folder of chunks without a plan",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False)\n"
        "import pathlib\n"
        "pathlib.Path('x/study.json').unlink()\n"
        "sd.run_study(weight, rows, 'x')",
        StudyError,
        r"holds chunks, but no study\.json that tells of which study and of how many rows; put it back",
    ),
    Case(
        "a plan of fewer rows than the design has",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False)\n"
        "import pathlib\n"
        "plan = pathlib.Path('x/study.json')\n"
        "plan.write_text(plan.read_text().replace('\"rows\": 3', '\"rows\": 2'))\n"
        "sd.run_study(weight, rows, 'x')",
        StudyError,
        "holds another study, with other rows 2 there, 3 here",
    ),
    Case(
        "a plan of chunks of another length",
        f"{WEIGHT}rows = sd.studies.Random({{'q': ([-1, -1], [1, 1])}}, rows=2048)\n"
        "sd.run_study(weight, rows, 'x', chunk=1024, progress=False)\n"
        "import pathlib\n"
        "plan = pathlib.Path('x/study.json')\n"
        "plan.write_text(plan.read_text().replace('\"chunk\": 1024', '\"chunk\": 2048'))\n"
        "sd.run_study(weight, rows, 'x', progress=False)",
        StudyError,
        r"holds rows 0 to 1024, but study\.json tells of chunks of 2048 rows; was one of them changed",
    ),
    Case(
        "a directory in a chunk's place",
        f"{WEIGHT}{ROWS}study = sd.run_study(weight, rows, 'x', progress=False)\n"
        "import pathlib\n"
        "pathlib.Path('x/chunks/000000/000000000.npz').unlink()\n"
        "pathlib.Path('x/chunks/000000/000000000.npz').mkdir()\n"
        "study.run(progress=False)",
        StudyError,
        r"000000000\.npz' is a directory in a chunk's place; move it away",
    ),
    Case(
        "a link in the place of a study's folder of chunks",
        f"{WEIGHT}{ROWS}study = sd.studies.Study(weight, rows, 'x')\n"
        "import pathlib\n"
        "pathlib.Path('x').mkdir()\n"
        "pathlib.Path('x/chunks').symlink_to('.')\n"
        "study.run(progress=False)",
        StudyError,
        "'x/chunks' is a link, expected a folder with chunks; move it away",
    ),
    Case(
        "a study's claims that are a directory",
        f"{WEIGHT}{ROWS}study = sd.studies.Study(weight, rows, 'x')\n"
        "import pathlib\n"
        "pathlib.Path('x/claims').mkdir(parents=True)\n"
        "study.run(progress=False)",
        StudyError,
        "cannot write 'x/claims': .*; sd.studies.Study reads what is in the folder",
    ),
    Case(
        "results of a study that has not begun",
        f"{WEIGHT}{ROWS}sd.studies.Study(weight, rows, 'x').results",
        StudyError,
        "has not begun; call run",
    ),
    Case(
        "a study's folder that is a file",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        StudyError,
        "cannot write to the study's folder 'x'|is not a study's plan",
        {"x": "hello"},
        "`x` is a file.",
    ),
    Case(
        "a plan that is none",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x')",
        StudyError,
        "is not a study's plan: it is of another format",
        {"x/study.json": '{"format": "diary"}'},
        'The file `study.json` holds `{"format": "diary"}`.',
    ),
    Case(
        "a chunk that is damaged",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False)\n"
        "open('x/chunks/000000/000000000.npz', 'w').close()\n"
        "sd.studies.Study(weight, rows, 'x').results",
        StudyError,
        "is damaged: it has no checksum at its end; running the study again does this chunk again",
    ),
    Case(
        "a parameter of a study that nothing has",
        f"{WEIGHT}sd.run_study(weight, sd.studies.Grid({{'link9.mass': [1.0]}}), 'x')",
        sd.UnknownNameError,
        "Parameters of a study are also 'q', 'q.JOINT'",
    ),
    Case(
        "a parameter of a study for a joint that is not there",
        f"{WEIGHT}sd.run_study(weight, sd.studies.Grid({{'q.elbow': [1.0]}}), 'x')",
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'",
    ),
    Case(
        "a parameter of a study with too many numbers",
        f"{WEIGHT}sd.run_study(weight, sd.studies.Grid({{'q.joint1': [[1.0, 2.0]]}}), 'x')",
        sd.ShapeError,
        "has shape \\(2,\\) in each row; expected 1 numbers",
    ),
    Case(
        "a study whose every row has an impossible parameter",
        f"{WEIGHT}sd.run_study(weight, sd.studies.Grid({{'link2.mass': [-1.0, -1.0]}}), 'x', progress=False)",
        sd.ArgumentError,
        "holds -1.0; a mass must be zero or more",
    ),
    Case(
        "a study that keeps nothing",
        "sd.studies.Quantities(arm, {'w': sd.studies.Measure('gravity_force')}, keep=False, reduce=())",
        sd.ArgumentError,
        "nothing would be left of the study",
    ),
    Case(
        "a reduction that is not there",
        "sd.studies.Quantities(arm, {'w': sd.studies.Measure('gravity_force')}, reduce=['median'])",
        sd.UnknownNameError,
        "unknown reduction 'median'",
    ),
    Case(
        "reductions that are one text",
        "sd.studies.Quantities(arm, {'w': sd.studies.Measure('gravity_force')}, reduce='moments')",
        sd.ArgumentError,
        "reduce takes names such as",
    ),
    Case(
        "histograms that are none",
        "sd.studies.Quantities(arm, {'w': sd.studies.Measure('gravity_force')}, histograms={'w': 10})",
        sd.ArgumentError,
        "histograms are a dict of Histogram by measure",
    ),
    Case(
        "a histogram upside down",
        "sd.studies.Histogram(1.0, 0.0)",
        sd.ArgumentError,
        "Histogram takes low < high and 1 to",
    ),
    Case("no measures", "sd.studies.Quantities(arm, {})", sd.ArgumentError, "a dict of Measure by name, at least one"),
    Case("a measure of nothing known", 'sd.studies.Measure("speed")', sd.UnknownNameError, "unknown measure 'speed'"),
    Case(
        "a measure over something else",
        'sd.studies.Measure("q", over="median")',
        sd.UnknownNameError,
        "unknown way to take records together 'median'",
    ),
    Case("a position of no frame", 'sd.studies.Measure("position")', sd.ArgumentError, '"position" needs a frame'),
    Case(
        "a measure's frame that is no name",
        'sd.studies.Measure("position", frame=3)',
        sd.ArgumentError,
        "a measure's frame is a name, got 3",
    ),
    Case(
        "a measure's entry that is no number",
        'sd.studies.Measure("q", entry="joint1")',
        sd.ArgumentError,
        "a measure's entry is a whole number, got 'joint1'",
    ),
    Case(
        "a measure's entry that is not there",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('q', entry=5)})\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        sd.ArgumentError,
        "'q' of shape \\(2,\\) has no entry 5",
    ),
    Case(
        "a measure less something of another shape",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('q', minus=[1.0, 2.0, 3.0])})\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        sd.ShapeError,
        "minus has shape \\(3,\\), which does not fit 'q' of \\(2,\\)",
    ),
    Case(
        "a measure of what a state has not",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('kinetic')})\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        sd.ArgumentError,
        "there is no 'kinetic' to measure; there are q",
    ),
    Case(
        "a measure of a quantity that needs more",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('bias_force')})\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        sd.ArgumentError,
        "a measure of 'bias_force' needs v; there are q",
    ),
    Case(
        "a measure of a quantity with several results",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('mass_matrix_factors')})\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False)",
        sd.ArgumentError,
        "'mass_matrix_factors' has several results",
    ),
    Case(
        "a simulated study with a function as torque",
        "sd.studies.Simulation(arm, {'q': sd.studies.Measure('q')}, control=lambda t, q, v: 0 * v)",
        sd.ArgumentError,
        "a study of a Python function is sd.studies.Function",
    ),
    Case(
        "a simulated study with a function as option",
        "sd.studies.Simulation(arm, {'q': sd.studies.Measure('q')}, external=lambda t, q, v: None)",
        sd.ArgumentError,
        "option 'external' is a function; scenarios of this kind are data",
    ),
    Case(
        "a simulated study with an unknown option",
        "sd.studies.Simulation(arm, {'q': sd.studies.Measure('q')}, steps=3)",
        sd.UnknownNameError,
        "unknown option of Simulation 'steps'. Did you mean 'step'",
    ),
    Case(
        "a simulated study of no time",
        "sd.studies.Simulation(arm, {'q': sd.studies.Measure('q')}, duration=0)",
        sd.ArgumentError,
        "Simulation: duration must be a positive number, got 0",
    ),
    Case("a function that is none", "sd.studies.Function(3)", sd.ArgumentError, "Function takes a Python function"),
    Case(
        "a design without parameters",
        "sd.studies.Grid({})",
        sd.ArgumentError,
        "Grid takes a dict of parameters by name",
    ),
    Case(
        "a column that is no list",
        "sd.studies.Table({'x': 3.0})",
        sd.ShapeError,
        "needs a list of real numbers, at least one",
    ),
    Case(
        "columns of unequal length",
        "sd.studies.Table({'x': [1.0], 'y': [1.0, 2.0]})",
        sd.ShapeError,
        "equally many rows; 'x' has 1, 'y' has 2",
    ),
    Case(
        "a parameter without a distribution",
        "sd.studies.Random({'x': 3.0}, rows=10)",
        sd.ArgumentError,
        "takes bounds \\(low, high\\) or a distribution",
    ),
    Case(
        "a design of no rows",
        "sd.studies.Random({'x': (0.0, 1.0)}, rows=0)",
        sd.ArgumentError,
        "rows must be a whole number from 1 to 1e\\+15, got 0",
    ),
    Case(
        "a design of half a row",
        "sd.studies.Random({'x': (0.0, 1.0)}, rows=2.5)",
        sd.ArgumentError,
        "Random: rows must be a whole number",
    ),
    Case(
        "a hypercube too large to be made",
        "sd.studies.LatinHypercube({'x': (0.0, 1.0)}, rows=10**9)",
        sd.ArgumentError,
        "are made as a whole; expected at most 20,000,000 numbers. Random has no such bound",
    ),
    Case(
        "a study's seed that is none",
        "sd.studies.Random({'x': (0.0, 1.0)}, rows=1, seed=-1)",
        sd.ArgumentError,
        "a study's seed is a whole number from 0",
    ),
    Case(
        "bounds upside down",
        "sd.studies.Random({'x': (1.0, 0.0)}, rows=3)",
        sd.ArgumentError,
        "takes finite bounds, the lower",
    ),
    Case(
        "bounds that are words",
        "sd.studies.Random({'x': ('a', 'b')}, rows=3)",
        sd.ArgumentError,
        "two numbers or arrays",
    ),
    Case(
        "a distribution of SciPy's without its shape",
        "from scipy import stats\nsd.studies.Random({'x': stats.gamma}, rows=3)",
        sd.ArgumentError,
        "gamma_gen has no quantiles: ",
    ),
    Case(
        "a negative deviation",
        "from scipy import stats\nsd.studies.Random({'x': stats.norm(0.0, -1.0)}, rows=3)",
        sd.ArgumentError,
        r"quantiles of norm\(0.0, -1.0\) are not finite; are its figures right",
    ),
    Case(
        "a parameter with very many entries",
        "sd.studies.Random({'x': (np.zeros(20000), 1.0)}, rows=3)",
        sd.ArgumentError,
        "parameter 'x' has 20000 entries; expected at most 10000",
    ),
    Case(
        "tables of rows that were not kept",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('q')}, keep=False)\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False).results.to_dataframe()",
        sd.ArgumentError,
        "the study kept no rows",
    ),
    Case(
        "quantiles that were not asked for",
        "weight = sd.studies.Quantities(arm, {'w': sd.studies.Measure('q')}, keep=False, reduce=['moments'])\n"
        f"{ROWS}sd.run_study(weight, rows, 'x', progress=False).results.summary['w'].quantile(0.5)",
        sd.ArgumentError,
        "there are no quantiles",
    ),
    Case(
        "a quantile of more than all",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False).results.summary['weight'].quantile(50)",
        sd.ArgumentError,
        "quantile takes shares from 0 to 1, got 50",
    ),
    Case(
        "a picture of a measure that is not there",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False).plot('x.png', 'wait')",
        sd.UnknownNameError,
        "unknown measure 'wait'",
    ),
    Case(
        "a picture over a parameter that is not there",
        f"{WEIGHT}{ROWS}sd.run_study(weight, rows, 'x', progress=False).plot('x.png', against='q.joint2')",
        sd.UnknownNameError,
        r"unknown parameter 'q\.joint2'\. Did you mean 'q\.joint1'",
    ),
    Case(
        "a picture over a parameter of rows that were not kept",
        WEIGHT.replace(")})", ")}, keep=False)")
        + f"{ROWS}sd.run_study(weight, rows, 'x', progress=False).plot('x.png', against='q.joint1')",
        sd.ArgumentError,
        r"plot: 'weight' has no rows to draw over 'q\.joint1'; the study kept none \(keep=False\)",
    ),
    Case(
        "a function that cannot be sent to a process",
        f"{ROWS}lock = __import__('threading').Lock()\nsd.run_study(lambda row: lock and 1.0, rows, 'x')",
        sd.ArgumentError,
        "cannot be sent to another process",
    ),
    Case(
        "reductions that are no list",
        'sd.studies.Quantities(arm, {"weight": sd.studies.Measure("gravity_force")}, reduce=None)',
        sd.ArgumentError,
        r"Quantities: reduce takes names such as \('moments', 'extremes'\), got None",
    ),
    Case(
        "bounds that are complex",
        "sd.studies.Random({'x': (0, 1j)}, rows=3)",
        sd.ArgumentError,
        r"two numbers or arrays of one shape; got 0, 1j",
    ),
    Case(
        "a length that is neither wanted nor not",
        'sd.studies.Measure("q", norm="yes")',
        sd.ArgumentError,
        "a measure's norm must be True or False, got 'yes'",
    ),
)
