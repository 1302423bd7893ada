"""Stages of several programs as those of one: what they share is done once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from soadyn.programs.sweep.program import Climb, Output, Pairs, Program, Read, Stage, Sweep, read_of


def appended(stages: list[Stage], more: Iterable[Stage], names: dict[str, str]) -> list[Stage]:
    """Append the stages that are not there yet; returns all of `more` as they are there.

    `names` says what values are called otherwise; values that are written otherwise already are added to it.
    """
    there: list[Stage] = []
    for original in more:
        stage = renamed(original, names)
        taken = {name for earlier in stages for name in earlier.writes}
        if stage not in stages and taken & set(stage.writes):
            names.update((name, _fresh(name, taken)) for name in original.writes)
            stage = renamed(original, names)
        if stage not in stages:
            stages.append(stage)
        there.append(stage)
    return there


def _fresh(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}~{number}" in taken:
        number += 1
    return f"{name}~{number}"


def renamed(stage: Stage, names: Mapping[str, str]) -> Stage:
    """The same stage with some of the values it reads and writes called otherwise."""
    given = {name for name, _ in stage.given}

    def read(text: str) -> str:
        where, name = read_of(text)
        return text if text in given else str(Read(where, names.get(name, name)))

    def reads(many: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(read(name) for name in many)

    if isinstance(stage, Climb):
        written = (names.get(stage.writes[0], stage.writes[0]),)
        return replace(stage, own_reads=reads(stage.own_reads), row_reads=reads(stage.row_reads), writes=written)
    many = tuple(names.get(name, name) for name in stage.writes)
    if isinstance(stage, Pairs):
        return replace(stage, own_reads=reads(stage.own_reads), row_reads=reads(stage.row_reads), writes=many)
    changed = replace(stage, reads=reads(stage.reads), writes=many)
    if isinstance(changed, Sweep):
        changed = replace(changed, ground=tuple((names.get(name, name), step) for name, step in changed.ground))
    return changed


@lru_cache(maxsize=64)
def one_unit(program: Program) -> Program:
    """A program with `units` for one of those vectors, which is an input."""
    outputs = tuple(Output(output.value, output.layout) for output in program.outputs)
    return Program(program.name, program.stages, outputs, program.joint_space)
