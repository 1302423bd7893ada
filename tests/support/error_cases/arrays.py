"""Arrays as arguments, and rows that have no answer."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

# Arrays

TWO = "the 2 coordinates of robot 'planar_two_link'"
ARRAYS = (
    Case("too few coordinates", "arm.mass_matrix([0.0])", sd.ShapeError, rf"'q' has shape \(1,\); expected .*{TWO}"),
    Case("a single number", "arm.mass_matrix(0.0)", sd.ShapeError, r"'q' has shape \(\); expected \(\.\.\., 2\)"),
    Case(
        "velocities of another robot",
        "arm.bias_force(q, np.zeros(6))",
        sd.ShapeError,
        r"'v' has shape \(6,\); expected \(\.\.\., 2\), one number for each of the 2 joint rates",
    ),
    Case("texts", 'arm.mass_matrix(["a", "b"])', sd.ShapeError, "'q' has dtype <U1; expected numbers"),
    Case("booleans", "arm.mass_matrix([True, False])", sd.ShapeError, "'q' has dtype bool; expected numbers"),
    Case(
        "nothing",
        "arm.mass_matrix(None)",
        sd.ShapeError,
        r"'q' holds None, which is no number; expected numbers \(\.\.\., 2\), the 2 coordinates",
    ),
    Case("a dict", 'arm.mass_matrix({"joint1": 0.0})', sd.ShapeError, "'q' holds {'joint1': 0.0}, which is no number"),
    Case(
        "dates",
        'arm.mass_matrix(np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"))',
        sd.ShapeError,
        r"dtype datetime64\[D\]; expected numbers",
    ),
    Case(
        "a ragged list",
        "arm.mass_matrix([[0.0, 0.0], [0.0]])",
        sd.ShapeError,
        r"'q' is ragged; expected numbers \(\.\.\., 2\)",
    ),
    Case(
        "a masked entry",
        "arm.mass_matrix(np.ma.array(q, mask=[True, False]))",
        sd.ShapeError,
        r"'q' has masked entries; expected numbers \(\.\.\., 2\)",
    ),
    Case(
        "an integer that is no float",
        "arm.mass_matrix([10**400, 0])",
        sd.ShapeError,
        "'q' holds an integer of 1329 bits, which is too large for a float",
    ),
    Case(
        "a null space of complex coordinates",
        'arm.reaction_null_space(q + 0j, ["joint1"])',
        sd.ShapeError,
        "reaction_null_space takes real coordinates, got complex ones",
    ),
    Case(
        "batches that do not broadcast",
        "arm.inverse_dynamics(q, np.zeros((3, 2)), np.zeros((4, 2)))",
        sd.ShapeError,
        r"batch axes do not broadcast: v \(3,\), a \(4,\)",
    ),
    Case(
        "a state whose batches do not broadcast",
        "arm.at(np.zeros((3, 2)), np.zeros((4, 2)))",
        sd.ShapeError,
        r"batch axes do not broadcast: q \(3,\), v \(4,\)",
    ),
    Case(
        "wrenches for too many links",
        "arm.inverse_dynamics(q, v, a, external=np.zeros((3, 6)))",
        sd.ShapeError,
        r"'external' has shape \(3, 6\); expected \(\.\.\., 2, 6\), a wrench \[moment; force\] for each of the 2 links",
    ),
    Case(
        "a wrench of five numbers",
        'arm.inverse_dynamics(q, v, a, external={"tool": np.zeros(5)})',
        sd.ShapeError,
        r"external\['tool'\]\" has shape \(5,\); expected \(\.\.\., 6\)",
    ),
    Case(
        "wrenches whose batches do not broadcast",
        'arm.inverse_dynamics(q, v, a, external={"tool": np.zeros((3, 6)), "link1": np.zeros((4, 6))})',
        sd.ShapeError,
        r"batch axes do not broadcast: external\['tool'\] \(3,\), external\['link1'\] \(4,\)",
    ),
    Case(
        "a step that does not fit",
        "arm.integrate(q, [0.1])",
        sd.ShapeError,
        r"'dv' has shape \(1,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "a difference of unlike configurations",
        "arm.difference(q, np.zeros(3))",
        sd.ShapeError,
        r"'q1' has shape \(3,\); expected \(\.\.\., 2\)",
    ),
)

# Rows without an answer

ROWS = (
    Case(
        "NaN in a batch, told to raise",
        'with sd.errstate("raise"):\n    arm.gravity_force([[0.0, 0.0], [0.0, np.nan]])',
        sd.SingularError,
        "gravity_force: row 1:? argument 'q' is not finite",
    ),
    Case(
        "a quaternion of zeros, told to raise",
        'with sd.errstate("raise"):\n    flyer.mass_matrix(np.zeros((2, 17)))',
        sd.SingularError,
        "mass_matrix: row 0:? the quaternion of joint 'root' vanishes or overflows",
    ),
    Case(
        "a link without inertia, told to raise",
        'with sd.errstate("raise"):\n    weak.forward_dynamics(q, v, tau)',
        sd.SingularError,
        "D is singular at link 'hand': with all beyond it, it has no inertia along joint 'hand_joint'",
    ),
    Case(
        "another way to take bad rows",
        'with sd.errstate("silent"):\n    pass',
        sd.ArgumentError,
        'errstate takes "warn", "raise" or "ignore", got \'silent\'',
    ),
)
