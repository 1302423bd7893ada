"""What is known about a touch: every hypothesis with its likelihood, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from soadyn.errors import ArgumentError
from soadyn.estimation.point_problems import LinkPoints, Solved, forces_of
from soadyn.fork_safe import cached_property
from soadyn.robot import Robot

THRESHOLD = float(np.log(100.0))


@final
@dataclass(frozen=True, eq=False)
class ContactResult:
    """Hypotheses of `sd.estimation.locate_contact`, for one moment or batched over time.

    robot, q        the robot and its configurations
    points          the candidates as given
    links, places   the moving links that carry them, and where, in axes of these links
    log_likelihood  (..., points + 1) ln p(residual | hypothesis), the last of "none"
    by_link         each link's points and what was solved there, in axes of the link
    threshold       a touch is told when "touched anywhere" (all points alike) is exp(threshold) times as likely as
                    "none"; without a touch that happens in at most a share exp(-threshold) of cases, noise as stated

    >>> import numpy as np, soadyn as sd
    >>> arm = sd.load("planar_two_link")
    >>> q, points = np.array([0.3, 0.5]), [("link1", [0.5, 0, 0]), ("link2", [0.5, 0, 0])]
    >>> found = sd.estimation.locate_contact(arm, q, [0.0, 0.0], points, force_std=20.0, torque_std=0.1)
    >>> found.link is None, found.log_likelihood.shape
    (True, (3,))
    """

    robot: Robot
    q: np.ndarray
    points: tuple[Any, ...]
    links: tuple[str, ...]
    places: np.ndarray
    log_likelihood: np.ndarray
    by_link: dict[str, tuple[np.ndarray, LinkPoints, Solved]]
    threshold: float = THRESHOLD

    def with_threshold(self, threshold: float) -> ContactResult:
        """The same with another threshold, the logarithm of a ratio of likelihoods."""
        return replace(self, threshold=threshold)

    @cached_property
    def evidence(self) -> np.ndarray:
        """ln p(residual | touched anywhere) - ln p(residual | none), (...)."""
        touched = np.logaddexp.reduce(self.log_likelihood[..., :-1], axis=-1) - np.log(len(self.points))
        return np.asarray(touched - self.log_likelihood[..., -1])

    @cached_property
    def touched(self) -> np.ndarray:
        """Is there a touch? (...) of booleans."""
        return np.asarray(self.evidence > self.threshold)

    @cached_property
    def link_log_likelihood(self) -> dict[str, np.ndarray]:
        """ln p(residual | touched anywhere on this link), each point of a link alike."""
        found = {}
        for link in dict.fromkeys(self.links):
            mine = self.log_likelihood[..., [i for i, name in enumerate(self.links) if name == link]]
            found[link] = np.logaddexp.reduce(mine, axis=-1) - np.log(mine.shape[-1])
        return found

    @cached_property
    def _best_link(self) -> np.ndarray:
        """The likeliest link, each of its points counting alike, whether it is touched or not."""
        each = np.stack(list(self.link_log_likelihood.values()), axis=-1)
        return np.array(list(self.link_log_likelihood), dtype=object)[each.argmax(-1)]

    @cached_property
    def best(self) -> np.ndarray:
        """The likeliest point of the likeliest link, (...) places in `points`, whether it is touched or not."""
        elsewhere = np.array(self.links, dtype=object) != np.asarray(self._best_link, dtype=object)[..., None]
        return np.asarray(np.where(elsewhere, -np.inf, self.log_likelihood[..., :-1]).argmax(-1))

    @property
    def link(self) -> Any:
        """The touched link's name, None without a touch; an array of them for a batch."""
        if self.touched.ndim == 0:
            return self._best_link if self.touched else None
        names = np.array(self._best_link, dtype=object)
        names[~self.touched] = None
        return names

    @property
    def point(self) -> np.ndarray:
        """The best point in axes of its link, (..., 3); NaN without a touch."""
        return np.where(self.touched[..., None], self.places[self.best], np.nan)

    @cached_property
    def _every(self) -> tuple[np.ndarray, np.ndarray]:
        poses = self.robot.poses(self.q)
        batch = self.q.shape[:-1]
        force, covariance = np.empty((*batch, len(self.points), 3)), np.empty((*batch, len(self.points), 3, 3))
        for link, (mine, here, found) in self.by_link.items():
            R = poses[..., self.robot.link_names.index(link), None, :3, :3]
            F, C = forces_of(here, found)
            force[..., mine, :], covariance[..., mine, :, :] = (R @ F[..., None])[..., 0], R @ C @ R.mT
        return force, covariance

    @property
    def forces(self) -> np.ndarray:
        """(..., points, 3) estimated forces on the robot in world axes, N, each if its point is touched."""
        return self._every[0]

    @property
    def covariances(self) -> np.ndarray:
        """(..., points, 3, 3) of the errors of `forces`."""
        return self._every[1]

    @property
    def force(self) -> np.ndarray:
        """The force at the best point, (..., 3); NaN without a touch."""
        return np.where(self.touched[..., None], self._of_best(self.forces), np.nan)

    @property
    def covariance(self) -> np.ndarray:
        """Its error's covariance, (..., 3, 3); NaN without a touch."""
        return np.where(self.touched[..., None, None], self._of_best(self.covariances), np.nan)

    def _of_best(self, x: np.ndarray) -> np.ndarray:
        axis = self.best.ndim
        index = self.best.reshape(*self.best.shape, *(1,) * (x.ndim - axis))
        return np.asarray(np.take_along_axis(x, index, axis=axis).squeeze(axis))

    def over_time(self, stay: float = 0.99, alike: float = 1.0) -> ContactResult:
        """The likelihoods of all that was seen until each moment; the first axis is time.

        A hidden Markov model's filter: from one moment to the next a hypothesis stays what it is with probability
        `stay`, else any other takes its place. `alike` is the number of samples within which the residual's noise
        hardly changes, for an observer about 2/(gain * step): so many count as one.
        """
        if not 0 < stay < 1 or not alike >= 1 or self.log_likelihood.ndim < 2:
            raise ArgumentError(
                f"over_time takes a batch over time, 0 < stay < 1 and alike >= 1, got stay={stay!r}, alike={alike!r}"
            )
        total = np.empty_like(self.log_likelihood)
        size = total.shape[-1]
        before = np.full(total.shape[1:], 1 / size)
        for t, seen in enumerate(self.log_likelihood / alike):
            before = stay * before + (1 - stay) / size
            total[t] = np.log(before) + seen
            before = np.exp(total[t] - total[t].max(-1, keepdims=True))
            before /= before.sum(-1, keepdims=True)
        return replace(self, log_likelihood=total)
