"""One kind of bad input: how it is provoked, and how its message is compared across machines."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

import soadyn as sd
from soadyn import algebra
from soadyn.algebra.defining import operator, vector
from soadyn.loading import meshes

FORMULA_NAMES = ("B", "H", "M", "Omega", "T", "formula", "inv", "mass", "phi", "psi", "theta_dot")
FORMULA_NAMES += ("L_Y", "V", "Y", "lambda_dot", "lambda_of", "rate", "sensitivity")
FOLDER = "/robots"  # what the temporary folder is called on the page


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One kind of bad input. `files` lie in the folder where the code runs; a number is a file of so many empty MB."""

    about: str
    code: str
    error: type[Exception]
    words: str
    files: Mapping[str, str | bytes | int] = field(default_factory=dict)
    given: str = ""  # how the page tells of the files
    needs: str = ""  # a package that must be installed

    @property
    def runs(self) -> bool:
        return not self.needs or importlib.util.find_spec(self.needs) is not None


def provoked(case: Case) -> Exception:
    """The error that a case raises; an AssertionError if it raises none."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in case.files.items():
            _write(Path(name), content)
        with np.errstate(all="ignore"):  # errors are shown here, not NumPy's warnings
            try:
                exec(compile(case.code, case.about, "exec"), _surroundings())
            except Exception as error:
                return error
    raise AssertionError(f"{case.about}: {case.code!r} raised nothing")


def message(error: Exception) -> str:
    """The error's words, with temporary folders called alike on every machine."""
    return re.sub(re.escape(os.path.realpath(tempfile.gettempdir())) + r"/tmp[a-z0-9_]+", FOLDER, str(error))


def _write(path: Path, content: str | bytes | int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, int):
        with open(path, "wb") as stream:
            stream.truncate(content * 2**20)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _surroundings() -> dict[str, Any]:
    arm = sd.load("planar_two_link")
    weak = sd.Builder("weak")
    weak.link("upper", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    weak.link("hand", parent="upper", axis=(0, 1, 0))
    b = sd.Builder("mine")
    b.link("upper", sd.Body(1.0, com=(0, 0, -1)))
    return {
        "sd": sd,
        "np": np,
        "meshes": meshes,
        "arm": arm,
        "flyer": sd.load("free_flyer"),
        "weak": sd.build(weak),
        "b": b,
        "q": np.zeros(2),
        "v": np.zeros(2),
        "a": np.zeros(2),
        "tau": np.zeros(2),
        **{name: getattr(algebra, name) for name in FORMULA_NAMES},
        "operator": operator,
        "vector": vector,
    }
