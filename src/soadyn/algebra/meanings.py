"""What a symbol means, and how help(phi) prints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from soadyn.algebra.expressions import Expression


@final
@dataclass(frozen=True, slots=True)
class Meaning:
    """What a symbol stands for: how the papers write it, its definition, where it is defined, what it is in physics."""

    latex: str = ""
    definition: str = ""
    reference: str = ""
    physics: str = ""


@final
class SymbolDoc:
    """The `__doc__` of a class of formulas: of the class its own text, of a symbol what the symbol means."""

    def __init__(self, of_class: str) -> None:
        self.of_class = of_class

    def __get__(self, x: Expression | None, owner: type) -> str:
        if x is None:
            return self.of_class
        from soadyn.algebra.writing import description

        return description(x)
