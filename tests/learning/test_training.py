"""Runs of self-play: the same bits after an interruption, reports, warnings, and what is refused."""

import json
import shutil

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
    run_self_play,
    save_model,
    seat_chances,
    simulate,
    training,
)
from kibitz.learning.campaign import CHECKPOINT, load_checkpoint
from kibitz.learning.files import MANIFEST, WEIGHTS_FILE
from kibitz.learning.records import SEATS, make_record
from kibitz.learning.tables import rules_of_model

ALL = (1 << SEATS) - 1  # all seats


def trainer(**options):
    return SelfPlay(3, 5, learning=Learning(**options))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "agent"
    list(run_self_play(trainer(), 2560, out, every=640))
    return out


def without_last_row(out):
    """As a process leaves it that is killed after it has written a checkpoint, and before the curve."""
    curve = out / "curve.jsonl"
    curve.write_text("".join(curve.read_text().splitlines(keepends=True)[:-1]))


def of_an_older_version(out):
    """Without the curve in the checkpoint."""
    arrays = dict(np.load(out / CHECKPOINT))
    header = json.loads(str(arrays["header"]))
    del header["curve"]
    np.savez(out / CHECKPOINT, **arrays | {"header": np.array(json.dumps(header))})


@pytest.mark.parametrize("leave", [without_last_row, of_an_older_version])
def test_an_interrupted_run_comes_to_the_same_bits(folder, tmp_path, leave):
    steps = run_self_play(trainer(), 2560, tmp_path / "broken", every=640)
    next(steps)
    next(steps)
    steps.close()  # killed after the second checkpoint
    leave(tmp_path / "broken")
    assert not (tmp_path / "broken" / MANIFEST).exists()
    last = list(run_self_play(trainer(), 2560, tmp_path / "broken", resume=True, every=640))[-1]
    assert last.deals == 2560
    whole, again = load_model(folder), load_model(tmp_path / "broken")
    assert (whole.flat == again.flat).all()
    assert whole.made == again.made
    curves = [
        [json.loads(line) | {"seconds": 0, "rate": 0} for line in (each / "curve.jsonl").read_text().splitlines()]
        for each in (folder, tmp_path / "broken")
    ]
    assert curves[0] == curves[1]


def test_a_run_can_be_prolonged(folder, tmp_path):
    out = tmp_path / "agent"
    shutil.copytree(folder, out)
    list(run_self_play(trainer(), 3200, out, resume=True, every=640))
    direct = trainer()
    direct.train(3200)
    assert (load_model(out).flat == direct.model.flat).all()
    assert load_model(out).made["deals"] == 3200


def test_reports_add_up(folder):
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert [row["deals"] for row in rows] == [640, 1280, 1920, 2560]
    for row in rows:
        np.testing.assert_allclose([sum(shares) for shares in row["actions"]], 1)
        assert sum(row["usage"][0]) == pytest.approx(1)
        assert 0 < row["voluntary"] <= 1
        assert all(0 <= bits <= np.log2(3) for bits in row["entropy"])


def test_learning_makes_the_observed_likelier():
    """The second time the same deals are seen; the policy does not change, and its actions depend on cards."""
    each = trainer(rate=0.0, card_rate=0.0, type_rate=5e-3, scale=0.3, value_scale=4.0)
    first = each.train(6400).likelihood
    each.restore(0, 0.0, {name: array.copy() for name, array in each.arrays().items()})
    assert each.train(6400).likelihood > first + 0.001


def test_chips_are_neither_made_nor_lost(monkeypatch):
    monkeypatch.setattr(training, "make_record", lambda *what, **fields: make_record(*what, **fields, learners=ALL))
    model = Model.random(Structure(), 1, 0.3)
    for seed in range(100):
        told = simulate(model, (2, 3, 6, 10)[seed % 4], 1, seed)
        assert told[7] == told[2]  # the chips of all seats are counted
        assert told[6] > 0
        assert told[5] == pytest.approx(0, abs=1e-9)


def test_tables_of_the_mix_have_its_mean_size():
    told = simulate(Model.random(Structure(), 1, 0.3), "irc", 500)
    assert told[1] == 500
    assert told[2] == pytest.approx(500 * 5.2, rel=0.1)


def test_gradients_that_are_not_finite_end_the_run(tmp_path):
    each, out = trainer(), tmp_path / "agent"
    steps = run_self_play(each, 6400, out, every=320)
    next(steps)
    each.arrays()["weights"][3] = np.nan
    with pytest.raises(ModelError, match="not finite after 320 deals"):
        next(steps)
    assert not (out / MANIFEST).exists()
    again = trainer()
    load_checkpoint(out / CHECKPOINT, again)  # the last good one
    assert again.deals == 320
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


@pytest.mark.parametrize("baseline", ["none", "mean", "linear"])
def test_other_baselines(baseline):
    assert np.isfinite(trainer(baseline=baseline, entropy=0.01, halving=1e4).train(6400).deviation)


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


def test_a_lagging_anchor_holds_weights_back():
    free, held = trainer(), trainer(anchor_pull=5.0, anchor_rate=0.0)
    start = free.model.flat.copy()
    free.train(6400)
    held.train(6400)
    distance = [
        np.linalg.norm(each.model.weights.values - Model(Structure(), start).weights.values) for each in (free, held)
    ]
    assert distance[1] < 0.8 * distance[0]


def test_what_settings_refuse():
    for wrong in ({"baseline": "luck"}, {"batch": 0}, {"rate": float("nan")}, {"reward_scale": 0.0}):
        with pytest.raises(ModelError):
            Learning(**wrong)
    with pytest.raises(ModelError, match="profile"):
        Structure("all")
    with pytest.raises(KibitzError):
        seat_chances(11)
    with pytest.raises(KibitzError):
        TableRules(cap=0)
    with pytest.raises(KibitzError, match="hands"):
        next(run_self_play(trainer(), 0))


def test_folders_are_not_overwritten(folder, tmp_path):
    with pytest.raises(KibitzError, match="holds checkpoint"):
        next(run_self_play(trainer(), 100, folder))
    with pytest.raises(KibitzError, match="no run to continue"):
        next(run_self_play(trainer(), 100, tmp_path / "none", resume=True))
    with pytest.raises(ModelError, match=r"seed = 5, here it is 6"):
        next(run_self_play(SelfPlay(3, 6), 5000, folder, resume=True))
    with pytest.raises(ModelError, match=r"rate = 0.0003, here it is 0.5"):
        next(run_self_play(trainer(rate=0.5), 5000, folder, resume=True))


def test_models_are_saved_and_loaded(tmp_path):
    model = Model.random(Structure(profile="listed", self_aware=True), 3)
    save_model(model, tmp_path / "one")
    again = load_model(tmp_path / "one")
    assert again.structure == model.structure
    assert (again.flat == model.flat).all()
    save_model(model, tmp_path / "one")  # an older model gives way
    (tmp_path / "one" / "notes.txt").write_text("mine")
    with pytest.raises(ModelError, match="more than a model"):
        save_model(model, tmp_path / "one")
    (tmp_path / "two").mkdir()
    with pytest.raises(ModelError, match="holds no model"):
        save_model(model, tmp_path / "two")


def damage(folder, change):
    manifest = json.loads((folder / MANIFEST).read_text())
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found.update(kind="other"), "does not describe"),
        (lambda found: found.update(layout=99), "layout 99"),
        (lambda found: found["structure"].update(profile="all"), "profile 'all'"),
        (lambda found: found["structure"].update(profile="listed"), "profile listed has features"),
        (lambda found: found["structure"].update(bet_scales=[1]), "10 positive numbers"),
        (lambda found: found["structure"].update(self_aware="yes"), "self_aware = 'yes': true or false"),
        (lambda found: found["structure"].update(public_observer=1), "public_observer = 1: true or false"),
        (lambda found: found["structure"].update(profile=[]), r"profile \(\)"),
        (lambda found: found.update(checksum="0"), "checksum"),
        (lambda found: found.pop("made"), "damaged"),
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


def test_damaged_weights_are_refused(tmp_path):
    model = Model.random(Structure(), 1)
    save_model(model, tmp_path / "agent")
    path = tmp_path / "agent" / WEIGHTS_FILE
    data = bytearray(path.read_bytes())
    data[-3] ^= 16
    path.write_bytes(data)
    with pytest.raises(ModelError, match="checksum"):
        load_model(tmp_path / "agent")
    path.write_bytes(data[:100])
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(tmp_path / "agent")
    path.unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(tmp_path / "agent")
    model.flat[7] = np.nan
    with pytest.raises(ModelError, match="not numbers"):
        save_model(model, tmp_path / "other")


def test_damaged_checkpoints_are_refused(folder, tmp_path):
    path = tmp_path / CHECKPOINT
    path.write_bytes((folder / CHECKPOINT).read_bytes()[:200])
    with pytest.raises(ModelError, match="cannot be read"):
        load_checkpoint(path, trainer())
