"""Estimation: dynamics as a random field, for people who know Kalman filters; touch and payload from joint torques.

A touch is one force at one point; friction depends on speed alone; joints are stiff.

>>> import numpy as np, soadyn as sd
>>> field = sd.estimation.RandomField(sd.load("ur5"), np.zeros(6))
>>> field.covariance("T").dense().shape
(6, 6)
"""

from soadyn.estimation.candidates import SurfacePoints, sample_surface
from soadyn.estimation.contact_location import locate_contact
from soadyn.estimation.contact_result import ContactResult
from soadyn.estimation.drive_identification import DriveGainsResult, identify_drive_gains
from soadyn.estimation.excitation_design import Excitation, design_excitation
from soadyn.estimation.field_points import FieldPoints
from soadyn.estimation.filter_results import FilterResult, SmootherResult
from soadyn.estimation.identification import IdentificationResult, identify
from soadyn.estimation.kalman_export import KalmanModel, build_kalman_model
from soadyn.estimation.payloads import PayloadEstimator
from soadyn.estimation.random_field import FieldSample, RandomField
from soadyn.estimation.residuals import MomentumObserver, residual

__all__ = [
    "ContactResult",
    "DriveGainsResult",
    "Excitation",
    "FieldPoints",
    "FieldSample",
    "FilterResult",
    "IdentificationResult",
    "KalmanModel",
    "MomentumObserver",
    "PayloadEstimator",
    "RandomField",
    "SmootherResult",
    "SurfacePoints",
    "build_kalman_model",
    "design_excitation",
    "identify",
    "identify_drive_gains",
    "locate_contact",
    "residual",
    "sample_surface",
]
