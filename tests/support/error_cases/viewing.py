"""Viewing."""

from __future__ import annotations

import soadyn as sd
from error_cases.case import Case

VIEWING = (
    Case(
        "a configuration that does not fit",
        "arm.show([0.0, 0.0, 0.0])",
        sd.ShapeError,
        r"argument 'q' has shape \(3,\); expected \(\.\.\., 2\)",
    ),
    Case(
        "several configurations at once",
        "arm.save_view('arm.html', [q, q])",
        sd.ShapeError,
        r"holds a batch of shape \(2,\); choose one of them",
    ),
    Case(
        "a page in a folder that is not there",
        "arm.save_view('pages/arm.html')",
        sd.ArgumentError,
        "cannot write 'pages/arm.html': there is no folder 'pages'",
    ),
    Case(
        "a page in a file of unknown kind",
        "arm.save_view('arm.txt')",
        sd.ArgumentError,
        r"cannot write a page to 'arm\.txt': its suffix is '\.txt'; expected \.html or \.htm",
    ),
    Case(
        "a trajectory read from a file",
        "fall = sd.simulate(arm, q, duration=0.1, step=0.01).save('fall.npz')\nsd.Trajectory.load(fall).show()",
        sd.ArgumentError,
        r"does not know its robot; give it one with trajectory\.of\(robot\)",
    ),
    Case(
        "a trajectory given to another robot",
        "sd.simulate(arm, q, duration=0.1, step=0.01).of(flyer)",
        sd.ArgumentError,
        "the trajectory of 'planar_two_link' has the coordinates .*, robot 'free_flyer' has ",
    ),
    Case(
        "a motion without its label",
        "sd.view.save_page('arm.html', [arm])",
        sd.ArgumentError,
        r"expected pairs \(label, trajectory\), got <Robot",
    ),
    Case(
        "nothing to show",
        "sd.view.show([])",
        sd.ArgumentError,
        r"expected a list of \(label, trajectory\) pairs, got \[\]",
    ),
    Case(
        "something that is no motion",
        "sd.view.show([('arm', q)])",
        sd.ArgumentError,
        "'arm': a robot, a state or a trajectory can be shown, got",
    ),
    Case(
        "more frames than a screen shows",
        "sd.simulate(arm, q, duration=0.1, step=0.01).save_view('fall.html', fps=1000)",
        sd.ArgumentError,
        "fps must be above 0 and at most 60 frames a second, got 1000",
    ),
    Case(
        "a film of more frames than a page holds",
        "sd.simulate(arm.with_gravity([0, 0, 0]), q, duration=1e6, step=1e5).save_view('rest.html')",
        sd.ArgumentError,
        r"1e\+06 s at 30 frames a second are 3e\+07 frames; a page holds at most 1e\+06",
    ),
    Case(
        "a port out of range", "arm.show(port=70000)", sd.ArgumentError, "port must be a whole number from 0 to 65535"
    ),
    Case(
        "an option that is not there",
        "arm.show(colour='red')",
        sd.UnknownNameError,
        "unknown option 'colour' of viewing",
    ),
    Case(
        "frames that are one text",
        "arm.show(frames='tool', port=0)",
        sd.ArgumentError,
        r"frames takes a list of frames, got the text 'tool'; write \['tool'\]",
        needs="viser",
    ),
    Case(
        "spacing that is no length",
        "sd.view.show([('a', arm), ('b', arm)], spacing=float('nan'), port=0)",
        sd.ArgumentError,
        "spacing must be a finite number of metres, got nan",
        needs="viser",
    ),
    Case(
        "a sky that is not there",
        "arm.show(sky='green', port=0)",
        sd.ArgumentError,
        'sky must be "light" or "dark", got \'green\'',
    ),
    Case(
        "a camera straight above",
        "arm.show(look_from=(0, 0, 1), port=0)",
        sd.ArgumentError,
        r"look_from must be three finite numbers that do not point straight up, got \(0, 0, 1\)",
    ),
    Case(
        "a chart whose times and values do not fit",
        "sd.view.Chart('angle', [('elbow', [0.0, 1.0], [0.0])])",
        sd.ShapeError,
        r"curve 'elbow' of chart 'angle' has times of shape \(2,\) and values of shape \(1,\)",
    ),
    Case(
        "a chart whose times do not ascend",
        "sd.view.Chart('angle', [('elbow', [1.0, 0.0], [0.0, 0.0])])",
        sd.ArgumentError,
        "curve 'elbow' of chart 'angle' has times that do not ascend",
    ),
    Case(
        "charts that are none",
        "sd.view.save_page('x.html', [('arm', arm)], charts=['angle'])",
        sd.ArgumentError,
        r"charts takes a list of sd.view.Chart, got \['angle'\]",
    ),
)
