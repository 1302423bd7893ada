"""XML as a light tree of elements that know their line. DOCTYPE is refused, so no entity can ever grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final
from xml.parsers import expat

from soadyn.errors import ModelError
from soadyn.loading.source import TEXT, Source

MAX_DEPTH = 500  # MuJoCo's own reader stops here too
MAX_ELEMENTS = 1_000_000
MAX_TAG_BYTES = 4 * 2**20  # one tag or comment; keeps a tag of a million attributes out of memory
CHUNK = 2**16


@final
@dataclass(slots=True, eq=False)
class Element:
    """One XML element. `where` is "file:line", the start of every message about it.

    `text` is what stands between its tags, kept for SDF alone: URDF and MJCF say all in attributes.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    def all(self, tag: str) -> list[Element]:
        """The children with that tag, in order."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> Element | None:
        """The one child with that tag, or None; two are refused because one would be ignored."""
        found = self.all(tag)
        if len(found) > 1:
            raise ModelError(f"{found[1].where}: {self} has {len(found)} <{tag}> elements; expected at most one")
        return found[0] if found else None

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def __str__(self) -> str:
        name = self.attributes.get("name")
        return f"<{self.tag}>" if name is None else f'<{self.tag} name="{name}">'


def parse(source: Source) -> Element:
    """The root element of an XML document."""
    reader = _DocumentReader(source.name)
    for start in range(0, len(source.data), CHUNK):
        end = start + CHUNK
        reader.feed(source.data[start:end], fed=min(end, len(source.data)), last=end >= len(source.data))
    assert reader.root is not None  # expat accepts no document without a root element
    return reader.root


@final
class _DocumentReader:
    """Builds the tree from expat's events."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Element | None = None
        self.open: list[Element] = []
        self.texts: list[list[str]] = []  # of the open elements, in pieces as they come
        self.count = 0
        # Text given as a str is passed on as UTF-8, whatever its declaration says.
        self.parser = expat.ParserCreate("utf-8" if file == TEXT else None)
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype

    def feed(self, chunk: bytes, fed: int, last: bool) -> None:
        try:
            self.parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise self.malformed(error) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, ModelError):
                raise
            raise ModelError(f"{self.file}:1: the file's encoding cannot be read: {error}; save it as UTF-8") from None
        if fed - self.parser.CurrentByteIndex > MAX_TAG_BYTES:
            raise self.refused(f"a tag or comment is longer than {MAX_TAG_BYTES // 2**20} MB")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.file, self.parser.CurrentLineNumber)
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise self.refused(f"the file has more than {MAX_ELEMENTS} elements")
        if len(self.open) >= MAX_DEPTH:
            raise self.refused(f"elements are nested more than {MAX_DEPTH} deep")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
            if tag == "sdf":
                self.parser.CharacterDataHandler = self.characters
        self.open.append(element)
        self.texts.append([])

    def characters(self, piece: str) -> None:
        self.texts[-1].append(piece)

    def end(self, tag: str) -> None:
        self.open.pop().text = "".join(self.texts.pop()).strip()

    def doctype(self, *_: object) -> None:
        raise self.refused("the file has a DOCTYPE, through which entities could blow up; remove it")

    def refused(self, reason: str) -> ModelError:
        return ModelError(f"{self.file}:{self.parser.CurrentLineNumber}: {reason}")

    def malformed(self, error: expat.ExpatError) -> ModelError:
        reason = expat.ErrorString(error.code)
        where = f"{self.file}:{error.lineno}"
        if not self.root:
            return ModelError(f"{where}: this is not XML ({reason}); expected a URDF, SDF or MJCF file")
        inside = self.open[-1] if self.open else self.root
        if reason in ("no element found", "unclosed token", "unclosed CDATA section", "partial character"):
            return ModelError(
                f"{where}: the file ends inside {inside}, opened at line {inside.line}; it seems truncated"
            )
        place = f"inside {inside} opened at line {inside.line}" if self.open else f"after the end of {inside}"
        return ModelError(f"{where}: not well-formed XML, {reason}, {place}")
