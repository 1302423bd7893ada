"""Pinocchio's aba, rnea and crba, or the derivatives of the first two, as C that CasADi generates.

    python benchmarks/casadi_writer.py URDF fixed|free FOLDER [--derivatives] [--locked JOINT ...]

writes aba.c (of q, v and tau), rnea.c (of q, v and a) and crba.c (of q), or aba_derivatives.c and rnea_derivatives.c
(three matrices side by side), each with a function `f`, and prints the versions. Locked joints stay at zero. The Python
that runs it is that of an environment with cmeel-casadi-kin-dyn, which brings a Pinocchio and a CasADi of its own and
so cannot be installed beside a newer Pinocchio: nothing of soadyn is imported here.
"""

from __future__ import annotations

import argparse
import importlib.metadata
from collections.abc import Sequence
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


def write_derivatives(aba: Any, rnea: Any, folder: Path) -> None:
    """The files of the derivatives, by automatic differentiation of the graphs:

        inverse    d tau / d (q, v, a), all columns in one call of `jacobian`
        forward    d a / d tau = inv(M) by `jacobian`,  d a / d (q, v) = - inv(M) d tau / d (q, v)  at that a

    Of the forms tried these have the fewest operations: an argument at a time, or `jacobian` of aba by all arguments,
    take more. By q means along the tangent space.
    """
    import casadi

    q, v, x = aba.sx_in()
    nv = v.numel()
    d = casadi.SX.sym("d", nv)
    changes = casadi.jacobian(rnea(moved(q, d), v, x), casadi.vertcat(d, v, x))
    changes = casadi.substitute(changes, d, casadi.SX.zeros(nv))
    write("rnea_derivatives", [q, v, x], changes, folder)
    found = aba(q, v, x)
    inverse = casadi.triu2symm(casadi.triu(casadi.jacobian(found, x)))
    by_state = casadi.substitute(changes[:, : 2 * nv], x, found)
    write("aba_derivatives", [q, v, x], casadi.horzcat(-inverse @ by_state, inverse), folder)


def moved(q: Any, d: Any) -> Any:
    """The configuration after a small step d, in the order of the rates, to first order.

    A free root is q = (p, u, w), d = (e, t, ...), both e and t in the root's axes:

        p + R e        (u, w) + (u, w) (t, 0) / 2        R e = e + w c + u x c,  c = 2 u x e
    """
    import casadi

    if q.numel() == d.numel():
        return q + d
    if q.numel() != d.numel() + 1:
        raise ValueError("only a free root may have more coordinates than rates")
    p, u, w, e, t = q[:3], q[3:6], q[6], d[:3], d[3:6]
    c = 2 * casadi.cross(u, e)
    vector = u + (w * t + casadi.cross(u, t)) / 2
    return casadi.vertcat(p + e + w * c + casadi.cross(u, c), vector, w - casadi.dot(u, t) / 2, q[7:] + d[6:])


def write_all(functions: dict[str, Any], folder: Path, derivatives: bool) -> None:
    """The files of aba, rnea and crba as CasADi functions."""
    if derivatives:
        write_derivatives(functions["aba"], functions["rnea"], folder)
        return
    for name, function in functions.items():
        arguments = function.sx_in()
        write(name, arguments, function.call(arguments)[0], folder)


def from_pinocchio(model: Any, folder: Path, derivatives: bool = False) -> str:
    """The files of a Pinocchio model, by a build of Pinocchio that comes with `pinocchio.casadi`; its versions."""
    import casadi
    import pinocchio
    import pinocchio.casadi as cpin

    symbolic = cpin.Model(model)
    data = symbolic.createData()
    q, v, x = (casadi.SX.sym(name, size) for name, size in (("q", model.nq), ("v", model.nv), ("x", model.nv)))
    M = casadi.triu2symm(casadi.triu(cpin.crba(symbolic, data, q)))
    functions = {
        "aba": casadi.Function("aba", [q, v, x], [cpin.aba(symbolic, data, q, v, x)]),
        "rnea": casadi.Function("rnea", [q, v, x], [cpin.rnea(symbolic, data, q, v, x)]),
        "crba": casadi.Function("crba", [q], [M]),
    }
    write_all(functions, folder, derivatives)
    return f"CasADi {casadi.__version__}, Pinocchio {pinocchio.__version__}"


def from_urdf(path: Path, free: bool, folder: Path, derivatives: bool = False, locked: Sequence[str] = ()) -> str:
    """The files of a URDF, by cmeel-casadi-kin-dyn; its versions."""
    from casadi_kin_dyn import CasadiKinDyn  # before casadi: it knows where the library is

    root = CasadiKinDyn.JointType.FREE_FLYER if free else CasadiKinDyn.JointType.OMIT
    robot = CasadiKinDyn(path.read_text(), root, False, dict.fromkeys(locked, 0.0))
    write_all({name: getattr(robot, name)() for name in NAMES}, folder, derivatives)
    import casadi

    return f"CasADi {casadi.__version__}, Pinocchio {importlib.metadata.version('pin')}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urdf", type=Path)
    parser.add_argument("root", choices=("fixed", "free"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--derivatives", action="store_true", help="derivatives instead of the quantities")
    parser.add_argument("--locked", nargs="+", default=(), metavar="JOINT", help="joints that stay at zero")
    chosen = parser.parse_args()
    print(from_urdf(chosen.urdf, chosen.root == "free", chosen.folder, chosen.derivatives, chosen.locked))


if __name__ == "__main__":
    main()
