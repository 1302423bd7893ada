"""A spacecraft catches a tumbling target: momentum is kept, energy is not.

The chaser, a satellite with a seven-joint arm, waits at rest. The target, a dead satellite, drifts by and tumbles;
after some seconds its handle is in the tool, which closes at once. The impulse that makes both move as one acts inside
the system: the momentum of both together stays what it was, the kinetic energy of the closing motion is lost,

    F = (Λ_tool⁻¹ + Λ_target⁻¹)⁻¹ ΔV,    loss = ½ ΔV* F

(Λ⁻¹ by the recursion of 003 eqs. 10.1-10.3). Then brakes in the arm's joints, dampers here, bring arm and target to
rest relative to the base, and what is left turns as one body with all the momentum that the target brought.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import soadyn as sd
from pictures import BLUE, GREEN, ORANGE, RED, label, panels, run, save
from soadyn.model.shapes import box

ARM = (-0.3, -0.6, -1.3, -1.6, -0.2, 1.4, 1.2)
WHEELS = ["wheel_x", "wheel_y", "wheel_z"]
TUMBLE, DRIFT = (0.06, -0.03, 0.08), (0.02, 0.03, -0.01)  # rad/s and m/s of the target, along its own axes
BRAKE = 25.0  # N m s/rad


def chaser() -> sd.Robot:
    """The satellite with its reaction wheels locked."""
    flyer = sd.load("free_flyer")
    return flyer.lock(WHEELS, flyer.neutral())


def target() -> sd.Robot:
    """A box of 150 kg whose handle stands 0.6 m off its centre."""
    b = sd.Builder("target", gravity=(0, 0, 0))
    b.fixed("hull", box((1.0, 0.8, 0.6), mass=150.0))
    b.frame("handle", "hull", (0.6, 0.0, 0.0))
    return sd.build(b, root="free")


def start(both: sd.Robot, before: float) -> tuple[np.ndarray, np.ndarray]:
    """The state from which the handle comes into the tool after so many seconds: the target's motion run backwards."""
    q, v = both.neutral(), np.zeros(both.nv)
    q[7 : 7 + len(ARM)] = ARM
    alone = target()
    caught = alone.inverse_kinematics({"handle": both.pose(q, "tool")}).q
    back = sd.simulate(alone, caught, [-x for x in (*TUMBLE, *DRIFT)], duration=before, step=0.02)
    q[both.joint_coordinates("target_root")] = back.q[-1]
    v[both.joint_dofs("target_root")] = -back.v[-1]
    return q, v


def main(out: Path, before: float = 12.0, after: float = 30.0) -> dict[str, float]:
    """The approach, the catch and what follows; a picture, and a page that plays all of it."""
    both = chaser().attach(target(), "ground", name_prefix="target_")
    q, v = start(both, before)
    approach = sd.simulate(both, q, v, duration=before, step=0.02, record_every=0.2)
    gap = np.linalg.norm((both.pose(approach.q, "tool") - both.pose(approach.q, "target_handle"))[:, :3, 3], axis=-1)
    held = sd.capture(both, approach.end.q, approach.end.v, "target_hull", "tool")
    joints = [joint for joint in held.robot.joint_names if joint != "root"]
    brakes = [sd.Damper(joint, BRAKE) for joint in joints]
    follow = sd.simulate(
        held.robot, held.q, held.v, duration=after, step=0.005, method="rk4", record_every=0.2, joint_forces=brakes
    )
    flight = sd.Phases([approach, follow])
    save(drawn(both, flight, gap), out, "caught_target")
    flight.save_view(out / "caught_target.html")

    momentum = [both.momentum(q, v), held.robot.momentum(held.q, held.v)]
    lost = float(both.kinetic_energy(approach.end.q, approach.end.v) - held.robot.kinetic_energy(held.q, held.v))
    return {
        "handle's distance from the tool at the catch (m)": float(gap[-1]),
        "closing speed of the hull (m/s)": float(np.linalg.norm(held.closing_velocity[3:])),
        "change of momentum in the catch, relative": float(
            np.abs(momentum[1] - momentum[0]).max() / np.abs(momentum[0]).max()
        ),
        "energy lost in the catch (J)": lost,
        "the same against the closed form, relative": abs(lost / held.energy_loss - 1),
        "share of the energy that is lost in the catch": lost / float(approach.kinetic[-1]),
        "momentum drift afterwards, relative": float(
            np.abs(follow.momentum_drift).max() / np.abs(follow.momentum).max()
        ),
        "largest joint rate at the end (rad/s)": float(np.abs(follow.v[-1, 6:]).max()),
        "base turns at the end with (rad/s)": float(np.linalg.norm(follow.v[-1, :3])),
    }


def drawn(both: sd.Robot, flight: sd.Phases, gap: np.ndarray) -> Figure:
    """Distance of the handle; how fast base and target turn; energy."""
    whole, caught = flight.as_first(), float(flight.parts[1].t[0])
    turning = both.joint_dofs("target_root")[:3]
    figure, (left, middle, right) = panels(3.2, 3.6, 3.4)
    left.plot(flight.parts[0].t, gap, color=BLUE)
    label(left, "handle's distance from the tool", y="m")
    middle.plot(whole.t, np.degrees(np.linalg.norm(whole.v[:, :3], axis=-1)), color=BLUE, label="chaser's base")
    middle.plot(whole.t, np.degrees(np.linalg.norm(whole.v[:, turning], axis=-1)), color=ORANGE, label="target")
    label(middle, "turning", y="degrees/s")
    right.plot(whole.t, whole.kinetic, color=RED, label="kinetic energy")
    right.plot(whole.t, whole.kinetic[0] + whole.work, "--", color=GREEN, label="without the catch's loss")
    label(right, "energy", y="J")
    for ax in (left, middle, right):
        ax.axvline(caught, color="#888888", linewidth=0.8)
    return figure


if __name__ == "__main__":
    run(main)
