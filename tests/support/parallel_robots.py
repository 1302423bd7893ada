"""Parallel robots with closed forms: a delta robot and a Stewart platform."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import final

import numpy as np

import soadyn as sd


@final
@dataclass(frozen=True)
class Delta:
    """Lengths in m: where shoulders and rods begin, arms, rods, and half of the distance between two rods of an arm."""

    base: float = 0.2
    platform: float = 0.05
    arm: float = 0.25
    rod: float = 0.5
    apart: float = 0.04


DELTA = Delta()
ANGLES = np.arange(3) * 2 * np.pi / 3


def _around(angle: float) -> np.ndarray:
    T = np.eye(4)
    T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return T


def _moved(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@cache
def delta() -> sd.Robot:
    """Three arms, a platform, and six rods without mass between them: the parallelograms keep the platform level."""
    b = sd.Builder("delta")
    arms = [
        b.link(
            f"arm_{i}",
            sd.Body(0.3, com=(0.5 * DELTA.arm, 0, 0), inertia=np.diag([1e-4, 2e-3, 2e-3])),
            origin=_around(angle) @ _moved(DELTA.base, 0, 0),
            axis=(0, 1, 0),
        )
        for i, angle in enumerate(ANGLES)
    ]
    platform = b.link("platform", sd.Body(0.4, inertia=np.diag([1e-3, 1e-3, 2e-3])), joint="free")
    for i, angle in enumerate(ANGLES):
        for side in (-1, 1):
            b.loop(
                f"rod_{i}_{'left' if side < 0 else 'right'}",
                arms[i],
                platform,
                "distance",
                origin=(DELTA.arm, side * DELTA.apart, 0),
                other_origin=_around(angle) @ _moved(DELTA.platform, side * DELTA.apart, 0),
                length=DELTA.rod,
            )
    return b.robot()


def delta_angles(points: np.ndarray) -> np.ndarray:
    """The arms' angles for the platform's points (n, 3): knees outward, then inward, (2, n, 3).

    In an arm's plane its elbow is where a circle of the arm about the shoulder meets the sphere of the rod.
    """
    found = np.empty((2, len(points), 3))
    for i, angle in enumerate(ANGLES):
        x, y, z = np.linalg.inv(_around(angle))[:3, :3] @ points.T
        x = x + DELTA.platform - DELTA.base
        # A turn by a takes the elbow to (arm cos a, 0, -arm sin a):  x cos a - z sin a = k
        k = (x**2 + y**2 + z**2 + DELTA.arm**2 - DELTA.rod**2) / (2 * DELTA.arm)
        middle, aside = np.arctan2(-z, x), np.arccos(k / np.hypot(x, z))
        found[0, :, i], found[1, :, i] = middle - aside, middle + aside
    return found


@final
@dataclass(frozen=True)
class Stewart:
    """Where six legs begin on the ground, and end on the platform, (6, 3) in m."""

    base: np.ndarray
    platform: np.ndarray


def _ring(radius: float, spread: float, turned: float) -> np.ndarray:
    angles = np.array([2 * np.pi / 3 * (i // 2) + turned + (spread if i % 2 else -spread) for i in range(6)])
    return radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=-1)


STEWART = Stewart(_ring(0.5, 0.9, 0.0), _ring(0.3, 0.15, 0.0))


@cache
def stewart() -> sd.Robot:
    """Legs of two hinges and a slide, whose ends are held by balls at the platform."""
    b = sd.Builder("Stewart platform")
    platform = b.link("platform", sd.Body(5.0, inertia=np.diag([0.1, 0.1, 0.2])), joint="free")
    slim = np.diag([1e-2, 1e-2, 1e-3])
    for i in range(6):
        cross = b.link(f"cross_{i}", sd.Body(0.2, inertia=slim), origin=tuple(STEWART.base[i]), axis=(1, 0, 0))
        case = b.link(f"case_{i}", sd.Body(0.5, com=(0, 0, 0.1), inertia=slim), cross, axis=(0, 1, 0))
        leg = b.link(f"leg_{i}", sd.Body(0.4, com=(0, 0, -0.1), inertia=slim), case, joint="prismatic", axis=(0, 0, 1))
        b.loop(f"ball_{i}", leg, platform, "ball", other_origin=tuple(STEWART.platform[i]))
    return b.robot()


def leg_lengths(pose: np.ndarray) -> np.ndarray:
    """The legs' lengths for poses of the platform, (n, 6)."""
    ends = pose[:, None, :3, 3] + STEWART.platform @ pose[:, :3, :3].mT
    return np.linalg.norm(ends - STEWART.base, axis=-1)
