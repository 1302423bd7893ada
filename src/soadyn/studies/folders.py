"""A study's folder: what is studied, in study.json, and a file for each finished chunk.

Files appear whole or not at all, and on the disk before they count: fsync, then rename.
"""

from __future__ import annotations

import contextlib
import glob
import importlib.metadata
import json
import os
import platform
import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from soadyn.engine.cache.contents import UnreadableError, content_hash
from soadyn.errors import ArgumentError
from soadyn.files import kind_of, path_of, read_regular, unfinished_file, whole_file
from soadyn.studies.chunk_files import Chunk, read_chunk
from soadyn.studies.claims import Claims
from soadyn.studies.designs import MOST_ROWS, Design
from soadyn.studies.failures import NotDroppedError, StudyError
from soadyn.studies.scenario import Scenario
from soadyn.version import __version__

FORMAT = "soadyn study 1"
LARGEST_PLAN = 1_000_000  # bytes of study.json
IN_A_FOLDER = 1000  # chunks
CHUNKS = re.compile(r"[0-9]{6,15}")
CHUNK = re.compile(r"([0-9]{9,15})\.npz")
PART = re.compile(r"\.([0-9]{9,15})\.npz(\..*)?\.part")
PACKAGES = ("numpy", "llvmlite", "scipy")


@final
@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a folder holds: hashes of what is studied, the versions that compute it, and how rows become chunks."""

    scenario: str
    parameters: str
    versions: dict[str, str]
    rows: int
    leaf: int
    chunk: int  # rows

    @property
    def identity(self) -> str:
        """A hash of all that results depend on; how rows become chunks is not part of it."""
        return content_hash(self.scenario, self.parameters, dict(sorted(self.versions.items())))

    @property
    def chunks(self) -> int:
        return -(-self.rows // self.chunk)

    def bounds(self, number: int) -> tuple[int, int]:
        """The rows of a chunk."""
        return number * self.chunk, min((number + 1) * self.chunk, self.rows)

    def other_than(self, other: StudyPlan) -> str:
        """In what two plans differ; empty if they are of one study."""
        parts = [what for what in ("scenario", "parameters") if getattr(self, what) != getattr(other, what)]
        numbers = (("rows", self.rows, other.rows), ("leaf", self.leaf, other.leaf))
        if not parts:  # other parameters are other rows; of the same ones they are a changed plan
            parts = [f"{what} {theirs} there, {mine} here" for what, mine, theirs in numbers if mine != theirs]
        for name in sorted({*self.versions, *other.versions}):
            mine, theirs = self.versions.get(name, "none"), other.versions.get(name, "none")
            parts += [f"{name} {theirs} there, {mine} here"] if mine != theirs else []
        return ", ".join(parts)


def versions() -> dict[str, str]:
    """What results depend on besides the study: packages and Python."""
    found = {"soadyn": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def planned(scenario: Scenario, design: Design, chunk: int) -> StudyPlan:
    """The plan of a study with chunks of so many rows."""
    try:
        hashes = content_hash(scenario.content()), content_hash(design.content())
    except UnreadableError as error:
        raise ArgumentError(
            f"a scenario is data, but {error.args[0]!r:.80} has no content that could be told"
        ) from None
    return StudyPlan(*hashes, versions(), design.rows, scenario.leaf, chunk)


@final
class Folder:
    """The files of one study."""

    def __init__(self, path: Any) -> None:
        self.path = path_of(path, "a study needs a folder")

    @property
    def plan(self) -> StudyPlan | None:
        """What the folder holds; None if there is nothing yet."""
        file = self.path / "study.json"
        try:
            known = json.loads(read_regular(file, LARGEST_PLAN).decode("utf-8"))
            if known.pop("format") != FORMAT:
                raise ValueError("it is of another format")
            known.pop("about", None)  # for readers
            return _checked(StudyPlan(**known))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StudyError(f"{str(file)!r} is not a study's plan: {error.strerror or error}") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise StudyError(f"{str(file)!r} is not a study's plan: {error}") from None

    def check_new(self) -> None:
        """Refuse a folder whose study.json is gone: a new one could tell of chunks of another length, or study."""
        folders = [Path(x.path) for x in _entries(self.path / "chunks") if x.is_dir(follow_symlinks=False)]
        found = any(CHUNK.fullmatch(file.name) for folder in folders for file in _entries(folder))
        if found and self.plan is None:  # asked last: another driver writes it before its first chunk
            raise StudyError(
                f"the folder {str(self.path)!r} holds chunks, but no study.json that tells of which study and of how "
                "many rows; put it back, or take another folder"
            )

    def begin(self, plan: StudyPlan, about: Mapping[str, Any]) -> StudyPlan:
        """Write the plan, and what it is about, unless another driver did meanwhile; the plan that holds."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            beside, file = unfinished_file(self.path / "study.json")
            with file:
                try:
                    file.write(json.dumps({"format": FORMAT, "about": about, **asdict(plan)}, indent=2).encode())
                    file.flush()
                    os.fsync(file.fileno())
                    with contextlib.suppress(FileExistsError):
                        os.link(beside, self.path / "study.json")
                finally:
                    beside.unlink()
        except OSError as error:
            raise StudyError(f"cannot write to the study's folder {str(self.path)!r}: {error.strerror}") from None
        held = self.plan
        assert held is not None
        return held

    def file(self, number: int) -> Path:
        """Where a chunk is written."""
        return self.path / "chunks" / f"{number // IN_A_FOLDER:06}" / f"{number:09}.npz"

    def has(self, number: int) -> bool:
        return os.path.lexists(self.file(number))

    def present(self, plan: StudyPlan) -> list[int]:
        """The numbers of the chunks that are there, ascending."""
        return self.contents(plan)[0]

    def contents(self, plan: StudyPlan) -> tuple[list[int], list[Path]]:
        """The numbers of the chunks that are there, ascending, and what else lies beside them.

        A chunk counts once: under its own name, in its own place. Copies under other names are none.
        """
        numbers, others = [], []
        for folder in _entries(self.path / "chunks"):
            if not folder.is_dir(follow_symlinks=False):
                others.append(Path(folder.path))
                continue
            for file in _entries(Path(folder.path)):
                found = CHUNK.fullmatch(file.name)
                number = int(found[1]) if found else plan.chunks
                if number < plan.chunks and self.file(number) == Path(file.path):
                    numbers.append(number)
                elif not PART.fullmatch(file.name):
                    others.append(Path(file.path))
        return sorted(numbers), sorted(others)

    def read(self, number: int, plan: StudyPlan) -> Chunk:
        """A chunk, checked: whole, of this study, and of these rows."""
        chunk = read_chunk(self.file(number), plan.identity)
        if (chunk.begin, chunk.end) == plan.bounds(number):
            return chunk
        held = f"{str(self.file(number))!r} holds rows {chunk.begin} to {chunk.end}"
        if chunk.begin % plan.chunk or chunk.end != min(chunk.begin + plan.chunk, plan.rows):
            raise NotDroppedError(
                f"{held}, but study.json tells of chunks of {plan.chunk} rows; was one of them changed?"
            )
        raise StudyError(f"{held} by mistake")

    def write(self, number: int, content: bytes) -> None:
        """Write a chunk; it is on the disk when this returns."""
        file = self.file(number)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            _check_real(file.parent.parent)
            _check_real(file.parent)
            with whole_file(file) as stream:
                stream.write(content)
            with contextlib.suppress(OSError):  # not every system lets folders be synchronised
                descriptor = os.open(file.parent, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
        except (ArgumentError, OSError) as error:
            count = len(glob.glob(str(self.path / "chunks" / "*" / "*.npz")))
            raise StudyError(
                f"{error}; {count} chunks are finished and stay, running the study again does the others"
            ) from None

    def drop_damaged(self, plan: StudyPlan, claims: Claims) -> list[int]:
        """Take away chunks that are damaged or of another study, and what killed drivers left; their numbers."""
        for folder in _entries(self.path / "chunks"):
            if CHUNKS.fullmatch(folder.name):
                _check_real(Path(folder.path))
                self._drop_parts(Path(folder.path), plan, claims)
        dropped = []
        for number in self.present(plan):
            file = self.file(number)
            mode = _mode(file)
            if mode is None:
                continue
            if not stat.S_ISREG(mode):
                raise StudyError(f"{str(file)!r} is {kind_of(mode)} in a chunk's place; move it away")
            try:
                self.read(number, plan)
            except NotDroppedError:
                raise
            except StudyError:
                file.unlink(missing_ok=True)
                dropped.append(number)
        return dropped

    def _drop_parts(self, folder: Path, plan: StudyPlan, claims: Claims) -> None:
        """Take away what killed drivers left of chunks that they wrote."""
        for part in _entries(folder):
            found = PART.fullmatch(part.name)
            number = int(found[1]) if found else plan.chunks
            if number < plan.chunks and part.is_file(follow_symlinks=False) and claims.take(number):
                Path(part.path).unlink(missing_ok=True)
                claims.free(number)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if there is none."""
    _check_real(folder)
    try:
        with os.scandir(folder) as found:
            return list(found)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StudyError(f"cannot read the folder {str(folder)!r}: {error.strerror}") from None


def _check_real(folder: Path) -> None:
    """Refuse a link where a study has a folder of its own: what is behind it is not the study's to replace."""
    mode = _mode(folder)
    if mode is not None and not stat.S_ISDIR(mode):
        raise StudyError(f"{str(folder)!r} is {kind_of(mode)}, expected a folder with chunks; move it away")


def _mode(path: Path) -> int | None:
    """What is there, links not followed; None if nothing is."""
    try:
        return os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StudyError(f"cannot read {str(path)!r}: {error.strerror}") from None


def _checked(plan: StudyPlan) -> StudyPlan:
    texts = (plan.scenario, plan.parameters, *plan.versions, *plan.versions.values())
    numbers = (plan.rows, plan.leaf, plan.chunk)
    fine = all(isinstance(x, str) for x in texts) and all(type(x) is int and 1 <= x <= MOST_ROWS for x in numbers)
    if not fine or plan.chunk % plan.leaf or (plan.chunk // plan.leaf).bit_count() != 1:
        raise ValueError("its entries make no sense")
    return plan
