"""Formulas compiled for a robot: called like functions, applied like matrices, explained."""

from soadyn.compiled.compile import compile_formulas
from soadyn.compiled.compiled import Compiled
from soadyn.compiled.named_program import CompiledProgram

__all__ = ["Compiled", "CompiledProgram", "compile_formulas"]
