"""Level 4 - the stages of a program: sweeps, columns that climb, and steps that run once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, final

Step = Callable[..., Any]


class Read(NamedTuple):
    """What a stage reads: a value's own name, and where it is read: "" at the link itself, else see `program`."""

    where: str
    name: str

    def __str__(self) -> str:
        return f"{self.where}.{self.name}" if self.where else self.name


@lru_cache(maxsize=4096)
def read_of(text: str) -> Read:
    """What is written "parent.alpha", or "alpha"."""
    where, _, name = text.rpartition(".")
    return Read(where, name)


class Direction(Enum):
    """Which way a sweep walks; EVERY_LINK needs no order."""

    TIP_TO_BASE = "tip to base"
    BASE_TO_TIP = "base to tip"
    EVERY_LINK = "every link"


@final
@dataclass(frozen=True, slots=True)
class Sweep:
    """Level 4 - one walk over the tree. `step` is a Level 5-7 function of the joint kind and the values read.

    `ground` supplies what links on the ground read of their parent, each as a function of gravity. `given`
    replaces values by the constants 0 or 1, or a joint vector by "identity": as many columns as there are components.
    A sweep that is `apart` starts a walk of its own, even if the one before goes the same way.
    """

    direction: Direction
    step: Step
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    ground: tuple[tuple[str, Step], ...] = ()
    given: tuple[tuple[str, float | str], ...] = ()
    apart: bool = False


@final
@dataclass(frozen=True, slots=True)
class Climb:
    """Level 4 - a block upper triangular matrix: from each link k, `own` starts columns that climb to its ancestors.

    `own(k)` gives the block (k,k) and a spatial value x; carried inward by φ, each ancestor i adds the
    block (i,k) = row(i, x). Hidden links start no columns if `visible_only`.
    """

    own: Step
    own_reads: tuple[str, ...]
    row: Step
    row_reads: tuple[str, ...]
    writes: tuple[str]
    given: tuple[tuple[str, float | str], ...] = ()
    visible_only: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own_reads, *self.row_reads, "phi")))

    def begin(self, *values: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What Pairs.own returns."""
        block, x = self.own(*values)
        return (block,), (x,)

    def take(self, *values: Any) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
        """What Pairs.row returns."""
        return (self.row(*values),), (None,), values[-1:]


@final
@dataclass(frozen=True, slots=True)
class Pairs:
    """Level 4 - matrices with a block for every link and each of its ancestors, and back: columns climb as in a Climb.

    `own(k)` gives the blocks (k,k) of all matrices, and the values that climb: spatial forces, carried inward by φ, and
    couples (..., 3, m), which only turn. At each ancestor i `row(i, values)` gives the blocks (i,k); the blocks (k,i),
    None for matrices that have none; and the values that climb on.
    """

    own: Step
    own_reads: tuple[str, ...]
    row: Step
    row_reads: tuple[str, ...]
    writes: tuple[str, ...]
    given: tuple[tuple[str, float | str], ...] = ()
    visible_only: ClassVar[bool] = False

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own_reads, *self.row_reads, "phi")))

    @property
    def begin(self) -> Step:
        return self.own

    @property
    def take(self) -> Step:
        return self.row


@final
@dataclass(frozen=True, slots=True)
class Substitution:
    """Level 4 - U* Z = X solved from the base to the tips, for matrices that one Pairs wrote: U, X, ..., and D⁻¹.

    U is block upper triangular, its diagonal blocks the identity. D⁻¹ is block diagonal; of it comes U⁻* D⁻¹ U⁻¹, which
    is symmetric. `step(U, X, ..., D⁻¹)` gives them all; rolled kernels do the same.
    """

    step: Step
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    given: tuple[tuple[str, float | str], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Once:
    """Level 4 - a step that runs once, on values of the ground, of the frame's link or of an earlier Once."""

    step: Step
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    given: tuple[tuple[str, float | str], ...] = ()


Stage = Sweep | Climb | Pairs | Substitution | Once


def step_of(stage: Stage) -> Step:
    """The step that says what a stage does."""
    return stage.own if isinstance(stage, Climb | Pairs) else stage.step
