"""Random formulas are the same in every run, and a busy machine is no failure."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("formulas", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("formulas")
