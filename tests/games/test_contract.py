"""Every game keeps the contract, and the contract notices games that do not."""

import re
from dataclasses import replace

import pytest

from kibitz.games import GAMES, Deal, Legal, State, load_game
from kibitz.games.named import kuhn, limit_holdem, nolimit_holdem
from kibitz.testing import check_game
from kibitz.testing import games as contract


@pytest.mark.parametrize("name", GAMES)
def test_every_named_game_keeps_it(name):
    check_game(load_game(name), playouts=60, seed=0)


OTHERS = [
    kuhn(5),
    limit_holdem(6),
    replace(limit_holdem(3), stacks=(25, 80, 43), rules="tda"),
    nolimit_holdem(10, 1000, 5, 10),
    replace(nolimit_holdem(4), rules="tda", stacks=(300, 90, 20, 1000), antes=(5, 5, 5, 5)),
    replace(nolimit_holdem(4), rules="tda", stacks=(300, 90, 20, 1000), antes=(0, 100, 0, 0), ante_trimming=False),
    replace(nolimit_holdem(3), bettors=(True, False, True), sighted=(True, True, False)),
    replace(nolimit_holdem(2), stacks=(60, 30)),
]


@pytest.mark.parametrize("game", OTHERS, ids=range(len(OTHERS)))
def test_unusual_games_keep_it(game):
    check_game(game, playouts=60, seed=1)


def broken(monkeypatch, name, function):
    """Replace the method `name` of states by `function(method, state, ...)`."""
    method = getattr(State, name)
    monkeypatch.setattr(State, name, lambda self, *rest: function(method, self, *rest))


@pytest.mark.parametrize(
    ("name", "function", "says"),
    [
        ("returns", lambda method, state: tuple(1 + net for net in method(state)), "do not add up to nothing"),
        ("returns", lambda method, state: method(state)[:-1], "returns for 2 players"),
        (
            "returns",
            lambda method, state: (10**9, -(10**9)),
            r"player 1 put in \d+ and loses 1000000000",
        ),
        ("returns", lambda method, state: (0,) * 2, "and gets 0"),
        (
            "apply",
            lambda method, state, action: method(state, "c" if action == "f" else action),
            "'f' is not legal but is taken|'f' is recorded as",
        ),
        ("apply", lambda method, state, action: method(state, action or "c"), "'' is not legal but is taken"),
        ("apply", lambda method, state, action: method(state, action)._replace(spent=(1, 1)), "to_call|chips"),
        ("apply", lambda method, state, action: method(state, action)._replace(history="c"), "recorded"),
        ("seen_by", lambda method, state, player: state, r"player 0 sees the cards of \[0, 1\]"),
        ("seen_by", lambda method, state, player: method(state, 1 - player), r"player 0 sees the cards of \[1\]"),
        ("legal", lambda method, state: Legal(True, 1, 2), "raises from 1 to 2 over a bet of"),
        (
            "legal",
            lambda method, state: Legal(True, state.bet + 1, 10**6),
            "is more than player . has|not legal",
        ),
        ("play", lambda method, state, actions: method(state, actions)._replace(raises=9), "replays to another state"),
    ],
)
def test_broken_rules_are_noticed(monkeypatch, name, function, says):
    broken(monkeypatch, name, function)
    with pytest.raises(AssertionError, match=says) as caught:
        check_game(load_game("leduc-nolimit"), playouts=50)
    assert re.match(r".*:.*\|.*: .*\w", str(caught.value))  # the state, then a sentence


def test_a_wrong_dealer_is_noticed(monkeypatch):
    game = load_game("leduc")
    twice = Deal(((51,), (51,)), (47,))
    foreign = Deal(((0,), (51,)), (47,))
    short = Deal(((50,), (51,)), ())
    for deal, says in ((twice, "dealt twice"), (foreign, "not of the deck"), (short, "1 board cards are due")):
        monkeypatch.setattr(contract, "deal_hands", lambda _game, _seed, deal=deal: iter([deal]))
        with pytest.raises(AssertionError, match=says):
            check_game(game)


def test_a_hand_without_end_is_noticed(monkeypatch):
    monkeypatch.setattr(contract, "MOST_ACTIONS", 3)
    with pytest.raises(AssertionError, match="leduc: a hand does not end"):
        check_game(load_game("leduc"))


def test_the_same_seed_plays_the_same_hands(monkeypatch):
    played = []
    broken(monkeypatch, "returns", lambda method, state: played.append(str(state)) or method(state))
    for seed in (5, 5, 6):
        check_game(load_game("leduc"), playouts=20, seed=seed)
    third = len(played) // 3
    assert played[:third] == played[third : 2 * third]
    assert played[:20] != played[-20:]
