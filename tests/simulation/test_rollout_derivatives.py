"""Derivatives of simulations: against complex steps of the recorded step, and of one way against the other."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd
from soadyn.engine.tracing.evaluating import evaluated
from soadyn.simulation.derivatives import gradients
from soadyn.simulation.run.machine import Machine
from soadyn.simulation.run.stretches import stretches

TINY = 1e-30


def last_state(run, changes):
    """The last state of a run on numbers of any kind: the recorded step computed operation by operation.

    `changes` adds to the first values of states and to what is held, by name: (n, K) for K motions at once.
    """
    machine = Machine(run.derivatives.problem)
    step = machine.record()
    ports = machine.ports

    def values(name, x):
        return x.ravel()[:, None] + changes.get(name, 0.0)

    state = {p: values(p.name, machine.first[p.name][0]) for p in ports.state}
    for stretch in stretches(run.derivatives.problem, 10**9):
        machine.begin(stretch)
        streams = [x[0] for x in machine.streams_of(stretch)]
        for i in range(stretch.steps):
            given = dict(state)
            given |= {p: values(p.name, machine.held[p.name][0]) for p in ports.held}
            given |= {p: values(p.name, x[i]) for p, x in zip(ports.streamed, streams, strict=True)}
            known = {x.node: v for p, row in given.items() for x, v in zip(step.inputs[p], row, strict=True)}
            found = iter(evaluated(step.graph, step.results, known))
            state = {p: [next(found) for _ in range(p.count)] for p in ports.state}
    return {p.name: np.array(np.broadcast_arrays(*x)) for p, x in state.items() if x}


def straight(robot):
    return sd.Robot(robot.model, backend="straight")


def test_directions_are_those_of_complex_steps(rng):
    arm = straight(sd.load("planar_two_link"))
    torque = sd.TimeSeries([0.0, 0.1, 0.2], rng.standard_normal((3, 2)))
    laws = [sd.Spring("joint2", 5.0), sd.Damper("joint1", 0.2)]
    run = sd.simulate(arm, [0.3, -0.2], [1.0, 0.5], control=torque, duration=0.2, step=0.01, joint_forces=laws)
    dq, dv, du = rng.standard_normal((3, 2))
    found = run.jvp(q0=dq, v0=dv, control=sd.TimeSeries([0.0, 1.0], [du, du]))
    truth = last_state(run, {"q": _way(dq), "v": _way(dv), "tau": _way(du)})
    np.testing.assert_allclose(found[0], truth["q"][:, 0].imag / TINY, rtol=1e-9)
    np.testing.assert_allclose(found[1], truth["v"][:, 0].imag / TINY, rtol=1e-9)


def _way(d):
    return 1j * TINY * d[:, None]


@pytest.mark.slow
def test_the_gradient_of_a_thousand_steps():
    arm = sd.load("ur5")
    rng = np.random.default_rng(4)
    q0, v0 = 0.3 * rng.standard_normal((2, 6))
    run = sd.simulate(
        arm, q0, v0, control=np.zeros(6), duration=1.0, step=0.001, record_every=1.0, stops=False, effort_limit=None
    )
    w = rng.standard_normal((2, 6))
    found = run.vjp(*w)
    ways = 1j * TINY * np.eye(6)
    rest = np.zeros((6, 6))
    ends = last_state(run, {"q": np.hstack([ways, rest]), "tau": np.hstack([rest, ways])})
    truth = np.split((w[0] @ ends["q"].imag + w[1] @ ends["v"].imag) / TINY, 2)
    for name, x in zip(("q0", "control"), truth, strict=True):
        np.testing.assert_allclose(found[name], x, rtol=1e-8, atol=1e-8 * np.abs(x).max())


def checked_both_ways(run, rng, **along):
    """w · (J d) = (w J) · d, batch by batch."""
    nv = run.v.shape[-1]
    w = rng.standard_normal((2, *run.v.shape[1:]))
    dq, dv = run.jvp(**along)
    found = run.vjp(*w)
    left = (w[0] * dq + w[1] * dv).sum(axis=-1)
    right = np.zeros(left.shape)
    for name, d in along.items():
        if isinstance(d, sd.TimeSeries):
            axes = (0, -1)
            right = right + (found[name] * d.values.reshape(len(d.values), *(1,) * left.ndim, -1)).sum(axis=axes)
        else:
            x = found[name] * d
            right = right + x.reshape(*left.shape, -1).sum(axis=-1)
    np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9 * np.abs(left).max())
    return nv


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "diagonalized"])
@pytest.mark.heavy(2)
def test_both_ways_agree(method, rng):
    arm = straight(sd.load("planar_two_link"))
    run = sd.simulate(
        arm, rng.standard_normal((3, 2)), None, control=[1.0, 2.0], duration=0.1, step=0.01, method=method
    )
    checked_both_ways(run, rng, q0=rng.standard_normal((3, 2)), v0=rng.standard_normal((3, 2)), control=[0.3, -0.2])


def test_both_ways_agree_on_a_free_base_with_wrenches(rng):
    robot = straight(sd.chain(2, root="free"))
    wrench = rng.standard_normal((len(robot.link_names), 6))
    run = sd.simulate(
        robot, robot.random_configuration(rng, 2), None, control=None, duration=0.1, step=0.01, external=wrench
    )
    checked_both_ways(run, rng, q0=rng.standard_normal((2, robot.nv)), external=rng.standard_normal(wrench.shape))


def test_both_ways_agree_for_feedbacks_and_parameters(rng, monkeypatch):
    from soadyn.simulation.run import rollout

    monkeypatch.setattr(rollout, "FEWEST_STEPS", 1)
    monkeypatch.setattr(rollout, "STEPS_PER_OPERATION", 0.0)
    arm = sd.load("planar_two_link")
    hold = sd.control.JointFeedback(arm, sd.TimeSeries([0.0, 0.05, 0.2], rng.standard_normal((3, 2))),
                                    stiffness=20.0, damping=3.0)  # fmt: skip
    varied = arm.parametric("link2.mass", "joint1.damping", "joint2.friction")
    values = {"link2.mass": np.array([1.0, 2.0]), "joint1.damping": [0.1], "joint2.friction": [0.05]}
    run = sd.simulate(varied, [0.1, 0.2], [1.0, -1.0], control=hold, duration=0.2, step=0.01, parameters=values)
    along = {"q": sd.TimeSeries([0.0, 0.05, 0.2], rng.standard_normal((3, 2))), "q0": [0.3, 0.4]}
    along |= {"link2.mass": 0.7, "joint1.damping": [0.2], "joint2.friction": [-0.1]}
    checked_both_ways(run, rng, **along)


def test_weights_of_all_records_add_up(rng):
    arm = straight(sd.load("planar_two_link"))
    torque = sd.TimeSeries([0.0, 0.05, 0.1], rng.standard_normal((3, 2)))
    run = sd.simulate(
        arm, rng.standard_normal((4, 2)), None, control=torque, duration=0.1, step=0.005, record_every=0.02
    )
    w_q, w_v = rng.standard_normal((2, *run.v.shape))
    together = run.vjp(w_q, w_v)
    total = {name: 0 * x for name, x in together.items()}
    for i, t in enumerate(run.t):
        if i:
            part = sd.simulate(
                arm, run.q[0], None, control=torque, duration=float(t), step=0.005, record_every=0.02
            ).vjp(w_q[i], w_v[i])
        else:
            part = {"q0": w_q[0], "v0": w_v[0], "control": 0.0}
        total = {name: x + part[name] for name, x in total.items()}
    for name, x in total.items():
        np.testing.assert_allclose(together[name], x, rtol=1e-9, atol=1e-12)


def test_little_memory_gives_the_same_gradient(rng, monkeypatch):
    arm = straight(sd.load("planar_two_link"))
    run = sd.simulate(arm, [0.1, 0.2], [1.0, 0.0], control=[1.0, 0.5], duration=0.1, step=0.001, record_every=0.01)
    whole = run.vjp([1.0, 2.0], [3.0, 4.0])
    monkeypatch.setattr(gradients, "MEMORY", 2000)
    for name, x in run.vjp([1.0, 2.0], [3.0, 4.0]).items():
        np.testing.assert_allclose(x, whole[name], rtol=1e-12)


def test_what_cannot_be_differentiated_says_so():
    arm = sd.load("planar_two_link")
    run = sd.simulate(arm, [0.0, 0.0], control=lambda t, q, v: 0 * v, duration=0.02, step=0.01)
    with pytest.raises(sd.ArgumentError, match="cannot be machine code"):
        run.vjp([1.0, 0.0])
    run = sd.simulate(arm, [0.0, 0.0], duration=0.02, step=0.01)
    with pytest.raises(sd.ArgumentError, match="there is no 'control' here; directions are of q0, v0"):
        run.jvp(control=[1.0, 0.0])
    with pytest.raises(sd.ShapeError, match=r"weights of q have shape \(3,\); expected \(2,\)"):
        run.vjp([1.0, 0.0, 0.0])
    with pytest.raises(sd.ShapeError, match=r"direction of q0 has shape \(3,\); expected \(2,\)"):
        run.jvp(q0=[1.0, 0.0, 0.0])
