"""What robot files describe and robots here do without. `docs/guides/robots.md` has the same table."""

from __future__ import annotations

from soadyn.loading.document import Element
from soadyn.model.draft import LeftOut, LeftOutKind

LONGEST = 80  # characters of a file's own words in a note
ONE_LINE = {ord("\n"): r"\n", ord("\t"): r"\t"}

OPENED = LeftOutKind(
    "closure",
    "closures",
    "loops and couplings, with `closures=False`",
    "closures=False was asked for; it is open",
    moves=False,
    matters=False,
)
LOOP_JOINT = LeftOutKind(
    "loop joint",
    "loop joints",
    "`<loop_joint>` without `<link1>`, `<link2>`; `<joint>` in `<gazebo>`",
    "the loop that it closes is open",
)
GAZEBO = LeftOutKind(
    "Gazebo setting of the dynamics",
    "Gazebo settings of the dynamics",
    "in `<gazebo>`: `<springStiffness>`, `<springReference>`, `<dampingFactor>`, `<turnGravityOff>`, `<gravity>`, "
    "`<kinematic>`, `<static>`, `<velocity_decay>`, `<enable_wind>`",
    "only what the links and joints themselves say is read",
)
TRANSMISSION = LeftOutKind(
    "transmission",
    "transmissions",
    "`<transmission>`",
    "forces act at the joints, without its reduction, couplings and rotor inertia",
    moves=False,
)
SAFETY = LeftOutKind(
    "safety controller",
    "safety controllers",
    "`<safety_controller>`",
    "no soft limits; the joint has those of its <limit>",
    moves=False,
)
UNKNOWN = LeftOutKind(
    "unknown element",
    "unknown elements",
    "any other element in `<robot>`, `<link>`, `<inertial>`, `<joint>`, `<loop>`, `<coupling>`",
    "it is not an element of URDF and is not read",
    moves=False,
)
UNKNOWN_ATTRIBUTE = LeftOutKind(
    "unknown attribute",
    "unknown attributes",
    "any other attribute of `<dynamics>`, `<limit>`, `<mimic>`, `<axis>`, `<origin>`, `<mass>`, `<inertia>`",
    "it is not an attribute of URDF and is not read",
    moves=False,
)
CALIBRATION = LeftOutKind(
    "calibration",
    "calibrations",
    "`<calibration>`",
    "joint positions count from the joint's own zero",
    moves=False,
    matters=False,
)
URDF_KINDS = (LOOP_JOINT, GAZEBO, TRANSMISSION, SAFETY, UNKNOWN, UNKNOWN_ATTRIBUTE, CALIBRATION)

EQUALITY = LeftOutKind(
    "equality constraint",
    "equality constraints",
    "in `<equality>`: what holds spatial tendons or flexes, or two tendons of several joints by more than a line",
    "what it holds together moves freely",
)
TENDON = LeftOutKind(
    "tendon",
    "tendons",
    "what `<tendon>` holds",
    "its forces, limits, friction and armature (which adds to the mass matrix in MuJoCo) are not there",
)
ACTUATOR = LeftOutKind(
    "actuator",
    "actuators",
    "what `<actuator>` holds",
    "forces act at the joints; of its figures only armature and damping of its motor are added to a joint's",
)
DEFORMABLE = LeftOutKind("deformable body", "deformable bodies", "`<flex>`, `<flexcomp>`", "it is rigid or not there")
PAIR = LeftOutKind("contact pair", "contact pairs", "`<pair>`", "nothing touches")
COMPENSATED = LeftOutKind(
    "body with gravity compensation", "bodies with gravity compensation", "`gravcomp` of a `<body>`", "it is heavy"
)
MOCAP = LeftOutKind("mocap body", "mocap bodies", '`mocap="true"` of a `<body>`', "it is fixed to the ground")
PLUGIN = LeftOutKind("plugin", "plugins", "`<plugin>`", "it does nothing")
FLUID = LeftOutKind(
    "fluid around the robot",
    "fluids around the robot",
    "`density`, `viscosity` of `<option>`",
    "nothing resists motion but the joints",
)
FLAG = LeftOutKind(
    "flag",
    "flags",
    "`<flag>`: `spring`, `damper`, `frictionloss` disabled",
    "springs, dampers and friction of the joints act",
)
BALL_LIMIT = LeftOutKind("limit of a ball joint", "limits of ball joints", "`range` of a ball joint", "it turns freely")
POLYNOMIAL = LeftOutKind(
    "nonlinear spring or damper",
    "nonlinear springs and dampers",
    "more than one number in `stiffness`, `damping`",
    "only the linear part is read",
)
MJCF_KINDS = (
    EQUALITY,
    TENDON,
    ACTUATOR,
    DEFORMABLE,
    PAIR,
    COMPENSATED,
    MOCAP,
    PLUGIN,
    FLUID,
    FLAG,
    BALL_LIMIT,
    POLYNOMIAL,
)


def left_out(kind: LeftOutKind, element: Element, more: str = "") -> LeftOut:
    """An element that is left out; `more` says whose it is."""
    return LeftOut(kind, f"{element!s:.{LONGEST}}{more:.{LONGEST}}".translate(ONE_LINE), element.where)
