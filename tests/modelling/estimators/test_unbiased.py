"""AIVAT and imaginary observations keep the mean: over every hand of small games, to rounding."""

from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import KibitzError
from kibitz.games import State, load_game, split_actions
from kibitz.modelling.estimators import (
    Aivat,
    CheckDown,
    Expectation,
    Hand,
    OwnHand,
    imaginary_value,
)
from kibitz.modelling.estimators.holdings import all_deals, next_boards
from kibitz.modelling.estimators.moves import find_move, moves_of
from kibitz.policy import policy_of
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.translation import Reader, Reading, TreePlace, write
from modelling.estimators.listed_value import ListedValue, with_cards
from modelling.estimators.variance_hands import (
    every_hand,
    mean_and_variance,
    random_policy,
    random_value,
    small_leduc,
)
from policy.functions import FunctionPolicy

GAMES = {
    "kuhn": load_game("kuhn"),
    "kuhn-3p": load_game("kuhn-3p"),
    "leduc": small_leduc(),
    "all-in": replace(
        small_leduc(),
        betting="nolimit",
        raise_sizes=(),
        max_raises=(1, 1),
        stacks=(3, 3),
        blinds=(2, 1),
        first_players=(1, 0),
    ),
}
VALUES = {"random": lambda policies: ListedValue(random_value), "check-down": lambda policies: CheckDown()}
# Whose policies are known, and whose hands are imagined.
KNOWLEDGE = [((), ()), ((0,), ()), ((0,), (0,)), ((1,), (1,)), ((0, 1), (1,)), ((0, 1), (0, 1))]


@pytest.fixture(scope="module")
def everything():
    """By game: the policies, and every hand with its chance."""
    found = {}
    for name, game in GAMES.items():
        policies = [random_policy(seat) for seat in range(game.players)]
        found[name] = policies, list(every_hand(game, policies))
    return found


def corrected(hands, value, policies, known=(), imagined=(), seen=None, player=0):
    aivat = Aivat(value)
    known = {seat: policies[seat] for seat in known}
    return [(chance, aivat.correct(hand, player, known, imagined, seen).chips) for chance, hand in hands]


def raw(hands, player=0):
    return [(chance, hand.result[player]) for chance, hand in hands]


@pytest.mark.parametrize(("known", "imagined"), KNOWLEDGE, ids=str)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("game", GAMES)
def test_aivat_keeps_the_mean(everything, game, value, known, imagined):
    policies, hands = everything[game]
    reduced = corrected(hands, VALUES[value](policies), policies, known, imagined)
    assert mean_and_variance(reduced)[0] == pytest.approx(mean_and_variance(raw(hands))[0], abs=1e-12)


def test_odd_chips_of_run_outs_keep_the_mean():
    """At a TDA table they are not split, as values are."""
    game = replace(
        GAMES["all-in"], rules="tda", stacks=(3,) * 3, blinds=(1, 2, 0), first_players=(2, 0), max_raises=(1, 0),
        antes=(), bettors=(), sighted=(),
    )  # fmt: skip
    hands = list(every_hand(game, [random_policy(seat) for seat in range(3)]))
    for player in range(3):
        reduced = corrected(hands, CheckDown(), [], player=player)
        assert mean_and_variance(reduced)[0] == pytest.approx(mean_and_variance(raw(hands, player))[0], abs=1e-12)


@pytest.mark.parametrize("imagined", [(), (1,), (0, 1)], ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_the_exact_value_and_all_policies_leave_no_variance(everything, game, imagined):
    policies, hands = everything[game]
    known = range(GAMES[game].players)
    mean, variance = mean_and_variance(corrected(hands, Expectation(policies), policies, known, imagined))
    assert mean == pytest.approx(mean_and_variance(raw(hands))[0], abs=1e-12)
    assert variance < 1e-24


def test_knowing_more_leaves_less_variance(everything):
    """With the exact value every correction explains something."""
    policies, hands = everything["leduc"]
    value = Expectation(policies)
    variances = [mean_and_variance(raw(hands))[1]]
    for known, imagined in (((), ()), ((0,), ()), ((0,), (0,)), ((0, 1), (0,))):
        variances.append(mean_and_variance(corrected(hands, value, policies, known, imagined))[1])
    assert all(more > less + 1e-3 for more, less in pairwise(variances[:4]))
    assert variances[4] < 1e-24


def test_no_variance_is_left_in_leduc():
    """A sample of the hands of Leduc itself: each is corrected to the same number."""
    game = load_game("leduc")
    policies = [random_policy(seat) for seat in range(2)]
    hands = list(every_hand(game, policies))[::41]
    value = Expectation(policies)
    estimates = [chips for _chance, chips in corrected(hands, value, policies, (0, 1), (1,), player=1)]
    np.testing.assert_allclose(estimates, value.mean_at_start(game, 1), atol=1e-12)


TRANSLATED = replace(GAMES["all-in"], stacks=(5, 5), blinds=(1, 1), first_players=(0, 0), max_raises=(2, 1))


def hands_of_a_translator(agent, opponent):
    """(chance, hand) of every hand when `agent`, in seat 1, translates the bets of `opponent` at random.

    Its hidden translations are walked one by one, and hands that look alike are put together at the end.
    """
    game, strategy, found = TRANSLATED, agent.strategy, {}

    def go(state, reader, hole, board, chance):
        end = game.board_ends[state.round]
        if len(board) < end:
            boards = next_boards(game, hole, board, end)
            for each in boards.tolist():
                go(state, reader, hole, tuple(each), chance / len(boards))
        elif state.finished:
            key = state.history, hole.tobytes(), board
            before = found[key][0] if key in found else 0.0
            dealt = with_cards(state, hole, np.array(board, dtype=np.uint8))
            found[key] = before + chance, Hand(game, dealt.deal, split_actions(state.history), dealt.returns())
        elif state.player == 0:
            for move in moves_of(opponent, state, hole[None, 0], board):
                for read in reader.read(state, move.action):
                    go(state.apply(move.action), read, hole, board, chance * move.chances[0] * read.chance)
        else:
            place = reader.tree_place(state)
            cards = agent.policy.states.state(1, state.round, tuple(hole[1].tolist()), board)
            row = [1.0] if place is None else strategy.at(place.node)[:, cards]
            for number, share in enumerate(row):
                action = "c" if place is None else write(place, number, state)
                told = copy(reader)
                if place is not None:
                    told.choose(action, number)
                (after,) = told.read(state, action)
                go(state.apply(action), after, hole, board, chance * share)

    holes = all_deals(game).holes
    for hole in holes:
        go(State.start(game), Reader(TreePlace(strategy.layout.tree), agent.policy.reading), hole, (), 1 / len(holes))
    return list(found.values())


def state_of(hand, actions):
    state = State.start(hand.game)
    for action in hand.actions[:actions]:
        state = state.apply(action)
    return state


def test_random_translation_keeps_the_mean():
    problem = Problem(TRANSLATED, "0.5, 1, all-in")
    size = problem.vector.layout.size
    strategy = Strategy.from_sums(problem.vector.layout, 0.05 + np.random.default_rng(0).random(size))
    agent, opponent = StrategyAgent(strategy, problem.sampled_deal, Reading("rand-psharmonic")), random_policy(0)
    hands = hands_of_a_translator(agent, opponent)
    assert sum(chance for chance, _hand in hands) == pytest.approx(1)
    policies = [opponent, policy_of(agent, TRANSLATED)]
    bets = [state_of(hand, 1) for _chance, hand in hands if hand.actions[0] == "r4"]
    assert all(len(policies[1].places(state)) == 2 for state in bets[:1])
    for chance, hand in hands[::7]:
        deals = len(all_deals(TRANSLATED).holes) * (2 if hand.deal.board else 1)
        state, likelihood = State.start(TRANSLATED), 1 / deals
        for action in hand.actions:
            board = hand.deal.board[: TRANSLATED.board_ends[state.round]]
            cards = np.array([hand.deal.hole[state.player]], dtype=np.uint8)
            likelihood *= find_move(moves_of(policies[state.player], state, cards, board), action).chances[0]
            state = state.apply(action)
        assert likelihood == pytest.approx(chance, rel=1e-9)
    mean, variance = mean_and_variance(raw(hands, 1))
    for known, imagined in (((1,), ()), ((1,), (1,)), ((0, 1), ())):
        reduced = corrected(hands, CheckDown(), policies, known, imagined, player=1)
        assert mean_and_variance(reduced)[0] == pytest.approx(mean, abs=1e-12)
        assert mean_and_variance(reduced)[1] < variance


def test_a_wrong_policy_is_noticed(everything):
    """The tests above could fail: with the policy of another agent the mean moves."""
    _policies, hands = everything["leduc"]
    wrong = [random_policy(2), random_policy(3)]
    reduced = corrected(hands, CheckDown(), wrong, (0, 1), (0,))
    assert abs(mean_and_variance(reduced)[0] - mean_and_variance(raw(hands))[0]) > 1e-3


@pytest.mark.parametrize("game", GAMES)
def test_one_seats_cards_are_enough_for_an_unbiased_estimate(everything, game):
    policies, hands = everything[game]
    others = ((),) * (GAMES[game].players - 1)
    hidden = [(p, hand._replace(deal=hand.deal._replace(hole=(hand.deal.hole[0], *others)))) for p, hand in hands]
    reduced = corrected(hidden, OwnHand(), policies, (0,), seen=(0,))
    assert mean_and_variance(reduced)[0] == pytest.approx(mean_and_variance(raw(hands))[0], abs=1e-12)
    assert mean_and_variance(reduced)[1] != pytest.approx(mean_and_variance(raw(hands))[1])


@pytest.mark.parametrize("early_folds", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_imaginary_observations_keep_the_mean_on_and_off_policy(everything, game, seat, early_folds):
    policies, hands = everything[game]
    mean, variance = mean_and_variance(raw(hands, seat))
    on = [(chance, imaginary_value(hand, seat, policies[seat], None, early_folds)) for chance, hand in hands]
    assert mean_and_variance(on)[0] == pytest.approx(mean, abs=1e-12)
    assert mean_and_variance(on)[1] < variance
    other = random_policy(9)
    off = [(chance, imaginary_value(hand, seat, policies[seat], other, early_folds)) for chance, hand in hands]
    played = [other if each == seat else policy for each, policy in enumerate(policies)]
    expected = mean_and_variance(raw(every_hand(GAMES[game], played), seat))[0]
    assert abs(expected - mean) > 1e-3
    assert mean_and_variance(off)[0] == pytest.approx(expected, abs=1e-12)


def test_what_cannot_be_is_refused(everything):
    _policies, hands = everything["kuhn"]
    _chance, hand = hands[0]
    with pytest.raises(KibitzError, match="cannot be imagined"):
        Aivat(CheckDown()).correct(hand, 0, {}, (0,))
    calls = FunctionPolicy(lambda state: {"c": 1.0}, "calls")
    raises = FunctionPolicy(
        lambda state: {"r": 0.5, "c": 0.5} if state.legal().limit and "r" in state.legal() else {"c": 1.0}, "raises"
    )
    with pytest.raises(KibitzError, match="r after '': the target does that and the policy given for seat 0 never"):
        imaginary_value(hand._replace(actions=("c", "c")), 0, calls, raises)
    with pytest.raises(KibitzError, match="never does that"):
        Aivat(CheckDown()).correct(hand._replace(actions=("r", "f")), 0, {1: calls})
