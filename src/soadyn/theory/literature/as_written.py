"""The forward dynamics of 001 section VII as the paper writes them: vectors with a name are computed one by one."""

from __future__ import annotations

from soadyn.algebra.defining import vector
from soadyn.algebra.expressions import inv
from soadyn.algebra.operators import D, G, H, I_joint, M, P, T, a, b, phi, psi, psi_tilde, tau_bar
from soadyn.programs.sweep.array_form import ROOT_BY_ARRAYS
from soadyn.programs.sweep.two_sweeps import WITHOUT_VELOCITIES
from soadyn.theory.literature.entry import PaperFormula, PaperProgram
from soadyn.theory.literature.parts import PSI

_inverse_factor = I_joint - H @ PSI @ G
_T_1 = vector("T_1", T - H @ phi @ (M @ phi.T @ a + b))
_nu_1 = inv(D) @ _inverse_factor @ _T_1
_zeta = vector("zeta", M @ phi.T @ a + b)
_epsilon = vector("epsilon", T - H @ PSI @ (G @ T + tau_bar @ _zeta) - H @ _zeta)
_nu_4 = vector("nu", inv(D) @ (_inverse_factor @ T - H @ psi_tilde @ P @ a - H @ psi @ b))

AS_WRITTEN = (
    PaperFormula("Algorithm 1", "001 (47)-(54)", _inverse_factor.T @ inv(D) @ _inverse_factor @ _T_1, as_written=True),
    PaperFormula(
        "Algorithm 2",
        "001 (55)-(56)",
        tau_bar.T @ PSI.T @ H.T @ _nu_1 + H.T @ _nu_1 + phi.T @ a,
        as_written=True,
    ),
    PaperFormula("Algorithm 3", "001 (60)-(65)", _inverse_factor.T @ inv(D) @ _epsilon, as_written=True),
    PaperFormula(
        "Algorithm 4",
        "001 (66)-(73)",
        _inverse_factor.T @ _nu_4 - G.T @ PSI.T @ tau_bar.T @ a - G.T @ a,
        as_written=True,
    ),
    PaperProgram("two sweeps without velocities", "001 section VII.D", WITHOUT_VELOCITIES),
    PaperProgram("root by arrays", "001 section X.B", ROOT_BY_ARRAYS),
)
