"""From rows of states in memory to vectors of lanes and back, as LLVM text.

A state's numbers lie side by side in a row; a vector holds the same number of several states. Blocks of rows are
loaded whole and transposed in registers, which takes log2(lanes) shuffles for each vector.
"""

from __future__ import annotations

from collections.abc import Sequence

from soadyn.engine.native.llvm.writer import Writer


def gathered(writer: Writer, bases: Sequence[str], numbers: range) -> list[str]:
    """The vectors of numbers that stand at these places, which follow each other, of each lane's row."""
    lanes = writer.vectors.lanes
    vectors: list[str] = []
    for start in numbers[::lanes]:
        width = min(lanes, numbers.stop - start)
        rows = [_row(writer, base, start, width) for base in bases]
        vectors += transposed(writer, rows)[:width]
    return vectors


def scattered(writer: Writer, bases: Sequence[str], start: int, vectors: Sequence[str]) -> None:
    """Writes vectors, no more than there are lanes, into each lane's row from the number `start` on."""
    v, width = writer.vectors, len(vectors)
    for base, row in zip(bases, transposed(writer, [*vectors] + ["poison"] * (v.lanes - width)), strict=True):
        part = _shuffle(writer, row, "poison", v.real, range(width))
        writer.store(part, writer.at(base, start, v.scalar), kind=f"<{width} x {v.scalar}>", align=v.size)


def _row(writer: Writer, base: str, start: int, width: int) -> str:
    """A part of a row as a full vector; lanes beyond the part are undefined."""
    lanes, scalar = writer.vectors.lanes, writer.vectors.scalar
    row, offset = "", 0
    while offset < width:  # loads of powers of two, the largest first: 6 numbers are 4 and 2
        size = 1 << ((width - offset).bit_length() - 1)
        narrow = f"<{size} x {scalar}>"
        part = writer.load(writer.at(base, start + offset, scalar), kind=narrow, align=writer.vectors.size)
        if size == lanes:
            return part
        wide = _shuffle(writer, part, "poison", narrow, [i if i < size else -1 for i in range(lanes)])
        take = [lanes + i - offset if offset <= i < offset + size else i for i in range(lanes)]
        row = _shuffle(writer, row, wide, writer.vectors.real, take) if row else wide
        offset += size
    return row


def transposed(writer: Writer, rows: Sequence[str]) -> list[str]:
    """Rows and columns of square blocks exchanged: of one with as many rows as lanes, or of several side by side."""
    lanes, T = writer.vectors.lanes, writer.vectors.real
    block = list(rows)
    distance = 1
    while distance < len(block):
        turned = list(block)
        for i in range(len(block)):
            if i & distance:
                continue
            a, b = block[i], block[i + distance]
            if a == b == "poison":
                continue
            low = [c if not c & distance else lanes + c - distance for c in range(lanes)]
            high = [c + distance if not c & distance else lanes + c for c in range(lanes)]
            turned[i] = _shuffle(writer, a, b, T, low)
            turned[i + distance] = _shuffle(writer, a, b, T, high)
        block, distance = turned, distance * 2
    return block


def _shuffle(writer: Writer, a: str, b: str, kind: str, take: Sequence[int]) -> str:
    mask = ", ".join("i32 poison" if i < 0 else f"i32 {i}" for i in take)
    return writer.set(f"shufflevector {kind} {a}, {kind} {b}, <{len(take)} x i32> <{mask}>")
