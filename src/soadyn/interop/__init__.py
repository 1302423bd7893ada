"""States, orders and Jacobians to and from the conventions of Pinocchio, MuJoCo and Drake.

An object per pair of robot and peer model, each with the same methods; none of the peers need be installed to import
this.

>>> import soadyn as sd
>>> from soadyn.interop import Drake
>>> flyer = sd.load("free_flyer")
>>> drake = Drake(flyer)                                  # or Drake(flyer, plant)
>>> q_drake = drake.q_to(flyer.neutral())
>>> bool((drake.q_from(q_drake) == flyer.neutral()).all())
True
"""

from soadyn.interop.drake import Drake
from soadyn.interop.mujoco import MuJoCo
from soadyn.interop.peer import Peer
from soadyn.interop.pinocchio import Pinocchio

__all__ = ["Drake", "MuJoCo", "Peer", "Pinocchio"]
