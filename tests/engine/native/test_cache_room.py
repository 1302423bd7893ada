"""When a folder of compiled code is looked through for files that make room."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from soadyn.engine.cache import code_cache
from soadyn.engine.cache import folder as cache_folder


def test_a_full_folder_is_not_looked_through_at_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand files of 64 kB are eight times what is written between two looks."""
    looks: list[Path] = []
    monkeypatch.setenv("SOADYN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "make_room", looks.append)
    for i in range(2000):
        if cache_folder.is_due(hashlib.sha256(str(i).encode()).hexdigest(), 2**16):
            looks.append(tmp_path)
    assert 4 <= len(looks) <= 12
    looks.clear()
    for i in range(40):
        code_cache._to_disk(hashlib.sha256(str(i).encode()).hexdigest(), bytes(100))
    assert not looks
