"""The comment in an exported file: what is computed, by which conventions, at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import final

from soadyn.engine.tracing.sine_coefficients import LARGE
from soadyn.exporting.c_text import Real
from soadyn.exporting.functions import STATUS, Array
from soadyn.robot import Robot
from soadyn.robot.labels import coordinate_names, rate_names
from soadyn.version import __version__

WIDTH = 110

MEANING = {
    "q": "coordinates: rad, m; quaternions are w, x, y, z of any length but zero",
    "v": "joint rates: rad/s, m/s",
    "a": "joint accelerations: rad/s^2, m/s^2",
    "tau": "joint forces: N m, N",
    "nu": "normalized rates: square roots of J",
    "epsilon": "normalized forces: square roots of J, per second",
    "xi": "total rates: rad/s, m/s",
    "kappa": "working forces: N m, N",
    "x": "a number for each component of v; those of passive ones are not read",
    "y": "a number for each component of v; those of active ones are not read",
    "f": "[moment; force] at the frame's origin, along its axes: N m, N",
    "passive": "not zero for components whose force is known, zero for those whose acceleration is",
    "external": "[moment; force] on each link at its frame's origin, along its axes: N m, N",
}
CALLED = {
    "add": "additions",
    "sub": "subtractions",
    "mul": "multiplications",
    "reciprocal": "divisions",
    "sin": "sines",
    "cos": "cosines",
    "sqrt": "square roots",
    "log": "logarithms",
    "exp": "exponentials",
}


@final
@dataclass(frozen=True, slots=True)
class Description:
    """What the comment says of a function: its name, purpose, equation, unit of results, and what is folded in."""

    title: str
    purpose: str = ""
    equation: str = ""
    unit: str = ""
    folded: tuple[str, ...] = ()
    meaning: Mapping[str, str] = field(default_factory=dict)  # of arguments and results that are called otherwise


def conventions(
    described: Description,
    robot: Robot,
    arrays: tuple[Sequence[Array], Sequence[Array]],
    counts: Mapping[str, int],
    stack: int,
    real: Real,
    libm: bool,
) -> list[str]:
    """The lines of the comment."""
    lines = [f"{described.title} of robot {robot.name}, written by soadyn {__version__}; do not edit.", ""]
    lines += [*wrap(described.purpose, WIDTH)] if described.purpose else []
    lines += [f"    {described.equation}"] if described.equation else []
    lines += ["", *_arguments(*arrays, described)]
    lines += ["", "Returns", *(f"    {status}  {meaning}" for status, meaning in STATUS.items())]
    lines += ["If it is not 0, every result is NaN. Results may lie where arguments lie."]
    lines += ["", "Constants folded in: the robot's lengths, masses, inertias and armatures, and"]
    gravity = ", ".join(f"{x:g}" for x in robot.gravity)
    lines += [f"    gravity [{gravity}] m/s^2", *(f"    {text}" for text in described.folded)]
    lines += ["", *_order(robot, arrays[0])]
    lines += _paragraph(
        "SI units, radians. Spatial vectors are [angular; linear]. Rates of free and spherical joints are along the "
        "axes of the link they carry. Damping, friction and joint limits play no part"
        f"{' but for what is folded in' if any('joint forces' in text for text in described.folded) else ''}.",
    )
    lines += _paragraph(_cost(counts, stack, real))
    lines += _paragraph(_mathematics(counts, libm, real))
    return lines


def _paragraph(text: str) -> list[str]:
    return ["", *wrap(text, WIDTH)]


def _arguments(inputs: Sequence[Array], outputs: Sequence[Array], described: Description) -> Iterable[str]:
    meaning, unit = {**MEANING, **described.meaning}, described.unit
    yield "Arguments, in this order"
    for array in inputs:
        part = (
            "" if len(array.read) == array.count else f"; read at {', '.join(map(str, array.read)) or 'no place'} only"
        )
        yield f"    {array.name}[{array.count}]  {meaning.get(array.name, 'given')}{part}"
    yield f"Results{f', in {unit}' if unit else ''}"
    for array in outputs:
        shape = f"  {' x '.join(map(str, array.port.shape))}, row by row" if len(array.port.shape) > 1 else ""
        said = f"  {described.meaning[array.name]}" if array.name in described.meaning else ""
        yield f"    {array.name}[{array.count}]{shape}{said}"


def _order(robot: Robot, inputs: Sequence[Array]) -> Iterable[str]:
    names = coordinate_names(robot), rate_names(robot)
    if names[0] == names[1]:
        yield "Order of coordinates and rates"
    else:
        yield "Order of coordinates"
        yield from _numbered(names[0])
        yield "Order of rates, accelerations and joint forces"
    yield from _numbered(names[1])
    if any(array.name == "external" for array in inputs):
        yield "Order of links"
        yield from _numbered(robot.link_names)


def _numbered(names: Sequence[str]) -> list[str]:
    return [f"    {i}  {name}" for i, name in enumerate(names)]


def _cost(counts: Mapping[str, int], stack: int, real: Real) -> str:
    listed = ", ".join(f"{counts[kind]} {called}" for kind, called in CALLED.items() if kind in counts)
    return (
        f"{sum(counts.values())} operations in {real.name}: {listed or 'none'}. No memory but the stack: at most "
        f"{stack} bytes if the compiler keeps every value, less if it optimises."
    )


def _mathematics(counts: Mapping[str, int], libm: bool, real: Real) -> str:
    end = real.suffix
    turns = [kind for kind in ("sin", "cos") if kind in counts]
    needed = [f"{kind}{end}" for kind in ("sqrt", "log", "exp", *(turns if libm else ())) if kind in counts]
    text = f"Calls {' and '.join(needed)} of <math.h>. " if needed else ""
    if turns and not libm:
        text += (
            "Sines and cosines are polynomials, computed in double, with the same bits as in soadyn's kernels; beyond "
            f"{LARGE:g} rad they are sin and cos of <math.h>. "
        )
    return (
        f"{text}C99; link with -lm. Products and sums are fused where <math.h> defines FP_FAST_FMA{end.upper()} (gcc: "
        "-mfma or -march=native); compile with -ffp-contract=off, which -std=c99 implies, and without -ffast-math."
    )
