"""Level 4 - programs: what every algorithm is before a backend runs it.

    Program = Stage ... Output ...
    Stage   = Sweep (a step at every link) | Climb, Pairs (columns of matrices) | Substitution (with such matrices)
            | Once (at the end of a sweep)

A stage reads values by name:

    x            this link's own value, an input's share of this link, a constant, or what a Once wrote
    parent.x     the parent's value (walking base to tip)
    children.x   the sum of the children's values (walking tip to base)
    ground.x     the sum over the links that hang on the ground (in a Once or afterwards)
    all.x        all links' values (in a Once): joint vectors side by side, what a Climb wrote as a symmetric matrix,
                 what Pairs wrote as it is
    frame.x      the value of the link that carries the call's frame; axes.x that of the link whose axes are wanted;
                 point$0.x, axes$0.x, ... the same for each of several frames
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, final

from soadyn.errors import ProgramError
from soadyn.mechanics.spatial.drift import Drift
from soadyn.mechanics.spatial.inertia import ArticulatedInertia, Inertia
from soadyn.mechanics.spatial.quadratic import Quadratic
from soadyn.mechanics.spatial.root import InertiaRoot
from soadyn.mechanics.spatial.transform import Transform
from soadyn.mechanics.spatial.vector import Column, Six, Spatial, Three
from soadyn.programs.sweep.inputs import INPUTS, further_order, is_frame, share_of
from soadyn.programs.sweep.stages import Climb as Climb
from soadyn.programs.sweep.stages import Direction as Direction
from soadyn.programs.sweep.stages import Once as Once
from soadyn.programs.sweep.stages import Pairs as Pairs
from soadyn.programs.sweep.stages import Read as Read
from soadyn.programs.sweep.stages import Stage as Stage
from soadyn.programs.sweep.stages import Step as Step
from soadyn.programs.sweep.stages import Substitution as Substitution
from soadyn.programs.sweep.stages import Sweep as Sweep
from soadyn.programs.sweep.stages import read_of as read_of
from soadyn.programs.sweep.stages import step_of as step_of

# What a model supplies for each link, and for all of them.
CONSTANTS = ("placement", "pitch", "start", "link_frame", "M", "A_r", "load", "gravity")

# Values that links hand to their children or parents, and what kind of value each is.
SHARED: dict[str, type] = {
    "pose": Transform,
    "V": Spatial,
    "alpha": Spatial,
    "ground_up": Spatial,
    "phi_f": Spatial,
    "phi_x": Spatial,
    "phi_z": Spatial,
    "phi_y": Spatial,
    "phi_h": Spatial,
    "phi_R": Inertia,
    "phi_N": Drift,
    "phi_N_hat": Three,
    "phi_x_q": Spatial,
    "phi_x_v": Spatial,
    "alpha_q": Spatial,
    "alpha_v": Spatial,
    "w_q": Column,
    "w_v": Column,
    "phi_P": ArticulatedInertia,
    "phi_lambda": ArticulatedInertia,
    "phi_S": InertiaRoot,
    "Upsilon": ArticulatedInertia,
    "V_new": Spatial,
    "phi_z_of_V": Quadratic,
    "phi_z_B": Six,
    "alpha_B": Six,
    "phi_Z": Six,
    "s_Q": Spatial,
    "S_Q": Six,
    "lambda_Q": Column,
}

# Of these, those whose sum over children is not the sum of their entries.
SUMMED_WHOLE = (InertiaRoot,)

# Values that can be given as zero instead of being computed; they are spatial vectors.
SPATIAL = ("a", "b", "f_external")


Layout = Literal[
    "coordinates",
    "joint",
    "joint matrix",
    "joint columns",
    "columns",
    "link",
    "link vectors",
    "link matrices",
    "sum",
    "whole",
    "matrix",
    "symmetric",
    "pairs",
    "solved",
    "blocks",
]


# An axis of a result: so many entries, or as many as the robot has coordinates, joint components, visible links, or
# inertial parameters (ten for each visible link).
Size = int | Literal["nq", "nv", "links", "parameters"]

# The shape of a result after the batch axes, where the layout decides it.
SHAPES: dict[Layout, tuple[Size, ...]] = {
    "coordinates": ("nq",),
    "joint": ("nv",),
    "joint matrix": ("nv", "nv"),
    "joint columns": ("nv", "nv"),
    "columns": (6, "nv"),
    "link": ("links", 4, 4),
    "link vectors": ("links", 6),
    "link matrices": ("links", 6, 6),
    "sum": (),
    "matrix": ("nv", "nv"),
    "symmetric": ("nv", "nv"),
    "pairs": ("nv", "nv"),
    "solved": ("nv", "nv"),
    "blocks": ("nv", "nv"),
}


@final
@dataclass(frozen=True, slots=True)
class Output:
    """A value to hand back, and how the links' shares are laid out.

    coordinates, joint, joint matrix (symmetric), joint columns, columns: side by side
    link, link vectors, link matrices: one for each visible link
    sum: over the links, of a number, or with `sizes` of a column    whole: as it is    blocks: block diagonal
    matrix, symmetric: what a Climb wrote, or one of Pairs without blocks (k,i)    pairs: what Pairs wrote
    solved: what Substitution wrote

    `sizes` is the shape after the batch axes where it is not the one that SHAPES gives for the layout.
    """

    value: str
    layout: Layout
    sizes: tuple[Size, ...] | None = None

    @property
    def shape(self) -> tuple[Size, ...]:
        return SHAPES[self.layout] if self.sizes is None else self.sizes


@final
@dataclass(frozen=True, slots=True)
class Derivative:
    """What a program computes besides its results x: how they change, or what they depend on.

    tangent    inputs "d:NAME" are directions of the inputs in `by`; the results "d:x" are the rates along them
    jacobian   results "j:NAME:x" are the derivatives of x by every entry of an input, along a last axis
    gradient   inputs "w:x" are weights of the results; the results "g:NAME" are the derivatives of the weighted sum
    second     of a program with the results X_q, X_v, X_u, or with θ̈ and an `implicit` that has them: the results are
               X_qq, X_vq, X_vv, X_uq instead
    first      of a program with the results θ̈ and λ and an `implicit` with loops: the results are θ̈_q, θ̈_v, θ̈_τ instead

    A direction of q, and a derivative by it, is along the tangent space: one number for each joint component, as in v.
    Names in `by` are inputs of the program, or parameters of a robot.
    """

    mode: Literal["tangent", "jacobian", "gradient", "second", "first"]
    by: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Implicit:
    """The equations of motion that a program solves: its first result is the θ̈ with T = inverse(q, v, θ̈).

    `at_rest` solves them without velocities, gravity and wrenches. Derivatives follow from both. Robots with closures
    also have `loops`, J_c* λ and J_c θ̈ + J̇_c v; their `inverse` has the derivatives T_q, T_v, M of the tree, and their
    `at_rest` the accelerations and closure forces that unit forces at the joints make.
    """

    inverse: Program
    at_rest: Program
    loops: Program | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Level 4 - a list of stages and what comes out; checked when it is made. A program equals only itself.

    `joint_space`: the results tell of links only what joints feel of them, so a backend may regroup inertias and choose
    where on their axes the links' frames stand. `alternatives` compute the same in other ways; straight-line code takes
    the one with the fewest operations on its robot. A program with `most_components` is tried as an alternative only on
    robots whose joints have no more components. `units` names a joint vector that is every unit vector in turn instead
    of an input: the results of each stand along a last axis. `derivatives` are computed too, each of all that comes
    before it; `implicit` is the rule for the first of them, where there is one.
    """

    name: str
    stages: tuple[Stage, ...]
    outputs: tuple[Output, ...]
    joint_space: bool = False
    alternatives: tuple[Program, ...] = ()
    units: str = ""
    derivatives: tuple[Derivative, ...] = ()
    implicit: Implicit | None = None
    most_components: int | None = None
    inputs: tuple[str, ...] = field(init=False)  # those read, in the order of INPUTS; further ones by kind and number

    def __post_init__(self) -> None:
        check(self)
        inputs = _inputs_of(self.stages)
        object.__setattr__(self, "inputs", tuple(name for name in inputs if name != self.units))


@lru_cache(maxsize=512)
def with_derivative(program: Program, derivative: Derivative) -> Program:
    """The program that also computes a derivative."""
    return replace(
        program,
        derivatives=(*program.derivatives, derivative),
        alternatives=tuple(with_derivative(same, derivative) for same in program.alternatives),
    )


@lru_cache(maxsize=512)
def without_derivatives(program: Program) -> Program:
    """The program alone."""
    return replace(program, derivatives=(), alternatives=tuple(map(without_derivatives, program.alternatives)))


def _inputs_of(stages: tuple[Stage, ...]) -> tuple[str, ...]:
    read = {read_of(text).name for stage in stages for text in free_reads(stage)}
    further = sorted((name for name in read if "$" in name), key=further_order)
    return (*(name for name in INPUTS if name in read), *further)


def kept_kind(name: str) -> str:
    """What a value is, whatever number it got when programs were combined: "alpha" for "alpha~2"."""
    return name.partition("~")[0]


@lru_cache(maxsize=512)
def summed_by_entries(program: Program) -> bool:
    """Is every sum over children one that loops can keep in memory, entry by entry?"""
    kinds = {SHARED.get(kept_kind(read_of(text).name)) for stage in program.stages for text in stage.reads}
    return kinds.isdisjoint(SUMMED_WHOLE)


def free_reads(stage: Stage) -> tuple[str, ...]:
    """What a stage reads that is not given as a constant."""
    given = {name for name, _ in stage.given}
    return tuple(name for name in stage.reads if name not in given)


def check(program: Program) -> None:
    """Each value is written once, read after it was written, and every sweep reads only against its direction."""
    written: dict[str, Stage] = {}
    for stage in program.stages:
        what = f"program {program.name!r}, step {step_of(stage).__name__!r}"
        for name in free_reads(stage):
            _check_read(name, stage, written, what)
        for name in stage.writes:
            if name in written or share_of(name) or name in CONSTANTS:
                raise ProgramError(f"{what} writes {name!r}, which is defined already")
            written[name] = stage
    for output in program.outputs:
        if output.value not in written:
            raise ProgramError(f"program {program.name!r} returns {output.value!r}, which nothing writes")
        if output.layout == "whole" and output.sizes is None:
            raise ProgramError(f"program {program.name!r} returns {output.value!r} whole and does not say its shape")


def _check_read(name: str, stage: Stage, written: dict[str, Stage], what: str) -> None:
    prefix, value = read_of(name)
    own = isinstance(stage, Sweep) and value in stage.writes
    if prefix in ("parent", "children"):
        needed = Direction.BASE_TO_TIP if prefix == "parent" else Direction.TIP_TO_BASE
        if not isinstance(stage, Sweep) or stage.direction is not needed:
            raise ProgramError(f"{what} reads {name!r}, but only a sweep {needed.value} can")
        if not own and value not in written:
            raise ProgramError(f"{what} reads {name!r} before {value!r} is written")
        if kept_kind(value) not in SHARED:
            raise ProgramError(f"{what} reads {name!r}, but {value!r} is not among the values that links share")
        grounded = {known for known, _ in stage.ground} | _grounded(written.values())
        if prefix == "parent" and value not in grounded:
            raise ProgramError(f"{what} reads {name!r}, but nothing says what the ground's {value!r} is")
    elif prefix == "ground" or is_frame(prefix) or (prefix == "all" and isinstance(stage, Once | Substitution)):
        if value not in written:
            raise ProgramError(f"{what} reads {name!r} before {value!r} is written")
    elif prefix:
        raise ProgramError(f"{what} reads {name!r}: no such prefix as {prefix!r}")
    elif value not in written and not share_of(value) and value not in CONSTANTS:
        raise ProgramError(f"{what} reads {name!r} before it is written")


def _grounded(stages: Iterable[Stage]) -> set[str]:
    return {name for stage in stages if isinstance(stage, Sweep) for name, _ in stage.ground}
