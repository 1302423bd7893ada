"""Robots of one body whose motion textbooks give."""

from __future__ import annotations

import numpy as np

import soadyn as sd


def slider(**figures):
    """A mass of 2 kg on a horizontal slide."""
    b = sd.Builder("slider")
    b.link("cart", sd.Body(2.0), joint="prismatic", axis=(1, 0, 0), joint_name="slide", **figures)
    return sd.build(b)


def ball(joint="spherical", gravity=(0, 0, -9.81), **figures):
    """A body with three different moments of inertia, hung off its centre."""
    b = sd.Builder("ball", gravity=gravity)
    body = sd.Body(1.5, com=(0.1, 0.05, -0.2), inertia=np.diag([0.02, 0.03, 0.04]))
    b.link("body", body, joint=joint, joint_name="joint", **figures)
    return sd.build(b)
