"""Dynamics as estimation: fields, models for Kalman software, touch, parameters."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

ESTIMATION = (
    Case(
        "an unknown random variable",
        'sd.estimation.RandomField(arm, q).covariance("epsilom")',
        sd.UnknownNameError,
        "unknown variable 'epsilom'. Did you mean 'epsilon'",
    ),
    Case(
        "samples without a generator",
        "sd.estimation.RandomField(arm, q).sample(0, 10)",
        sd.ArgumentError,
        "samples are drawn with a numpy.random.Generator, got int",
    ),
    Case(
        "a field of forces in a body that cannot be",
        'sd.estimation.RandomField(sd.load("puma560"), np.zeros(6)).points()',
        sd.ModelError,
        "link 'link3' of robot 'puma560' has principal moments of which one exceeds the sum of the others",
    ),
    Case(
        "a random field of something else",
        'sd.estimation.RandomField("ur5", q)',
        sd.ArgumentError,
        "RandomField takes a Robot, as sd.load makes them, got str",
    ),
    Case(
        "a Kalman model of several states",
        "sd.estimation.build_kalman_model(arm, np.zeros((3, 2)))",
        sd.ArgumentError,
        r"build_kalman_model takes one state; q has shape \(3, 2\), v \(2,\)",
    ),
    Case(
        "a touch on the ground",
        'sd.estimation.locate_contact(arm, q, tau, [("ground", [0, 0, 0])], 20.0, 0.1)',
        sd.ArgumentError,
        "a point is on 'ground', which is fixed to the ground: no joint feels it",
    ),
    Case(
        "a point without its frame",
        "sd.estimation.locate_contact(arm, q, tau, [[0.1, 0, 0]], 20.0, 0.1)",
        sd.ArgumentError,
        r"a point is \(frame, xyz\), got \[0.1, 0, 0\]",
    ),
    Case(
        "torques without noise",
        'sd.estimation.locate_contact(arm, q, tau, [("link2", [0.1, 0, 0])], 20.0, 0.0)',
        sd.ArgumentError,
        "locate_contact: torque_std must be positive, got 0.0",
    ),
    Case(
        "a force without a prior",
        'sd.estimation.locate_contact(arm, q, tau, [("link2", [0.1, 0, 0])], 0.0, 0.1)',
        sd.ArgumentError,
        "locate_contact: force_std must be a positive number, got 0.0",
    ),
    Case(
        "normals for other points",
        'sd.estimation.locate_contact(arm, q, tau, [("link2", [0.1, 0, 0])], 20.0, 0.1, normals=np.eye(3))',
        sd.ArgumentError,
        r"normals holds \(3, 3\) numbers; expected \(1, 3\), all finite",
    ),
    Case(
        "a normal that points nowhere",
        'sd.estimation.locate_contact(arm, q, tau, [("link2", [0.1, 0, 0])], 20.0, 0.1, normals=np.zeros((1, 3)))',
        sd.ArgumentError,
        "normals: the normal of point 0 is zero and points nowhere; give its direction",
    ),
    Case(
        "the surface of a robot that is not drawn",
        "sd.estimation.sample_surface(weak)",
        sd.ArgumentError,
        "robot 'weak' has no moving link drawn as a box, cylinder or sphere; give points of your own",
    ),
    Case(
        "an observer that looks at nothing",
        "sd.estimation.MomentumObserver(arm, gain=0.0)",
        sd.ArgumentError,
        "gain must be positive, one number or one for each joint rate, got 0.0",
    ),
    Case(
        "a recording that goes back in time",
        "sd.estimation.MomentumObserver(arm, 10.0).run([0.0, 0.0], np.zeros((2, 2)), np.zeros((2, 2)), tau)",
        sd.ArgumentError,
        r"a recording has rising times \(samples,\) and a row of q and v for each; got t \(2,\)",
    ),
    Case(
        "evidence over time without time",
        'sd.estimation.locate_contact(arm, q, tau, [("link2", [0.1, 0, 0])], 20.0, 0.1).over_time()',
        sd.ArgumentError,
        "over_time takes a batch over time, 0 < stay < 1 and alike >= 1, got stay=0.99, alike=1.0",
    ),
    Case(
        "an unknown term of friction",
        'sd.estimation.identify(arm, *np.ones((4, 9, 2)), terms=("coulom",))',
        sd.UnknownNameError,
        "unknown friction term 'coulom'. Did you mean 'coulomb'",
    ),
    Case(
        "a motion that shows too little",
        "sd.estimation.identify(arm, *np.ones((4, 9, 2)))",
        sd.ArgumentError,
        "identify: the recording does not tell all unknowns: 18 equations for 12 unknowns have rank 2; combinations",
    ),
    Case(
        "a recording of one moment",
        "sd.estimation.identify(arm, q, v, a, tau)",
        sd.ShapeError,
        "identify: a recording has one row of q, v, a, tau for each sample",
    ),
    Case(
        "parameters of another robot",
        "arm.with_inertial_parameters(np.ones(30))",
        sd.ArgumentError,
        r"parameters has shape \(30,\); expected ten for each of 2 links",
    ),
    Case(
        "a payload to be weighed on the ground",
        'sd.estimation.PayloadEstimator(arm, "ground", 0.1)',
        sd.ArgumentError,
        "a payload on 'ground', which is fixed to the ground, is felt by no joint",
    ),
    Case(
        "an excitation of a free base",
        "sd.estimation.design_excitation(flyer)",
        sd.ArgumentError,
        "excitation takes joints without quaternions; robot 'free_flyer' has some",
    ),
    Case(
        "drive gains without a mass",
        'sd.estimation.identify_drive_gains(arm, (q, v, a, tau), (q, v, a, tau), 0.0, "tool")',
        sd.ArgumentError,
        "identify_drive_gains: mass must be a positive number, got 0.0",
    ),
    Case(
        "torques of other joints",
        "sd.estimation.residual(arm, q, v, a, [1.0])",
        sd.ShapeError,
        r"argument 'tau' has shape \(1,\); expected \(..., 2\)",
    ),
    Case(
        "a sample without a time",
        "sd.estimation.MomentumObserver(arm, 10.0).update(None, q, v, tau)",
        sd.ArgumentError,
        r"MomentumObserver.update: t must be a finite number of seconds",
    ),
    Case(
        "several samples in one update",
        "sd.estimation.MomentumObserver(arm, 10.0).update(0.0, [q, q], v, tau)",
        sd.ShapeError,
        r"MomentumObserver.update takes one sample; got shapes",
    ),
    Case(
        "torque noise of other joints",
        'sd.estimation.PayloadEstimator(arm, "tool", torque_std=[0.1, 0.1, 0.1])',
        sd.ShapeError,
        r"PayloadEstimator: torque_std has shape \(3,\); expected one number, or one for each of 2",
    ),
    Case(
        "points finer than dust",
        'sd.estimation.sample_surface(sd.load("panda"), spacing=1e-9)',
        sd.ArgumentError,
        r"sample_surface: with a spacing of 1e-09 m a length of .* m has more than 2,000 points",
    ),
    Case(
        "an excitation of half a harmonic",
        "sd.estimation.design_excitation(arm, harmonics=0.5)",
        sd.ArgumentError,
        r"design_excitation: harmonics must be a whole number from 1 to 1000, got 0.5",
    ),
    Case(
        "friction terms that are no list",
        "sd.estimation.identify(arm, [q] * 9, [v] * 9, [a] * 9, [tau] * 9, terms=None)",
        sd.ArgumentError,
        r"terms are a list of friction terms among coulomb, viscous, offset, armature, got None",
    ),
    Case(
        "parameters that are text",
        'arm.with_inertial_parameters("heavy")',
        sd.ShapeError,
        r"argument 'parameters' has dtype",
    ),
    Case(
        "a run without currents",
        'sd.estimation.identify_drive_gains(arm, (q, v, a), (q, v, a), 2.0, "tool")',
        sd.ArgumentError,
        r"identify_drive_gains: a run is \(q, v, a, currents\), got",
    ),
    Case(
        "a sample that the sensor did not give",
        'sd.estimation.PayloadEstimator(arm, "tool", torque_std=0.1).update(q, v, a, [np.nan, 0.0])',
        sd.ArgumentError,
        "PayloadEstimator.update: a sample holds numbers that are not finite; leave it out",
    ),
    Case(
        "a reading that the observer cannot use",
        "sd.estimation.MomentumObserver(arm, 10.0).update(0.0, q, v, [np.nan, 0.0])",
        sd.ArgumentError,
        "MomentumObserver.update: a sample holds numbers that are not finite; leave it out",
    ),
    Case(
        "friction that is a number",
        "sd.estimation.MomentumObserver(arm, 10.0, joint_forces=0.3)",
        sd.ArgumentError,
        "MomentumObserver: joint_forces is a function of",
    ),
    Case(
        "gains from recordings at rest",
        'sd.estimation.identify_drive_gains(arm, *[(np.zeros((9, 2)),) * 4] * 2, 2.0, "tool")',
        sd.ArgumentError,
        "identify_drive_gains: the runs do not tell all gains: 36 equations for .* unknowns have rank",
    ),
)
