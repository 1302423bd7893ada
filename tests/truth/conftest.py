"""What the tests of truth share."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["numpy", "auto"])
def backend(request: pytest.FixtureRequest) -> str:
    """The reference, and what a user gets."""
    return str(request.param)
