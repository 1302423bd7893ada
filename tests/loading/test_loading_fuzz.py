"""Damaged files give a model or one of our errors, never anything else."""

from __future__ import annotations

import numpy as np
import pytest

from mjcf_models import MJCF_MODELS
from soadyn.errors import SoadynError
from soadyn.loading import load_model
from urdf_cases import ARM

TOKENS = ["", "0", "-1", "nan", "1e400", '"', "<", "/>", "&", "\0", "é", "link", " ", "0 0", "type", "mimic", "\ud800"]


def damaged(text: str, rng: np.random.Generator) -> str:
    for _ in range(rng.integers(1, 4)):
        start = int(rng.integers(1, len(text)))
        end = start + int(rng.integers(0, 12))
        text = text[:start] + TOKENS[rng.integers(len(TOKENS))] + text[end:]
    return text


@pytest.mark.parametrize(
    "text", [ARM, MJCF_MODELS["welded"], MJCF_MODELS["springs"]], ids=["urdf", "welded", "springs"]
)
@pytest.mark.heavy(2)
def test_damage_is_survived(text: str) -> None:
    if text is not ARM:
        pytest.importorskip("mujoco")
    rng, refused = np.random.default_rng(7), 0
    for _ in range(400):
        try:
            load_model(damaged(text, rng))
        except SoadynError:
            refused += 1
    assert refused > 100
