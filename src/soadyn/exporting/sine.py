"""Sine and cosine in C, with the same operations as in the kernels and therefore the same bits."""

from __future__ import annotations

from soadyn.engine.tracing.sine_coefficients import COSINE, LARGE, MAGIC, PARTS, SINE, TWO_OVER_PI
from soadyn.exporting.c_text import Real

TEXT = """/* Polynomials on [-pi/4, pi/4] after Cody-Waite reduction, coefficients of fdlibm (Sun Microsystems, 1993);
 * beyond |x| = {large} the functions of <math.h>. */
static void {prefix}_sine_and_cosine({real} angle, {real} *sine, {real} *cosine)
{{
    const double x = (double)angle;
    double t, k, r, s, c, z;
    unsigned int quadrant;
    if (!(fabs(x) <= {large})) {{
        *sine = ({real})sin(x);
        *cosine = ({real})cos(x);
        return;
    }}
    t = MULTIPLY_ADD_DOUBLE(x, {two_over_pi}, {magic});
    k = t - {magic};
    r = x;
{reduction}
    z = r * r;
    s = {sine_first};
{sine_rest}
    s = MULTIPLY_ADD_DOUBLE(r * z, s, r);
    c = {cosine_first};
{cosine_rest}
    quadrant = (unsigned int)(long)k & 3u;
    if (quadrant & 1u) {{
        const double other = s;
        s = c;
        c = other;
    }}
    *sine = ({real})(quadrant & 2u ? -s : s);
    *cosine = ({real})((quadrant + 1u) & 2u ? -c : c);
}}"""


def sine_and_cosine(prefix: str, real: Real) -> str:
    """The text of a static function; single precision is computed in double and rounded."""
    first = {"sine_first": repr(SINE[0]), "cosine_first": repr(COSINE[0])}
    return TEXT.format(
        prefix=prefix,
        real=real.name,
        large=LARGE,
        magic=repr(MAGIC),
        two_over_pi=repr(TWO_OVER_PI),
        reduction="\n".join(f"    r = MULTIPLY_ADD_DOUBLE(k, {-part!r}, r);" for part in PARTS),
        sine_rest=_horner("s", SINE),
        cosine_rest=_horner("c", COSINE),
        **first,
    )


def _horner(name: str, coefficients: tuple[float, ...]) -> str:
    return "\n".join(f"    {name} = MULTIPLY_ADD_DOUBLE(z, {name}, {x!r});" for x in coefficients[1:])
