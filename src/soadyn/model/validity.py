"""Is an inertia one that a real body can have?"""

from __future__ import annotations

from typing import Any

import numpy as np

# Files print about six digits; a defect below this share of the largest moment is rounding, not an impossible body.
TOLERANCE = 1e-5


def impossible_inertia(inertia: Any) -> str | None:
    """Why no body can have this moment of inertia about its mass centre; None if one can.

    No principal moment may be negative, nor exceed the sum of the other two. Moments without mass are let pass: files
    write rotors that way.

    >>> impossible_inertia(np.diag([0.25, 0.25, 1.69]))
    'principal moments 0.25, 0.25, 1.69 kg m^2 break the triangle inequality (0.25 + 0.25 < 1.69)'
    """
    a, b, c = np.linalg.eigvalsh(np.asarray(inertia, dtype=float))
    moments = f"principal moments {a:.4g}, {b:.4g}, {c:.4g} kg m^2"
    if a < -TOLERANCE * abs(c) or c < 0:
        return f"{moments} are not all positive"
    if a + b < c * (1 - TOLERANCE):
        return f"{moments} break the triangle inequality ({a:.4g} + {b:.4g} < {c:.4g})"
    return None
