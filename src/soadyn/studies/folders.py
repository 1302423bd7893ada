"""A study's folder: what is studied, in study.json, and a file for each finished chunk.

Files appear whole or not at all, and on the disk before they count: fsync, then rename.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from soadyn.backends.contents import UnreadableError, content_hash
from soadyn.errors import ArgumentError
from soadyn.files import path_of, whole_file
from soadyn.studies.chunk_files import Chunk, read_chunk
from soadyn.studies.claims import Claims
from soadyn.studies.designs import MOST_ROWS, Design
from soadyn.studies.failures import StudyError
from soadyn.studies.scenarios import Scenario
from soadyn.version import __version__

FORMAT = "soadyn study 1"
LARGEST_PLAN = 1_000_000  # bytes of study.json
IN_A_FOLDER = 1000  # chunks
PART = re.compile(r"\.(\d+)\.npz\..*\.part")
PACKAGES = ("numpy", "llvmlite", "scipy")


@final
@dataclass(frozen=True, slots=True)
class Plan:
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

    def other_than(self, other: Plan) -> str:
        """In what two plans differ; empty if they are of one study."""
        parts = [what for what in ("scenario", "parameters") if getattr(self, what) != getattr(other, what)]
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


def planned(scenario: Scenario, design: Design, chunk: int) -> Plan:
    """The plan of a study with chunks of so many rows."""
    try:
        hashes = content_hash(scenario.content()), content_hash(design.content())
    except UnreadableError as error:
        raise ArgumentError(
            f"a scenario is data, but {error.args[0]!r:.80} has no content that could be told"
        ) from None
    return Plan(*hashes, versions(), design.rows, scenario.leaf, chunk)


@final
class Folder:
    """The files of one study."""

    def __init__(self, path: Any) -> None:
        self.path = path_of(path, "a study needs a folder")

    @property
    def plan(self) -> Plan | None:
        """What the folder holds; None if there is nothing yet."""
        file = self.path / "study.json"
        try:
            if file.stat().st_size > LARGEST_PLAN:
                raise StudyError(f"{str(file)!r} is not a study's plan: it is larger than {LARGEST_PLAN} bytes")
            known = json.loads(file.read_text(encoding="utf-8"))
            if known.pop("format") != FORMAT:
                raise ValueError("it is of another format")
            return _checked(Plan(**known))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise StudyError(f"{str(file)!r} is not a study's plan: {error}") from None

    def begin(self, plan: Plan) -> Plan:
        """Write the plan, unless another driver did meanwhile; the plan that holds."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            beside = self.path / f".study.json.{os.getpid()}.{threading.get_ident()}.part"
            with open(beside, "w", encoding="utf-8") as file:
                json.dump({"format": FORMAT, **asdict(plan)}, file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            try:
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
        return self.file(number).exists()

    def present(self, plan: Plan) -> Iterator[int]:
        """The numbers of the chunks that are there."""
        for folder in sorted((self.path / "chunks").glob("*")):
            for file in sorted(folder.glob("*.npz")):
                if file.stem.isdigit() and int(file.stem) < plan.chunks:
                    yield int(file.stem)

    def read(self, number: int, plan: Plan) -> Chunk:
        """A chunk, checked: whole, of this study, and of these rows."""
        chunk = read_chunk(self.file(number), plan.identity)
        if (chunk.begin, chunk.end) != plan.bounds(number):
            raise StudyError(f"{str(self.file(number))!r} holds rows {chunk.begin} to {chunk.end} by mistake")
        return chunk

    def write(self, number: int, content: bytes) -> None:
        """Write a chunk; it is on the disk when this returns."""
        file = self.file(number)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(file) as stream:
                stream.write(content)
            with contextlib.suppress(OSError):  # not every system lets folders be synchronised
                descriptor = os.open(file.parent, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
        except (ArgumentError, OSError) as error:
            count = sum(1 for _ in (self.path / "chunks").glob("*/*.npz"))
            raise StudyError(
                f"{error}; {count} chunks are finished and stay, running the study again does the others"
            ) from None

    def drop_damaged(self, plan: Plan, claims: Claims) -> list[int]:
        """Take away chunks that are damaged or of another study, and what killed drivers left; their numbers."""
        for part in (self.path / "chunks").glob("*/.*.part"):
            found = PART.fullmatch(part.name)
            if found and claims.take(int(found[1])):
                part.unlink(missing_ok=True)
                claims.free(int(found[1]))
        dropped = []
        for number in list(self.present(plan)):
            try:
                self.read(number, plan)
            except StudyError:
                self.file(number).unlink(missing_ok=True)
                dropped.append(number)
        return dropped


def _checked(plan: Plan) -> Plan:
    texts = (plan.scenario, plan.parameters, *plan.versions, *plan.versions.values())
    numbers = (plan.rows, plan.leaf, plan.chunk)
    fine = all(isinstance(x, str) for x in texts) and all(type(x) is int and 1 <= x <= MOST_ROWS for x in numbers)
    if not fine:
        raise ValueError("its entries make no sense")
    return plan
