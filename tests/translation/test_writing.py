"""Choices of the abstract betting as legal actions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.games import State, load_game
from kibitz.translation import TranslationError, blurred, menu_places, pot_fraction, raise_to, write

HOLDEM = load_game("holdem-nolimit-2p")


@given(pots=st.floats(0, 500))
def test_raise_to_is_the_nearest_legal_amount(pots):
    state = State.start(HOLDEM).play("r300c/r600")
    legal = state.legal()
    amount = int(raise_to(state, pots)[1:])
    wanted = 600 + pots * 1200
    assert amount == min(max(round(wanted), legal.min_raise_to), legal.max_raise_to) or abs(amount - wanted) == 0.5
    if legal.min_raise_to < amount < legal.max_raise_to:
        assert pot_fraction(state, amount) == pytest.approx(pots, abs=0.5001 / 1200)


def test_halves_go_up_and_ends_are_kept():
    state = State.start(HOLDEM).play("cc/")  # a pot of 200
    assert raise_to(state, 0.6025) == "r221"  # 120.5 chips
    assert raise_to(state, 0) == "r200"
    assert raise_to(state, 1e6) == "r20000"
    assert raise_to(State.start(HOLDEM).play("r20000"), 1.0) == "c"  # nothing can be raised
    assert raise_to(State.start(load_game("leduc")), 0.1) == "r"


def test_a_choice_keeps_its_fraction_of_the_pot():
    place = menu_places(HOLDEM, "0.5, 1, all-in").child(1).child(0)  # cc/
    state = State.start(HOLDEM).play("r600c/")
    assert [write(place, number, state) for number in range(4)] == ["c", "r1200", "r1800", "r20000"]
    facing = State.start(HOLDEM).play("r600c/r1200")
    before = place.child(1)
    assert [write(before, number, facing) for number in range(5)] == ["f", "c", "r2400", "r3600", "r20000"]


def test_half_chips_of_a_choice_go_up():
    place = menu_places(HOLDEM, "0.75").child(1).child(0)
    assert write(place, 1, State.start(HOLDEM).play("r601c/")) == "r1503"  # 901.5 chips


def test_what_is_impossible_is_a_call():
    facing = menu_places(HOLDEM, "1, all-in").child(1).child(0).child(1)
    assert write(facing, 0, State.start(HOLDEM).play("cc/")) == "c"  # nothing to fold to
    all_in = State.start(HOLDEM).play("r20000")
    assert write(menu_places(HOLDEM, "1, all-in"), 2, all_in) == "c"


def test_a_choice_stays_within_the_legal_sizes():
    place = menu_places(replace(HOLDEM, min_bet=1), "0.1").child(1).child(0)
    state = State.start(HOLDEM).play("cc/")
    assert write(place, 1, state) == "r200"  # a tenth of the pot would be 20 chips


def test_blurred_sizes():
    state = State.start(HOLDEM).play("r600c/")  # a pot of 1200
    assert [blurred(state, 1.0, 0.3, uniform) for uniform in (0.0, 0.5, 1.0)] == ["r1440", "r1800", "r2160"]
    assert blurred(state, 1.0, 0.0, 0.9) == "r1800"
    with pytest.raises(TranslationError, match=r"a spread of 1\.5: from 0 to 1"):
        blurred(state, 1.0, 1.5, 0.5)


def test_an_empty_pot_counts_as_the_smallest_bet():
    game = replace(HOLDEM, blinds=(0, 0), min_bet=100)
    state, place = State.start(game), menu_places(game, "min, full")
    assert pot_fraction(state, 250) == 2.5
    assert raise_to(state, 2.5) == "r250"
    assert [write(place, number, state) for number in (0, 1, 2)] == ["c", "r100", "r101"]
