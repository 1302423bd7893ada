"""Inverse kinematics: configurations in which frames are where, and turned as, they are wanted.

Limits of joints are kept; collisions are not looked at.

>>> import soadyn as sd
>>> arm = sd.load("ur5")
>>> upright = sd.kinematics.Direction([0.0, 0.0, -1.0])
>>> found = arm.inverse_kinematics({"tool0": [sd.kinematics.Position([0.4, 0.2, 0.3]), upright]})
>>> bool(found.success), list(found.errors)
(True, ['tool0 position', 'tool0 direction'])
"""

from soadyn.kinematics.result import IKResult
from soadyn.kinematics.targets import Direction, Orientation, Pose, Position

__all__ = ["Direction", "IKResult", "Orientation", "Pose", "Position"]
