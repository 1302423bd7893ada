"""When two bodies are the same."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from soadyn.model.bodies import Body


def assert_same_body(a: Body, b: Body, rtol: float = 1e-12) -> None:
    size = max(abs(np.array(a.inertia)).max(), a.mass, 1e-300)
    assert_allclose(a.mass, b.mass, rtol=rtol)
    assert_allclose(a.com, b.com, atol=rtol)
    assert_allclose(a.inertia, b.inertia, atol=rtol * size)
