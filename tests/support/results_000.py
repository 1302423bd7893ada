"""The results of 000: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage_000.md. Results may share a test.
"""

from __future__ import annotations

from result import Result

PROVED = "test_every_row_of_the_table_is_proved"
TABLES = "test_000_tables_1_and_2_are_those_of_the_dense_root"
NU, XI = "normalized_rates(q, v)", "total_rates(q, v)"
IDENTITY = "sd.prove"
CALCULUS = "rates and sensitivities of operators are not formulas yet"
NUMBERS = CALCULUS + "; numbers by jvp"

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
    Result("(4.6)-(4.10)", PROVED, IDENTITY, "armature: docs/armature.md"),
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
    Result("(5.5), (5.6)", "", "", open="X̃ is no operator of formulas yet"),
    Result("(6.1)-(6.3), Table 3", "", "", open=CALCULUS),
    Result(
        "Algorithm 6.1",
        "test_000_lemma_7_3_unnormalized_equations_of_motion",
        "total_bias(q, v)",
        "its λ̇ is a value of this sweep; X P + P X* for all joints",
    ),
    Result("(6.6)", "", "", open=CALCULUS),
    Result(
        "Identities 6.1, 6.2",
        "test_000_eq_3_2_the_coriolis_term_by_the_rate_of_the_root",
        'jvp("mass_matrix_root", (q,), (v,))',
        "as numbers",
    ),
    Result("(6.10), (6.11)", "", "", open=CALCULUS),
    Result("Identity 6.3", "test_000_eq_2_1_lagranges_coriolis_term", "mass_matrix_sensitivities(q)", "as numbers"),
    Result("Identity 6.4", "test_000_eq_2_1_lagranges_coriolis_term", "mass_matrix_sensitivities(q)", "as numbers"),
    Result(
        "Identity 7.1",
        "test_000_lemma_3_1_normalized_equations_of_motion",
        "normalized_bias(q, v)",
        "by its sweep; general joints, armature",
    ),
    Result(
        "Algorithm 7.1",
        "test_000_lemma_3_1_normalized_equations_of_motion",
        "normalized_bias(q, v)",
        "-[2 Ṽ* M + X - X*] V; printed otherwise",
    ),
    Result("Lemma 7.1, (7.3)-(7.5)", "test_000_lemma_7_1_the_coriolis_term_does_no_work", "normalized_bias(q, v)"),
    Result(
        "Lemma 7.2",
        "test_000_lemma_7_2_the_energy_changes_by_the_power",
        "normalized_forces(q, tau)",
        "ν* ν̇; printed ½ ν* ν̇",
    ),
    Result("(7.7), (7.8)", "test_000_eq_1_2_the_kinetic_energy_is_a_sum_of_squares", XI),
    Result("Lemma 7.3", "test_000_lemma_7_3_unnormalized_equations_of_motion", "total_bias(q, v)"),
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
        "test_000_eq_8_5_the_pose_as_a_vector_changes_with_l_y",
        "sd.control.PoseFeedback",
        "stars lost in print",
    ),
    Result(
        "Control 8.2",
        "test_000_control_8_2_reaches_the_pose_and_its_lyapunov_function_falls",
        "sd.control.PoseFeedback",
        "+ D^-1/2 H ψ B* W e; printed with the other sign",
    ),
    Result(
        "section 8, bounds",
        "test_000_section_8_bounds_scale_the_forces_as_a_whole",
        "sd.control.RateFeedback",
        "limits inside simulate are missing",
    ),
    Result("(A.1)-(A.10)", "", "", open=CALCULUS),
    Result("(A.11)", PROVED, IDENTITY, "+ φ̃; printed -"),
    Result("(A.12)-(A.30)", "", "", open=NUMBERS),
    Result("(A.31)", PROVED, IDENTITY, "armature: H φ G + A_r D⁻¹"),
    Result("(B.1)-(B.6)", PROVED, IDENTITY, "armature: docs/armature.md"),
    Result("(B.7)-(B.10)", "", "", open="X̃ is no operator of formulas yet"),
)
