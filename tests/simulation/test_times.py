"""When states are recorded, how many steps and records there may be, and how far a simulation is."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import soadyn as sd
from small_robots import slider
from soadyn import progress
from soadyn.engine import host
from soadyn.simulation import simulate
from soadyn.simulation.run import times
from soadyn.simulation.run.times import record_times


def test_records_come_at_even_times_and_at_the_end():
    np.testing.assert_allclose(record_times(1.0, 0.3), [0, 0.3, 0.6, 0.9, 1.0])
    np.testing.assert_allclose(record_times(0.3, 0.1), [0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(record_times(0.1, 0.5), [0, 0.1])
    run = simulate(slider(), [0.0], [1.0], duration=0.1, step=0.03, record_every=0.04)
    np.testing.assert_allclose(run.t, [0, 0.04, 0.08, 0.1], atol=1e-15)
    np.testing.assert_allclose(run.q[:, 0], run.t, atol=1e-15)


def test_progress_is_told_after_every_step():
    told = []
    simulate(slider(), [0.0], duration=0.1, step=0.02, record_every=0.1, progress=lambda t, end: told.append((t, end)))
    np.testing.assert_allclose(told, [(0.02 * i, 0.1) for i in range(1, 6)])


# Steps and records


@pytest.mark.parametrize("record", [1e10, 6.0, 1e300])
def test_a_record_longer_than_the_motion_keeps_its_start_and_its_end(record):
    run = simulate(slider(), [0.0], [1.0], duration=0.1, step=0.01, record_every=record)
    np.testing.assert_allclose(run.t, [0.0, 0.1])
    np.testing.assert_allclose(run.q[:, 0], [0.0, 0.1], atol=1e-14)


@pytest.mark.parametrize("step", [1e-320, 1e-300, 5e-18])
@pytest.mark.parametrize("record", [None, 1.0])
def test_steps_that_never_end_are_refused(step, record):
    with pytest.raises(sd.ArgumentError, match=rf"step = {step:g} s divides the duration of 5 s into .* steps"):
        simulate(slider(), [0.0], duration=5.0, step=step, record_every=record)


def test_more_records_than_memory_holds_are_refused(monkeypatch):
    for record in (1e-320, 1e-12):
        with pytest.raises(
            sd.ArgumentError, match=rf"simulate: record_every = {record:g} s records .* GB; expected at most"
        ):
            simulate(slider(), [0.0], duration=1.0, step=0.1, record_every=record)
    with pytest.raises(sd.ArgumentError, match=r"simulate: step = 1e-09 s records 1e\+09 states"):
        simulate(slider(), [0.0], duration=1.0, step=1e-9)
    monkeypatch.setattr(times, "machine_memory", lambda: 3e5)
    simulate(slider(), [0.0], duration=1.0, step=0.01)
    with pytest.raises(sd.ArgumentError, match="records 101 states"):  # a batch takes more
        simulate(slider(), np.zeros((100, 1)), duration=1.0, step=0.01)


def test_a_machine_that_does_not_tell_its_memory_has_some(monkeypatch):
    monkeypatch.delattr(host.os, "sysconf", raising=False)
    assert host.machine_memory() == host.UNKNOWN_MEMORY
    simulate(slider(), [0.0], duration=0.1, step=0.01)


# The bar

ERASED = "\x1b[1A\x1b[2K"  # the cursor goes up a line, which is wiped out


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by 0.05 s whenever it is read."""
    now = iter(np.arange(0.0, 1e6, 0.05))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: float(next(now))))


def test_a_bar_grows_on_a_terminal_and_is_taken_away(monkeypatch, clock):
    monkeypatch.setattr(sys, "stderr", Terminal())
    simulate(slider(), [0.0], duration=2.0, step=0.02, progress=True)
    drawn = sys.stderr.getvalue()
    shares = [int(found) for found in re.findall(r"(\d+)%", drawn)]
    assert 20 < len(shares) < 60  # not at every one of the 100 steps
    assert shares == sorted(shares)
    assert "of 2 s" in drawn
    assert drawn.endswith(ERASED)


def test_without_a_terminal_there_is_no_bar_unless_always(monkeypatch, clock):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    simulate(slider(), [0.0], duration=1.0, step=0.02, progress=True)
    assert not sys.stderr.getvalue()
    simulate(slider(), [0.0], duration=1.0, step=0.02, progress="always")
    assert "of 1 s" in sys.stderr.getvalue()
    for nobody in (None, False):
        monkeypatch.setattr(sys, "stderr", Terminal())
        simulate(slider(), [0.0], duration=1.0, step=0.02, progress=nobody)
        assert not sys.stderr.getvalue()


def test_an_interrupt_takes_the_bar_away_and_keeps_what_is_done(monkeypatch, clock):
    class Impatient(Terminal):
        patient = True

        def write(self, text):
            if self.patient and re.search(r" 5\d%", text):
                self.patient = False
                raise KeyboardInterrupt
            return super().write(text)

    monkeypatch.setattr(sys, "stderr", Impatient())
    run = simulate(slider(), [0.0], [1.0], duration=2.0, step=0.02, progress=True)
    assert run.interrupted
    assert run.t[-1] == pytest.approx(1.0, abs=0.1)
    assert sys.stderr.getvalue().endswith(ERASED)


@pytest.mark.parametrize("broken", [BrokenPipeError, ValueError])
def test_a_terminal_that_goes_away_does_not_stop_a_simulation(monkeypatch, clock, broken):
    class Gone(Terminal):
        def write(self, text):
            raise broken

    monkeypatch.setattr(sys, "stderr", Gone())
    assert not simulate(slider(), [0.0], duration=1.0, step=0.02, progress=True).interrupted
    monkeypatch.setattr(sys, "stderr", None)
    assert not simulate(slider(), [0.0], duration=1.0, step=0.02, progress=True).interrupted


@pytest.mark.parametrize("wrong", ["yes", 1, np.array([True])])
def test_something_else_than_progress_is_named(wrong):
    with pytest.raises(sd.ArgumentError, match=r'progress takes True, False, "always" or a function'):
        simulate(slider(), [0.0], duration=1.0, step=0.02, progress=wrong)
