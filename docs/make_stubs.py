"""Writes src/soadyn/robot/typed.pyi: what the methods made from the table of quantities look like to type checkers."""

from __future__ import annotations

from pathlib import Path

from soadyn.quantities import CLOSURE_QUANTITIES, QUANTITIES
from soadyn.robot.methods import returned, signature

STUB = Path(__file__).parent.parent / "src" / "soadyn" / "robot" / "typed.pyi"


def typed_module() -> str:
    """The text of `typed.pyi`."""
    text = [
        '"""What the methods made from the table of quantities look like; written by `make stubs`."""',
        "",
        "import numpy as np",
        "from numpy.typing import ArrayLike",
        "",
        "from soadyn.robot.arguments.arguments import ExternalLike, FrameLike, PassiveLike",
    ]
    state = ("q", "v"), ("a", "tau", "external")
    every = {**QUANTITIES, **CLOSURE_QUANTITIES}
    for name, held, offered, table in (("RobotQuantities", (), (), every), ("StateQuantities", *state, QUANTITIES)):
        text += ["", "", f"class {name}:", f'    """The quantities of a {name.removesuffix("Quantities")}."""']
        for quantity in table.values():
            parameters = signature(quantity, held, offered)
            if held and not parameters:
                text += ["", "    @property"]
            else:
                text.append("")
            text.append(
                f"    def {quantity.name}(self{', ' if parameters else ''}{parameters}) -> {returned(quantity)}: ..."
            )
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    STUB.write_text(typed_module(), encoding="utf-8")
