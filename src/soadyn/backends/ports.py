"""The arguments and results of a program's kernel for one robot, and of the recorded scalars that stand for them."""

from __future__ import annotations

from soadyn.backends.port import Port
from soadyn.model.model import Model
from soadyn.sweep.program import COLUMNS, FRAMES, NUMBERS, Layout, Output, Program, kept_kind, share_of

# A frame: the link that carries it, then its rotation row by row and its position in the sweeps' link frame.
FRAME_NUMBERS = 13


def input_port(name: str, model: Model) -> Port:
    """The argument of that name."""
    match name:
        case "q":
            return Port(name, (model.nq,))
        case _ if share_of(name) == "wrench":
            return Port(name, (len(model.visible), 6))
        case _ if name in FRAMES:
            return Port(name, (FRAME_NUMBERS,))
        case "on_path" | "at_frame":
            return Port(name, (model.n + 1,))
        case _ if name in COLUMNS:
            return Port(name, (COLUMNS[name],))
        case _ if name in NUMBERS:
            return Port(name, (1,))
        case _:
            return Port(name, (model.nv,))


WHOLE: dict[str, tuple[int, ...]] = {
    "energy": (),
    "com": (3,),
    "momentum": (6,),
    "pose_frame": (4, 4),
    "V_frame": (6,),
    "alpha_frame": (6,),
    "J_G_x": (6,),
    "Lambda_inverse": (6, 6),
}


def output_port(output: Output, model: Model) -> Port:
    """The result of that name."""
    nv, links, kind = model.nv, len(model.visible), kept_kind(output.value)
    shapes: dict[Layout, tuple[int, ...]] = {
        "coordinates": (model.nq,),
        "joint": (nv,),
        "joint matrix": (nv, nv),
        "symmetric": (nv, nv),
        "blocks": (nv, nv),
        "columns": (3 if kind == "J_com" else 6, nv),
        "link": (links, 4, 4),
        "link vectors": (links, 6),
        "sum": (),
        "matrix": (nv, 10 * links if kind == "Y" else nv),
    }
    shape = WHOLE[kind] if output.layout == "whole" else shapes[output.layout]
    return Port(output.value, shape)


def ports_of(program: Program, model: Model) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
    """All arguments and results of a program."""
    inputs = tuple(input_port(name, model) for name in program.inputs)
    return inputs, tuple(output_port(output, model) for output in program.outputs)
