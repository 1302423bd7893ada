"""Studies in TOML files: data alone. A file names no code, and no path outside its own folder.

robot = "ur5"                       # built in, or a URDF, SDF or MJCF file in this folder
root = "fixed"

[simulate]                          # or [quantities], with q, v, a, tau
q0 = [0.0, -1.2, 1.4, -0.2, 0.5, 0.0]
duration = 1.0
[simulate.control]                  # a feedback of sd.control, or numbers: control = [...]
kind = "ComputedTorque"             # what else it takes stands beside
q = [0.3, -1.0, 1.0, 0.0, 0.0, 0.0]

[parameters]
design = "latin_hypercube"          # random, sobol, grid, table
rows = 1000
seed = 0
[parameters.values]
"forearm_link.mass" = { norm = { loc = 2.3, scale = 0.1 } }  # any continuous distribution of scipy.stats
"q0.elbow_joint" = [1.3, 1.5]       # bounds; of a grid or a table values, also { from = 0.0, to = 1.0, count = 5 }

[measures.miss]
of = "position"
frame = "tool0"
norm = true

[results]
folder = "misses"                   # in this folder; the file's name without .toml if omitted
keep = true
reduce = ["moments", "extremes", "quantiles"]
histograms = { miss = { low = 0.0, high = 1.0, bins = 100 } }
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from soadyn import control
from soadyn.errors import ArgumentError, SoadynError, UnknownNameError, check_name
from soadyn.files import path_of
from soadyn.loading.paths import inside, is_file
from soadyn.robot import Robot
from soadyn.robot.sources import load, robots
from soadyn.simulation.drive.feedback import Feedback
from soadyn.studies.designs import Design, Grid, LatinHypercube, Random, Sobol, Table
from soadyn.studies.failures import StudyError
from soadyn.studies.measures import Measure
from soadyn.studies.reduction_kinds import Histogram
from soadyn.studies.scenario import Scenario
from soadyn.studies.scenario_quantities import Quantities
from soadyn.studies.scenario_simulation import OPTIONS, Simulation
from soadyn.studies.study import Study

LARGEST_FILE = 1_000_000  # bytes
MOST_VALUES = 1_000_000  # of a range
TABLES = ("robot", "root", "simulate", "quantities", "parameters", "measures", "results")
DESIGNS = {"random": Random, "latin_hypercube": LatinHypercube, "sobol": Sobol, "grid": Grid, "table": Table}
FEEDBACKS = {name: x for name, x in vars(control).items() if inspect.isclass(x) and issubclass(x, Feedback)}


def load_study(path: str | PathLike[str], chunk: int | None = None) -> Study:
    """The study that a TOML file describes; its `run` computes it. The file is data: it runs no code.

    >>> from pathlib import Path
    >>> import soadyn as sd
    >>> text = '''
    ... robot = "planar_two_link"
    ... [quantities]
    ... [parameters]
    ... design = "grid"
    ... values = { "q.joint1" = [0.0, 0.5, 1.0] }
    ... [measures.weight]
    ... of = "gravity_force"
    ... '''
    >>> _ = Path("weights.toml").write_text(text)
    >>> sd.studies.load_study("weights.toml").run().results.values["weight"].shape
    (3, 2)
    """
    file = path_of(path, "cannot read a study")
    try:
        return Study(*_read(_content(file), file.absolute().parent, file.stem), chunk=chunk)
    except UnknownNameError as error:
        raise UnknownNameError(f"{str(file)!r}: {error}") from None
    except StudyError:
        raise
    except SoadynError as error:
        raise StudyError(f"{str(file)!r}: {error}") from None


def _content(file: Path) -> dict[str, Any]:
    try:
        with open(file, "rb") as stream:
            text = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise StudyError(f"cannot read {str(file)!r}: {error.strerror or error}") from None
    if len(text) > LARGEST_FILE:
        raise StudyError(f"{str(file)!r} is larger than {LARGEST_FILE} bytes, which no study needs")
    try:
        return tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{str(file)!r} is not a TOML file: {error}") from None


def _read(content: dict[str, Any], folder: Path, name: str) -> tuple[Scenario, Design, Path]:
    for key in content:
        check_name("key", key, TABLES, of="the file")
    if ("simulate" in content) == ("quantities" in content):
        raise ArgumentError("expected one of the tables [simulate] and [quantities]")
    robot = _robot(content, folder)
    kept = _table(content, "results")
    target = Path(_text(kept | {"folder": kept.pop("folder", name)}, "folder"))
    if not inside(folder / target, [folder]) or (folder / target).resolve() == folder.resolve():
        raise StudyError(f"the folder {str(target)!r} does not lie in the file's own folder")
    kept["measures"] = {key: _made(Measure, key, x) for key, x in _table(content, "measures").items()}
    kept["histograms"] = {key: _made(Histogram, key, x) for key, x in _table(kept, "histograms").items()}
    if "quantities" in content:
        scenario: Scenario = _made(Quantities, "quantities", _table(content, "quantities") | kept, robot)
    else:
        given = _table(content, "simulate")
        if isinstance(given.get("control"), dict):
            given["control"] = _feedback(given["control"], robot)
        scenario = _made(Simulation, "simulate", given | kept, robot, more=tuple(OPTIONS))
    return scenario, _design(_table(content, "parameters")), folder / target


def _robot(content: dict[str, Any], folder: Path) -> Robot:
    name, root = _text(content, "robot"), content.get("root")
    if name in robots():
        return load(name, root)
    if not inside(folder / name, [folder]):
        raise StudyError(f"the robot's file {name!r} does not lie in the study file's own folder")
    if not is_file(folder / name):
        raise StudyError(
            f"robot {name!r} is neither built in nor a file beside the study's; sd.robots() lists the former"
        )
    return load(folder / name, root)


def _feedback(given: dict[str, Any], robot: Robot) -> Feedback:
    kind = _text(given, "kind")
    check_name("feedback", kind, FEEDBACKS)
    made: Feedback = _made(FEEDBACKS[kind], "control", {name: x for name, x in given.items() if name != "kind"}, robot)
    return made


def _design(given: dict[str, Any]) -> Design:
    for key in given:
        check_name("key", key, ("design", "rows", "seed", "values"), of="[parameters]")
    kind, values = _text(given, "design"), _table(given, "values")
    check_name("design", kind, DESIGNS)
    read = _list if kind in ("grid", "table") else _distribution
    rest = {name: x for name, x in given.items() if name not in ("design", "values")}
    made: Design = _made(DESIGNS[kind], "parameters", rest, {name: read(name, x) for name, x in values.items()})
    return made


def _list(name: str, x: Any) -> Any:
    """Values of a parameter: a list, or { from, to, count }."""
    if not isinstance(x, dict):
        return x
    first, last, count = (x.get(key) for key in ("from", "to", "count"))
    numbers = isinstance(first, int | float) and isinstance(last, int | float)
    if len(x) != 3 or not numbers or type(count) is not int or not 1 <= count <= MOST_VALUES:
        raise ArgumentError(
            f"parameter {name!r} takes a list, or from, to and a count up to {MOST_VALUES:,}; got {x!r:.80}"
        )
    return np.linspace(x["from"], x["to"], count)


def _distribution(name: str, x: Any) -> Any:
    """Bounds as a tuple, or a distribution of SciPy's by its name and figures."""
    if isinstance(x, list) and len(x) == 2:
        return tuple(x)
    if not isinstance(x, dict) or len(x) != 1 or not isinstance(figures := next(iter(x.values())), dict):
        raise ArgumentError(
            f"parameter {name!r} takes bounds [low, high] or a distribution of scipy.stats, such as "
            f"{{ norm = {{ loc = 2.0, scale = 0.1 }} }}; got {x!r:.80}"
        )
    from scipy import stats

    known = {key: law for key, law in vars(stats).items() if isinstance(law, stats.rv_continuous)}
    check_name("distribution", kind := next(iter(x)), known)
    try:
        return known[kind](**figures)
    except TypeError as error:
        raise ArgumentError(f"parameter {name!r}: {kind}: {error}") from None


def _made(make: Any, where: str, given: Any, *first: Any, more: tuple[str, ...] = ()) -> Any:
    """What a table of the file describes: its keys are the arguments of `make` after the first ones."""
    if not isinstance(given, dict):
        raise ArgumentError(f"{where} is a table, got {given!r:.80}")
    wanted = list(inspect.signature(make).parameters.values())[len(first) :]
    for name in given:
        check_name("key", name, (*(x.name for x in wanted if x.kind is not x.VAR_KEYWORD), *more), of=f"[{where}]")
    missing = [x.name for x in wanted if x.default is x.empty and x.kind is not x.VAR_KEYWORD and x.name not in given]
    if missing:
        raise ArgumentError(f"[{where}] lacks {', '.join(missing)}")
    return make(*first, **given)


def _table(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A table of the file; empty if it is not there."""
    found = of.get(key, {})
    if not isinstance(found, dict):
        raise ArgumentError(f"{key} is a table, got {found!r:.80}")
    return dict(found)


def _text(of: Mapping[str, Any], key: str) -> str:
    found = of.get(key)
    if not isinstance(found, str) or not found or "\0" in found:
        raise ArgumentError(f"{key!r} is text, got {found!r:.80}")
    return found
