"""The results of 002: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage/coverage_002.md.
"""

from __future__ import annotations

from result import Result

COMPLEMENT = "decoupled_complement(q)"
FACTORS = "mass_matrix_factors(q)"
STEP = "elimination(q, joint)"
FORWARD = "forward_dynamics(q, v, tau)"

RESULTS = (
    Result("abstract, symbols", "test_002_abstract", "symbolic(quantity, free)", "U, D and the GIM as expressions"),
    Result("figures 1, 2", "test_002_figures", "poses(q)", "robot.show(q) draws them"),
    Result("(1)", "test_002_eq_1", COMPLEMENT, "twists at mass centres, along world axes"),
    Result("(2a), (2b)", "test_002_eq_2", COMPLEMENT),
    Result("(3)", "test_002_eq_3", COMPLEMENT),
    Result("(4)", "test_002_eq_4", COMPLEMENT, "B(link, other), p(link)"),
    Result("(5)", "test_002_eq_5", COMPLEMENT),
    Result("(6)", "test_002_eq_6", COMPLEMENT),
    Result("(7)", "test_002_eq_7", COMPLEMENT, "twists(v)"),
    Result("(8)", "test_002_eq_8", COMPLEMENT),
    Result("(9a)", "test_002_eq_9a", COMPLEMENT, "T_l; on trees zero for links of different branches"),
    Result("(9b)", "test_002_eq_9b", COMPLEMENT, "T_d"),
    Result("(9c), other joints", "test_002_eq_9c", COMPLEMENT, "p has a column for each component"),
    Result("(10)", "test_002_eq_10", "mass_matrix(q)", "armature: + A_r"),
    Result("(11)", "test_002_eq_11", COMPLEMENT, "M"),
    Result("(12)", "test_002_eq_12", COMPLEMENT, "M"),
    Result("(13)", "test_002_eq_13", COMPLEMENT, "T_l.T @ M @ T_l"),
    Result("(14)", "test_002_eq_14", COMPLEMENT),
    Result("(15a)-(15c)", "test_002_eq_15", "composite_inertias(q)", "at_mass_centres(...) of them"),
    Result("section 3, interpretations", "test_002_section_3", "composite_inertias(q)"),
    Result("(16)", "test_002_eq_16", "mass_matrix(q)", "for i ≥ j; printed i ≤ j"),
    Result("(17)", "test_002_eq_17", STEP, "E Mass is lower triangular"),
    Result("(18)", "test_002_eq_18", STEP, "E_k⁻¹ = 1 + α_k λ_k*"),
    Result("(19)", "test_002_eq_19", FACTORS),
    Result("(20)", "test_002_eq_20", STEP),
    Result("(21)", "test_002_eq_21", FACTORS),
    Result("(22a), (22b)", "test_002_eq_22", FACTORS, "m̂⁻¹ at the right for joints of several components"),
    Result("section 4, articulated masses", "test_002_section_4", "articulated_inertias(q)", "of M̂_i,i+1"),
    Result("(23)", "test_002_eq_23", FORWARD),
    Result("(24)", "test_002_eq_24", 'sd.papers["002 third solution"]', "three solutions, one kernel"),
    Result("(25)", "test_002_eq_25", STEP + ", actuation_matrices(q, passive)", "what joints before k feel"),
    Result("(26)-(29)", "test_002_eq_26_29", STEP),
    Result("(30)", "test_002_eq_30", STEP),
    Result("(31)", "test_002_eq_31", STEP),
    Result("(32), (33)", "test_002_eq_32_33", FACTORS),
    Result("(34), (35)", "test_002_eq_34_35", "articulated_inertias(q)"),
    Result("(36), (37)", "test_002_eq_36_37", 'sd.papers["002 first solution"]'),
    Result("section 5, step 2", "test_002_section_5", 'sd.papers["002 second solution"]'),
    Result("(38), (39)", "test_002_eq_38_39", FORWARD, "bias at θ̈ = 0; printed θ̇ = 0"),
    Result("section 6, order n", "test_002_section_6", "operation_counts(quantity)"),
    Result(
        "section 6, counts",
        "test_002_section_6_counts",
        "operation_counts(quantity)",
        "printed 201 n - 335, 193 n - 361",
    ),
    Result("section 6, break-even", "test_002_section_6_break_even", "operation_counts(quantity)", "printed n ≥ 12"),
    Result("section 6, steps verified", "test_002_section_6_steps", STEP),
    Result("section 6, designers", "test_002_section_6_designers", "parametric(names).composite_inertias"),
    Result("section 1, redundant arms", "test_002_section_1", FORWARD),
    Result("section 1, analysis", "test_002_section_1_analysis", "symbolic(quantity, free)"),
    Result("the paper itself", "test_002_cited", "sd.papers"),
)
