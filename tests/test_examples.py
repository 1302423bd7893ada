"""The examples run, briefly where that is enough, their physics holds, and the page shows each with its picture."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parent.parent
SHARED = {"pictures", "balancing", "following"}
NAMES = sorted(file.stem for file in (ROOT / "examples").glob("*.py") if file.stem not in SHARED)
LARGEST_PICTURE = 100_000  # bytes


def run(name, out, **options):
    """An example's figures; its picture must be there, and small."""
    figures = importlib.import_module(name).main(out, **options)
    assert (out / f"{name}.png").stat().st_size < LARGEST_PICTURE
    return figures


def test_a_lumped_beam_has_the_frequencies_of_euler_and_bernoulli(tmp_path):
    figures = run("flexible_link", tmp_path, duration=1.4, segments=4)
    assert figures["first frequency of the beam (Hz)"] == pytest.approx(
        3.516 / (2 * 3.14159265) * (69e9 * 0.003**2 / 12 / 2700) ** 0.5, rel=1e-4
    )
    assert 0 < figures["error of the first frequency, 32 segments"] < 3e-4
    assert figures["order of convergence"] == pytest.approx(2.0, abs=0.02)
    assert figures["swing after a smooth turn (mm)"] < 0.2 * figures["swing after an abrupt turn (mm)"]
    assert figures["hub's angle after the turn (rad)"] == pytest.approx(1.0, abs=1e-9)
    assert figures["relative energy drift"] < 1e-6


def test_a_flexible_joint_swings_as_the_formula_says(tmp_path):
    figures = run("flexible_joint", tmp_path, duration=0.5)
    assert abs(figures["frequency with the motor held, error"]) < 1e-6
    assert abs(figures["frequency with the motor free, error"]) < 1e-6
    assert figures["motors' way in both arms, difference (rad)"] < 1e-9
    assert figures["force of the passive joints' actuators (N m)"] == 0
    assert 1 < figures["largest distance between the tips (mm)"] < 100
    assert figures["relative energy drift"] < 1e-8


def test_sensitivities_are_complex_steps_and_joints_move_what_lies_beyond_them(tmp_path):
    figures = run("sensitivities", tmp_path)
    assert figures["largest difference from complex steps"] < 1e-14
    assert figures["largest entry for the first joint"] == 0
    assert figures["largest ∂ ln D(k) / ∂θ_i with i inside k"] == 0


def test_fuel_sloshes_at_the_pendulums_frequency_and_momentum_balances(tmp_path):
    figures = run("fuel_slosh", tmp_path, after=2.0)
    assert abs(figures["slosh frequency with 5 mrad against the formula"]) < 1e-5
    assert figures["largest attitude error in the burn (degrees)"] == 0
    assert figures["largest holding torque (N m)"] > 0.5
    assert figures["attitude at the end (degrees)"] > 0
    assert figures["change of momentum after the burn, relative"] < 1e-10
    assert figures["momentum drift, relative"] < 1e-9
    assert figures["relative energy drift"] < 1e-6


def test_the_fastest_way_round_a_circle_keeps_limits_and_is_followed(tmp_path):
    figures = run("optimal_path", tmp_path, step=0.001)
    assert figures["duration (s)"] < 0.6 * figures["of a quintic within the same limits (s)"]
    for limit in ("a torque limit", "a rate limit", "the acceleration limit"):
        assert 0.9 < figures[f"largest share of {limit}"] <= 1 + 1e-6
    assert figures["farthest from the circle (mm)"] < 0.01
    assert figures["tracking error of the tool (mm)"] < 0.5
    assert (tmp_path / "optimal_path.html").stat().st_size > 100_000


def test_a_target_is_caught_with_all_its_momentum(tmp_path):
    figures = run("caught_target", tmp_path, before=2.0, after=2.0)
    assert figures["handle's distance from the tool at the catch (m)"] < 1e-9
    assert figures["change of momentum in the catch, relative"] < 1e-11
    assert figures["the same against the closed form, relative"] < 1e-11
    assert 0.1 < figures["share of the energy that is lost in the catch"] < 0.5
    assert figures["momentum drift afterwards, relative"] < 1e-5
    assert (tmp_path / "caught_target.html").stat().st_size > 100_000


def test_a_snake_with_half_its_joints_passive_turns_without_momentum(tmp_path):
    figures = run("snake", tmp_path, duration=5.0)
    assert figures["largest error of the active joints (rad)"] < 1e-7
    assert figures["largest bend of a passive joint (degrees)"] > 10
    assert figures["force of the missing actuators (N m)"] == 0
    assert abs(figures["turned by (degrees)"]) > 10
    assert figures["largest momentum (SI)"] < 1e-6
    assert figures["way of the mass centre (m)"] < 1e-6
    assert figures["relative energy drift"] < 1e-6


def test_an_arm_opens_shears_by_its_disturbance_jacobian(tmp_path):
    figures = run("shears", tmp_path, duration=1.5)
    assert figures["largest error while opening (degrees)"] < 1e-4
    assert figures["opening at the end (degrees)"] == pytest.approx(45.8, abs=1.5)
    assert figures["largest way of the other joints (degrees)"] < 1e-9
    assert figures["force in the hinge's missing motor (N m)"] == 0
    assert figures["largest torque, as a share of its limit"] < 1
    assert figures["relative energy drift"] < 1e-5


def test_a_planner_that_is_told_of_a_failed_joint_keeps_the_tip_on_its_path(tmp_path):
    figures = run("failed_joint", tmp_path, duration=3.0)
    assert figures["largest error of the tip, re-planned (mm)"] < 1e-3
    assert figures["largest error of the tip, not re-planned (mm)"] > 5
    assert figures["joint 5 moved by (rad)"] > 0.5
    assert figures["force of the failed motor (N m)"] == 0
    assert figures["largest torque, as a share of its limit"] < 1
    assert figures["joints beyond their limits"] == 0
    assert figures["relative energy drift"] < 1e-5


@pytest.mark.parametrize(("name", "largest_force"), [("acrobot", 40.0), ("pendubot", 8.0), ("cart_pole", 20.0)])
@pytest.mark.heavy(2)
def test_a_pendulum_on_an_active_joint_is_swung_up_and_balanced(name, largest_force, tmp_path):
    figures = run(name, tmp_path)
    assert figures["distance from upright at the end"] < 5e-3
    assert figures["largest actuator force"] < largest_force
    assert figures["force in the passive joint"] == 0
    assert figures["relative energy drift"] < 1e-5


def test_a_touched_arm_tells_where_how_hard_and_what_it_lifts(tmp_path):
    figures = run("touched_arm", tmp_path, duration=8.0)
    assert figures["link right while touched"] > 0.97
    assert figures["median error of the force (N)"] < 1.0
    assert figures["alarms while nothing touches"] < 0.01
    assert figures["mass found (kg)"] == pytest.approx(1.5, abs=4 * figures["its standard deviation (kg)"])
    assert (tmp_path / "touched_arm.html").stat().st_size > 100_000
    assert (tmp_path / "filter_smoother.png").stat().st_size < LARGEST_PICTURE


def test_an_acrobot_is_balanced_by_the_linear_model_of_a_step(tmp_path):
    figures = run("acrobot_lqr", tmp_path, cells=9)
    assert figures["largest eigenvalue of a step without control"] > 1.05
    assert figures["largest eigenvalue of a step with control"] < 0.98
    assert figures["error of the linear model, 1e-4 of the way"] < 1e-7
    assert figures["distance from upright at the end"] < 1e-4
    assert 0.1 < figures["share of the rests that come back"] < 0.3
    assert figures["force in the passive joint"] == 0
    assert figures["relative energy drift"] < 1e-5


def test_an_acrobot_is_swung_up_from_random_starts_by_optimal_control(tmp_path):
    pytest.importorskip("viser")
    figures = run("acrobot_ilqr", tmp_path, starts=8, iterations=120)
    assert figures["starts that end upright and stay there (%)"] >= 75
    assert figures["least cost"] < 1e-3 * figures["least cost at the beginning"]
    assert figures["distance from upright at the end"] < 0.02
    assert figures["the same, started 0.02 rad off, after 3 s more"] < 1e-3
    assert figures["largest torque (N m)"] < 12
    assert figures["force in the passive joint"] == 0
    assert figures["difference from simulate (rad)"] < 1e-9
    assert figures["relative energy drift"] < 1e-3
    assert (tmp_path / "acrobot_ilqr.html").stat().st_size > 100_000


def test_a_payload_is_found_by_gradients_in_the_robots_constants(tmp_path):
    figures = run("payload_by_gradient", tmp_path, samples=300)
    assert figures["largest error, in standard deviations"] < 3
    assert figures["error of the mass (kg)"] < 0.05
    assert figures["error of the mass centre (mm)"] < 5
    assert figures["size of the gradient, last by first"] < 1e-12
    assert figures["unexplained torque at last (N m, rms)"] < 0.55
    assert figures["unexplained torque at first (N m, rms)"] > 2


def test_arms_that_differ_stay_near_their_path(tmp_path):
    figures = run("randomized_arms", tmp_path, rows=64)
    assert 1 < figures["median of the largest distance (mm)"] < 6
    assert figures["95 % of the arms stay within (mm)"] < 12


def test_an_arm_stops_at_its_stops_within_its_efforts_and_sticks(tmp_path):
    figures = run("stops", tmp_path)
    assert 1.2 < figures["largest angle (rad)"] < 1.3
    assert figures["largest torque (N m)"] == 8
    assert figures["largest speed at the end (rad/s)"] == 0
    assert figures["kinds of limits that acted"] == 3
    assert figures["energy drift, relative"] < 1e-3


def test_normalized_rates_share_the_energy_and_their_coriolis_term_does_no_work(tmp_path):
    figures = run("diagonalized", tmp_path, duration=0.5, count=13)
    assert figures["relative drift of the energy, free"] < 1e-8
    assert figures["largest power of the normalized term (W)"] < 1e-14
    assert figures["largest power of Lagrange's term (W)"] > 0.1
    assert figures["largest rise of an energy under feedback (J)"] < 0
    assert 0.2 < figures["largest curvature (kg m²)"] < 0.51


def test_the_array_form_keeps_the_digits_that_the_recursion_loses(tmp_path):
    figures = run("factors", tmp_path, samples=3)
    assert figures["relative error of the product of the factors"] < 1e-14
    assert figures["zeros of the factor, of 400"] == 254
    assert figures["digits lost at a ratio of 1e6, recursion"] > 3
    assert figures["digits lost at a ratio of 1e6, arrays"] < 1.5
    assert figures["digits lost at a ratio of 1e15, arrays"] < 1.5


def test_elimination_leaves_the_factors_and_what_the_first_joints_feel(tmp_path):
    figures = run("elimination", tmp_path, longest=10)
    assert figures["difference of what is left from D U*"] < 1e-12
    assert figures["difference from what three joints feel"] < 1e-12
    assert figures["joints from which on the recursion is cheaper"] == 9


@pytest.mark.slow
def test_a_pushed_arm_yields_by_force_over_stiffness_and_comes_back(tmp_path):
    figures = run("pushed_arm", tmp_path)
    for stiffness in (300, 600, 1200):
        assert figures[f"yields on {stiffness} N/m (mm)"] == pytest.approx(30e3 / stiffness, rel=1e-4)
        assert abs(figures[f"comes back on {stiffness} N/m (mm)"]) < 1e-3
    assert figures["largest damping of rows"] == 0


@pytest.mark.slow
def test_two_hands_stay_on_their_curves_while_the_base_drifts(tmp_path):
    figures = run("two_hands", tmp_path)
    assert figures["largest distance of a hand from its curve (mm)"] < 0.01
    assert figures["base turned by (degrees)"] > 1
    assert figures["largest force at the root (N)"] == 0
    assert figures["momentum at the end (N s)"] < 1e-6
    assert figures["largest damping of rows"] == 0


@pytest.mark.slow
def test_talos_keeps_its_mass_centre_above_the_sole(tmp_path):
    pytest.importorskip("pinocchio")
    figures = run("standing_talos", tmp_path)
    assert 1 < figures["mass centre moves by at most (mm)"] < 10
    assert figures["mass centre at the end (mm)"] < 0.01
    assert figures["centre of pressure, share of the sole"] < 1
    assert figures["kinds of limits that acted"] == 0


def test_a_four_bar_linkage_keeps_its_energy_and_stays_closed(tmp_path):
    figures = run("four_bar", tmp_path, steps=2000)
    assert figures["mobility"] == 1
    assert figures["rows of the hinge that follow from others"] == 3
    assert figures["rate of the crank at the end (rad/s)"] == pytest.approx(6.28, abs=0.2)
    assert figures["closure error, free (m)"] < 1e-12
    assert figures["energy drift, free, relative to the largest kinetic energy"] < 1e-9


def test_a_delta_robot_turns_its_arms_as_the_closed_form_says(tmp_path):
    figures = run("delta_robot", tmp_path, points=51)
    assert figures["mobility"] == 3
    assert figures["poses that were met"] == 51
    assert figures["arms' angles beside the closed form (rad)"] < 1e-10
    assert figures["closures (m)"] < 1e-10
    small = 2e-3 * figures["largest acceleration of the platform (m/s^2)"]
    assert figures["acceleration that these torques give, difference (m/s^2)"] < small


def test_a_stewart_platform_has_the_legs_of_the_closed_form(tmp_path):
    figures = run("stewart_platform", tmp_path, points=51)
    assert figures["mobility"] == 6
    assert figures["poses that were met"] == 51
    assert figures["legs beside the closed form (m)"] < 1e-10
    assert figures["accelerations that these forces give, difference"] < 0.02
    # The legs carry 5 kg and most of their own weight.
    assert 10 < figures["mean force of a leg (N)"] < 20


def test_a_gripper_presses_with_what_its_motor_was_told(tmp_path):
    figures = run("gripper", tmp_path, duration=0.5)
    assert figures["mobility"] == 1
    assert figures["grip at the end (N)"] == pytest.approx(8.0, abs=1e-3)
    assert figures["difference of the fingers (N)"] < 1e-9
    assert figures["largest tilt of a fingertip (degrees)"] < 1e-8
    assert figures["closures (m)"] < 1e-12


@pytest.mark.slow
def test_a_controller_stands_masses_that_are_a_little_off(tmp_path):
    figures = run("robust_arm", tmp_path, cells=5, arms=64)
    assert figures["largest distance with the right masses (mm)"] < 0.05
    assert 1 < figures["largest distance on the map (mm)"] < 5
    assert 0.5 < figures["95 % of the arms stay within (mm)"] < 3
    assert figures["rows that failed"] == 0


@pytest.mark.slow
def test_a_free_flyer_reaches_what_is_near_and_keeps_its_momentum(tmp_path):
    figures = run("reachable_targets", tmp_path, side=12)
    assert 0.1 < figures["share that is reached"] < 0.3
    assert 10 < figures["largest turn of the base there (degrees)"] < 90
    assert figures["largest momentum of a step (SI)"] < 1e-12
    assert figures["rows that failed"] == 0


@pytest.mark.slow
def test_a_data_set_of_rollouts_is_learned_from(tmp_path):
    figures = run("learning_set", tmp_path, rows=4096)
    assert figures["error after all rows (rad/s)"] < 0.05 * figures["error of guessing (rad/s)"]
    assert figures["error after all rows (rad/s)"] < figures["error after the first 256 rows (rad/s)"]
    assert 16 <= figures["bytes on disk a row"] < 20
    assert figures["rows that failed"] == 0


# The page


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_every_example_with_its_picture(name):
    page = (ROOT / "docs" / "gallery" / "examples.md").read_text(encoding="utf-8")
    assert f"examples/{name}.py" in page
    assert f"](../plots/{name}.png)" in page
    assert 0 < (ROOT / "docs" / "plots" / f"{name}.png").stat().st_size < LARGEST_PICTURE


def test_the_page_names_no_example_that_is_not_there():
    page = (ROOT / "docs" / "gallery" / "examples.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\.\./\.\./examples/(\w+)\.py", page)) == set(NAMES)
