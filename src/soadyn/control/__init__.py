"""Control: feedbacks for joints, frames and the mass centre; demands and plans of robots with passive joints.

>>> import soadyn as sd
>>> flyer = sd.load("free_flyer")
>>> sd.control.Demands(flyer, "tool", hold="attitude").names[:2]
('tool: turn about x', 'tool: turn about y')
"""

from soadyn.control import functions
from soadyn.control.base_control import BaseControl
from soadyn.control.course import Course
from soadyn.control.decoupled import DecoupledControl
from soadyn.control.demands import Demands
from soadyn.control.execution import Execution, execute
from soadyn.control.formula_feedback import FormulaFeedback
from soadyn.control.impedance import Impedance
from soadyn.control.joint_feedbacks import ComputedTorque, JointFeedback
from soadyn.control.least_disturbance import plan_least_disturbance
from soadyn.control.least_squares import Solution, solve_demands
from soadyn.control.momenta import link_momenta, relative_momentum_drift
from soadyn.control.operational_space import OperationalSpace
from soadyn.control.plan import Plan, ReachError
from soadyn.control.pose_feedback import PoseFeedback
from soadyn.control.rate_feedback import RateFeedback
from soadyn.control.rates import resolved_acceleration, resolved_rate, zero_momentum_rates
from soadyn.control.reaching import plan_naive, plan_reach
from soadyn.control.reaction_mode import ReactionMode
from soadyn.control.resolved import ResolvedAcceleration, ResolvedRate
from soadyn.control.singularity_maps import Singularity, WorkspaceMap, singularity, workspace_map
from soadyn.control.tracking import CourseTracking
from soadyn.simulation.drive.feedback import Feedback
from soadyn.spatial import pose_error

__all__ = [
    "BaseControl",
    "ComputedTorque",
    "Course",
    "CourseTracking",
    "DecoupledControl",
    "Demands",
    "Execution",
    "Feedback",
    "FormulaFeedback",
    "Impedance",
    "JointFeedback",
    "OperationalSpace",
    "Plan",
    "PoseFeedback",
    "RateFeedback",
    "ReachError",
    "ReactionMode",
    "ResolvedAcceleration",
    "ResolvedRate",
    "Singularity",
    "Solution",
    "WorkspaceMap",
    "execute",
    "functions",
    "link_momenta",
    "plan_least_disturbance",
    "plan_naive",
    "plan_reach",
    "pose_error",
    "relative_momentum_drift",
    "resolved_acceleration",
    "resolved_rate",
    "singularity",
    "solve_demands",
    "workspace_map",
    "zero_momentum_rates",
]
