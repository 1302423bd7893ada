"""C text: identifiers, numbers, comments, and what files begin and end with."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal, final, get_args

import numpy as np

from soadyn.engine.precision import Precision
from soadyn.errors import ArgumentError

RealName = Literal["double", "float"]

# Of C, and of C++, which reads the header.
_KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof and asm bitand bitor bool catch class compl constexpr decltype delete explicit export false friend
mutable namespace new noexcept not nullptr operator or private protected public static_assert template this
thread_local throw true try typeid typename using virtual wchar_t xor
"""
# What exported files use themselves.
_OWN = (
    "w i ok status NAN MULTIPLY_ADD MULTIPLY_ADD_DOUBLE isfinite fabs fma fmaf "
    "sin cos sqrt log sinf cosf sqrtf logf main"
)
TAKEN = frozenset(f"{_KEYWORDS} {_OWN}".split())


@final
@dataclass(frozen=True, slots=True)
class Real:
    """The type of the numbers: its name in C, and what literals and functions of <math.h> end in."""

    name: RealName

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in get_args(RealName):
            raise ArgumentError(f'real must be "double" or "float", got {self.name!r}')

    @property
    def suffix(self) -> str:
        return "" if self.name == "double" else "f"

    @property
    def precision(self) -> Precision:
        return "float64" if self.name == "double" else "float32"

    @property
    def bytes(self) -> int:
        return np.dtype(self.precision).itemsize

    @property
    def eps(self) -> float:
        return float(np.finfo(self.precision).eps)

    def literal(self, x: float) -> str:
        """The shortest text that reads as the same number."""
        with np.errstate(over="ignore"):
            rounded = np.dtype(self.precision).type(x)
        if not np.isfinite(rounded):
            raise ArgumentError(f"a constant of the robot, {x:g}, does not fit into a C {self.name}")
        return f"{rounded!s}{self.suffix}"


def free_name(name: str, taken: Container[str], ending: str) -> str:
    """The name, with the ending behind it as often as it takes to be another than those taken.

    >>> free_name("force", ["force", "force_out"], "_out")
    'force_out_out'
    """
    while name in taken:
        name += ending
    return name


def identifier(text: str, prefix: str = "robot") -> str:
    """A valid C identifier that resembles a text."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    if not name or name[0].isdigit():
        name = f"{prefix}_{name}".rstrip("_")
    return name + "_" if _is_taken(name) else name


def function_name(chosen: str | None, usual: str) -> str:
    """The name somebody chose, if C takes it; without one the usual name."""
    return identifier(usual) if chosen is None else _checked_identifier(chosen)


def _checked_identifier(name: str) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or _is_taken(name):
        raise ArgumentError(
            f"name {name!r} cannot name a C function: letters, digits and _ can, a letter first, and no word of C"
        )
    return name


def _is_taken(name: str) -> bool:
    return name in TAKEN or re.fullmatch(r"(x|unused)[0-9]+", name) is not None


def comment(lines: Iterable[str]) -> str:
    """A block comment. Names from files cannot end it, nor make compilers warn of what it holds."""
    text = []
    for line in lines:
        shown = "".join(c if c.isprintable() else " " for c in line).replace("\\", "|").replace("??", "? ?")
        text.append(f" * {shown.replace('*/', '* /').replace('/*', '/ *')}".rstrip())
    return "\n".join(["/*", *text, " */"])


def header_text(file: str, comments: str, prototype: str) -> str:
    """The header, for C and C++."""
    guard = identifier(file, prefix="header").upper()
    c_only = ("#ifdef __cplusplus", 'extern "C" {', "#endif"), ("#ifdef __cplusplus", "}", "#endif")
    opened, closed = ("\n".join(lines) for lines in c_only)
    return f"{comments}\n\n#ifndef {guard}\n#define {guard}\n\n{opened}\n\n{prototype};\n\n{closed}\n\n#endif\n"


def definitions(real: Real) -> str:
    """What the source begins with: no fast mathematics, no contractions but those written out."""
    lines = [
        "#ifdef __FAST_MATH__",
        '#error "-ffast-math would remove the checks for NaN and change the rounding"',
        "#endif",
        "#if defined(__clang__) || !defined(__GNUC__) /* for gcc: -ffp-contract=off, which -std=c99 implies */",
        "#pragma STDC FP_CONTRACT OFF",
        "#endif",
        "/* a * b + c, rounded once where the processor can */",
    ]
    for name, kind in (("MULTIPLY_ADD_DOUBLE", Real("double")), ("MULTIPLY_ADD", real)):
        lines += [
            f"#ifdef FP_FAST_FMA{kind.suffix.upper()}",
            f"#define {name}(a, b, c) fma{kind.suffix}((a), (b), (c))",
            "#else",
            f"#define {name}(a, b, c) ((a) * (b) + (c))",
            "#endif",
        ]
    return "\n".join(lines)
