"""Configurations by the names of joints."""

from __future__ import annotations

import numpy as np
import pytest

import soadyn as sd


def test_unnamed_joints_are_neutral() -> None:
    arm, flyer = sd.load("ur5"), sd.load("free_flyer")
    assert arm.configuration({"elbow_joint": 0.3}).tolist() == [0, 0, 0.3, 0, 0, 0]
    assert arm.configuration({}).tolist() == arm.neutral().tolist()
    q = flyer.configuration({"elbow": [0.3], "root": (0, 1, 0, 0, 1, 2, 3)})
    assert q[list(flyer.joint_coordinates("root"))].tolist() == [0, 1, 0, 0, 1, 2, 3]
    assert q[list(flyer.joint_coordinates("elbow"))].tolist() == [0.3]
    assert q.sum() == pytest.approx(7.3)


def test_a_universal_joint_takes_both_angles_under_its_one_name() -> None:
    builder = sd.Builder("crossed")
    builder.link("fork", sd.Body(1.0, (0, 0, 1)), joint="universal", axis=(1, 0, 0), axis2=(0, 1, 0))
    assert sd.build(builder).configuration({"fork_joint": [0.1, 0.2]}).tolist() == [0.1, 0.2]


@pytest.mark.parametrize(
    ("joints", "error", "message"),
    [
        (
            {"elbow_jiont": 0.3},
            sd.UnknownNameError,
            "unknown joint 'elbow_jiont' of robot 'ur5'. Did you mean ",
        ),
        ({0: 0.3}, sd.UnknownNameError, "unknown joint 0"),
        ({"elbow_joint": [0.1, 0.2]}, sd.ShapeError, r"joint 'elbow_joint' has 1 coordinates, got \[0.1, 0.2\]"),
        ({"elbow_joint": "bent"}, sd.ShapeError, "joint 'elbow_joint' cannot be placed at 'bent': expected numbers"),
        ({"elbow_joint": 1j}, sd.ShapeError, "joint 'elbow_joint' cannot be placed at 1j: expected numbers"),
        ({"elbow_joint": np.nan}, sd.ModelError, r"joint 'elbow_joint' cannot be placed at \[nan\]: not finite"),
        ([0.0] * 6, sd.ArgumentError, "configuration takes {joint: coordinates}"),
        (None, sd.ArgumentError, "configuration takes {joint: coordinates}, got None"),
    ],
)
def test_what_is_no_configuration_is_named(joints: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sd.load("ur5").configuration(joints)  # type: ignore[arg-type]
