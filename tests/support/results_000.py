"""The results of 000: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage/coverage_000.md. Results may share a test.
"""

from __future__ import annotations

from result import Result

PROVED = "test_every_row_of_the_table_is_proved"
TABLES = "test_000_tables_1_and_2_are_those_of_the_dense_root"
NU, XI = "normalized_rates(q, v)", "total_rates(q, v)"
IDENTITY = "sd.prove"
RATES = "test_000_a_rate_is_the_complex_step_along_the_motion"
SENSITIVITIES = "test_000_a_sensitivity_is_the_complex_step_along_a_joint"
LEMMAS = "test_000_the_lemmas_of_appendix_a_are_proved"
IDENTITIES = "test_000_the_identities_of_sections_6_and_7_are_proved"

RESULTS = (
    Result("(1.1)", PROVED, "mass_matrix_factors(q)"),
    Result("(1.2)", "test_000_eq_1_2_the_kinetic_energy_is_a_sum_of_squares", NU),
    Result("(1.3)", TABLES, NU),
    Result("(1.4)", TABLES, "normalized_forces(q, tau)"),
    Result(
        "section 1, quasi-coordinates",
        "test_the_motion_in_normalized_rates_is_the_motion",
        "rates_from_normalized(q, nu)",
    ),
    Result("section 1, rigid body", "test_000_section_1_one_rigid_body_has_eulers_equations", "normalized_bias(q, v)"),
    Result(
        "section 1, Coriolis term inward in O(N)",
        "test_000_lemma_3_1_normalized_equations_of_motion",
        "normalized_bias(q, v)",
    ),
    Result(
        "(2.1)",
        "test_000_eq_2_1_lagranges_coriolis_term",
        "bias_force(q, v), mass_matrix_rate(q, v)",
        "printed 𝓜 θ̇ for 𝓜̇ θ̇",
    ),
    Result(
        "Assumption 2.1",
        "test_000_assumption_2_1_flat_coordinates_have_a_root_of_the_mass_matrix_as_gradient",
        "sd.FlatCoordinates",
    ),
    Result("Lemma 2.1", "test_000_lemma_2_1_flat_coordinates_move_without_coriolis_terms", "sd.FlatCoordinates"),
    Result(
        "Lemma 2.1, the motion",
        "test_000_section_2_flat_coordinates_come_with_the_proof_and_their_equations_give_the_motion",
        "sd.is_flat(robot).coordinates.motion",
    ),
    Result(
        "Lemma 2.2",
        "test_000_lemma_2_2_symbols_of_a_planar_arm",
        "mass_matrix_curvature(q), sd.is_flat",
        "N² (N² - 1) / 12 symbols; printed N (N + 1) / 2",
    ),
    Result("section 2, Christoffel symbols", "test_000_section_2_christoffel_symbols", "christoffel_symbols(q)"),
    Result("Assumption 3.1", TABLES, "mass_matrix_root(q)"),
    Result(
        "Lemma 3.1",
        "test_000_lemma_3_1_normalized_equations_of_motion",
        "normalized_bias(q, v)",
        "gravity and wrenches are joint forces in ε",
    ),
    Result(
        "(3.2)",
        "test_000_eq_3_2_the_coriolis_term_by_the_rate_of_the_root",
        "normalized_bias(q, v)",
        "ℓ multiplies the whole bracket",
    ),
    Result("section 3, Cholesky's factor", TABLES, "mass_matrix_root(q)"),
    Result("Identity 4.1", PROVED, IDENTITY),
    Result("(4.2)-(4.5)", PROVED, "inverse_dynamics(q, v, a)"),
    Result("(4.6)-(4.10)", PROVED, IDENTITY, "armature: docs/algebra/armature.md"),
    Result(
        "section 4, flexible links",
        "",
        "",
        open="modal flexible bodies; segments on springs: examples/flexible_link.py",
    ),
    Result("(5.1), (5.2)", PROVED, "mass_matrix_root(q)"),
    Result(
        "Table 1", "test_000_tables_1_and_2_there_and_back", NU + ", rates_from_normalized(q, nu)", "+ G* V⁺; printed -"
    ),
    Result(
        "Table 2",
        "test_000_tables_1_and_2_there_and_back",
        "normalized_forces(q, tau), forces_from_normalized(q, epsilon)",
        "z⁺ = z + G D^1/2 ε; printed G ε",
    ),
    Result("(5.3)", TABLES, XI, "D^-1/2 ν; printed D^1/2 ν"),
    Result("(5.4)", TABLES, "working_forces(q, tau)", "+ H z; printed -"),
    Result("section 5, what ν and ε mean", "test_000_section_5_what_the_rates_mean", NU),
    Result("(5.5), (5.6)", PROVED, "V_tilde in formulas", "X̃ Z̃ - Z̃ X̃ is that of X × Z; printed otherwise"),
    Result("(6.1)-(6.3)", RATES, "W_omega, W_delta, X_delta in formulas", "X_δ = -Δ̃* for all joints"),
    Result("Table 3", RATES, "rate(H), rate(M), rate(D), rate(G), rate(tau_bar)", "proved from the definitions too"),
    Result(
        "Algorithm 6.1",
        "test_every_operator_is_dense_as_the_oracle_says",
        "lambda_dot in formulas",
        "star lost in print; X P + P X* for all joints, K Γ K* with armature",
    ),
    Result("(6.6)", RATES, "rate(P)"),
    Result("Identity 6.1", LEMMAS, "rate(A @ sqrt(D))", "I + τ̄; printed I + τ, which is refuted"),
    Result("Identity 6.2", IDENTITIES, "sd.prove", "with armature D ξ for H P V"),
    Result("(6.10), (6.11)", SENSITIVITIES, 'sensitivity(x, "joint")', "also for (joint, component)"),
    Result("Identity 6.3", LEMMAS, 'sensitivity(mass, "joint")', "numbers: mass_matrix_sensitivities"),
    Result("Identity 6.4", IDENTITIES, "sd.prove"),
    Result("Identity 7.1", IDENTITIES, "sd.prove, normalized_bias(q, v)", "for all joints, with armature"),
    Result(
        "Algorithm 7.1",
        "test_000_lemma_3_1_normalized_equations_of_motion",
        "normalized_bias(q, v)",
        "-[2 Ṽ* M + X - X*] V; printed otherwise",
    ),
    Result(
        "Lemma 7.1, (7.3)-(7.5)",
        "test_000_lemma_7_1_the_coriolis_term_does_no_work",
        "normalized_bias(q, v), sd.prove",
        "proved as well",
    ),
    Result(
        "Lemma 7.2",
        "test_000_lemma_7_2_the_energy_changes_by_the_power",
        "normalized_forces(q, tau)",
        "ν* ν̇; printed ½ ν* ν̇",
    ),
    Result("(7.7), (7.8)", "test_000_eq_1_2_the_kinetic_energy_is_a_sum_of_squares", XI),
    Result(
        "Lemma 7.3",
        "test_000_lemma_7_3_unnormalized_equations_of_motion",
        "total_bias(q, v), sd.prove",
        "-X_δ P⁺ V - Ṽ* M V in (7.9); printed otherwise, which is refuted",
    ),
    Result(
        "(7.10)", "test_000_lemma_7_3_unnormalized_equations_of_motion", "total_bias(q, v)", "[Ṽ* M + X] V; printed a*"
    ),
    Result(
        "(8.1)-(8.3), Algorithm 8.1",
        "test_000_algorithm_8_1_gives_the_total_accelerations",
        "total_accelerations(q, v, tau)",
    ),
    Result(
        "section 8, integration",
        "test_the_diagonalized_motion_is_the_motion_to_fourth_order",
        'sd.simulate(method="diagonalized")',
    ),
    Result(
        "section 8, two sweeps",
        "test_000_algorithm_8_1_takes_one_walk_outward_and_one_inward",
        "total_accelerations(q, v, tau)",
    ),
    Result("Control 8.1", "test_000_control_8_1_energy_falls_at_the_rate_of_the_law", "sd.control.RateFeedback"),
    Result(
        "(8.5)",
        "test_000_eq_8_5_the_rate_of_the_pose_is_l_y_of_the_frames_velocity",
        "Y, L_Y in formulas",
        "stars lost in print",
    ),
    Result(
        "Control 8.2",
        "test_000_control_8_2_reaches_the_pose_and_its_lyapunov_function_falls",
        "sd.control.PoseFeedback",
        "+ D^-1/2 H ψ B* W e; printed with the other sign",
    ),
    Result(
        "Controls 8.1, 8.2 as formulas",
        "test_000_control_8_2_is_a_formula",
        "sd.compile(H @ phi @ B @ L_Y.T @ W @ (Y_hat - Y) - m @ c @ m.T @ theta_dot, robot)",
        "differentiated and exported to C as well",
    ),
    Result(
        "Control 8.2, passive joints",
        "test_000_control_8_2_with_a_passive_joint_beyond_the_frame",
        "sd.control.PoseFeedback",
        "a free root, or joints that do not move the frame",
    ),
    Result(
        "section 8, bounds",
        "test_000_section_8_bounds_scale_the_forces_as_a_whole",
        "sd.control.RateFeedback",
        "`sd.simulate` cuts each torque at its effort limit: `test_effort_limits_bound_the_torque`",
    ),
    Result("(A.1)-(A.3)", SENSITIVITIES, 'sensitivity(H, "joint")', "subscripts δ and s confused in print"),
    Result("(A.4)-(A.10)", SENSITIVITIES, 'sensitivity(phi, "joint")', "(A.9): + φ E' φ; printed -"),
    Result("(A.11)", PROVED, IDENTITY, "+ φ̃; printed -"),
    Result("Lemma A.1 (A.12)", LEMMAS, 'sensitivity(phi @ M @ phi.T, "joint")'),
    Result("Lemma A.2 (A.13)", LEMMAS, 'sensitivity(mass, "joint")', "δ for s"),
    Result(
        "Lemma A.3 (A.14)-(A.15)",
        "test_000_lemma_a_3_as_a_differential",
        'sd.diff(theta_dot.T @ mass @ theta_dot, "theta")',
        "turning axes add a term",
    ),
    Result("Lemma A.4 (A.16)-(A.25)", SENSITIVITIES, 'lambda_of("joint"), sensitivity(P, "joint")'),
    Result("(A.26)", "test_000_eq_a_26_the_inertia_rate_is_the_sum_over_the_joints", "lambda_dot, lambda_of"),
    Result("Lemma A.5 (A.27)-(A.28)", IDENTITIES, "sd.prove", "λ̇(k - 1), Ω̃_δ(k); printed Ṗ(k - 1), Ω̃(k)"),
    Result("Lemma A.6 (A.29), (A.30)", LEMMAS, 'sensitivity(A @ sqrt(D), "joint")', "joints of several components: Z"),
    Result("(A.31)", PROVED, IDENTITY, "armature: H φ G + A_r D⁻¹"),
    Result("(B.1)-(B.6)", PROVED, IDENTITY, "armature: docs/algebra/armature.md"),
    Result("Lemma B.2 (B.7)-(B.10)", PROVED, IDENTITY, "joints of several components: less H X_δ φ"),
    Result("misprints that are formulas", "test_000_misprints_are_refuted", IDENTITY),
)
