"""The rules on arrays against `State`, hand by hand, on random games."""

from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import GameError, IllegalActionError
from kibitz.games import AcpcCards, Game, State, deal_hands, load_game
from kibitz.games.batch import CALL, FOLD, HandBatch, can_batch, deal_cards, showdown_values
from kibitz.games.named import limit_holdem, nolimit_holdem


@st.composite
def games(draw, betting):
    """Games of two to ten players whose stacks are often too short for the blinds, and ties common."""
    players = draw(st.integers(2, 10))
    rounds = draw(st.integers(1, 4))
    most = draw(st.sampled_from([6, 40, 400]))
    per_player = {"min_size": players, "max_size": players}
    sizes = st.lists(st.integers(1, 9), min_size=rounds, max_size=rounds)
    return Game(
        betting=betting,
        stacks=tuple(draw(st.lists(st.integers(0, most), **per_player))),
        blinds=tuple(draw(st.lists(st.integers(0, 6), **per_player))),
        raise_sizes=tuple(draw(sizes)) if betting == "limit" else (),
        first_players=tuple(draw(st.lists(st.integers(0, players - 1), min_size=rounds, max_size=rounds))),
        max_raises=(draw(st.sampled_from([255, 4, 1, 0])),) * rounds,
        suits=4,
        ranks=8,
        hole_cards=2,
        board_cards=(0, 3, 1, 1)[:rounds],
        min_bet=draw(st.one_of(st.none(), st.integers(1, 9))) if betting == "nolimit" else None,
    )


def choose(random: Random, state: State) -> int:
    """An action as a number, often a small or an all-in raise."""
    legal = state.legal()
    kind = random.choices("fcr", weights=(2 if legal.fold else 0, 4, 3 if legal.max_raise_to else 0))[0]
    low, high = legal.min_raise_to, legal.max_raise_to
    return {
        "f": FOLD,
        "c": CALL,
        "r": random.choice((low, low, low, min(low + 1, high), high, random.randint(low, high))),
    }[kind]


def text_of(action: int, limit: bool) -> str:
    if action > CALL:
        return "r" if limit else f"r{action}"
    return "f" if action == FOLD else "c"


def compare(game: Game, seed: int, count: int) -> set[str]:
    """Play `count` random hands on arrays and one by one; what was met on the way comes back."""
    random, limit = Random(seed), game.betting == "limit"
    deals = list(islice(deal_hands(game, seed), count))
    states, hands = [State.start(game, deal) for deal in deals], HandBatch(game, count)
    met = set()
    while True:
        agree(states, hands)
        if all(state.finished for state in states):
            break
        actions = [CALL if state.finished else choose(random, state) for state in states]
        hands.apply(actions)
        texts = [text_of(action, limit) for action in actions]
        states = [s if s.finished else s.apply(text) for s, text in zip(states, texts, strict=True)]
    cards = deal_cards(game, AcpcCards(seed), count)
    expected = np.array([state.returns() for state in states])
    np.testing.assert_array_equal(hands.returns(showdown_values(game, cards)), expected)
    for state in states:
        met.add("showdown" if state.showdown else "fold")
        met.add("run out" if state.history.endswith("/") else "bet out")
    return met | {"odd chips"} if (expected % 1).any() else met


def agree(states: list[State], hands: HandBatch) -> None:
    """Everything that both can say of the hands is the same."""
    assert hands.players.tolist() == [state.player for state in states]
    assert hands.rounds.tolist() == [state.round for state in states]
    assert hands.folded.tolist() == [state.folded for state in states]
    assert hands.finished.tolist() == [state.finished for state in states]
    np.testing.assert_array_equal(hands.spent, [state.spent for state in states])
    assert hands.pots.tolist() == [state.pot for state in states]
    fold, low, high = hands.legal()
    for index, state in enumerate(states):
        if state.finished:
            assert (fold[index], low[index], high[index], hands.to_call[index]) == (False, 0, 0, 0)
            continue
        legal = state.legal()
        told = (fold[index], low[index], high[index])
        assert told == (legal.fold, legal.min_raise_to, legal.max_raise_to), state
        assert (hands.bets[index], hands.to_call[index]) == (state.bet, state.to_call)


@pytest.mark.parametrize("betting", ["limit", "nolimit"])
@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(0, 2**32 - 1))
def test_arrays_and_states_play_the_same_hands(betting, data, seed):
    compare(data.draw(games(betting)), seed, count=6)


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("make", [limit_holdem, nolimit_holdem])
def test_holdem_for_two_to_ten(make, players):
    met = compare(make(players), seed=players, count=150)
    assert met >= {"showdown", "fold", "bet out"}


def test_the_comparison_meets_what_is_rare():
    game = Game("nolimit", (9, 30, 14, 50), (1, 2, 0, 0), (), (2, 0, 0, 0), (255,) * 4, 4, 5, 2, (0, 3, 1, 1))
    assert compare(game, seed=5, count=400) == {"showdown", "fold", "run out", "bet out", "odd chips"}


@pytest.mark.parametrize("name", ["kuhn-3p", "leduc", "rhode-island", "holdem-nolimit-6p"])
def test_cards_are_the_dealers(name):
    game = load_game(name)
    cards = deal_cards(game, source=AcpcCards(11), count=300)
    for row, deal in zip(cards.tolist(), islice(deal_hands(game, 11), 300), strict=True):
        assert row == [card for hole in deal.hole for card in hole] + list(deal.board)


def test_an_illegal_action_changes_nothing():
    hands = HandBatch(load_game("holdem-nolimit-2p"), 3)
    with pytest.raises(IllegalActionError, match="action 150 in hand 1, player 1: legal are -1, 0 and 200 to 20000"):
        hands.apply([200, 150, CALL])
    assert hands.spent.tolist() == [[100, 50]] * 3
    hands.apply([CALL, 200, FOLD])
    assert hands.players.tolist() == [0, 0, -1]
    with pytest.raises(IllegalActionError, match="in hand 0, player 0: legal are 0 and 200"):
        hands.apply([FOLD, CALL, 777])  # nothing is to be folded to; the last hand is over, whatever is said there
    with pytest.raises(IllegalActionError, match="2 of 3 hands are not over"):
        hands.returns(np.zeros((3, 2), dtype=np.int32))


def test_games_that_arrays_do_not_know_are_refused():
    game = load_game("clairvoyance")
    assert not can_batch(game)
    with pytest.raises(GameError, match="clairvoyance on arrays"):
        HandBatch(game, 1)
