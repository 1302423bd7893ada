"""Bad input, one row per kind: what is wrong, the code that provokes it, the error and its words.

`docs/make_errors.py` prints the rows, `test_error_page.py` provokes each and holds the printed page to them.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

import soadyn as sd
from soadyn import algebra
from soadyn.algebra.defining import operator, vector
from soadyn.loading import meshes
from soadyn.simulation import two_sweeps
from urdf_cases import ARM, CHANGES, IMPOSSIBLE

FOLDER = "/robots"  # what the temporary folder is called on the page


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One kind of bad input. `files` lie in the folder where the code runs; a number is a file of so many empty MB."""

    about: str
    code: str
    error: type[Exception]
    words: str
    files: Mapping[str, str | bytes | int] = field(default_factory=dict)
    given: str = ""  # how the page tells of the files
    needs: str = ""  # a package that must be installed

    @property
    def runs(self) -> bool:
        return not self.needs or importlib.util.find_spec(self.needs) is not None


def provoked(case: Case) -> Exception:
    """The error that a case raises; an AssertionError if it raises none."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in case.files.items():
            _write(Path(name), content)
        with np.errstate(all="ignore"):  # errors are shown here, not NumPy's warnings
            try:
                exec(compile(case.code, case.about, "exec"), _surroundings())
            except Exception as error:
                return error
    raise AssertionError(f"{case.about}: {case.code!r} raised nothing")


def message(error: Exception) -> str:
    """The error's words, with temporary folders called alike on every machine."""
    return re.sub(re.escape(os.path.realpath(tempfile.gettempdir())) + r"/tmp[a-z0-9_]+", FOLDER, str(error))


def _write(path: Path, content: str | bytes | int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, int):
        with open(path, "wb") as stream:
            stream.truncate(content * 2**20)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _surroundings() -> dict[str, Any]:
    arm = sd.load("planar_two_link")
    weak = sd.Builder("weak")
    weak.link("upper", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    weak.link("hand", parent="upper", axis=(0, 1, 0))
    b = sd.Builder("mine")
    b.link("upper", sd.Body(1.0, com=(0, 0, -1)))
    return {
        "sd": sd,
        "np": np,
        "meshes": meshes,
        "two_sweeps": two_sweeps,
        "arm": arm,
        "flyer": sd.load("free_flyer"),
        "weak": sd.build(weak),
        "b": b,
        "q": np.zeros(2),
        "v": np.zeros(2),
        "a": np.zeros(2),
        "tau": np.zeros(2),
        **{name: getattr(algebra, name) for name in ("H", "M", "T", "formula", "phi", "psi")},
        "operator": operator,
        "vector": vector,
    }


# Arrays

TWO = "the 2 coordinates of robot 'planar_two_link'"
ARRAYS = (
    Case("too few coordinates", "arm.mass_matrix([0.0])", sd.ShapeError, rf"'q' has shape \(1,\); expected .*{TWO}"),
    Case("a single number", "arm.mass_matrix(0.0)", sd.ShapeError, r"'q' has shape \(\); expected \(\.\.\., 2\)"),
    Case(
        "velocities of another robot",
        "arm.bias_force(q, np.zeros(6))",
        sd.ShapeError,
        r"'v' has shape \(6,\); expected \(\.\.\., 2\), one number for each of the 2 joint rates",
    ),
    Case("texts", 'arm.mass_matrix(["a", "b"])', sd.ShapeError, "'q' has dtype <U1; expected numbers"),
    Case("booleans", "arm.mass_matrix([True, False])", sd.ShapeError, "'q' has dtype bool; expected numbers"),
    Case(
        "nothing",
        "arm.mass_matrix(None)",
        sd.ShapeError,
        "'q' holds None, which is no number; expected the 2 coordinates",
    ),
    Case("a dict", 'arm.mass_matrix({"joint1": 0.0})', sd.ShapeError, "'q' holds {'joint1': 0.0}, which is no number"),
    Case(
        "dates",
        'arm.mass_matrix(np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"))',
        sd.ShapeError,
        r"dtype datetime64\[D\]; expected numbers",
    ),
    Case(
        "a ragged list",
        "arm.mass_matrix([[0.0, 0.0], [0.0]])",
        sd.ShapeError,
        r"'q' is ragged: expected an array of shape \(\.\.\., 2\)",
    ),
    Case(
        "batches that do not broadcast",
        "arm.inverse_dynamics(q, np.zeros((3, 2)), np.zeros((4, 2)))",
        sd.ShapeError,
        r"batch axes do not broadcast: v \(3,\), a \(4,\)",
    ),
    Case(
        "a state whose batches do not broadcast",
        "arm.at(np.zeros((3, 2)), np.zeros((4, 2)))",
        sd.ShapeError,
        r"batch axes do not broadcast: q \(3,\), v \(4,\)",
    ),
    Case(
        "wrenches for too many links",
        "arm.inverse_dynamics(q, v, a, external=np.zeros((3, 6)))",
        sd.ShapeError,
        r"'external' has shape \(3, 6\); expected \(\.\.\., 2, 6\), a wrench \[moment; force\] for each of the 2 links",
    ),
    Case(
        "a wrench of five numbers",
        'arm.inverse_dynamics(q, v, a, external={"tool": np.zeros(5)})',
        sd.ShapeError,
        r"external\['tool'\]\" has shape \(5,\); expected \(\.\.\., 6\)",
    ),
    Case(
        "wrenches whose batches do not broadcast",
        'arm.inverse_dynamics(q, v, a, external={"tool": np.zeros((3, 6)), "link1": np.zeros((4, 6))})',
        sd.ShapeError,
        r"batch axes do not broadcast: external\['tool'\] \(3,\), external\['link1'\] \(4,\)",
    ),
    Case(
        "a step that does not fit",
        "arm.integrate(q, [0.1])",
        sd.ShapeError,
        r"'dv' has shape \(1,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "a difference of unlike configurations",
        "arm.difference(q, np.zeros(3))",
        sd.ShapeError,
        r"'q1' has shape \(3,\); expected \(\.\.\., 2\)",
    ),
)

# Names and options of quantities

OPTIONS = (
    Case(
        "a frame that is not there",
        'arm.pose(q, "tol")',
        sd.UnknownNameError,
        "unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'",
    ),
    Case("a frame by number", "arm.pose(q, 3)", sd.ArgumentError, r"a frame is a name or \(name, 4x4 offset\), got 3"),
    Case(
        "an offset that is 3x3",
        'arm.pose(q, ("tool", np.eye(3)))',
        sd.ModelError,
        r"the offset of frame 'tool' must be a 4x4 homogeneous matrix, got shape \(3, 3\)",
    ),
    Case(
        "an offset that stretches",
        'arm.pose(q, ("tool", np.diag([2, 2, 2, 1])))',
        sd.ModelError,
        "the offset of frame 'tool' must be a rigid 4x4 pose",
    ),
    Case(
        "axes that are not there",
        'arm.jacobian(q, "tool", axes="body")',
        sd.UnknownNameError,
        "unknown axes 'body'. Known: 'world', 'local', 'ground'",
    ),
    Case(
        "momentum about a name",
        'arm.momentum(q, v, about="tool")',
        sd.ArgumentError,
        r"about must be \"origin\", \"com\" or a point \(\.\.\., 3\), got 'tool'",
    ),
    Case(
        "momentum about a point in the plane",
        "arm.momentum(q, v, about=[0.0, 1.0])",
        sd.ShapeError,
        r"'about' has shape \(2,\); expected \(\.\.\., 3\), a point in the world",
    ),
    Case(
        "a wrench on the ground",
        'arm.inverse_dynamics(q, v, a, external={"base": np.ones(6)})',
        sd.ArgumentError,
        "external wrench on 'base': that frame is fixed to the ground, so nothing feels it",
    ),
    Case(
        "a joint that is not there",
        'arm.joint_dofs("elbow")',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'. Known: 'joint1', 'joint2'",
    ),
    Case(
        "a mass centre without mass",
        "sd.load(\"<robot name='r'><link name='a'/></robot>\", root=\"free\").center_of_mass([1, 0, 0, 0, 0, 0, 0])",
        sd.ModelError,
        "center_of_mass: robot 'r' has no moving mass, so no mass centre",
    ),
    Case(
        "a quantity of the velocity, without one",
        "arm.at(q).bias_force",
        sd.ArgumentError,
        r"bias_force needs velocities; make the state with robot\.at\(q, v\)",
    ),
    Case(
        "an unknown quantity explained",
        'sd.explain("inertia_matrix", arm)',
        sd.UnknownNameError,
        "unknown quantity 'inertia_matrix'. Did you mean '.*mass_matrix'",
    ),
)

# Passive joints

PASSIVE = (
    Case(
        "passive joints as a text",
        'arm.hybrid_dynamics(q, v, a, tau, passive="joint2")',
        sd.ArgumentError,
        r"passive takes a list of joint names, got the text 'joint2'; write \['joint2'\]",
    ),
    Case(
        "an unknown passive joint",
        'arm.hybrid_dynamics(q, v, a, tau, passive=["elbow"])',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'",
    ),
    Case(
        "a component the joint does not have",
        'flyer.hybrid_dynamics(flyer.neutral(), np.zeros(16), passive=[("root", 6)])',
        sd.ArgumentError,
        r"passive component \('root', 6\): joint 'root' has components 0 to 5",
    ),
    Case(
        "a mask of numbers",
        "arm.hybrid_dynamics(q, v, a, tau, passive=np.array([0.0, 1.0]))",
        sd.ShapeError,
        r"passive has dtype float64 and shape \(2,\); expected booleans \(\.\.\., 2\) or joint names",
    ),
    Case(
        "a mask of the wrong length",
        "arm.hybrid_dynamics(q, v, a, tau, passive=[True, False, True])",
        sd.ShapeError,
        r"passive has dtype bool and shape \(3,\); expected booleans \(\.\.\., 2\)",
    ),
    Case(
        "passive joints by number",
        "arm.hybrid_dynamics(q, v, a, tau, passive=[0])",
        sd.ArgumentError,
        r"passive takes a list of joint names and \(name, component\) pairs, or a boolean array, got an entry 0",
    ),
    Case(
        "no list at all",
        "arm.hybrid_dynamics(q, v, a, tau, passive=None)",
        sd.ArgumentError,
        "passive takes a list of joint names .* got None",
    ),
    Case(
        "the accelerations of active joints are missing",
        'arm.hybrid_dynamics(q, v, tau=tau, passive=["joint2"])',
        sd.ArgumentError,
        "hybrid_dynamics needs 'a': the accelerations of the active joints 'joint1'",
    ),
    Case(
        "the forces of passive joints are missing",
        'arm.hybrid_dynamics(q, v, a=a, passive=["joint2"])',
        sd.ArgumentError,
        "hybrid_dynamics needs 'tau': the forces of the passive joints 'joint2'",
    ),
    Case(
        "a disturbance Jacobian without passive joints",
        "arm.disturbance_jacobian(q)",
        sd.ArgumentError,
        "disturbance_jacobian needs at least one passive joint; none is",
    ),
    Case(
        "a generalized Jacobian without active joints",
        'arm.generalized_jacobian(q, "tool", passive=["joint1", "joint2"])',
        sd.ArgumentError,
        "generalized_jacobian needs at least one active joint; all 2 components are passive",
    ),
    Case(
        "a passive set for each state where there can be only one",
        'arm.generalized_jacobian(q, "tool", passive=np.array([[True, False]]))',
        sd.ShapeError,
        r"generalized_jacobian takes one passive set for all states, booleans \(2,\); got shape \(1, 2\)",
    ),
    Case(
        "a vector for all joints where it is for the active ones",
        'arm.disturbance_jacobian_times(q, [1.0, 2.0], passive=["joint2"])',
        sd.ShapeError,
        r"argument 'x' has shape \(2,\); expected \(\.\.\., 1\), one number for each of the 1 active components",
    ),
    Case(
        "half a joint as an arm",
        'flyer.passive_arm([("root", 0)], flyer.neutral())',
        sd.ArgumentError,
        r"passive_arm: joint 'root' is passive in some of its components only; make single joints .* split_joint",
    ),
    Case(
        "a passive set for each state as an arm",
        "arm.active_arm(np.array([[True, False]]), q)",
        sd.ArgumentError,
        r"active_arm takes one passive set, got a mask of shape \(1, 2\)",
    ),
    Case(
        "an active joint that is to be left undisturbed",
        'flyer.reaction_null_space(flyer.neutral(), undisturbed=["elbow"])',
        sd.ArgumentError,
        "reaction_null_space: undisturbed names components that are not passive, of 'elbow'",
    ),
    Case(
        "an operational inertia of no frame",
        "arm.operational_inertia_inverse(q, [])",
        sd.ArgumentError,
        "operational_inertia_inverse takes a frame or a list of at least one, got an empty list",
    ),
    Case(
        "a passive part without inertia, told to raise",
        'with sd.errstate("raise"):\n    weak.disturbance_jacobian(np.zeros(weak.nq), passive=[weak.joint_names[-1]])',
        sd.SingularError,
        "disturbance_jacobian: D is singular at link 'hand'",
    ),
)

# Rows without an answer

ROWS = (
    Case(
        "NaN in a batch, told to raise",
        'with sd.errstate("raise"):\n    arm.gravity_force([[0.0, 0.0], [0.0, np.nan]])',
        sd.SingularError,
        "gravity_force: row 1:? argument 'q' is not finite",
    ),
    Case(
        "a quaternion of zeros, told to raise",
        'with sd.errstate("raise"):\n    flyer.mass_matrix(np.zeros((2, 17)))',
        sd.SingularError,
        "mass_matrix: row 0:? the quaternion of joint 'root' vanishes or overflows",
    ),
    Case(
        "a link without inertia, told to raise",
        'with sd.errstate("raise"):\n    weak.forward_dynamics(q, v, tau)',
        sd.SingularError,
        "D is singular at link 'hand': with all beyond it, it has no inertia along joint 'hand_joint'",
    ),
    Case(
        "another way to take bad rows",
        'with sd.errstate("silent"):\n    pass',
        sd.ArgumentError,
        'errstate takes "warn", "raise" or "ignore", got \'silent\'',
    ),
)

# Robots and how they are computed

ROBOTS = (
    Case(
        "changing a robot",
        "arm.gravity = [0, 0, 0]",
        AttributeError,
        r"a Robot cannot be changed \(setting 'gravity'\)",
    ),
    Case("changing a state", "arm.at(q).q = q", AttributeError, r"a State cannot be changed \(setting 'q'\)"),
    Case(
        "a backend that is not there",
        'arm.with_backend("jax")',
        sd.ArgumentError,
        "a backend is one of 'auto', 'numpy', 'rolled', 'straight', got 'jax'",
    ),
    Case("no threads", "sd.set_threads(0)", sd.ArgumentError, "set_threads takes a whole number, one or more, got 0"),
    Case(
        "a seed for a generator",
        "arm.random_configuration(0)",
        sd.ArgumentError,
        r"random_configuration takes a numpy\.random\.Generator, got 0",
    ),
    Case(
        "a payload on the ground",
        'arm.with_payload("base", 1.0)',
        sd.ModelError,
        "a payload on 'base' would change nothing: that frame is fixed in the ground",
    ),
    Case(
        "a payload of negative mass",
        'arm.with_payload("tool", -1.0)',
        sd.ModelError,
        r"a body's mass must be a finite number, zero or more \(kg\), got -1\.0",
    ),
    Case(
        "a lopsided moment of inertia",
        'arm.with_payload("tool", 1.0, inertia=[[1, 2, 3], [0, 1, 0], [0, 0, 1]])',
        sd.ModelError,
        "a body's inertia must be symmetric",
    ),
    Case(
        "gravity as one number",
        "arm.with_gravity(9.81)",
        sd.ModelError,
        r"gravity of robot 'planar_two_link' \(m/s\^2\) must be three finite numbers, got 9\.81",
    ),
    Case(
        "locking an unknown joint",
        'arm.lock("elbow", q)',
        sd.UnknownNameError,
        "unknown joint 'elbow' of robot 'planar_two_link'",
    ),
    Case(
        "locking without a value",
        'arm.lock("joint1", {"joint2": 0.5})',
        sd.ArgumentError,
        "no value is given for the joint 'joint1'; q has 'joint2'",
    ),
    Case(
        "locking at a word",
        'arm.lock("joint1", {"joint1": "up"})',
        sd.ShapeError,
        "joint 'joint1' cannot be placed at 'up': expected numbers",
    ),
    Case(
        "locking at NaN",
        'arm.lock("joint1", [np.nan, 0.0])',
        sd.ModelError,
        r"joint 'joint1' cannot be placed at \[nan\]: not finite",
    ),
    Case(
        "locking at a vanishing quaternion",
        'flyer.lock("root", np.zeros(17))',
        sd.ModelError,
        "joint 'root' cannot be placed at .*: its quaternion vanishes",
    ),
    Case(
        "locking joints by number",
        "arm.lock(1, q)",
        sd.ArgumentError,
        "lock takes a joint's name or a list of names, got 1",
    ),
    Case(
        "the subtree of a frame",
        'arm.subtree("tool")',
        sd.ModelError,
        "'tool' is a frame of link 'link2', not a moving link itself",
    ),
    Case(
        "attaching a robot of the same names",
        'arm.attach(arm, "tool")',
        sd.ModelError,
        "both have a link or frame named 'base', 'link1', 'link2', 'tool'; give a name_prefix, such as \"hand_\"",
    ),
    Case(
        "attaching at an unknown frame",
        'arm.attach(flyer, "tol", "flyer_")',
        sd.UnknownNameError,
        "unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'",
    ),
    Case(
        "splitting a simple joint",
        'arm.split_joint("joint1")',
        sd.ModelError,
        "joint 'joint1' is revolute: it has one degree of freedom and cannot be split",
    ),
)

# Constants as arguments

PARAMETERS = (
    Case(
        "a parameter of nothing",
        'arm.parametric("tool.weight")',
        sd.UnknownNameError,
        "unknown parameter 'tool.weight'. Did you mean",
    ),
    Case(
        "a parameter of the ground",
        'arm.parametric("base.mass")',
        sd.ArgumentError,
        "parameter 'base.mass': 'base' is fixed to the ground, so nothing depends on it",
    ),
    Case(
        "a parameter without a value",
        'arm.parametric("tool.mass").gravity_force(q)',
        sd.ArgumentError,
        "gravity_force takes q, tool.mass; got 1 values",
    ),
    Case(
        "a mass centre of two numbers",
        'arm.parametric("tool.com").gravity_force(q, [1.0, 2.0])',
        sd.ShapeError,
        r"'tool.com' has shape \(2,\); expected \(\.\.\., 3\)",
    ),
)

# Robots made in code

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
        "a DH convention that is not there",
        'sd.from_dh([(0, 0, 0, 0)], convention="craig")',
        sd.ArgumentError,
        'convention is "standard" or "modified", got \'craig\'',
    ),
)

# What is given to sd.load

SOURCES = (
    Case(
        "a robot that is not built in",
        'sd.load("ur55")',
        sd.UnknownNameError,
        r"unknown robot 'ur55'. Did you mean 'ur5'.* There is no file 'ur55' either\.",
    ),
    Case(
        "a misspelt file name",
        'sd.load("griper.urdf")',
        sd.ModelError,
        r"griper\.urdf: no such file\. Did you mean 'gripper\.urdf'",
        {"gripper.urdf": ARM},
        "The folder holds `gripper.urdf`.",
    ),
    Case(
        "a folder that is not there",
        'sd.load("nowhere/arm.urdf")',
        sd.ModelError,
        r"nowhere/arm\.urdf: no such file; there is no folder 'nowhere' either",
    ),
    Case(
        "a folder instead of a file",
        'sd.load("model/")',
        sd.ModelError,
        r"model is a directory; expected a URDF or MJCF file, such as arm\.urdf in it",
        {"model/arm.urdf": ARM},
    ),
    Case("an empty path", 'sd.load("")', sd.ModelError, "the path is empty; expected a path, XML text or the name"),
    Case("a number", "sd.load(42)", sd.ArgumentError, "expected a path, XML text or the name .* got int 42"),
    Case("another root", 'sd.load("ur5", root="loose")', sd.ArgumentError, 'root must be "fixed" or "free", got \'l'),
    Case(
        "another rule for mimic joints",
        'sd.load("ur5", mimic="copy")',
        sd.ArgumentError,
        'mimic must be "independent" or "tie", got \'copy\'',
    ),
    Case(
        "gravity of two numbers",
        'sd.load("ur5", gravity=[0, -9.81])',
        sd.ArgumentError,
        r"gravity must be three finite numbers \(m/s\^2\), got \[0, -9\.81\]",
    ),
    Case(
        "a published inertia that no body can have, when strict",
        'sd.load("puma560", strict=True)',
        sd.ModelError,
        r"link 'link3' has a physically impossible inertia: .*triangle inequality .*\(refused because strict=True\)",
    ),
    Case(
        "package roots as a text",
        'sd.load("ur5", package_roots="meshes")',
        sd.ArgumentError,
        r"package_roots must be a list of folders, got 'meshes'; write \['meshes'\]",
    ),
)

# Files

ENTITIES = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10 if k else "boom"}">' for k in range(12))
OUTSIDE = '<link name="base"><visual><geometry><mesh filename="{}"/></geometry></visual></link>'
LOAD = 'sd.load("arm.urdf")'


def _mesh(filename: str) -> dict[str, str]:
    return {"robot/arm.urdf": ARM.replace('<link name="base"/>', OUTSIDE.format(filename)), "secret.obj": "v 0 0 0"}


FILES = (
    Case("an empty file", LOAD, sd.ModelError, r"arm\.urdf is empty; expected a URDF or MJCF", {"arm.urdf": b" \n"}),
    Case(
        "a binary file",
        LOAD,
        sd.ModelError,
        r"arm\.urdf is binary; expected a URDF or MJCF file, which are XML text",
        {"arm.urdf": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"},
    ),
    Case(
        "a mesh",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: this is not XML .*; expected a URDF or MJCF file",
        {"arm.urdf": b"solid part\nfacet normal 0 0 1\n"},
    ),
    Case(
        "a truncated file",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:7: the file ends inside <inertial>, opened at line 4; it seems truncated",
        {"arm.urdf": ARM[: ARM.index('iyy="0.1"')]},
    ),
    Case(
        "100 MB",
        LOAD,
        sd.ModelError,
        r"arm\.urdf has 100 MB; robot files of more than 64 MB are refused",
        {"arm.urdf": 100},
    ),
    Case(
        "an unknown encoding",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: .*encoding",
        {"arm.urdf": "<?xml version='1.0' encoding='klingon'?><robot/>"},
    ),
    Case(
        "an entity bomb",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: the file has a DOCTYPE, through which entities could blow up; remove it",
        {"arm.urdf": f"<!DOCTYPE robot [{ENTITIES}]><robot name='&e11;'/>"},
    ),
    Case(
        "elements a hundred thousand deep",
        LOAD,
        sd.ModelError,
        r"arm\.urdf:1: elements are nested more than 500 deep",
        {"arm.urdf": "<robot>" + "<a>" * 100_000},
    ),
    Case(
        "an impossible inertia, when strict",
        'sd.load("arm.urdf", strict=True)',
        sd.ModelError,
        r"arm\.urdf:3: link 'upper' has a physically impossible inertia: .*0\.1 \+ 0\.1 < 0\.9",
        {"arm.urdf": IMPOSSIBLE},
    ),
    Case(
        "mimic joints in a circle",
        'sd.load("arm.urdf", mimic="tie")',
        sd.ModelError,
        r"arm\.urdf:11: mimic joints form a circle: shoulder -> elbow -> shoulder",
        {
            "arm.urdf": ARM.replace('<child link="upper"/>', '<child link="upper"/><mimic joint="elbow"/>').replace(
                '<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>'
            )
        },
    ),
    Case(
        "a mesh outside the robot's folder",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"robot/arm\.urdf:2: path '\.\./secret\.obj' leaves the allowed folders \(.*robot\); name its folder",
        _mesh("../secret.obj"),
        "`base` has the mesh `../secret.obj`.",
    ),
    Case(
        "a mesh in an unknown package",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"robot/arm\.urdf:2: 'package://hands/a\.obj' is in package 'hands', and the robot file is not",
        _mesh("package://hands/a.obj"),
        "`base` has the mesh `package://hands/a.obj`.",
    ),
    Case(
        "a mesh from the network",
        'meshes("robot/arm.urdf")',
        sd.ModelError,
        r"'http://example\.org/a\.obj' is neither a path nor a package:// or file:// address",
        _mesh("http://example.org/a.obj"),
        "`base` has the mesh `http://example.org/a.obj`.",
    ),
    Case(
        "MJCF that includes a file outside its folder",
        'sd.load("robot/arm.xml")',
        sd.ModelError,
        r"robot/arm\.xml:1: path '\.\./secret\.xml' leaves the allowed folders",
        {"robot/arm.xml": '<mujoco><include file="../secret.xml"/></mujoco>', "secret.xml": "<part/>"},
        '`arm.xml` has `<include file="../secret.xml"/>`.',
        needs="mujoco",
    ),
    Case(
        "MJCF without bodies",
        'sd.load("<mujoco><worldbody/></mujoco>")',
        sd.ModelError,
        "<string>:1: robot '.*' has no <body> elements; expected at least one",
        needs="mujoco",
    ),
)


def _changed(what: str) -> Case:
    old, new, words = CHANGES[what]
    told = f"`{_one_line(old)}` is replaced by `{_one_line(new)}`." if new else f"`{_one_line(old)}` is left out."
    return Case(what, LOAD, sd.ModelError, words, {"arm.urdf": ARM.replace(old, new)}, told)


def _one_line(text: str) -> str:
    return " ".join(text.split())


SPOILT = tuple(_changed(what) for what in CHANGES)

# Simulation

SIMULATION = (
    Case("a name for a robot", 'sd.simulate("ur5", q)', sd.ArgumentError, "simulate takes a Robot, .* got str"),
    Case(
        "no time at all",
        "sd.simulate(arm, q, duration=0)",
        sd.ArgumentError,
        "simulate: duration must be a positive number, got 0",
    ),
    Case(
        "a method that is not there",
        'sd.simulate(arm, q, method="euler")',
        sd.UnknownNameError,
        "unknown method of simulate 'euler'. Known: 'rk4', 'semi-implicit'",
    ),
    Case(
        "a controller that returns nothing",
        "sd.simulate(arm, q, torque=lambda t, q, v: None)",
        sd.ArgumentError,
        "gave None at t = 0 s; is a `return` missing",
    ),
    Case(
        "a controller that returns too little",
        "sd.simulate(arm, q, torque=lambda t, q, v: [0.0])",
        sd.ShapeError,
        r"torque\(t, q, v\).* has shape \(1,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "passive joints, but no motion of the others",
        'sd.simulate(arm, q, passive=["joint2"])',
        sd.ArgumentError,
        "`passive` is given, but no `acceleration` of the active joints",
    ),
    Case(
        "a planner that is not told the passive joints",
        "sd.simulate(arm, q, acceleration=lambda t, q, v: a)",
        sd.ArgumentError,
        r"acceleration is a function of \(t, q, v, passive\)",
    ),
    Case(
        "a schedule of passive joints that starts late",
        'sd.simulate(arm, q, acceleration=a, passive={0.5: ["joint2"]})',
        sd.ArgumentError,
        "the schedule of passive joints starts at 0.5 s; it needs an entry for 0",
    ),
    Case(
        "an acceleration that is not a number",
        "sd.simulate(arm, q, acceleration=[np.nan, 0.0])",
        sd.SimulationError,
        "at t = 0 s the acceleration of joint 'joint1' is nan",
    ),
    Case(
        "a failure without a time",
        'sd.simulate(arm, q, failures=["joint2"])',
        sd.ArgumentError,
        r"failures are a list of \(time, joint\), got 'joint2'",
    ),
    Case(
        "a failure before the start",
        'sd.simulate(arm, q, failures=[(-1.0, "joint2")])',
        sd.ArgumentError,
        "a time in failures must be zero or more, in seconds, got -1.0",
    ),
    Case(
        "two sweeps with a hidden link",
        'two_sweeps.moving(sd.chain(1, kind="universal"), q)',
        sd.ArgumentError,
        "two sweeps keep the velocity of every link, but robot 'chain_1' has hidden links, at 'joint_1",
    ),
    Case(
        "two sweeps with tied joints",
        'two_sweeps.moving(sd.load("arm.urdf", mimic="tie"), [0.1])',
        sd.ArgumentError,
        "two sweeps move each joint by itself, but robot '.*' has tied joints",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
    ),
    Case(
        "two sweeps and a step that is none",
        "two_sweeps.step(arm, two_sweeps.moving(arm, q), [0.0, 0.0], 0)",
        sd.ArgumentError,
        "step: h must be a positive number, got 0",
    ),
)

# Formulas; docs/misuse.md has many more

FORMULAS = (
    Case("spaces that do not fit", "H @ psi.T", sd.SpaceError, r"H takes a link force, but psi\.T gives a link motion"),
    Case(
        "a sum of different spaces",
        "phi + M",
        sd.SpaceError,
        "phi maps link force to link force, but M maps link motion",
    ),
    Case("an array in a formula", "np.eye(12) @ phi", sd.SpaceError, "ndarray is neither a formula nor a plain number"),
    Case("a number beyond doubles", 'float("inf") * phi', sd.SpaceError, "finite and within the range of doubles"),
    Case("a formula as a condition", "bool(phi)", sd.SpaceError, "neither true nor false"),
    Case("a text whose spaces do not fit", 'formula("H @ phi @ M @ phi @ H.T")', sd.SpaceError, r"is phi\.T meant"),
    Case("an unknown symbol in a text", 'formula("H @ pih @ M")', sd.FormulaError, "unknown operator or vector 'pih'"),
    Case("an identity without a space", 'formula("I - phi")', sd.FormulaError, "of which space is I"),
    Case(
        "a bracket that is never closed", 'formula("H @ (phi + psi")', sd.FormulaError, "this bracket is never closed"
    ),
    Case("a sign that is missing", 'formula("H phi M")', sd.FormulaError, "a sign is missing before 'phi'"),
    Case("a bare star for an adjoint", 'formula("φ* @ H")', sd.FormulaError, r"the adjoint is written \.T or \^\*"),
    Case("a character without a meaning", 'formula("phi.dense()")', sd.FormulaError, "'.' has no meaning in a formula"),
    Case("a number alone", 'formula("2")', sd.FormulaError, "a number alone is no formula"),
    Case("no text at all", 'formula("")', sd.FormulaError, "got an empty one"),
    Case(
        "a text without end", 'formula("phi + " * 1000)', sd.FormulaError, "at most 4000 characters, this one has 6000"
    ),
    Case(
        "brackets without end",
        'formula("(" * 1000 + "phi" + ")" * 1000)',
        sd.FormulaError,
        "brackets lie in brackets at most 50 deep",
    ),
    Case("a name that is taken", 'operator("phi", H @ phi)', sd.SpaceError, "one of the papers' symbols already"),
    Case("a name that is no word", 'vector("my load", "joint force")', sd.SpaceError, "a word of ASCII letters"),
    Case("a name with a meaning", 'operator("inv", H @ phi)', sd.SpaceError, "cannot be called 'inv'"),
    Case(
        "a space that is not there", 'vector("x", "joint torque")', sd.SpaceError, "no space is called 'joint torque'"
    ),
    Case("a vector for an operator", 'operator("F", T)', sd.SpaceError, "use sd.vector"),
    Case("an array of a strange shape", 'operator("F", np.zeros((2, 3)))', sd.SpaceError, r"got one of shape \(2, 3\)"),
)

# C code

EXPORT = (
    Case(
        "a result instead of a method",
        'sd.export_c(arm.gravity_force(q), "hold")',
        sd.ArgumentError,
        r"takes a quantity of a robot, such as arm.forward_dynamics \(not called\), or a compiled formula, got array",
    ),
    Case(
        "C without the frame that is needed",
        'sd.export_c(arm.pose, "tool")',
        sd.ArgumentError,
        r"pose needs a frame: export_c\(\.\.\., frame=NAME\)",
    ),
    Case(
        "C with an argument the quantity does not have",
        'sd.export_c(arm.mass_matrix, "mass", frame="tool")',
        sd.ArgumentError,
        "mass_matrix has no argument 'frame'",
    ),
    Case(
        "C in numbers that C does not have",
        'sd.export_c(arm.mass_matrix, "mass", real="float64")',
        sd.ArgumentError,
        'real must be "double" or "float", got \'float64\'',
    ),
    Case(
        "a word of C as a function's name",
        'sd.export_c(arm.mass_matrix, "mass", name="double")',
        sd.ArgumentError,
        "name 'double' cannot name a C function",
    ),
    Case(
        "a directory for C",
        'sd.export_c(arm.mass_matrix, ".")',
        sd.ArgumentError,
        "'.' is a directory; give the name of a file in it",
    ),
    Case(
        "a name that no #include can hold",
        """sd.export_c(arm.mass_matrix, 'mass"')""",
        sd.ArgumentError,
        "cannot stand in an #include",
    ),
    Case(
        "a folder for C that is not there",
        'sd.export_c(arm.mass_matrix, "nowhere/mass")',
        sd.ArgumentError,
        "cannot write '.*mass.c': No such file or directory",
    ),
    Case(
        "C for a batch of masks",
        'sd.export_c(arm.hybrid_dynamics, "half", passive=np.eye(2, dtype=bool))',
        sd.ArgumentError,
        r"folds in one value of 'passive', got a batch of shape \(2, 2\)",
    ),
    Case(
        "C that never has an answer",
        'sd.export_c(weak.forward_dynamics, "weak")',
        sd.SingularError,
        "forward_dynamics of robot 'weak' has no answer at any state: along some joint nothing has inertia",
    ),
    Case(
        "C in single precision for a constant beyond it",
        'heavy = arm.with_payload("tool", 1e39)\nsd.export_c(heavy.gravity_force, "heavy", real="float")',
        sd.ArgumentError,
        "a constant of the robot, .*, does not fit into a C float",
    ),
    Case(
        "C for tied joints",
        'tied = sd.load("arm.urdf", mimic="tie")\nsd.export_c(tied.mass_matrix, "tied")',
        sd.ArgumentError,
        "has tied mimic joints, which have no straight-line code",
        {"arm.urdf": ARM.replace('<child link="lower"/>', '<child link="lower"/><mimic joint="shoulder"/>')},
        '`<mimic joint="shoulder"/>` is added to joint `elbow`.',
    ),
    Case(
        "C for a robot that does not move",
        'rock = arm.lock(["joint1", "joint2"], q)\nsd.export_c(rock.poses, "rock")',
        sd.ArgumentError,
        "robot 'planar_two_link' has no moving joint, so there is nothing to compute",
    ),
)

# Viewing

VIEWING = (
    Case(
        "a configuration that does not fit",
        "arm.show([0.0, 0.0, 0.0])",
        sd.ShapeError,
        r"argument 'q' has shape \(3,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "several configurations at once",
        "arm.save_view('arm.html', [q, q])",
        sd.ShapeError,
        r"holds a batch of shape \(2,\); choose one of them",
    ),
    Case(
        "a page in a folder that is not there",
        "arm.save_view('pages/arm.html')",
        sd.ArgumentError,
        "cannot write 'pages/arm.html': No such file or directory",
        needs="viser",
    ),
    Case(
        "a trajectory read from a file",
        "fall = sd.simulate(arm, q, duration=0.1, step=0.01).save('fall.npz')\nsd.Trajectory.load(fall).show()",
        sd.ArgumentError,
        r"does not know its robot; give it one with trajectory\.of\(robot\)",
    ),
    Case(
        "a trajectory given to another robot",
        "sd.simulate(arm, q, duration=0.1, step=0.01).of(flyer)",
        sd.ArgumentError,
        "the trajectory of 'planar_two_link' has the coordinates .*, robot 'free_flyer' has ",
    ),
    Case(
        "a motion without its label",
        "sd.view.save_page('arm.html', [arm])",
        sd.ArgumentError,
        r"expected pairs \(label, trajectory\), got <Robot",
    ),
    Case(
        "nothing to show",
        "sd.view.show([])",
        sd.ArgumentError,
        r"expected a list of \(label, trajectory\) pairs, got \[\]",
    ),
    Case(
        "something that is no motion",
        "sd.view.show([('arm', q)])",
        sd.ArgumentError,
        "'arm': a robot, a state or a trajectory can be shown, got",
    ),
    Case(
        "more frames than a screen shows",
        "sd.simulate(arm, q, duration=0.1, step=0.01).save_view('fall.html', fps=1000)",
        sd.ArgumentError,
        "fps must be above 0 and at most 60 frames a second, got 1000",
    ),
    Case(
        "a port out of range", "arm.show(port=70000)", sd.ArgumentError, "port must be a whole number from 0 to 65535"
    ),
    Case(
        "an option that is not there",
        "arm.show(colour='red')",
        sd.UnknownNameError,
        "unknown option 'colour' of viewing",
    ),
    Case(
        "frames that are one text",
        "arm.show(frames='tool', port=0)",
        sd.ArgumentError,
        r"frames takes a list of frames, got the text 'tool'; write \['tool'\]",
        needs="viser",
    ),
    Case(
        "spacing that is no length",
        "sd.view.show([('a', arm), ('b', arm)], spacing=float('nan'), port=0)",
        sd.ArgumentError,
        "spacing must be a finite number of metres, got nan",
        needs="viser",
    ),
)

# Forces in joints

LAWS = (
    Case(
        "a spring that pushes",
        'sd.Spring("joint2", -10.0)',
        sd.ArgumentError,
        "Spring of 'joint2': stiffness must be zero or more, got -10.0",
    ),
    Case(
        "friction without a smoothing speed",
        'sd.Friction("joint2", 1.0, speed=0.0)',
        sd.ArgumentError,
        "Friction of 'joint2': speed must be a positive number, got 0.0",
    ),
    Case(
        "a law that acts nowhere",
        "sd.Damper(2, 1.0)",
        sd.ArgumentError,
        r"a Damper acts in a joint, given as a name or \(name, component\), got 2",
    ),
    Case(
        "a law in a joint that is not there",
        'sd.JointForces(arm, [sd.Damper("joint3", 1.0)])',
        sd.UnknownNameError,
        "unknown joint 'joint3' of robot 'planar_two_link'",
    ),
    Case(
        "a law in a component that is not there",
        'sd.JointForces(flyer, [sd.Damper(("root", 6), 1.0)])',
        sd.ArgumentError,
        r"Damper of \('root', 6\): joint 'root' has components 0 to 5, got 6",
    ),
    Case(
        "too few figures",
        'sd.JointForces(flyer, [sd.Spring("root", (1.0, 2.0))])',
        sd.ShapeError,
        r"stiffness has shape \(2,\); expected one number, or one for each of its 6 components",
    ),
    Case(
        "a rest position that is none",
        'sd.JointForces(flyer, [sd.Spring("root", 1.0, rest=0.5)])',
        sd.ShapeError,
        "rest must be 7 finite coordinates, a quaternion w, x, y, z first, got 0.5",
    ),
    Case(
        "something else than a law",
        "sd.JointForces(arm, [10.0])",
        sd.ArgumentError,
        "joint forces are a list of Spring, Damper, Friction and Backlash",
    ),
    Case(
        "the forces of another robot",
        "sd.simulate(arm, q, joint_forces=sd.JointForces(flyer))",
        sd.ArgumentError,
        "joint_forces were made for robot 'free_flyer', which is not this 'planar_two_link'",
    ),
)

_BENT = """q = flyer.neutral()
q[7:14] = -0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2
"""
_REACH = (
    _BENT
    + """there = flyer.pose(q, "tool")
"""
)
CONTROL = (
    Case(
        "demands that depend on each other",
        'sd.control.solve_demands([[1, 0], [1, 0]], [1, 1], names=("reach", "turn"))',
        sd.SingularError,
        r"the demands depend on each other: .* 2 demands on 2 joint components has rank 1; .*mostly '.*'. damping=",
    ),
    Case(
        "demands with negative damping",
        "sd.control.solve_demands([[1, 0]], [1], damping=-1)",
        sd.ArgumentError,
        "damping must be zero or more, got -1",
    ),
    Case(
        "a weight of zero",
        "sd.control.solve_demands([[1, 0]], [1], weights=[1, 0])",
        sd.ArgumentError,
        "weights must be 2 positive numbers",
    ),
    Case(
        "a vector for a Jacobian",
        "sd.control.solve_demands([1, 0], [1])",
        sd.ShapeError,
        r"argument 'J' has shape \(2,\); expected \(\.\.\., rows, n\)",
    ),
    Case(
        "holding what is not passive",
        'sd.control.Demands(flyer, "tool", hold=["elbow"])',
        sd.ArgumentError,
        "hold names 'elbow', which passive does not: it is active",
    ),
    Case(
        "an unknown way of holding",
        'sd.control.Demands(flyer, "tool", hold="atitude")',
        sd.UnknownNameError,
        "unknown hold 'atitude'. Did you mean 'attitude'",
    ),
    Case(
        "an unknown part of a frame's motion",
        'sd.control.Demands(flyer, "tool", "orientations")',
        sd.UnknownNameError,
        "unknown part of a frame's motion 'orientations'. Did you mean 'orientation'",
    ),
    Case(
        "an attitude without a free root",
        'sd.control.Demands(arm, "tool", passive=["joint2"], hold="attitude")',
        sd.ArgumentError,
        "hold='attitude' is about a base that floats, but robot 'planar_two_link' has no free root",
    ),
    Case(
        "no joint left to move",
        'sd.control.Demands(arm, "tool", passive=["joint1", "joint2"])',
        sd.ArgumentError,
        "every joint of robot 'planar_two_link' is passive: none is left to move",
    ),
    Case(
        "no demand at all",
        'sd.control.Demands(flyer, "tool", "none")',
        sd.ArgumentError,
        "nothing is demanded",
    ),
    Case(
        "a target of the wrong shape",
        _BENT + 'sd.control.plan_reach(flyer, q, "tool", [0.1, 0.2], 10.0)',
        sd.ShapeError,
        r"the target has shape \(2,\); expected a position \(3,\) or a pose \(4, 4\)",
    ),
    Case(
        "no time to reach",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 0.0)',
        sd.ArgumentError,
        "duration must be a positive number, got 0.0",
    ),
    Case(
        "a plan from nowhere",
        _REACH + 'q[8] = np.nan\nsd.control.plan_reach(flyer, q, "tool", there, 10.0)',
        sd.ArgumentError,
        r"a plan starts at finite coordinates, got q0 = \[1.0, .*nan",
    ),
    Case(
        "a plan for a passive elbow",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, passive=["root", "elbow"])',
        sd.ArgumentError,
        "takes the free root as the passive joint, all of it and nothing else; passive names .*'elbow'",
    ),
    Case(
        "a plan under gravity",
        _REACH + 'sd.control.plan_reach(flyer.with_gravity([0, 0, -9.81]), q, "tool", there, 10.0)',
        sd.ArgumentError,
        r"needs a robot without weight, but gravity is \[0.0, 0.0, -9.81\]",
    ),
    Case(
        "a plan for a robot on the ground",
        'sd.control.plan_reach(arm, q, "tool", [0.5, 0, 0], 10.0, passive=["joint2"], hold="none")',
        sd.ArgumentError,
        "planning at zero momentum is about a base that floats, but robot 'planar_two_link' has no free root",
    ),
    Case(
        "more demands than joints",
        _REACH + 'sd.control.plan_reach(flyer, q, "tool", there, 10.0, hold="pose")',
        sd.ArgumentError,
        "12 demands on 10 active components of robot 'free_flyer': not all can be met",
    ),
    Case(
        "too little time to reach",
        _REACH + 'there[0, 3] += 0.3\nsd.control.plan_reach(flyer, q, "tool", there, 0.1)',
        sd.control.ReachError,
        r"the motion of 'tool' ends .* mm .*from its target: .*speed limits held it back from t = ",
    ),
    Case(
        "a way beyond a position limit",
        _REACH + 'there[:3, 3] += 0, -0.4, -0.3\nsd.control.plan_reach(flyer, q, "tool", there, 15.0, step=0.15)',
        sd.control.ReachError,
        r"the motion of 'tool' takes joint '.*' past its position limit at t = .* is outside of",
    ),
    Case(
        "a start without a way out",
        "q = flyer.neutral()[:14]\n"
        'locked = flyer.lock(["wheel_x", "wheel_y", "wheel_z"], flyer.neutral())\n'
        'sd.control.plan_reach(locked, q, "tool", [0.4, 0.1, 1.5], 10.0)',
        sd.control.ReachError,
        "the motion stops at t = 0 s of 10 s: the demands depend on each other",
    ),
    Case(
        "a least disturbance of nothing",
        _REACH + 'sd.control.plan_least_disturbance(flyer, q, "tool", there, 10.0, hold="none")',
        sd.ArgumentError,
        "least disturbance of what",
    ),
    Case(
        "something else than a plan",
        'sd.control.execute("plan")',
        sd.ArgumentError,
        "execute takes a Plan, as plan_reach makes them, got str",
    ),
    Case(
        "a base control with a negative bound",
        "sd.control.BaseControl(angle=-0.1)",
        sd.ArgumentError,
        "BaseControl: angle must be zero or more, got -0.1",
    ),
    Case(
        "a map without positions",
        'sd.control.workspace_map(sd.control.Demands(flyer, "tool", "orientation"), flyer.neutral(), [0.0], [0.0])',
        sd.ArgumentError,
        "a workspace map needs demands on the frame's position",
    ),
)

PROOFS = (
    Case(
        "two formulas of different spaces are compared",
        "from soadyn.algebra import H, phi\nsd.prove(phi, H)",
        sd.SpaceError,
        "the two formulas map different spaces",
    ),
    Case(
        "a proof assumes what there is no word for",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, assume=["rigid"])',
        sd.ArgumentError,
        "assume takes 'A_r = 0', 'serial', 'one frame'; got 'rigid'",
    ),
    Case(
        "a proof leans on an identity that is not in the table",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, via=["Jacobi"])',
        sd.UnknownNameError,
        "the identity table has no row 'Jacobi'",
    ),
    Case(
        "a proof leans on an identity of chains",
        'from soadyn.algebra import phi, psi\nsd.prove(phi, psi, via=["operational inertias of a chain"])',
        sd.ArgumentError,
        "needs serial, which is not assumed",
    ),
    Case(
        "a proof leans on what is false",
        "from soadyn.algebra import phi, psi\nsd.prove(phi, phi, via=[(phi, psi)])",
        sd.ArgumentError,
        "given in via, is false",
    ),
    Case(
        "one formula speaks of the whole and of the passive arm",
        "from soadyn.algebra import H_p, K\nsd.simplify(H_p @ K)",
        sd.SpaceError,
        "H_p belong to the passive arm, K to the whole one",
    ),
)

SECTIONS: Mapping[str, tuple[Case, ...]] = {
    "Arrays": ARRAYS,
    "Names and options of quantities": OPTIONS,
    "Passive joints": PASSIVE,
    "Rows without an answer": ROWS,
    "Robots, and robots made from them": ROBOTS,
    "Constants as arguments": PARAMETERS,
    "Robots made in code": MADE,
    "What is given to `sd.load`": SOURCES,
    "Files": FILES,
    "A spoilt file": SPOILT,
    "Simulation": SIMULATION,
    "Formulas": FORMULAS,
    "C code": EXPORT,
    "Viewing": VIEWING,
    "Forces in joints": LAWS,
    "Control": CONTROL,
    "Proofs": PROOFS,
}
CASES = tuple(case for section in SECTIONS.values() for case in section)
