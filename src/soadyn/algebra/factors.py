"""The factors of the mass matrix, Mass = A D A*, and of its passive part (001 section VI; 004 section 4)."""

from __future__ import annotations

from soadyn.algebra.operators import H, H_p, I_joint, I_passive, K, K_p, phi, psi

A = I_joint + H @ phi @ K
A_inverse = I_joint - H @ psi @ K
A_p = I_passive + H_p @ phi @ K_p
A_p_inverse = I_passive - H_p @ psi @ K_p
