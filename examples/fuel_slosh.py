"""Fuel slosh in a spacecraft as a passive pendulum (004, introduction, item 6).

The first mode of the liquid in an upright cylindrical tank of radius R, filled to the height h, is a pendulum

    m_1 = m_liquid (R / 2.2 h) tanh(1.841 h/R)        l_1 = (R / 1.841) coth(1.841 h/R)

the rest of the liquid moving with the tank (H. N. Abramson, ed., The Dynamic Behavior of Liquids in Moving Containers,
NASA SP-106, 1966, chapter 6). The spacecraft's root joint is free and passive but for its attitude while the engine
burns: three of its six components are held (prescribed acceleration zero), and their T_a is what attitude control must
give against the slosh. A body of mass M held upright under a thrust F lets the pendulum swing with w² = F / (M l_1).
After the burn nothing holds it and nothing drives the fuel back: momentum stays what it is while the fuel drifts across
the tank and turns the spacecraft.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save
from soadyn.model.shapes import cylinder

DRY, LIQUID, R, FILL = 800.0, 300.0, 0.5, 0.6  # kg, kg, m, m
THRUST, BURN = 400.0, 25.0  # N, s
SLOSHING = LIQUID * R / (2.2 * FILL) * np.tanh(1.841 * FILL / R)
LENGTH = R / 1.841 / np.tanh(1.841 * FILL / R)
DAMPING = 0.005  # share of critical


def spacecraft() -> sd.Robot:
    """A bus with the tank's still liquid, and two pendulum axes for what sloshes."""
    b = sd.Builder("spacecraft", gravity=(0, 0, 0))
    bus = cylinder(0.8, 1.6, mass=DRY) + cylinder(R, FILL, mass=LIQUID - SLOSHING, placement=(0, 0, -0.2))
    b.fixed("bus", bus)
    bob = sd.Body(SLOSHING, com=(0, 0, -LENGTH))
    b.link("slosh", bob, "bus", "universal", axis=(1, 0, 0), axis2=(0, 1, 0), origin=(0, 0, 0.2), joint_name="slosh")
    return sd.build(b, root="free")


def main(out: Path, after: float = 10.0) -> dict[str, float]:
    """A burn with the attitude held, then free flight for `after` seconds."""
    robot = spacecraft()
    w = np.sqrt(THRUST / ((robot.total_mass - SLOSHING) * LENGTH))
    moment = SLOSHING * LENGTH**2
    fuel = [sd.Damper("slosh", 2 * DAMPING * moment * w)]
    free = ["slosh", *(("root", i) for i in range(6))]
    held = ["slosh", *(("root", i) for i in range(3, 6))]
    q0 = robot.neutral()
    q0[7:] = 0.12, -0.06
    flight = sd.simulate(
        robot,
        q0,
        duration=BURN + after,
        step=0.05,
        record_every=0.1,
        prescribed=sd.Prescribed(np.zeros(robot.nv), passive={0.0: held, BURN: free}),
        external=lambda t, q, v: {"bus": [0, 0, 0, 0, 0, THRUST if t < BURN else 0.0]},
        joint_forces=fuel,
    )
    burning = flight.t <= BURN
    x, t = flight.q[burning, 7], flight.t[burning]
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    crossings = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    found = 2 * np.pi / np.diff(crossings).mean()
    assert flight.momentum is not None
    assert flight.momentum_drift is not None
    momentum = robot.momentum(flight.q[~burning], flight.v[~burning])

    figure, (left, middle, right) = panels(3.5, 3.4, 3.4)
    for i, colour in ((7, BLUE), (8, ORANGE)):
        left.plot(flight.t, np.degrees(flight.q[:, i]), color=colour, label=f"about {'xy'[i - 7]}")
    label(left, "fuel pendulum (passive)", y="degrees")
    for i, colour in ((0, BLUE), (1, ORANGE)):
        middle.plot(flight.t, flight.tau[:, i], color=colour, label=f"about {'xy'[i]}")
    label(middle, "torque that holds the attitude", y="N m")
    turned = 2 * np.degrees(np.arcsin(np.clip(flight.q[:, 1:3], -1, 1)))
    right.plot(flight.t, turned[:, 0], color=RED, label="about x")
    right.plot(flight.t, turned[:, 1], color=GREEN, label="about y")
    label(right, "attitude of the spacecraft", y="degrees")
    for ax in (left, middle, right):
        ax.axvspan(0, BURN, color="#f2ead8", zorder=0)
    save(figure, out, "fuel_slosh")
    return {
        "slosh frequency with 5 mrad against the formula": small_swing(robot, w) / w - 1,
        "slosh frequency found in the burn (rad/s)": float(found),
        "largest attitude error in the burn (degrees)": float(np.abs(turned[burning]).max()),
        "largest holding torque (N m)": float(np.abs(flight.tau[burning, :3]).max()),
        "attitude at the end (degrees)": float(np.abs(turned[-1]).max()),
        "change of momentum after the burn, relative": float(
            np.abs(momentum - momentum[0]).max() / np.abs(momentum).max()
        ),
        "momentum drift, relative": float(np.abs(flight.momentum_drift).max() / np.abs(flight.momentum).max()),
        "relative energy drift": flight.relative_energy_drift,
    }


def small_swing(robot: sd.Robot, w: float) -> float:
    """The frequency (rad/s) of a small undamped swing about x under thrust, from one period's return."""
    q0 = robot.neutral()
    q0[7] = 5e-3
    held = ["slosh", *(("root", i) for i in range(3, 6))]
    swing = sd.simulate(
        robot,
        q0,
        duration=2.2 * np.pi / w,
        step=0.02,
        prescribed=sd.Prescribed(np.zeros(robot.nv), passive=held),
        external={"bus": [0, 0, 0, 0, 0, THRUST]},
    )
    x = swing.q[:, 7]
    down = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))[0]
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))[0]
    zero = [swing.t[i] - x[i] * (swing.t[i + 1] - swing.t[i]) / (x[i + 1] - x[i]) for i in (down, up)]
    return float(np.pi / (zero[1] - zero[0]))


if __name__ == "__main__":
    run(main)
