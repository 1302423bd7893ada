"""Examples of public things whose docstring holds none: from what makes them, or from the page of errors."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soadyn.algebra import Expression

ERRORS = Path(__file__).resolve().parents[1] / "reference" / "errors.md"
ROW = r"^\| .*?<br>(`.*`) \| \*\*{error}\*\*: (.*) \|$"


def example_of(name: str, thing: Any) -> str:
    """An operator as the prompt shows it, a case of an error, or the example of what makes, is or shows the thing."""
    module, _, short = name.rpartition(".")
    if isinstance(thing, Expression):
        return f">>> from soadyn.algebra import {short}\n>>> {short}\n{thing!r}"
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return _case(short)
    public = [x for x in vars(sys.modules[module]).values() if inspect.isfunction(x) or inspect.isclass(x)]
    return next(_examples(public, thing, short), "")


def _case(error: str) -> str:
    """The shortest case of the page of errors that ends with this error, as the prompt shows it."""
    found = re.findall(ROW.format(error=error), ERRORS.read_text(encoding="utf-8"), re.MULTILINE)
    cases = ["\n".join([*_prompts(code), f"{error}: {_meant(words)}"]) for code, words in found]
    return min(cases, key=len, default="")


def _prompts(code: str) -> list[str]:
    lines = [line.strip("`").replace("\\|", "|") for line in code.split("<br>")]
    return [f"{'...' if line.startswith(' ') else '>>>'} {line}" for line in lines]


def _meant(words: str) -> str:
    """Words without the signs that tell Markdown to take the next one as it is."""
    return re.sub(r"\\(.)", r"\1", words)


def _examples(public: list[Any], thing: Any, name: str) -> Iterator[str]:
    """Examples of functions that return a class, of classes derived from it, and of those that show its attribute."""
    found = [(x, text[text.index(">>> ") :]) for x in public if ">>> " in (text := inspect.getdoc(x) or "")]
    yield from (text for x, text in found if getattr(x, "__annotations__", {}).get("return") == name)
    yield from (text for x, text in found if inspect.isclass(x) and inspect.isclass(thing) and issubclass(x, thing))
    yield from (text for x, text in found if f".{name.lower()}" in text)
