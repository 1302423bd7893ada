"""Which inertial parameters the joint forces depend on."""

from soadyn.identification.base_parameters import BaseParameters

__all__ = ["BaseParameters"]
