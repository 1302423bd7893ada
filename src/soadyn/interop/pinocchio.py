"""Pinocchio's conventions: quaternions (x, y, z, w), linear before angular, angles without bounds as (cos, sin)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

import numpy as np

from soadyn.interop.matching import PeerJoint, checked_model
from soadyn.interop.pairing import PLANAR_CHILD_AXES, SCREW, SLIDE, TURN, Pairing, angle_of, on_circle, reordered
from soadyn.interop.peer import Peer
from soadyn.robot import Robot

CIRCLE = Pairing(TURN.kinds, 2, on_circle, angle_of, TURN.order)
PLANAR = Pairing(
    ("planar",),
    4,
    lambda q: np.concatenate([q[..., :2], on_circle(q[..., 2:])], axis=-1),
    lambda q: np.concatenate([q[..., :2], angle_of(q[..., 2:])], axis=-1),
    (0, 1, 2),
    turned=(0,),
    axes=PLANAR_CHILD_AXES,
)
SPHERICAL = reordered("spherical", q=(1, 2, 3, 0))
FREE = reordered("free", q=(4, 5, 6, 1, 2, 3, 0), v=(3, 4, 5, 0, 1, 2))

JOINTS: Mapping[str, tuple[Pairing, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("JointModelRX", "JointModelRY", "JointModelRZ", "JointModelRevoluteUnaligned"), (TURN,)),
        **dict.fromkeys(("JointModelRUBX", "JointModelRUBY", "JointModelRUBZ"), (CIRCLE,)),
        "JointModelRevoluteUnboundedUnaligned": (CIRCLE,),
        **dict.fromkeys(("JointModelPX", "JointModelPY", "JointModelPZ", "JointModelPrismaticUnaligned"), (SLIDE,)),
        **dict.fromkeys(("JointModelHX", "JointModelHY", "JointModelHZ", "JointModelHelicalUnaligned"), (SCREW,)),
        "JointModelUniversal": (TURN, TURN),
        "JointModelPlanar": (PLANAR,),
        "JointModelSpherical": (SPHERICAL,),
        "JointModelFreeFlyer": (FREE,),
    }
)


@final
class Pinocchio(Peer):
    """A robot and Pinocchio's model of it.

    `jacobian_from` takes Jacobians in LOCAL_WORLD_ALIGNED (`axes="world"` here) or LOCAL (`axes="local"`).
    Pinocchio's mimic joints correspond to `sd.load(..., mimic="tie")`.

    >>> import importlib.resources
    >>> import numpy as np, pinocchio, soadyn as sd
    >>> text = (importlib.resources.files("soadyn.loading") / "robots" / "planar_two_link.urdf").read_text()
    >>> arm, model = sd.load(text), pinocchio.buildModelFromXML(text)
    >>> peer, q = Pinocchio(arm, model), np.array([0.3, 0.5])
    >>> theirs = pinocchio.computeGeneralizedGravity(model, model.createData(), peer.q_to(q))
    >>> bool(np.allclose(peer.force_from(q, theirs), arm.gravity_force(q)))
    True
    """

    def __init__(self, robot: Robot, model: Any, names: Mapping[str, str] | None = None) -> None:
        checked_model(model, "Pinocchio", "Model", "idx_qs")
        joints = [_joint(name, joint) for name, joint in zip(model.names, model.joints, strict=True)]
        moving = [joint for joint in joints[1:] if joint is not None]  # the first is the universe
        super().__init__(robot, "Pinocchio", moving, names, linear_first=True)


def _joint(name: str, joint: Any) -> PeerJoint | None:
    kind = joint.shortname()
    if joint.nv == 0:  # a mimic joint follows its leader
        return None
    parts = [part.shortname() for part in joint.extract().joints] if kind == "JointModelComposite" else [kind]
    known = all(part in JOINTS for part in parts)
    pairings = tuple(pairing for part in parts for pairing in JOINTS[part]) if known else ()
    return PeerJoint(name, kind, joint.idx_q, joint.idx_v, pairings)
