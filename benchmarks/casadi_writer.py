"""Pinocchio's aba, rnea and crba as C that CasADi generates.

    python benchmarks/casadi_writer.py URDF fixed|free FOLDER

writes aba.c (of q, v and tau), rnea.c (of q, v and a) and crba.c (of q), each with a function `f`, and prints the
versions. The Python that runs it is that of an environment with cmeel-casadi-kin-dyn, which brings a Pinocchio and a
CasADi of its own and so cannot be installed beside a newer Pinocchio: nothing of soadyn is imported here.
"""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

NAMES = ("aba", "rnea", "crba")


def write(name: str, arguments: list[Any], result: Any, folder: Path) -> None:
    """One file of C of an expression, without what is said twice in it."""
    import casadi

    function = casadi.Function("f", arguments, [casadi.cse(casadi.densify(result))])
    generator = casadi.CodeGenerator(f"{name}.c")
    generator.add(function)
    generator.generate(f"{folder}/")


def from_pinocchio(model: Any, folder: Path) -> str:
    """The files of a Pinocchio model, by a build of Pinocchio that comes with `pinocchio.casadi`; its versions."""
    import casadi
    import pinocchio
    import pinocchio.casadi as cpin

    symbolic = cpin.Model(model)
    data = symbolic.createData()
    sizes = {"q": model.nq, "v": model.nv, "a": model.nv, "tau": model.nv}
    q, v, a, tau = (casadi.SX.sym(name, size) for name, size in sizes.items())
    write("aba", [q, v, tau], cpin.aba(symbolic, data, q, v, tau), folder)
    write("rnea", [q, v, a], cpin.rnea(symbolic, data, q, v, a), folder)
    write("crba", [q], casadi.triu2symm(casadi.triu(cpin.crba(symbolic, data, q))), folder)
    return f"CasADi {casadi.__version__}, Pinocchio {pinocchio.__version__}"


def from_urdf(path: Path, free: bool, folder: Path) -> str:
    """The files of a URDF, by cmeel-casadi-kin-dyn; its versions."""
    from casadi_kin_dyn import CasadiKinDyn  # before casadi: it knows where the library is

    root = CasadiKinDyn.JointType.FREE_FLYER if free else CasadiKinDyn.JointType.OMIT
    robot = CasadiKinDyn(path.read_text(), root)
    for name in NAMES:
        function = getattr(robot, name)()
        arguments = function.sx_in()
        write(name, arguments, function.call(arguments)[0], folder)
    import casadi

    return f"CasADi {casadi.__version__}, Pinocchio {importlib.metadata.version('pin')}"


if __name__ == "__main__":
    urdf, base, target = sys.argv[1:]
    print(from_urdf(Path(urdf), base == "free", Path(target)))
