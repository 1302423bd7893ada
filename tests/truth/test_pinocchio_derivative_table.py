"""The table "Pinocchio call, ours" of docs/guides/derivatives.md, row by row on real robots, fixed and free.

Joints here have rates like Pinocchio's up to their order, so that directions of q are the same ones in another order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import soadyn as sd
from corpus import corpus_urdfs, pin_model
from soadyn.interop import Pinocchio

pin = pytest.importorskip("pinocchio")

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "guides" / "derivatives.md"
CASES = {"panda": ("panda", "fixed", "panda_hand"), "solo12": ("solo12", "free", "FL_FOOT")}
FILES = {path.stem: path for path in corpus_urdfs()}
AXES = {"world": pin.LOCAL_WORLD_ALIGNED, "local": pin.LOCAL}
# Functions of contacts, which soadyn has none of.
OF_CONTACTS = {"computeConstraintDynamicsDerivatives", "computeImpulseDynamicsDerivatives"}

pytestmark = pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")


class Pair:
    """A robot at a state, here and in Pinocchio."""

    def __init__(self, file: str, root: Any, frame: str, rng: np.random.Generator) -> None:
        self.arm, self.model = sd.load(FILES[file], root=root), pin_model(FILES[file], free=root == "free")
        self.peer, self.data, self.frame = Pinocchio(self.arm, self.model), self.model.createData(), frame
        self.q = self.arm.random_configuration(rng)
        self.v, self.a, self.tau = rng.normal(size=(3, self.arm.nv))
        self.theirs = self.peer.q_to(self.q)
        self.v_pin, self.a_pin = self.peer.v_to(self.q, self.v), self.peer.a_to(self.q, self.v, self.a)
        self.tau_pin = self.peer.force_to(self.q, self.tau)
        self.id = self.model.getFrameId(frame, pin.FrameType.BODY)
        self.joint, self.place = self.model.frames[self.id].parentJoint, self.model.frames[self.id].placement
        # The joint's own frame, seen from the link's.
        self.joint_frame = (frame, self.place.inverse().homogeneous)
        pin.computeForwardKinematicsDerivatives(self.model, self.data, self.theirs, self.v_pin, self.a_pin)
        pin.updateFramePlacements(self.model, self.data)

    def square(self, X: Any) -> np.ndarray:
        return self.peer.matrix_from(self.q, np.array(X))

    def rows(self, X: Any) -> np.ndarray:
        return self.peer.jacobian_from(self.q, np.array(X))

    def wrenches(self, rng: np.random.Generator) -> tuple[dict[str, np.ndarray], Any]:
        wrench = rng.normal(size=6)
        theirs = pin.StdVec_Force()
        theirs.extend([pin.Force.Zero()] * self.model.njoints)
        theirs[self.joint] = self.place.act(pin.Force(wrench[3:], wrench[:3]))
        return {self.frame: wrench}, theirs


@pytest.fixture(params=CASES)
def pair(request: Any, rng: np.random.Generator) -> Pair:
    return Pair(*CASES[request.param], rng)


def close(ours: Any, theirs: Any, within: float = 2e-12) -> None:
    assert np.shape(ours) == np.shape(theirs)
    assert np.abs(ours - theirs).max() <= within * max(1.0, np.abs(theirs).max())


def test_rnea_derivatives(pair: Pair, rng: np.random.Generator) -> None:
    external, fext = pair.wrenches(rng)
    theirs = pin.computeRNEADerivatives(pair.model, pair.data, pair.theirs, pair.v_pin, pair.a_pin, fext)
    for x, y in zip(pair.arm.inverse_dynamics_derivatives(pair.q, pair.v, pair.a, external), theirs, strict=True):
        close(x, pair.square(y))


def test_aba_derivatives(pair: Pair, rng: np.random.Generator) -> None:
    external, fext = pair.wrenches(rng)
    theirs = pin.computeABADerivatives(pair.model, pair.data, pair.theirs, pair.v_pin, pair.tau_pin, fext)
    for x, y in zip(pair.arm.forward_dynamics_derivatives(pair.q, pair.v, pair.tau, external), theirs, strict=True):
        close(x, pair.square(y), 1e-9)


@pytest.mark.heavy(2)
def test_generalized_gravity_derivatives(pair: Pair) -> None:
    theirs = pair.square(pin.computeGeneralizedGravityDerivatives(pair.model, pair.data, pair.theirs))
    still = np.zeros(pair.arm.nv)
    close(pair.arm.vjp("gravity_force", (pair.q,), np.eye(pair.arm.nv))[1][0], theirs)
    close(pair.arm.inverse_dynamics_derivatives(pair.q, still, still)[0], theirs)


def test_static_torque_derivatives(pair: Pair, rng: np.random.Generator) -> None:
    external, fext = pair.wrenches(rng)
    still = np.zeros(pair.arm.nv)
    theirs = pin.computeStaticTorqueDerivatives(pair.model, pair.data, pair.theirs, fext)
    close(pair.arm.inverse_dynamics_derivatives(pair.q, still, still, external)[0], pair.square(theirs))


def test_coriolis_matrix(pair: Pair) -> None:
    theirs = pin.computeCoriolisMatrix(pair.model, pair.data, pair.theirs, pair.v_pin)
    close(pair.arm.coriolis_matrix(pair.q, pair.v), pair.square(theirs))


@pytest.mark.parametrize("axes", AXES)
def test_point_velocity_derivatives(pair: Pair, axes: str) -> None:
    _, ours = pair.arm.vjp("frame_velocity", (pair.q, pair.v), np.eye(6)[3:], frame=pair.frame, axes=axes)
    theirs = pin.getPointVelocityDerivatives(pair.model, pair.data, pair.joint, pair.place, AXES[axes])
    for x, y in zip(ours, theirs, strict=True):
        close(x, pair.rows(y))


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("of", ["frame", "joint"])
def test_velocity_derivatives(pair: Pair, of: str, axes: str) -> None:
    frame = pair.frame if of == "frame" else pair.joint_frame
    V, ours = pair.arm.vjp("frame_velocity", (pair.q, pair.v), np.eye(6), frame=frame, axes=axes)
    if axes == "world":
        ours[0][3:] -= at_a_place_that_stays(pair, frame, V[0, :3])
    if of == "frame":
        theirs = pin.getFrameVelocityDerivatives(pair.model, pair.data, pair.id, AXES[axes])
    else:
        theirs = pin.getJointVelocityDerivatives(pair.model, pair.data, pair.joint, AXES[axes])
    for x, y in zip(ours, theirs, strict=True):
        close(x, pair.rows(y))


def at_a_place_that_stays(pair: Pair, frame: Any, turning: np.ndarray) -> np.ndarray:
    """What a field of velocities or accelerations gains because its frame moves with q: turning x dp."""
    return pin.skew(turning) @ pair.arm.jacobian(pair.q, frame)[3:]


@pytest.mark.parametrize("axes", AXES)
def test_classical_acceleration_derivatives(pair: Pair, axes: str) -> None:
    at = (pair.q, pair.v, pair.a)
    _, ours = pair.arm.vjp("frame_acceleration", at, np.eye(6)[3:], frame=pair.frame, axes=axes)
    theirs = pin.getPointClassicAccelerationDerivatives(pair.model, pair.data, pair.joint, pair.place, AXES[axes])
    for x, y in zip(ours, theirs[-3:], strict=True):
        close(x, pair.rows(y))


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("of", ["frame", "joint"])
def test_spatial_acceleration_derivatives(pair: Pair, of: str, axes: str) -> None:
    """Pinocchio's spatial acceleration is the classical one less omega x v."""
    at, frame = (pair.q, pair.v, pair.a), pair.frame if of == "frame" else pair.joint_frame
    A, (dq, dv, da) = pair.arm.vjp("frame_acceleration", at, np.eye(6), frame=frame, axes=axes)
    V, (V_q, V_v) = pair.arm.vjp("frame_velocity", at[:2], np.eye(6), frame=frame, axes=axes)
    omega, v = V[0, :3], V[0, 3:]
    for x, change in ((dq, V_q), (dv, V_v)):
        x[3:] -= pin.skew(omega) @ change[3:] - pin.skew(v) @ change[:3]
    if axes == "world":
        V_q[3:] -= at_a_place_that_stays(pair, frame, omega)
        dq[3:] -= at_a_place_that_stays(pair, frame, A[0, :3])
    if of == "frame":
        theirs = pin.getFrameAccelerationDerivatives(pair.model, pair.data, pair.id, AXES[axes])
    else:
        theirs = pin.getJointAccelerationDerivatives(pair.model, pair.data, pair.joint, AXES[axes])
    for x, y in zip((V_q, dq, dv, da), theirs, strict=True):
        close(x, pair.rows(y))


@pytest.mark.parametrize("axes", AXES)
def test_jacobian_time_variation(pair: Pair, axes: str) -> None:
    pin.computeJointJacobiansTimeVariation(pair.model, pair.data, pair.theirs, pair.v_pin)
    theirs = pin.getFrameJacobianTimeVariation(pair.model, pair.data, pair.id, AXES[axes])
    close(pair.arm.jacobian_rate(pair.q, pair.v, pair.frame, axes), pair.rows(theirs))
    theirs = pin.getJointJacobianTimeVariation(pair.model, pair.data, pair.joint, AXES[axes])
    close(pair.arm.jacobian_rate(pair.q, pair.v, pair.joint_frame, axes), pair.rows(theirs))


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("of", ["frame", "joint"])
def test_kinematic_hessian(pair: Pair, of: str, axes: str) -> None:
    pin.computeJointKinematicHessians(pair.model, pair.data, pair.theirs)
    if of == "frame":
        frame, theirs = pair.frame, pin.getFrameKinematicHessian(pair.model, pair.data, pair.id, AXES[axes])
    else:
        frame, theirs = pair.joint_frame, pin.getJointKinematicHessian(pair.model, pair.data, pair.joint, AXES[axes])
    theirs = theirs.ravel().reshape(theirs.shape, order="F")  # Pinocchio 4.1 hands it out in the other order of memory
    along = np.eye(pair.arm.nv)
    _, ours = pair.arm.jvp("jacobian", (pair.q,), (along,), frame=frame, axes=axes)  # (direction, 6, nv)
    order = np.argmax(pair.peer.v_to(pair.q, along), axis=-1)  # our column i is their column order[i]
    close(ours, np.stack([pair.rows(theirs[:, :, j]) for j in order]))


def test_center_of_mass_velocity_derivatives(pair: Pair) -> None:
    pin.centerOfMass(pair.model, pair.data, pair.theirs, pair.v_pin)
    theirs = pin.getCenterOfMassVelocityDerivatives(pair.model, pair.data)
    momentum_q = pair.arm.vjp("momentum", (pair.q, pair.v), np.eye(6)[3:])[1][0]
    close(momentum_q / pair.arm.total_mass, pair.rows(theirs))


def test_centroidal_map_time_variation(pair: Pair) -> None:
    theirs = pin.computeCentroidalMapTimeVariation(pair.model, pair.data, pair.theirs, pair.v_pin)
    A, rate = pair.arm.jvp("centroidal_momentum_matrix", (pair.q,), (pair.v,))
    # Pinocchio leaves out that the mass centre moves, which momentum does not feel: its velocity is parallel to p.
    rate[:3] += pin.skew(pair.arm.center_of_mass_jacobian(pair.q) @ pair.v) @ A[3:]
    close(rate, pair.rows(theirs))


def test_centroidal_momentum_time_variation(pair: Pair) -> None:
    theirs = pin.computeCentroidalMomentumTimeVariation(
        pair.model, pair.data, pair.theirs, pair.v_pin, pair.a_pin
    ).vector
    _, rate = pair.arm.jvp("momentum", (pair.q, pair.v), (pair.v, pair.a), about="com")
    close(rate, pair.peer.wrench_from(theirs))


def test_centroidal_dynamics_derivatives_of_a_free_robot(rng: np.random.Generator) -> None:
    pair = Pair(*CASES["solo12"], rng)
    theirs = pin.computeCentroidalDynamicsDerivatives(pair.model, pair.data, pair.theirs, pair.v_pin, pair.a_pin)
    same = [np.array(x) for x in theirs]
    pin.computeRNEADerivatives(pair.model, pair.data, pair.theirs, pair.v_pin, pair.a_pin)
    for x, y in zip(pin.getCentroidalDynamicsDerivatives(pair.model, pair.data), same, strict=True):
        close(x, y)
    _, (h_q, h_v) = pair.arm.vjp("momentum", (pair.q, pair.v), np.eye(6), about="com")
    for x, y in zip((h_q, *momentum_rate_derivatives(pair.arm, pair.q, pair.v, pair.a)), same, strict=True):
        close(x, pair.rows(y))
    close(h_v, pair.rows(same[3]))


def momentum_rate_derivatives(arm: sd.Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> list[np.ndarray]:
    """By q, v and a: what the free root's joint would have to supply without gravity, moved to the mass centre."""
    afloat = arm.with_gravity([0, 0, 0])
    wrench = afloat.inverse_dynamics(q, v, a)[:6]
    root = arm.pose(q, arm.link_names[0])
    R, away = root[:3, :3], root[:3, 3] - arm.center_of_mass(q)
    moved = np.block([[R, pin.skew(away) @ R], [np.zeros((3, 3)), R]])
    dq, dv, da = (moved @ x[:6] for x in afloat.inverse_dynamics_derivatives(q, v, a))
    # The root's axes turn with the first three directions, its origin moves with the next, the mass centre with all.
    turned = np.zeros((6, 6))
    turned[:3, :3], turned[3:, :3] = pin.skew(wrench[:3]), pin.skew(wrench[3:])
    dq[:, :6] -= moved @ turned
    shift = -arm.center_of_mass_jacobian(q)
    shift[:, 3:6] += R
    dq[:3] -= pin.skew(R @ wrench[3:]) @ shift
    return [dq, dv, da]


def test_integrate_and_difference(pair: Pair) -> None:
    along, still = np.eye(pair.arm.nv), np.zeros(pair.arm.nv)
    after = pair.arm.integrate(pair.q, pair.v)
    theirs = pin.dIntegrate(pair.model, pair.theirs, pair.v_pin)
    for i, y in enumerate(theirs):
        chosen = [along if j == i else still for j in range(2)]
        close(pair.arm.jvp("integrate", (pair.q, pair.v), chosen)[1].T, pair.square(y))
    theirs = pin.dDifference(pair.model, pair.theirs, pair.peer.q_to(after))
    for i, y in enumerate(theirs):
        chosen = [along if j == i else still for j in range(2)]
        close(pair.arm.jvp("difference", (pair.q, after), chosen)[1].T, pair.square(y), 1e-9)


def test_gradients_of_energies(rng: np.random.Generator) -> None:
    pair = Pair(*CASES["panda"], rng)
    _, (potential_q,) = pair.arm.vjp("potential_energy", (pair.q,), 1.0)
    close(potential_q, pair.peer.force_from(pair.q, pin.computeGeneralizedGravity(pair.model, pair.data, pair.theirs)))
    # T = v* M v / 2 and dM/dt = C + C*, so that the equations of motion give dT/dq = C* v.
    C = pair.square(pin.computeCoriolisMatrix(pair.model, pair.data, pair.theirs, pair.v_pin))
    M = pin.crba(pair.model, pair.data, pair.theirs)
    _, (kinetic_q, kinetic_v) = pair.arm.vjp("kinetic_energy", (pair.q, pair.v), 1.0)
    close(kinetic_q, C.T @ pair.v)
    close(kinetic_v, pair.square(np.triu(M) + np.triu(M, 1).T) @ pair.v)
    close(pair.arm.mass_matrix_rate(pair.q, pair.v), C + C.T)


def test_the_page_names_every_derivative_that_pinocchio_computes() -> None:
    named = set(re.findall(r"`(\w+)", PAGE.read_text(encoding="utf-8")))
    theirs = {name for name in dir(pin) if re.fullmatch(r"(compute|get)\w*(Derivatives|TimeVariation|Hessians?)", name)}
    missing = theirs - named
    assert not missing
    assert named >= OF_CONTACTS
