"""Robots made in code."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

MADE = (
    Case("a link twice", 'b.link("upper")', sd.ModelError, "robot 'mine' has a link or frame 'upper' already"),
    Case("a link without a name", 'b.link("")', sd.ModelError, "a link needs a name, got ''"),
    Case(
        "an unknown parent",
        'b.link("hand", parent="uper")',
        sd.ModelError,
        "link 'hand': unknown link 'uper'. Did you mean 'upper'",
    ),
    Case(
        "an unknown kind of joint",
        'b.link("hand", joint="hinge")',
        sd.ModelError,
        "joint 'hand_joint': unknown joint kind 'hinge'. Known: 'revolute', 'continuous'",
    ),
    Case(
        "an axis without direction",
        'b.link("hand", axis=(0, 0, 0))',
        sd.ModelError,
        "joint 'hand_joint' has axis .*; an axis must be finite and not zero",
    ),
    Case(
        "a misspelt figure",
        'b.link("hand", dampng=1.0)',
        sd.ArgumentError,
        "joint 'hand_joint': unknown figure 'dampng'. Did you mean 'damping'",
    ),
    Case(
        "negative damping",
        'b.link("hand", damping=-1.0)',
        sd.ModelError,
        r"joint 'hand_joint' has damping -1\.0; it must be zero or more",
    ),
    Case(
        "a limit of zero",
        'b.link("hand", effort=0.0)',
        sd.ModelError,
        r"joint 'hand_joint' has effort 0\.0; a limit must be positive: leave it out where there is none",
    ),
    Case(
        "a figure that is a word",
        'b.link("hand", damping="much")',
        sd.ModelError,
        "joint 'hand_joint' has damping 'much'; expected numbers",
    ),
    Case(
        "too many figures",
        'b.link("hand", joint="planar", armature=(1.0, 2.0))',
        sd.ModelError,
        "joint 'hand_joint' has 2 values of armature; expected 3",
    ),
    Case(
        "a spring that rests at NaN",
        'b.link("hand", stiffness=1.0, rest=np.nan)',
        sd.ModelError,
        "joint 'hand_joint' has rest nan; it must be finite",
    ),
    Case(
        "limits the wrong way round",
        'b.link("hand", lower=1.0, upper=-1.0)',
        sd.ModelError,
        r"has limits lower=1\.0, upper=-1\.0; lower must not exceed upper",
    ),
    Case(
        "a body that is a number",
        'b.link("hand", 3.0)',
        sd.ModelError,
        "link 'hand': body must be a Body, got float",
    ),
    Case(
        "a pose of two numbers",
        'b.link("hand", origin=(1, 2))',
        sd.ModelError,
        r"joint 'hand_joint': origin must be a 4x4 homogeneous matrix, got shape \(2,\)",
    ),
    Case(
        "a mimic joint by name alone",
        'b.link("hand", mimic="upper_joint")',
        sd.ModelError,
        r"mimic must be a Mimic\(leader, multiplier, offset\), got 'upper_joint'",
    ),
    Case(
        "a frame in an unknown link",
        'b.frame("tip", "uper")',
        sd.ModelError,
        "frame 'tip': unknown link 'uper'. Did you mean 'upper'",
    ),
    Case("a robot without links", 'sd.build(sd.Builder("nothing"))', sd.ModelError, "robot 'nothing' has no links"),
    Case(
        "a free root on a hinge",
        'sd.build(b, root="free")',
        sd.ModelError,
        "hangs on the ground by joints 'upper_joint'; root=\"free\" needs a loose root link",
    ),
    Case("a mass of NaN", "sd.Body(np.nan)", sd.ModelError, "a body's mass must be a finite number, zero or more"),
    Case(
        "points without places",
        "sd.Body.point_masses([1.0, 2.0], [(0, 0, 0)])",
        sd.ModelError,
        r"point_masses needs masses \(n,\) and positions \(n, 3\), got shapes \(2,\) and \(1, 3\)",
    ),
    Case(
        "a chain of half a link",
        "sd.chain(2.5)",
        sd.ArgumentError,
        r"a chain needs a whole number of links, one or more, got 2\.5",
    ),
    Case(
        "a chain of negative length",
        "sd.chain(2, length=-1)",
        sd.ModelError,
        "a chain's link length must be a finite number, more than zero",
    ),
    Case(
        "a DH row of three numbers",
        "sd.from_dh([(0, 0, 0)])",
        sd.ModelError,
        r"DH row 1 must be \(a, alpha, d, theta\)",
    ),
    Case(
        "a DH row with NaN",
        "sd.from_dh([(0, 0, 0, 0), (0, 0, np.nan, 0)])",
        sd.ModelError,
        r"DH row 2: d must be a finite number \(m or rad\), got nan",
    ),
    Case(
        "a misspelt DH entry",
        'sd.from_dh([{"alfa": 1.57}])',
        sd.ModelError,
        "DH row 1: unknown entry 'alfa'. Did you mean 'alpha'",
    ),
    Case(
        "a DH table without a body for each row",
        "sd.from_dh([(0, 0, 0, 0)], bodies=[])",
        sd.ModelError,
        "a DH table of 1 rows needs as many bodies, got 0",
    ),
    Case(
        "a table that floats without a body to float on",
        'sd.from_dh([(0.5, 0, 0, 0)], root="free")',
        sd.ArgumentError,
        r'from_dh\(root="free"\) needs the body of the root link; give base_body=sd\.Body\(\.\.\.\)',
    ),
    Case(
        "a DH convention that is not there",
        'sd.from_dh([(0, 0, 0, 0)], convention="craig")',
        sd.ArgumentError,
        'convention is "standard" or "modified", got \'craig\'',
    ),
    Case(
        "a base that is no pose",
        "sd.from_dh([(0, 0, 0, 0)], base=[[1, 2], [3]])",
        sd.ModelError,
        r"base",
    ),
)
