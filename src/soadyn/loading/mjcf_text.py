"""An MJCF model written anew for MuJoCo: one text that holds what bears on dynamics, checked, with every file in it.

MuJoCo has an XML reader of its own, which reads some files differently from ours. What we check is what we write, so
MuJoCo cannot see anything else. Each element stands on a line of its own, so that MuJoCo's line numbers lead back to
the file.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import final
from xml.sax.saxutils import quoteattr

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.mjcf_files import Folders, ModelFiles, references, with_includes
from soadyn.loading.mjcf_growth import check_size, grown
from soadyn.loading.mjcf_words import (
    FOLDER_ATTRIBUTES,
    PLAIN_ATTRIBUTES,
    PLAIN_ELEMENTS,
    TEXTS,
    UNUSED_ATTRIBUTES,
    UNUSED_ELEMENTS,
)
from soadyn.loading.source import Source
from soadyn.loading.values import text

MAX_PLAIN = 5_000  # elements; MuJoCo takes about a tenth of a second for them
MAX_SUBMODEL_DEPTH = 20
NOT_A_NUMBER = re.compile(r"[+-]?nan\(\w*\)", re.IGNORECASE)  # MuJoCo reads it so, Python's float() does not
NO_SIMULATION = '<compiler><lengthrange mode="none"/></compiler>'


@final
@dataclass(frozen=True, slots=True)
class Rewritten:
    """A model as MuJoCo is handed it.

    `lines` has the "file:line" of each line of `text`, `files` the bytes of what it refers to, `documents` the elements
    as read. A `plain` model is small and made of elements that cannot blow up.
    """

    text: str
    lines: list[str]
    files: dict[str, bytes]
    documents: list[Element]
    plain: bool


def rewritten(document: Element, source: Source, roots: tuple[Path, ...]) -> Rewritten:
    """The model of a <mujoco> document, which may read files in its own folder and in `roots`."""
    allowed = () if source.directory is None else (source.directory, *(root.absolute() for root in roots))
    writer = _Writer(ModelFiles(allowed))
    model = writer.model(document, Folders(source.directory), (Path(document.file).resolve(),))
    plain = writer.plain and model.size <= MAX_PLAIN
    return Rewritten(model.text, model.lines, writer.files.contents, writer.documents, plain)


@final
@dataclass(frozen=True, slots=True)
class _Model:
    """The text of the main model or of a sub-model, and the number of elements it grows to."""

    name: str
    text: str
    lines: list[str]
    size: int


@final
@dataclass(slots=True)
class _Writer:
    files: ModelFiles
    plain: bool = True
    documents: list[Element] = field(default_factory=list)
    submodels: dict[Path, tuple[str, _Model]] = field(default_factory=dict)

    def model(self, root: Element, folders: Folders, trail: tuple[Path, ...]) -> _Model:
        """Write one model; `trail` are the files from the main model down to this one."""
        with_includes(root, self.files, folders)
        folders.read(root)
        self.documents.append(root)
        sizes: list[tuple[str, int]] = []
        lines: list[str] = []
        wheres: list[str] = []
        waiting: list[Element | str] = [root]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                lines[-1] += item
                continue
            attributes = self._attributes(item, folders, trail, sizes)
            written = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
            children = [child for child in item.children if child.tag not in UNUSED_ELEMENTS]
            self.plain &= item.tag in PLAIN_ELEMENTS and PLAIN_ATTRIBUTES.issuperset(attributes)
            lines.append(f"<{item.tag}{written}>")
            wheres.append(item.where)
            waiting += [f"</{item.tag}>", *reversed(children)]
            for unused in item.children:
                self._refuse_outside(unused, folders)
        lines[0] += NO_SIMULATION
        size = grown(root, dict(sizes)) + sum(size for _, size in sizes)
        return _Model(root.attributes.get("model", ""), "\n".join(lines), wheres, check_size(root, size))

    def _refuse_outside(self, unused: Element, folders: Folders) -> None:
        """Nobody reads a texture or a skin, but one that lies outside is still not let through."""
        if unused.tag in UNUSED_ELEMENTS:
            for element in unused.walk():
                for uri in references(element).values():
                    self.files.refuse_outside(element, uri, folders)

    def _attributes(
        self, element: Element, folders: Folders, trail: tuple[Path, ...], sizes: list[tuple[str, int]]
    ) -> dict[str, str]:
        """What MuJoCo is handed of an element's attributes; `sizes` learns of sub-models."""
        _check_finite(element)
        left = {
            name: value
            for name, value in element.attributes.items()
            if name not in UNUSED_ATTRIBUTES and not (element.tag == "compiler" and name in FOLDER_ATTRIBUTES)
        }
        match element.tag:
            case "hfield":
                return self._flat(element, left, folders)
            case "model":
                left["file"] = self._submodel(element, folders, trail, sizes)
            case _ if element.tag in ("mesh", "flexcomp") and left.get("file"):
                uri = left["file"]
                left["file"] = self.files.asset(self.files.found(element, uri, folders), element.where)
                if element.tag == "mesh":
                    left.setdefault("name", _stem(uri))
            case _:
                for uri in references(element).values():
                    raise ModelError(f"{element.where}: {element} refers to the file {uri!r}; expected none there")
        return left

    def _flat(self, element: Element, left: dict[str, str], folders: Folders) -> dict[str, str]:
        """A height field's mass is that of its box, whatever its heights: four of them do."""
        uri = left.pop("file", "")
        if uri:
            self.files.refuse_outside(element, uri, folders)
            left.setdefault("name", _stem(uri))
        kept = {name: value for name, value in left.items() if name in ("name", "size")}
        return {**kept, "nrow": "2", "ncol": "2"}

    def _submodel(
        self, element: Element, folders: Folders, trail: tuple[Path, ...], sizes: list[tuple[str, int]]
    ) -> str:
        """The name under which MuJoCo is handed a sub-model."""
        path = self.files.found(element, text(element, "file"), folders)
        if path in trail:
            raise ModelError(f"{element.where}: {path.name!r} is a sub-model of itself; it would never end")
        if len(trail) > MAX_SUBMODEL_DEPTH:
            raise ModelError(f"{element.where}: sub-models are nested more than {MAX_SUBMODEL_DEPTH} deep")
        if path not in self.submodels:
            root = self.files.document(path, element.where)
            if root.tag != "mujoco":
                raise ModelError(f"{root.where}: the root element is <{root.tag}>; a sub-model must be a <mujoco>")
            model = self.model(root, Folders(path.parent), (*trail, path))
            self.submodels[path] = (self.files.add(f"{path.stem}.xml", model.text.encode()), model)
        name, model = self.submodels[path]
        sizes.append((element.attributes.get("name", model.name), model.size))
        return name


def _stem(uri: str) -> str:
    """The name of an asset that has none: its file's, as MuJoCo makes it."""
    return PurePosixPath(uri.replace("\\", "/")).stem


def _check_finite(element: Element) -> None:
    """Infinity is let through in ranges alone, where it says that there is no limit."""
    for name, value in element.attributes.items():
        if name in TEXTS:
            continue
        for word in value.split():
            try:
                number = math.nan if NOT_A_NUMBER.fullmatch(word) else float(word)
            except ValueError:
                continue
            if math.isnan(number) or (math.isinf(number) and not name.endswith("range")):
                raise ModelError(
                    f'{element.where}: {element} has {name}="{value[:80]}"; {word[:40]!r} is not a finite number'
                )
