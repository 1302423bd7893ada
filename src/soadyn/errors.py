"""Every error soadyn raises, and how bad rows of a batch are reported."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Literal


class SoadynError(Exception):
    """The root of every error raised by soadyn."""


class ModelError(SoadynError, ValueError):
    """A robot, or the file that describes one, makes no sense."""


class SpaceError(SoadynError, TypeError):
    """An operator formula joins spaces that do not fit."""


class FormulaError(SoadynError, ValueError):
    """The text of a formula cannot be read; the message marks the place."""


class ShapeError(SoadynError, ValueError):
    """An array has the wrong shape, type or length."""


class UnknownNameError(SoadynError, LookupError):
    """A joint, link, frame, robot or quantity that does not exist was named."""


class ArgumentError(SoadynError, ValueError):
    """An argument is missing, superfluous or contradicts another."""


class FrozenError(SoadynError, AttributeError):
    """Something that cannot be changed was about to be."""


class ProgramError(SoadynError, ValueError):
    """A program reads what nothing wrote, or walks the tree the wrong way."""


class SingularError(SoadynError, ArithmeticError):
    """A row of a batch has no answer: a non-finite input, a vanishing quaternion or a singular D(k)."""


class ModelWarning(UserWarning):
    """A robot loads, but something in its file deserves a look."""


def unknown_name(what: str, name: object, known: Iterable[str], of: str = "") -> UnknownNameError:
    """The error for a name that is not there, with the nearest names that are; `of` says whose names they are."""
    names = list(known)
    near = get_close_matches(str(name), names, n=3, cutoff=0.5)
    if near:
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?"
    elif names:
        shown = ", ".join(repr(n) for n in names[:12]) + (", ..." if len(names) > 12 else "")
        hint = f" Known: {shown}."
    else:
        hint = " There are none."
    return UnknownNameError(f"unknown {what} {name!r:.200}{f' of {of}' if of else ''}.{hint}")


def check_name(what: str, name: object, known: Collection[str], of: str = "") -> None:
    """Refuse whatever is not one of the known names; that it is text at all is checked too."""
    if not isinstance(name, str) or name not in known:
        raise unknown_name(what, name, known, of)


# How the file names of soadyn's code begin: modules, and methods made from tables (see `robot.methods`).
OWN_CODE = (os.path.dirname(__file__) + os.sep, "<soadyn ")

BadRows = Literal["warn", "raise", "ignore"]
_bad_rows: ContextVar[BadRows] = ContextVar("soadyn_bad_rows", default="warn")


@contextlib.contextmanager
def errstate(bad_rows: BadRows) -> Iterator[None]:
    """Choose what a bad row does inside a `with` block: "warn" (the default), "raise" or "ignore".

    A bad row (non-finite input, vanishing quaternion, singular D(k)) always comes out NaN.

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> with sd.errstate("ignore"):
    ...     arm.gravity_force([np.nan, 0.0])
    array([nan, nan])
    """
    if not isinstance(bad_rows, str) or bad_rows not in ("warn", "raise", "ignore"):
        raise ArgumentError(f'errstate takes "warn", "raise" or "ignore", got {bad_rows!r}')
    token = _bad_rows.set(bad_rows)
    try:
        yield
    finally:
        _bad_rows.reset(token)


def report_bad_rows(summary: str, first: str) -> None:
    """Warn with `summary`, raise with `first` (row, link and axis), or stay silent, as `errstate` says."""
    match _bad_rows.get():
        case "raise":
            raise SingularError(first)
        case "warn":
            warn_caller(summary, RuntimeWarning)
        case "ignore":
            pass


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the innermost line that is not soadyn's own, however many calls lie between."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN_CODE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
