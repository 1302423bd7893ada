"""Docstrings as Markdown: paragraphs, lists of arguments, equations, examples."""

from __future__ import annotations

import re

ARGUMENT = re.compile(r"^(?!Equation:)([A-Za-z_*][\w*]*(?:, [A-Za-z_*][\w*]*)*): (.*)$")
COLUMN = re.compile(r"^([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) {2,}(\S.*)$")
CODE = re.compile(r"(`[^`]*`)")


def from_docstring(text: str) -> str:
    """The whole docstring, blocks in their order."""
    return "\n\n".join(_block(block) for block in _blocks(text.splitlines()))


def escaped(text: str) -> str:
    """Plain words, in which stars, brackets and dollars mean themselves; what stands in backticks is left alone."""
    parts = CODE.split(text)
    return "".join(part if index % 2 else re.sub(r"([*_<>$\[\]|])", r"\\\1", part) for index, part in enumerate(parts))


def _blocks(lines: list[str]) -> list[list[str]]:
    """Runs of lines between blank ones; an example ends where prose begins again."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        starts = line.startswith(">>> ") and blocks[-1] and not blocks[-1][0].startswith(">>> ")
        if not line.strip() or starts:
            blocks.append([])
        if line.strip():
            blocks[-1].append(line)
    return [block for block in blocks if block]


def _block(lines: list[str]) -> str:
    if lines[0].startswith(">>> "):
        return "```python\n" + "\n".join(lines) + "\n```"
    if lines[0].startswith("    "):
        return "```text\n" + "\n".join(line[4:] for line in lines) + "\n```"
    if lines[0].rstrip() == "Arguments:":
        return "**Arguments**\n\n" + _arguments([line[4:] for line in lines[1:]])
    if ARGUMENT.match(lines[0]) and all(ARGUMENT.match(line) or line.startswith("  ") for line in lines):
        return _arguments(lines)
    if COLUMN.match(lines[0]) and all(COLUMN.match(line) or line.startswith("  ") for line in lines):
        return _arguments([COLUMN.sub(r"\1: \2", line) for line in lines])
    return escaped(" ".join(line.strip() for line in lines))


def _arguments(lines: list[str]) -> str:
    items: list[str] = []
    for line in lines:
        named = ARGUMENT.match(line)
        if named and not line.startswith(" "):
            items.append(f"* `{named[1]}`: {escaped(named[2])}")
        elif items:
            items[-1] += " " + escaped(line.strip())
        else:
            items.append(f"* {escaped(line.strip())}")
    return "\n".join(items)
