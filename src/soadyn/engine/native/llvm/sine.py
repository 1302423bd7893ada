"""Sine and cosine as LLVM text: polynomials on [-pi/4, pi/4] after Cody-Waite reduction, any finite argument.

Arguments beyond LARGE are rare; they take a slow path, lane by lane, through the C library's sin and cos, which
reduce exactly. Single precision is computed in double and rounded. A lane's bits do not depend on the other lanes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from soadyn.engine.native.llvm.vectors import Vectors
from soadyn.engine.tracing.sine_coefficients import COSINE, LARGE, MAGIC, PARTS, SINE, TWO_OVER_PI

if TYPE_CHECKING:
    from soadyn.engine.native.llvm.writer import Writer


def sines_and_cosines(to: Writer, angles: list[str], vectors: Vectors) -> list[tuple[str, str]]:
    """Registers of sine and cosine of each angle, for doubles.

    If any lane of any angle is large, one branch replaces the results in all such lanes.
    """
    D, B = vectors.real, vectors.mask
    fast = [_reduced(to, x, vectors) for x in angles]
    # The largest angle decides; which lanes of which angles are large is found out only where it matters.
    largest, *sizes = (_size(to, x, vectors) for x in angles)
    for size in sizes:
        more = to.set(f"fcmp ogt {D} {size}, {largest}")
        largest = to.set(f"select {B} {more}, {D} {size}, {D} {largest}")
    some = to.set(f"call i1 @llvm.vector.reduce.or.v{vectors.lanes}i1({B} {_is_large(to, largest, vectors)})")

    def slow() -> list[str]:
        found = []
        for x, (s, c) in zip(angles, fast, strict=True):
            mask = _is_large(to, _size(to, x, vectors), vectors)
            to.store(s, "%sine", kind=D)
            to.store(c, "%cosine", kind=D)
            to.line(f"call void @sincos_large.{vectors.lanes}({D} {x}, {B} {mask}, ptr %sine, ptr %cosine)")
            found += [to.load("%sine", kind=D), to.load("%cosine", kind=D)]
        return found

    found = to.replaced(some, D, [x for pair in fast for x in pair], slow)
    return list(zip(found[::2], found[1::2], strict=True))


def allocations(vectors: Vectors) -> list[str]:
    """Memory for the branch that large angles take."""
    return [f"  %{name} = alloca {vectors.real}, align 64" for name in ("sine", "cosine")]


def _size(to: Writer, x: str, vectors: Vectors) -> str:
    return to.set(f"call {vectors.real} @llvm.fabs.{vectors.suffix}({vectors.real} {x})")


def _is_large(to: Writer, size: str, vectors: Vectors) -> str:
    return to.set(f"fcmp ogt {vectors.real} {size}, {vectors.splat(LARGE)}")


def _reduced(to: Writer, x: str, vectors: Vectors) -> tuple[str, str]:
    """Registers of sine and cosine, for doubles that are not large."""
    D, I, B, c, i = vectors.real, vectors.integer, vectors.mask, vectors.splat, vectors.splat_integer
    put = to.set
    # k = the nearest integer to 2 x / pi, r = x - k pi/2; the products with the first two parts are exact
    t = to.fma(x, c(TWO_OVER_PI), c(MAGIC), vectors)
    k = put(f"fsub {D} {t}, {c(MAGIC)}")
    r = x
    for part in PARTS:
        r = to.fma(k, c(-part), r, vectors)
    z = put(f"fmul {D} {r}, {r}")
    # sin r = r + r z S(z),    cos r = C(z)
    S, cosine = (_polynomial(to, z, coefficients, vectors) for coefficients in (SINE, COSINE))
    sine = to.fma(put(f"fmul {D} {r}, {z}"), S, r, vectors)
    # In odd quadrants sine and cosine change places; bit 1 of k, or of k + 1, is the sign.
    quadrant = put(f"bitcast {D} {t} to {I}")
    odd = put(f"icmp ne {I} {put(f'and {I} {quadrant}, {i(1)}')}, {i(0)}")
    results = []
    for even, other, turn in ((sine, cosine, 0), (cosine, sine, 1)):
        chosen = put(f"select {B} {odd}, {D} {other}, {D} {even}")
        counted = put(f"add {I} {quadrant}, {i(turn)}")
        sign = put(f"and {I} {put(f'shl {I} {counted}, {i(62)}')}, {i(-(2**63))}")
        bits = put(f"xor {I} {put(f'bitcast {D} {chosen} to {I}')}, {sign}")
        results.append(put(f"bitcast {I} {bits} to {D}"))
    return results[0], results[1]


def _polynomial(to: Writer, z: str, coefficients: tuple[float, ...], vectors: Vectors) -> str:
    value = vectors.splat(coefficients[0])
    for coefficient in coefficients[1:]:
        value = to.fma(z, value, vectors.splat(coefficient), vectors)
    return value


def declarations(to: Writer) -> list[str]:
    """What the text of `sines_and_cosines` refers to; `to` is new, for doubles."""
    D, B, lanes = to.vectors.real, to.vectors.mask, to.vectors.lanes

    def exactly(lane: int) -> None:
        x = to.set(f"extractelement {D} %x, i32 {lane}")
        for function in ("sin", "cos"):
            to.store(to.set(f"call double @{function}(double {x})"), f"%to_{function}", lane, "double")

    # Replaces sine and cosine, in memory, in the lanes whose argument is large.
    for lane in range(lanes):
        to.when(to.set(f"extractelement {B} %large, i32 {lane}"), partial(exactly, lane))
    return [
        "declare double @sin(double)",
        "declare double @cos(double)",
        f"declare {D} @llvm.fabs.{to.vectors.suffix}({D})",
        f"declare i1 @llvm.vector.reduce.or.v{lanes}i1({B})",
        to.function(f"@sincos_large.{lanes}", f"{D} %x, {B} %large, ptr %to_sin, ptr %to_cos", attributes=1),
    ]
