"""`export_c`: a quantity of a robot as a C file and its header."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from types import MethodType
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from soadyn.compiled import Compiled
from soadyn.errors import ArgumentError
from soadyn.evaluation.arguments import FrameLike, PassiveLike, components_named
from soadyn.evaluation.inputs import inputs_of, program_for
from soadyn.exporting.c_text import RealName, checked_identifier, identifier
from soadyn.exporting.comments import Description
from soadyn.exporting.formula import formula_source
from soadyn.exporting.source import c_source
from soadyn.files import whole_file
from soadyn.quantities import QUANTITIES, Quantity
from soadyn.robot import Robot
from soadyn.sweep.program import Program

# Inputs of programs that are folded in wherever there are any.
FOLDED = ("frame", "axes", "on_path", "about", "about_com")
# Results that the table of quantities calls otherwise than their programs do.
RESULTS = {
    "mass_matrix": ("M",),
    "mass_matrix_inverse": ("M_inverse",),
    "forward_dynamics": ("a",),
    "inverse_dynamics": ("tau",),
    "bias_force": ("tau",),
    "kinetic_energy": ("energy",),
}


def export_c(
    function: Callable[..., Any] | Compiled,
    path: str | PathLike[str],
    *,
    frame: FrameLike | None = None,
    axes: FrameLike | None = None,
    about: ArrayLike | str | None = None,
    passive: PassiveLike | None = None,
    external: bool = False,
    real: RealName = "double",
    libm: bool = False,
    name: str | None = None,
) -> tuple[Path, Path]:
    """Write a quantity of a robot as a C99 source and header for real-time controllers; returns their paths.

    Straight-line code without allocation, loops over links or state of its own, the robot's constants folded in.
    Arguments and results are arrays of fixed size; the function returns 0, or another status and NaN in every result.
    The comment in both files tells the conventions.

    Arguments:
        function: a method of a robot, such as arm.forward_dynamics, or a formula compiled by sd.compile
        path: where to: "folder/ur5_fd" gives folder/ur5_fd.c and folder/ur5_fd.h
        frame, axes, about: as the quantity takes them; folded in
        passive: as `hybrid_dynamics` takes it; folded in. None keeps it an argument
        external: shall wrenches on the links be an argument?
        real: "double" or "float"
        libm: sines from <math.h>, instead of polynomials that give the bits of soadyn's own kernels
        name: the C function's name; by default the robot's and the quantity's

    >>> import soadyn as sd, tempfile
    >>> arm = sd.load("planar_two_link")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source, header = sd.export_c(arm.forward_dynamics, f"{folder}/arm_fd")
    ...     print(header.read_text().splitlines()[-7])
    int planar_two_link_forward_dynamics(const double q[2], const double v[2], const double tau[2], double a[2]);
    """
    if isinstance(function, Compiled):
        return _export_formula(
            function, path, {"frame": frame, "axes": axes, "about": about, "passive": passive}, real, libm, name
        )
    robot, quantity = _robot_and_quantity(function)
    if real not in get_args(RealName):
        raise ArgumentError(f'real must be "double" or "float", got {real!r}')
    called = identifier(f"{robot.name}_{quantity.name}") if name is None else checked_identifier(name)
    options = {"frame": frame, "axes": axes, "about": about, "passive": passive}
    program, known, folded = _folded(robot, quantity, options, external)
    paths = paths_at(path)
    source, header = c_source(
        program,
        robot,
        called,
        known,
        Description(quantity.name, quantity.doc, quantity.equation, quantity.unit, folded),
        RESULTS.get(quantity.name, ()),
        paths[1].name,
        real,
        libm,
    )
    write_files(paths, source, header)
    return paths


def _export_formula(
    compiled: Compiled,
    path: str | PathLike[str],
    options: Mapping[str, Any],
    real: RealName,
    libm: bool,
    name: str | None,
) -> tuple[Path, Path]:
    for option, value in options.items():
        if value is not None:
            raise ArgumentError(f"export_c: {option!r} belongs to sd.compile, where the formula was compiled")
    if real not in get_args(RealName):
        raise ArgumentError(f'real must be "double" or "float", got {real!r}')
    paths = paths_at(path)
    write_files(paths, *formula_source(compiled, paths, real, libm, name))
    return paths


def _robot_and_quantity(function: Any) -> tuple[Robot, Quantity]:
    owner = function.__self__ if isinstance(function, MethodType) else None
    if not isinstance(owner, Robot) or function.__name__ not in QUANTITIES:
        raise ArgumentError(
            f"export_c takes a quantity of a robot, such as arm.forward_dynamics (not called), or a compiled formula, "
            f"got {function!r:.80}"
        )
    if owner.model.ties:
        raise ArgumentError(f"export_c: robot {owner.name!r} has tied mimic joints, which have no straight-line code")
    if owner.nv == 0:
        raise ArgumentError(f"export_c: robot {owner.name!r} has no moving joint, so there is nothing to compute")
    return owner, QUANTITIES[function.__name__]


def _folded(
    robot: Robot, quantity: Quantity, options: Mapping[str, Any], external: bool
) -> tuple[Program, dict[str, Any], tuple[str, ...]]:
    """The program without wrenches unless they are wanted, the inputs that are known, and a line on each."""
    names = [argument.name for argument in quantity.parameters]
    for option, value in {**options, "external": external or None}.items():
        if value is not None and option not in names:
            raise ArgumentError(f"{quantity.name} has no argument {option!r}")
    if "frame" in quantity.arguments and options["frame"] is None:
        raise ArgumentError(f"{quantity.name} needs a frame: export_c(..., frame=NAME)")
    usual = {"axes": "world", "about": "origin", "passive": np.zeros(robot.nv, dtype=bool)}
    given = {name: usual.get(name) if value is None else value for name, value in options.items()}
    rates = np.zeros(robot.nv)
    # A state to check the options by; none of its numbers are kept.
    state = {"q": robot.neutral(), "v": rates, "a": rates, "tau": rates}
    wrenches = np.zeros((len(robot.link_names), 6)) if external else None
    everything = {**state, **given, "external": wrenches}
    program, inputs = program_for(quantity, everything), inputs_of(robot.engine, quantity, everything)
    fixed = FOLDED if options["passive"] is None else (*FOLDED, "passive")
    known = {name: value for name, value in inputs.items() if name in fixed and name in program.inputs}
    for name in ("about", "passive"):
        expected = {"about": (3, 1), "passive": (robot.nv,)}[name]
        if name in known and known[name].shape != expected:
            raise ArgumentError(f"export_c folds in one value of {name!r}, got a batch of shape {known[name].shape}")
    return program, known, tuple(_told(robot, quantity, given, known))


def _told(robot: Robot, quantity: Quantity, given: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    lines = []
    for name in ("frame", "axes", "about"):
        if name in quantity.arguments:
            value = given[name]
            shown = f"{value[0]} with an offset" if isinstance(value, tuple) and isinstance(value[0], str) else value
            lines.append(f"{name}: {shown}")
    if "passive" in known:
        joints = components_named(robot.engine.coordinates, known["passive"] != 0) or "none"
        lines.append(f"passive joints: {joints}")
    return lines


def paths_at(path: str | PathLike[str]) -> tuple[Path, Path]:
    """Where source and header go; the path may end in .c or .h."""
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
