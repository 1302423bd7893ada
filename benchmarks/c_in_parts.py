"""Long functions that CasADi wrote as C, cut into parts: compilers take very long for one of a hundred thousand lines.

CasADi writes a graph as a list of assignments to a0, a1, ..., which it uses again and again. Each part becomes a
function of its own. What one part computes and a later one reads goes through an array: it is stored where it is
computed and loaded where it is first read, so that no part holds more at a time than it needs. Constants are written
anew in each part.
"""

from __future__ import annotations

import re

LONGEST = 20_000  # assignments, up to which a function stays whole: the compiler sees more, and still takes seconds
SIZE = 500  # assignments in a part
NAME = re.compile(r"\ba\d+\b")
NUMBER = re.compile(r"-?[\d.]+(e[-+]?\d+)?;")
OPERATION = re.compile(r"=\(a\d+[-+*/]a\d+\);")
ARGUMENT = re.compile(r"arg\[\d+\]\? (arg\[\d+\]\[\d+\]) : 0;")
WANTED = re.compile(r"if \(res\[\d+\]!=0\) ")
PART = "static __attribute__((noinline)) void part_{}(const casadi_real** arg, casadi_real** res, casadi_real* kept) {{"


def operations(text: str) -> int:
    """Products, quotients, sums and differences in generated C."""
    return len(OPERATION.findall(text))


def in_parts(text: str, longest: int = LONGEST, size: int = SIZE) -> str:
    """Generated C whose function calls its parts one after another, or the same C if it is short."""
    head, signature, body, tail = _taken_apart(text)
    lines = [ARGUMENT.sub(r"\1;", WANTED.sub("", line.strip())) for line in body.splitlines()[1:]]
    if len(lines) <= longest:
        return text
    pieces = [lines[i : i + size] for i in range(0, len(lines), size)]
    constants: dict[str, str] = {}
    parts = [
        _part(number, piece, later, constants)
        for number, (piece, later) in enumerate(zip(pieces, _read_later(pieces), strict=True))
    ]
    count = 1 + max(int(name[1:]) for name in NAME.findall(body))
    calls = [f"  part_{number}(arg, res, kept);" for number in range(len(parts))]
    return "\n".join([head, *parts, f"{signature} {{", f"  casadi_real kept[{count}];", *calls, "  return 0;", tail])


def _taken_apart(text: str) -> tuple[str, str, str, str]:
    """What stands before the function, its first line, its assignments below their declaration, and the rest."""
    found = re.search(r"^static int casadi_f0\(.*?\)(?= \{\n)", text, re.MULTILINE)
    if found is None:
        raise ValueError("this is not C as CasADi writes it")
    body, tail = text[found.end() + 3 :].split("  return 0;\n", 1)
    return text[: found.start()], found[0], body, tail


def _read_later(pieces: list[list[str]]) -> list[set[str]]:
    """For each piece, the names whose values later pieces read."""
    live: set[str] = set()
    found = []
    for piece in reversed(pieces):
        found.append(set(live))
        for line in reversed(piece):
            to, _, value = line.partition("=")
            live.discard(to)
            live.update(NAME.findall(value))
    return found[::-1]


def _part(number: int, piece: list[str], later: set[str], constants: dict[str, str]) -> str:
    """One part; `constants` are the names that hold numbers, before it and then after it."""
    last = {line.partition("=")[0]: i for i, line in enumerate(piece)}
    here: set[str] = set()
    lines: list[str] = []
    for i, line in enumerate(piece):
        to, _, value = line.partition("=")
        for name in NAME.findall(value):
            if name not in here:
                here.add(name)
                lines.append(f"  {name}={constants.get(name, f'kept[{name[1:]}];')}")
        lines.append(f"  {line}")
        if not NAME.fullmatch(to):
            continue
        here.add(to)
        constants.pop(to, None)
        if NUMBER.fullmatch(value):
            constants[to] = value
        elif to in later and last[to] == i:
            lines.append(f"  kept[{to[1:]}]={to};")
    declared = f"  casadi_real {', '.join(sorted(here))};"
    return "\n".join([PART.format(number), declared, *lines, "}"])
