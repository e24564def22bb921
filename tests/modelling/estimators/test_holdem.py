"""Check-down values: against plain sums over boards, side pots, means over next cards, tables, and what they save."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.cards import parse_cards
from kibitz.equity import compute_equity
from kibitz.evaluator import evaluate
from kibitz.games import State, load_game
from kibitz.games.game import UNLIMITED_RAISES, UNLIMITED_STACK
from kibitz.games.named import limit_holdem, nolimit_holdem
from kibitz.games.pots import payoffs
from kibitz.modelling.estimators import Aivat, CheckDown, Coolers, OwnHand, load_matchups
from kibitz.modelling.estimators.holdings import imagined_holdings, next_boards, real_holding
from kibitz.modelling.estimators.matchups import advantage
from kibitz.policy import policy_of
from modelling.estimators.variance_hands import played_hands

HOLDEM = load_game("holdem-nolimit-2p")
# Hold'em with 20 cards: every board can be listed.
SHORT = replace(nolimit_holdem(2), ranks=5, name="short-2p")
SHORT_3 = replace(nolimit_holdem(3), ranks=5, stacks=(1000, 4000, 20000), name="short-3p")


def some_deal(game, board, seed):
    cards = np.random.default_rng(seed).permutation(sorted(game.deck)).tolist()
    hole = [tuple(sorted(cards[2 * seat : 2 * seat + 2])) for seat in range(game.players)]
    return hole, tuple(cards[2 * game.players : 2 * game.players + board])


def plain_check_down(state, player, hole, board):
    """The mean of the payoffs over all run-outs, one at a time; odd chips are split."""
    game = state.game
    used = {*board, *sum(hole, ())}
    left = [card for card in game.deck if card not in used]
    results = []
    for more in combinations(left, 5 - len(board)):
        strength = [
            -1 if state.folded >> seat & 1 else evaluate(cards + board + more) for seat, cards in enumerate(hole)
        ]
        results.append(payoffs(state.spent, game.antes_paid, strength, whole_chips=False)[player])
    return np.mean(results)


@pytest.mark.parametrize("player", range(3))
@pytest.mark.parametrize(("history", "board"), [("r4000cc", 0), ("r4000cc", 3), ("cfc/cc/cc", 4), ("r4000cc", 5)])
def test_check_down_is_the_mean_over_run_outs(player, history, board):
    """Seat 0 is soon all-in, so that there are side pots; a folded seat's cards do not come."""
    hole, cards = some_deal(SHORT_3, board, seed=board)
    state = State.start(SHORT_3).play(history)
    holes = real_holding(SHORT_3, hole, range(3)).holes
    (value,) = CheckDown(growth=0).values(state, player, holes, np.array([cards], dtype=np.uint8).reshape(1, -1))
    assert value == pytest.approx(plain_check_down(state, player, hole, cards), rel=1e-12)


@pytest.mark.parametrize("board", [0, 3, 4])
def test_the_mean_over_the_next_cards_is_the_value_itself(board):
    hole, cards = some_deal(SHORT, board, seed=1)
    state = State.start(SHORT).play("r300c/" + {0: "", 3: "cc/", 4: "cc/cc/"}[board])
    value = CheckDown(coolers=Coolers())
    holes = real_holding(SHORT, hole, range(2)).holes
    (mean,) = value.mean_after_deal(state, 0, holes, cards)
    boards = next_boards(SHORT, holes[0], cards, SHORT.board_ends[state.round])
    after = value.values(state, 0, np.repeat(holes, len(boards), axis=0), boards)
    assert mean == pytest.approx(after.mean(), rel=1e-12)
    assert after.std() > 1


@pytest.mark.parametrize(
    ("game", "history", "imagined"), [(SHORT, "r300c/r900", 0), (SHORT_3, "fcc/r400", 2), (SHORT_3, "ccc/c", 2)]
)
def test_many_holdings_have_the_values_of_each(game, history, imagined):
    """Also where the imagined seat has folded: its cards do not come."""
    hole, cards = some_deal(game, 3, seed=4)
    state = State.start(game).play(history)
    holdings = imagined_holdings(game, hole, (imagined,)).without(cards)
    board = np.tile(np.array(cards, dtype=np.uint8), (len(holdings.holes), 1))
    together = CheckDown().values(state, 1, holdings.holes, board)
    alone = [CheckDown().values(state, 1, holdings.holes[[row]], board[:1])[0] for row in range(0, len(board), 9)]
    assert np.std(alone) > 0
    np.testing.assert_allclose(together[::9], alone, rtol=1e-12)


def test_matchups_are_equities_before_the_flop():
    matchups = load_matchups(SHORT)
    hole, _board = some_deal(SHORT, 0, seed=8)
    holdings = imagined_holdings(SHORT, hole, (1,))
    state = State.start(SHORT).play("r300")
    boards = np.empty((len(holdings.holes), 0), dtype=np.uint8)
    by_table = CheckDown(matchups=matchups).values(state, 0, holdings.holes, boards)
    for row in range(0, len(boards), 40):
        (counted,) = CheckDown().values(state, 0, holdings.holes[[row]], boards[:1])
        assert by_table[row] == pytest.approx(counted, rel=1e-12)
    np.testing.assert_array_equal(matchups.table, -matchups.table.T)
    assert CheckDown().values(state, 0, holdings.holes, boards) is None  # too many boards for every holding


def test_advantages_are_equities():
    aces, kings = parse_cards("AsAh"), parse_cards("KdKc")
    exact = compute_equity(["AsAh", "KdKc"]).equities
    assert advantage(aces, kings) == pytest.approx(exact[0] - exact[1], rel=1e-12)
    assert advantage(kings, aces) == -advantage(aces, kings)


def test_what_one_seat_wins_by_a_cooler_the_others_lose():
    game = nolimit_holdem(6, stack=10_000)
    hole = [parse_cards(text) for text in ("AsAh", "KdKc", "AdKh", "7c2d", "QcQh", "AcJc")]
    holes = real_holding(game, hole, range(6)).holes
    values = [Coolers().values(game, seat, holes)[0] for seat in range(6)]
    assert sum(values) == pytest.approx(0, abs=1e-9)
    assert values[0] > 1000 > 0 == values[3]
    assert CheckDown(coolers=Coolers()).mean_at_start(game, 0) == 0


@pytest.mark.parametrize(
    ("game", "most"),
    [
        (limit_holdem(2), 240),  # four bets of 10, 10, 20 and 20, of which the big blind is one
        (limit_holdem(3), 240),
        (replace(limit_holdem(2), stacks=(120, 90)), 90),
        (replace(limit_holdem(2), max_raises=(UNLIMITED_RAISES,) * 4), 2000),
        (nolimit_holdem(2), 20_000),
        (nolimit_holdem(2, stack=UNLIMITED_STACK), 20_000),
    ],
    ids=["limit", "three", "short", "any raises", "no-limit", "deep"],
)
def test_coolers_play_for_what_can_be_bet(game, most):
    """Not for the stacks of limit games, which are unlimited."""
    hole = [parse_cards(text) for text in ("AsAh", "KdKc", "7c2d")[: game.players]]
    (value,) = Coolers(scale=1).values(game, 0, real_holding(game, hole, range(game.players)).holes)
    strengths = [Coolers().strength(tuple(sorted(hand))) for hand in hole[:2]]
    assert value == pytest.approx(most * strengths[0] * strengths[1] * advantage(*hole[:2]))


def test_fingerprints_tell_value_functions_apart():
    short = load_matchups(SHORT)
    values = [CheckDown(), CheckDown(0.2), CheckDown(coolers=Coolers()), CheckDown(coolers=Coolers(0.4)), OwnHand()]
    values += [OwnHand(5.0), CheckDown(matchups=short)]
    assert len({value.fingerprint for value in values}) == len(values)
    assert CheckDown().fingerprint == CheckDown(0.1).fingerprint


def reduce(hands, value, policies, player, imagine=False):
    """Results of agent `player`, raw and reduced."""
    aivat, pairs = Aivat(value), []
    for hand, seats in hands:
        seat = next(seat for seat, agent in seats.items() if agent == player)
        known = {seat: policies[agent] for seat, agent in seats.items()} if policies else {}
        corrected = aivat.correct(hand, seat, known, (seat,) if imagine else ())
        pairs.append((hand.result[seat], corrected.chips))
    return np.array(pairs).T


def half_width(samples):
    return 1.96 * samples.std() / np.sqrt(len(samples))


def test_known_policies_save_four_fifths_of_the_hands():
    """Always-call against random: only a blind given up before the flop has a mean, 50 chips every sixth hand."""
    agents = [load_agent("always-call"), load_agent("random")]
    policies = [policy_of(agent, SHORT) for agent in agents]
    hands = played_hands(SHORT, agents, 400)
    raw, reduced = reduce(hands, CheckDown(matchups=load_matchups(SHORT)), policies, 0, imagine=True)
    assert raw.var() > 5 * reduced.var()
    for samples in (raw, reduced):
        assert abs(samples.mean() - 50 / 6) < 1.5 * half_width(samples)


def test_cards_alone_save_a_third_of_the_hands_of_a_full_table():
    styles = ["tight-aggressive", "loose-aggressive", "tight-passive", "loose-passive-bluffing", "random"]
    hands = played_hands(nolimit_holdem(6, stack=10_000), [*styles, "tight-aggressive-bluffing"], 400)
    raw, reduced = reduce(hands, CheckDown(coolers=Coolers()), None, 1)
    assert raw.var() > 1.5 * reduced.var()
    assert abs((raw - reduced).mean()) < 1.5 * half_width(raw - reduced)
