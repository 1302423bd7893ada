"""The frame called "ground" is the ground, whatever a file or a builder calls its links."""

from __future__ import annotations

import warnings

import pytest

from mjcf_models import MJCF_MODELS
from soadyn.errors import ModelError, ModelWarning
from soadyn.loading import load_model
from soadyn.model.assemble import assemble
from soadyn.model.bodies import Body
from soadyn.model.builder import chain
from soadyn.model.model import Model
from soadyn.model.placement import Placement
from soadyn.model.surgery import attach
from soadyn.robot.sources import Builder
from urdf_cases import ARM

WORDS = r"'ground' is the ground's frame; the link or frame of that name is called 'ground_link' here"


def from_urdf() -> Model:
    return load_model(ARM.replace('"upper"', '"ground"'))


def from_mjcf() -> Model:
    pytest.importorskip("mujoco")
    return load_model(MJCF_MODELS["pendulum"].replace('"bob"', '"ground"'))


def from_builder() -> Model:
    b = Builder("mine")
    b.link("ground", Body(1.0), origin=(0, 0, 1))
    return b.model()


def with_frame() -> Model:
    b = Builder("mine")
    b.link("link", Body(1.0))
    b.frame("ground", "link", (0, 0, 1))
    return b.model()


@pytest.mark.parametrize("made", [from_urdf, from_mjcf, from_builder, with_frame])
def test_a_link_or_frame_called_ground_gets_another_name(made) -> None:
    with pytest.warns(ModelWarning, match=WORDS):
        model = made()
    assert model.frame("ground").link == 0
    assert model.frame("ground").placement == Placement()
    assert model.frame("ground_link").link == 1
    assert any("ground_link" in note for note in model.notes)


def test_a_welded_link_turned_against_the_ground_gets_another_name() -> None:
    b = Builder("mine")
    b.fixed("ground", Body(1.0), origin=(1, 0, 0))
    b.frame("ground_link", "ground")
    with pytest.warns(ModelWarning, match="is called 'ground_link_' here"):
        model = b.model()
    assert model.frame("ground_link_").placement.position == (1.0, 0.0, 0.0)


def test_a_root_link_fixed_in_the_ground_may_be_called_so() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = load_model(ARM.replace('"base"', '"ground"'))
    assert model.frame("ground").link == 0
    with pytest.warns(ModelWarning, match=WORDS):
        assert load_model(ARM.replace('"base"', '"ground"'), root="free").link_names[0] == "ground_link"


def test_shapes_follow_their_link() -> None:
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = ARM.replace('"upper"', '"ground"').replace('<link name="ground">', f'<link name="ground">{shape}')
    with pytest.warns(ModelWarning, match=WORDS):
        assert [visual.frame for visual in load_model(text).visuals] == ["ground_link"]


def test_attaching_cannot_bring_the_name_back() -> None:
    b = Builder("mine")
    b.link("und", Body(1.0))
    with pytest.raises(ModelError, match="both have a link or frame named 'ground'; give another name_prefix"):
        attach(assemble(chain(2)), b.model(), "tip", name_prefix="gro")
