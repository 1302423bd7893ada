"""Studies in TOML files: data alone. A file names no code, and no path outside its own folder.

robot = "ur5"                       # built in, or a URDF or MJCF file in this folder
root = "fixed"

[simulate]                          # or [quantities], with q, v, a, tau
q0 = [0.0, -1.2, 1.4, -0.2, 0.5, 0.0]
duration = 1.0
[simulate.controller]
kind = "ComputedTorque"             # or "JointFeedback"; what else it takes stands beside
q = [0.3, -1.0, 1.0, 0.0, 0.0, 0.0]

[parameters]
design = "latin_hypercube"          # random, sobol, grid, table
rows = 1000
seed = 0
[parameters.values]
"forearm_link.mass" = { normal = [2.3, 0.1] }
"q0.elbow_joint" = { uniform = [1.3, 1.5] }

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
from soadyn.studies.designs import Design, Grid, LatinHypercube, Random, Sobol, Table
from soadyn.studies.distributions import Distribution, LogUniform, Normal, Uniform
from soadyn.studies.evaluated import Quantities
from soadyn.studies.failures import StudyError
from soadyn.studies.measures import Measure
from soadyn.studies.reductions import Histogram
from soadyn.studies.scenarios import Scenario
from soadyn.studies.simulated import OPTIONS, Simulation
from soadyn.studies.studying import Study, study

LARGEST_FILE = 1_000_000  # bytes
MOST_VALUES = 1_000_000  # of a range
DESIGNS: dict[str, Any] = {"random": Random, "latin_hypercube": LatinHypercube, "sobol": Sobol}
GIVEN: dict[str, Any] = {"grid": Grid, "table": Table}
DISTRIBUTIONS: dict[str, Any] = {"uniform": Uniform, "normal": Normal, "log_uniform": LogUniform}
CONTROLLERS = {"ComputedTorque": control.ComputedTorque, "JointFeedback": control.JointFeedback}
OF_CONTROLLERS = ("kind", "q", "v", "stiffness", "damping")
OF_MEASURES = ("of", "frame", "minus", "norm", "entry", "over")


def study_from_file(path: str | PathLike[str], client: Any = None, **options: Any) -> Study:
    """The study that a TOML file describes; options are those of `sd.study`. The file is data: it runs no code.

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
    >>> sd.studies.study_from_file("weights.toml").results.values["weight"].shape
    (3, 2)
    """
    file = path_of(path, "cannot read a study")
    try:
        content = _content(file)
        scenario, design, folder = _read(content, file.absolute().parent, file.stem)
    except UnknownNameError as error:
        raise UnknownNameError(f"{str(file)!r}: {error}") from None
    except StudyError:
        raise
    except (SoadynError, TypeError) as error:  # a key that is missing is an argument that is missing
        raise StudyError(f"{str(file)!r}: {error}") from None
    return study(scenario, design, folder, client, **options)


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
    _known("the file", content, ("robot", "root", "simulate", "quantities", "parameters", "measures", "results"))
    robot = _robot(content, folder)
    kept = _table(content, "results", ("folder", "keep", "reduce", "histograms"))
    measures = {key: Measure(**_table(content["measures"], key, OF_MEASURES)) for key in _table(content, "measures")}
    settings: dict[str, Any] = {key: kept[key] for key in ("keep", "reduce") if key in kept}
    settings["histograms"] = {
        key: Histogram(**_table(kept["histograms"], key, ("low", "high", "bins"))) for key in _table(kept, "histograms")
    }
    target = Path(_text(kept, "folder", name))
    if not inside(folder / target, [folder]) or (folder / target).resolve() == folder.resolve():
        raise StudyError(f"the folder {str(target)!r} does not lie in the file's own folder")
    if ("simulate" in content) == ("quantities" in content):
        raise ArgumentError("expected one of the tables [simulate] and [quantities]")
    scenario: Scenario
    if "quantities" in content:
        scenario = Quantities(robot, measures, **_table(content, "quantities", ("q", "v", "a", "tau")), **settings)
    else:
        given = _table(content, "simulate", ("q0", "v0", "control", "controller", *OPTIONS))
        if "controller" in given:
            given["control"] = _controller(robot, given)
        scenario = Simulation(robot, measures, **given, **settings)
    return scenario, _design(_table(content, "parameters", ("design", "rows", "seed", "values"))), folder / target


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


def _controller(robot: Robot, given: dict[str, Any]) -> Any:
    if "control" in given:
        raise ArgumentError("simulate has both a control and a controller; expected one of them")
    options = _table(given, "controller", OF_CONTROLLERS)
    del given["controller"]
    kind = _text(options, "kind")
    check_name("controller", kind, CONTROLLERS)
    made: Any = CONTROLLERS[kind]
    return made(robot, **{name: x for name, x in options.items() if name != "kind"})


def _design(given: dict[str, Any]) -> Design:
    kind = _text(given, "design")
    check_name("design", kind, (*DESIGNS, *GIVEN))
    values, seed = _table(given, "values"), given.get("seed", 0)
    if kind in GIVEN:
        if "rows" in given:
            raise ArgumentError(f"a {kind} has the rows that its values have; it takes no 'rows'")
        made: Design = GIVEN[kind]({name: _list(name, x) for name, x in values.items()}, seed)
        return made
    drawn: Design = DESIGNS[kind]({name: _distribution(name, x) for name, x in values.items()}, given.get("rows"), seed)
    return drawn


def _list(name: str, x: Any) -> Any:
    """Values of a parameter: a list, or { from, to, count }."""
    if not isinstance(x, dict):
        return x
    span = _table({name: x}, name, ("from", "to", "count"))
    count = span.get("count")
    numbers = all(isinstance(span.get(key), int | float) for key in ("from", "to"))
    if not numbers or type(count) is not int or not 1 <= count <= MOST_VALUES:
        raise ArgumentError(
            f"parameter {name!r} takes a list, or from, to and a count up to {MOST_VALUES:,}; got {x!r:.80}"
        )
    return np.linspace(span["from"], span["to"], count)


def _distribution(name: str, x: Any) -> Distribution:
    kind = next(iter(x)) if isinstance(x, dict) and len(x) == 1 else ""
    if not kind or not isinstance(x[kind], list) or len(x[kind]) != 2:
        wanted = ", ".join(f"{{ {key} = [a, b] }}" for key in DISTRIBUTIONS)
        raise ArgumentError(f"parameter {name!r} takes one of {wanted}; got {x!r:.80}")
    check_name("distribution", kind, DISTRIBUTIONS)
    made: Distribution = DISTRIBUTIONS[kind](*x[kind])
    return made


def _table(of: Mapping[str, Any], key: str, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    """A table of the file, its keys checked; empty if it is not there."""
    found = of.get(key, {})
    if not isinstance(found, dict):
        raise ArgumentError(f"{key} is a table, got {found!r:.80}")
    if known is not None:
        _known(f"[{key}]", found, known)
    return dict(found)


def _known(where: str, found: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in found:
        check_name("key", name, known, of=where)


def _text(of: Mapping[str, Any], key: str, default: str | None = None) -> str:
    found = of.get(key, default)
    if not isinstance(found, str) or not found or "\0" in found:
        raise ArgumentError(f"{key!r} is text, got {found!r:.80}")
    return found
