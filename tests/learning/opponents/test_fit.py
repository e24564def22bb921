"""The likelihood of recorded decisions, its gradient, and models that are fitted to records."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.files import plain
from kibitz.learning import Learning, Model, Structure, TableRules, load_model
from kibitz.learning.histories import SHOWN
from kibitz.learning.model import BEGINNINGS, ModelError
from kibitz.learning.opponents import Fitting, OpponentFit, Replay, measure_fit
from kibitz.learning.opponents.measures import IMPUTED, MARGINAL, UNIFORM
from kibitz.learning.records import RUN, make_record
from kibitz.learning.runs import InPython
from kibitz.plans import carry_out, read_curve
from kibitz.random import derive_seed
from learning.opponents.recording import record_hands
from learning.opponents.test_drawing import plain_likelihoods
from learning.plain_structure import Plain


def plain_deal(model, hands, hand, cards, flat=None):
    """Decisions, holes and board of a hand with all cards, by the plain formulas; board cards nobody saw are any."""
    players = int(hands.players[hand])
    free = [c for c in range(52) if c not in set(cards.tolist())]
    holes = [[int(c) if c < 52 else free.pop() for c in cards[2 * p : 2 * p + 2]] for p in range(players)]
    board = [int(c) if c < 52 else free.pop() for c in cards[20:]]
    plain = Plain(model, flat)
    game = hands.rules[hands.rule_numbers[hand]].game(players)
    decisions, chances, _, _ = plain.walk(game, holes, board, hands.actions_of(hand))
    return plain, decisions, chances, holes, board


def test_fit_is_that_of_the_plain_formulas(hands, model):
    numbers = np.arange(6)
    fit = measure_fit(model, hands, numbers, seed=3)
    replay = Replay(hands, model)
    sums = np.zeros(3)
    for hand in numbers.tolist():
        replay.visit(hand, derive_seed(3, hand), exact=True)
        _, decisions, chances, _, _ = plain_deal(model, hands, hand, replay.work["cards"])
        taken = [np.log(each[d.action]) for each, d in zip(chances, decisions, strict=True)]
        sums[UNIFORM] += sum(np.log(np.count_nonzero(each)) for each in chances)
        sums[IMPUTED] -= sum(taken)
        for seat in {each.player for each in decisions}:
            if hands.seen[hand, seat] == SHOWN:
                sums[MARGINAL] -= sum(each for each, d in zip(taken, decisions, strict=True) if d.player == seat)
            else:
                sums[MARGINAL] -= np.log(plain_likelihoods(model, hands, hand, seat).mean())
    np.testing.assert_allclose(fit.nats.sum(axis=1), sums, rtol=1e-9)
    assert fit.decisions.sum() == hands.begins[6]


def test_drawn_cards_flatter_the_fit(hands, model):
    fit = measure_fit(model, hands, np.arange(len(hands)), seed=1)
    assert fit.mean(IMPUTED).mean < fit.mean(MARGINAL).mean
    told = fit.describe()
    assert told["units"] == 10
    assert told["of"] == "matches"
    assert told["marginal"]["bits"]["mean"] == pytest.approx(told["marginal"]["nats"]["mean"] / np.log(2))
    assert told["marginal"]["share"]["mean"] == pytest.approx(fit.nats[MARGINAL].sum() / fit.nats[UNIFORM].sum())
    assert fit.gain_over(fit).mean == 0


def test_the_gradient_is_that_of_the_log_likelihood(hands, model):
    """By central differences of the plain formulas, what players believe of each other being given."""
    replay, noise = Replay(hands, model), np.random.default_rng(1)
    run = make_record(RUN, learn_policy=True, reward_scale=1.0, floor=1e-9)
    hand = int(np.argmax(np.diff(hands.begins)))
    gradient = np.zeros_like(model.flat)
    replay.visit(hand, 4)
    replay.learn(4, run, gradient)
    cards = replay.work["cards"].copy()
    _, decisions, _, holes, board = plain_deal(model, hands, hand, cards)
    ones = np.ones(len(decisions))

    def objective(flat):
        return Plain(model, flat).policy_objective(decisions, ones, holes, board)

    places = noise.permutation(np.flatnonzero(gradient[: BEGINNINGS[2]]))[:40]
    for place in places:
        values = []
        for sign in (1, -1):
            flat = model.flat.copy()
            flat[place] += sign * 1e-5
            values.append(objective(flat))
        assert gradient[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=2e-6)


QUICK = Fitting(epochs=8, hold_out=0.25, halving=0.0, learning=Learning(rate=0.02, card_rate=0.04, type_rate=2e-3))


def epochs_of(fit):
    """Fit until it is finished; what every epoch came to."""
    found = []
    while not fit.finished:
        found.append(fit.train_epoch())
    return found


@pytest.fixture(scope="module")
def planted(model):
    """Records of a known agent, and a fit to them that begins with small random weights."""
    records = record_hands(model, 3, 24, 40, seed=8, rules=TableRules(decision_cap=20))
    fit = OpponentFit(Model.random(Structure(), 7, 0.05, 1.0), records, QUICK, seed=2)
    return fit, epochs_of(fit)


def test_a_planted_strategy_is_recovered(planted, model):
    """The fit to held-out matches comes near that of the agent that played them."""
    fit, curve = planted
    truth, found = fit.measure(model), fit.measure(fit.model)
    uniform, best = truth.mean(UNIFORM).mean, truth.mean(MARGINAL).mean
    assert uniform - best > 0.15  # there is something to find
    assert found.mean(MARGINAL).mean < best + 0.25 * (uniform - best)
    assert min(each["marginal"]["mean"] for each in curve) == pytest.approx(found.mean(MARGINAL).mean)
    assert [each["epoch"] for each in curve if each["best"]][-1] == fit.model.made["best"]


def test_fitting_ends_when_the_hold_out_no_longer_improves(hands):
    settings = replace(QUICK, epochs=50, patience=2, learning=Learning(rate=0.3, card_rate=0.6))
    fit = OpponentFit(Model.random(Structure(), 7, 0.05, 1.0), hands, settings, seed=2)
    curve = epochs_of(fit)
    assert len(curve) < 50
    assert not any(each["best"] for each in curve[-2:])
    assert curve[-3]["best"]
    kept = measure_fit(fit.model, hands, fit.parts.held_out, 0).mean(MARGINAL).mean
    assert kept == pytest.approx(curve[-3]["marginal"]["mean"], abs=1e-9)


def test_a_run_that_is_interrupted_goes_on_to_the_same_bits(hands, tmp_path, monkeypatch):
    """Left within an epoch and after one."""
    monkeypatch.setattr("kibitz.learning.opponents.fitting.AT_ONCE", 1)

    def plan(seed=7):
        fit = OpponentFit(Model.random(Structure(), seed), hands, replace(QUICK, epochs=3), seed=2)
        return InPython(fit, fit)

    straight, broken = tmp_path / "straight", tmp_path / "broken"
    pieces = len(list(carry_out(plan(), straight))) - 1
    assert pieces > 6
    for stop in (1, pieces // 2):
        reports = carry_out(plan(), broken, resume=(broken / "checkpoint.npz").exists())
        for _ in zip(range(stop), reports, strict=False):
            pass
        reports.close()
    assert not (broken / "manifest.json").exists()
    list(carry_out(plan(), broken, resume=True))
    assert (broken / "weights.npy").read_bytes() == (straight / "weights.npy").read_bytes()
    assert load_model(broken).made == load_model(straight).made
    rows = [[{**row, "seconds": 0, "rate": 0} for row in read_curve(each)] for each in (straight, broken)]
    assert rows[0] == rows[1]
    assert [row["epoch"] for row in rows[1]] == [1, 2, 3]
    with pytest.raises(KibitzError, match="its run has start = "):
        next(carry_out(plan(8), broken, resume=True))


@pytest.mark.parametrize(("name", "value"), [("epochs", 0), ("patience", 0), ("checked", 0), ("halving", -1.0)])
def test_bad_settings_are_refused(name, value):
    with pytest.raises(KibitzError, match=f"{name} = {value}"):
        Fitting(**{name: value})


def test_a_gradient_that_is_not_a_number_is_an_error_and_changes_nothing(hands):
    start = Model.random(Structure(), 7, 0.05, 1.0)
    start.weights.costs[:] = np.inf
    fit = OpponentFit(start, hands, QUICK)
    before = fit.arrays()["weights"].copy()
    with (
        np.errstate(all="ignore"),
        pytest.raises(ModelError, match="not finite in epoch 1: learning rates are too high"),
    ):
        fit.train_epoch()
    np.testing.assert_array_equal(fit.arrays()["weights"], before)


def test_an_epoch_tells_what_it_came_to(hands):
    fit = OpponentFit(Model.random(Structure(), 7, 0.05, 1.0), hands, replace(QUICK, checked=20), seed=2)
    row = fit.train_epoch()
    assert (row["epoch"], row["deals"], row["best"], row["warnings"]) == (1, len(fit.parts.fitted), True, [])
    assert fit.done == row["deals"]
    drawing = row["drawing"]
    assert drawing["trials"] >= drawing["rejections"] > drawing["enumerations"] > 0
    assert row["imputed"]["mean"] < row["marginal"]["mean"]
    assert 0 < row["fitted"] < np.log(3)
    held = fit.parts.held_out
    spread = held[np.arange(20) * len(held) // 20]
    checked = fit.measure(fit.model, every=False)
    assert checked.decisions.sum() == sum(len(hands.actions_of(hand)) for hand in spread.tolist())
    assert checked.mean(MARGINAL).mean == pytest.approx(row["marginal"]["mean"])


def test_a_fit_is_measured_beside_others_if_they_are_given(hands):
    """The artefact of a run says what it is made of; nothing is measured where nobody asks."""
    other, told = Model.random(Structure(), 9, 0.3), []
    fit = OpponentFit(Model.random(Structure(), 7, 0.05, 1.0), hands, replace(QUICK, epochs=1), seed=2)
    while fit.step() is not None:
        pass
    assert "fits" not in fit.artefact([]).made
    fit.others, fit.tell = {"other": other}, lambda stage, done, goal: told.append((stage, done, goal))
    made = fit.artefact([]).made
    assert told == [("measuring the fit of other", 0, 2), ("measuring the fit of model", 1, 2)]
    assert made["fits"]["model"] == plain(fit.measure(fit.model).describe())
    assert made["fits"]["other"] == plain(fit.measure(other).describe())
    assert made["hands"] == len(hands)
    gain = fit.measure(fit.model).gain_over(fit.measure(other))
    nats = [made["fits"][name]["marginal"]["nats"]["mean"] for name in ("other", "model")]
    assert gain.mean == pytest.approx(nats[0] - nats[1])
