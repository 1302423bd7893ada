"""What a row of the table of quantities holds, and the arguments that quantities can take."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, final

from soadyn.errors import ArgumentError
from soadyn.programs.sweep.closed import Shape, shape_of
from soadyn.programs.sweep.program import Program

if TYPE_CHECKING:
    from soadyn.model.model import Model


@final
@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a quantity: how it is written in a signature, its type there, and what it means.

    `reading` tells arguments of one name apart that are read in different ways.
    """

    name: str
    default: str | None
    annotation: str
    meaning: str
    reading: str = ""

    @property
    def kind(self) -> str:
        """The name under which rows of the table list the argument."""
        return self.reading or self.name

    @property
    def usual(self) -> Any:
        """The value of an argument that is not given."""
        assert self.default is not None
        return ast.literal_eval(self.default)


_PASSIVE = "joint names, (name, component) pairs, or booleans "

ARGUMENTS = MappingProxyType(
    {
        argument.kind: argument
        for argument in (
            Argument("q", None, "ArrayLike", "coordinates, (..., nq)"),
            Argument("v", None, "ArrayLike", "joint rates, (..., nv)"),
            Argument("a", None, "ArrayLike", "joint accelerations, (..., nv)"),
            Argument("tau", None, "ArrayLike", "joint forces, (..., nv)"),
            Argument("nu", None, "ArrayLike", "normalized rates, (..., nv)"),
            Argument("epsilon", None, "ArrayLike", "normalized forces, (..., nv)"),
            Argument("xi", None, "ArrayLike", "total joint rates, (..., nv)"),
            Argument("kappa", None, "ArrayLike", "working joint forces, (..., nv)"),
            Argument("x", None, "ArrayLike", "one number for each active component, in the order of v, (..., Na)"),
            Argument("y", None, "ArrayLike", "one number for each passive component, in the order of v, (..., Np)"),
            Argument("f", None, "ArrayLike", "a wrench [moment; force] at the frame's origin, along `axes`, (..., 6)"),
            Argument("frame", None, "FrameLike", "a link, a frame, or (name, 4x4 offset)"),
            Argument("frames", None, "FrameLike | list[FrameLike]", "a frame as of `jacobian`, or a list of m of them"),
            Argument(
                "a", "None", "ArrayLike | None", "accelerations; only active entries are read, (..., nv)", "active a"
            ),
            Argument(
                "tau", "None", "ArrayLike | None", "forces; only passive entries are read, (..., nv)", "passive tau"
            ),
            Argument(
                "passive",
                "()",
                "PassiveLike",
                _PASSIVE + "(..., nv): the components whose force is known",
                "passive sets",
            ),
            Argument("passive", "()", "PassiveLike", _PASSIVE + "(nv,): the components without a motor", "passive set"),
            Argument(
                "external",
                "None",
                "ExternalLike | None",
                "wrenches [moment; force] on the links, (..., links, 6), or a dict frame -> (..., 6)",
            ),
            Argument(
                "axes", '"world"', "FrameLike", '"world", "local" or a frame along whose axes the result is given'
            ),
            Argument(
                "square_root",
                '"cholesky"',
                "str",
                'of the D(k) of joints with several components: "cholesky" (lower triangular) or "symmetric"',
            ),
            Argument("about", '"origin"', "ArrayLike | str", '"origin" of the world, "com" or a point (..., 3)'),
        )
    }
)


@final
@dataclass(frozen=True, slots=True)
class OnClosed:
    """What a quantity means on robots with closures, in words; where it is refused, what to ask for instead.

    A quantity of the "closed" robot has the program that `program` makes for its closures.
    """

    kind: Literal["tree", "closed", "refused"]
    says: str
    program: Callable[[Shape], Program] | None = None


TREE = OnClosed("tree", "what it means on the tree")


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """A row of the table. `results` are the shapes after the batch axes, `unit` those of the entries.

    `source` is a program, or makes one from a formula. `parts` says which part of the program's output each result is,
    where it is not the whole: for each axis after the batch's "a" for active components, "p" for passive ones, "." for
    all, "A" or "P" for all with zeros for passive or active ones; in front "-" if the sign changes. `arguments` are
    kinds of `ARGUMENTS`. `needs_mass`: undefined without mass. `symmetric` is the program with the symmetric square
    root of D, where `square_root` is an argument. `by`: each result is a tuple with one of the `results` for each of
    these arguments. `with_motors`: a Robot's method also finds the forces of `motors` alone. `on_closed` is what it
    means on robots with closures.
    """

    name: str
    source: Program | Callable[[], Program]
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    unit: str
    equation: str
    doc: str
    example: str
    parts: tuple[str, ...] = ()
    needs_mass: bool = False
    symmetric: Program | None = None
    by: tuple[str, ...] = ()
    with_motors: bool = False
    on_closed: OnClosed = TREE

    def program_on(self, model: Model) -> Program:
        """The program for a robot, whether it has closures or not."""
        if not model.closures:
            return self.program
        if self.on_closed.kind == "refused":
            raise ArgumentError(f"{self.name} of robot {model.name!r}, which has closures: {self.on_closed.says}")
        return self.program if self.on_closed.program is None else self.on_closed.program(shape_of(model))

    @property
    def program(self) -> Program:
        """The program; one that comes from a formula is made when first asked for."""
        return self.source if isinstance(self.source, Program) else self.source()

    @property
    def parameters(self) -> tuple[Argument, ...]:
        return tuple(ARGUMENTS[name] for name in self.arguments)

    @property
    def in_turn(self) -> bool:
        """Is the program run for every unit vector in turn?"""
        return isinstance(self.source, Program) and bool(self.source.units)
