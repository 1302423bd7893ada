"""Derivatives of quantities, of motion and of formulas."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

DERIVATIVES = (
    Case(
        "the derivative of a quantity that does not exist",
        'arm.jvp("mass_matrx", (q,), (q,))',
        sd.UnknownNameError,
        "unknown quantity 'mass_matrx'. Did you mean 'mass_matrix'",
    ),
    Case(
        "too few vectors to differentiate at",
        'arm.vjp("forward_dynamics", (q, q), q)',
        sd.ArgumentError,
        r"forward_dynamics is differentiated at a tuple \(q, v, tau, external\); got 2 values",
    ),
    Case(
        "one array instead of a tuple of them",
        'arm.vjp("mass_matrix", q, np.ones((2, 2)))',
        sd.ArgumentError,
        r"mass_matrix is differentiated at a tuple \(q\); got array\(",
    ),
    Case(
        "a direction of the wrong length",
        'arm.jvp("mass_matrix", (q,), ([1.0, 2.0, 3.0],))',
        sd.ShapeError,
        r"argument 'dq' has shape \(3,\); expected \(\.\.\., 2\), one number for each of the 2 joint rates",
    ),
    Case(
        "a direction that is no number",
        'arm.jvp("mass_matrix", (q,), ([True, False],))',
        sd.ShapeError,
        "argument 'dq' has dtype bool; expected numbers",
    ),
    Case(
        "directions for fewer vectors than there are",
        'arm.jvp("bias_force", (q, q), (q,))',
        sd.ArgumentError,
        r"jvp of bias_force: along has 1 directions; it takes one, or None, for each of \(q, v\)",
    ),
    Case(
        "a direction that is not in a tuple",
        'arm.jvp("mass_matrix", (q,), 1.0)',
        sd.ArgumentError,
        r"jvp of mass_matrix: along takes a tuple, a direction or None for each of \(q\); got 1.0",
    ),
    Case(
        "no direction at all",
        'arm.jvp("mass_matrix", (q,), (None,))',
        sd.ArgumentError,
        "jvp of mass_matrix: no direction is given; all of `along` is None",
    ),
    Case(
        "weights of another shape than the result's",
        'arm.vjp("mass_matrix", (q,), np.ones(2))',
        sd.ShapeError,
        r"argument 'weights' has shape \(2,\); expected \(\.\.\., 2, 2\), one number for each entry",
    ),
    Case(
        "weights for one of several results",
        'arm.vjp("mass_matrix_factors", (q,), np.ones((2, 2)))',
        sd.ArgumentError,
        "vjp of mass_matrix_factors: weights takes a tuple with an array for each of its 2 results",
    ),
    Case(
        "a derivative by what is no vector",
        'arm.jvp("jacobian", (q, "tool"), (q, None))',
        sd.ArgumentError,
        r"jacobian is differentiated at a tuple \(q\); got 2 values",
    ),
    Case(
        "an option that the quantity does not have",
        'arm.jvp("mass_matrix", (q,), (q,), frame="tool")',
        sd.ArgumentError,
        r"mass_matrix has no argument 'frame'; it takes q",
    ),
    Case(
        "a derivative without the frame that is needed",
        'arm.jvp("pose", (q,), (q,))',
        sd.ArgumentError,
        "pose needs frame, by keyword",
    ),
    Case(
        "a derivative at several frames",
        'arm.jvp("operational_inertia_inverse", (q,), (q,), frames=["tool", "link1"])',
        sd.ArgumentError,
        "the derivatives of operational_inertia_inverse take one frame, not a list of them",
    ),
    Case(
        "motion differentiated at one argument",
        'arm.jvp("integrate", (q,), (q,))',
        sd.ArgumentError,
        r"integrate is differentiated at a tuple \(q, dv\); got",
    ),
    Case(
        "motion without a direction",
        'arm.jvp("difference", (q, q), (None, None))',
        sd.ArgumentError,
        r"jvp of difference: no direction is given; all of `along` is None",
    ),
    Case(
        "an option of motion",
        'arm.vjp("integrate", (q, q), q, frame="tool")',
        sd.ArgumentError,
        "integrate has no option 'frame'",
    ),
    Case(
        "a formula differentiated at one of its arguments",
        "sd.compile(inv(mass) @ T, arm).vjp((q,), q)",
        sd.ArgumentError,
        r"f\(q, T\) -> joint motion \(2,\) is differentiated at a tuple \(q, T\); got 1 values",
    ),
    Case(
        "the derivative of an operator that is zero",
        "sd.compile(mass - mass, arm).jvp((q, q), (q, q))",
        sd.ArgumentError,
        r"f\(q\) -> operator 2 x 2 .* does not depend on 'x', so it has no derivatives by it",
    ),
    Case(
        "an exported derivative of an unknown kind",
        'sd.export_c(arm.bias_force, "/robots/arm", derivative="gradient")',
        sd.ArgumentError,
        'export_c: derivative is "jvp", "vjp" or None, got \'gradient\'',
    ),
)
