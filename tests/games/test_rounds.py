"""How a hand runs: who acts, when a round ends, blinds, straddles, antes, all-ins."""

from dataclasses import replace

import pytest

from kibitz.cards import parse_cards
from kibitz.games import Deal, State, load_game
from kibitz.games.named import limit_holdem, nolimit_holdem

BOTH = pytest.mark.parametrize("rules", ["acpc", "tda"])


def players_of(state, actions):
    """Who acts at each of `actions`."""
    order = []
    for action in actions:
        order.append(state.player)
        state = state.apply(action)
    return order


@pytest.mark.parametrize(
    ("name", "actions", "order"),
    [
        ("holdem-nolimit-2p", "cccccccc", [1, 0, 0, 1, 0, 1, 0, 1]),
        ("holdem-nolimit-3p", "ccccccc", [2, 0, 1, 0, 1, 2, 0]),
        ("holdem-nolimit-6p", "fcfccccc", [2, 3, 4, 5, 0, 1, 0, 1]),
        ("holdem-limit-3p", "rrrcccc", [2, 0, 1, 2, 0, 0, 1]),
        ("leduc", "crcrc", [0, 1, 0, 0, 1]),
        ("kuhn-3p", "ccrfc", [0, 1, 2, 0, 1]),
    ],
)
def test_who_acts_when(name, actions, order):
    assert players_of(State.start(load_game(name)), actions) == order


def test_ten_players():
    state = State.start(nolimit_holdem(10))
    assert players_of(state, "f" * 9) == [2, 3, 4, 5, 6, 7, 8, 9, 0]
    state = state.play("f" * 9)
    assert state.finished
    assert state.returns() == (-50, 50, *(0,) * 8)
    called = State.start(limit_holdem(10)).play("c" * 40)
    assert called.history == "/".join(["c" * 10] * 4)
    assert called.finished
    assert called.spent == (10,) * 10


def test_rounds_are_separated_as_they_end():
    state = State.start(load_game("holdem-nolimit-2p"))
    assert state.play("r300c").history == "r300c/"
    assert state.play("r300c/cc").history == "r300c/cc/"
    assert state.play("r300ccccccc").history == "r300c/cc/cc/cc"
    assert state.play("r300c/r400f").history == "r300c/r400f"


@BOTH
@pytest.mark.parametrize(
    ("actions", "history"),
    [
        ("r20000c", "r20000c///"),
        ("r19686r20000c", "r19686r20000c///"),
        ("cc/r20000c", "cc/r20000c//"),
        ("cc/cc/cr20000c", "cc/cc/cr20000c/"),
        ("cc/cc/cc/r20000c", "cc/cc/cc/r20000c"),
    ],
)
def test_all_in_runs_the_cards_out(table, rules, actions, history):
    state = table((20000, 20000), (100, 50), rules).play(actions)
    assert (state.history, state.finished, state.round) == (history, True, 3)
    assert state.spent == (20000, 20000)


@BOTH
def test_two_with_chips_bet_on_beside_an_all_in(table, rules):
    state = table((1000, 1000, 300), (50, 100, 0), rules).play("r300cc")
    assert (state.history, state.player) == ("r300cc/", 0)
    state = state.play("r500f")
    assert (state.history, state.finished) == ("r300cc/r500f//", True)


@BOTH
def test_one_with_chips_does_not_bet_against_all_ins(table, rules):
    state = table((300, 1000, 300), (50, 100, 0), rules).play("r300cc")
    assert (state.history, state.finished) == ("r300cc///", True)


def test_the_last_to_act_is_asked_even_if_only_all_ins_are_left():
    """As the original dealer does: a short call, a fold, and the big blind still says `c`."""
    game = replace(nolimit_holdem(3), stacks=(1000, 1000, 80))
    state = State.start(game).play("cf")
    assert (state.player, str(state.legal())) == (1, "c")
    state = state.play("c")
    assert (state.history, state.spent) == ("cfc///", (50, 100, 80))


def test_a_straddle_is_one_more_blind(table):
    state = table((100,) * 5, (1, 2, 4, 0, 0))
    assert (state.player, state.bet, str(state.legal())) == (3, 4, "f, c, r8..r100")
    state = state.play("cccc")
    assert (state.player, state.history) == (2, "cccc")  # the straddler may still raise
    assert state.play("r8").player == 3
    flop = state.play("c")
    assert (flop.history, flop.player) == ("ccccc/", 0)
    assert flop.legal().min_raise_to == 4 + 4
    with_bet = table((100,) * 5, (1, 2, 4, 0, 0), "tda", min_bet=2)
    assert with_bet.legal().min_raise_to == 8
    assert with_bet.play("ccccc").legal().min_raise_to == 4 + 2


def test_a_minimum_bet_replaces_the_blind_under_acpc_rules(table):
    state = table((1000, 1000), (100, 50), min_bet=25)
    assert state.legal().min_raise_to == 125
    assert state.play("cc").legal().min_raise_to == 125


def test_without_blinds_one_chip_can_be_bet(table):
    state = table((10, 10), (0, 0), first=0)
    assert (state.player, str(state.legal())) == (0, "c, r1..r10")
    assert state.play("cc/r1c/").legal().min_raise_to == 2


@BOTH
def test_a_short_blind_is_all_in(table, rules):
    state = table((1000, 30, 1000), (50, 100, 0), rules)
    assert state.spent == (50, 30, 0)
    assert state.player == 2
    state = state.play("cc")
    assert (state.history, state.player) == ("cc/", 0)  # the short blind takes no part


@BOTH
def test_everybody_all_in_in_the_blinds(table, rules):
    state = table((100, 50), (100, 50), rules)
    assert (state.history, state.finished, state.spent) == ("///", True, (100, 50))
    state = table((30, 20), (100, 50), rules)
    assert (state.history, state.finished, state.spent) == ("///", True, (30, 20))


@BOTH
def test_the_only_one_with_chips_acts_only_when_facing_a_bet(table, rules):
    facing = table((100, 1000), (100, 50), rules)
    assert (facing.player, str(facing.legal())) == (1, "f, c")
    assert facing.play("c").history == "c///"
    covered = table((40, 1000), (100, 50), rules)
    if rules == "acpc":  # as the original dealer does, which asks whoever has chips
        assert (covered.player, str(covered.legal())) == (1, "c")
        covered = covered.play("c")
        assert (covered.history, covered.finished) == ("c///", True)
    else:
        assert (covered.history, covered.finished) == ("///", True)


@BOTH
def test_a_stack_of_nought_takes_no_part(table, rules):
    state = table((1000, 1000, 0), (50, 100, 0), rules)
    assert players_of(state, "ccccc") == [0, 1, 0, 1, 0]


def test_antes_are_dead_money(table):
    state = table((100, 100, 100), (1, 2, 0), antes=(5, 5, 5))
    assert (state.spent, state.pot, state.to_call) == ((1, 2, 0), 18, 2)
    assert str(state.legal()) == "f, c, r4..r95"  # sizes leave the ante out
    assert state.play("r95").spent == (1, 2, 95)
    state = state.play("ff")
    assert state.returns() == (-6, 11, -5)


def test_an_ante_is_posted_before_the_blind(table):
    state = table((7, 6, 100), (1, 2, 0), antes=(5, 5, 5))
    assert (state.spent, state.pot) == ((1, 1, 0), 17)  # one chip was left for the big blind
    state = table((5, 4, 100), (1, 2, 0), antes=(5, 5, 5))
    assert (state.player, str(state.legal()), state.spent, state.pot) == (2, "c", (0, 0, 0), 14)
    assert state.play("c").history == "c///"


def test_the_big_blinds_ante(table):
    """One player posts for all; it belongs to nobody, so it is not trimmed to what the others posted."""
    deal = Deal((parse_cards("AsAh"), parse_cards("KsKh"), parse_cards("2c3d")), parse_cards("9c9d9h7s6s"))
    state = table((100, 100, 100), (1, 2, 0), antes=(0, 2, 0), ante_trimming=False, deal=deal)
    assert state.pot == 5
    assert state.play("ff").returns() == (-1, 1, 0)
    assert state.play("ccc/ccc/ccc/ccc").returns() == (6, -4, -2)
    short = table((100, 3, 100), (1, 2, 0), antes=(0, 2, 0), ante_trimming=False, deal=deal)
    assert short.spent == (1, 1, 0)


def test_the_clairvoyant_is_answered_and_the_other_does_not_look():
    deal = Deal(((51,), (47,)))
    state = State.start(load_game("clairvoyance"), deal)
    assert state.seen_by(0).hole == ((51,), ())
    assert state.seen_by(1).hole == ((), ())
    assert state.play("c").returns() == (5, -5)
    assert state.play("r55c").returns() == (55, -55)
    assert state.play("r55f").returns() == (5, -5)
    assert state.play("c").seen_by(1).hole == ((51,), (47,))


@pytest.mark.parametrize(
    ("first", "second", "board", "winner"),
    [
        ("As", "2c", "KsQs", 0),  # straight flush over high card
        ("Ah", "Ad", "AsAc", None),  # three aces each
        ("Ah", "Ks", "AsAc", 0),
        ("2c", "9d", "9c9h", 1),  # three of a kind over a pair
        ("4c", "9s", "2s3s", 0),  # straight over flush
        ("Ac", "9s", "2s3s", 0),  # the ace is low in A23
        ("Qs", "9h", "9s2s", 0),  # flush over pair
        ("4s", "Kc", "AhQd", 1),  # straight AKQ
    ],
)
def test_rhode_island_showdowns(first, second, board, winner):
    deal = Deal((parse_cards(first), parse_cards(second)), parse_cards(board))
    state = State.start(load_game("rhode-island"), deal).play("rc/rc/rc")
    won = 5 + 10 + 20 + 20
    expected = (0, 0) if winner is None else (won, -won) if winner == 0 else (-won, won)
    assert state.returns() == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("AsAhQs", (0, 0)), ("AsKhQs", (13, -13)), ("KsAhKh", (13, -13)), ("QsKhKs", (-13, 13)), ("QsQhAs", (0, 0))],
)
def test_leduc_showdowns(cards, expected):
    first, second, board = parse_cards(cards)
    state = State.start(load_game("leduc"), Deal(((first,), (second,)), (board,)))
    assert state.play("rrc/rrc").returns() == expected
    assert state.play("rrf").returns() == (-3, 3)


@pytest.mark.parametrize("name", ["kuhn", "holdem-limit-3p"])
def test_hands_of_real_length(name):
    state = State.start(load_game(name))
    while not state.finished:
        state = state.apply("r" if "r" in state.legal() else "c")
    assert state.history == {"kuhn": "rc", "holdem-limit-3p": "rrrcc/rrrrcc/rrrrcc/rrrrcc"}[name]
