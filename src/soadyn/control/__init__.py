"""Control: feedbacks for joints, frames and the mass centre; demands and plans of robots with passive joints.

Feedbacks have no memory and know no limits but what `sd.simulate` cuts; there are no inequalities and no contacts.

>>> import soadyn as sd
>>> flyer = sd.load("free_flyer")
>>> sd.control.Demands(flyer, "tool", hold="attitude").names[:2]
('tool: turn about x', 'tool: turn about y')
"""

from soadyn.control import functions
from soadyn.control.feedback.decoupled import DecoupledControl
from soadyn.control.feedback.formula_feedback import FormulaFeedback
from soadyn.control.feedback.impedance import Impedance
from soadyn.control.feedback.joint_feedbacks import ComputedTorque, JointFeedback
from soadyn.control.feedback.operational_space import OperationalSpace
from soadyn.control.feedback.pose_feedback import PoseFeedback
from soadyn.control.feedback.rate_feedback import RateFeedback
from soadyn.control.feedback.reaction_mode import ReactionMode
from soadyn.control.feedback.resolved import ResolvedAcceleration, ResolvedRate
from soadyn.control.planning.base_control import BaseControl
from soadyn.control.planning.demands import Demands
from soadyn.control.planning.execution import Execution, execute
from soadyn.control.planning.least_disturbance import plan_least_disturbance
from soadyn.control.planning.least_squares import Solution, solve_demands
from soadyn.control.planning.momenta import link_momenta, relative_momentum_drift, zero_momentum_rates
from soadyn.control.planning.plan import Plan, ReachError
from soadyn.control.planning.reaching import plan_reach
from soadyn.control.planning.singularity_maps import Singularity, WorkspaceMap, measure_singularity, workspace_map
from soadyn.simulation.drive.feedback import Feedback
from soadyn.spatial import pose_error

__all__ = [
    "BaseControl",
    "ComputedTorque",
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
    "measure_singularity",
    "plan_least_disturbance",
    "plan_reach",
    "pose_error",
    "relative_momentum_drift",
    "solve_demands",
    "workspace_map",
    "zero_momentum_rates",
]
