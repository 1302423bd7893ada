"""Which inertial parameters the joint forces depend on."""

from soadyn.robot.identification.base_parameters import BaseParameters

__all__ = ["BaseParameters"]
