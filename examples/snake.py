"""A hyper-redundant snake with every second joint passive, afloat without gravity (004, introduction, item 2).

Thirteen links, twelve joints, six actuators: the other joints have springs and dampers instead, which spares the weight
of half the motors. The active joints run a travelling wave about a bent shape, the passive ones follow by inertia, and
the six freedoms of the free root are passive too. Nothing acts from outside, so that momentum stays zero and the mass
centre where it is; the snake turns all the same, as a falling cat does.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import soadyn as sd
from pictures import BLACK, BLUE, ORANGE, RED, label, panels, points, run, save
from soadyn.model.shapes import rod

JOINTS, LENGTH, MASS = 12, 0.12, 0.3
ACTIVE = [f"joint_{k}" for k in range(1, JOINTS + 1, 2)]
PASSIVE = [f"joint_{k}" for k in range(2, JOINTS + 1, 2)]
MEAN, BEND, RATE, LAG, EASE = (
    0.4,
    0.7,
    2 * np.pi / 2.0,
    1.0,
    1.0,
)  # rad, rad, rad/s, rad from one active joint to the next, s


def wave(t: float) -> np.ndarray:
    """Angles, speeds and accelerations (3, 6) of the active joints; the wave comes up within EASE."""
    s = min(t / EASE, 1.0)
    up = np.array(
        [10 * s**3 - 15 * s**4 + 6 * s**5, 30 * s**2 - 60 * s**3 + 30 * s**4, 60 * s - 180 * s**2 + 120 * s**3]
    )
    up /= EASE ** np.arange(3)
    phase = RATE * t - LAG * np.arange(len(ACTIVE))
    x, dx, ddx = MEAN + BEND * np.sin(phase), BEND * RATE * np.cos(phase), -BEND * RATE**2 * np.sin(phase)
    return np.array([up[0] * x, up[1] * x + up[0] * dx, up[2] * x + 2 * up[1] * dx + up[0] * ddx])


def main(out: Path, duration: float = 9.0) -> dict[str, float]:
    """The wave for some periods."""
    head = rod((-LENGTH, 0, 0), (0, 0, 0), MASS) + sd.Body(0.0, inertia=np.diag([1e-5, 0, 0]))
    options = {"axes": [(0, 0, 1)], "length": LENGTH, "mass": MASS, "gravity": (0, 0, 0), "name": "snake"}
    robot = sd.chain(JOINTS, root="free", base=head, **options)
    laws = [law for name in PASSIVE for law in (sd.Spring(name, 1.0), sd.Damper(name, 0.3))]
    active = [robot.joint_dofs(name)[0] for name in ACTIVE]
    idle = [robot.joint_dofs(name)[0] for name in PASSIVE]

    def wanted(t: float, q: np.ndarray, v: np.ndarray, passive: np.ndarray) -> np.ndarray:
        a = np.zeros(robot.nv)
        a[active] = wave(t)[2]
        return a

    moved = sd.simulate(
        robot,
        robot.neutral(),
        duration=duration,
        step=0.004,
        record_every=0.02,
        prescribed=sd.Prescribed(wanted, passive=["root", *PASSIVE]),
        joint_forces=laws,
    )
    angles = moved.q[:, 7:]  # one coordinate for each joint behind the root's seven
    exact = np.array([wave(t)[0] for t in moved.t])
    heading = np.unwrap(2 * np.arctan2(moved.q[:, 3], moved.q[:, 0]))
    period = round(2 * np.pi / RATE / 0.02)
    mean_heading = np.convolve(heading + angles.cumsum(axis=1).mean(axis=1), np.ones(period) / period, "valid")

    figure, (left, middle, right) = panels(3.6, 3.3, 3.3)
    shapes = points(robot, moved.q, "tip")
    for n, k in enumerate(np.linspace(0, len(shapes) - 1, 4).astype(int)):
        lift = np.array([0.0, -0.8 * n])
        outline, joints = shapes[k, :, :2] + lift, shapes[k, 1:-1, :2] + lift
        left.plot(*outline.T, color=BLACK, linewidth=1.4)
        for first, colour, name in ((0, BLUE, "active"), (1, ORANGE, "passive")):
            left.plot(*joints[first::2].T, "o", color=colour, markersize=3.5, label=name if n == 0 else None)
        left.annotate(f"{moved.t[k]:.1f} s", outline[0] - [0.06, 0], ha="right", va="center", fontsize=8)
    left.set_aspect("equal", adjustable="datalim")
    left.margins(x=0.15)
    left.set_yticks([])
    label(left, "shapes, one below the other", "x (m)", "")
    middle.plot(moved.t, np.degrees(angles[:, 4]), color=BLUE, label="fifth joint (active)")
    middle.plot(moved.t, np.degrees(angles[:, 5]), color=ORANGE, label="sixth joint (passive)")
    middle.margins(y=0.25)
    label(middle, "joints", y="degrees")
    right.plot(moved.t[: len(mean_heading)] + period * 0.01, np.degrees(mean_heading), color=RED)
    label(right, "direction, mean over a period", y="degrees")
    save(figure, out, "snake")
    assert moved.momentum is not None
    center = robot.center_of_mass(moved.q)
    return {
        "largest error of the active joints (rad)": float(np.abs(moved.q[:, [i + 1 for i in active]] - exact).max()),
        "largest bend of a passive joint (degrees)": float(np.degrees(np.abs(angles[:, 1::2]).max())),
        "force of the missing actuators (N m)": float(np.abs(moved.tau[:, [*range(6), *idle]]).max()),
        "turned by (degrees)": float(np.degrees(mean_heading[-1] - mean_heading[0])),
        "largest momentum (SI)": float(np.abs(moved.momentum).max()),
        "way of the mass centre (m)": float(np.abs(center - center[0]).max()),
        "relative energy drift": moved.relative_energy_drift,
    }


if __name__ == "__main__":
    run(main)
