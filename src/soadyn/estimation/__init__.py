"""Estimation: dynamics as a random field, for people who know Kalman filters; touch and payload from joint torques.

>>> import numpy as np, soadyn as sd
>>> field = sd.estimation.RandomField(sd.load("ur5"), np.zeros(6))
>>> field.covariance("T").dense().shape
(6, 6)
"""

from soadyn.estimation.candidates import Surface, surface
from soadyn.estimation.contact_location import contact
from soadyn.estimation.contact_result import Contacts
from soadyn.estimation.drive_identification import DriveGains, drive_gains
from soadyn.estimation.excitation_design import Excitation, excitation
from soadyn.estimation.field_points import FieldPoints
from soadyn.estimation.filter_results import Filtered, Smoothed
from soadyn.estimation.identification import Identified, identify, with_parameters
from soadyn.estimation.kalman_export import KalmanModel, kalman_model
from soadyn.estimation.payloads import PayloadEstimator
from soadyn.estimation.random_field import RandomField, Sample
from soadyn.estimation.residuals import MomentumObserver, residual

__all__ = [
    "Contacts",
    "DriveGains",
    "Excitation",
    "FieldPoints",
    "Filtered",
    "Identified",
    "KalmanModel",
    "MomentumObserver",
    "PayloadEstimator",
    "RandomField",
    "Sample",
    "Smoothed",
    "Surface",
    "contact",
    "drive_gains",
    "excitation",
    "identify",
    "kalman_model",
    "residual",
    "surface",
    "with_parameters",
]
