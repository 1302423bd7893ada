"""MJCF's vocabulary: what MuJoCo is handed, and what of it is plain enough to be compiled in this process."""

from __future__ import annotations

from pathlib import PurePosixPath

from soadyn.loading.document import Element


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Nothing in these bears on the dynamics of a tree, and some can take gigabytes (textures, keyframes, sensor histories).
# Length ranges of muscles are found by simulation, which can take for ever.
UNUSED_ELEMENTS = _words("camera custom keyframe lengthrange light material sensor size skin statistic texture visual")

# `fusestatic` removes the names of welded bodies; soadyn folds those bodies itself and keeps their names.
UNUSED_ATTRIBUTES = _words("delay discardvisual fusestatic interp material nsample passthrough user")

FOLDER_ATTRIBUTES = _words("assetdir meshdir strippath texturedir")

# Names and references: "nan" and "inf" are fair names.
TEXTS = _words("""
    body body1 body2 childclass class content_type cranksite file flex frame geom geom1 geom2 hfield instance joint
    joint1 joint2 jointinparent key material mesh model name node plugin prefix refsite sep sidesite site site1 site2
    slidersite tendon tendon1 tendon2 value
    """)

# Elements that neither multiply, nor read files, nor call anything but MuJoCo's own arithmetic.
PLAIN_ELEMENTS = _words("""
    actuator adhesion asset body compiler connect contact cylinder damper default equality exclude fixed flag frame
    freejoint general geom hfield inertial intvelocity joint motor muscle mujoco option pair position pulley site
    spatial tendon velocity weld worldbody
    """)
PLAIN_ATTRIBUTES = _words("""
    actearly active actlimited actrange actuation actuatorfrclimited actuatorfrcrange actuatorgravcomp align alignfree
    anchor angle area armature autolimits autoreset axis axisangle balanceinertia bias biasprm biastype body body1 body2
    boundinertia boundmass castshadow ccd_iterations ccd_tolerance childclass clampctrl class coef conaffinity condim
    cone constraint contact contype coordinate cranklength cranksite ctrllimited ctrlrange damper damping dampratio
    density diaginertia diameter divisor dynprm dyntype energy equality euler eulerdamp eulerseq filterparent fluidcoef
    fluidshape force forcelimited forcerange fpmax friction frictionloss fromto fullinertia fvmax fwdinv gain gainprm
    gaintype gap gear geom geom1 geom2 gravcomp gravity group hfield impratio inertiafromgeom inertiagrouprange
    inheritrange integrator invdiscrete island iterations jacobian joint joint1 joint2 jointinparent kp kv lengthrange
    limit limited lmax lmin ls_iterations ls_tolerance magnetic margin mass midphase mocap model multiccd name nativeccd
    ncol noslip_iterations noslip_tolerance nrow o_friction o_margin o_solimp o_solref override polycoef pos priority
    quat range ref refsafe refsite relpose rgba scale sensor shellinertia sidesite site site1 site2 size slidersite
    solimp solimpfriction solimplimit solmix solref solreffriction solreflimit solver spring springdamper springlength
    springref stiffness tausmooth tendon tendon1 tendon2 timeconst timestep tolerance torquescale type viscosity vmax
    warmstart width wind xyaxes zaxis
    """)


def asset_name(element: Element) -> str | None:
    """The name of a mesh or height field; one that has none is called after its file."""
    if file := element.attributes.get("file"):
        return element.attributes.get("name", PurePosixPath(file.replace("\\", "/")).stem)
    return element.attributes.get("name")
