"""Sizes of games against published figures, plain enumeration and each other."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from kibitz.errors import GameError
from kibitz.games import Deal, Game, State, load_game
from kibitz.games import counting as counting_module
from kibitz.games.counting import (
    InfosetCount,
    convolve,
    count_betting,
    count_infosets,
    count_partitions,
    count_reaching,
    count_states,
)
from kibitz.games.named import kuhn, leduc_nolimit, limit_holdem, nolimit_holdem


def column(game, name):
    return [getattr(count, name) for count in count_betting(game)]


def walk(state):
    """Every state of the betting tree below and including `state`."""
    yield state
    if not state.finished:
        for action in state.legal().actions():
            yield from walk(state.apply(action))


def plain_counts(game):
    """What `count_betting` should say, one history at a time."""
    totals = [[0, 0, 0, 0] for _ in range(game.rounds)]
    for state in walk(State.start(game)):
        round_ = state.history.rstrip("/").count("/")
        if not state.finished:
            totals[state.round][0] += 1
            totals[state.round][1] += len(list(state.legal().actions()))
        elif state.folded.bit_count() + 1 == game.players:
            totals[round_][2] += 1
        elif state.history.strip("/"):
            totals[round_][3] += 1
    return totals


def deals(game):
    """Every deal of single hole cards and at most one board card."""
    for cards in permutations(game.deck, game.players + sum(game.board_cards)):
        yield Deal(tuple((card,) for card in cards[: game.players]), cards[game.players :])


@pytest.mark.parametrize(
    ("name", "decisions", "terminals", "infosets"), [("kuhn", 24, 30, 12), ("leduc", 3780, 5520, 936)]
)
def test_small_games_by_plain_enumeration(name, decisions, terminals, infosets):
    """Deals that agree on every card seen so far are one node, so nodes are (hole cards, board so far, history)."""
    game = load_game(name)
    nodes, leaves, sets = set(), set(), Counter()
    for deal in deals(game):
        for state in walk(State.start(game, deal)):
            node = (deal.hole, state.board, state.history)
            if state.finished:
                leaves.add(node)
            elif node not in nodes:
                nodes.add(node)
                sets[state.player, str(state.seen_by(state.player))] += 1
    assert (len(nodes), len(leaves), len(sets)) == (decisions, terminals, infosets)
    assert count_states(game) == decisions
    assert count_infosets(game).infosets == infosets


def test_limit_holdem():
    game = limit_holdem()
    assert column(game, "decisions") == [8, 70, 630, 5670]
    assert column(game, "folds") == [7, 56, 504, 4536]
    assert column(game, "showdowns") == [0, 0, 0, 5103]
    assert count_infosets(game) == (319_365_922_522_608, 830_351_398_559_046)
    assert count_states(game) == 316_207_058_696_146_800


def test_limit_holdem_up_to_the_names_of_suits():
    pytest.importorskip("kibitz.isomorphism")
    assert count_infosets(limit_holdem(), canonical=True) == (13_803_249_787_132, 35_888_449_446_577)


def test_three_player_limit_holdem():
    game = limit_holdem(3)
    assert column(game, "decisions") == [90, 4_412, 205_962, 9_501_342]
    assert column(game, "actions") == [219, 10_864, 507_570, 23_418_654]


@pytest.mark.parametrize(
    ("stack", "small", "big", "infosets", "actions", "canonical"),
    [
        (1000, 1, 2, "7.2316962e+72", None, "3.1252516e+71"),
        (400, 1, 2, "1.3890944e+48", None, "6.0031136e+46"),
        (20_000, 50, 100, "6.3751907e+161", "1.9125572e+162", "2.7551039e+160"),
    ],
)
def test_nolimit_holdem(stack, small, big, infosets, actions, canonical, monkeypatch):
    game = nolimit_holdem(2, stack, small, big)
    counts = count_betting(game)
    monkeypatch.setattr(counting_module, "count_betting", lambda _game: counts)  # the second weighing is free
    whole = count_infosets(game)
    assert all(isinstance(number, int) for count in counts for number in count)
    assert f"{whole.infosets:.7e}" == infosets
    assert actions is None or f"{whole.actions:.7e}" == actions
    pytest.importorskip("kibitz.isomorphism")
    assert f"{count_infosets(game, canonical=True).infosets:.7e}" == canonical


@pytest.mark.parametrize(
    ("stack", "decisions", "actions"),
    [
        (6, [12, 28, 44, 60], [33, 64, 96, 128]),
        (8, [28, 100, 220, 388], [81, 248, 512, 872]),
        (10, [60, 300, 860, 1868], [177, 784, 2096, 4368]),
        (12, [120, 800, 2888, 7568], [357, 2164, 7300, 18292]),
    ],
)
def test_tiny_nolimit_holdem(stack, decisions, actions):
    game = nolimit_holdem(2, stack, 1, 2)
    assert column(game, "decisions") == decisions
    assert column(game, "actions") == actions


SMALL = [
    nolimit_holdem(2, 6, 1, 2),
    nolimit_holdem(2, 9, 2, 3),
    replace(nolimit_holdem(2, 9, 1, 2), rules="tda"),
    replace(nolimit_holdem(2, 10, 1, 2), antes=(1, 1)),
    replace(nolimit_holdem(2, 9, 1, 3), min_bet=1),
    replace(nolimit_holdem(2, 9, 1, 3), min_bet=2, rules="tda"),
    replace(nolimit_holdem(2, 7, 1, 1), blinds=(0, 0)),
    replace(nolimit_holdem(2, 7, 1, 1), blinds=(1, 1)),
    replace(nolimit_holdem(2, 9, 1, 2), stacks=(9, 7)),
    replace(nolimit_holdem(2, 9, 1, 2), first_players=(0, 0, 0, 0)),
    replace(nolimit_holdem(2, 9, 1, 2), max_raises=(2, 1, 0, 3)),
    replace(nolimit_holdem(2, 2, 1, 2), stacks=(2, 2)),
    replace(nolimit_holdem(2, 2, 1, 2), stacks=(2, 1)),
    nolimit_holdem(3, 4, 1, 2),
    replace(nolimit_holdem(3, 4, 1, 2), stacks=(3, 5, 4), rules="tda"),
    replace(limit_holdem(2), stacks=(25, 37)),
    replace(limit_holdem(3), stacks=(25, 37, 15), rules="tda"),
    leduc_nolimit(6),
    kuhn(4),
    load_game("leduc"),
    load_game("clairvoyance"),
    load_game("kuhn-half-street"),
]


@pytest.mark.parametrize("game", SMALL, ids=range(len(SMALL)))
def test_counts_equal_plain_enumeration(game):
    assert [list(count) for count in count_betting(game)] == plain_counts(game)


@pytest.mark.parametrize("stack", [2, 3, 5, 17, 30])
@pytest.mark.parametrize("rules", ["acpc", "tda"])
def test_the_closed_form_equals_the_walk(stack, rules):
    game = replace(nolimit_holdem(2, stack, 1, 2), rules=rules)
    assert count_betting(game) == counting_module._count_walking(game, None)


def test_players_share_the_decisions():
    for game in (load_game("leduc"), limit_holdem(3), nolimit_holdem(2, 12, 1, 2)):
        shares = [count_betting(game, player) for player in range(game.players)]
        for whole, *parts in zip(count_betting(game), *shares, strict=True):
            assert sum(part.decisions for part in parts) == whole.decisions
            assert sum(part.actions for part in parts) == whole.actions


def test_who_does_not_look_has_fewer_infosets():
    """Clairvoyance: two cards and one decision for the first player, 50 bets to answer for the second."""
    assert count_infosets(load_game("clairvoyance")) == InfosetCount(2 + 50, 2 * 51 + 50 * 2)


def test_isomorphic_hands_count_once():
    pytest.importorskip("kibitz.isomorphism")
    assert count_infosets(load_game("leduc"), canonical=True).infosets == 6 * 3 + 30 * 15
    assert count_infosets(load_game("kuhn"), canonical=True) == count_infosets(load_game("kuhn"))
    assert count_infosets(load_game("clairvoyance"), canonical=True).infosets == 52


def test_a_hand_without_decisions_has_none():
    game = replace(nolimit_holdem(2, 20, 1, 2), stacks=(2, 1))
    assert isinstance(game, Game)
    assert count_infosets(game) == (0, 0)


def test_many_players_limit_in_a_moment():
    """Where no stack can run out only what is to call matters, so the states of a round are few."""
    capped = replace(limit_holdem(4), stacks=(10_000,) * 4)  # more than the 310 chips four rounds can cost
    assert count_betting(capped) == count_betting(limit_holdem(4))
    assert column(limit_holdem(6), "decisions")[0] == 38_828


def test_what_would_take_for_ever_is_refused(monkeypatch):
    monkeypatch.setattr(counting_module, "_MOST_STEPS", 1000)
    with pytest.raises(GameError, match="holdem-nolimit-3p is too large to count"):
        count_betting(nolimit_holdem(3, 40, 1, 2))


def test_partitions_of_numbers():
    assert count_partitions(101, 1)[100] == 190_569_292  # MacMahon
    assert count_partitions(12, 3) == [1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6]
    assert count_partitions(3, 5) == [1, 0, 0]


def test_products_of_polynomials():
    left, right = [3**n for n in range(40)], [n**20 for n in range(1, 61)]
    plain = [sum(left[i] * right[n - i] for i in range(n + 1) if i < 40 and n - i < 60) for n in range(50)]
    assert convolve(left, right, 50) == plain
    assert convolve([1, 0, 0], [7, 0, 5], 3) == [7, 0, 5]
    assert count_reaching([1, 2, 3], [10, 20, 30]) == 1 * 60 + 2 * 30 + 3 * 10
