"""The version of soadyn."""

__version__ = "0.1.0"
