"""Coefficients of corrections: fitted to earlier hands they keep the mean, and find what the corrections are worth."""

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.games.state import State
from kibitz.io.record import HandRecord
from kibitz.modelling.estimators import Aivat, CheckDown, Evaluation, OwnHand, control_variates
from kibitz.modelling.estimators.control_variates import Coefficients, combine
from modelling.estimators.listed_value import ListedValue
from modelling.estimators.variance_hands import every_hand, mean_and_variance, random_policy, random_value, small_leduc

KUHN = load_game("kuhn")


@pytest.mark.parametrize("known", [(), (0,), (0, 1)], ids=str)
@pytest.mark.parametrize("value", [ListedValue(random_value), CheckDown()], ids=lambda value: value.name)
@pytest.mark.parametrize("game", [KUHN, load_game("kuhn-3p"), small_leduc()], ids=lambda game: game.name)
def test_every_kind_of_correction_has_mean_zero(game, value, known):
    """So that each may have a coefficient of its own."""
    policies = [random_policy(seat) for seat in range(game.players)]
    aivat, seats = Aivat(value), {seat: policies[seat] for seat in known}
    sums, sizes = {}, {}
    for chance, hand in every_hand(game, policies):
        for kind, correction in aivat.correct(hand, 0, seats, known[:1]).corrections.items():
            sums[kind] = sums.get(kind, 0.0) + chance * correction
            sizes[kind] = sizes.get(kind, 0.0) + chance * abs(correction)
    assert len(sums) >= 1 + bool(known)
    for kind, total in sums.items():
        assert total == pytest.approx(0, abs=1e-12), kind
    assert max(sizes.values()) > 0.1


class Remembered(Evaluation):
    """An evaluation that works out each different hand once, since many sequences of the same hands are fed."""

    kept: dict = {}  # noqa: RUF012  shared on purpose

    def _estimate(self, hand, players, seat):
        key = self.method, seat, hand.deal, tuple(hand.actions)
        if key not in self.kept:
            self.kept[key] = super()._estimate(hand, players, seat)
        return self.kept[key]


@pytest.mark.parametrize(("numbered", "biased"), [(True, False), (False, True)])
def test_the_mean_stays_over_all_sequences_of_hands(numbered, biased, monkeypatch):
    """Two hands of a log, then the first deal with seats swapped. Coefficients of that hand must not know the first.

    They would if the hands were not told to be of one deal, as where they have no numbers.
    """
    monkeypatch.setattr(control_variates, "FEWEST", 1)
    ann, bob = random_policy(1), random_policy(2)
    as_first, as_second = list(every_hand(KUHN, [ann, bob])), list(every_hand(KUHN, [bob, ann]))
    expected = (2 * mean_of(as_first, 0) + mean_of(as_second, 1)) / 3
    deals = 6
    results = []
    for chance, hand in as_first:
        for again, swapped in as_second:
            if swapped.deal.hole != hand.deal.hole:
                continue
            for between, other in as_first:
                evaluation = Remembered("ann", ListedValue(random_value))
                evaluation.add(record_of(hand, "1" * numbered, ("ann", "bob")))
                evaluation.add(record_of(other, "2" * numbered, ("ann", "bob")))
                evaluation.add(record_of(swapped, "1" * numbered, ("bob", "ann")))
                results.append((chance * again * deals * between, sum(evaluation._reduced) / 3))
    assert sum(chance for chance, _ in results) == pytest.approx(1)
    bias = abs(mean_and_variance(results)[0] - 1000 * expected)
    assert bias > 1 if biased else bias < 1e-8


def mean_of(hands, seat):
    return sum(chance * hand.result[seat] for chance, hand in hands)


def record_of(hand, number, players):
    history = State.start(KUHN).play("".join(hand.actions)).history
    return HandRecord(KUHN, number, history, hand.deal, players, tuple(hand.result))


def fitted(result, kinds, seats=(0,)):
    """Estimates of hands one after the other, and the coefficients after the last."""
    fit, estimates = Coefficients(), []
    for number, won in enumerate(result):
        corrections = {kind: values[number] for kind, values in kinds.items()}
        estimates.append(combine(won, corrections, fit.now()))
        fit.learn(seats[number % len(seats)], won, corrections)
    return np.array(estimates), fit.now()


@pytest.mark.parametrize("wrong_by", [1e9, 30.0, 1.0, 0.3, -1.0, 0.0])
def test_values_that_are_wrong_by_a_factor_do_no_harm(wrong_by):
    """Such as those that were scaled by unlimited stacks."""
    rng = np.random.default_rng(1)
    luck, skill = rng.normal(size=(2, 3000))
    estimates, found = fitted(2 * luck + skill, {"hole cards": -2 * wrong_by * luck})
    settled = slice(10, None)
    best = skill[settled].var() if wrong_by else (2 * luck + skill)[settled].var()
    assert estimates[settled].var() < 1.15 * best
    if wrong_by:
        assert found["hole cards"] * wrong_by == pytest.approx(1, abs=0.1)


def test_corrections_that_tell_nothing_cost_next_to_nothing():
    rng = np.random.default_rng(2)
    result = rng.standard_t(3, size=3000)
    kinds = {f"board {number}": scale * rng.standard_t(3, size=3000) for number, scale in enumerate((0.1, 1, 3))}
    estimates, found = fitted(result, kinds)
    assert estimates.var() < 1.02 * result.var()
    assert abs(found["board 2"]) < 0.1


def test_exact_values_keep_their_coefficients():
    """Where nothing is left but which seat it was, and one kind comes late."""
    rng = np.random.default_rng(3)
    cards, action = rng.normal(size=(2, 400))
    action[:100] = 0
    seat_means = np.tile([1.0, -2.0], 200)
    result = seat_means - cards - action
    estimates, found = fitted(result, {"hole cards": cards, "action": action}, seats=(0, 1))
    np.testing.assert_allclose(estimates, seat_means, atol=1e-9)
    assert list(found.values()) == pytest.approx([1, 1], abs=1e-9)


def test_kinds_that_come_later_start_at_one():
    fit = Coefficients()
    rng = np.random.default_rng(4)
    for luck in rng.normal(size=100):
        fit.learn(0, luck, {"hole cards": -0.5 * luck})
    fit.learn(0, 1.0, {"hole cards": 0.1, "run-out": 0.0})
    assert fit.now()["run-out"] == 1
    assert fit.now()["hole cards"] == pytest.approx(2, abs=0.3)
    assert Coefficients().now() == {}


def test_own_hands_value_a_raise_that_is_called():
    """A strong hand gains by raising, a weak one loses."""
    game = load_game("holdem-limit-2p")
    aces, rags = np.array([[[51, 50], [255, 255]], [[0, 21], [255, 255]]], dtype=np.uint8)
    nothing = np.empty((1, 0), dtype=np.uint8)
    for hole, better in ((aces, "r"), (rags, "c")):
        start = State.start(game).play("c")
        worth = {a: OwnHand().values(start.apply(a), 0, hole[None], nothing)[0] for a in ("c", "r")}
        assert max(worth, key=worth.__getitem__) == better


@pytest.mark.parametrize("scale", [0.0, 1e-3, 1.0, 1e6])
def test_rounding_is_not_taken_for_variance(scale):
    """Nothing varies within a seat, so that nothing can be learned, but sums of squares are not exactly equal."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        coefficients = Coefficients()
        for seat, (result, hole, board) in enumerate(scale * rng.normal(size=(2, 3))):
            for _ in range(3):
                coefficients.learn(seat, result, {"hole": hole, "board": board})
        assert coefficients.now() == pytest.approx({"hole": 1.0, "board": 1.0}, abs=1e-4)
