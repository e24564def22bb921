"""What holds in every hand of every game, on games and play that hypothesis makes up."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import IllegalActionError
from kibitz.games import Game, State, deal_hands, format_gamedef, parse_gamedef, split_actions
from kibitz.games.pots import unclaimed


@st.composite
def any_games(draw):
    """Games of all kinds: limit and no-limit, both rule sets, short stacks, antes, straddles, people who only call."""
    players = draw(st.integers(2, 6))
    rounds = draw(st.integers(1, 4))
    betting = draw(st.sampled_from(["limit", "nolimit"]))

    def per_player(values):
        return tuple(draw(st.lists(values, min_size=players, max_size=players)))

    def per_round(values):
        return tuple(draw(st.lists(values, min_size=rounds, max_size=rounds)))

    return Game(
        betting=betting,
        stacks=per_player(st.integers(0, 60)),
        blinds=per_player(st.integers(0, 8)),
        raise_sizes=per_round(st.integers(1, 12)) if betting == "limit" else (),
        first_players=per_round(st.integers(0, players - 1)),
        max_raises=per_round(st.sampled_from([0, 1, 3, 255])),
        suits=4,
        ranks=draw(st.sampled_from([5, 13])),
        hole_cards=draw(st.integers(1, 2)),
        board_cards=(draw(st.integers(0, 1)), 2, 1, 1)[:rounds],
        antes=draw(st.sampled_from([(0,) * players, (2,) * players, (0, 5) + (0,) * (players - 2)])),
        min_bet=draw(st.sampled_from([None, 1, 5])),
        rules=draw(st.sampled_from(["acpc", "tda"])),
        bettors=draw(st.sampled_from([(True,) * players, (True, False) + (True,) * (players - 2)])),
        ante_trimming=draw(st.booleans()),
    )


@st.composite
def hands(draw):
    """A game and all the states of one hand of it."""
    game = draw(any_games())
    state = State.start(game, next(deal_hands(game, draw(st.integers(0, 99)))))
    states = [state]
    while not state.finished:
        legal = state.legal()
        choices = ["c", "f"] if legal.fold else ["c"]
        if legal.max_raise_to:
            sizes = st.integers(legal.min_raise_to, legal.max_raise_to)
            choices.append("r" if legal.limit else f"r{draw(sizes)}")
        state = state.apply(draw(st.sampled_from(choices)))
        states.append(state)
    return states


hand_test = settings(max_examples=150, deadline=None)


def can_lower(game):
    """Whether a raise of somebody's last chips may lower the bet."""
    return (game.betting, game.rules) == ("limit", "acpc")


@hand_test
@given(hands())
def test_chips_are_conserved(states):
    end = states[-1]
    game = end.game
    returns = end.returns()
    left = [player for player in range(game.players) if not end.folded >> player & 1]
    nobodys = unclaimed(end.spent, left, whole_chips=False) if can_lower(game) else 0
    assert sum(returns) == pytest.approx(-nobodys, abs=1e-6)
    for net, spent, ante, stack in zip(returns, end.spent, game.antes_paid, game.stacks, strict=True):
        assert spent + ante <= stack
        assert net >= -(spent + ante) - 1e-9
    assert end.pot == sum(end.spent) + sum(game.antes_paid)


@hand_test
@given(hands())
def test_what_is_legal_can_be_done_and_the_rest_cannot(states):
    for state in states[:-1]:
        legal = state.legal()
        actions = list(legal.actions())
        assert "c" in actions
        assert len(set(actions)) == len(actions)
        for action in actions:
            assert action in legal
            assert state.apply(action).history.startswith(state.history + action)
        outside = {"f", "r", *(f"r{size}" for size in (0, 1, legal.min_raise_to - 1, legal.max_raise_to + 1, 10**6))}
        for action in outside - set(actions):
            assert action not in legal
            with pytest.raises(IllegalActionError, match=re.escape(f"{action!r} in {state}: legal are {legal}")):
                state.apply(action)


@hand_test
@given(hands())
def test_a_history_replays_to_the_same_state(states):
    start = states[0]
    for state in states:
        replayed = start.play(state.history)
        assert replayed == state
        assert hash(replayed) == hash(state)
        assert start.play(state.history.replace("/", "")) == state
        assert "".join(split_actions(state.history)) == state.history.replace("/", "")
    assert len(set(states)) == len(states)


@hand_test
@given(hands())
def test_a_hand_goes_forward(states):
    for before, after in pairwise(states):
        assert after.round >= before.round
        taken_back = can_lower(after.game) and before.to_call < 0
        assert taken_back or all(now >= then for now, then in zip(after.spent, before.spent, strict=True))
        assert after.folded & before.folded == before.folded
        assert after.history.count("/") == after.round
    end = states[-1]
    assert end.finished
    assert end.player == -1
    players = end.game.players
    assert end.showdown == (players - end.folded.bit_count() > 1)
    assert not end.showdown or end.history.count("/") == end.game.rounds - 1


@hand_test
@given(hands())
def test_whoever_acts_can_act(states):
    for state in states[:-1]:
        game, player = state.game, state.player
        bit = 1 << player
        assert state.able & bit
        assert state.pending & bit
        assert not state.folded & bit
        assert state.to_call == min(state.bet, game.limits[player]) - state.spent[player]
        # At a TDA table a short blind does not lower the price; in the ACPC's limit games a raise of a short stack may.
        most = max(*state.spent, *(game.blinds if game.rules == "tda" else (0,)))
        if can_lower(game):
            assert state.bet <= most
        else:
            assert (state.bet, state.to_call >= 0) == (most, True)
        for other in range(game.players):
            has_chips = state.spent[other] < game.limits[other]
            assert bool(state.able >> other & 1) == (has_chips and not state.folded >> other & 1)


@hand_test
@given(hands())
def test_text_says_what_is_known(states):
    for state in states:
        text = str(state)
        assert text.startswith(state.history + ":")
        cards = text[len(state.history) + 1 :]
        assert cards.count("|") == state.game.players - 1
        assert cards.count("/") == state.round
        for player in range(state.game.players):
            seen = state.seen_by(player)
            assert seen.history == state.history
            assert seen.seen_by(player) == seen
            if not state.showdown:
                shown = [cards for cards in seen.hole if cards]
                assert shown == [state.hole[player]]
            assert seen.deal.board == state.deal.board[: state.game.board_ends[state.round]]


@hand_test
@given(any_games())
def test_a_game_reads_back_from_its_definition(game):
    assert parse_gamedef(format_gamedef(game)) == game
