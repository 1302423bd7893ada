"""Sine and cosine as polynomials on [-pi/4, pi/4] after Cody-Waite reduction: their coefficients."""

from __future__ import annotations

# pi/2 in parts of 33 bits, so that k * part is exact for |k| < 2**20 (W. J. Cody, W. Waite, 1980; values of fdlibm).
PARTS = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
TWO_OVER_PI = 6.36619772367581382433e-01
MAGIC = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to the nearest integer, left in the low bits
LARGE = 2.0**18

# Minimax coefficients of fdlibm's kernel sine and cosine (Sun Microsystems, 1993), in z = x^2 from the highest power:
# sin x = x + x z SINE(z), cos x = COSINE(z).
SINE = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
    -1.66666666666666324348e-01,
)
COSINE = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
    -0.5,
    1.0,
)
