"""`export_c`: what a robot, formula, feedback or estimator computes, as a C file and its header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError
from soadyn.exporting.c_text import RealName
from soadyn.exporting.derivatives import DerivativeName
from soadyn.exporting.feedback import feedback_source
from soadyn.exporting.formula import formula_source
from soadyn.exporting.quantity import quantity_source
from soadyn.exporting.stepwise import stepwise_source
from soadyn.files import whole_file
from soadyn.robot.arguments.arguments import FrameLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag
from soadyn.robot.compiled import Compiled
from soadyn.simulation.drive.feedback import Feedback
from soadyn.simulation.run.recorded_step import Stepwise


def export_c(
    function: Callable[..., Any] | Compiled | Feedback | Stepwise,
    path: str | PathLike[str],
    *,
    frame: FrameLike | None = None,
    axes: FrameLike | None = None,
    about: ArrayLike | str | None = None,
    passive: PassiveLike | None = None,
    external: bool = False,
    derivative: DerivativeName | None = None,
    given: Iterable[str] | None = None,
    real: RealName = "double",
    libm: bool = False,
    name: str | None = None,
) -> tuple[Path, Path]:
    """Write a quantity of a robot as a C99 source and header for real-time controllers; returns their paths.

    Straight-line code without allocation, loops over links or state of its own, the robot's constants folded in.
    Arguments and results are arrays of fixed size; the function returns 0, or another status and NaN in every result.
    The comment in both files tells the conventions.

    Arguments:
        function: a method of a robot, such as arm.forward_dynamics, a formula compiled by sd.compile, a feedback of
            sd.control or sd.optimal, whose references become arguments, or an estimator of sd.estimation, whose memory
            is an argument and a result
        path: where to: "folder/ur5_fd" gives folder/ur5_fd.c and folder/ur5_fd.h
        frame, axes, about: as the quantity takes them, `frame` what some call frames; folded in
        passive: as `hybrid_dynamics` takes it; folded in. None keeps it an argument
        external: shall wrenches on the links be an argument?
        derivative: "jvp" also computes how the results change along directions of the vectors, "vjp" the derivatives
            by the vectors of a weighted sum of the results; as `arm.jvp` and `arm.vjp`
        given: a feedback's references that are arguments; by default those of its motion, not its gains, and none of
            `sd.optimal.lqr`, which holds one goal. The others are folded in
        real: "double" or "float"; sines are computed in double even so, unless `libm` is set
        libm: sines from <math.h>, instead of polynomials in double that give the bits of soadyn's own kernels; with
            real="float" sinf and cosf, for processors that have no double, such as a Cortex-M4F
        name: the C function's name; by default the robot's and the quantity's

    >>> import soadyn as sd, tempfile
    >>> arm = sd.load("planar_two_link")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source, header = sd.export_c(arm.forward_dynamics, f"{folder}/arm_fd")
    ...     print(header.read_text().splitlines()[-7])
    int planar_two_link_forward_dynamics(const double q[2], const double v[2], const double tau[2], double a[2]);
    """
    paths = paths_at(path)
    external, libm = flag("export_c: external", external), flag("export_c: libm", libm)
    options = {"frame": frame, "axes": axes, "about": about, "passive": passive}
    if given is not None and not isinstance(function, Feedback):
        raise ArgumentError("export_c: given= names references of a feedback; what is exported here has none")
    if isinstance(function, Feedback | Stepwise):
        _refuse({**options, "external": external or None, "derivative": derivative}, function)
        if isinstance(function, Feedback):
            text = feedback_source(function, given, paths[1].name, real, libm, name)
        else:
            text = stepwise_source(function, paths[1].name, real, libm, name)
    elif isinstance(function, Compiled):
        for option, value in options.items():
            if value is not None:
                raise ArgumentError(f"export_c: {option!r} belongs to sd.compile, where the formula was compiled")
        text = formula_source(function, paths[1].name, real, libm, name, derivative)
    else:
        text = quantity_source(function, options, external, paths[1].name, real, libm, name, derivative)
    write_files(paths, *text)
    return paths


def _refuse(options: Mapping[str, Any], function: Any) -> None:
    """Options of quantities, which feedbacks and estimators do not have."""
    for option, value in options.items():
        if value is not None:
            what = "a feedback" if isinstance(function, Feedback) else "an estimator"
            raise ArgumentError(f"export_c: {what} has no option {option!r}; it has its own when it is made")


def paths_at(path: str | PathLike[str]) -> tuple[Path, Path]:
    """Where source and header go; the path may end in .c or .h."""
    if not isinstance(path, str | PathLike):
        raise ArgumentError(f"export_c takes the path of a file to write, got {path!r:.80}")
    given = Path(path)
    if given.is_dir() or not given.name:
        raise ArgumentError(f"{str(path)!r} is a directory; give the name of a file in it, without .c and .h")
    stem = given.stem if given.suffix in (".c", ".h") else given.name
    if not re.fullmatch(r"[\w.+ -]+", stem):
        raise ArgumentError(f"{given.name!r} cannot stand in an #include: letters, digits and any of _.+- can")
    return given.with_name(f"{stem}.c"), given.with_name(f"{stem}.h")


def write_files(paths: tuple[Path, Path], source: str, header: str) -> None:
    """Both files, whole or not at all."""
    for place in paths:
        if place.is_dir():
            raise ArgumentError(f"cannot write {str(place)!r}: it is a directory")
    with whole_file(paths[0]) as c_file, whole_file(paths[1]) as h_file:
        c_file.write(source.encode())
        h_file.write(header.encode())
