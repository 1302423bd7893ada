"""Where robots come from: files, built-in robots, tables and code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, final

from numpy.typing import ArrayLike

from soadyn.errors import ArgumentError, ModelError
from soadyn.loading import BuiltinRobot, builtin_robots, load_model
from soadyn.model import builder, dh
from soadyn.model.assemble import MimicRule, Root, assemble
from soadyn.model.bodies import Body
from soadyn.model.coordinates import Coordinates
from soadyn.model.draft import Draft
from soadyn.model.drafting import STANDARD_GRAVITY, Drafting
from soadyn.model.poses import Pose
from soadyn.robot.closed.closing import one_configuration
from soadyn.robot.closed.redundancy import with_superfluous
from soadyn.robot.robot import Robot
from soadyn.view.display.tables import aligned


def load(
    source: str | PathLike[str],
    root: Root | None = None,
    mimic: MimicRule = "independent",
    strict: bool = False,
    package_roots: Sequence[str | PathLike[str]] = (),
    gravity: ArrayLike | None = None,
    closures: bool = True,
) -> Robot:
    """The robot in a URDF, SDF or MJCF file, in XML text, or built in under a name (`sd.robots()` lists those).

    root: "fixed" (the file's root link is part of the ground) or "free" (a free joint `root` carries it); by
        default as an SDF file and the catalogue of built-in robots say, and fixed for other files.
    mimic: "independent" (with a warning), or "tie" for fewer coordinates.
    strict: refuse physically impossible inertias, and what the file says and soadyn leaves out (loops, tendons,
        transmissions, ...), instead of telling it in warnings and `robot.notes`.
    package_roots: folders outside the file's own that the file may refer to.
    gravity: replaces the file's, (3,) in m/s^2.
    closures: False opens the loops and couplings of the file; what is left is told in `robot.notes`.

    >>> import soadyn as sd
    >>> sd.load("panda").nv
    7
    >>> sd.load("free_flyer").joint_names[0]
    'root'
    """
    model = load_model(source, root, mimic, strict, package_roots, gravity, closures)
    try:
        return Robot(model)
    except ModelError as error:
        if not model.closures:
            raise
        raise ModelError(f"{error}; closures=False loads the tree") from None


@final
class Catalogue(Mapping[str, BuiltinRobot]):
    """The built-in robots by name; it prints as a table."""

    def __getitem__(self, name: str) -> BuiltinRobot:
        return builtin_robots()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(builtin_robots())

    def __len__(self) -> int:
        return len(builtin_robots())

    def __repr__(self) -> str:
        head = ("name", "root", "what it is")
        return "\n".join(aligned([head, *((x.name, x.root, x.description) for x in self.values())]))


def robots() -> Catalogue:
    """The built-in robots by name: what each is, and the publication its figures come from.

    >>> import soadyn as sd
    >>> "ur5" in sd.robots()
    True
    >>> print(repr(sd.robots()).splitlines()[3])
    ur5              fixed  Universal Robots UR5, six joints
    """
    return Catalogue()


@final
class Builder(Drafting):
    """Collects links, joints and frames; every call checks what it is given. `robot()` makes the robot.

    >>> import soadyn as sd
    >>> b = sd.Builder("double pendulum")
    >>> upper = b.link("upper", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    >>> lower = b.link("lower", sd.Body(1.0, com=(0, 0, -1)), parent=upper, axis=(0, 1, 0), origin=(0, 0, -1))
    >>> b.robot().joint_names
    ('upper_joint', 'lower_joint')
    """

    def robot(
        self,
        root: Root = "fixed",
        mimic: MimicRule = "independent",
        strict: bool = False,
        near: ArrayLike | Mapping[str, Any] | None = None,
    ) -> Robot:
        """The robot of what was collected so far; `root`, `mimic` and `strict` as in `sd.load`.

        `root="free"` puts a free joint in place of the first link's weld to the ground. `near` is a configuration
        (nq,), or {joint: coordinates}, near which closures can be closed, where random starts do not find one.

        >>> import soadyn as sd
        >>> b = sd.Builder("pendulum")
        >>> bob = b.link("bob", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
        >>> b.robot().mass_matrix([0.0])
        array([[1.]])
        """
        model = self.model(root, mimic, strict)
        if near is not None and model.closures:
            model = with_superfluous(model, near=one_configuration(Coordinates(model), near, "Builder.robot"))
        return Robot(model)


def build(draft: Drafting | Draft, root: Root = "fixed", strict: bool = False) -> Robot:
    """The robot described in code by a Builder or a Draft.

    >>> import soadyn as sd
    >>> b = sd.Builder("pendulum")
    >>> bob = b.link("bob", sd.Body(1.0, com=(0, 0, -1)), axis=(0, 1, 0))
    >>> sd.build(b).nv
    1
    """
    drafted = draft.draft() if isinstance(draft, Drafting) else draft
    if not isinstance(drafted, Draft):
        raise ArgumentError(f"build takes a Builder or a Draft, got {draft!r:.80}")
    return Robot(assemble(drafted, root=root, strict=strict))


def chain(n: int, root: Root = "fixed", **options: Any) -> Robot:
    """A chain of n equal links; see `soadyn.model.builder.chain` for the options.

    >>> import soadyn as sd
    >>> sd.chain(5).nv, sd.chain(3, kind="spherical").nv
    (5, 9)
    """
    if isinstance(root, str) and root == "free":
        options.setdefault("base", Body(10.0, inertia=[[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]))
    return Robot(assemble(builder.chain(n, **options), root=root))


def from_dh(
    rows: Sequence[Any],
    convention: dh.Convention = "standard",
    bodies: Sequence[Body | None] | None = None,
    name: str = "dh_robot",
    base: Pose = None,
    tool: Pose = None,
    gravity: ArrayLike = STANDARD_GRAVITY,
    root: Root = "fixed",
    degrees: bool = False,
    base_body: Body | None = None,
) -> Robot:
    """The serial robot of a Denavit-Hartenberg table; rows are (a, alpha, d, theta[, kind]) or mappings.

    degrees: alpha and theta are in degrees.
    root: "fixed", or "free" for a robot that floats; then `base_body` is the body of its root link `base`.

    >>> import soadyn as sd
    >>> sd.from_dh([(0.5, 0, 0, 0), (0.4, 0, 0, 0)], bodies=[sd.Body(2.0), sd.Body(1.0)]).nv
    2
    """
    if isinstance(root, str) and root == "free" and base_body is None:
        raise ArgumentError('from_dh(root="free") needs the body of the root link; give base_body=sd.Body(...)')
    return Robot(assemble(dh.from_dh(rows, convention, bodies, name, base, tool, gravity, degrees, base_body), root))
