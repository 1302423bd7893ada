"""Attributes as text and numbers, strictly: what is not a finite number is never let through."""

from __future__ import annotations

import math

import numpy as np

from soadyn.errors import ModelError
from soadyn.loading.document import Element
from soadyn.model.placement import Vector3, vector3

WORDS = {1: "one number", 2: "two numbers", 3: "three numbers", 4: "four numbers", 6: "six numbers", 7: "seven numbers"}


def text(element: Element, attribute: str, owner: str = "") -> str:
    """A required attribute."""
    value = element.attributes.get(attribute)
    if value is None:
        raise ModelError(
            f'{element.where}: {of(element, owner)} has no attribute "{attribute}"{_has(element)}; it is required'
        )
    return value


def child(element: Element, tag: str) -> Element:
    """A required child element."""
    found = element.only(tag)
    if found is None:
        raise ModelError(f"{element.where}: {element} has no <{tag}> element; it is required")
    return found


def number(element: Element, attribute: str, default: float | None = None, owner: str = "") -> float:
    """One finite number; without a default the attribute is required."""
    if default is not None and attribute not in element.attributes:
        return default
    (value,) = numbers(element, attribute, (1,), owner)
    return value


def vector(element: Element, attribute: str, default: Vector3, owner: str = "") -> Vector3:
    """Three finite numbers."""
    return vector3(numbers(element, attribute, (3,), owner)) if attribute in element.attributes else default


def figures(
    element: Element | None, attribute: str, size: int, default: float, owner: str = ""
) -> float | tuple[float, ...]:
    """One number for all components of a joint, or one for each of its `size` components."""
    if element is None or attribute not in element.attributes:
        return default
    values = numbers(element, attribute, (1, size), owner)
    return values[0] if len(values) == 1 else tuple(values)


def quaternion_xyzw(element: Element, attribute: str, owner: str = "") -> np.ndarray:
    """A quaternion x, y, z, w as URDF 1.2 has it, returned as w, x, y, z and not zero."""
    x, y, z, w = numbers(element, attribute, (4,), owner)
    if math.hypot(w, x, y, z) < 1e-9:
        raise ModelError(
            f'{element.where}: {of(element, owner)} has {attribute}="{element.attributes[attribute]}", '
            "which is zero; a quaternion must not be"
        )
    return np.array([w, x, y, z])


def numbers(element: Element, attribute: str, counts: tuple[int, ...], owner: str) -> list[float]:
    """Finite numbers, as many as one of `counts`."""
    value = text(element, attribute, owner)
    return numbers_in(value, counts, f'{element.where}: {of(element, owner)} has {attribute}="{value[:80]}"')


def numbers_in(value: str, counts: tuple[int, ...], found: str) -> list[float]:
    """Finite numbers in a text, as many as one of `counts`; `found` begins the message if they are not."""
    words = value.split()
    if any("${" in word or "$(" in word for word in words):
        raise ModelError(f"{found}, an unexpanded xacro expression; run xacro on the file first")
    values = [_finite(word) for word in words]
    for word, number in zip(words, values, strict=True):
        if number is None:
            raise ModelError(f"{found}; {word[:40]!r} is not a finite number")
    if len(values) not in counts:
        expected = " or ".join(WORDS.get(count, str(count)) for count in dict.fromkeys(counts))
        raise ModelError(f"{found}; expected {expected}, found {len(values)}")
    return [number for number in values if number is not None]


def _finite(word: str) -> float | None:
    """Python's float() also reads 1_000 and digits of other scripts, which no other URDF reader does."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and word.isascii() and "_" not in word else None


def of(element: Element, owner: str) -> str:
    """An element and whose it is."""
    return f"{element} of {owner}" if owner else str(element)


def _has(element: Element) -> str:
    names = ", ".join(list(element.attributes)[:6])
    return f" (it has {names})" if names else ""
