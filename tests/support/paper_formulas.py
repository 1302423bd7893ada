"""Formulas that the five papers print, applied to vectors: those of `sd.papers` that are no programs."""

from __future__ import annotations

from soadyn.theory.literature.as_written import AS_WRITTEN
from soadyn.theory.literature.entry import PaperFormula
from soadyn.theory.literature.table import papers

__all__ = ["PAPER_FORMULAS", "PaperFormula"]

PAPER_FORMULAS = tuple(x for x in papers.values() if isinstance(x, PaperFormula) and x not in AS_WRITTEN)
