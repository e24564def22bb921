"""Match states, responses and log lines: parsing and printing are inverse."""

import contextlib
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import FormatError
from kibitz.games import GAMES, Deal, State, deal_hands, load_game
from kibitz.io.acpc import (
    MatchState,
    Score,
    format_hand,
    format_value,
    normalise_actions,
    parse_hand,
    parse_response,
    parse_values,
)
from kibitz.io.record import HandRecord

LIMIT = load_game("holdem-limit-2p")
NOLIMIT = load_game("holdem-nolimit-2p")
# Three board cards before anybody acts: nothing stands between them and the last hand.
FLOP_FIRST = replace(
    load_game("holdem-nolimit-3p"), board_cards=(3, 1), first_players=(2, 0), max_raises=(255, 255), name="flop-first"
)
LINE = "STATE:0:r19686r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:p1|p2"


def play_randomly(game_name: str, seed: int, stop_early: bool = False) -> State:
    """A random legal hand of a named game, cards from the seed; cut short somewhere if asked."""
    rng = random.Random(seed)
    game = FLOP_FIRST if game_name == FLOP_FIRST.name else load_game(game_name)
    state = State.start(game, next(deal_hands(game, seed)))
    while not state.finished and not (stop_early and rng.random() < 0.2):
        legal = state.legal()
        kinds = ["c", "c"] + ["f"] * legal.fold + ["r"] * bool(legal.max_raise_to)
        action = rng.choice(kinds)
        if action == "r" and not legal.limit:
            action = f"r{rng.randint(legal.min_raise_to, min(legal.max_raise_to, 3 * legal.min_raise_to))}"
        state = state.apply(action)
    return state


def finished_record(game_name: str, seed: int) -> HandRecord:
    state = play_randomly(game_name, seed)
    shown = state.seen_by(0)
    deal = Deal(state.deal.hole, shown.deal.board)
    names = tuple(f"agent_{i}" for i in range(state.game.players))
    return HandRecord(state.game, str(seed), state.history, deal, names, tuple(map(float, state.returns())))


def test_the_protocol_example_prints_as_it_was_read():
    line = "MATCHSTATE:0:0:rrc/:TdAs|/2c8c3h"
    state = MatchState.parse(line)
    assert str(state) == line
    assert state.hole == ((33, 51), ())
    assert state.board == ((0, 24, 6),)


def test_a_match_state_becomes_a_state_of_the_game():
    state = MatchState.parse("MATCHSTATE:1:30:r300c/:|JdTc/6dJc9c\r\n").state(NOLIMIT)
    assert (state.history, state.round, state.spent, state.player) == ("r300c/", 1, (300, 300), 0)
    assert state.hole == ((), (37, 32))


def test_the_dealers_view_of_a_state():
    state = State.start(LIMIT, Deal(((33, 51), (1, 2)), (0, 24, 6, 8, 9))).play("rrc")
    assert str(MatchState.of(state, 0, 7)) == "MATCHSTATE:0:7:rrc/:TdAs|/2c8c3h"
    assert str(MatchState.of(state, 1, 7)) == "MATCHSTATE:1:7:rrc/:|2d2h/2c8c3h"


def test_a_response_is_the_state_and_the_action():
    line = "MATCHSTATE:0:0:rrc/:TdAs|/2c8c3h:r"
    state, action = parse_response(line + "\r\n")
    assert action == "r"
    assert f"{state}:{action}" == line
    assert parse_response(line[:-1] + "K")[1] == "c"


def test_letters_of_the_original_parser_are_taken():
    assert normalise_actions("b300C/kKB600f") == "r300c/ccr600f"
    assert MatchState.parse("MATCHSTATE:0:0:BRk/:TdAs|/2c8c3h").history == "rrc/"
    assert parse_hand("STATE:1:kk/kk/kk/kb5f:KsQs|2c3c/4c5c6c/7c/8c:10|-10:a|b", NOLIMIT).history == "cc/cc/cc/cr5f"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "MATCHSTATE:0:0:rrc/:TdAs|",  # a round without its cards
        "MATCHSTATE:2:0::TdAs|",  # position of nobody
        "MATCHSTATE:0:0:x:TdAs|",
        "MATCHSTATE:0:0::TdAx|",
        "MATCHSTATE:0:0::TdA|",
        "MATCHSTATE:0:0::TdTd|",
        "MATCHSTATE:0:²::TdAs|",
        "MATCHSTATE:0:0:r" + "9" * 5000 + ":TdAs|",
        "STATE:0:0::TdAs|",
    ],
)
def test_what_is_no_match_state_is_refused(line):
    with pytest.raises(FormatError):
        MatchState.parse(line)


@pytest.mark.parametrize("line", ["MATCHSTATE:0:0:rc:TdAs|", "MATCHSTATE:0:0:f/:TdAs|/2c3c4c", "MATCHSTATE:0:0::Td|"])
def test_states_the_game_cannot_reach_are_refused(line):
    with pytest.raises(FormatError):
        MatchState.parse(line).state(LIMIT)


def test_a_log_line_prints_as_it_was_read():
    record = parse_hand(LINE, NOLIMIT, "x.log:5")
    assert format_hand(record) == LINE
    assert record.players == ("p1", "p2")
    assert record.returns == (20000.0, -20000.0)
    assert record.source == "x.log:5"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STATE:0:cc:5d5c|9hQd:20|-20", "fields"),
        ("STATE:x:f:5d5c|9hQd:20|-20:p1|p2", "'x' is not a number"),
        ("STATE:0:fz:5d5c|9hQd:20|-20:p1|p2", "'z' is no action"),
        ("STATE:0:f:5d5x|9hQd:20|-20:p1|p2", "'5x' is not a card"),
        ("STATE:0:f:5d5|9hQd:20|-20:p1|p2", "'5' is not a card"),
        ("STATE:0:f:5d|9hQd:20|-20:p1|p2", "2 per player"),
        ("STATE:0:f:5d5c|9hQd/8dAs8s:20|-20:p1|p2", "no board cards are wanted"),
        ("STATE:0:cc/f:5d5c|9hQd/8dAs:20|-20:p1|p2", "sections of 3 cards"),
        ("STATE:0:f:5d5c|9hQd:20|-20|0:p1|p2", "2 of each"),
        ("STATE:0:f:5d5c|9hQd:20|--20:p1|p2", "'--20' is not a number of chips"),
        ("STATE:0:f:5d5c|9hQd:20|nan:p1|p2", "'nan' is not a number of chips"),
        ("STATE:0:f:5d5c|9hQd|2c2d:20|-20:p1|p2", "the game has 2"),
        ("STATE:0:cc/cc/cc/cc/:5d5c|9hQd/8dAs8s/4h/6d/7d:20|-20:p1|p2", "the game has 4"),
    ],
)
def test_errors_name_the_place_and_what_is_wrong(line, words):
    with pytest.raises(FormatError, match=r"^x\.log:5: ") as caught:
        parse_hand(line, NOLIMIT, "x.log:5")
    assert words in str(caught.value)


def test_hidden_cards_may_be_left_out():
    record = parse_hand("STATE:0:f:|9hQd:50|-50:p1|p2", NOLIMIT)
    assert record.deal.hole == ((), (30, 41))
    assert format_hand(record) == "STATE:0:f:|9hQd:50|-50:p1|p2"


@pytest.mark.parametrize(
    "change",
    [{"hand": "A"}, {"returns": None}, {"players": ("a:b", "c")}, {"players": ("a|b", "c")}, {"history": "x"}],
)
def test_what_a_line_cannot_say_is_an_error(change):
    with pytest.raises(FormatError):
        format_hand(parse_hand(LINE, NOLIMIT)._replace(**change))


def test_values_print_as_the_dealer_prints_them():
    assert [format_value(v) for v in (20.0, -0.5, 100 / 3, -0.0, 1e-9, 552584.5, 7)] == [
        "20", "-0.5", "33.333333", "0", "0", "552584.5", "7"
    ]  # fmt: skip
    assert parse_values("33.333333|-66.666667") == (33.333333, -66.666667)


def test_a_score_prints_as_it_was_read():
    line = "SCORE:455|-455:p1|p2"
    assert str(Score.parse(line)) == line
    with pytest.raises(FormatError):
        Score.parse("SCORE:455:p1|p2")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*sorted(GAMES), FLOP_FIRST.name]), st.integers(0, 10**6))
def test_random_hands_survive_print_and_parse(game, seed):
    record = finished_record(game, seed)
    line = format_hand(record)
    again = parse_hand(line, record.game)
    assert format_hand(again) == line
    assert again._replace(returns=record.returns) == record
    assert again.returns == pytest.approx(record.returns, abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*sorted(GAMES), FLOP_FIRST.name]), st.integers(0, 10**6))
def test_random_match_states_survive_print_and_parse(game, seed):
    state = play_randomly(game, seed, stop_early=True)
    for position in range(state.game.players):
        match_state = MatchState.of(state, position, seed)
        assert MatchState.parse(str(match_state)) == match_state
        assert match_state.state(state.game) == state.seen_by(position)


FRAGMENTS = st.sampled_from(
    [
        "STATE",
        "MATCHSTATE",
        ":",
        "|",
        "/",
        "r300",
        "c",
        "f",
        "k",
        "5d",
        "Qh",
        "20",
        "-1.5",
        "(",
        ")",
        " # 1.5",
        "p1",
        "\n",
        "²",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace")),
    st.lists(FRAGMENTS, max_size=20).map("".join),
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_gives_a_value_or_a_format_error(text):
    for read in (MatchState.parse, parse_response, normalise_actions, Score.parse, parse_values):
        for candidate in (text, f"MATCHSTATE:0:0:{text}", f"SCORE:{text}"):
            with contextlib.suppress(FormatError):
                read(candidate)
    for candidate in (text, f"STATE:{text}", f"STATE:0:f:{text}:p1|p2", f"STATE:0:{text}:5d5c|9hQd:1|-1:p1|p2"):
        try:
            record = parse_hand(candidate, NOLIMIT)
        except FormatError:
            continue
        assert parse_hand(format_hand(record), NOLIMIT) == record


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(LINE) - 1), st.characters())
def test_a_line_with_one_letter_changed_is_read_or_refused(place, letter):
    with contextlib.suppress(FormatError):
        parse_hand(LINE[:place] + letter + LINE[place + 1 :], NOLIMIT)
