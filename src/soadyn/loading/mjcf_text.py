"""An MJCF model written anew for MuJoCo: one text that holds what bears on dynamics, checked, with every file in it.

MuJoCo has an XML reader of its own, which reads some files differently from ours. What we check is what we write, so
MuJoCo cannot see anything else. Each element stands on a line of its own, so that MuJoCo's line numbers lead back to
the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import final
from xml.sax.saxutils import quoteattr

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.mjcf_files import Folders, ModelFiles, references, with_includes
from soadyn.loading.mjcf_growth import check_size, grown
from soadyn.loading.mjcf_idle import idle_elements
from soadyn.loading.mjcf_words import (
    FOLDER_ATTRIBUTES,
    PLAIN_ATTRIBUTES,
    PLAIN_ELEMENTS,
    TEXTS,
    UNUSED_ATTRIBUTES,
    UNUSED_ELEMENTS,
    asset_name,
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
    whole = _MainModel(ModelFiles(allowed))
    main = _Writer(whole, Folders(source.directory), (Path(document.file).resolve(),))
    size = main.write(document, idle_elements)
    plain = whole.plain and size <= MAX_PLAIN
    return Rewritten("\n".join(main.lines), main.wheres, whole.files.contents, whole.documents, plain)


@final
@dataclass(slots=True)
class _MainModel:
    """What the main model and its sub-models share; `submodels` have MuJoCo's name, <mujoco>'s name, and size."""

    files: ModelFiles
    plain: bool = True
    documents: list[Element] = field(default_factory=list)
    submodels: dict[Path, tuple[str, str, int]] = field(default_factory=dict)


@final
@dataclass(slots=True)
class _Writer:
    """Writes one model; `trail` are the files from the main model down to this one."""

    whole: _MainModel
    folders: Folders
    trail: tuple[Path, ...]
    lines: list[str] = field(default_factory=list)
    wheres: list[str] = field(default_factory=list)
    sizes: list[tuple[str, int]] = field(default_factory=list)  # of its sub-models by the name <attach> uses

    def write(self, root: Element, idle: Callable[[Element], set[int]] = lambda _: set()) -> int:
        """Write the model without its idle elements; returns the number of elements it grows to."""
        with_includes(root, self.whole.files, self.folders)
        self.folders.read(root)
        self.whole.documents.append(root)
        left_out = idle(root)
        waiting: list[Element | str] = [root]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                self.lines[-1] += item
            elif item.tag in UNUSED_ELEMENTS or id(item) in left_out:
                self._refuse_outside(item)
            else:
                self._write(item)
                waiting += [f"</{item.tag}>", *reversed(item.children)]
        self.lines[0] += NO_SIMULATION
        return check_size(root, grown(root, dict(self.sizes)) + sum(size for _, size in self.sizes))

    def _write(self, element: Element) -> None:
        attributes = self._attributes(element)
        written = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        self.lines.append(f"<{element.tag}{written}>")
        self.wheres.append(element.where)
        self.whole.plain &= element.tag in PLAIN_ELEMENTS and PLAIN_ATTRIBUTES.issuperset(attributes)

    def _refuse_outside(self, unused: Element) -> None:
        """Textures, skins and idle meshes are never read; one that lies outside is refused all the same."""
        for element in unused.walk():
            for uri in references(element).values():
                self.whole.files.refuse_outside(element, uri, self.folders)

    def _attributes(self, element: Element) -> dict[str, str]:
        """What MuJoCo is handed of an element's attributes."""
        _check_finite(element)
        unused = UNUSED_ATTRIBUTES | FOLDER_ATTRIBUTES if element.tag == "compiler" else UNUSED_ATTRIBUTES
        kept = {name: value for name, value in element.attributes.items() if name not in unused}
        if element.tag in ("mesh", "hfield") and (name := asset_name(element)) is not None:
            kept["name"] = name
        match element.tag:
            case "hfield":
                self._refuse_outside(element)
                return _flat(kept)
            case "model":
                kept["file"] = self._submodel(element)
            case "mesh" | "flexcomp" if kept.get("file"):
                path = self.whole.files.found(element, kept["file"], self.folders)
                kept["file"] = self.whole.files.asset(path, element.where)
            case _:
                for uri in references(element).values():
                    raise ModelError(f"{element.where}: {element} refers to the file {uri!r}; expected none there")
        return kept

    def _submodel(self, element: Element) -> str:
        """The name under which MuJoCo is handed a sub-model."""
        whole = self.whole
        path = whole.files.found(element, text(element, "file"), self.folders)
        if path in self.trail:
            raise ModelError(f"{element.where}: {path.name!r} is a sub-model of itself; it would never end")
        if len(self.trail) > MAX_SUBMODEL_DEPTH:
            raise ModelError(f"{element.where}: sub-models are nested more than {MAX_SUBMODEL_DEPTH} deep")
        if path not in whole.submodels:
            root = whole.files.document(path, element.where)
            if root.tag != "mujoco":
                raise ModelError(f"{root.where}: the root element is <{root.tag}>; a sub-model must be a <mujoco>")
            writer = _Writer(whole, Folders(path.parent), (*self.trail, path))
            size = writer.write(root)
            name = whole.files.add(f"{path.stem}.xml", "\n".join(writer.lines).encode())
            whole.submodels[path] = (name, root.attributes.get("model", ""), size)
        name, model, size = whole.submodels[path]
        self.sizes.append((element.attributes.get("name", model), size))
        return name


def _flat(attributes: dict[str, str]) -> dict[str, str]:
    """A height field's mass is that of its box, whatever its heights: four of them do."""
    return {name: value for name, value in attributes.items() if name in ("name", "size")} | {"nrow": "2", "ncol": "2"}


def _check_finite(element: Element) -> None:
    """Infinity is accepted only in ranges, where it means that there is no limit."""
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
