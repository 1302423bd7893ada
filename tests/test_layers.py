"""Imports point down, and each room knows only what it may."""

from __future__ import annotations

import re

import pytest

from own_sources import GROUPS, SOURCE, foreign, own, sources, unit_of, unit_of_file

# From the ground up: a unit imports those of earlier lines only, never its neighbours in its own line. A unit is a
# room, a folder of one of the GROUPS, or a module that stands by itself in the engine.
ORDER = (
    ("errors", "fork_safe", "version", "engine.policy", "engine.precision"),
    ("mechanics.spatial",),  # 3-D and 6-D arithmetic
    ("algebra", "files", "later", "mechanics.joint", "progress", "spatial"),  # the language of formulas
    ("mechanics.link", "model", "view.display"),  # levels 5-7; the tree; what notebooks show
    ("loading", "programs.sweep", "theory.oracle"),  # files; level 4; explicit matrices
    ("engine.constants", "programs.lowering", "theory.literature", "theory.proof"),  # formulas to programs, to verdicts
    ("engine.cache", "engine.reference", "theory.formula"),  # the definition; the physics as formulas
    ("engine.tracing", "quantities"),  # programs run once on recorded scalars
    ("engine.derivative_reference", "engine.loops"),
    ("engine.native",),  # machine code
    ("engine.engine", "engine.host"),
    ("engine.recorded", "robot.arguments"),
    ("robot.calling", "robot.symbolic", "view"),  # view draws models; `Robot.show` needs it below the robot
    ("kinematics", "robot.closed", "robot.identification", "robot.mass"),
    ("robot",),
    ("interop", "paths", "robot.compiled", "simulation"),  # compiled: formulas for a robot
    ("control.feedback", "estimation", "exporting", "optimal"),
    ("control.planning",),  # plans are carried out by feedbacks in simulations
    ("control",),
    ("studies", "soadyn"),  # the package's own __init__ names them
    ("cli",),
    ("__main__",),
)
RANK = {unit: rank for rank, line in enumerate(ORDER) for unit in line}

# What a unit may use of soadyn, where the order alone would allow more; everything may use the TOOLS, and the package
# itself and the command line may use everything.
TOOLS = {"errors", "files", "fork_safe", "later", "progress", "version"}
KNOWS_ONLY = {
    "mechanics.spatial": "",
    "algebra": "",
    "mechanics.joint": "mechanics.spatial",
    "spatial": "mechanics.spatial",
    "mechanics.link": "mechanics.joint mechanics.spatial",
    "model": "mechanics.joint mechanics.spatial",
    "view.display": "",
    "loading": "mechanics.joint mechanics.spatial model",
    "programs.sweep": "mechanics.link mechanics.spatial model",
    "theory.oracle": "algebra mechanics.joint mechanics.spatial model",
    "engine.constants": "mechanics.joint mechanics.spatial model programs.sweep",
    "programs.lowering": "algebra mechanics.joint mechanics.link mechanics.spatial programs.sweep",
    "theory.literature": "algebra programs.sweep view.display",
    "theory.proof": "algebra theory.oracle view.display",
    "engine.cache": "engine.constants",
    "engine.reference": "engine.constants engine.precision mechanics.link mechanics.spatial programs.sweep",
    "theory.formula": "algebra programs.lowering programs.sweep",
    "engine.tracing": "engine.constants engine.policy engine.reference mechanics.spatial model programs.sweep",
    "quantities": "model programs.sweep theory.formula",
    "engine.derivative_reference": "engine.constants engine.reference engine.tracing programs.sweep",
    "engine.loops": "engine.constants engine.reference engine.tracing mechanics.joint mechanics.spatial programs.sweep",
    "engine.native": (
        "engine.cache engine.constants engine.loops engine.policy engine.precision engine.reference engine.tracing "
        "mechanics.spatial model programs.sweep"
    ),
    "engine.engine": (
        "engine.constants engine.derivative_reference engine.native engine.precision engine.reference "
        "engine.tracing model programs.sweep"
    ),
    "engine.host": "engine.cache engine.native",
    "engine.recorded": "engine.cache engine.engine engine.native engine.tracing",
    "robot.arguments": "engine.constants engine.engine mechanics.spatial model programs.sweep quantities",
    "robot.calling": (
        "engine.constants engine.engine engine.reference engine.tracing mechanics.link mechanics.spatial model "
        "programs.sweep quantities robot.arguments"
    ),
    "robot.symbolic": (
        "algebra engine.constants engine.engine engine.tracing model programs.lowering programs.sweep quantities "
        "robot.arguments"
    ),
    "view": "loading mechanics.spatial model robot.arguments view.display",
    "kinematics": (
        "engine.constants engine.engine engine.recorded engine.reference engine.tracing mechanics.spatial model "
        "programs.sweep quantities robot.arguments robot.calling"
    ),
    "robot.closed": (
        "engine.engine mechanics.joint mechanics.spatial model programs.sweep robot.arguments robot.calling"
    ),
    "robot.identification": "engine.engine mechanics.spatial model quantities robot.calling",
    "robot.mass": (
        "engine.engine mechanics.spatial model programs.sweep quantities robot.arguments robot.calling "
        "theory.formula view.display"
    ),
    "robot": (
        "algebra engine.constants engine.engine engine.tracing kinematics loading mechanics.joint "
        "mechanics.spatial model quantities robot.arguments robot.calling robot.closed robot.identification robot.mass "
        "robot.symbolic view view.display"
    ),
    "interop": "loading mechanics.joint mechanics.spatial model robot robot.arguments",
    "paths": "mechanics.spatial model robot robot.arguments",
    "robot.compiled": (
        "algebra engine.cache engine.constants engine.engine engine.loops engine.policy engine.tracing model "
        "programs.lowering programs.sweep quantities robot robot.arguments robot.calling robot.closed "
        "theory.literature theory.oracle theory.proof view.display"
    ),
    "simulation": (
        "engine.constants engine.engine engine.host engine.recorded engine.tracing loading mechanics.spatial model "
        "programs.sweep quantities robot robot.arguments robot.calling robot.closed view view.display"
    ),
    "control.feedback": (
        "kinematics mechanics.link mechanics.spatial paths programs.sweep robot robot.arguments robot.compiled "
        "simulation"
    ),
    "control.planning": "control.feedback mechanics.spatial model paths robot robot.arguments simulation view.display",
    "control": "control.feedback control.planning mechanics.spatial simulation spatial",
    "estimation": (
        "algebra engine.tracing mechanics.spatial model robot robot.arguments robot.compiled robot.identification "
        "simulation view.display"
    ),
    "exporting": (
        "algebra engine.policy engine.precision engine.tracing mechanics.spatial programs.sweep quantities robot "
        "robot.arguments robot.compiled simulation"
    ),
    "optimal": "engine.engine engine.tracing mechanics.spatial model robot robot.arguments simulation",
    "studies": (
        "control engine.cache engine.engine engine.host loading quantities robot robot.arguments simulation "
        "view.display"
    ),
}
WITHOUT_ROW = {*TOOLS, "engine.policy", "engine.precision", "soadyn", "cli", "__main__"}
# Within the simulation, from the ground up; what stands in no folder knows all of them.
OF_SIMULATION = ("record", "drive", "laws", "run", "derivatives")
WITHOUT_ARRAYS = ("errors", "quantities", "programs.sweep")
# Installed by extras or for tests, or slow to import: never at the top of a module.
HEAVY = (
    "cloudpickle",
    "collada",
    "distributed",
    "llvmlite",
    "matplotlib",
    "mpmath",
    "mujoco",
    "pandas",
    "pinocchio",
    "pyarrow",
    "pydrake",
    "scipy",
    "sympy",
    "jax",
    "viser",
    "xarray",
)
COMMAND_LINE_ONLY = ("cyclopts", "rich")

MOST_RANKS = 22
MOST_LOOSE_MODULES = 8
MOST_ROOMS = 21


# Imports


def test_every_unit_has_its_place() -> None:
    empty = {group for group in GROUPS if group not in RANK}  # folders of rooms, with nothing of their own
    assert {unit_of_file(file) for file in sources()} == set(RANK) | empty
    assert set(KNOWS_ONLY) == set(RANK) - WITHOUT_ROW


def test_the_order_is_short_enough_to_be_remembered() -> None:
    assert len(ORDER) <= MOST_RANKS
    assert len(list(SOURCE.glob("*.py"))) <= MOST_LOOSE_MODULES
    assert len([x for x in SOURCE.iterdir() if (x / "__init__.py").exists()]) <= MOST_ROOMS


def test_imports_point_down() -> None:
    wrong = [
        str(found)
        for found in own()
        if found.when != "typing"
        and unit_of(found.module) != unit_of_file(found.file)
        and RANK.get(unit_of(found.module), 99) >= RANK.get(unit_of_file(found.file), 99)
    ]
    assert not wrong


@pytest.mark.parametrize("unit", KNOWS_ONLY)
def test_a_level_knows_only_what_it_may(unit: str) -> None:
    known = {unit_of(found.module) for found in own() if unit_of_file(found.file) == unit}
    assert known - TOOLS - {unit} == set(KNOWS_ONLY[unit].split())


def test_rooms_of_the_simulation_import_those_before_them() -> None:
    def rank(parts: tuple[str, ...]) -> int:
        inside = parts[parts.index("simulation") + 1]
        return OF_SIMULATION.index(inside) if inside in OF_SIMULATION else len(OF_SIMULATION)

    wrong = [
        str(found)
        for found in own()
        if found.when != "typing" and "simulation" in found.file.parts and found.module.startswith("soadyn.simulation.")
        if rank(tuple(found.module.split("."))) > rank(found.file.parts)
    ]
    assert not wrong


def test_native_code_is_a_matter_of_the_engine() -> None:
    using = {unit_of_file(found.file) for found in own() if unit_of(found.module) == "engine.native"}
    assert using <= {"engine.native", "engine.engine", "engine.host", "engine.recorded"}


@pytest.mark.parametrize("unit", WITHOUT_ARRAYS)
def test_programs_and_tables_know_nothing_of_array_libraries(unit: str) -> None:
    arrays = [str(found) for found in foreign() if unit_of_file(found.file) == unit and "numpy" in found.module]
    assert not arrays


def test_heavy_packages_are_imported_when_they_are_needed() -> None:
    early = [str(found) for found in foreign() if found.when == "import" and found.module.split(".")[0] in HEAVY]
    assert not early


def test_cached_properties_hold_no_lock() -> None:
    locked = re.compile(r"functools import .*cached_property|functools\.cached_property")
    holding = [file for file in sources() if locked.search(file.read_text(encoding="utf-8"))]
    assert holding == [SOURCE / "fork_safe.py"]


def test_the_command_lines_packages_stay_there() -> None:
    used = [found for found in foreign() if found.module.split(".")[0] in COMMAND_LINE_ONLY]
    assert {unit_of_file(found.file) for found in used if found.when == "import"} == {"cli"}
    assert {unit_of_file(found.file) for found in used} == {"cli", "progress"}  # a bar, imported when it is shown
