"""Type checkers see the methods that the table of quantities makes."""

from __future__ import annotations

import ast
from pathlib import Path

from soadyn.robot import methods
from soadyn.robot.methods import typed_module


def test_the_stub_is_what_the_table_says() -> None:
    written = Path(methods.__file__).with_name("typed.pyi").read_text(encoding="utf-8")
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(typed_module())), "run `make stubs`"
