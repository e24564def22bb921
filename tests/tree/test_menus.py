"""The language of bet sizes, and what a menu offers in a hand."""

from dataclasses import replace
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.games import Game, State, load_game
from kibitz.games.named import nolimit_holdem
from kibitz.tree import MENUS, Menu, build_tree, parse_menu
from kibitz.tree.build import successors
from kibitz.tree.menus import MenuError, Size

NUMBERS = st.from_regex(r"[0-9]{1,6}(\.[0-9]{0,9})?|\.[0-9]{1,9}", fullmatch=True).filter(lambda text: float(text) > 0)
SCOPES = st.sampled_from(["", " once", " once-for-all"])
PLACES = st.one_of(
    st.just(""),
    st.integers(1, 9).map(lambda n: f" @{n}"),
    st.integers(1, 9).map(lambda n: f"@{n}-"),
    st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda pair: f" @{pair[0]}-{pair[0] + pair[1]}"),
)
SIZES = st.tuples(NUMBERS | st.sampled_from(["min", "all-in", "full", "r"]), SCOPES, PLACES).map("".join)
MENU_TEXTS = st.lists(st.lists(SIZES, max_size=4).map(", ".join), min_size=1, max_size=4).map(" | ".join)


def test_a_percentage_is_a_fraction_of_the_pot():
    assert Menu.parse("33%, 7% once, .5% @2, 150%") == Menu.parse("0.33, 0.07 once, 0.005 @2, 1.5")
    with pytest.raises(MenuError, match="adds more than nothing"):
        Menu.parse("0%")


def raises(state: State, *menus: str) -> list[str]:
    """The raises that the menus offer in `state` when nothing is used up."""
    return raises_after(state, "", *menus)


def raises_after(start: State, history: str, *menus: str) -> list[str]:
    """The raises on the menus (one for all, or one per player) after the actions of `history`, separated by blanks."""
    parsed = tuple(parse_menu(menu) for menu in (menus if len(menus) > 1 else menus * start.game.players))
    state, used = start, ()
    for action in history.split():
        children = {text: (after, used_after) for text, after, used_after in successors(parsed, state, used)}
        state, used = children[action]
    return [text for text, _after, _used in successors(parsed, state, used) if text[0] == "r"]


def antes(stack: int = 10_000, chips: int = 10, rounds: int = 2, **fields: object) -> State:
    """Both have put in `chips` and player 0 may bet from 1 chip on."""
    return State.start(
        Game(
            betting="nolimit",
            stacks=(stack, stack),
            blinds=(chips, chips),
            raise_sizes=(),
            first_players=(0,) * rounds,
            max_raises=(255,) * rounds,
            suits=4,
            ranks=13,
            hole_cards=1,
            board_cards=(0,) + (1,) * (rounds - 1),
            min_bet=1,
            **fields,
        )
    )


HOLDEM = State.start(nolimit_holdem())


# The language.


@given(MENU_TEXTS)
def test_printing_is_the_inverse_of_parsing(text):
    menu = Menu.parse(text)
    assert Menu.parse(str(menu)) == menu
    assert str(Menu.parse(str(menu))) == str(menu)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1,all-in", "1, all-in"),
        ("  0.50  once ,  .75 once-for-all@2-", "0.5 once, 0.75 once-for-all @2-"),
        ("1.|2 @1-1", "1 | 2 @1"),
        ("min @1-", "min"),
        ("1000000", "1000000"),
        ("0.1234567", "0.1234567"),
        ("0.0000001", "0.0000001"),
        ("", ""),
        ("1, , 2", "1, 2"),
        ("1 | | 2", "1 |  | 2"),
    ],
)
def test_menus_as_they_are_printed(text, printed):
    assert str(Menu.parse(text)) == printed


@pytest.mark.parametrize(
    "piece",
    [
        "pot",
        "-1",
        "0",
        "0.00",
        "1 twice",
        "1 @0",
        "1 @3-2",
        "1 @1 once",
        "all in",
        "1e3",
        "½",
        "٣",
        "1 once once",
        "9" * 400,
    ],
)
def test_an_error_quotes_the_piece(piece):
    with pytest.raises(MenuError) as caught:
        parse_menu(f"1, all-in | 0.5 once, {piece}, min")
    assert str(caught.value).startswith(repr(piece)[:100])


@pytest.mark.parametrize("name", MENUS)
def test_every_named_menu_can_be_read(name):
    assert parse_menu(name) == Menu.parse(MENUS[name])
    assert str(parse_menu(name)) == MENUS[name]


def test_names_are_found_as_papers_write_them():
    assert parse_menu("FCPA") == parse_menu("fcpa")
    assert parse_menu("ACPC_2011") == parse_menu("acpc-2011")
    assert parse_menu("minBet_C") == parse_menu("minbet-c")


# Amounts.


def test_a_fraction_is_of_the_pot_after_the_call():
    """Hawkin 2014, section 2.5: pot 20, a bet of 10 is half of it, a reply of 50 chips raises by the pot of 40."""
    start = antes()
    assert start.pot == 20
    assert raises(start, "0.5") == ["r20"]
    raised = start.apply("r20").apply("r60")
    assert raises(start.apply("r20"), "1") == ["r60"]
    assert raised.spent[1] - start.spent[1] == 50


def test_dead_antes_are_in_the_pot():
    assert raises(antes(antes=(5, 5)), "1") == ["r40"]


def test_blinds_count_as_a_bet_to_call():
    assert raises(HOLDEM, "1") == ["r300"]
    assert raises(HOLDEM.apply("c"), "1") == ["r300"]
    assert raises(HOLDEM.play("r300"), "1") == ["r900"]
    assert raises(HOLDEM.play("r300c/"), "1, 0.5") == ["r600", "r900"]  # raises are counted over the whole hand


@given(st.integers(1, 100_000), NUMBERS)
def test_rounding_is_to_the_nearest_chip_halves_upwards(pot, text):
    size = Menu.parse(text).rounds[0][0]
    written = Fraction(str(size.pots))  # the shortest text of a number of up to 15 digits is the number
    assert written == Fraction(text)
    assert size.of(pot) == floor(written * pot + Fraction(1, 2))


def test_halves_are_those_of_the_written_fraction():
    assert int(0.145 * 100 + 0.5) == 14  # what binary numbers make of 14.5
    assert Size("pot", 0.145).of(100) == 15
    assert raises(antes(chips=50), "0.145") == ["r65"]


def test_less_than_the_smallest_raise_is_dropped():
    assert raises(HOLDEM, "0.49") == []
    assert raises(HOLDEM, "0.5") == ["r200"]
    # After a raise by 600 the next adds at least 600: a third of the pot of 1800, and no less.
    assert raises(HOLDEM.play("r300r900"), "0.3, 0.334, 1") == ["r1501", "r2700"]


def test_a_half_pot_is_legal_everywhere_in_holdem():
    """It is the smallest such fraction (Hawkin 2014, section 5.7), up to the all-in."""
    tree = build_tree(nolimit_holdem(2, 4000), "0.5 once, 1, all-in")
    for node in tree.decisions:
        state = State.start(tree.game).play(tree.history(int(node)))
        low, high = state.legal().min_raise_to, state.legal().max_raise_to
        half = state.bet + (state.pot + state.to_call) // 2
        assert not high or half >= low or half >= high


def test_all_in_and_more_is_dropped_but_by_its_name():
    short = State.start(nolimit_holdem(2, 300))
    assert raises(short, "1") == []
    assert raises(short, "0.99, 1, 1.01, 7") == ["r298"]
    assert raises(short, "1, all-in") == ["r300"]
    assert raises(State.start(nolimit_holdem(2, 301)), "1, all-in") == ["r300", "r301"]


def test_nothing_is_offered_where_no_raise_is_legal():
    assert raises(HOLDEM.play("r20000"), "min, 1, all-in, full") == []
    assert raises(State.start(load_game("kuhn-half-street")).apply("r15"), "min, 1, all-in, full") == []


def test_min_and_full():
    assert raises(HOLDEM.play("r300"), "min") == ["r500"]
    assert raises(State.start(nolimit_holdem(2, 204)), "full") == ["r200", "r201", "r202", "r203", "r204"]
    # Not enough for a full raise: the smallest legal one is all-in.
    assert raises(State.start(nolimit_holdem(2, 150)), "min") == ["r150"]
    assert raises(State.start(nolimit_holdem(2, 150)), "0.2") == []


def test_amounts_ascend_and_equal_ones_are_one_action():
    assert raises(HOLDEM, "all-in, 1, 0.5, min, 1, 1.0") == ["r200", "r300", "r20000"]
    assert raises(HOLDEM, "full, 1")[:3] == ["r200", "r201", "r202"]


def test_folding_needs_something_to_call_and_calling_is_always_there():
    passive = (parse_menu("passive"),) * 2
    assert [text for text, *_ in successors(passive, HOLDEM, ())] == ["f", "c"]
    assert [text for text, *_ in successors(passive, HOLDEM.apply("c"), ())] == ["c"]
    # At a TDA table a free fold is legal, but no tree needs it.
    tda = State.start(replace(HOLDEM.game, rules="tda"))
    assert "f" in tda.apply("c").legal()
    assert [text for text, *_ in successors(passive, tda.apply("c"), ())] == ["c"]


def test_a_limit_game_has_one_raise():
    limit = State.start(load_game("holdem-limit-2p"))
    for menu in ("r", "min", "all-in", "full", "r, min, full"):
        assert raises(limit, menu) == ["r"]


# Words after a size.


def test_once_is_per_player():
    menu = "0.5 once, 1"
    assert raises(HOLDEM, menu) == ["r200", "r300"]
    assert raises_after(HOLDEM, "r200", menu) == ["r400", "r600"]  # the other has not used it
    assert raises_after(HOLDEM, "r200 r400", menu) == ["r1200"]
    assert raises_after(HOLDEM, "r200 r400 r1200", menu) == ["r3600"]
    assert raises_after(HOLDEM, "r300 r600", menu) == ["r1200", "r1800"]  # the big blind used it, not the small


def test_once_is_per_round():
    menu = "0.5 once, 1"
    assert raises_after(HOLDEM, "r200 r400 c", menu) == ["r800", "r1200"]
    assert raises_after(HOLDEM, "r200 c r400", menu) == ["r800", "r1200"]


def test_sizes_are_used_up_one_by_one():
    menu = "0.5 once, 0.75 once"
    start = antes(chips=100)
    assert raises_after(start, "r200 r400", menu) == ["r1000"]
    assert raises_after(start, "r200 r500", menu) == ["r1250"]
    assert raises_after(start, "r200 r500 r1250", menu) == ["r2500"]
    assert raises_after(start, "r200 r500 r1250 r2500", menu) == []


def test_once_for_all_is_once_for_both():
    menu = "min once-for-all, 1"
    assert raises(HOLDEM, menu) == ["r200", "r300"]
    assert raises_after(HOLDEM, "r200", menu) == ["r600"]
    assert raises_after(HOLDEM, "r300", menu) == ["r500", "r900"]
    assert raises_after(HOLDEM, "r200 c", menu) == ["r300", "r600"]


def test_once_for_all_knows_other_menus():
    """Where a size stands on a menu does not matter: only that it is the same size."""
    one, other = "0.5 once, 1", "min once-for-all, 1"
    assert raises_after(HOLDEM, "r200", other, one) == ["r300", "r600"]  # a half pot is no minimum bet
    one, other = "1, min once-for-all", "min once-for-all, 1"
    assert raises_after(HOLDEM, "r200", other, one) == ["r600"]
    # Nor does it when it is offered.
    assert raises_after(HOLDEM, "r200", other, "min once-for-all @1-2, 1") == ["r600"]
    # Unlimited on the other's menu: it does not count against mine.
    assert raises_after(HOLDEM, "r200", other, "min, 1") == ["r300", "r600"]


def test_one_bet_uses_up_all_sizes_it_is():
    """In a limped pot the smallest bet is half the pot: making it uses both."""
    menu = "min once, 0.5 once, 1"
    assert raises_after(HOLDEM, "c c", menu) == ["r200", "r300"]
    assert raises_after(HOLDEM, "c c r200 r400", menu) == ["r1200"]
    # Also when the amount stays on the menu for another reason.
    assert raises_after(HOLDEM, "c c r200 r400", "min once, 0.5") == ["r800"]
    assert raises_after(HOLDEM, "c c r200 r300", "min once, 0.5 @1") == []


def test_a_size_twice_on_the_menu_is_one():
    assert raises_after(HOLDEM, "r200 r400", "0.5 once, 0.5 once") == []


@pytest.mark.parametrize(
    ("menu", "numbers"),
    [
        ("1 @1", {1}),
        ("1 @2", {2}),
        ("1 @2-3", {2, 3}),
        ("1 @2-", {2, 3, 4}),
        ("1 @1-2", {1, 2}),
        ("1 @1, 1 @4", {1, 4}),
    ],
)
def test_the_number_of_the_raise(menu, numbers):
    state = HOLDEM
    for number, size in enumerate(("r300", "r900", "r2700", "r8100"), 1):
        assert raises(state, menu) == ([size] if number in numbers else [])
        state = state.apply(size)


def test_raises_are_numbered_in_every_round_anew_and_calls_do_not_count():
    assert raises(HOLDEM.play("r300c/c"), "1 @1") == ["r900"]
    assert raises(HOLDEM.play("r300c/cr900"), "1 @1") == []


def test_rounds_and_the_last_that_serves_for_all():
    menu = "1 | 0.5 | 2"
    assert raises(HOLDEM, menu) == ["r300"]
    assert raises(HOLDEM.play("cc/"), menu) == ["r200"]
    assert raises(HOLDEM.play("cc/cc/"), menu) == ["r500"]
    assert raises(HOLDEM.play("cc/cc/cc/"), menu) == ["r500"]
    assert raises(HOLDEM.play("cc/"), "1 |") == []


def test_the_menu_is_that_of_the_player_to_act():
    assert raises(HOLDEM, "0.5", "1") == ["r300"]  # the small blind is player 1
    assert raises(HOLDEM.apply("c"), "0.5", "1") == ["r200"]
