"""Paths of a robot, and motions along them: lines, splines and Cartesian curves; time scalings within limits.

Motions begin and end at rest, and nothing is planned round obstacles.

>>> import numpy as np, soadyn as sd
>>> arm = sd.load("ur5")
>>> path = sd.paths.spline(arm, [[0.0] * 6, [0.5, -1.0, 0.8, 0.2, 0.1, 0.0], [1.0, -0.5, 0.4, 0.0, 0.5, 0.3]])
>>> motion = sd.paths.time_optimal(path, acceleration_limit=5.0)
>>> motion.at(0.5 * motion.duration).q.shape, bool(abs(motion.v[-1]).max() < 1e-9)
((6,), True)
"""

from soadyn.paths.cartesian import arc, cartesian_line, through_poses
from soadyn.paths.frame_motion import FrameMotion
from soadyn.paths.joint_paths import Path, line, spline
from soadyn.paths.motion import Motion
from soadyn.paths.optimal_timing import time_optimal
from soadyn.paths.scaling import jerk_limited, quintic, trapezoidal

__all__ = [
    "FrameMotion",
    "Motion",
    "Path",
    "arc",
    "cartesian_line",
    "jerk_limited",
    "line",
    "quintic",
    "spline",
    "through_poses",
    "time_optimal",
    "trapezoidal",
]
