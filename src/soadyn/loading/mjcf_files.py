"""The files an MJCF model reads, looked at before MuJoCo opens any of them.

MuJoCo follows every path, anywhere on the disk. Here each <include>, sub-model, mesh, texture, height field and skin
must lie in the model's folder or in a folder the caller names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from soadyn.errors import ModelError
from soadyn.loading.document import Element, parse
from soadyn.loading.paths import SCHEME, escape, inside
from soadyn.loading.source import Source, file_source
from soadyn.loading.values import text

MAX_FILES = 10_000


def checked_documents(document: Element, source: Source, roots: tuple[Path, ...]) -> list[Element]:
    """The model's XML documents (its own, included ones, sub-models); a path that leaves the folders is refused."""
    if source.path is None or source.directory is None:
        _refuse_files(document)
        return [document]
    allowed = (source.directory, *(root.absolute() for root in roots))
    documents: list[Element] = []
    seen = {source.path.absolute()}
    models = [(document, source.directory)]
    while models:
        main, folder = models.pop()
        parts = list(_with_includes(main, folder, allowed, seen))
        documents += parts
        for element, uri, path in _assets(parts, folder):
            if not inside(path, allowed):
                raise escape(uri, allowed, element.where)
            if element.tag == "model" and path not in seen and path.is_file():
                seen.add(path)
                models.append((parse(file_source(path)), path.parent))
    return documents


def _refuse_files(document: Element) -> None:
    for element in document.walk():
        for uri in _references(element):
            raise ModelError(
                f"{element.where}: {element} refers to the file {uri!r}, but XML given as text has no folder; "
                "load it from a file"
            )


def _with_includes(main: Element, folder: Path, allowed: tuple[Path, ...], seen: set[Path]) -> Iterator[Element]:
    """The document and all it includes. Paths are relative to the main file; the including one's folder counts too."""
    waiting = [(main, folder)]
    while waiting:
        document, own = waiting.pop()
        yield document
        for element in document.walk():
            if element.tag != "include":
                continue
            uri = text(element, "file")
            for path in dict.fromkeys(_join(base, uri, element.where) for base in (folder, own)):
                if not inside(path, allowed):
                    raise escape(uri, allowed, element.where)
                if path not in seen and path.is_file():
                    seen.add(path)
                    if len(seen) > MAX_FILES:
                        raise ModelError(f"{element.where}: the model has more than {MAX_FILES} files")
                    waiting.append((parse(file_source(path)), path.parent))


def _assets(documents: list[Element], folder: Path) -> Iterator[tuple[Element, str, Path]]:
    """Every file reference but <include>: element, as written, where MuJoCo will look."""
    elements = [element for document in documents for element in document.walk()]
    compilers = [element for element in elements if element.tag == "compiler"]
    strip = bool(compilers) and {c.attributes.get("strippath") for c in compilers} == {"true"}
    for element in elements:
        if element.tag == "include":
            continue
        for uri in _references(element):
            name = PurePosixPath(uri.replace("\\", "/")).name if strip else uri
            for directory in _directories(element, compilers):
                yield element, uri, _join(_join(folder, directory, element.where), name, element.where)


def _directories(element: Element, compilers: Iterable[Element]) -> list[str]:
    """Where files of that element are looked for, relative to the model: any <compiler> may have said."""
    if element.tag == "model":
        return ["."]  # sub-models lie beside the main file, whatever the folders of assets
    own = ("texturedir" if element.tag == "texture" else "meshdir", "assetdir")
    said = [compiler.attributes[name] for compiler in compilers for name in own if name in compiler.attributes]
    return said or ["."]


def _references(element: Element) -> list[str]:
    """The files an element names: `file`, and a texture's `fileright`, `fileup`, ..."""
    return [value for name, value in element.attributes.items() if name.startswith("file") and value]


def _join(folder: Path, uri: str, where: str) -> Path:
    """A path as MuJoCo reads it: backslashes separate too."""
    if SCHEME.match(uri):
        raise ModelError(f"{where}: {uri!r} is not a plain path; MJCF files are refused that read from elsewhere")
    return folder / uri.replace("\\", "/")
