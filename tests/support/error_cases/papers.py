"""Mass matrices as objects, the papers by name, symbols."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case
from urdf_cases import ARM

TIED = {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')}
SAID = '`<mimic joint="shoulder"/>` is added to joint `elbow`.'

OBJECTS = (
    Case(
        "changing a mass matrix",
        "arm.mass(q).q = q",
        AttributeError,
        r"a mass matrix cannot be changed \(setting 'q'\)",
    ),
    Case(
        "a mass matrix times too short a vector",
        "arm.mass(q) @ [1.0]",
        sd.ShapeError,
        r"argument 'x' has shape \(1,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "a block of a joint that is not there",
        'arm.mass(q).block("joint1", "joint3")',
        sd.UnknownNameError,
        "unknown joint 'joint3'",
    ),
    Case(
        "SciPy's operator of a batch",
        "arm.mass([q, q]).linear_operator()",
        sd.ShapeError,
        r"SciPy's operators have no batch axes; this one has \(2,\)",
    ),
    Case(
        "a picture of a batch of matrices",
        "arm.mass([q, q]).plot()",
        sd.ShapeError,
        r"a map shows one matrix, this is a batch of shape \(2,\); choose one q",
    ),
    Case(
        "the mass matrix of tied joints as an object",
        'sd.load("arm.urdf", mimic="tie").mass([0.1])',
        sd.ArgumentError,
        r"has tied mimic joints, .* take mass_matrix\(q\)",
        TIED,
        SAID,
    ),
    Case(
        "a link that the decoupled complement has not",
        'arm.decoupled_complement(q).p("link3")',
        sd.UnknownNameError,
        "unknown link 'link3'",
    ),
    Case(
        "the inertia of a frame that cannot go everywhere",
        'with sd.errstate("raise"):\n    arm.operational_inertia(q, "tool")',
        sd.SingularError,
        "the operational inertia does not exist",
    ),
    Case(
        "a formula that no paper has",
        'sd.papers["001 Algoritm 3"]',
        sd.UnknownNameError,
        "unknown formula of the papers '001 Algoritm 3'",
    ),
    Case(
        "an equation that a paper has not",
        'sd.papers["001 (75)"]',
        sd.UnknownNameError,
        r"unknown formula of the papers '001 \(75\)'",
    ),
    Case(
        "an algorithm without a formula, with frames",
        'sd.compile(sd.papers["001 root by arrays"], arm, frames=["tool"])',
        sd.ArgumentError,
        "001 root by arrays is an algorithm without a formula: it takes no frames",
    ),
    Case(
        "an algorithm without a formula, of a parametric robot",
        'sd.compile(sd.papers["001 root by arrays"], arm.parametric("gravity"))',
        sd.ArgumentError,
        "001 root by arrays is an algorithm without a formula: compile it for a Robot",
    ),
    Case(
        "an algorithm called with too little",
        'sd.compile(sd.papers["001 two sweeps without velocities"], arm)(q)',
        sd.ArgumentError,
        r"001 two sweeps without velocities takes q, v, tau; got 1 values, without v, tau",
    ),
    Case(
        "SymPy's symbols for numbers",
        'import sympy\narm.mass_matrix([sympy.Symbol("x"), 0.0])',
        sd.ShapeError,
        r"argument 'q' holds the SymPy expression x; robot\.symbolic",
        needs="sympy",
    ),
    Case(
        "a symbol of nothing",
        'arm.symbolic("mass_matrix", free=("q", "mases"))',
        sd.UnknownNameError,
        "unknown name for `free` 'mases'",
        needs="sympy",
    ),
    Case(
        "symbols without a frame",
        'arm.symbolic("jacobian")',
        sd.ArgumentError,
        "jacobian needs frame",
        needs="sympy",
    ),
)
