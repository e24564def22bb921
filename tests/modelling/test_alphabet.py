"""Abstract actions, and how real bets are read as them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import State, load_game
from kibitz.modelling.cases.betting import (
    LIMIT,
    POTS,
    SARTRE,
    Alphabet,
    SequenceReader,
    faces_bet,
    read_decisions,
    stack_commitment,
)
from kibitz.translation import MAPPINGS, Reading
from kibitz.tree.menus import parse_menu

GAME = load_game("holdem-nolimit-2p")
HARD = Reading("det-geo")


def sequence(history: str, mapping: str = "det-geo", alphabet: Alphabet = SARTRE, game=GAME, uniform=None) -> str:
    return SequenceReader(alphabet, Reading(mapping), uniform).catch_up(State.start(game).play(history))


def test_table_2_is_the_menu_of_that_name():
    menu = parse_menu(SARTRE.name)
    assert [size.pots for size in menu.sizes(0) if size.kind == "pot"] == list(SARTRE.sizes) == list(POTS.values())
    assert SARTRE.bets == "qhipdvt"  # table 3
    assert SARTRE.has_all_in
    assert not LIMIT.has_all_in


@pytest.mark.parametrize("name", ["fc", "fcx", "fcph", "fcra", "cfp", "fcpp", "fcap", ""])
def test_other_letters_are_refused(name):
    with pytest.raises(KibitzError, match="letters are fc"):
        Alphabet(name)


# After two checks before the flop the pot is 200 and the bet 100: a raise to 100 + x is x / 200 pots.
HARD_CASES = [
    (100, "h"),  # half
    (101, "h"),
    (122, "h"),  # below the geometric mean of 1/2 and 3/4, 0.61237 pots
    (123, "i"),
    (150, "i"),
    (173, "i"),  # 0.8660 pots is between i and p
    (174, "p"),
    (282, "p"),  # 1.4142
    (283, "d"),
    (632, "d"),  # 3.1623
    (633, "v"),
    (1414, "v"),  # 7.0711
    (1415, "t"),
    (2000, "t"),
    (6307, "t"),  # 31.5357: of 10 pots and all-in, 99.5
    (6309, "a"),
    (19_899, "a"),
    (19_900, "a"),
]


@pytest.mark.parametrize(("chips", "letter"), HARD_CASES)
def test_hard_translation_is_equation_1(chips, letter):
    assert sequence(f"cc/r{100 + chips}") == f"cc-{letter}"


def test_equation_1_over_all_bets():
    """a if a / b > b / c, otherwise c."""
    state = State.start(GAME).play("cc/")
    named = {**POTS, "a": 19_900 / 200}
    for chips in range(100, 19_900, 37):
        b = chips / 200
        below = max((pots, name) for name, pots in named.items() if pots <= b)
        above = min((pots, name) for name, pots in named.items() if pots > b)
        wanted = below[1] if below[0] / b > b / above[0] else above[1]
        wanted = below[1] if below[0] == b else wanted
        assert SARTRE.read(state, f"r{100 + chips}", HARD) == wanted


@pytest.mark.parametrize("chips", [101, 140, 160, 350, 900, 1700, 5000])
def test_soft_translation_is_equations_2_and_3(chips):
    b = chips / 200
    sizes = [*POTS.values(), 19_900 / 200]
    a = max(pots for pots in sizes if pots <= b)
    c = min(pots for pots in sizes if pots > b)
    of_a, of_c = (a / b - a / c) / (1 - a / c), (b / c - a / c) / (1 - a / c)
    share = of_a / (of_a + of_c)
    letters = dict(zip(sizes, SARTRE.bets + "a", strict=True))
    state = State.start(GAME).play("cc/")
    for uniform, wanted in ((share - 1e-9, a), (share + 1e-9, c)):
        assert SARTRE.read(state, f"r{100 + chips}", Reading("rand-geo-1"), lambda u=uniform: u) == letters[wanted]


def test_sizes_on_the_menu_need_no_dice():
    def never() -> float:
        raise AssertionError("dice were thrown")

    assert sequence("cc/r300", "rand-geo-1", uniform=never) == "cc-p"
    assert sequence("r20000", "rand-geo-1", uniform=never) == "a"


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_any_mapping_reads(mapping):
    rng = np.random.default_rng(3)
    read = {sequence("cc/r260", mapping, uniform=rng.random) for _ in range(60)}
    assert read <= {"cc-i", "cc-p"}
    assert len(read) == (1 if mapping.startswith("det") else 2)


def test_bets_below_the_smallest_size_and_stacks_below_all_sizes():
    assert sequence("r2000c/r2100") == "tc-q"  # a bet of 100 into 4,000
    assert sequence("r5000r20000") == "ta"
    assert sequence("r16000c/r17000") == "ac-a"  # all-in is an eighth of the pot: nothing else is on the menu


def test_hyphens_part_the_rounds():
    assert sequence("") == ""
    assert sequence("cc/") == "cc-"
    assert sequence("r300c/cr900c/r1000") == "pc-cpc-q"


def test_limit_sequences():
    game = load_game("holdem-limit-2p")
    assert sequence("rrc/crc/r", alphabet=LIMIT, game=game) == "rrc-crc-r"


def test_the_reader_keeps_what_it_has_read():
    draws = iter([0.0, 0.999, 0.5, 0.5])
    reader = SequenceReader(SARTRE, Reading("rand-geo-1"), lambda: next(draws))
    state = State.start(GAME).play("r250")
    first = reader.catch_up(state)
    assert reader.catch_up(state) == first
    assert reader.catch_up(state.play("c")) == f"{first}c-"
    assert reader.catch_up(State.start(GAME)) == ""


def test_r2500_does_not_go_on_from_r250():
    reader = SequenceReader(SARTRE, HARD)
    start = State.start(GAME)
    assert reader.catch_up(start.play("r250")) == "i"
    assert reader.catch_up(start.play("r2500")) == "t"


def test_decisions_of_one_player():
    found = read_decisions(GAME, "r300c/cr900c/cr5000f", 1, SARTRE, HARD, 4)
    assert [(each.sequence, each.action) for each in found] == [("", "p"), ("pc-c", "p"), ("pc-cpc-c", "d")]
    assert [each.round for each in found] == [0, 1, 2]
    other = read_decisions(GAME, "r300c/cr900c/cr5000f", 0, SARTRE, HARD, 4)
    assert [(each.sequence, each.action) for each in other][-2:] == [("pc-cpc-", "c"), ("pc-cpc-cd", "f")]


@pytest.mark.parametrize(
    ("spent", "parts"),
    [(100, 1), (4_999, 1), (5_000, 2), (9_999, 2), (10_000, 3), (14_999, 3), (15_000, 4), (19_999, 4)],
)
def test_stack_commitment(spent, parts):
    """Less than a quarter is 1, a quarter up to a half is 2, and so on (section 4.3)."""
    state = State.start(GAME)._replace(spent=(spent, spent))
    assert stack_commitment(state, 0, 4) == parts
    assert stack_commitment(state, 0, 1) == 1


@pytest.mark.parametrize(
    ("text", "facing"),
    [("", True), ("c", False), ("p", True), ("pc-", False), ("pc-c", False), ("pc-cp", True), ("pc-a", True)],
)
def test_facing_a_bet(text, facing):
    assert faces_bet(text) is facing
