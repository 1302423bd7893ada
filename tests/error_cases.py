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
from loading.test_urdf_errors import ARM, CHANGES, IMPOSSIBLE
from soadyn.loading import meshes

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
        "arm": arm,
        "flyer": sd.load("free_flyer"),
        "weak": sd.build(weak),
        "b": b,
        "q": np.zeros(2),
        "v": np.zeros(2),
        "a": np.zeros(2),
        "tau": np.zeros(2),
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
    "Proofs": PROOFS,
}
CASES = tuple(case for section in SECTIONS.values() for case in section)
