"""`soadyn export ROBOT QUANTITY --out PATH`: a quantity as C for a controller."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from soadyn.cli.terminal import OUT, MimicOption, RobotName, RootOption, loaded, out
from soadyn.errors import ArgumentError, unknown_name
from soadyn.exporting import export_c
from soadyn.exporting.c_text import RealName
from soadyn.exporting.derivatives import DerivativeName
from soadyn.quantities import QUANTITIES


def write_c(
    robot: RobotName,
    quantity: Annotated[str, Parameter(help="A quantity such as forward_dynamics or jacobian.")],
    *,
    out_file: Annotated[
        Path | None, Parameter(name=OUT, help="Where to: PATH.c and PATH.h; ROBOT_QUANTITY if omitted.")
    ] = None,
    frame: Annotated[str | None, Parameter(help="The frame of quantities that take one.")] = None,
    axes: Annotated[str | None, Parameter(help="world, local or a frame along whose axes the result is given.")] = None,
    about: Annotated[str | None, Parameter(help="origin or com: the point of a momentum.")] = None,
    passive: Annotated[
        tuple[str, ...] | None,
        Parameter(help="Joints whose force is known (hybrid_dynamics); an argument of the C function if omitted."),
    ] = None,
    external: Annotated[bool, Parameter(negative=(), help="Wrenches on the links are an argument.")] = False,
    derivative: Annotated[
        DerivativeName | None,
        Parameter(help="jvp: also rates along directions; vjp: also gradients of weighted results."),
    ] = None,
    real: Annotated[
        RealName, Parameter(help="The type of the numbers; sines are computed in double unless --libm is given.")
    ] = "double",
    libm: Annotated[bool, Parameter(negative=(), help="Sines from <math.h>, sinf and cosf for float.")] = False,
    name: Annotated[str | None, Parameter(help="The C function's name; ROBOT_QUANTITY if omitted.")] = None,
    root: RootOption = None,
    mimic: MimicOption = "independent",
) -> int:
    """Write a quantity of a robot as a C99 source and header without dependencies or allocation."""
    arm = loaded(robot, root, mimic)
    wanted = quantity.replace("-", "_")
    if wanted not in QUANTITIES:
        raise unknown_name("quantity", wanted, QUANTITIES)
    if frame is None and "frame" in QUANTITIES[wanted].arguments:
        raise ArgumentError(f"{wanted} needs a frame: --frame NAME")
    usual = f"{arm.name}_{wanted}" if derivative is None else f"{arm.name}_{wanted}_{derivative}"
    target = Path(usual) if out_file is None else out_file
    paths = export_c(
        getattr(arm, wanted),
        target,
        frame=frame,
        axes=axes,
        about=about,
        passive=passive,
        external=external,
        derivative=derivative,
        real=real,
        libm=libm,
        name=name,
    )
    out.print(Text(f"wrote {paths[0]} and {paths[1]}"), soft_wrap=True)
    return 0
