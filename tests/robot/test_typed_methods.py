"""Type checkers see the methods that the table of quantities makes."""

from __future__ import annotations

import ast

from own_sources import ROOT
from scripts import load_script


def test_the_stub_is_what_the_table_says() -> None:
    stubs = load_script(ROOT / "docs" / "make_stubs.py")
    written = stubs.STUB.read_text(encoding="utf-8")
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(stubs.typed_module())), "run `make stubs`"
