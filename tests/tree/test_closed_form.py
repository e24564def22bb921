"""Sizes of games against published figures, plain enumeration and each other."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from kibitz.games import Deal, State, load_game
from kibitz.games.named import kuhn, leduc_nolimit, limit_holdem, nolimit_holdem
from kibitz.tree import count as count_module
from kibitz.tree.closed_form import convolve, count_heads_up, count_partitions, count_reaching, is_plain_heads_up
from kibitz.tree.size import size_report


def column(game, name):
    return [getattr(count, name) for count in count_heads_up(game)]


def offered(state):
    """Legal actions, without a fold where there is nothing to call."""
    return [action for action in state.legal().actions() if action != "f" or state.to_call > 0]


def walk(state):
    """Every state of the betting tree below and including `state`."""
    yield state
    if not state.finished:
        for action in offered(state):
            yield from walk(state.apply(action))


def plain_counts(game):
    """What counts should say, one history at a time."""
    totals = [[0, 0, 0, 0] for _ in range(game.rounds)]
    for state in walk(State.start(game)):
        round_ = state.history.rstrip("/").count("/")
        if not state.finished:
            totals[state.round][0] += 1
            totals[state.round][1] += len(offered(state))
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
    assert size_report(game, suits_merged=False).infosets == infosets


def test_limit_holdem():
    report = size_report(limit_holdem(), suits_merged=False)
    assert [sum(each.decisions) for each in report.rounds] == [8, 70, 630, 5670]
    assert [each.folds for each in report.rounds] == [7, 56, 504, 4536]
    assert [each.showdowns for each in report.rounds] == [0, 0, 0, 5103]
    assert (report.infosets, report.pairs) == (319_365_922_522_608, 830_351_398_559_046)
    merged = size_report(limit_holdem())
    assert (merged.infosets, merged.pairs) == (13_803_249_787_132, 35_888_449_446_577)


def test_three_player_limit_holdem():
    report = size_report(limit_holdem(3))
    assert [sum(each.decisions) for each in report.rounds] == [90, 4_412, 205_962, 9_501_342]
    assert [sum(each.actions) for each in report.rounds] == [219, 10_864, 507_570, 23_418_654]


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
    counts = count_heads_up(game)
    monkeypatch.setattr(count_module, "count_heads_up", lambda _game: counts)  # the second weighing is free
    whole = size_report(game, suits_merged=False)
    assert all(isinstance(number, int) for count in counts for number in count)
    assert f"{whole.infosets:.7e}" == infosets
    assert actions is None or f"{whole.pairs:.7e}" == actions
    assert f"{size_report(game).infosets:.7e}" == canonical


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
    wanted = plain_counts(game)
    if is_plain_heads_up(game):
        assert [list(count) for count in count_heads_up(game)] == wanted
    rounds = size_report(game).rounds
    assert [[sum(each.decisions), sum(each.actions), each.folds, each.showdowns] for each in rounds] == wanted


def test_who_does_not_look_has_fewer_infosets():
    """Clairvoyance: two cards and one decision for the first player, 50 bets to answer for the second."""
    report = size_report(load_game("clairvoyance"))
    assert (report.infosets, report.pairs) == (2 + 50, 2 * 51 + 50 * 2)


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
