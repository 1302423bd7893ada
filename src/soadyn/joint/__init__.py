"""The joint kinds: every kind answers the same short list of questions, in one place each."""

from soadyn.joint.kind import JointKind
from soadyn.joint.kinds import KINDS, joint_kind

__all__ = ["KINDS", "JointKind", "joint_kind"]
