"""MuJoCo's compiler, and the part of its result that is read here, as arrays.

This file is also the program of the child process that compiles what is not plain: it uses nothing else of soadyn.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

MEMORY = 4 * 2**30  # bytes a child process may use
SECONDS = 60  # of computing in a child process

ARRAYS = """
    body_parentid body_pos body_quat body_ipos body_iquat body_mass body_inertia body_jntadr body_jntnum
    body_gravcomp body_mocapid
    jnt_type jnt_bodyid jnt_qposadr jnt_dofadr jnt_pos jnt_axis jnt_limited jnt_range jnt_actfrclimited jnt_actfrcrange
    jnt_stiffness jnt_stiffnesspoly dof_armature dof_damping dof_dampingpoly dof_frictionloss qpos0 qpos_spring
    actuator_trntype actuator_trnid actuator_gear actuator_armature actuator_damping
    site_bodyid site_pos site_quat
    eq_type eq_objtype eq_obj1id eq_obj2id eq_active0 eq_data
    tendon_adr tendon_num wrap_type wrap_objid wrap_prm
    nbody njnt nsite neq ntendon nactuator nflex npair nplugin
"""
OPTIONS = ("gravity", "density", "viscosity")
FLAGS = ("GRAVITY", "SPRING", "DAMPER", "FRICTIONLOSS", "EQUALITY")


def compiled(text: str, files: dict[str, bytes]) -> dict[str, np.ndarray]:
    """The compiled model: arrays and counts by MuJoCo's names, and `facts`, JSON in bytes.

    Facts are the model's `name`, the names of `body`, `joint`, `site` and `equality`, the `disabled` flags and MuJoCo's
    `warnings`; or, if there is no model, why MuJoCo is `absent` or what it `refuses`.
    """
    try:
        import mujoco
    except ImportError as error:
        return _facts(absent=str(error))
    with warnings.catch_warnings(record=True) as heard, mujoco.MjVfs() as vfs:
        warnings.simplefilter("always")
        for name, data in files.items():
            vfs[name] = data
        try:
            model = mujoco.MjSpec.from_string(text, vfs=vfs).compile(vfs=vfs)
        except (ValueError, RuntimeError, MemoryError, mujoco.FatalError) as error:
            return _facts(refuses=str(error))
    return arrays_of(mujoco, model, [str(warning.message) for warning in heard])


def arrays_of(mujoco: Any, model: Any, heard: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """What is read of an `MjModel`, in the form of `compiled`."""

    def names(kind: Any, count: int) -> list[str]:
        return [mujoco.mj_id2name(model, kind, k) or "" for k in range(count)]

    facts = _facts(
        name=model.names[: model.names.find(b"\0")].decode(),
        body=names(mujoco.mjtObj.mjOBJ_BODY, model.nbody),
        joint=names(mujoco.mjtObj.mjOBJ_JOINT, model.njnt),
        site=names(mujoco.mjtObj.mjOBJ_SITE, model.nsite),
        equality=names(mujoco.mjtObj.mjOBJ_EQUALITY, model.neq),
        disabled=[flag for flag in FLAGS if model.opt.disableflags & getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")],
        warnings=list(heard),
    )
    arrays = {name: np.array(getattr(model, name)) for name in ARRAYS.split()}
    return facts | arrays | {name: np.array(getattr(model.opt, name)) for name in OPTIONS}


def _facts(**facts: Any) -> dict[str, np.ndarray]:
    return {"facts": np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)}


def main() -> None:
    """Read a pickled request from standard input, write arrays in NumPy's format to standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # MuJoCo prints warnings
    text, files = pickle.load(sys.stdin.buffer)
    with contextlib.suppress(ImportError):
        import mujoco  # noqa: F401  (before the limits, which Python's own caches would meet)
    _limit()
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **compiled(text, files))
    answers.write(buffer.getvalue())
    answers.close()


def _limit() -> None:
    """Bound memory, time and what is written; Windows has no such limits."""
    try:
        import resource
    except ImportError:
        return
    for limit, soft in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        bound = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(limit, (bound, hard))


if __name__ == "__main__":
    main()
