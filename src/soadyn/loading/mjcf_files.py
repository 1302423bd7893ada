"""The files an MJCF model names: found by MuJoCo's rules, read here, and handed to MuJoCo as bytes.

MuJoCo itself would follow every path, anywhere on the disk. Here each <include>, sub-model, mesh, texture, height field
and skin must lie in the model's folder or in a folder the caller names, and MuJoCo opens no file at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from soadyn.errors import ModelError
from soadyn.loading.document import MAX_DEPTH, Element, parse
from soadyn.loading.paths import SCHEME, escape, first_existing, inside, is_file
from soadyn.loading.source import MAX_BYTES, file_source
from soadyn.loading.values import text
from soadyn.model.mesh_files import mesh_file_bytes

MAX_ASSET_BYTES = 400 * 2**20


@final
@dataclass(slots=True)
class Folders:
    """Where one model's files are looked for: its own folder, and what its <compiler> elements say of assets."""

    main: Path | None
    meshes: str = ""
    textures: str = ""
    strip: bool = False

    def read(self, model: Element) -> None:
        """Each <compiler> overrides those before it; within one, `meshdir` and `texturedir` override `assetdir`."""
        for compiler in model.all("compiler"):
            said = compiler.attributes
            self.meshes = said.get("meshdir", said.get("assetdir", self.meshes))
            self.textures = said.get("texturedir", said.get("assetdir", self.textures))
            self.strip = {"true": True, "false": False}.get(said.get("strippath", ""), self.strip)


@final
@dataclass(slots=True)
class ModelFiles:
    """Finds and reads files within the allowed folders; `contents` are those MuJoCo is handed, by the given name."""

    allowed: tuple[Path, ...]
    contents: dict[str, bytes] = field(default_factory=dict)
    _names: dict[Path, str] = field(default_factory=dict)
    _xml_left: int = MAX_BYTES
    _assets_left: int = MAX_ASSET_BYTES

    def found(self, element: Element, uri: str, folders: Folders) -> Path:
        """The file that an element of a model names: the one MuJoCo would take, and no other in its place."""
        candidates = self._candidates(element, uri, folders)
        taken = [path for path in candidates if is_file(path)][:1]
        return first_existing(uri, taken or candidates, self.allowed, element.where)

    def refuse_outside(self, element: Element, uri: str, folders: Folders) -> None:
        """Refuse a file that lies outside; it need not exist, because it is not read."""
        if not any(inside(path, self.allowed) for path in self._candidates(element, uri, folders)):
            raise escape(uri, self.allowed, element.where)

    def _candidates(self, element: Element, uri: str, folders: Folders) -> list[Path]:
        """MuJoCo looks beside the main file, then beside the file that holds the element."""
        if folders.main is None:
            raise ModelError(
                f"{element.where}: {element} refers to the file {uri!r}, but XML given as text has no folder; "
                "load it from a file"
            )
        own = Path(element.file).absolute().parent
        if element.tag in ("include", "model"):
            return [_join(base, uri, element.where) for base in dict.fromkeys((folders.main, own))]
        name = re.split(r"[/\\]", uri)[-1] if folders.strip else uri
        directory = folders.textures if element.tag == "texture" else folders.meshes
        first = _join(_join(folders.main, directory, element.where), name, element.where)
        return [first] if own == folders.main else [first, _join(own, name, element.where)]

    def document(self, path: Path, where: str) -> Element:
        """The XML in a file; all XML of a model together is bounded."""
        source = file_source(path)
        self._xml_left -= len(source.data)
        if self._xml_left < 0:
            raise ModelError(f"{where}: the model's XML files have more than {MAX_BYTES // 2**20} MB together")
        return parse(source)

    def asset(self, path: Path, where: str) -> str:
        """The name under which MuJoCo is handed the bytes of a file."""
        if path not in self._names:
            data = mesh_file_bytes(path)
            self._assets_left -= len(data)
            if self._assets_left < 0:
                raise ModelError(f"{where}: the model's meshes have more than {MAX_ASSET_BYTES // 2**20} MB together")
            self._names[path] = self.add(path.name, data)
        return self._names[path]

    def add(self, name: str, data: bytes) -> str:
        """Hand over bytes; the number in front keeps names apart and off the disk."""
        given = f"{len(self.contents)}-{re.sub(r'[^A-Za-z0-9._-]', '_', name)}"
        self.contents[given] = data
        return given


def with_includes(model: Element, files: ModelFiles, folders: Folders) -> None:
    """Replace each <include> by what it includes, as MuJoCo does; a file can be included once."""
    seen = {Path(model.file).resolve()}
    waiting = [(model, 1)]
    while waiting:
        element, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise ModelError(f"{element.where}: with its includes the model is nested more than {MAX_DEPTH} deep")
        element.children = list(_replaced(element.children, files, folders, seen))
        waiting.extend((child, depth + 1) for child in element.children)


def _replaced(children: Iterable[Element], files: ModelFiles, folders: Folders, seen: set[Path]) -> Iterator[Element]:
    waiting = list(reversed(list(children)))
    while waiting:
        child = waiting.pop()
        if child.tag != "include":
            yield child
            continue
        if child.children:
            raise ModelError(f"{child.where}: <include> has children; expected none")
        path = files.found(child, text(child, "file"), folders)
        if path in seen:
            raise ModelError(f"{child.where}: {child.attributes['file']!r} is included already; expected it once")
        seen.add(path)
        waiting.extend(reversed(files.document(path, child.where).children))


def references(element: Element) -> dict[str, str]:
    """The files an element names, by attribute: `file`, and a texture's `fileright`, `fileup`, ..."""
    return {name: value for name, value in element.attributes.items() if name.startswith("file") and value}


def _join(folder: Path, uri: str, where: str) -> Path:
    """A path as MuJoCo reads it: backslashes separate too."""
    if SCHEME.match(uri):
        raise ModelError(f"{where}: {uri!r} is not a plain path; MJCF files are refused that read from elsewhere")
    return folder / uri.replace("\\", "/")
