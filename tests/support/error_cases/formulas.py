"""Formulas; docs/misuse.md has many more."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

FORMULAS = (
    Case("spaces that do not fit", "H @ psi.T", sd.SpaceError, r"H takes a link force, but psi\.T gives a link motion"),
    Case(
        "a sum of different spaces",
        "phi + M",
        sd.SpaceError,
        "phi maps link force to link force, but M maps link motion",
    ),
    Case("an array in a formula", "np.eye(12) @ phi", sd.SpaceError, "ndarray is neither a formula nor a plain number"),
    Case("a number beyond doubles", 'float("inf") * phi', sd.SpaceError, "finite and within the range of doubles"),
    Case("a formula as a condition", "bool(phi)", sd.SpaceError, "neither true nor false"),
    Case("a text whose spaces do not fit", 'formula("H @ phi @ M @ phi @ H.T")', sd.SpaceError, r"is phi\.T meant"),
    Case("an unknown symbol in a text", 'formula("H @ pih @ M")', sd.FormulaError, "unknown operator or vector 'pih'"),
    Case("an identity without a space", 'formula("I - phi")', sd.FormulaError, "of which space is I"),
    Case(
        "a bracket that is never closed", 'formula("H @ (phi + psi")', sd.FormulaError, "this bracket is never closed"
    ),
    Case("a sign that is missing", 'formula("H phi M")', sd.FormulaError, "a sign is missing before 'phi'"),
    Case("a bare star for an adjoint", 'formula("φ* @ H")', sd.FormulaError, r"the adjoint is written \.T or \^\*"),
    Case("a character without a meaning", 'formula("phi.dense()")', sd.FormulaError, "'.' has no meaning in a formula"),
    Case("a number alone", 'formula("2")', sd.FormulaError, "a number alone is no formula"),
    Case("no text at all", 'formula("")', sd.FormulaError, "got an empty one"),
    Case(
        "a text without end", 'formula("phi + " * 1000)', sd.FormulaError, "at most 4000 characters, this one has 6000"
    ),
    Case(
        "brackets without end",
        'formula("(" * 1000 + "phi" + ")" * 1000)',
        sd.FormulaError,
        "brackets lie in brackets at most 50 deep",
    ),
    Case("a name that is taken", 'operator("phi", H @ phi)', sd.SpaceError, "one of the papers' symbols already"),
    Case("a name that is no word", 'vector("my load", "joint force")', sd.SpaceError, "a word of ASCII letters"),
    Case("a name with a meaning", 'operator("inv", H @ phi)', sd.SpaceError, "cannot be called 'inv'"),
    Case(
        "a space that is not there", 'vector("x", "joint torque")', sd.SpaceError, "no space is called 'joint torque'"
    ),
    Case("a vector for an operator", 'operator("F", T)', sd.SpaceError, "use sd.vector"),
    Case("an array of a strange shape", 'operator("F", np.zeros((2, 3)))', sd.SpaceError, r"got one of shape \(2, 3\)"),
)
