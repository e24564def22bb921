"""The settings of a reader: which mapping where, which pot, all-ins and tiny bets."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from kibitz.games import State, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.translation import Reading, TranslationError, TreePlace, menu_places
from kibitz.translation.places import Raises, real_pot
from kibitz.tree import build_tree

HOLDEM = load_game("holdem-nolimit-2p")


def place(sizes, bet=100, pot=200, all_in=True, call=1, round_=0):
    """A place of the abstract hand at which these fractions of its pot may be raised."""
    amounts = [bet + round(size * pot) for size in sizes]
    return SimpleNamespace(raises=Raises(bet, pot, amounts, list(sizes), all_in), call=call, round=round_)


def test_shares_by_round_and_by_size():
    reading = Reading("det-arith under 1, rand-arith under 2.5, det-geo | rand-psharmonic")
    assert reading.shares(0.4, 0.0, 1.0, round_=0) == 1.0
    assert reading.shares(1.2, 1.0, 2.0, round_=0) == pytest.approx(0.8)
    assert reading.shares(1.6, 1.0, 3.0, round_=0) == 1.0
    assert reading.shares(1.8, 1.0, 3.0, round_=0) == 0.0
    for later in (1, 2, 3):
        assert reading.shares(0.25, 0.0, 1.0, later) == pytest.approx(0.6)
    assert Reading("Rand-psHar").shares(0.25, 0.0, 1.0) == Reading().shares(0.25, 0.0, 1.0)


def test_the_limit_is_compared_with_the_larger_neighbour():
    reading = Reading("det-arith under 1, rand-arith")
    assert reading.shares(0.25, 0.0, 1.0) == 1.0
    assert reading.shares(0.25, 0.0, 1.01) == pytest.approx(1 - 0.25 / 1.01)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mapping": ""}, "'' in '': a mapping, or one with a limit"),
        ({"mapping": "rand-arith over 1"}, "'rand-arith over 1' in "),
        ({"mapping": "rand-arith under x, det-geo"}, "'rand-arith under x'"),
        ({"mapping": "nearest"}, "no mapping 'nearest'"),
        ({"mapping": "rand-arith under 1"}, "the last mapping of a round must serve for all sizes"),
        ({"mapping": "rand-arith | det-geo under 2"}, "must serve for all sizes"),
        ({"mapping": "rand-arith |"}, "'' in 'rand-arith |'"),
        ({"measure": "blinds"}, "measure 'blinds': it is pots or chips"),
        ({"all_in": "never"}, "all_in 'never': it is exact or size"),
        ({"tiny": "fold"}, "tiny 'fold': it is check or bet"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(TranslationError, match=message.replace("|", r"\|")):
        Reading(**settings)


def test_a_bet_between_two_sizes():
    # 0.7 of a pot of 1000: (1.0 - 0.7) 1.5 / (0.5 * 1.7) = 0.529...
    readings = Reading().raises(place([0.5, 1.0, 99.5]), 500, 1000, 1200, False)
    assert [number for number, _ in readings] == [2, 3]
    assert readings[0][1] == pytest.approx(0.45 / 0.85)
    assert sum(share for _, share in readings) == pytest.approx(1)


@pytest.mark.parametrize("call", [0, 1])
def test_what_is_certain(call):
    here = place([0.5, 1.0, 99.5], call=call)
    certain = {500 + 500: 1, 500 + 1000: 2, 500 + 99_500: 3, 500 + 200_000: 3}  # on the menu, or more than all-in
    for amount, number in certain.items():
        assert Reading().raises(here, 500, 1000, amount, False) == [(call + number, 1.0)]
    assert Reading("det-arith").raises(here, 500, 1000, 600, False) == [(call, 1.0)]
    assert Reading("det-arith").raises(here, 500, 1000, 800, False) == [(call + 1, 1.0)]
    assert Reading("det-geo").raises(here, 500, 1000, 501, False) == [(call + 1, 1.0)]  # never a check
    assert Reading().raises(place([], all_in=False, call=call), 500, 1000, 600, True) == [(call, 1.0)]


def test_all_in_is_all_in_or_a_size():
    here = place([1.0, 99.5])
    assert Reading(all_in="exact").raises(here, 500, 1000, 1500, True) == [(3, 1.0)]
    assert Reading().raises(here, 500, 1000, 1500, True) == [(2, 1.0)]
    without = place([1.0, 5.0], all_in=False)  # the menu has no all-in: it is a size
    assert Reading(all_in="exact").raises(without, 500, 1000, 1500, True) == [(2, 1.0)]


def test_tiny_bets():
    here = place([0.5, 1.0])
    assert [number for number, _ in Reading().raises(here, 500, 1000, 510, False)] == [1, 2]
    assert Reading(tiny="bet").raises(here, 500, 1000, 510, False) == [(2, 1.0)]
    assert len(Reading(tiny="bet").raises(here, 500, 1000, 1200, False)) == 2  # others are read as ever


def test_pots_or_chips():
    here = place([0.5, 1.0, 4.0], bet=100, pot=200)
    # In the real hand 300 is to match and 600 in the pot; a raise to 600 is half of it, but 2.5 abstract pots.
    assert Reading().raises(here, 300, 600, 600, False) == [(2, 1.0)]
    in_chips = Reading("rand-arith", measure="chips").raises(here, 300, 600, 600, False)
    assert in_chips == [(3, pytest.approx(0.5)), (4, pytest.approx(0.5))]
    # Chips less than the abstract bet are a call.
    assert Reading(measure="chips").raises(here, 20, 40, 80, False) == [(1, 1.0)]


@pytest.mark.parametrize("mapping", ["rand-psharmonic", "det-psharmonic", "rand-geo-1"])
@pytest.mark.parametrize("measure", ["pots", "chips"])
def test_a_hundred_times_the_chips_read_alike(mapping, measure):
    def read(scale):
        game = replace(HOLDEM, stacks=(20_000 * scale,) * 2, blinds=(100 * scale, 50 * scale), min_bet=100 * scale)
        state = State.start(game)
        here = menu_places(game, "0.5, 1, all-in")
        return [
            Reading(mapping, measure).raises(here, state.bet, state.pot + state.to_call, amount * scale, False)
            for amount in range(200, 2000, 50)
        ]

    for one, other in zip(read(1), read(100), strict=True):
        assert [number for number, _ in one] == [number for number, _ in other]
        assert [share for _, share in one] == pytest.approx([share for _, share in other])


@pytest.mark.parametrize("measure", ["pots", "chips"])
def test_bets_into_an_empty_pot_are_measured_by_the_smallest_bet(measure):
    for scale in (1, 100):
        game = replace(leduc_nolimit(), stacks=(5 * scale,) * 2, blinds=(0, 0), antes=(0, 0), min_bet=scale)
        here = menu_places(game, "min, 1, all-in")  # a pot of nothing is no bet
        assert here.raises == (0, scale, [scale, 5 * scale], [1.0, 5.0], True)
        assert TreePlace(build_tree(game, "min, 1, all-in")).raises == here.raises
        readings = Reading("rand-arith", measure).raises(here, 0, real_pot(State.start(game)), 2 * scale, False)
        assert readings == [(1, 0.75), (2, 0.25)]
