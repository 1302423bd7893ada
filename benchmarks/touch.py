"""Where is a moving Panda touched? `locate_contact` against a particle filter on the same residuals.

Run it with `.venv/bin/python benchmarks/touch.py [EPISODES]`.

The true arm moves on sums of sines. Its model errs by 5 % (one standard deviation) in every inertial parameter and
knows 70 % of the Coulomb friction. Torques have 0.1 N m of noise and come one sample (5 ms) late, velocities have noise
of 2 mrad/s. In each episode a force of 20 N, at most 27 degrees from the inward normal, acts for 0.3 s at a random
place of the surface. Both methods get the momentum observer's residual, its standard deviations measured without
touch, the arm's surface and its normals.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from contact_particles import ParticleFilter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

import soadyn as sd
import touching
from soadyn.estimation import ContactResult, MomentumObserver, SurfacePoints, locate_contact, sample_surface

STEP, BEFORE, DURING = 0.005, 60, 60  # s, samples
FORCE, TORQUE_NOISE, RATE_NOISE, FRICTION, KNOWN = 20.0, 0.1, 0.002, 0.4, 0.7
GAIN = 40.0
LINKS = [f"panda_link{k}" for k in range(1, 8)]


@dataclass(frozen=True)
class Episode:
    """One touch: states, the observer's residual, and the truth."""

    q: np.ndarray
    residual: np.ndarray
    link: str
    place: np.ndarray  # in axes of the link
    force: np.ndarray  # in world axes, at the last moment


def wrong_model(arm: sd.Robot, rng: np.random.Generator, error: float = 0.05) -> sd.Robot:
    """Every mass, mass centre and moment of inertia off by its own 5 %; bodies stay possible."""

    def off(link):
        spread = 1 + error * rng.standard_normal(7)
        L = np.linalg.cholesky(np.trace(link.inertia) / 2 * np.eye(3) - np.array(link.inertia) + 1e-9 * np.eye(3))
        L = L * (1 + error / 2 * rng.standard_normal((3, 3)))
        C = L @ L.T
        J = np.trace(C) * np.eye(3) - C
        com = tuple(x * s for x, s in zip(link.com, spread[1:4], strict=True))
        return replace(link, mass=link.mass * spread[0], com=com, inertia=tuple(map(tuple, J)))

    return sd.Robot(replace(arm.model, links=tuple(off(link) for link in arm.model.links)))


def motion(rng: np.random.Generator, arm: sd.Robot, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random smooth motion: q, v, a."""
    middle, half = (arm.lower + arm.upper) / 2, (arm.upper - arm.lower) / 2
    centre = middle + 0.5 * half * rng.uniform(-1, 1, 7)
    w, phase = rng.uniform(1.0, 3.0, 7), rng.uniform(0, 2 * np.pi, 7)
    size = 0.3 * rng.uniform(0.3, 1.0, 7)
    s = w * t[:, None] + phase
    return centre + size * np.sin(s), size * w * np.cos(s), -size * w**2 * np.sin(s)


def friction(v: np.ndarray) -> np.ndarray:
    """Coulomb, smoothed below 10 mrad/s: what the joints do by themselves."""
    return -FRICTION * np.tanh(v / 0.01)


def episode(
    rng: np.random.Generator, arm: sd.Robot, model: sd.Robot, fine: SurfacePoints, touched: bool = True
) -> Episode:
    """A motion with a touch in its second half."""
    t = STEP * np.arange(BEFORE + DURING)
    q, v, a = motion(rng, arm, t)
    i = rng.integers(len(fine.points))
    (frame, place), n = fine.points[i], fine.normals[i]
    offset = np.eye(4)
    offset[:3, 3] = place
    across = np.cross(n, rng.standard_normal(3))
    direction = -n + 0.5 * rng.random() * across / np.linalg.norm(across)
    local = FORCE * direction / np.linalg.norm(direction)
    force = (arm.pose(q, frame)[:, :3, :3] @ local) * (touched * (np.arange(len(t)) >= BEFORE))[:, None]
    J = arm.jacobian(q, (frame, offset))[:, 3:]
    tau = arm.inverse_dynamics(q, v, a) - (J.mT @ force[..., None])[..., 0] - friction(v)
    tau += TORQUE_NOISE * rng.standard_normal(tau.shape)
    late = np.concatenate([tau[:1], tau[:-1]])
    seen_v = v + RATE_NOISE * rng.standard_normal(v.shape)
    observer = MomentumObserver(model, GAIN, lambda t, q, v: KNOWN * friction(v))
    carrier = arm.model.frame(frame)
    x = carrier.placement.matrix() @ np.append(place, 1.0)
    return Episode(q, observer.run(t, q, seen_v, late), arm.model.links[carrier.link - 1].name, x[:3], force[-1])


def found_by_contact(arm: sd.Robot, e: Episode, coarse: SurfacePoints, std: np.ndarray) -> tuple[ContactResult, float]:
    """Hypotheses over time since the touch began, and the processor time they took."""
    start = time.process_time()
    part = slice(BEFORE, None)
    found = locate_contact(
        arm, e.q[part], e.residual[part], coarse.points, FORCE, std, normals=coarse.normals, slip=0.4
    )
    found = found.over_time(0.98, alike=2 / (GAIN * STEP))
    found.link, found.best  # noqa: B018
    return found, time.process_time() - start


def errors(arm: sd.Robot, e: Episode, link: str, place: np.ndarray, force: np.ndarray) -> tuple[float, float]:
    """Distance of the point (m) and error of the force (N) at the last moment."""
    poses = arm.poses(e.q[-1])
    true = poses[arm.link_names.index(e.link)] @ np.append(e.place, 1.0)
    seen = poses[arm.link_names.index(link)] @ np.append(place, 1.0)
    return float(np.linalg.norm(true - seen)), float(np.linalg.norm(force - e.force))


def known_points(count: int = 4000, seed: int = 0) -> dict[str, Any]:
    """Contacts at one known point on each link, the model exact: shares found, errors of forces, their ellipsoids."""
    seen = touching.contacts_on_all_links(np.random.default_rng(seed), count)
    found = locate_contact(seen.arm, seen.q, seen.residual, touching.POINTS, FORCE / np.sqrt(3), TORQUE_NOISE)
    rows = np.arange(count)
    off, C = found.forces[rows, seen.link] - seen.force, found.covariances[rows, seen.link]
    inside = (off * np.linalg.solve(C, off[..., None])[..., 0]).sum(-1) < 7.815
    quiet = locate_contact(
        seen.arm,
        seen.q,
        TORQUE_NOISE * np.random.default_rng(seed + 1).standard_normal((count, 7)),
        touching.POINTS,
        FORCE / np.sqrt(3),
        TORQUE_NOISE,
    )
    return {
        "known points: link right": float((found.link == touching.LINKS[seen.link]).mean()),
        "known points: link right among the seven": float((found.best == seen.link).mean()),
        "known points: median force error by link (N)": _medians(np.linalg.norm(off, axis=-1), seen.link),
        "known points: inside the 95 % ellipsoid": float(inside.mean()),
        "known points: false alarms": float(quiet.touched.mean()),
    }


def main(episodes: int = 140, seed: int = 0, particles: int = 100) -> dict[str, Any]:
    """Both methods on the same episodes; confusion matrices, median errors, times, false alarms."""
    rng = np.random.default_rng(seed)
    arm = sd.load("panda")
    model, fine, coarse = wrong_model(arm, rng), sample_surface(arm, 0.015), sample_surface(arm, 0.035)
    quiet = [episode(rng, arm, model, fine, touched=False) for _ in range(30)]
    std = np.sqrt(np.mean([np.mean(e.residual[20:] ** 2, axis=0) for e in quiet], axis=0))
    alarms = [found_by_contact(arm, e, coarse, std)[0] for e in quiet]
    single = [
        locate_contact(arm, e.q[20:], e.residual[20:], coarse.points, FORCE, std, normals=coarse.normals) for e in quiet
    ]
    names = ("contact", "particle filter")
    confusion = {name: np.zeros((7, 8), dtype=int) for name in names}
    off = {name: np.full((episodes, 2), np.nan) for name in names}
    spent, true = dict.fromkeys(names, 0.0), np.zeros(episodes, dtype=int)
    for k in range(episodes):
        e = episode(rng, arm, model, fine)
        true[k] = LINKS.index(e.link)
        found, seconds = found_by_contact(arm, e, coarse, std)
        spent["contact"] += seconds
        link = found.link[-1]
        confusion["contact"][true[k], LINKS.index(link) if link else 7] += 1
        if link:
            off["contact"][k] = errors(arm, e, link, found.point[-1], found.force[-1])
        start = time.process_time()
        particle = ParticleFilter(arm, coarse, std, particles, rng)
        for q, r in zip(e.q[BEFORE:], e.residual[BEFORE:], strict=True):
            guess = particle.update(q, r)
        spent["particle filter"] += time.process_time() - start
        confusion["particle filter"][true[k], LINKS.index(guess.link)] += 1
        off["particle filter"][k] = errors(arm, e, guess.link, guess.place, guess.force)
    told = np.isfinite(off["contact"][:, 0])
    return {
        "std": std,
        "false alarms, single moments": float(np.mean([found.touched.mean() for found in single])),
        "false alarms, over time": float(np.mean([found.touched.mean() for found in alarms])),
        **{f"confusion, {name}": confusion[name] for name in names},
        **{f"link right, {name}": float(np.trace(confusion[name]) / episodes) for name in names},
        **{f"median point error by link (mm), {name}": _medians(off[name][:, 0] * 1e3, true) for name in names},
        **{f"median force error by link (N), {name}": _medians(off[name][:, 1], true) for name in names},
        "the same where contact found one, particle filter": np.nanmedian(off["particle filter"][told], axis=0)
        * [1e3, 1.0],
        "links on which a touch cannot be told": ", ".join(
            name for k, name in enumerate(LINKS) if (true == k).any() and told[true == k].mean() < 0.5
        ),
        **{f"ms a time step, {name}": 1e3 * spent[name] / (episodes * DURING) for name in names},
        "ms for 1,000 moments and 7 hypotheses": _speed(arm, rng),
        "times faster": spent["particle filter"] / spent["contact"],
    }


def _speed(arm: sd.Robot, rng: np.random.Generator) -> float:
    """Processor time of a call, the median of 20."""
    q, r = arm.random_configuration(rng, 1000), rng.standard_normal((1000, 7))
    seven = [(name, [0.05, 0.05, 0.05]) for name in LINKS]
    spent = []
    for _ in range(20):
        start = time.process_time()
        locate_contact(arm, q, r, seven, FORCE, TORQUE_NOISE).evidence  # noqa: B018
        spent.append(time.process_time() - start)
    return 1e3 * float(np.median(spent))


def _medians(x: np.ndarray, link: np.ndarray) -> np.ndarray:
    """By link, and of all."""
    parts = [x[link == k] for k in range(7)]
    return np.array([*(np.nanmedian(part) if np.isfinite(part).any() else np.nan for part in parts), np.nanmedian(x)])


if __name__ == "__main__":
    np.set_printoptions(precision=2, suppress=True, linewidth=140)
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 140
    for name, value in {**known_points(), **(main(episodes) if episodes else {})}.items():
        print(f"{name}:\n{value}" if isinstance(value, np.ndarray) and value.ndim == 2 else f"{name}: {value}")
