"""Self-play as a plan: presets and what is said beside them, and how an agent goes on."""

from dataclasses import fields

import numpy as np
import pytest

from kibitz.learning import Learning, Model, ModelError, SelfPlay, Structure, TableRules, load_model, save_model
from kibitz.learning.presets import PRESETS
from kibitz.learning.rivals import rivals_of
from kibitz.learning.self_play import SelfPlayPlan
from kibitz.plans import carry_out


def learner_of(**said) -> SelfPlay:
    return SelfPlayPlan(players="2", **said).begin().learner


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_what_is_learned_with(name):
    learner, preset = learner_of(preset=name), PRESETS[name]
    assert (learner.structure, learner.learning) == (preset.structure, preset.learning)
    assert learner.rivals == rivals_of(preset.against)
    learner.advance(20)
    assert learner.deals == 20 * preset.learning.batch
    assert np.isfinite(learner.model.flat).all()


def test_the_thesis_learns_as_it_says():
    """Fixed rates, a step after each deal, rewards in chips, features as printed, nobody else at the table."""
    preset = PRESETS["thesis"]
    learning = preset.learning
    assert (learning.batch, learning.halving, learning.entropy, learning.window) == (1, 0.0, 0.0, 0.0)
    assert not learning.pot_scaling
    assert preset.structure == Structure(profile="listed", public_observer=True, chips="linear")
    assert preset.against == "none"


SAID = {
    "batch": 7, "parts": 3, "rate": 1e-5, "card_rate": 2e-5, "type_rate": 3e-5, "move_rate": 4e-5,
    "showdown_rate": 5e-5, "entropy": 0.3, "halving": 9.0, "least": 0.4, "least_entropy": 0.5, "floor": 0.02,
    "window": 3.0, "value_scale": 2.0,
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", SAID)
def test_what_is_said_counts_and_nothing_else(name, preset):
    """Where it is 0 too: no entropy, constant rates, the last weights."""
    for value in (SAID[name], type(SAID[name])(0)):
        if value == 0 and name in ("batch", "parts", "floor"):
            continue
        found = learner_of(preset=preset, **{name: value}).learning
        for each in fields(Learning):
            wanted = value if each.name == name else getattr(PRESETS[preset].learning, each.name)
            assert getattr(found, each.name) == wanted, each.name


def test_structure_rules_and_rewards_can_be_said():
    learner = learner_of(self_aware=True, chips="logarithm", cap=3, capped_heads_up=True, chip_rewards=True,
                         reward_scale=2.0, against="probe:0.5")  # fmt: skip
    assert learner.structure == Structure(self_aware=True, chips="logarithm")
    assert learner.rules == TableRules(cap=3, uncapped_heads_up=False)
    assert not learner.learning.pot_scaling
    assert learner.learning.reward_scale == 2.0
    assert [each.name for each in learner.rivals] == ["probe"]
    with pytest.raises(ModelError, match="ask for chip rewards too"):
        learner_of(reward_scale=2.0)


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """An agent of the thesis's preset, with rules of its own."""
    out = tmp_path_factory.mktemp("begun") / "agent"
    *_, _ = carry_out(SelfPlayPlan(players="2", hands=200, preset="thesis", cap=3, seed=4), out)
    return out


def test_an_agent_goes_on_with_first_rates_and_its_own_rules(begun):
    learner, model = learner_of(start=begun, seed=9, halving=50.0, batch=8), load_model(begun)
    assert (learner.deals, learner.structure, learner.rules) == (0, model.structure, TableRules(cap=3))
    assert np.array_equal(learner.model.flat, model.flat)
    other = SelfPlay(2, 9, rules=TableRules(cap=3), learning=learner.learning, rivals=learner.rivals, start=model)
    learner.advance(5)
    other.advance(5)
    assert np.array_equal(learner.model.flat, other.model.flat)
    assert learner.model.made["deals"] == 40
    assert np.array_equal(load_model(begun).flat, model.flat)


@pytest.mark.parametrize("said", [{"profile": "complete"}, {"self_aware": True}, {"chips": "saturating"}])
def test_another_structure_is_refused(begun, said):
    with pytest.raises(ModelError, match="has another structure: an agent goes on with its own"):
        learner_of(start=begun, **said)


def test_the_structure_that_it_has_may_be_said(begun):
    learner = learner_of(start=begun, profile="listed", public_observer=True, chips="linear")
    assert learner.structure == PRESETS["thesis"].structure


def test_runs_from_other_weights_say_so(tmp_path):
    """Even if they have seen as many deals."""
    said = []
    for seed in (1, 2):
        save_model(Model(Structure(), Model.random(Structure(), seed).flat, {"deals": 64}), tmp_path / str(seed))
        said.append(SelfPlay(2, start=load_model(tmp_path / str(seed))).describe())
    assert said[0] != said[1]
    assert SelfPlay(2, start=load_model(tmp_path / "2")).describe() == said[1]
