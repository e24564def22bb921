"""Runs of self-play: the same bits after an interruption, reports, warnings, and what is refused."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning import (
    Learning,
    Model,
    ModelError,
    SelfPlay,
    Structure,
    TableRules,
    load_model,
    model_artefact,
    save_model,
    seat_chances,
    simulate,
)
from kibitz.learning.presets import PRESETS
from kibitz.learning.rivals import rivals_of
from kibitz.learning.runs import InPython, LearningRun
from kibitz.learning.tables import rules_of_model
from kibitz.plans import MANIFEST, Artefact, carry_out, read_curve, save_artefact
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.plans.checkpoints import load_checkpoint


def trainer(**options):
    return SelfPlay(3, 5, learning=Learning(**options))


def plan_of(each, hands, every=640):
    return InPython(each, LearningRun(each, hands, every, lambda: model_artefact(each.model)))


def run(each, hands, out, resume=False):
    return list(carry_out(plan_of(each, hands), out, resume=resume))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "agent"
    run(trainer(), 2560, out)
    return out


def timeless(out):
    return [{**row, "seconds": 0, "rate": 0} for row in read_curve(out)]


def test_an_interrupted_run_comes_to_the_same_bits(folder, tmp_path, monkeypatch):
    """Left between two rows of its curve: weights and rows are those of a run that nobody has left."""
    monkeypatch.setattr("kibitz.learning.runs.PIECE_SECONDS", 0.0)  # a batch a step
    steps = carry_out(plan_of(trainer(), 2560), tmp_path / "broken")
    assert [next(steps).row for _ in range(25)].count(None) == 24
    steps.close()
    assert not (tmp_path / "broken" / MANIFEST).exists()
    last = run(trainer(), 2560, tmp_path / "broken", resume=True)[-1]
    assert last.done == 2560
    whole, again = load_model(folder), load_model(tmp_path / "broken")
    assert (whole.flat == again.flat).all()
    assert whole.made == again.made
    assert timeless(folder) == timeless(tmp_path / "broken")


def test_a_run_can_be_prolonged(folder, tmp_path):
    out = tmp_path / "agent"
    shutil.copytree(folder, out)
    run(trainer(), 3200, out, resume=True)
    direct = trainer()
    direct.train(3200)
    assert (load_model(out).flat == direct.model.flat).all()
    assert load_model(out).made["deals"] == 3200


def test_reports_add_up(folder):
    rows = read_curve(folder)
    assert [row["deals"] for row in rows] == [640, 1280, 1920, 2560]
    for row in rows:
        np.testing.assert_allclose([sum(shares) for shares in row["actions"]], 1)
        assert sum(row["usage"][0]) == pytest.approx(1)
        assert 0 < row["voluntary"] <= 1
        assert all(0 <= bits <= np.log2(3) for bits in row["entropy"])


def test_learning_makes_the_observed_likelier():
    """The second time the same deals are seen; the policy does not change, and its actions depend on cards."""
    each = trainer(rate=0.0, card_rate=0.0, type_rate=5e-3, scale=0.3, value_scale=4.0)
    first = each.train(6400).seen.likelihood
    each.restore(0, 0.0, {name: array.copy() for name, array in each.arrays().items()})
    assert each.train(6400).seen.likelihood > first + 0.001


def test_a_million_deals_are_learned_from():
    """As `kibitz train self-play` learns: no chip is made or lost, and decisions get better."""
    preset = PRESETS["default"]
    each = SelfPlay(3, 5, preset.structure, None, preset.learning, rivals_of(preset.against))
    first, then = each.train(20_000), each.train(980_000)
    assert first.seen.deals + then.seen.deals == each.deals == 1_000_000
    for found in (first.seen, then.seen):
        assert found.chips == pytest.approx(0, abs=1e-6)
        assert 0 < found.showdowns < 1
    assert then.seen.mean_entropy < first.seen.mean_entropy - 0.05
    assert then.seen.voluntary < first.seen.voluntary  # not every hand is played any more
    assert not then.warnings
    plays = [simulate(model, 3, 20_000, 9, rivals=rivals_of("always-raise:1")) for model in (each.start, each.model)]
    assert plays[1].winnings.mean > plays[0].winnings.mean + 1.0
    assert all(each.chips == pytest.approx(0, abs=1e-6) for each in plays)


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_chips_are_neither_made_nor_lost(players):
    seen = simulate(Model.random(Structure(), 1, 0.3), players, 500, rivals=rivals_of("random:0.5"))
    assert seen.chips == pytest.approx(0, abs=1e-9)
    assert seen.winnings.deviation > 0


def test_tables_of_the_mix_have_its_mean_size():
    told = simulate(Model.random(Structure(), 1, 0.3), "irc", 500)
    assert told.deals == 500
    assert told.winnings.hands == pytest.approx(500 * 5.2, rel=0.1)  # all seats learn


def test_gradients_that_are_not_finite_end_the_run(tmp_path):
    each, out = trainer(), tmp_path / "agent"
    steps = carry_out(plan_of(each, 6400), out, checkpoint_seconds=0)
    done = next(steps).done
    each.arrays()["weights"][3] = np.nan
    with pytest.raises(ModelError, match=f"not finite after {done} deals"):
        next(steps)
    assert not (out / MANIFEST).exists()
    again = trainer()
    plan = plan_of(again, 6400)
    load_checkpoint(out / CHECKPOINT, plan.identity(), plan.begin())  # the last good one
    assert again.deals == done
    assert again.model.is_finite


def test_collapsed_types_and_large_weights_are_told():
    each = trainer()
    each.train(32)
    arrays = {name: array.copy() for name, array in each.arrays().items()}
    weights = Model(Structure(), arrays["weights"]).weights
    weights.usage[2, 3] = 1e-5
    weights.values[0, 0, 0] = 80.0
    each.restore(32, 0.0, arrays)
    warnings = each.train(32).warnings
    assert any("card-type 3 of the turn" in warning for warning in warnings)
    assert any("has grown to 80:" in warning for warning in warnings)
    arrays["weights"][:] = each.arrays()["weights"]
    weights.costs[0] = 6.285575827e168
    each.restore(32, 0.0, arrays)
    assert "a weight has grown to 6.29e+168: learning rates may be too high" in each.train(32).warnings


def test_rates_and_the_weight_of_entropy_are_halved():
    start = trainer().arrays()["weights"].copy()

    def one_step(**settings):
        each = trainer(batch=64, clip=0.0, **settings)
        each.restore(6400, 0.0, {**each.arrays(), "weights": start.copy()})
        each.train(64)
        return each.model.flat

    names = ("rate", "card_rate", "type_rate", "move_rate", "showdown_rate")
    half = {name: getattr(Learning(), name) / 2 for name in names}
    falling, constant = one_step(entropy=0.4, halving=6400.0), one_step(entropy=0.2, halving=0.0, **half)
    np.testing.assert_allclose(falling, constant, rtol=1e-12, atol=1e-15)
    assert not np.allclose(falling, one_step(entropy=0.4, halving=0.0, **half), rtol=1e-6)


def test_what_settings_refuse():
    wrong = ({"baseline": "luck"}, {"baseline": "mean"}, {"batch": 0}, {"parts": 0}, {"parts": 65}, {"least": -1.0},
             {"rate": float("nan")}, {"reward_scale": 0.0})  # fmt: skip
    for each in wrong:
        with pytest.raises(ModelError):
            Learning(**each)
    with pytest.raises(ModelError, match="chips 'bent'"):
        Structure(chips="bent")
    with pytest.raises(ModelError, match="profile"):
        Structure("all")
    with pytest.raises(KibitzError):
        seat_chances(11)
    with pytest.raises(KibitzError):
        TableRules(cap=0)
    with pytest.raises(KibitzError, match="hands"):
        plan_of(trainer(), 0)


def test_another_run_is_not_continued(folder):
    with pytest.raises(KibitzError, match=r"seed = 5, this plan has 6"):
        run(SelfPlay(3, 6), 5000, folder, resume=True)
    with pytest.raises(KibitzError, match=r"learning = .*this plan has .*'rate': 0.5"):
        run(trainer(rate=0.5), 5000, folder, resume=True)


def test_models_are_saved_and_loaded(tmp_path):
    model = Model.random(Structure(profile="listed", self_aware=True), 3)
    save_model(model, tmp_path / "one")
    again = load_model(tmp_path / "one")
    assert again.structure == model.structure
    assert (again.flat == model.flat).all()
    save_model(model, tmp_path / "one")  # an older model gives way
    (tmp_path / "one" / "notes.txt").write_text("mine")
    with pytest.raises(KibitzError, match="more than a learned model"):
        save_model(model, tmp_path / "one")


def damage(folder, change):
    manifest = json.loads((folder / MANIFEST).read_text())
    change(manifest["about"])
    del manifest["crc32"]
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found["structure"].update(profile="all"), "profile 'all'"),
        (lambda found: found["structure"].update(profile="listed"), "profile listed has features"),
        (lambda found: found["structure"].update(bet_scales=[1]), "10 positive numbers"),
        (lambda found: found["structure"].update(self_aware="yes"), "self_aware = 'yes': true or false"),
        (lambda found: found["structure"].update(public_observer=1), "public_observer = 1: true or false"),
        (lambda found: found["structure"].update(profile=[]), r"profile \(\)"),
        (lambda found: found.pop("features"), "damaged"),
        (lambda found: found.update(structure=5), "damaged"),
    ],
)
def test_damaged_manifests_are_refused(tmp_path, change, words):
    save_model(Model.random(Structure(), 1), tmp_path / "agent")
    damage(tmp_path / "agent", change)
    with pytest.raises(ModelError, match=words):
        load_model(tmp_path / "agent")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"cap": "four"}, "made by: a cap of 'four' bets: 1 to 100"),
        ({"cap": True}, "a cap of True bets"),
        ({"cap": None}, "a cap of None bets"),
        ({"cap": 4.0}, "a cap of 4.0 bets"),
        ({"decision_cap": [150]}, r"a cap of \[150\] decisions"),
        ({"fold_when_free": "no"}, "fold_when_free = 'no': true or false"),
        ({"forward_blinds": 0}, "forward_blinds = 0: true or false"),
        (["cap", 4], r"the rules \['cap', 4\]: their names and values"),
        ([], r"the rules \[\]"),
        ("four", "the rules 'four'"),
    ],
)
def test_damaged_rules_are_refused(rules, words):
    model = Model.random(Structure(), 1)
    model.made["rules"] = rules
    with pytest.raises(ModelError, match=words):
        rules_of_model(model)


def test_rules_of_a_model(folder):
    assert rules_of_model(load_model(folder)) == TableRules()
    model = Model.random(Structure(), 1)
    assert rules_of_model(model) == TableRules()  # it says none
    model.made["rules"] = {"cap": 3, "forward_blinds": True, "of a later version": 1}
    assert rules_of_model(model) == TableRules(cap=3, forward_blinds=True)


def test_weights_that_are_none_are_refused(tmp_path):
    model = Model.random(Structure(), 1)
    short = Artefact("learned", model_artefact(model).about, {}, {"weights": model.flat[:9]})
    save_artefact(short, tmp_path / "short")
    with pytest.raises(ModelError, match=r"float64 weights \(9,\): this structure has"):
        load_model(tmp_path / "short")
    save_artefact(replace(short, arrays={}), tmp_path / "none")
    with pytest.raises(ModelError, match=r"it lacks weights\.npy"):
        load_model(tmp_path / "none")
    model.flat[7] = np.nan
    with pytest.raises(ModelError, match="not numbers"):
        save_model(model, tmp_path / "other")
