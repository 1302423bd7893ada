"""The results of 003, in its order: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage/coverage_003.md. A test in brackets is one of a test's cases.
"""

from __future__ import annotations

from result import Result, not_done

FIELD = "RandomField(robot, q)"
COV = FIELD + ".covariance"
FILTER, SMOOTH, SAMPLE = FIELD + ".filter(T)", FIELD + ".smooth(T)", FIELD + ".sample(rng, size)"
EXPORT = "build_kalman_model(robot, q, v)"

RESULTS = (
    Result("Abstract: dynamics from a random field", "test_003_abstract", SMOOTH),
    Result(
        "Abstract, [4]: inverse kinematics by estimation",
        "test_003_abstract_inverse_kinematics",
        "inverse_kinematics({frame: pose})",
        "each step is the smoother's answer",
    ),
    Result(
        "Abstract, [4]: in O(N)",
        "test_003_abstract_inverse_kinematics_cost",
        "inverse_kinematics({frame: pose})",
        "operations of a step, counted",
    ),
    Result(
        "Fig. 1: four approaches",
        "test_003_fig_1",
        "mass_matrix(q), kinetic_energy(q, v), forward_dynamics(q, v, tau), " + SMOOTH,
    ),
    Result("Fig. 2 (a), (b): chain, tree", "test_003_fig_2", SMOOTH),
    not_done("Fig. 2 (c): graph", "graphs of bodies are not modelled"),
    Result("Fig. 3: a body's state model", "test_003_fig_3", SMOOTH),
    Result("Fig. 4: dictionary", "test_003_fig_4", EXPORT, "a table in docs/algebra/kalman.md"),
    Result(
        "Fig. 5: filter and smoother are mirror images", "test_003_fig_5", SMOOTH, "a picture in docs/algebra/kalman.md"
    ),
    Result("section 3: φ is a transition matrix", "test_003_section_3_phi", "sd.compile(phi, robot)(q)"),
    Result("section 3: M(k)", "test_003_section_3_inertia", COV + '("W")'),
    Result(
        "section 3: accelerations are affine in moments", "test_003_section_3_affine", "forward_dynamics(q, v, tau)"
    ),
    Result("section 4: two-point boundary-value problem", "test_003_section_4_boundary_values", SMOOTH),
    Result("section 4: free ends", "test_003_section_4_free_ends", 'sd.load(file, root="free")'),
    not_done("section 4: fixed ends", "closed chains are not modelled"),
    Result("section 4: f = z + P α", "test_003_section_4_sweep", SMOOTH),
    Result("section 4: V, α, f, T as operators", "test_003_section_4_operators", "inverse_dynamics(q, v, a)"),
    Result(
        "section 4: kinetic energy", "test_003_section_4_energy", "kinetic_energy(q, v)", "armature: + v* A_r v / 2"
    ),
    Result("(5.1), (5.2)", "test_003_eq_5_1", SAMPLE, "armature: T = H X + v"),
    Result("(5.3)", "test_003_eq_5_3", SAMPLE),
    Result("section 5: the mean is the bias force", "test_003_section_5_mean", EXPORT),
    Result("(5.4)", "test_003_eq_5_4", COV + '("X")'),
    Result("section 5: integral operator model", "test_003_section_5_kernel", FIELD + ".kernel(link, x)"),
    Result(
        "section 5: E[w w*] = ρ δ",
        "test_003_section_5_field",
        FIELD + ".sample_points(rng, size)",
        "needs bodies with a density; the error names one that has none",
    ),
    Result("Lemma 1, (6.1)", "test_003_lemma_1", COV + '("X")'),
    Result("(6.2)", "test_003_eq_6_2", "sd.compile(R, robot)(q)"),
    Result("section 6: table of R(k, j)", "test_003_section_6_table", COV + '("X").block(link, link)'),
    Result("Lemma 2, (6.3)", "test_003_lemma_2", COV + '("T")', "armature: + A_r"),
    Result("section 6: Gohberg-Krein factorization", "test_003_section_6_factors", "mass_matrix_factors(q)"),
    Result("(7.1), (7.2)", "test_003_eq_7_1", SMOOTH),
    Result("(7.3), (7.4)", "test_003_eq_7_3", SMOOTH),
    Result("section 7: E[X | T] = f", "test_003_section_7_f", SMOOTH),
    Result("(7.5)", "test_003_eq_7_5", COV + '("X-f")', "armature: + G A_r G* in the first form"),
    Result("section 7: H P = 0", "test_003_section_7_no_error", COV + '("X-f")', "armature: A_r G*"),
    Result("section 7: Ŵ = M α", "test_003_section_7_W_hat", SMOOTH),
    Result("section 7: Q", "test_003_section_7_Q", COV + '("W-W_hat")'),
    Result("(8.1)", "test_003_eq_8_1", "mass_matrix_factors(q)"),
    Result("(8.2)", "test_003_eq_8_2", "mass_matrix_inverse(q)"),
    Result(
        "section 8: Kalman filter equations",
        "test_003_section_8_filter",
        FILTER,
        "print loses stars in D = H P H*; armature: D = H P H* + A_r",
    ),
    Result("Lemma 3, (8.3)", "test_003_lemma_3", COV + '("X")'),
    Result("Lemma 4", "test_003_lemma_4", "mass_matrix_factors(q)", "armature: 𝒦 = H φ K alone"),
    Result("Lemma 5", "test_003_lemma_5", "sd.compile(psi, robot)(q)"),
    Result("Lemma 6", "test_003_lemma_6", FILTER),
    Result("section 9: z, ε, ν", "test_003_section_9_filter", FILTER, "print starts z(0) = 0 where z(1) = 0 is meant"),
    Result("(9.1), (9.2)", "test_003_eq_9_1", SMOOTH),
    Result("section 9: Bryson-Frazier smoother", "test_003_section_9_smoother", SMOOTH),
    Result("(9.3)-(9.10)", "test_003_eq_9_3", FILTER, "(9.6) loses D in print"),
    Result("(9.11)-(9.14)", "test_003_eq_9_11", SMOOTH),
    Result("section 9: what ν and D mean", "test_003_section_9_meaning", FILTER),
    Result(
        "section 10: inertia by simulation of the random model",
        "test_003_section_10_simulation",
        SAMPLE,
        "W has covariance M; print has the mass matrix",
    ),
    Result("Lemma 7", "test_003_lemma_7", COV + '("epsilon")'),
    Result("Lemma 8", "test_003_lemma_8", COV + '("X-z")', "armature: + ψ K A_r K* ψ* in the first form"),
    Result("Lemma 9, (10.1)", "test_003_lemma_9", COV + '("alpha")', "trees: + R of unrelated links"),
    Result("(10.2)", "test_003_eq_10_2", "sd.compile(Upsilon, robot)(q)"),
    Result("(10.3)", "test_003_eq_10_3", "sd.compile(Upsilon, robot)(q)", "trees: block diagonal part"),
    Result("section 10: H P Υ = H", "test_003_section_10_HPU", "sd.compile(Upsilon, robot)(q)", "without armature"),
    Result(
        "section 10: Υ is the inverse operational inertia",
        "test_003_section_10_operational",
        "operational_inertia_inverse(q, frames)",
    ),
    not_done("section 10: its role in closed chains", "closed chains are not modelled"),
    Result("Lemma 10, (10.4)", "test_003_lemma_10", COV + '("X-f")', "without armature"),
    Result("Lemma 11, (10.5)", "test_003_lemma_11", COV + '("X-f")', "trees: - P R P"),
    Result("(10.6)", "test_003_eq_10_6", COV + '("X-f")', "without armature"),
    *(
        Result(f"section 10, list: {symbol}", f"test_003_list[{name}]", f'{COV}("{name}")', remark)
        for symbol, name, remark in (
            ("W", "W", ""),
            ("X", "X", ""),
            ("T", "T", "print loses the last H*"),
            ("z", "z", ""),
            ("X - z", "X-z", "print loses the star of ψ*"),
            ("ε", "epsilon", ""),
            ("ν", "nu", ""),
            ("α", "alpha", ""),
            ("θ̈", "theta_ddot", "print has ψ G for ψ K"),
            ("f", "f", ""),
            ("X - f", "X-f", ""),
            ("f - z", "f-z", ""),
            ("Ŵ", "W_hat", "print has Q, the covariance of W - Ŵ"),
        )
    ),
    Result("Lemma 12, first form", "test_003_lemma_12_first", "mass_matrix_inverse(q)", "trees: + K* R K"),
    Result("Lemma 12, second form", "test_003_lemma_12_second", "mass_matrix_inverse(q)", "trees: + K* R K"),
    Result("Lemma 12, U", "test_003_lemma_12_U", "mass_matrix_inverse(q)", "chains; armature: H U H* + A_r"),
    Result("Lemma 13", "test_003_lemma_13", "mass_matrix_inverse(q)", "print has H D⁻¹ H* for H* D⁻¹ H"),
    Result(
        "section 11: linearized models [28]",
        "test_003_section_11_linearized",
        "linearize(q, v, tau)",
    ),
    Result("section 12: a body more is a measurement more", "test_003_section_12_one_more", FILTER),
    Result("section 12: linear cost", "test_003_section_12_cost", "operation_counts(quantity)"),
    Result(
        "sections 1, 12: standard Kalman software",
        "test_a_smoother_of_another_package_returns_forward_dynamics",
        EXPORT,
        "in tests/estimation/, with statsmodels",
    ),
    Result("likelihood of T", "test_003_likelihood", FIELD + ".log_likelihood(T)"),
    Result("section 1: decoupled control [27]", "test_003_section_1_decoupled", "sd.control.DecoupledControl"),
    not_done("sections 1, 12: statistical mechanics, motion planning [28, 29]", "not part of this paper's results"),
    not_done("section 12: collisions, time-varying contact", "contacts are not simulated"),
    not_done("section 12: sweeps in parallel", "sweeps run one after the other; batches run in parallel"),
)
