"""Files of chunks: npz archives that end in a checksum of all before it.

`numpy.load` opens them. Members are "keep MEASURE" (rows, ...), "node MEASURE REDUCTION FIELD", the rows that failed,
and a header in JSON.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from soadyn.engine.host import machine_memory
from soadyn.errors import ArgumentError
from soadyn.files import read_regular
from soadyn.loading.npz import arrays_in
from soadyn.studies.failures import Failures, NotDroppedError, StudyError
from soadyn.studies.reductions import Node

FORMAT = "soadyn chunk 1"
WHAT = "a chunk of a study"
MARK = b"sha256 "
DIGITS = 64
Shapes = dict[str, tuple[int, ...]]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows of a study that are done: what was kept of them, how they were reduced, which failed, what computed them."""

    identity: str
    number: int
    begin: int
    end: int
    seconds: float
    processor: tuple[str, str]  # its name and features
    shapes: Shapes  # of one row's measures
    kept: dict[str, np.ndarray]
    nodes: dict[str, Node]
    failures: Failures

    @property
    def id(self) -> str:
        """The chunk's id: a hash of the study's identity and of the rows."""
        return hashlib.sha256(f"{self.identity} {self.begin} {self.end}".encode()).hexdigest()


def packed(chunk: Chunk) -> bytes:
    """The bytes of a chunk's file."""
    header = {
        "format": FORMAT,
        "id": chunk.id,
        "study": chunk.identity,
        "number": chunk.number,
        "rows": [chunk.begin, chunk.end],
        "failed": len(chunk.failures),
        "seconds": round(chunk.seconds, 6),
        "processor": list(chunk.processor),
        "shapes": chunk.shapes,
    }
    arrays = {"header": np.array(json.dumps(header))}
    arrays |= {f"keep {name}": x for name, x in chunk.kept.items()}
    arrays |= {f"node {name} {field}": x for name, node in chunk.nodes.items() for field, x in node.items()}
    failures = chunk.failures
    arrays |= {"failed rows": failures.rows, "failed which": failures.which}
    arrays["failed reasons"] = np.array(failures.reasons, dtype=np.str_)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.comment = MARK + b"0" * DIGITS
        for name, x in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(x) if x.ndim else x, allow_pickle=False)
    content = stream.getbuffer()
    return bytes(content[:-DIGITS]) + _digest(content[:-DIGITS])


def _digest(content: Any) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def damage(content: bytes) -> str:
    """What is wrong with a chunk file's bytes; empty if its checksum is right."""
    if len(content) < DIGITS + len(MARK) or content[-DIGITS - len(MARK) : -DIGITS] != MARK:
        return "it has no checksum at its end"
    return "" if content[-DIGITS:] == _digest(memoryview(content)[:-DIGITS]) else "its checksum is wrong"


def read_chunk(path: Path, identity: str) -> Chunk:
    """A chunk from its file, checked: whole, and of this study."""
    try:
        content = read_regular(path, int(machine_memory() / 4))
        found = damage(content)
    except PermissionError as error:
        raise NotDroppedError(
            f"cannot read {str(path)!r}: {error.strerror}; make it readable, or move it away and run the study again"
        ) from None
    except OSError as error:
        raise StudyError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    if found:
        raise StudyError(f"{str(path)!r} is damaged: {found}; running the study again does this chunk again")
    try:
        arrays = arrays_in(io.BytesIO(content), len(content), path, WHAT)
        header = json.loads(str(arrays["header"][()]))
        chunk = _unpacked(header, arrays)
    except (ArgumentError, OSError, RecursionError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise StudyError(f"{str(path)!r} is not {WHAT}: {error}") from None
    if header.get("format") != FORMAT or chunk.identity != identity or header.get("id") != chunk.id:
        raise StudyError(f"{str(path)!r} is a chunk of another study; running the study again does this chunk again")
    return chunk


def _unpacked(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Chunk:
    kept, nodes = {}, {}  # type: dict[str, np.ndarray], dict[str, Node]
    for name, x in arrays.items():
        kind, _, rest = name.partition(" ")
        if kind == "keep":
            kept[rest] = x
        elif kind == "node":
            measure, _, field = rest.rpartition(" ")
            nodes.setdefault(measure, {})[field] = x
    failures = Failures(arrays["failed rows"], tuple(arrays["failed reasons"].tolist()), arrays["failed which"])
    begin, end = header["rows"]
    name, features = header["processor"]
    own = (str(header["study"]), int(header["number"]), int(begin), int(end), float(header["seconds"]))
    shapes = {str(measure): tuple(map(int, shape)) for measure, shape in header["shapes"].items()}
    return Chunk(*own, (str(name), str(features)), shapes, kept, nodes, failures)
