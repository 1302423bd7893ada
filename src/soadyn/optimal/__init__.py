"""Model-based optimisation: linear-quadratic regulators at rest and along motions, and motions of least cost.

Costs are quadratic in the way to one goal and in the forces; bounds are those of the motors; end times are fixed.

>>> import numpy as np, soadyn as sd
>>> arm = sd.load("planar_two_link")  # an Acrobot, if its first joint has no motor
>>> cost = sd.optimal.Cost(arm, [np.pi / 2, 0.0], state_weight=1.0, effort_weight=1.0, passive=["joint1"])
>>> sd.optimal.lqr(cost).K.shape
(1, 4)
"""

from soadyn.optimal.cost import Cost
from soadyn.optimal.ilqr_result import ILQRResult
from soadyn.optimal.ilqr_solver import ilqr
from soadyn.optimal.lqr_along_motions import lqr_along
from soadyn.optimal.regulators import Regulator, lqr
from soadyn.optimal.state_feedback import TrackingFeedback

__all__ = ["Cost", "ILQRResult", "Regulator", "TrackingFeedback", "ilqr", "lqr", "lqr_along"]
