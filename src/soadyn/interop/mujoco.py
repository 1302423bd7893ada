"""MuJoCo's conventions: a free joint's linear velocity comes first, along world axes; its angular along body axes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, final

from soadyn.interop.matching import PeerJoint, checked_model
from soadyn.interop.pairing import SLIDE, TURN, Pairing, reordered
from soadyn.interop.peer import Peer
from soadyn.loading.source import Source
from soadyn.robot import Robot

BALL = reordered("spherical")
FREE = reordered("free", q=(4, 5, 6, 0, 1, 2, 3), v=(3, 4, 5, 0, 1, 2), turned=(0,))

JOINTS: Mapping[str, tuple[Pairing, ...]] = MappingProxyType(
    {"mjJNT_HINGE": (TURN,), "mjJNT_SLIDE": (SLIDE,), "mjJNT_BALL": (BALL,), "mjJNT_FREE": (FREE,)}
)


@final
class MuJoCo(Peer):
    """A robot and MuJoCo's model of it, an `MjModel`; joints without a name are called as `sd.load` calls them.

    `jacobian_from` takes jacp above jacr, (..., 6, nv), or one of them.

    >>> import mujoco, soadyn as sd
    >>> text = '''<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body>
    ... </worldbody></mujoco>'''
    >>> peer = MuJoCo(sd.load(text), mujoco.MjModel.from_xml_string(text))
    >>> peer.q_to([0.3])
    array([0.3])
    """

    def __init__(self, robot: Robot, model: Any, names: Mapping[str, str] | None = None) -> None:
        import mujoco

        # Imported with the format's own package: what reads MJCF takes long to import.
        from soadyn.loading.mjcf_child import readable
        from soadyn.loading.mjcf_compile import arrays_of
        from soadyn.loading.mjcf_names import Names

        checked_model(model, "MuJoCo", "MjModel", "jnt_qposadr")
        called = Names(readable(arrays_of(mujoco, model)), [], Source("an MjModel", b"")).joint
        joints = [_joint(mujoco, model, k, name) for k, name in enumerate(called)]
        super().__init__(robot, "MuJoCo", joints, names, linear_first=True)


def _joint(mujoco: Any, model: Any, k: int, name: str) -> PeerJoint:
    kind = mujoco.mjtJoint(model.jnt_type[k]).name
    return PeerJoint(name, kind, int(model.jnt_qposadr[k]), int(model.jnt_dofadr[k]), JOINTS[kind])
