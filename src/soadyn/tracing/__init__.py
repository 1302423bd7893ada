"""Recorded scalars: the link functions run on them once and leave a list of operations behind."""

from soadyn.tracing.functions import tracing_into
from soadyn.tracing.scalar import Graph, Scalar

__all__ = ["Graph", "Scalar", "tracing_into"]
