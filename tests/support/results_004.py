"""The numbered results of 004: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage/coverage_004.md. Of an identity between operators the call is
its left side, a formula for `sd.compile` and `sd.prove`.
"""

from __future__ import annotations

from result import Result

S = "actuation_matrices(q, passive)"
HYBRID = "hybrid_dynamics(q, v, a, tau, passive)"
J_G = "generalized_jacobian(q, frame, passive)"
J_D = "disturbance_jacobian(q, passive)"
ARMS = "passive_arm(passive, q), active_arm(passive, q)"
TIMES = "generalized_jacobian_times(q, x, frame, passive), disturbance_jacobian_times(q, x, passive)"
FACTORS = "passive_mass_factors(q, passive)"
RICCATI = "; P, D_p, G_p, K_p, tau_bar, E_psi, psi"
TAU_BAR = "(I_link.T - Omega @ M) @ phi.T"

RESULTS = (
    Result("(3.1)", "test_004_eq_3_1", "inverse_dynamics(q, v, a)", "printed φ(k+1,k) f(k-1) for φ(k,k-1) f(k-1)"),
    Result("(3.2)", "test_004_eq_3_2", "inverse_dynamics(q, v, a)", "armature: T = H f + A_r θ̈"),
    Result("(3.3)", "test_004_eq_3_3", "mass_matrix(q), bias_force(q, v)", "armature: + A_r"),
    Result("(3.4)", "test_004_eq_3_4", "phi", "on trees zero for links of different branches"),
    Result("(3.5)", "test_004_eq_3_5", "frame_velocity(q, v, frame)", "printed without the star of B*"),
    Result("(3.6)", "test_004_eq_3_6", "jacobian(q, frame)"),
    Result("(4.1)", "test_004_eq_4_1", "H_a, H_p"),
    Result("(4.2)", "test_004_eq_4_2", HYBRID),
    Result("(4.3)", "test_004_eq_4_3", ARMS, "armature: + A_r on diagonal blocks"),
    Result("(4.4)", "test_004_eq_4_4", HYBRID),
    Result("(4.5)", "test_004_eq_4_5", S),
    Result("(4.6)", "test_004_eq_4_6", FACTORS + RICCATI, "the branches of the printed if are exchanged"),
    Result("(4.7)", "test_004_eq_4_7", FACTORS, "armature: D_p = H_p P H_p* + A_rp"),
    Result("(4.8)", "test_004_eq_4_8", "M", "armature: M = P - E_ψ P E_ψ* - K_p A_rp K_p*"),
    Result("(4.9)", "test_004_eq_4_9", "psi"),
    Result("Lemma 4.1, (4.10)", "test_004_lemma_4_1", FACTORS),
    Result("Lemma 4.2", "test_004_lemma_4_2", FACTORS),
    Result("Lemma 4.3", "test_004_lemma_4_3", S),
    Result("Lemma 5.1, (5.1a)", "test_004_eq_5_1a", S),
    Result("Lemma 5.1, (5.1b)", "test_004_eq_5_1b", S),
    Result("Lemma 5.1, (5.1c)", "test_004_eq_5_1c", S, "armature: A_ra + H_a [Σ - P Ω P] H_a*"),
    Result("(5.2)", "test_004_eq_5_2", "passive_arm(passive, q).operational_inertia_inverse(q_p, frame)"),
    Result("Lemma 5.2, (5.3a)", "test_004_eq_5_3a", "frame_acceleration of the links, a from " + HYBRID),
    Result("Lemma 5.2, (5.3b)", "test_004_eq_5_3b", HYBRID),
    Result("Lemma 5.2, (5.3c)", "test_004_eq_5_3c", HYBRID, "armature: + A_ra θ̈_a"),
    Result("(5.4)", "test_004_eq_5_4", HYBRID, "armature: T_a = H f + A_r θ̈_a"),
    Result("(6.1)", "test_004_eq_6_1", J_G, "on velocities: base passive, momentum zero"),
    Result("(6.2)", "test_004_eq_6_2", J_D, "on velocities: base passive, momentum zero"),
    Result("(6.3)", "test_004_eq_6_3", J_G + ", generalized_drift(q, v, frame, passive, tau)"),
    Result("(6.4)", "test_004_eq_6_4", J_D + ", disturbance_drift(q, v, passive, tau)"),
    Result("Lemma 6.1, (6.5)", "test_004_eq_6_5", "Omega @ M @ Omega",
           "the complement has rank 6n - N_p; armature: no projections"),
    Result("Lemma 6.1, (6.6)", "test_004_eq_6_6", TAU_BAR, "armature: the second form changes"),
    Result("Lemma 6.1, (6.7)", "test_004_eq_6_7", TAU_BAR + " @ H_p.T", "armature: X A_rp instead of zero"),
    Result("Lemma 6.2, (6.8)", "test_004_lemma_6_2", S, "full H: bordered by zeros; armature: + J_D* A_rp J_D + A_ra"),
    Result("(6.9)", "test_004_eq_6_9", "frame_acceleration of the links, a from " + HYBRID),
    Result("(6.10)", "test_004_eq_6_10", "generalized_drift(q, v, frame, passive, tau)"),
    Result("Lemma 6.3, (6.11)", "test_004_lemma_6_3", J_G),
    Result("section 6.1", "test_004_section_6_1", TIMES, "columns by unit accelerations"),
    Result("section 6.2", "test_004_section_6_2", J_G + ", " + HYBRID, "prescribed motion of a frame"),
    Result("(6.12)", "test_004_eq_6_12", "disturbance_drift(q, v, passive, tau)"),
    Result("Lemma 6.4, (6.13)", "test_004_lemma_6_4", J_D),
    Result("(7.1)", "test_004_eq_7_1", J_G + ", " + J_D, "reaction mode; the unknown is θ̈_a, printed θ̈_p"),
    Result("(7.2)", "test_004_eq_7_2", "momentum(q, v, about)", "about a fixed point; false for any other, as printed"),
    Result("(7.3)", "test_004_eq_7_3", "momentum(q, v, about)", "armature: less A_rp β_p"),
    Result("(A.1)", "test_004_eq_A_1", "inv(psi)"),
    Result("(A.2)", "test_004_eq_A_2", "psi @ K_p @ H_p @ phi"),
    Result("(A.3)", "test_004_eq_A_3", "(I_passive - H_p @ psi @ K_p) @ H_p @ phi"),
    Result("(A.4)", "test_004_eq_A_4", "phi @ K_p @ (I_passive - H_p @ psi @ K_p)"),
    Result("(A.5)", "test_004_eq_A_5", "psi @ M @ psi.T", "printed without P ψ̃*; armature: less ψ K_p A_rp K_p* ψ*"),
    Result("(A.6)", "test_004_eq_A_6", "phi @ M @ psi.T", "printed without P ψ̃*"),
    Result("(A.7)", "test_004_eq_A_7", "Omega @ M @ phi.T"),
    Result("(A.8)", "test_004_eq_A_8", "(psi - P @ Omega) @ M @ phi.T", "armature: Σ - P Ω P"),
    Result("(A.9)", "test_004_eq_A_9", "phi @ M @ Omega", "its left side φ M Ω is lost in print"),
    Result("(A.10)", "test_004_eq_A_10", HYBRID),
    Result("(A.11)", "test_004_eq_A_11", "H_p @ psi @ M @ psi.T @ H_p.T", "armature: D_p - A_p⁻¹ A_rp A_p⁻*"),
)  # fmt: skip
