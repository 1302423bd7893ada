"""Closed robots: Cassie beside Pinocchio's constrained algorithms, and how the cost grows with the number of links.

    python benchmarks/loops.py [--quick] [--states 4096] [--only SECTION ...]

Sections: `cassie`, forward dynamics of a batch and of one state, and full Jacobians, in one process on one thread, in
turn; the peer is called state by state from Python, and the faster of its `constraintDynamics` and `lcaba` counts;
`growth`, a chain with one four-bar at its end. `cassie` needs example-robot-data and pinocchio. Figures are medians.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import soadyn as sd

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
SECTIONS = ("cassie", "growth")
BARS = {"a batch": 15, "one state": 2, "full Jacobians": 8}


def seconds(call: Callable[[], object], rounds: int, repeats: int = 1) -> float:
    """The median time of a call."""
    call()
    found = []
    for _ in range(rounds):
        began = time.perf_counter()
        for _ in range(repeats):
            call()
        found.append((time.perf_counter() - began) / repeats)
    return statistics.median(found)


def cassie(states: int, rounds: int) -> None:
    from corpus import corpus_root
    from sdf_peer import pin_of, read

    root = corpus_root()
    if root is None:
        print("cassie: example-robot-data is not installed")
        return
    path = root / "example-robot-data" / "robots" / "cassie_description" / "robots" / "cassie_simple.sdf"
    robot = sd.load(path, root="free")
    peer, call, lcaba, jacobians = pinocchio(robot.open(), *read(path), robot.closures, pin_of)
    rng = np.random.default_rng(0)
    q = np.tile(robot.random_configuration(rng, size=8), (states // 8, 1))
    v = robot.consistent(q, rng.standard_normal((*q.shape[:1], robot.nv)))
    tau = rng.standard_normal(v.shape)
    few = slice(0, 64)
    theirs = [
        (x, peer.v_to(a, b), peer.force_to(a, c))
        for a, b, c, x in zip(q[few], v[few], tau[few], map(peer.q_to, q[few]), strict=True)
    ]
    apart = max(
        float(np.abs(peer.a_to(a, b, robot.forward_dynamics(a, b, c)) - call(*given)).max())
        for a, b, c, given in zip(q[few], v[few], tau[few], theirs, strict=True)
    )
    print(f"Cassie, nv {robot.nv}, {len(robot.closure_error(q[0]))} rows; largest difference {apart:.1e} rad/s^2")
    tree = robot.open()
    for name, each in (("closed", robot), ("tree", tree)):
        counted = sum(sum(x.values()) for x in each.operation_counts("forward_dynamics").values())
        print(f"  {counted} operations, {name}")
    loops = {f"Pinocchio, {name}": lambda f=f: [f(*given) for given in theirs] for name, f in
             (("constraintDynamics", call), ("lcaba", lcaba))}  # fmt: skip
    per_state = {name: seconds(f, rounds) / len(theirs) for name, f in loops.items()}
    best = min(per_state.values())
    for name, x in per_state.items():
        print(f"  {x * 1e6:8.3f} us  {name}, one state after another")
    batch = seconds(lambda: robot.forward_dynamics(q, v, tau), rounds) / states
    of_tree = seconds(lambda: tree.forward_dynamics(q, v, tau), rounds) / states
    told("a batch", batch, best)
    print(f"  {of_tree * 1e6:8.3f} us  the tree's in such batches")
    one = q[0], v[0], tau[0]
    told("one state", seconds(lambda: robot.forward_dynamics(*one), rounds, 300), best)
    derived = seconds(lambda: [jacobians(*given) for given in theirs], rounds) / len(theirs)
    print(f"  {derived * 1e6:8.3f} us  Pinocchio, computeConstraintDynamicsDerivatives alone")
    told("full Jacobians", seconds(lambda: robot.forward_dynamics_derivatives(q, v, tau), rounds) / states, derived)


def told(what: str, own: float, peer: float) -> None:
    print(f"  {own * 1e6:8.3f} us  {what}: {peer / own:.1f} times as fast, bar {BARS[what]}")


def pinocchio(tree: sd.Robot, links: Any, joints: Any, closures: Any, pin_of: Any) -> Any:
    """Pinocchio's model of the same robot, and calls for its accelerations and derivatives."""
    import pinocchio as pin

    model = pin_of(tree.model, links, joints)
    model.gravity.linear = np.array(tree.gravity)
    data, other = model.createData(), model.createData()
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for closure in closures:
        said, held = joints[closure.name], []
        for link in (said.parent, said.child):
            frame = model.frames[model.getFrameId(link, pin.FrameType.OP_FRAME)]
            X = np.linalg.inv(links[link].pose) @ said.pose
            held += [frame.parentJoint, frame.placement * pin.SE3(X[:3, :3], X[:3, 3])]
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *held, pin.ReferenceFrame.LOCAL))
        datas.append(models[len(models) - 1].createData())
    pin.initConstraintDynamics(model, data, models, datas)
    pin.computeJointMinimalOrdering(model, other, models)
    once, corrected = pin.ProximalSettings(1e-12, 0.0, 1), pin.ProximalSettings(1e-9, 1e-6, 50)

    def call(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        found: np.ndarray = pin.constraintDynamics(model, data, q, v, tau, models, datas, once)
        return found

    def lcaba(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> object:
        return pin.lcaba(model, other, q, v, tau, models, datas, corrected)

    def jacobians(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> object:
        return pin.computeConstraintDynamicsDerivatives(model, data, models, datas, once)

    return sd.interop.Pinocchio(tree, model), call, lcaba, jacobians


def growth(states: int, rounds: int) -> None:
    """A chain that carries a four-bar at its end."""
    rng = np.random.default_rng(1)
    beam = sd.Body(1.0, com=(0.1, 0, 0), inertia=np.diag([0.01, 0.02, 0.02]))
    for n in (10, 20, 40, 80):
        b, last = sd.Builder("chain"), None
        for k in range(n - 3):
            last = b.link(f"link{k}", beam, last, origin=(0.2, 0, 0), axis=((0, 1, 0), (0, 0, 1))[k % 2])
        crank = b.link("crank", beam, last, origin=(0.2, 0, 0))
        coupler = b.link("coupler", beam, crank, origin=(0.3, 0, 0))
        b.link("rocker", beam, last, origin=(1.0, 0, 0))
        b.loop("pin", coupler, "rocker", "point on line", origin=(0.9, 0, 0), other_origin=(0.7, 0, 0))
        robot = b.robot()
        q = np.tile(robot.random_configuration(rng, size=4), (states // 4, 1))
        v = robot.consistent(q, rng.standard_normal(q.shape))
        time_taken = seconds(lambda r=robot, q=q, v=v: r.forward_dynamics(q, v, v), rounds) / states
        print(f"  {n:3} links: {time_taken * 1e6:7.3f} us a state, {time_taken * 1e9 / n:6.2f} ns a link")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a small run that shows that everything works")
    parser.add_argument("--states", type=int, default=4096)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, metavar="SECTION")
    chosen = parser.parse_args(arguments)
    sd.set_threads(1)
    for section in chosen.only:
        print(section)
        {"cassie": cassie, "growth": growth}[section](256 if chosen.quick else chosen.states, 2 if chosen.quick else 9)


if __name__ == "__main__":
    main()
