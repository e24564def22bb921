"""Who is paid what: side pots, folders' money, split pots and odd chips, antes."""

from fractions import Fraction

import pytest

from kibitz.cards import parse_cards
from kibitz.games import Deal
from kibitz.games.pots import layers, payoffs

BOARD = parse_cards("2c7d9hJsKc")
ACES, KINGS, QUEENS, TENS = map(parse_cards, ("AsAh", "KsKh", "QsQh", "TsTh"))


def pay(spent, strength, antes=None, whole_chips=False, **options):
    return payoffs(spent, antes or (0,) * len(spent), strength, whole_chips=whole_chips, **options)


def test_each_distinct_amount_closes_a_side_pot():
    assert list(layers((50, 200, 200))) == [(50, [0, 1, 2]), (150, [1, 2])]
    assert list(layers((0, 0))) == []
    assert list(layers((100, 0, 30, 60))) == [(30, [0, 2, 3]), (30, [0, 3]), (40, [0])]


@pytest.mark.parametrize(
    ("spent", "strength", "net"),
    [
        ((100, 100), (2, 1), (100, -100)),
        ((100, 300), (2, 1), (100, -100)),  # what nobody called comes back
        ((100, 300), (1, 2), (-100, 100)),
        ((50, 200, 200), (3, 2, 1), (100, 100, -200)),  # the short stack wins the main pot only
        ((50, 200, 200), (3, 1, 2), (100, -200, 100)),
        ((50, 200, 200), (1, 3, 2), (-50, 250, -200)),
        ((50, 100, 200, 400), (4, 3, 2, 1), (150, 50, 0, -200)),
        ((50, 100, 200, 400), (1, 2, 3, 4), (-50, -100, -200, 350)),
        ((50, 100, 200, 400), (3, 4, 1, 2), (-50, 250, -200, 0)),
        ((50, 100, 200, 200), (3, 3, 2, 1), (50, 150, 0, -200)),
        ((100, 100, 100), (5, 5, 1), (50, 50, -100)),
    ],
)
def test_side_pots(spent, strength, net):
    assert pay(spent, strength) == net
    assert pay(spent, strength, whole_chips=True) == net


@pytest.mark.parametrize(
    ("spent", "strength", "net"),
    [
        ((30, 100, 100), (-1, 2, 1), (-30, 130, -100)),
        ((150, 50, 200, 200), (-1, 3, 2, 1), (-150, 150, 200, -200)),
        ((150, 50, 200, 200), (-1, 3, 1, 2), (-150, 150, -200, 200)),
        ((10, 20, 0, 20), (-1, -1, -1, 0), (-10, -20, 0, 30)),
    ],
)
def test_folders_leave_their_money_in_every_pot_they_reached(spent, strength, net):
    assert pay(spent, strength) == net
    assert pay(spent, strength, whole_chips=True) == net


def test_a_pot_that_only_folders_reached_goes_to_those_left():
    assert pay((200, 200, 100), (-1, -1, 0)) == (-200, -200, 400)


def test_acpc_halves_odd_chips():
    assert pay((25, 100, 100), (-1, 2, 2)) == (-25, 12.5, 12.5)
    assert pay((10, 10, 10, 5), (3, 3, 3, -1)) == pytest.approx((5 / 3, 5 / 3, 5 / 3, -5))


def test_odd_chips_go_to_the_first_seats_when_chips_are_whole():
    assert pay((25, 100, 100), (-1, 2, 2), whole_chips=True) == (-25, 13, 12)
    assert pay((100, 25, 100), (2, -1, 2), whole_chips=True) == (13, -25, 12)
    assert pay((10, 10, 10, 5), (3, 3, 3, -1), whole_chips=True) == (2, 2, 1, -5)
    assert pay((10, 10, 10, 4), (3, 3, 3, -1), whole_chips=True) == (2, 1, 1, -4)


def test_each_side_pot_has_its_own_odd_chips():
    # The main pot of 4 x 51 + 2 = 206 is split 69, 69, 68; the side pot of 3 x 49 = 147 is split 74, 73.
    spent, strength = (51, 100, 100, 100, 2), (5, 5, 5, -1, -1)
    assert pay(spent, strength, whole_chips=True) == (69 - 51, 69 + 74 - 100, 68 + 73 - 100, -100, -2)


def test_folders_levels_do_not_divide_a_pot():
    """Two players split 1 + 1 + 2 + 2 + 2 = 8 chips: four each, although folders left at two levels."""
    assert pay((2, 2, 2, 1, 1), (9, 9, -1, -1, -1), whole_chips=True) == (2, 2, -2, -1, -1)


def test_antes_and_bets_are_one_pot():
    """Three antes of 1 and a small blind of 1 that folded are 4 chips beside the bets: two each."""
    assert pay((2, 2, 1), (9, 9, -1), antes=(1, 1, 1), whole_chips=True) == (1, 1, -2)


@pytest.mark.parametrize("whole_chips", [False, True])
def test_a_short_ante_wins_as_much_from_each(whole_chips):
    paid = pay((0, 10, 10), (3, 2, 1), antes=(2, 5, 5), whole_chips=whole_chips)
    assert paid == (4, 11, -15)  # 2 from each, the rest of the antes and the bets to the second
    paid = pay((0, 10, 10), (3, 2, 1), antes=(2, 5, 5), whole_chips=whole_chips, ante_trimming=False)
    assert paid == (10, 5, -15)  # all antes


@pytest.mark.parametrize("whole_chips", [False, True])
def test_what_only_folders_reached_falls_to_those_who_reached_most(whole_chips):
    # The best hand has 5 of the 10 that the last one left has posted; 50 of the folder's 60 are above both.
    assert payoffs((0, 0, 0), (60, 5, 10), (-1, 9, 1), whole_chips=whole_chips) == (-60, 10, 50)


def test_an_ante_for_the_table_belongs_to_all():
    assert pay((2, 2, 2), (3, 1, 2), antes=(0, 3, 0), ante_trimming=False) == (7, -5, -2)
    assert pay((2, 2, 2), (3, 1, 2), antes=(0, 3, 0)) == (4, -2, -2)  # trimmed: nobody matched it


def test_every_chip_is_paid_out():
    for spent in ((3, 7, 7), (1, 2, 3), (5, 5, 5)):
        for strength in ((1, 1, 1), (2, 1, 1), (-1, 1, 1), (1, 2, -1)):
            for antes in ((0, 0, 0), (1, 1, 1), (0, 4, 0)):
                for trimming in (True, False):
                    paid = pay(spent, strength, antes, whole_chips=True, ante_trimming=trimming)
                    assert sum(paid) == 0
                    assert all(chips == int(chips) for chips in paid)


def test_three_all_ins_of_unequal_stacks(table):
    deal = Deal((QUEENS, KINGS, ACES), BOARD)
    state = table((1000, 600, 200), (50, 100, 0), deal=deal).play("r200r1000c")
    assert state.history == "r200r1000c///"
    assert state.spent == (1000, 600, 200)
    # Kings make three of a kind on this board: they win everything but the uncalled 400.
    assert state.returns() == (-600, 800, -200)


def test_four_unequal_stacks_and_a_folder(table):
    deal = Deal((ACES, TENS, QUEENS, parse_cards("3c4c"), parse_cards("AdAc")), BOARD)
    state = table((100, 300, 500, 500, 500), (10, 20, 0, 0, 0), deal=deal).play("r100fr500ccf")
    assert state.spent == (100, 300, 100, 0, 500)
    # Aces tie for the main pot of 400; the second aces win the 400 of the side pot and get 200 back.
    assert state.returns() == (100, -300, -100, 0, 300)


def test_the_board_plays_for_all(table):
    deal = Deal((parse_cards("2c3c"), parse_cards("2d3d"), parse_cards("2h3h")), parse_cards("AsKsQsJsTs"))
    start = table((100, 100, 100), (1, 2, 0), deal=deal)
    assert start.play("ccc/ccc/ccc/ccc").returns() == (0, 0, 0)
    assert start.play("cfc/cc/cc/cc").returns() == (-1, 0.5, 0.5)
    whole = table((100, 100, 100), (1, 2, 0), "tda", deal=deal)
    assert whole.play("cfc/cc/cc/cc").returns() == (-1, 1, 0)


def test_thirds_add_up_to_nothing(table):
    deal = Deal(tuple(map(parse_cards, ("2c3c", "2d3d", "2h3h", "4c4d"))), parse_cards("AsKsQsJsTs"))
    state = table((100,) * 4, (1, 2, 0, 0), deal=deal).play("ccfc/ccc/ccc/ccc")
    assert sum(state.returns()) == pytest.approx(0, abs=1e-9)
    assert state.returns()[2] == pytest.approx(float(Fraction(1, 3)))
