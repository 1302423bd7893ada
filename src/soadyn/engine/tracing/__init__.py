"""Recorded scalars: the link functions run on them once and leave a list of operations behind."""

from soadyn.engine.tracing.functions import tracing_into
from soadyn.engine.tracing.scalar import Graph, Scalar, TooLongError

__all__ = ["Graph", "Scalar", "TooLongError", "tracing_into"]
