"""Every error soadyn raises, and how bad rows of a batch are reported."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Literal

# Letters that steer a terminal or hide in a line: controls, formats (such as those that turn the order of letters),
# halves of letters, ends of lines and paragraphs.
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    """The text with letters that nobody sees spelled out, as JSON spells them; newlines and tabs stay.

    >>> print(visible("\u202egnp.exe"))
    \\u202egnp.exe
    """
    if text.isprintable():
        return text
    return "".join(_spelled(c) if c not in "\n\t" and unicodedata.category(c) in _UNSEEN else c for c in text)


def _spelled(letter: str) -> str:
    digits = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{digits[k : k + 4]}" for k in range(0, len(digits), 4))


class SoadynError(Exception):
    """The root of every error raised by soadyn.

    >>> import soadyn as sd
    >>> try:
    ...     sd.load("planar_two_link").mass_matrix([0.0])
    ... except sd.SoadynError as error:
    ...     print(type(error).__name__)
    ShapeError
    """

    def __str__(self) -> str:
        """The message, safe to print whatever names are in it."""
        return visible(super().__str__())


class ModelError(SoadynError, ValueError):
    """A robot, or the file that describes one, makes no sense.

    >>> import soadyn as sd
    >>> sd.Body(-2.0)
    Traceback (most recent call last):
    soadyn.errors.ModelError: a body's mass must be a finite number, zero or more (kg), got -2.0
    """


class SpaceError(SoadynError, TypeError):
    """An operator formula joins spaces that do not fit.

    >>> from soadyn.algebra import H, psi
    >>> H @ psi.T
    Traceback (most recent call last):
    soadyn.errors.SpaceError: H @ psi.T: H takes a link force, but psi.T gives a link motion (is psi meant?)
    """


class FormulaError(SoadynError, ValueError):
    """The text of a formula cannot be read; the message marks the place.

    >>> from soadyn.algebra import formula
    >>> try:
    ...     formula("H @ (phi")
    ... except FormulaError as error:
    ...     print(error)
    this bracket is never closed
        H @ (phi
            ^
    """


class ShapeError(SoadynError, ValueError):
    """An array has the wrong shape, type or length.

    >>> import soadyn as sd
    >>> sd.chain(2).mass_matrix([0.0])
    Traceback (most recent call last):
    soadyn.errors.ShapeError: argument 'q' has shape (1,); expected (..., 2), the 2 coordinates of robot 'chain_2'
    """


class UnknownNameError(SoadynError, LookupError):
    """A joint, link, frame, robot or quantity that does not exist was named.

    >>> import soadyn as sd
    >>> sd.load("planar_two_link").pose([0.0, 0.0], "tol")
    Traceback (most recent call last):
    soadyn.errors.UnknownNameError: unknown frame 'tol' of robot 'planar_two_link'. Did you mean 'tool'?
    """


class ArgumentError(SoadynError, ValueError):
    """An argument is missing, superfluous or contradicts another.

    >>> import soadyn as sd
    >>> sd.simulate(sd.load("planar_two_link"), [0.0, 0.0], duration=-1.0)
    Traceback (most recent call last):
    soadyn.errors.ArgumentError: simulate: duration must be a positive number, got -1.0
    """


class FrozenError(SoadynError, AttributeError):
    """Something that cannot be changed was about to be.

    >>> import soadyn as sd
    >>> try:
    ...     sd.load("planar_two_link").name = "mine"
    ... except sd.FrozenError as error:
    ...     print(str(error)[:42])
    a Robot cannot be changed (setting 'name')
    """


class ProgramError(SoadynError, ValueError):
    """A program reads what nothing wrote, or walks the tree the wrong way.

    >>> from soadyn.quantities import QUANTITIES
    >>> from soadyn.programs.sweep import Program
    >>> program = QUANTITIES["forward_dynamics"].program
    >>> Program("half of it", stages=program.stages[-1:], outputs=program.outputs)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    soadyn.errors.ProgramError: ...
    """


class SingularError(SoadynError, ArithmeticError):
    """A row of a batch has no answer: a non-finite input, a vanishing quaternion or a singular D(k).

    >>> import numpy as np, soadyn as sd
    >>> with sd.errstate("raise"):
    ...     sd.load("planar_two_link").gravity_force([np.nan, 0.0])
    Traceback (most recent call last):
    soadyn.errors.SingularError: gravity_force: argument 'q' is not finite
    """


class ModelWarning(UserWarning):
    """A robot loads, but something in its file deserves a look.

    >>> import warnings
    >>> import soadyn as sd
    >>> b = sd.Builder("odd")
    >>> plate = b.link("plate", sd.Body(1.0, inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 9]]))
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     odd = b.robot()
    >>> caught[0].category.__name__, "triangle inequality" in str(caught[0].message)
    ('ModelWarning', True)
    """


def unknown_name(what: str, name: object, known: Iterable[str], of: str = "") -> UnknownNameError:
    """The error for a name that is not there, with the nearest names that are; `of` says whose names they are."""
    names = list(known)
    near = _nearest(str(name), names)
    if near:
        hint = f" Did you mean {' or '.join(repr(n) for n in near)}?"
    elif names:
        hint = f" Known: {', '.join(repr(n) for n in names[:12])}{', ...' if len(names) > 12 else '.'}"
    else:
        hint = " There are none."
    return UnknownNameError(f"unknown {what} {name!r:.200}{f' of {of}' if of else ''}.{hint}")


def _nearest(name: str, names: list[str]) -> list[str]:
    """The nearest names; whoever writes capitals differently is as near as can be."""
    written = {str(known).casefold(): known for known in reversed(names)}
    return [written[near] for near in get_close_matches(name.casefold(), written, n=3, cutoff=0.5)]


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


def bad_rows_are_told() -> bool:
    """Does anyone hear why rows have no answer, as `errstate` has it?"""
    return _bad_rows.get() != "ignore"


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
    warnings.warn(visible(message), category, stacklevel=level)
