"""Random formulas exported as C: what gcc makes of them gives the same numbers, or tells that there are none."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

import numpy as np
from fuzz_compile import Case, random_case

import soadyn as sd
from c_code import Exported
from soadyn.algebra.spaces import Space
from soadyn.errors import SingularError, SoadynError

WARNINGS = ("-Wconversion", "-Wdouble-promotion", "-Wshadow", "-Wvla")
CHECKED = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
SAME = 1e-12  # of the largest entry
NUDGE = 1e-14  # how far arguments are moved to see how much rounding can matter
NUDGES = 4
LONGEST = 40_000  # characters of C that are compiled: gcc takes a second for them


def exportable(rng: random.Random) -> tuple[Case, sd.Compiled] | None:
    """A random formula with sweeps over a random robot's links; None if it has none."""
    case = random_case(rng)
    case.options.pop("backend", None)
    try:
        return case, sd.compile(case.formula(), case.arm, **case.options)
    except SoadynError:
        return None


def arguments(f: sd.Compiled, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Random arguments by name, those that an operator is applied to among them."""
    return {
        x.name: f.robot.random_configuration(rng) if x.space is None else rng.normal(size=f.setting.shape(x.space))
        for x in f.arguments
    }


def value(f: sd.Compiled, given: dict[str, np.ndarray]) -> np.ndarray | None:
    """What Python computes, flat; None where it has no number."""
    try:
        with np.errstate(all="ignore"):
            called = f(**{x.name: given[x.name] for x in f.called_with})
            found = called @ given["x"] if f.is_operator else called
    except SingularError:
        return None
    flat = np.ravel(np.asarray(found))
    return flat if np.isfinite(flat).all() else None


def nudged(given: dict[str, np.ndarray], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Every number moved by itself: where all grow alike, what cancels may go on cancelling to the last bit."""
    return {name: x * (1.0 + NUDGE * rng.uniform(-1.0, 1.0, np.shape(x))) for name, x in given.items()}


def joints_of(f: sd.Compiled, space: Space | None) -> slice | np.ndarray:
    """Where a vector of active or passive joints stands in C, which has those of all joints."""
    place = space.place if space is not None else ""
    if f.setting.passive is None or place not in ("active joint", "passive joint"):
        return slice(None)
    return f.setting.passive if place == "passive joint" else ~f.setting.passive


def called(code: Exported, f: sd.Compiled, given: dict[str, np.ndarray]) -> tuple[int, np.ndarray]:
    """The status and what C computes, flat."""
    spaces = {x.name: x.space for x in f.arguments}
    in_c = []
    for name, size in [(name, int(size)) for const, _, name, size in code.arrays if const]:
        array = np.full(size, 7.0)
        array[joints_of(f, spaces[name])] = np.ravel(given[name])
        in_c.append(array)
    status, (found,) = code(*in_c)
    if status == 0 and not isinstance(joints := joints_of(f, f.formulas[0].codomain), slice):
        assert not found[~joints].any(), f"{f.formulas[0]}: something is written for the other joints"
    return status, found[joints_of(f, f.formulas[0].codomain)]


def compare(code: Exported, f: sd.Compiled, given: dict[str, np.ndarray]) -> float:
    """How far both are apart, relative; AssertionError if that is more than rounding."""
    status, found = called(code, f, given)
    rng = np.random.default_rng(0)
    expected, around = value(f, given), [value(f, nudged(given, rng)) for _ in range(NUDGES)]
    beside = [x for x in around if x is not None]
    if status != 0 or expected is None or len(beside) < NUDGES:
        assert (status == 0) == (expected is not None) or len(beside) < NUDGES, f"{f.formulas[0]}: status {status}"
        return 0.0
    largest = abs(expected).max(initial=0.0)
    apart = abs(found - expected).max(initial=0.0)
    # What is zero but for rounding, as H (I - G H) x of a single joint, has errors of the size of x's last digits.
    digits = np.finfo(float).eps * max((abs(np.asarray(x)).max(initial=0.0) for x in given.values()), default=0.0)
    tolerance = SAME * largest + 100 * max(abs(x - expected).max(initial=0.0) for x in beside) + 8 * digits
    assert apart <= tolerance, f"{f.formulas[0]}: {apart:.3g} apart, largest {largest:.3g}"
    return float(apart / largest) if largest else 0.0


def exported_formulas_agree(rng: random.Random) -> None:
    found = exportable(rng)
    if found is None or shutil.which("gcc") is None:
        return
    case, f = found
    with tempfile.TemporaryDirectory() as folder:
        try:
            source, _ = sd.export_c(f, Path(folder) / "size")
        except SoadynError:
            return
        if source.stat().st_size > LONGEST:
            return
        code = Exported(f, Path(folder), "-O0", *WARNINGS, *CHECKED)
        numbers = np.random.default_rng(case.rng.randrange(2**32))
        for _ in range(3):
            compare(code, f, arguments(f, numbers))


CASES = {"exported C gives a formula's numbers": exported_formulas_agree}
