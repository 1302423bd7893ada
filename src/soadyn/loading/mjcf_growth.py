"""How many elements an MJCF model has once MuJoCo has carried out its <replicate>, <attach> and <flexcomp>."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import final

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.loading.values import text

MAX_GROWN = 100_000
WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
DEFAULT_FLEX_COUNT = "10 10 10"


def grown(model: Element, submodels: Mapping[str, int]) -> int:
    """The number of elements after growth; more than MAX_GROWN are refused at the element that makes them.

    `submodels` are the grown sizes of the models that may be attached, by the name <attach> uses.
    """
    count = _Count(submodels)
    waiting: list[Element | None] = [model]  # None closes the element opened last
    while waiting:
        element = waiting.pop()
        if element is None:
            count.close()
        else:
            count.open(element)
            waiting += [None, *reversed(element.children)]
    return count.total


def check_size(element: Element, size: int) -> int:
    """The size, unless it is too large."""
    if size > MAX_GROWN:
        raise ModelError(f"{element.where}: {element} makes {size} elements; more than {MAX_GROWN} are refused")
    return size


@final
@dataclass(slots=True)
class _Count:
    """Sizes of the elements that are open, outermost first, and of the named bodies and frames that are closed."""

    submodels: Mapping[str, int]
    total: int = 0
    elements: list[Element] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    closed: dict[str, int] = field(default_factory=dict)

    def open(self, element: Element) -> None:
        made = self._made(element)
        self.elements.append(element)
        self.sizes.append(1 + made)

    def close(self) -> None:
        element, size = self.elements.pop(), self.sizes.pop()
        if element.tag == "replicate":
            size = (size - 1) * max(_whole(element, text(element, "count")), 1)
        check_size(element, size)
        if element.tag in ("body", "frame"):
            self.closed[element.attributes.get("name", "")] = size
        if self.sizes:
            self.sizes[-1] += size
        else:
            self.total = size

    def _made(self, element: Element) -> int:
        """What an element adds to itself and its children."""
        said = element.attributes
        match element.tag:
            case "attach" if "model" in said:
                return self.submodels.get(said["model"], 0)
            case "attach":
                return self._attached(said.get("body", said.get("frame", "")))
            case "flexcomp":
                counts = said.get("count", DEFAULT_FLEX_COUNT).split()
                return prod(max(_whole(element, word), 1) for word in counts)
        return 0

    def _attached(self, name: str) -> int:
        """A part of the same model; one that is still open is copied as far as it has been read."""
        for element, size in zip(self.elements, self.sizes, strict=True):
            if element.attributes.get("name") == name:
                return size
        return self.closed.get(name, 0)


def _whole(element: Element, word: str) -> int:
    if not WHOLE.fullmatch(word.strip()):
        raise ModelError(f'{element.where}: {element} has count "{word[:40]}"; expected a whole number')
    return int(word)
