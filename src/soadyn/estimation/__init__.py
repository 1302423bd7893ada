"""Estimation: dynamics as a random field, for people who know Kalman filters; touch and payload from joint torques.

>>> import numpy as np, soadyn as sd
>>> field = sd.estimation.RandomField(sd.load("ur5"), np.zeros(6))
>>> field.covariance("T").dense().shape
(6, 6)
"""

from soadyn.estimation.kalman_export import KalmanModel, kalman_model
from soadyn.estimation.random_field import RandomField, Sample
from soadyn.estimation.records import Filtered, Smoothed

__all__ = ["Filtered", "KalmanModel", "RandomField", "Sample", "Smoothed", "kalman_model"]
