"""What help() and editors see of the public functions of simulation, control, viewing and interop."""

from __future__ import annotations

import inspect
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from soadyn import control, interop, simulation, view


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    for package in (simulation, control, view, interop):
        for name in package.__all__:
            thing = getattr(package, name)
            members = vars(thing).items() if inspect.isclass(thing) else [(name, thing)]
            for member, function in members:
                if inspect.isfunction(function) and not member.startswith("_"):
                    yield f"{name}.{member}", function


FUNCTIONS = dict(public())


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_signature_says_what_comes_back(function: Callable[..., Any]) -> None:
    assert inspect.signature(function).return_annotation is not inspect.Signature.empty
    assert "return" in typing.get_type_hints(function)


def test_warnings_of_control_point_at_the_callers_line() -> None:
    flyer = sd.load("free_flyer")
    demands = control.Demands(flyer, "tool")
    q = np.stack([flyer.neutral(), np.full(flyer.nq, np.nan)])
    for call in (
        lambda: control.measure_singularity(demands, q),
        lambda: control.link_momenta(flyer, q, np.zeros(flyer.nv)),
    ):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            call()
        assert heard
        assert {warning.filename for warning in heard} == {__file__}


def test_a_configuration_without_an_answer_has_no_singular_values() -> None:
    flyer = sd.load("free_flyer")
    q = np.stack([flyer.neutral(), np.full(flyer.nq, np.nan)])
    with sd.errstate("ignore"):
        found = control.measure_singularity(control.Demands(flyer, "tool"), q)
    np.testing.assert_array_equal(np.isnan(found.smallest), [False, True])
    np.testing.assert_array_equal(np.isnan(found.manipulability), [False, True])
