"""The mass matrix of a robot at a configuration, as an object: applied, inverted and factored by sweeps."""

from soadyn.robot.mass.mass_matrix import MassMatrix

__all__ = ["MassMatrix"]
