"""The results of 001: for each its test, the call that computes it here, and what is to be known of it.

`docs/make_coverage.py` prints this table as docs/coverage/coverage_001.md. A call that starts with a capital or a
letter of the papers is a formula for `sd.compile` or `sd.prove`.
"""

from __future__ import annotations

from result import Result, not_done

FORWARD = "forward_dynamics(q, v, tau)"
INVERSE = "inverse_dynamics(q, v, a)"


RESULTS = (
    Result("nomenclature", "test_001_nomenclature", "sd.algebra", "NOTATION.md"),
    Result("section I.A, architecture", "test_001_section_I_A", "sd.explain(formula, robot)", "levels are folders"),
    Result(
        "section I.A, errors found",
        "test_001_section_I_A_errors",
        'sd.errstate("raise")',
        "a row without an answer names its link",
    ),
    Result("section I.B, equivalence", "test_001_section_I_B", "bias_force(q, v)", "Lagrange's side by complex steps"),
    Result("section I.C, automation", "test_001_section_I_C", "sd.compile(formula, robot)"),
    Result(
        "section I.C, operational space",
        "test_001_section_I_C_operational",
        "operational_inertia(q, frames), operational_bias(q, v, frames)",
        "Λ and the bias",
    ),
    Result(
        "section I.C, operational space control",
        "test_001_section_I_C_operational_control",
        "sd.control.OperationalSpace",
        "one or several frames, free bases, passive joints; docs/guides/control.md",
    ),
    not_done("section I.C, flexible bodies", "modal flexible bodies; links with springs between are an example"),
    Result(
        "section I.C, geared arms", "test_001_section_I_C_geared", "mass_matrix(q)", "armature; open: spinning rotors"
    ),
    Result(
        "section I.C, linearization",
        "test_001_section_I_C_linearization",
        "forward_dynamics_derivatives(q, v, tau)",
        "by articulated bodies, beyond the paper",
    ),
    Result(
        "section I.C, control design",
        "test_001_section_I_C_control",
        "sd.control.ComputedTorque(robot, q, v, a)",
        "and ten other feedbacks: docs/guides/control.md",
    ),
    not_done("section I.C, motion planning", "statistical mechanics"),
    Result("figures 1, 2", "test_001_figures", "sd.explain(name, robot)", "links listed from the tips"),
    Result("section II, link 0", "test_001_section_II", INVERSE, "a known tip force; open: unknown contacts"),
    Result("section II, sliding joints", "test_001_section_II_sliding", "mass_matrix(q)"),
    Result("(1)", "test_001_eq_1", "link_velocities(q, v)"),
    Result("(2)", "test_001_eq_2", "composite_inertias(q)", "of a tip: its own inertia"),
    Result("(3)", "test_001_eq_3", "pose(q, frame)"),
    Result("(4), (5)", "test_001_eq_4_5", "phi"),
    Result("(6)-(9)", "test_001_eq_6_9", "frame_velocity(q, v, frame), frame_acceleration(q, v, a, frame)"),
    Result("(10)-(12)", "test_001_eq_10_12", "link_forces(q, v, a), " + INVERSE),
    Result("(13)", "test_001_eq_13", "jacobian(q, frame)", "of the joint's own link"),
    Result("(14), (15)", "test_001_eq_14_15", "link_accelerations(q, v, a)"),
    Result("(16), (17)", "test_001_eq_17", "phi"),
    Result("(18)", "test_001_eq_18", "H, B"),
    Result("(19)", "test_001_eq_19", "jacobian(q, frame)"),
    Result("(20)", "test_001_eq_20", "jacobian(q, frame)"),
    Result("(21)", "test_001_eq_21", "link_velocities(q, v)"),
    Result("(22)", "test_001_eq_22", "mass_matrix(q)", "armature: + A_r"),
    Result("(23)", "test_001_eq_23", INVERSE, "with `external` at the tip, of opposite sign"),
    Result("J̇ θ̇", "test_001_jacobian_rate", "frame_acceleration(q, v, a, frame)", "with a = 0"),
    Result("(24)", "test_001_eq_24", "link_forces(q, v, a)"),
    Result("(25)", "test_001_eq_25", "link_accelerations(q, v, a)"),
    Result("(26), (27)", "test_001_eq_26_27", "bias_force(q, v)"),
    Result("Identity 1, (28)", "test_001_identity_1", "composite_inertias(q)"),
    Result("(29)", "test_001_eq_29", "composite_inertias(q)"),
    Result("(30)-(33)", "test_001_eq_30_33", "mass_matrix(q)"),
    Result("section V.C", "test_001_section_V_C", "composite_inertias(q)", "ten numbers, those of a locked robot"),
    Result("(34)-(36)", "test_001_eq_34_36", "articulated_inertias(q)"),
    Result("(37)", "test_001_eq_37", "mass_matrix_factors(q)", "armature: D = H P H* + A_r"),
    Result("(38)-(40)", "test_001_eq_38_40", "psi"),
    Result("(41)", "test_001_eq_41", "psi @ E_phi"),
    Result("Identity 2, (42)", "test_001_identity_2", "articulated_inertias(q)"),
    Result("Identity 3, (43)", "test_001_identity_3", "mass_matrix_factors(q)", "printed with Ψ in section I.B"),
    Result("Identity 4, (44)", "test_001_identity_4", "psi @ E_phi"),
    Result("Identity 5, (45)", "test_001_identity_5", "mass(q)", "the root's inverse"),
    Result("Identity 6, (46)", "test_001_identity_6", "mass_matrix_inverse(q)"),
    Result("Algorithm 1, (47)-(54)", "test_001_algorithm_1", 'sd.papers["001 Algorithm 1"]'),
    Result("section VII.A", "test_001_section_VII_A", FORWARD, "z and λ are what filter and smoother hand on"),
    Result("Algorithm 2, (55), (56), (58)", "test_001_algorithm_2", 'sd.papers["001 Algorithm 2"]'),
    Result(
        "(57), (59)",
        "test_001_eq_57_59",
        'sd.papers["001 Algorithm 2, tip acceleration"], frame_acceleration(q, v, a, frame)',
        "a(0) is `a_tip`",
    ),
    Result("Algorithm 3, (60)-(65)", "test_001_algorithm_3", 'sd.papers["001 Algorithm 3"]', "z(0) = 0"),
    Result(
        "Algorithm 4, (66)-(73)", "test_001_algorithm_4", 'sd.papers["001 Algorithm 4"]', "one P a too many in print"
    ),
    Result("algorithms by name", "test_001_algorithms_by_name", "sd.papers"),
    Result("section VII.D, two sweeps", "test_001_section_VII_D", 'sd.papers["001 two sweeps without velocities"]'),
    Result("section VII.D, merged sweeps", "test_001_section_VII_D_merged", 'sd.simulate(..., method="two-sweep")'),
    Result("(74)", "test_001_eq_74", "mass_matrix(q)", "root='free'"),
    Result("section VIII", "test_001_section_VIII", "mass_matrix(q)", "planar base"),
    Result("(75), (76)", "test_001_eq_75_76", "link_accelerations(q, v, a)"),
    Result("(77), (78)", "test_001_eq_77_78", INVERSE),
    Result("(79)", "test_001_eq_79", FORWARD),
    Result("section IX, figure 3", "test_001_section_IX", "sd.explain(formula, robot)"),
    Result(
        "section IX, inverse kinematics",
        "test_001_section_IX_kinematics",
        "inverse_kinematics({frame: pose})",
        "docs/guides/kinematics.md",
    ),
    Result(
        "section IX, trajectory design",
        "test_001_section_IX_trajectories",
        "sd.paths.time_optimal(path)",
        "docs/guides/paths.md",
    ),
    Result("section IX, operation counts", "test_001_section_IX_counts", "operation_counts(quantity)"),
    Result(
        "section IX, efficient frames", "test_001_section_IX_frames", "mass_matrix(q)", "private frames of the backends"
    ),
    Result("section X.A, H φ M^½", "test_001_section_X_A", "H @ phi @ sqrt(M)"),
    Result("section X.A, orthogonal factors", "test_001_section_X_A_orthogonal", "mass_matrix_root(q)"),
    Result(
        "section X.B, stability",
        "test_001_section_X_B",
        'mass_matrix_inverse(q), sd.papers["001 root by arrays"]',
        "the filter, and its array form: docs/algebra/walk_001.md compares them",
    ),
    Result("section X.B, recursive inverse", "test_001_section_X_B_inverse", "mass_matrix_inverse(q)"),
    Result("section X.C", "test_001_section_X_C", "mass_matrix_root(q)", "of single joints Cholesky's factor"),
    not_done("[18], [33]", "parallel sweeps: batches are split over threads, links are not"),
    not_done("[2], [21]", "closed chains"),
)
