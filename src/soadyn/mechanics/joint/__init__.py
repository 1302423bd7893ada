"""The joint kinds: every kind answers the same short list of questions, in one place each."""

from soadyn.mechanics.joint.kind import JointKind
from soadyn.mechanics.joint.kinds import KINDS, named_joint_kind

__all__ = ["KINDS", "JointKind", "named_joint_kind"]
