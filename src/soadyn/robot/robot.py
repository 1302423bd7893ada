"""The public Robot: a thin frozen wrapper of a Model, its methods made from the table of quantities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from soadyn.engine.engine import Backend, Engine
from soadyn.errors import ArgumentError, FrozenError, check_name
from soadyn.fork_safe import cached_property
from soadyn.model import surgery
from soadyn.model.model import Model
from soadyn.model.parameters import inertial_parameters
from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES, Quantity
from soadyn.robot import passive_arms
from soadyn.robot.arguments import arguments
from soadyn.robot.arguments.arguments import ExternalLike, PassiveLike
from soadyn.robot.arguments.plain_values import flag, real
from soadyn.robot.calling.quantity_functions import Functions, counted_operations
from soadyn.robot.closed.closing import Closing
from soadyn.robot.closed.redundancy import with_superfluous
from soadyn.robot.configurations import Configurations
from soadyn.robot.differentiable import MotionDerivatives
from soadyn.robot.methods import attach_methods
from soadyn.robot.notebook import shown_robot
from soadyn.robot.objects import Objects
from soadyn.robot.parametric import ParametricRobot
from soadyn.robot.peer_names import PeerNames
from soadyn.robot.state import Request, State
from soadyn.view.viewable import Viewable

if TYPE_CHECKING:
    from soadyn.robot.typed import RobotQuantities
else:
    RobotQuantities = object  # the methods themselves come from `attach_methods`


@final
class JointNumbers:
    """An attribute of a robot: one figure of every joint, for each coordinate or each rate that is free."""

    def __init__(self, name: str, of: Literal["q", "v"], doc: str) -> None:
        self.name, self.of = name, of
        self.__doc__ = doc

    def __get__(self, robot: Any, owner: type | None = None) -> np.ndarray:
        if robot is None:
            return self  # type: ignore[return-value]  # asked of the class: what `help` reads
        values = [x for joint in robot.model.joints for x in getattr(joint, self.name)]
        space = robot.engine.coordinates
        return np.array(values, dtype=float)[space.q_kept if self.of == "q" else space.v_kept]


@final
class Robot(Configurations, Closing, Viewable, MotionDerivatives, Objects, PeerNames, RobotQuantities):
    """A robot and everything that can be computed for it; made by `sd.load`, `sd.chain`, `sd.Builder` and others.

    >>> import soadyn as sd
    >>> arm = sd.load("ur5")
    >>> arm.nv, arm.joint_names[0]
    (6, 'shoulder_pan_joint')
    """

    # Python finds attributes in slots faster, which a call for one state feels.
    __slots__ = ("_functions", "_quick", "engine", "model")
    model: Model
    engine: Engine
    _functions: Functions
    _quick: dict[str, Any]

    def __init__(self, model: Model, backend: Backend = "auto", passive: np.ndarray | None = None) -> None:
        if not isinstance(model, Model):
            raise ArgumentError(f"a Robot is made of a Model, got {model!r:.80}; sd.load takes files and names")
        own = object.__setattr__
        model = with_superfluous(model) if model.closures else model
        own(self, "model", model)
        own(self, "engine", Engine(model, backend, passive=passive))
        own(self, "_functions", Functions(self.engine))
        own(self, "_quick", self._functions.quick)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenError(
            f"a Robot cannot be changed (setting {name!r}); methods such as with_gravity return new robots"
        )

    def __delattr__(self, name: str) -> None:
        raise FrozenError(f"a Robot cannot be changed (deleting {name!r})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Robot) and self.model == other.model

    def __hash__(self) -> int:
        return hash(self.model)

    def __reduce__(self) -> tuple[type[Robot], tuple[Model, Backend, np.ndarray | None]]:
        return Robot, (self.model, self.backend, self.engine.passive)

    def __repr__(self) -> str:
        return (
            f"<Robot {self.name!r}: {len(self.link_names)} links, nq={self.nq}, nv={self.nv}, {self.total_mass:.4g} kg>"
        )

    def _repr_html_(self) -> str:
        return shown_robot(self)

    @property
    def backend(self) -> Backend:
        """What computes: "auto", "numpy" (the reference), "rolled" or "straight" (native code)."""
        return self.engine.backend

    def _quantity(self, quantity: Quantity, given: dict[str, Any]) -> Any:
        return self._functions.result(quantity, given)

    def with_backend(self, backend: Backend) -> Robot:
        """The same robot computed otherwise: "auto", "numpy" (the reference), "rolled" or "straight" (native code).

        >>> import soadyn as sd
        >>> sd.load("ur5").with_backend("numpy").backend
        'numpy'
        """
        return Robot(self.model, backend)

    def specialize(self, straight: bool = True, passive: PassiveLike | None = None) -> Robot:
        """The same robot with straight-line kernels for batches of every size, or with `False` rolled ones.

        Calls that name the set `passive` get kernels for that set alone, which take fewer operations: on a free-flyer
        about half. Other sets may be named too; their kernels serve any set. Robots made from this one are for any set.

        >>> import soadyn as sd
        >>> sd.load("ur5").specialize().backend
        'straight'
        >>> flyer = sd.load("ets_vii").specialize(passive=["root"])
        >>> flyer.generalized_jacobian(flyer.neutral(), "link_ee", ["root"]).shape
        (6, 6)
        """
        if not flag("specialize: straight", straight):
            if passive is not None:
                raise ArgumentError("specialize: rolled kernels serve any passive set; leave `passive` out")
            return self.with_backend("rolled")
        if passive is None:
            return self.with_backend("straight")
        mask = arguments.one_passive_set(self.engine.coordinates, passive, "specialize")
        return Robot(self.model, "straight", mask.copy())

    # What it is

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.model.name

    @property
    def nq(self) -> int:
        """The number of coordinates."""
        return self.engine.coordinates.nq

    @property
    def nv(self) -> int:
        """The number of joint rates."""
        return self.engine.coordinates.nv

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints in the order of q and v."""
        return self.engine.coordinates.joint_names

    @property
    def link_names(self) -> tuple[str, ...]:
        """The moving links in storage order: the axis of `poses` and `external`."""
        return self.model.link_names

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Every name that can be used as a frame."""
        return tuple(self.model.frame_index)

    @property
    def gravity(self) -> np.ndarray:
        """The acceleration of gravity in the world, m/s^2."""
        return np.array(self.model.gravity)

    @property
    def notes(self) -> tuple[str, ...]:
        """What loading found worth telling."""
        return self.model.notes

    @cached_property
    def total_mass(self) -> float:
        """The mass of the moving links, kg."""
        return float(sum(link.mass for link in self.model.links))

    def joint_dofs(self, joint: str) -> range:
        """The places in v of a joint's components."""
        return self.engine.coordinates.joint_dofs(joint)

    def joint_coordinates(self, joint: str) -> range:
        """The places in q of a joint's coordinates."""
        return self.engine.coordinates.joint_coordinates(joint)

    lower = JointNumbers("lower", "q", "Lower position limits, (nq,).")
    upper = JointNumbers("upper", "q", "Upper position limits, (nq,).")
    rest = JointNumbers("rest", "q", "Where the joints' springs are relaxed, (nq,).")
    velocity_limit = JointNumbers("velocity", "v", "Largest joint rates, (nv,); infinite where there is no limit.")
    effort_limit = JointNumbers("effort", "v", "Largest joint forces, (nv,); infinite where there is no limit.")
    armature = JointNumbers("armature", "v", "Reflected rotor inertia at each joint component, (nv,).")
    damping = JointNumbers("damping", "v", "Viscous friction of each joint component, (nv,); acts in simulation only.")
    friction = JointNumbers("friction", "v", "Dry friction of each joint component, (nv,); acts in simulation only.")
    stiffness = JointNumbers(
        "stiffness", "v", "Stiffness of each joint component's spring, (nv,); acts in simulation only."
    )

    def inertial_parameters(self) -> np.ndarray:
        """Ten figures for each link, (10 links,): m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz about the link frame.

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").inertial_parameters().shape
        (20,)
        """
        return inertial_parameters(self.model)

    def at(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        external: ExternalLike | None = None,
        together: Sequence[Request] = (),
    ) -> State:
        """The robot at a state, whose quantities are computed when asked for.

        Quantities that need accelerations `a`, joint forces `tau` or wrenches take the state's unless others are given.
        What is listed in `together`, as names or (name, option, ...), is computed at once.

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> wanted = ("mass_matrix", "bias_force", ("jacobian", "tool0"), "forward_dynamics_derivatives")
        >>> s = arm.at(arm.neutral(), arm.neutral(), tau=[1.0] * 6, together=wanted)
        >>> s.mass_matrix.shape, s.jacobian("tool0").shape, s.forward_dynamics().shape
        ((6, 6), (6, 6), (6,))
        """
        return State(self, q, v, a, tau, external, together)

    def parametric(self, *names: str) -> ParametricRobot:
        """The robot's quantities with some of its constants as further arguments.

        A name is "gravity", LINK.mass, LINK.com, LINK.inertia, the same of a frame (a payload there), JOINT.armature or
        JOINT.position.

        >>> import soadyn as sd
        >>> sd.load("ur5").parametric("tool0.mass").gravity_force([0.0] * 6, 2.5).shape
        (6,)
        """
        if self.engine.coordinates.tied:
            raise ArgumentError("a robot with tied mimic joints cannot be parametric")
        return ParametricRobot(self.model, names, self.backend)

    def operation_counts(
        self, quantity: str = "forward_dynamics", frame: str | None = None
    ) -> dict[str, dict[str, int]]:
        """How many additions, multiplications and so on a quantity takes on this robot, sweep by sweep.

        Constants are folded, zeros and ones vanish, what is computed twice counts once. `frame` is the frame of
        quantities that need one (the last link's by default).

        >>> import soadyn as sd
        >>> sd.load("planar_two_link").operation_counts("gravity_force")["hinge"]
        {'cos': 2, 'sin': 2}
        """
        check_name("quantity", quantity, QUANTITIES)
        link = self.model.n if frame is None else self.model.frame(frame).link
        return counted_operations(self.engine, QUANTITIES[quantity], link)

    # Other robots made from this one

    def with_gravity(self, gravity: ArrayLike) -> Robot:
        """The same robot under another gravity, (3,) in m/s^2.

        >>> import soadyn as sd
        >>> sd.load("ur5").with_gravity([0, 0, -1.62]).gravity
        array([ 0.  ,  0.  , -1.62])
        """
        return Robot(surgery.with_gravity(self.model, gravity), self.backend)

    def with_payload(
        self, link: str, mass: float, com: ArrayLike = (0.0, 0.0, 0.0), inertia: ArrayLike = surgery.ZERO
    ) -> Robot:
        """The robot holding a body: mass, mass centre and moment of inertia about it, in the axes of a link or frame.

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> round(arm.with_payload("tool0", 2.0).total_mass - arm.total_mass, 9)
        2.0
        """
        return Robot(surgery.with_payload(self.model, link, mass, com, inertia), self.backend)

    def with_inertial_parameters(self, parameters: ArrayLike) -> Robot:
        """The robot with other bodies, given as `inertial_parameters()` gives them, (10 links,).

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> arm.with_inertial_parameters(2 * arm.inertial_parameters()).total_mass / arm.total_mass
        2.0
        """
        x = real("parameters", parameters, meaning="ten for each link", of="with_inertial_parameters")
        if x.shape != (10 * len(self.model.visible),):
            raise ArgumentError(
                f"parameters has shape {x.shape}; expected ten for each of {len(self.model.visible)} links"
            )
        return Robot(surgery.with_bodies(self.model, x), self.backend)

    def lock(self, joints: str | Sequence[str], q: ArrayLike | Mapping[str, ArrayLike]) -> Robot:
        """The robot with some joints held where q has them; q is a configuration or {joint: coordinates}.

        >>> import soadyn as sd
        >>> arm = sd.load("ur5")
        >>> arm.lock(["elbow_joint"], arm.neutral()).nv
        5
        """
        space = self.engine.coordinates
        whole = q if isinstance(q, Mapping) else space.expand(arguments.coordinates(space, q))
        return Robot(surgery.lock(self.model, joints, whole), self.backend)

    def passive_arm(self, passive: PassiveLike, q: ArrayLike) -> Robot:
        """The robot of the passive joints: the active ones held where q has them. Its mass matrix is Mass_pp.

        >>> import soadyn as sd
        >>> flyer = sd.load("ets_vii")
        >>> flyer.passive_arm(["root"], flyer.neutral()).joint_names
        ('root',)
        """
        return self.lock(passive_arms.locked_for(self.engine.coordinates, passive, "passive"), q)

    def active_arm(self, passive: PassiveLike, q: ArrayLike) -> Robot:
        """The robot of the active joints: the passive ones held where q has them. Its mass matrix is Mass_aa.

        >>> import soadyn as sd
        >>> flyer = sd.load("ets_vii")
        >>> flyer.active_arm(["root"], flyer.neutral()).nv
        6
        """
        return self.lock(passive_arms.locked_for(self.engine.coordinates, passive, "active"), q)

    def reaction_null_space(
        self, q: ArrayLike, passive: PassiveLike = ("root",), undisturbed: PassiveLike | None = None
    ) -> np.ndarray:
        """The projector onto rates of the active joints that leave passive components still, (..., Na, Na).

            I - J⁺ J,    J: the rows of `disturbance_jacobian` that belong to `undisturbed`

        `undisturbed` names passive components as `passive` does; by default all that turn, a base's attitude.

        >>> import numpy as np, soadyn as sd
        >>> flyer = sd.load("dual_arm_flyer")
        >>> q = flyer.random_configuration(np.random.default_rng(0))
        >>> N = flyer.reaction_null_space(q)
        >>> turning = flyer.disturbance_jacobian(q, ["root"])[:3] @ N
        >>> N.shape, round(float(np.trace(N))), bool(abs(turning).max() < 1e-12)
        ((14, 14), 11, True)
        """
        rows = passive_arms.undisturbed_rows(self.engine.coordinates, passive, undisturbed)
        return passive_arms.null_space_projector(self.disturbance_jacobian(q, passive)[..., rows, :])

    def subtree(self, link: str, q: ArrayLike | None = None) -> Robot:
        """The reduced manipulator: a link and all beyond it, on the joint that carries it.

        >>> import soadyn as sd
        >>> sd.load("ur5").subtree("forearm_link").nv
        4
        """
        whole = None if q is None else self.engine.coordinates.expand(arguments.coordinates(self.engine.coordinates, q))
        return Robot(surgery.subtree(self.model, link, whole), self.backend)

    def attach(self, other: Robot, frame: str, name_prefix: str = "", weld: bool = False) -> Robot:
        """This robot with another standing on one of its frames; `weld` locks the other's free root, keeping its mass.

        >>> import soadyn as sd
        >>> sd.load("ur5").attach(sd.load("planar_two_link"), "tool0", name_prefix="hand_").nv
        8
        """
        if not isinstance(other, Robot):
            raise ArgumentError(f"attach takes another Robot, got {other!r:.80}")
        return Robot(surgery.attach(self.model, other.model, frame, name_prefix, weld), self.backend)

    def split_joint(self, joint: str) -> Robot:
        """The robot with a joint of several components replaced by single ones."""
        return Robot(surgery.split_joint(self.model, joint), self.backend)


attach_methods(Robot, fast=True)
attach_methods(Robot, fast=True, table=CLOSURE_QUANTITIES)
