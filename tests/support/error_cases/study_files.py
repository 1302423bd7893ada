"""Studies that files describe."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from soadyn.studies import StudyError

GRID = """robot = "planar_two_link"
[quantities]
[parameters]
design = "grid"
values = { "q.joint1" = [0.0, 0.5] }
[measures.weight]
of = "gravity_force"
"""
FILE = 'sd.studies.load_study("weights.toml")'


def _file(about: str, old: str, new: str, words: str, error: type[Exception] = StudyError) -> Case:
    """A study file with a change."""
    return Case(about, FILE, error, words, {"weights.toml": GRID.replace(old, new, 1)}, f"The file has `{new}`.")


STUDY_FILES = (
    Case("a study file that is not there", FILE, StudyError, "cannot read 'weights.toml': No such file"),
    _file("a study file that is no TOML", "[quantities]", "[quantities", "is not a TOML file"),
    _file(
        "a study file with an unknown table", "[quantities]", "[python]", "unknown key 'python'", sd.UnknownNameError
    ),
    _file("a study file with an unknown key", "design =", "desgn =", "Did you mean 'design'", sd.UnknownNameError),
    _file(
        "a study file without a scenario", "[quantities]", "", "expected one of the tables .simulate. and .quantities."
    ),
    _file(
        "a study file whose robot lies elsewhere",
        '"planar_two_link"',
        '"../arm.urdf"',
        "does not lie in the study file",
    ),
    _file("a study file whose robot is not there", '"planar_two_link"', '"arm.urdf"', "neither built in"),
    _file("a study file whose robot is no text", '"planar_two_link"', "3", "'robot' is text, got 3"),
    _file(
        "a study file whose folder lies elsewhere",
        "[quantities]",
        '[results]\nfolder = "../out"\n[quantities]',
        "the folder '../out' does not lie in the file's own folder",
    ),
    _file("a study file's table that is none", "[quantities]", "quantities = 3", "quantities is a table, got 3"),
    _file(
        "a study file with rows of a grid",
        'design = "grid"',
        'design = "grid"\nrows = 3',
        "unknown key 'rows' of .parameters.",
        sd.UnknownNameError,
    ),
    _file(
        "a study file's range without an end",
        "[0.0, 0.5]",
        "{ from = 0.0, count = 3 }",
        "takes a list, or from, to and a count up to 1,000,000",
    ),
    _file(
        "a study file's distribution that is none",
        'design = "grid"\nvalues = { "q.joint1" = [0.0, 0.5] }',
        'design = "random"\nrows = 3\nvalues = { "q.joint1" = [0.0, 0.5, 1.0] }',
        "takes bounds .low, high. or a distribution of scipy.stats",
    ),
    _file(
        "a study file's distribution without figures",
        'design = "grid"\nvalues = { "q.joint1" = [0.0, 0.5] }',
        'design = "random"\nrows = 3\nvalues = { "q.joint1" = { gamma = {} } }',
        "parameter 'q.joint1': gamma: .* missing 1 required",
    ),
    _file("a study file whose measure says nothing", 'of = "gravity_force"', "norm = true", "weight. lacks of"),
    _file(
        "a study file with an unknown feedback",
        "[quantities]",
        '[simulate.control]\nkind = "eval"',
        "unknown feedback 'eval'",
        sd.UnknownNameError,
    ),
    Case(
        "a study file that is too large",
        FILE,
        StudyError,
        r"cannot read .weights\.toml.: it has \d+ bytes, expected at most 1000000",
        {"weights.toml": 2},
        "The file has 2 MB.",
    ),
)
