"""Housekeeping: imports point down, names do not clash, nothing depends on a robot's name, the docs are complete."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import final

import pytest

import soadyn as sd
from soadyn.quantities import QUANTITIES

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "soadyn"
TESTS = ROOT / "tests"

# From the ground up: a unit imports those of earlier lines only, never its neighbours in its own line. A unit is a
# room, a folder of one of the GROUPS, or a module that stands by itself in the engine.
GROUPS = ("engine", "mechanics", "programs", "robot", "theory", "view")
ORDER = (
    ("errors", "fork_safe", "version", "engine.policy", "engine.precision"),
    ("mechanics.spatial",),  # 3-D and 6-D arithmetic
    ("algebra", "files", "later", "mechanics.joint", "spatial"),  # the language of formulas
    ("mechanics.link", "model", "view.display"),  # levels 5-7; the tree; what notebooks show
    ("loading", "programs.sweep", "theory.oracle"),  # files; level 4; explicit matrices
    ("engine.constants", "programs.lowering", "theory.literature", "theory.proof"),  # formulas to programs, to verdicts
    ("engine.cache", "engine.reference", "theory.formula"),  # the definition; the physics as formulas
    ("engine.tracing", "quantities"),  # programs run once on recorded scalars
    ("engine.derivative_reference", "engine.loops", "programs.derive"),
    ("engine.native",),  # machine code
    ("engine.engine", "engine.host"),
    ("engine.recorded", "robot.arguments"),
    ("robot.calling", "robot.symbolic", "view"),  # view draws models; `Robot.show` needs it below the robot
    ("kinematics", "robot.identification", "robot.mass"),
    ("robot",),
    ("interop", "paths", "robot.compiled", "simulation"),  # compiled: formulas for a robot
    ("control", "estimation", "exporting", "optimal"),  # control carries plans out by simulation
    ("studies", "soadyn"),  # the package's own __init__ names them
    ("cli",),
    ("__main__",),
)
RANK = {unit: rank for rank, line in enumerate(ORDER) for unit in line}

# What a unit may use of soadyn, where the order alone would allow more; everything may use the TOOLS, and the package
# itself and the command line may use everything.
TOOLS = {"errors", "files", "fork_safe", "later", "version"}
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
    "engine.tracing": "engine.constants engine.reference mechanics.spatial model programs.sweep",
    "quantities": "programs.sweep theory.formula",
    "engine.derivative_reference": "engine.constants engine.reference engine.tracing programs.sweep",
    "engine.loops": "engine.constants engine.reference engine.tracing mechanics.joint mechanics.spatial programs.sweep",
    "programs.derive": "engine.tracing mechanics.joint mechanics.link mechanics.spatial programs.sweep",
    "engine.native": (
        "engine.cache engine.constants engine.loops engine.policy engine.precision engine.reference engine.tracing "
        "mechanics.spatial model programs.derive programs.sweep"
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
        "engine.engine engine.recorded engine.reference engine.tracing mechanics.spatial model programs.sweep "
        "quantities robot.arguments robot.calling"
    ),
    "robot.identification": "engine.engine mechanics.spatial model quantities robot.calling",
    "robot.mass": (
        "engine.engine mechanics.spatial model programs.sweep quantities robot.arguments robot.calling "
        "theory.formula view.display"
    ),
    "robot": (
        "algebra engine.constants engine.engine engine.reference engine.tracing kinematics loading mechanics.joint "
        "mechanics.spatial model quantities robot.arguments robot.calling robot.identification robot.mass "
        "robot.symbolic view view.display"
    ),
    "interop": "loading mechanics.joint mechanics.spatial model robot robot.arguments",
    "paths": "mechanics.spatial robot robot.arguments",
    "robot.compiled": (
        "algebra engine.cache engine.constants engine.engine engine.loops engine.policy engine.tracing model "
        "programs.lowering programs.sweep quantities robot robot.arguments robot.calling theory.literature "
        "theory.oracle theory.proof view.display"
    ),
    "simulation": (
        "engine.constants engine.engine engine.recorded engine.tracing mechanics.spatial model programs.sweep "
        "quantities robot robot.arguments robot.calling view view.display"
    ),
    "control": (
        "kinematics mechanics.link mechanics.spatial model paths programs.sweep robot robot.arguments "
        "robot.compiled simulation spatial view.display"
    ),
    "estimation": (
        "algebra engine.tracing mechanics.spatial model robot robot.arguments robot.compiled robot.identification "
        "simulation"
    ),
    "exporting": (
        "algebra engine.policy engine.precision engine.tracing mechanics.spatial programs.sweep quantities robot "
        "robot.arguments robot.calling robot.compiled simulation"
    ),
    "optimal": "engine.engine engine.tracing mechanics.spatial model robot robot.arguments simulation",
    "studies": "control engine.cache engine.engine loading quantities robot robot.arguments simulation view.display",
}
WITHOUT_ROW = {*TOOLS, "engine.policy", "engine.precision", "soadyn", "cli", "__main__"}
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

MOST_RANKS = 20
MOST_LOOSE_MODULES = 8
MOST_ROOMS = 21
LONGEST_FILE = 400
MEDIAN_FILE = 120
LONGEST_TEST = 500
SMALL_FUNCTION = 32  # nodes of its syntax tree: shorter ones are alike by chance

WELL_KNOWN_ROBOTS = {"talos", "solo12", "anymal", "iiwa", "kinova", "tiago", "icub", "hyq", "panda", "ur10", "ur3"}


@final
@dataclass(frozen=True, slots=True)
class Import:
    """An import statement: who imports what, and whether it runs when the module is imported, later, or never."""

    file: Path
    line: int
    module: str
    when: str  # "import", "call" or "typing"

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def unit_of(module: str) -> str:
    parts = module.split(".")
    return _unit(tuple(parts[1:])) if len(parts) > 1 else parts[0]


def unit_of_file(file: Path) -> str:
    inside = file.relative_to(SOURCE).with_suffix("").parts
    return _unit(inside if inside[-1] != "__init__" else inside[:-1])


def _unit(inside: tuple[str, ...]) -> str:
    """The unit of a module or of a name in one, from its path within the package."""
    if not inside:
        return "soadyn"
    below = ".".join(inside[:2])
    if inside[0] not in GROUPS or len(inside) == 1:
        return inside[0]
    if (SOURCE / inside[0] / inside[1]).is_dir():
        return below
    alone = inside[0] == "engine" and (SOURCE / "engine" / f"{inside[1]}.py").exists()
    return below if alone else inside[0]


def sources() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def imports() -> tuple[Import, ...]:
    return tuple(found for file in sources() for found in _imports_in(file))


def _imports_in(file: Path) -> Iterator[Import]:
    def visit(node: ast.AST, when: str) -> Iterator[Import]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            when = "call"
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            when = "typing"
        for name in _imported(node):
            yield Import(file, node.lineno, name, when)  # type: ignore[attr-defined]
        for child in ast.iter_child_nodes(node):
            yield from visit(child, when)

    yield from visit(ast.parse(file.read_text(encoding="utf-8")), "import")


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        assert node.module is not None
        # `from soadyn.robot import arguments` may import a folder or a module of the package
        own = node.module.split(".")[0] == "soadyn"
        return [f"{node.module}.{alias.name}" for alias in node.names] if own else [node.module]
    return []


def own() -> list[Import]:
    return [found for found in imports() if found.module.split(".")[0] == "soadyn"]


def foreign() -> list[Import]:
    return [found for found in imports() if found.module.split(".")[0] != "soadyn"]


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
    assert used
    assert {unit_of_file(found.file) for found in used} == {"cli"}


# Names


def packages() -> list[ModuleType]:
    below = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(sd.__path__, "soadyn.") if found.ispkg
    ]
    return [sd, *below]


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.__name__)
def test_no_public_name_hides_a_module(package: ModuleType) -> None:
    modules = {found.name for found in pkgutil.iter_modules(package.__path__)}
    for name in set(getattr(package, "__all__", ())) & modules:
        assert inspect.ismodule(getattr(package, name)), f"{package.__name__}.{name} is a module and something else"


# Classes that share a name, and why: users meet one of each pair, under the word of its field.
SAME_NAME = {
    "Argument": "of a quantity; of a compiled formula",
    "Direction": "of a sweep over the links; of an axis that inverse kinematics is asked for",
    "Function": "of text for LLVM; a scenario of a study",
    "Motion": "of coordinates, as integrate is; a path in time",
    "Plan": "of loops; of a reaching motion",
    "Problem": "of derivatives of a call; of a simulation",
    "Rows": "of a result in memory; of H",
    "Step": "of a loop; of a simulation as operations",
    "Table": "of a loop's addresses; a study's design",
}


def test_no_class_name_comes_twice() -> None:
    places: dict[str, list[str]] = {}
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(file.relative_to(SOURCE)))
    assert {name for name, found in places.items() if len(found) > 1} == set(SAME_NAME)
    assert len(SAME_NAME) <= 10


def test_all_public_names_are_there() -> None:
    assert sorted(sd.__all__) == sorted(set(sd.__all__))
    for name in sd.__all__:
        assert hasattr(sd, name)


def robot_names() -> set[str]:
    return set(sd.robots()) | WELL_KNOWN_ROBOTS


def _compared(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.MatchValue):
        return [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return list(node.args) if node.func.attr in ("startswith", "endswith") else []
    return []


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_code_branches_on_a_robots_name(file: Path) -> None:
    names = robot_names()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for operand in _compared(node):
            constants = {part.value for part in ast.walk(operand) if isinstance(part, ast.Constant)}
            assert not constants & names, f"{file}:{node.lineno} compares with a robot's name"  # type: ignore[attr-defined]


# A robot's own attributes


def _of_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


@cache
def _private_names_of_robots() -> frozenset[str]:
    """What the classes of robot/ keep to themselves: methods, attributes and slots that begin with one underscore."""
    classes = [
        node
        for file in (SOURCE / "robot").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    found = [node for one in classes for node in ast.walk(one)]
    names = {node.name for node in found if isinstance(node, ast.FunctionDef)}
    names |= {node.attr for node in found if isinstance(node, ast.Attribute) and _of_self(node)}
    names |= {node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(name for name in names if re.fullmatch(r"_[a-z]\w*[a-z0-9]", name))


def _private_to_a_robot(node: ast.AST) -> bool:
    """Is this `robot._x`, `self.robot._x` or the like, or a name that robots keep to themselves of anything else?"""
    if not isinstance(node, ast.Attribute) or not re.match(r"_[^_]", node.attr) or _of_self(node):
        return False
    called = re.fullmatch(r"(\w+_)?(robot|arm|flyer|state)", ast.unparse(node.value).split(".")[-1]) is not None
    return called or node.attr in _private_names_of_robots()


def test_the_private_names_of_robots_are_known() -> None:
    assert {"_functions", "_together", "_memory", "_quantity"} <= _private_names_of_robots()


def test_nothing_but_its_own_folder_reads_a_robots_private_attributes() -> None:
    read = [
        f"{file.relative_to(ROOT)}:{node.lineno} reads {ast.unparse(node)}"  # type: ignore[attr-defined]
        for file in sources()
        if unit_of_file(file) != "robot"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if _private_to_a_robot(node)
    ]
    assert not read


# Logic


class _Renamed(ast.NodeTransformer):
    """Names in the order in which they first come, and constants without their values."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.setdefault(node.id, f"name{len(self._names)}"), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._names.setdefault(node.arg, f"name{len(self._names)}"))

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(type(node.value).__name__)


def shape_of_code(function: ast.FunctionDef) -> str | None:
    """What a function does, whatever it calls its values; None if that is too little to be written twice."""
    body = [x for x in function.body if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]
    if sum(1 for statement in body for _ in ast.walk(statement)) < SMALL_FUNCTION:
        return None
    return ast.dump(_Renamed().visit(ast.Module(body, [])))


def test_no_function_is_written_twice() -> None:
    places: dict[str, list[str]] = {}
    for file in sources():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (shape := shape_of_code(node)) is not None:
                places.setdefault(shape, []).append(f"{file.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert len(places) > 1000
    assert not [found for found in places.values() if len(found) > 1]


def test_functions_that_differ_in_names_alone_have_one_shape() -> None:
    text = (
        "def {0}(x, n):\n    {1} = {{i: x[i] + 1 for i in range(n)}}\n    return sorted({1}.items(), key=len), [x] * n"
    )
    functions = [ast.parse(text.format(*names)).body[0] for names in (("first", "found"), ("second", "made"))]
    shapes = {shape_of_code(one) for one in functions if isinstance(one, ast.FunctionDef)}
    assert len(shapes) == 1
    assert None not in shapes


# Documentation


@pytest.mark.parametrize("name", sd.__all__)
def test_every_public_name_is_documented_with_an_example(name: str) -> None:
    thing = getattr(sd, name)
    doc = inspect.getdoc(thing)
    assert doc
    if not (inspect.isclass(thing) and issubclass(thing, Exception)):
        assert ">>> " in doc


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_is_in_the_docs(name: str) -> None:
    pages = [ROOT / "README.md", ROOT / "NOTATION.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert any(f"`{name}" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_is_tested(name: str) -> None:
    others = [file for file in TESTS.rglob("test_*.py") if file.name != Path(__file__).name]
    assert any(name in file.read_text(encoding="utf-8") for file in others)


def test_contributing_lists_every_room_above_those_that_use_it() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("## The rooms") : text.index("## How a result comes about")]
    rooms = [
        room for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for room in re.findall(r"`([\w/]+)/`", row)
    ]
    rooms = [room.replace("/", ".") for room in rooms]
    assert set(rooms) == {unit for unit in RANK if SOURCE.joinpath(*unit.split(".")).is_dir()}
    for found in own():
        user, used = unit_of_file(found.file), unit_of(found.module)
        if found.when != "typing" and user != used and user in rooms and used in rooms:
            assert rooms.index(used) < rooms.index(user), found


def test_contributing_lists_every_place_of_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/\w+(?:/|\.py))", text[text.index("## Tests") :]))
    folders = {f"tests/{x.name}/" for x in TESTS.iterdir() if any(x.glob("*.py"))}
    assert named >= folders | {f"tests/{x.name}" for x in TESTS.glob("test_*.py")}


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_what_the_documents_name_is_there(page: Path) -> None:
    """Folders and Python files in backticks, from the root of the repository or of the package, and links."""
    if page.name == "CHANGELOG.md":
        return  # it names what was there
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.]+/)+(?:\w+\.(?:py|md|txt|toml))?)`", text)
    linked = [link for link in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in link]
    # `make docs` writes the pages that end in .myst, and checks links to them.
    linked = [link for link in linked if not link.endswith(".myst")]
    missing = [path for path in named if not any((root / path).exists() for root in (ROOT, SOURCE, TESTS))]
    missing += [link for link in linked if not (page.parent / link).exists()]
    assert not missing


def test_references_are_to_what_can_be_read() -> None:
    """The papers are published; notes that are not part of the repository cannot be looked up."""
    pages = [*documents(), *sources(), *TESTS.rglob("*.py")]
    cited = [
        page for page in pages if re.search(r"\btheory(\.md)?:? \d", page.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert not cited


def test_every_symbol_of_the_notation_is_in_the_code() -> None:
    text = (ROOT / "NOTATION.md").read_text(encoding="utf-8")
    table = text[text.index("## Symbols") : text.index("## Which 6-vector")]
    names = {
        name for row in table.splitlines() if row.count("|") == 6 for name in re.findall(r"`(\w+)`", row.split("|")[2])
    }
    assert len(names) > 25
    words = set(re.findall(r"\w+", " ".join(file.read_text(encoding="utf-8") for file in sources())))
    assert names <= words


# Size


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_is_short_enough_to_be_read(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{lines} lines; split the file by ideas"


def test_most_files_are_short() -> None:
    assert statistics.median(len(file.read_text(encoding="utf-8").splitlines()) for file in sources()) <= MEDIAN_FILE


def test_a_test_file_is_short_enough_to_be_read() -> None:
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in TESTS.rglob("*.py")}
    assert not {str(file.relative_to(ROOT)): count for file, count in lines.items() if count > LONGEST_TEST}
