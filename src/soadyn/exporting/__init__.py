"""Quantities and feedbacks of one robot as C for real-time controllers: a trace, its constants folded, as C99 text.

trace -> statements -> parts -> source and header
"""

from soadyn.exporting.comments import Description
from soadyn.exporting.export import export_c
from soadyn.exporting.source import c_source

__all__ = ["Description", "c_source", "export_c"]
