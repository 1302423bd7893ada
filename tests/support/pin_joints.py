"""Our joints as Pinocchio's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from soadyn.model.model import Joint


def pin_joint(joint: Joint) -> Any:
    """The joint model, about the joint's axis where it has one."""
    axis = np.array(joint.axis)
    match joint.kind:
        case "revolute":
            return pin.JointModelRevoluteUnaligned(axis)
        case "continuous":
            return pin.JointModelRUBZ()
        case "prismatic":
            return pin.JointModelPrismaticUnaligned(axis)
        case "helical":
            return pin.JointModelHelicalUnaligned(axis, joint.pitch)
        case "cylindrical":
            both = pin.JointModelComposite(pin.JointModelRevoluteUnaligned(axis))
            both.addJoint(pin.JointModelPrismaticUnaligned(axis))
            return both
        case "planar":
            return pin.JointModelPlanar()
        case "spherical":
            return pin.JointModelSpherical()
        case "free":
            return pin.JointModelFreeFlyer()
    raise AssertionError(joint.kind)
