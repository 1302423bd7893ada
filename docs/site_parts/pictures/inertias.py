"""What is felt: inertia with joints locked and free, mobility of a hand, a base that floats."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

import soadyn as sd

BLUE, RED = "#2a6fb0", "#c0392b"


def locked_and_free() -> Figure:
    """The two-link arm's inertia about its shoulder, elbow locked and free."""
    arm = sd.load("planar_two_link")
    elbow = np.linspace(-np.pi, np.pi, 181)
    q = np.stack([np.zeros_like(elbow), elbow], axis=-1)
    locked, free = arm.mass_matrix(q)[:, 0, 0], arm.mass_matrix_factors(q)[1][:, 0, 0]
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(np.degrees(elbow), locked, color=RED, label="elbow locked: $H R H^*$")
    axes.plot(np.degrees(elbow), free, color=BLUE, label="elbow free: $D = H P H^*$")
    axes.set(xlabel="angle of the elbow, degrees", ylabel="kg m²", ylim=(0, 2.9), xlim=(-180, 180))
    axes.set_xticks(range(-180, 181, 90))
    axes.legend()
    return figure


def felt_mass() -> Figure:
    """Vertical mass felt at each link of UR5, joints beyond locked and free."""
    arm = sd.load("ur5")
    q = np.array([0.1, -1.0, 1.2, 0.3, 0.8, 0.2])
    up = [arm.pose(q, name)[:3, :3].T @ [0.0, 0.0, 1.0] for name in arm.link_names]
    felt = {
        label: [x @ inertia[3:, 3:] @ x for x, inertia in zip(up, inertias, strict=True)]
        for label, inertias in (("locked: $R$", arm.composite_inertias(q)), ("free: $P$", arm.articulated_inertias(q)))
    }
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(up))
    for shift, colour, (label, masses) in zip((-0.2, 0.2), (RED, BLUE), felt.items(), strict=True):
        axes.bar(places + shift, masses, 0.38, color=colour, label=label)
    axes.set_xticks(places, [name.removesuffix("_link") for name in arm.link_names], rotation=20)
    axes.set_ylabel("mass felt vertically, kg")
    axes.legend()
    return figure


def mobility() -> Figure:
    """Ellipses of the hand's acceleration under unit forces."""
    arm = sd.load("planar_two_link")
    figure = Figure(figsize=(7, 3.4), layout="constrained")
    axes = figure.subplots()
    turn = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    for number, bend in enumerate((0.15, 0.6, 1.2, 1.8, 2.5)):
        q, shift = np.array([-0.9 + bend / 4, bend]), 2.6 * number
        points = np.array([arm.pose(q, name)[:3, 3] for name in (*arm.link_names, "tool")])[:, [0, 2]]
        give = arm.operational_inertia_inverse(q, "tool")[3:, 3:][np.ix_([0, 2], [0, 2])]
        x, y = points[-1][:, None] + 0.12 * give @ circle
        axes.plot(points[:, 0] + shift, points[:, 1], color="#7f8c8d", marker="o", linewidth=4, solid_capstyle="round")
        axes.plot(x + shift, y, color=BLUE)
    axes.set(aspect="equal")
    axes.axis("off")
    return figure


def floating_base() -> Figure:
    """How far ETS-VII turns while its second joint does, and what motors feel with the base held and free."""
    flyer = sd.load("ets_vii")
    start, angles = flyer.neutral(), np.linspace(0, np.pi / 2, 60)
    turned, q = [0.0], start
    for step in np.diff(angles):
        rates = np.eye(6)[1]
        v = np.concatenate([flyer.disturbance_jacobian(q, ["root"]) @ rates, rates])
        q = flyer.integrate(q, v * step)
        turned.append(np.degrees(np.linalg.norm(flyer.difference(start, q)[:3])))
    held = np.diag(flyer.mass_matrix(start)[6:, 6:])
    free = np.diag(flyer.actuation_matrices(start, ["root"])[0])
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(np.degrees(angles), turned, color=BLUE)
    left.set(xlabel="Joint_2 has turned by, degrees", ylabel="the base has turned by, degrees")
    for shift, colour, label, felt in ((-0.2, RED, "base held", held), (0.2, BLUE, "base free", free)):
        right.bar(np.arange(6) + shift, felt, 0.38, color=colour, label=label)
    right.set_xticks(range(6), flyer.joint_names[1:], rotation=20)
    right.set_ylabel("inertia the motor feels, kg m²")
    right.legend()
    return figure
