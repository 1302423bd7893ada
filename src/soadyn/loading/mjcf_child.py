"""MuJoCo run on a rewritten MJCF model: in this process if the model is plain, else in a child process with limits."""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from types import SimpleNamespace
from typing import Any

import numpy as np

from soadyn.errors import ModelError, ModelWarning, SoadynError, warn_caller
from soadyn.later import install
from soadyn.loading.mjcf_compile import MEMORY, SECONDS, compiled
from soadyn.loading.mjcf_text import Rewritten

PATIENCE = 2 * SECONDS  # of waiting for a child process, which may have to share the machine


def mujoco_model(model: Rewritten, where: str) -> Any:
    """MuJoCo's model: its arrays as attributes, and what `compiled` calls facts. MuJoCo's complaints become ours."""
    arrays = compiled(model.text, model.files) if model.plain else _compiled_apart(model, where)
    result = readable(arrays)
    facts = result.facts
    if "absent" in facts:
        raise SoadynError(
            f"reading MJCF needs the package mujoco-core ({facts['absent']}); install it with: {install('mujoco')}"
        )
    if "refuses" in facts:
        raise _refusal(facts["refuses"], model, where)
    for message in facts["warnings"]:
        warn_caller(f"{where}: MuJoCo warns: {' '.join(message.split())}", ModelWarning)
    return result


def readable(arrays: dict[str, np.ndarray]) -> Any:
    """What `compiled` returns, as attributes: the facts as they were, single numbers as Python's."""
    facts = json.loads(arrays["facts"].tobytes())
    return SimpleNamespace(**{name: x if x.ndim else x.item() for name, x in arrays.items()} | {"facts": facts})


def _refusal(message: str, model: Rewritten, where: str) -> ModelError:
    """The line that MuJoCo names last is one of the main model's, even if the trouble is in a sub-model."""
    if message.startswith("Caught an unknown exception"):  # MuJoCo's words for memory that it does not get
        return ModelError(f"{where}: MuJoCo needs more than {MEMORY // 2**30} GB of memory for the file")
    found = re.findall(r"\bline (\d+)", message)
    if found and 1 <= int(found[-1]) <= len(model.lines):
        where = model.lines[int(found[-1]) - 1]
    words = " ".join(re.sub(r",? *\bline \d+", "", message).split())
    return ModelError(f"{where}: MuJoCo refuses the file: {words}")


def _compiled_apart(model: Rewritten, where: str) -> dict[str, np.ndarray]:
    """`compiled` in a child process: whatever the file does there, this process and its files are not harmed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    script = files("soadyn.loading").joinpath("mjcf_compile.py")
    with as_file(script) as program, tempfile.TemporaryDirectory() as empty:
        try:
            child = subprocess.run(
                [sys.executable, "-P", str(program)],
                input=pickle.dumps((model.text, model.files)),
                capture_output=True,
                cwd=empty,
                env=environment,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _endless(where) from None
        except OSError as error:
            raise SoadynError(f"{where}: reading this file needs a Python process of its own: {error}") from None
    if child.returncode == -getattr(signal, "SIGXCPU", 0):
        raise _endless(where)
    if child.returncode:
        last = child.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise ModelError(f"{where}: MuJoCo crashed on the file (exit {child.returncode}){': '.join(['', *last])}")
    with np.load(io.BytesIO(child.stdout), allow_pickle=False) as answer:
        return dict(answer)


def _endless(where: str) -> ModelError:
    return ModelError(f"{where}: MuJoCo did not finish within {SECONDS} s; the model is too large")
