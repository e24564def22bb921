"""Frequency agents: tables, sizes, and the frequencies themselves, seen in the chips of compiled matches."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.agents import FrequencyAgent, load_agent
from kibitz.agents.frequency import raise_size
from kibitz.arena.batch import can_batch
from kibitz.arena.match import play_match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, Legal, State, load_game
from kibitz.policy.frequencies import (
    ALL_IN,
    ANY,
    CALL,
    FOLD,
    HALF_POT,
    MIN,
    MOVES,
    POT,
    choose_move,
    legal_policy,
)

HANDS = 100_000


def share_within(observed, expected, count=HANDS):
    return abs(observed - expected) < 4 * np.sqrt(max(expected * (1 - expected), 1e-12) / count)


# Tables


@pytest.mark.parametrize(
    "table", [[[1, 0, 0]], np.ones((2, 7)), np.ones((1, 3, 7)), np.ones((1, 2, 6)), [], np.ones((1, 1, 2, 7))]
)
def test_a_table_of_another_shape_is_refused(table):
    with pytest.raises(AgentError, match="shape"):
        FrequencyAgent(table)


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf])
def test_frequencies_are_finite_and_not_negative(bad):
    table = np.ones((1, 2, 7))
    table[0, 1, 3] = bad
    with pytest.raises(AgentError, match="finite"):
        FrequencyAgent(table)


def test_an_unknown_move_is_named():
    with pytest.raises(AgentError, match=r"shove.*known: fold, call"):
        FrequencyAgent.of("x", {"call": 1}, {"shove": 1})


def test_rounds_must_fit_the_game():
    agent = FrequencyAgent(np.ones((2, 2, 7)), "two-rounds")
    assert agent.policy.rows(load_game("leduc")).shape == (2, 2, 7)
    with pytest.raises(AgentError, match="2 rounds; the game has 4"):
        agent.policy.rows(load_game("holdem-limit-2p"))
    with pytest.raises(AgentError, match="2 rounds"):
        agent.reset(load_game("kuhn"), 0)
    assert FrequencyAgent(np.ones((1, 2, 7))).policy.rows(load_game("holdem-limit-2p")).shape == (4, 2, 7)


# Moves that are not possible


def test_impossible_moves_lose_their_frequency():
    row = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert legal_policy(row, Legal(True, 200, 20000)) == row
    assert legal_policy(row, Legal(False, 200, 20000)) == [0.0, *row[1:]]
    assert legal_policy(row, Legal(True, 0, 0)) == [0.1, 0.2, 0, 0, 0, 0, 0]


def test_the_rest_is_shared_in_proportion():
    weights = [0.0, 0.25, 0.25, 0, 0, 0, 0.5]
    assert [choose_move(weights, chance) for chance in (0, 0.2499, 0.25, 0.4999, 0.5, 0.9999)] == [1, 1, 2, 2, 6, 6]
    halved = [weight / 2 for weight in weights]
    assert [choose_move(halved, chance) for chance in (0, 0.2499, 0.25, 0.5)] == [1, 1, 2, 6]


def test_nothing_possible_is_a_call():
    assert choose_move([0.0] * 7, 0.5) == CALL
    agent = FrequencyAgent.of("raiser", {"pot": 1}, {"fold": 0, "pot": 1})
    game = load_game("kuhn")
    agent.reset(game, 0)
    assert agent.act(State.start(game).play("r")) == "c"  # Kuhn has one bet


# Raise sizes: call, then add x times the pot after the call


@pytest.mark.parametrize(
    ("history", "move", "size"),
    [
        ("", POT, 300),
        ("", HALF_POT, 200),  # 100 + (150 + 50) / 2
        ("", MIN, 200),
        ("", ALL_IN, 20_000),
        ("r300", POT, 900),
        ("r300", HALF_POT, 600),
        ("r300", MIN, 500),
        ("r300c/", POT, 900),  # a bet of 600 into 600
        ("r300c/", HALF_POT, 600),
        ("r300c/", MIN, 400),
        ("r300c/r450", POT, 1350),  # 450 + (750 + 150)
        ("r9000", POT, 20_000),  # not more than there is
        ("cc/", HALF_POT, 200),
        ("r300r500", HALF_POT, 1000),
    ],
)
def test_no_limit_sizes(history, move, size):
    state = State.start(load_game("holdem-nolimit-2p")).play(history)
    assert raise_size(move, state, state.legal(), 0) == size


def test_a_size_below_the_minimum_is_the_minimum():
    state = State.start(replace(load_game("holdem-nolimit-2p"), min_bet=5000)).play("cc/")
    assert raise_size(HALF_POT, state, state.legal(), 0) == raise_size(MIN, state, state.legal(), 0) == 5100


def test_any_size_covers_the_whole_range_evenly():
    state = State.start(load_game("kuhn-nolimit"))
    low, high = state.legal().min_raise_to, state.legal().max_raise_to
    sizes = np.array([raise_size(ANY, state, state.legal(), word) for word in range(50 * (high - low + 1))])
    counts = np.bincount(sizes - low, minlength=high - low + 1)
    assert len(counts) == high - low + 1
    assert (np.abs(counts - 50) < 4.5 * np.sqrt(50)).all()


def test_limit_raises_have_no_size():
    for name in ("leduc", "holdem-limit-2p"):
        agent, game = load_agent("always-raise"), load_game(name)
        agent.reset(game, 0)
        assert agent.act(State.start(game)) == "r"


def test_a_pot_raise_opens_to_three_big_blinds():
    agent, game = load_agent("always-raise"), load_game("holdem-nolimit-2p")
    agent.reset(game, 0)
    assert agent.act(State.start(game)) == "r300"


# Frequencies, as chips tell them in compiled matches. In no-limit Kuhn with one bet (antes 5, stacks 55) every
# hand against a caller has one free decision, and what is won or lost names it.


def free_decisions(row, seed=1):
    """How much was at stake in each hand of an agent against one who only calls."""
    game = load_game("kuhn-nolimit-one-bet")
    agents = [FrequencyAgent.of("tested", row, {"call": 1}), load_agent("always-call")]
    assert can_batch(game, agents)
    chips = play_match(game, agents, [seed, seed + 1], HANDS, AcpcCards(5))
    return np.abs(chips[:, 0]).astype(int)


def test_frequencies_of_all_sizes():
    row = {"call": 0.3, "min": 0.05, "half-pot": 0.15, "pot": 0.25, "all-in": 0.2, "any": 0.05}
    stakes = np.bincount(free_decisions(row), minlength=56) / HANDS
    any_size = 0.05 / 50  # 6 .. 55
    expected = dict.fromkeys(range(6, 56), any_size)
    for move, size in [("min", 6), ("half-pot", 10), ("pot", 15), ("all-in", 55)]:
        expected[size] += row[move]
    expected[5] = 0.3
    assert sum(expected.values()) == pytest.approx(1)
    wrong = {size: (stakes[size], share) for size, share in expected.items() if not share_within(stakes[size], share)}
    assert len(wrong) == 0, wrong


def test_a_fold_that_costs_nothing_is_shared_among_the_others():
    stakes = free_decisions({"fold": 0.5, "call": 0.1, "all-in": 0.4})
    assert share_within((stakes == 55).mean(), 0.8)
    assert share_within((stakes == 5).mean(), 0.2)


def test_frequencies_facing_a_bet():
    game = load_game("kuhn-nolimit-one-bet")
    agents = [
        FrequencyAgent.of("tested", {"call": 1}, {"fold": 0.35, "call": 0.4, "pot": 0.25}),
        load_agent("always-raise"),
    ]
    chips = play_match(game, agents, [3, 4], HANDS, AcpcCards(6))[:, 0]
    folded = chips == -5
    # The raise is refused after the one bet, so folds are 0.35 / 0.75 of the answers.
    assert share_within(folded.mean(), 0.35 / 0.75)
    assert set(np.abs(chips[~folded])) == {15.0}


def test_rounds_have_their_own_frequencies():
    table = np.zeros((2, 2, len(MOVES)))
    table[0, :, CALL] = 1
    table[1, 0, [CALL, MIN]] = 0.6, 0.4
    table[1, 1, [FOLD, CALL]] = 0.0, 1.0
    chips = play_match(
        load_game("leduc"), [FrequencyAgent(table), load_agent("always-call")], [8, 9], HANDS, AcpcCards(2)
    )[:, 0]
    played = chips[chips != 0]  # a tie does not tell
    assert share_within((np.abs(played) == 5).mean(), 0.4, len(played))
    assert set(np.abs(played)) == {1.0, 5.0}


def test_the_seed_decides():
    game, row = load_game("leduc-nolimit"), {"call": 0.5, "any": 0.5}
    agents = [FrequencyAgent.of("a", row, row), FrequencyAgent.of("b", row, row)]
    one, again, other = (play_match(game, agents, seeds, 500, AcpcCards(1)) for seeds in ([1, 2], [1, 2], [1, 3]))
    assert (one == again).all()
    assert (one != other).any()
