"""Types of recorded players: likelihoods and gradients by the plain formulas, and planted types found again."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.learning import Learning, Structure, TableRules
from kibitz.learning.histories import SHOWN, keep_together
from kibitz.learning.model import SIZE
from kibitz.learning.opponents import Fitting, OpponentFit, Replay
from kibitz.learning.opponents.measures import IMPUTED, MARGINAL, bits, draw_types
from kibitz.learning.opponents.replaying import TypedReplay
from kibitz.learning.opponents.types import TypeFit, TypeFitting
from kibitz.learning.player_types import KINDS, KINDS_SIZE, READING_SIZE, TypedModel, load_typed, views
from kibitz.learning.records import RUN, make_record
from kibitz.learning.runs import InPython
from kibitz.plans import carry_out
from learning.opponents.conftest import playing_model
from learning.opponents.recording import record_hands
from learning.opponents.test_drawing import free_pairs
from learning.opponents.test_fit import epochs_of
from learning.player_types.plain_types import PlainTyped


def two_types(structure=None):
    """Players who seek what is worth most, and players who shun it."""
    base = playing_model(3, structure)
    model = TypedModel.random(base, 2, 1, 0.0)
    model.weights.own[:, 0] = 1.5 * base.weights.values.mean(axis=1)
    model.weights.own[:, 1] = -model.weights.own[:, 0]
    return model


@pytest.fixture(scope="module")
def planted():
    return two_types()


@pytest.fixture(scope="module")
def records(planted):
    return record_hands(planted, 4, 30, 30, seed=5, rules=TableRules(decision_cap=24))


def true_types(hands):
    return np.array([int(name[4]) for name in hands.name_list])


def walked(model, hands, hand, start, cards):
    """A hand by the plain formulas, with any cards where none were seen."""
    players = int(hands.players[hand])
    free = [c for c in range(52) if c not in set(cards.tolist())]
    holes = [[int(c) if c < 52 else free.pop() for c in cards[2 * p : 2 * p + 2]] for p in range(players)]
    board = [int(c) if c < 52 else free.pop() for c in cards[20:]]
    game = hands.rules[0].game(players)
    shown = [p for p in range(players) if hands.seen[hand, p] == SHOWN]
    return PlainTyped(model).walk(game, holes, board, hands.actions_of(hand), start, shown), holes, board


@pytest.mark.parametrize("structure", [Structure(), Structure(public_observer=True)])
def test_likelihoods_and_beliefs_are_those_of_the_plain_formulas(structure):
    model = two_types(structure)
    model.weights.opponents[:, :2] = np.random.default_rng(1).normal(0, 0.3, (4, 2, 8))
    hands = record_hands(model, 3, 1, 12, seed=7, rules=TableRules(decision_cap=12))
    replay, now = TypedReplay(hands, model), np.full((3, 2), 0.5)
    for hand in range(3):
        seats = hands.names[hand, :3]
        found, _, board = walked(model, hands, hand, now[seats], hands.cards[hand])
        after = replay.follow(hand, now[seats])
        np.testing.assert_allclose(after, found.kinds, atol=1e-12)
        likely = replay.likelihoods(hand)[:3]
        for seat in range(3):
            of_seat = [(d, q) for d, q in zip(found.decisions, found.summed, strict=True) if d.player == seat]
            pairs = free_pairs(hands, hand)
            if hands.seen[hand, seat] == SHOWN:
                pairs = [hands.cards[hand, 2 * seat : 2 * seat + 2].tolist()]
            sums = np.zeros(2)
            for pair in pairs:
                for kind in range(2):
                    sums[kind] += with_pair(model, of_seat, pair, board, kind)
            np.testing.assert_allclose(likely[seat], np.log(sums / len(pairs)), atol=1e-9)
        now[seats] = after


def with_pair(model, decisions, pair, board, kind):
    """The probability of a seat's actions with a pair of cards and a type."""
    plain, product = PlainTyped(model).plain, 1.0
    for each, summed in decisions:
        logits = plain.card_logits(each.stage, pair, board) + model.weights.own[each.stage, kind]
        logits = logits + summed @ model.weights.opponents[each.stage, :2]
        product *= plain.chances(each, logits, False)[each.action]
    return product


def test_gradients_of_types_are_those_of_the_log_likelihood(planted, records):
    """By central differences with types and cards as drawn, and what is believed of others given."""
    replay, gradient = TypedReplay(records, planted), np.zeros(SIZE + READING_SIZE)
    hand = int(np.argmax(np.diff(records.begins)))
    start, types = np.full((4, 2), 0.5), np.array([0, 1, 1, 0])
    replay.follow(hand, start)
    replay.give(types, observing=True)
    assert replay.fill(hand, 3)
    replay.learn(3, make_record(RUN, learn_policy=True, reward_scale=1.0), gradient)
    cards = replay.work["cards"].copy()
    found, holes, board = walked(planted, records, hand, start, cards)
    kinds = gradient[SIZE : SIZE + KINDS_SIZE].view(KINDS)[0]
    places = [("own", 0, 0, 3), ("own", 0, 1, 5), ("own", 1, 1, 2), ("opponents", 0, 0, 1), ("opponents", 1, 1, 6)]

    def objective(model):
        total = 0.0
        for each, summed in zip(found.decisions, found.summed, strict=True):
            pair = holes[each.player]
            total += np.log(with_pair(model, [(each, summed)], pair, board, types[each.player]))
        return total

    assert objective(planted) == pytest.approx(-replay.nats().sum())
    for name, *place in places:
        values = []
        for sign in (1, -1):
            model = TypedModel(planted.base, 2, planted.flat.copy())
            getattr(model.weights, name)[tuple(place)] += sign * 1e-5
            values.append(objective(model))
        assert kinds[name][tuple(place)] == pytest.approx((values[0] - values[1]) / 2e-5, abs=2e-6)
    assert np.abs(kinds["own"][:, :2]).max() > 0.01


def test_the_observer_learns_as_if_types_were_revealed(planted):
    """With one type for all, what is learned is what a model with that type's weights in its constants would learn."""
    merged = planted.base.copy()
    merged.weights.bets[:, -1] += planted.weights.own[:, 1]
    records = record_hands(planted, 4, 1, 5, seed=5, rules=TableRules(decision_cap=24), hide=False)
    plain, typed = Replay(records, merged), TypedReplay(records, planted)
    run = make_record(RUN, learn_observer=True, learn_policy=True, reward_scale=1.0, floor=0.01)
    for hand in range(5):
        gradient, other = np.zeros(SIZE), np.zeros(SIZE + READING_SIZE)
        assert plain.visit(hand, 8)
        nats = plain.learn(8, run, gradient)
        typed.follow(hand, np.tile([1e-30, 1.0], (4, 1)))
        typed.give(np.ones(10), observing=True)
        assert typed.fill(hand, 8)
        np.testing.assert_allclose(typed.learn(8, run, other), nats, atol=1e-9)
        np.testing.assert_allclose(other[:SIZE], gradient, atol=1e-8)
        assert np.abs(gradient).max() > 0.01


RATES = Learning(rate=4e-3, card_rate=8e-3, type_rate=2e-3, move_rate=1e-4, showdown_rate=1e-2, averaging=1e-3)
SHORT = TypeFitting(epochs=4, hold_out=0.3, checked=150, learning=RATES, own_rate=0.02, averaging=0.01)


@pytest.fixture(scope="module")
def fitted(planted, records):
    """The mean strategy of the planted players, from which types begin, and the fit of types."""
    mean = OpponentFit(planted.base, records, Fitting(epochs=3, hold_out=0.3, learning=RATES), seed=1)
    epochs_of(mean)
    fit = TypeFit(TypedModel.random(mean.model, 2, 3, 0.1), records, SHORT, seed=1)
    epochs_of(fit)
    return mean, fit


def test_two_planted_types_are_told_apart_within_thirty_deals(fitted, records):
    mean, fit = fitted
    found = fit.measure_typed(fit.typed)
    assert found.entropy["initial"] > 0.8  # bits: both types are in use
    by_deal = found.entropy["by_deal"]
    assert len(by_deal) == 30
    assert by_deal[-1] < 0.3 * by_deal[0]
    replay = TypedReplay(records, fit.typed)
    units, truth, table = keep_together(records)[0], true_types(records), np.zeros((2, 2))
    for unit in np.unique(units[fit.parts.held_out]):
        followed = replay.follow_match(np.flatnonzero(units == unit).tolist())
        np.add.at(table, (truth[followed.names], followed.final.argmax(axis=1)), 1)
    right = max(np.trace(table), np.trace(table[:, ::-1]))
    assert right > 0.9 * table.sum(), table
    gain = found.filtered.gain_over(mean.measure(mean.model))
    assert gain.low > 0  # types predict better than the mean strategy
    assert found.smoothed.mean(MARGINAL).mean < found.filtered.mean(MARGINAL).mean
    assert found.filtered.mean(IMPUTED).mean < found.filtered.mean(MARGINAL).mean


def test_a_run_of_types_that_is_interrupted_goes_on_to_the_same_bits(planted, records, tmp_path):
    """Left in the midst of the first epoch and of the second, between the matches of a draw of types."""

    def plan():
        fitting = replace(SHORT, epochs=2, together=6)
        fit = TypeFit(TypedModel.random(planted.base, 3, 3, 0.1), records, fitting, seed=4)
        return InPython(fit, fit)

    straight, broken = tmp_path / "straight", tmp_path / "broken"
    pieces = len(list(carry_out(plan(), straight))) - 1
    assert pieces > 4
    for stop in (1, pieces // 2):
        reports = carry_out(plan(), broken, resume=(broken / "checkpoint.npz").exists())
        for _ in zip(range(stop), reports, strict=False):
            pass
        reports.close()
    assert not (broken / "manifest.json").exists()
    list(carry_out(plan(), broken, resume=True))
    for name in ("types.npy", "base/weights.npy"):
        assert (broken / name).read_bytes() == (straight / name).read_bytes()
    assert load_typed(broken).made == load_typed(straight).made


def test_a_type_that_vanishes_is_warned_of(planted, records):
    model = TypedModel.random(planted.base, 2, 3, 0.1)
    model.weights.initial[:2] = 0.999, 0.001
    fit = TypeFit(model, records, replace(SHORT, epochs=1, averaging=0.0))
    assert any("player type 1 has all but vanished" in each for each in fit.train_epoch()["warnings"])


def test_a_type_that_vanished_begins_again_beside_the_commonest(planted, records):
    model = TypedModel.random(planted.base, 3, 3, 0.1)
    model.weights.initial[:3] = 0.795, 0.005, 0.2
    fit = TypeFit(model, records, replace(SHORT, spread=0.01, renewed=0.01))
    kinds = fit.arrays()["weights"][0, SIZE : SIZE + KINDS_SIZE]  # as they are now
    before, after = views(kinds.copy()), views(kinds)
    fit.renew_lost()
    np.testing.assert_allclose(after.initial[:3], [0.4, 0.4, 0.2])
    assert (after.own[:, [0, 2]] == before.own[:, [0, 2]]).all()
    apart = after.own[:, 1] - before.own[:, 0]
    assert 0 < np.abs(apart).max() < 0.05
    # Nothing is touched where all types are in use.
    kept = kinds.copy()
    fit.renew_lost()
    assert (kinds == kept).all()


def test_a_name_at_two_seats_has_what_both_have_shown(planted, records):
    """The posterior of a name that sits at two seats is the prior times what both seats have shown."""
    names = records.names.copy()
    names[0, 2] = names[0, 0]
    replay, start = TypedReplay(replace(records, names=names), planted), planted.weights.initial[:2]
    ends = replay.follow(0, np.tile(start, (4, 1)))
    followed = replay.follow_match([0])
    assert followed.names.tolist() == sorted(set(names[0, :4].tolist()))
    both = start * (ends[0] / start) * (ends[2] / start)
    for name, wanted in ((names[0, 0], both / both.sum()), (names[0, 1], ends[1]), (names[0, 3], ends[3])):
        place = followed.names.tolist().index(name)
        np.testing.assert_allclose(followed.final[place], wanted, rtol=1e-12)


def test_types_are_drawn_as_believed():
    beliefs = np.tile([0.2, 0.5, 0.3], (20_000, 1))
    np.testing.assert_allclose(np.bincount(draw_types(beliefs, 3)) / 20_000, [0.2, 0.5, 0.3], atol=0.015)
    assert bits(np.array([0.5, 0.5])) == pytest.approx(1)
