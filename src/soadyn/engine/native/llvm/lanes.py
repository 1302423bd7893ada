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
    rows = transposed(writer, [*vectors] + ["poison"] * (writer.vectors.lanes - len(vectors)))
    for base, row in zip(bases, rows, strict=True):
        _store_row(writer, base, row, start, len(vectors))


def pieces(width: int) -> list[tuple[int, int]]:
    """A width as (offset, size) of powers of two, largest first: 6 is 4 and 2."""
    found, offset = [], 0
    while width:
        size = 1 << (width.bit_length() - 1)
        found.append((offset, size))
        offset, width = offset + size, width - size
    return found


def _row(writer: Writer, base: str, start: int, width: int) -> str:
    """A part of a row as a full vector; lanes beyond the part are undefined."""
    lanes, scalar = writer.vectors.lanes, writer.vectors.scalar
    row = None
    for offset, size in pieces(width):
        narrow = f"<{size} x {scalar}>"
        part = writer.load(writer.at(base, start + offset, scalar), kind=narrow, align=writer.vectors.size)
        if size == lanes:
            return part
        wide = _shuffle(writer, part, "poison", narrow, [i if i < size else -1 for i in range(lanes)])
        if row is None:
            row = wide
        else:
            take = [lanes + i - offset if offset <= i < offset + size else i for i in range(lanes)]
            row = _shuffle(writer, row, wide, writer.vectors.real, take)
    assert row is not None
    return row


def _store_row(writer: Writer, base: str, row: str, start: int, width: int) -> None:
    lanes, scalar, T = writer.vectors.lanes, writer.vectors.scalar, writer.vectors.real
    for offset, size in pieces(width):
        part, kind = row, T
        if size != lanes:
            part = _shuffle(writer, row, "poison", T, list(range(offset, offset + size)))
            kind = f"<{size} x {scalar}>"
        writer.store(part, writer.at(base, start + offset, scalar), kind=kind, align=writer.vectors.size)


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
