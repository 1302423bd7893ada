"""Formulas; docs/reference/misuse.md has many more."""

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
    Case("an identity without a space", 'formula("inv(I)")', sd.FormulaError, "of which space is I"),
    Case(
        "a bracket that is never closed", 'formula("H @ (phi + psi")', sd.FormulaError, "this bracket is never closed"
    ),
    Case(
        "a bracket that was never opened", 'formula("H @ phi) @ M")', sd.FormulaError, "this bracket was never opened"
    ),
    Case("a bracket in the wrong place", 'formula("H (@ phi)")', sd.FormulaError, "this bracket opens before '@'"),
    Case("brackets around nothing", 'formula("inv()")', sd.FormulaError, "between these brackets there is nothing"),
    Case("a bracket that closes too late", 'formula("inv(mass @ T)")', sd.SpaceError, "is the bracket misplaced"),
    Case(
        "brackets that are not round", 'formula("H @ [phi + psi]")', sd.FormulaError, "brackets of a formula are round"
    ),
    Case("a sign that is missing", 'formula("H 2")', sd.FormulaError, "a sign is missing before '2'"),
    Case("a letter that is another here", 'formula("H r")', sd.FormulaError, "the papers' r is R"),
    Case("a number and an identity", 'formula("1 + I")', sd.FormulaError, "does not stand between I and a number"),
    Case("a star in front of a factor", 'formula("φ*H")', sd.SpaceError, "an adjoint before a factor is written"),
    Case("a star without an operator", 'formula("2* @ H")', sd.FormulaError, r"the adjoint is written \.T or \^\*"),
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
    Case("the name of the state", 'vector("v", "joint force")', sd.SpaceError, "calls have the state under that name"),
    Case(
        "inverses in inverses without end",
        "x = phi\nfor _ in range(60):\n    x = inv(phi + x)",
        sd.SpaceError,
        "a formula nests at most 100 deep",
    ),
    Case(
        "abbreviations that double without end",
        'x = phi\nfor _ in range(20):\n    x = operator("x", x @ x)',
        sd.SpaceError,
        "at most 100,000 symbols",
    ),
    Case(
        "a space that is not there", 'vector("x", "joint torque")', sd.SpaceError, "no space is called 'joint torque'"
    ),
    Case("a vector for an operator", 'operator("F", T)', sd.SpaceError, "use sd.vector"),
    Case(
        "one space instead of two",
        'operator("F", [1.0, 2.0], maps="joint motion")',
        sd.SpaceError,
        r"maps=\(from, to\), got 'joint motion'",
    ),
    Case("an array of complex numbers", 'operator("F", [1j, 2.0])', sd.SpaceError, "an array of real numbers"),
    Case(
        "an array with masked numbers",
        'operator("F", np.ma.masked_array([1.0, 2.0], [True, False]))',
        sd.SpaceError,
        "partly masked",
    ),
    Case("an array of a strange shape", 'operator("F", np.zeros((2, 3)))', sd.SpaceError, r"got one of shape \(2, 3\)"),
    Case(
        "a formula without a recursion",
        "sd.compile(inv(phi + psi), arm)",
        sd.SpaceError,
        r"no recursion over the links is known for inv\(phi \+ psi\)",
    ),
    Case(
        "an inverse that cancels, of what has none",
        'sd.compile(formula("inv(E_phi) @ E_phi @ b"), arm)',
        sd.SpaceError,
        r"inv\(E_phi\) in .* cancels, but no random arm has it",
    ),
    Case(
        "an inverse that is kept as it is written",
        "sd.compile(inv(mass) @ T, arm, as_written=True)",
        sd.SpaceError,
        "as_written=True keeps inverses",
    ),
    Case(
        "the whole and the passive arm in one formula",
        'sd.compile(psi @ M @ phi.T @ H.T @ inv(mass) @ T, arm, passive=["joint1"])',
        sd.SpaceError,
        r"inv\(mass\) is the inverse for all joints",
    ),
    Case(
        "an operator made of vectors",
        "sd.compile(T @ theta_dot.T, arm)",
        sd.ArgumentError,
        r"made of vectors \(T, theta_dot\)",
    ),
    Case(
        "two vectors of one name",
        'sd.compile(vector("x", "joint force") - mass @ vector("x", "joint motion"), arm)',
        sd.ArgumentError,
        "two vectors of the formula are called 'x'",
    ),
    Case(
        "a text for the vectors that are given",
        'sd.compile(mass, arm, given="ab")',
        sd.ArgumentError,
        "given takes a list of names",
    ),
    Case(
        "an array without axes for the vectors that are given",
        'sd.compile(mass, arm, given=np.array("a"))',
        sd.ArgumentError,
        "given takes a list of names, got array",
    ),
    Case(
        "an array without axes for frames",
        'sd.compile(B.T @ V, arm, frames=np.array("tool"))',
        sd.ArgumentError,
        "frames takes a list of frames, got array",
    ),
    Case(
        "an array without axes for formulas",
        "sd.compile(np.array(3.0), arm)",
        sd.ArgumentError,
        "compile takes a formula or a list of formulas, got ndarray",
    ),
    Case(
        "an inverse that does not exist",
        'sd.compile(inv(B.T @ Omega @ B), arm, frames=["tool"])(q) @ np.ones(6)',
        sd.SingularError,
        "the matrix is singular",
    ),
    Case(
        "a vector with the name of a parameter",
        'sd.compile(T - vector("gravity", "joint force"), arm.parametric("gravity"))',
        sd.ArgumentError,
        "the vector 'gravity' has the name of the robot's parameter",
    ),
    Case(
        "a formula of joints that are not named passive",
        "from soadyn.algebra import I_passive\nsd.compile(I_passive, arm)",
        sd.ArgumentError,
        "speaks of active and passive joints: name the passive joints",
    ),
    Case("the rate of a vector that has none", "rate(inv(mass) @ T)", sd.SpaceError, "no rate is known of T"),
    Case(
        "the pose of a frame that does not move",
        'sd.compile(H @ phi @ B @ L_Y.T @ vector("x", "pose force"), arm, frames=["ground"])',
        sd.ArgumentError,
        "the pose .* of a frame that is fixed in the ground",
    ),
    Case(
        "weights that are not those of a pose",
        'W = operator("W", [1.0, 2.0], maps=("pose motion", "pose force"))\n'
        'sd.compile(H @ phi @ B @ L_Y.T @ W @ Y, arm, frames=["tool"])(q)',
        sd.ShapeError,
        "operator 'W' has 2 numbers; the frames' poses have 12",
    ),
    Case("the rate of a number", "rate(2.0)", sd.SpaceError, "rate takes a formula, got float"),
    Case(
        "a derivative by what is not the joints",
        'sd.diff(mass @ theta_dot, "q")',
        sd.SpaceError,
        r'formulas are differentiated by the joints, diff\(x, "theta"\), got \'q\'',
    ),
    Case(
        "the derivative of an operator by all joints",
        'sd.diff(mass, "theta")',
        sd.SpaceError,
        r"diff takes a vector or a number, got an operator \(joint motion -> joint force\); apply it to a vector",
    ),
    Case(
        "the derivative of a formula that holds the displacement itself",
        'sd.diff(mass @ sd.algebra.d_theta, "theta")',
        sd.SpaceError,
        "diff takes a formula without d_theta, .* got mass @ d_theta; write vector",
    ),
    Case(
        "a joint that is no name",
        "sensitivity(mass, 3)",
        sd.SpaceError,
        r"a joint is given by its name, or by \(name, component\) counted from 0, got 3",
    ),
    Case(
        "a joint whose name has quotes",
        "lambda_of('the \"elbow\"')",
        sd.SpaceError,
        "a formula cannot name the joint",
    ),
    Case(
        "a sensitivity to a joint that is not there",
        'sd.compile(sensitivity(mass, "elbow"), arm)(q).dense()',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot",
    ),
    Case(
        "a sensitivity to a joint with several components",
        'flyer = sd.load("free_flyer")\nsd.compile(sensitivity(mass, "root"), flyer)(flyer.neutral()).dense()',
        sd.ArgumentError,
        "joint 'root' has 6 components: name one",
    ),
    Case(
        "a component that a joint has not",
        'sd.compile(sensitivity(mass, ("joint1", 1)), arm)(q).dense()',
        sd.ArgumentError,
        "joint 'joint1' has 1 components, counted from 0; got 1",
    ),
    Case(
        "the inertia rate of a passive arm",
        'sd.compile(lambda_dot @ V, arm, passive=["joint1"])',
        sd.SpaceError,
        "a passive set and lambda_dot of the whole arm",
    ),
    Case(
        "a function of joints that is not there",
        "formula('kappa_of(\"elbow\")')",
        sd.FormulaError,
        "unknown function of a joint 'kappa_of'",
    ),
    Case(
        "an option that is neither on nor off", 'sd.compile(mass, arm, dense="yes")', sd.ArgumentError, "True or False"
    ),
)
