"""Formulas compiled for a robot: called like functions, applied like matrices, explained."""

from soadyn.robot.compiled.compile import compile_formulas
from soadyn.robot.compiled.compiled import Compiled
from soadyn.robot.compiled.named_program import CompiledProgram

__all__ = ["Compiled", "CompiledProgram", "compile_formulas"]
