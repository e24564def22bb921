"""PokerStars histories made up for these tests, one for each thing that is known to break readers."""

import datetime
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.cards import parse_cards
from kibitz.errors import FormatError
from kibitz.games import State
from kibitz.io.convert import convert
from kibitz.io.hand_check import check
from kibitz.io.listing import read_listing
from kibitz.io.phh import UnsupportedVariantError, read_phh, write_phh
from kibitz.io.pokerstars import read_pokerstars
from kibitz.io.pokerstars.reading import parse_header
from kibitz.io.record import HandRecord
from kibitz.io.table import read_hands

CASH = """\
PokerStars Hand #230000000001:  Hold'em No Limit ($0.50/$1.00 USD) - 2021/03/14 9:05:07 CET [2021/03/14 4:05:07 ET]
Table 'Quiet Harbour II' 6-max Seat #4 is the button
Seat 1: Otter ($100 in chips)
Seat 2: Finch ($86.40 in chips)
Seat 4: Heron ($1,204.55 in chips)
Seat 5: Newt ($40 in chips) is sitting out
Seat 6: Stoat ($55.25 in chips)
Stoat: posts small blind $0.50
Otter: posts big blind $1
*** HOLE CARDS ***
Dealt to Finch [Ah Kd]
Finch: raises $2 to $3
Heron: calls $3
Stoat: folds
Otter: folds
Newt leaves the table
*** FLOP *** [2c 7h Ad]
Finch: bets $4
Heron: raises $8 to $12
Finch: calls $8
*** TURN *** [2c 7h Ad] [Js]
Finch: checks
Heron: checks
*** RIVER *** [2c 7h Ad Js] [3h]
Finch: bets $20.50
Heron: calls $20.50
*** SHOW DOWN ***
Finch: shows [Ah Kd] (a pair of Aces)
Heron: mucks hand
Finch collected $69.50 from pot
*** SUMMARY ***
Total pot $72.50 | Rake $3
Board [2c 7h Ad Js 3h]
Seat 1: Otter (big blind) folded before Flop
Seat 2: Finch showed [Ah Kd] and won ($69.50) with a pair of Aces
Seat 4: Heron (button) mucked [Qc Qs]
Seat 6: Stoat (small blind) folded before Flop
"""

TOURNAMENT = """\
PokerStars Hand #230000000002: Tournament #3100000001, $4.40+$0.60 USD Hold'em No Limit - Level XIV (300/600) - \
2021/03/14 21:00:00 ET
Table '3100000001 7' 9-max Seat #9 is the button
Seat 3: Bob: the 2nd (1850 in chips, $2.50 bounty)
Seat 7: Bob (9000 in chips, $2.50 bounty)
Seat 9: el_niño (x) (12,400 in chips, $5 bounty)
Bob: the 2nd: posts the ante 75
Bob: posts the ante 75
el_niño (x): posts the ante 75
Bob: the 2nd: posts small blind 300
Bob: posts big blind 600
*** HOLE CARDS ***
Dealt to Bob [9h 9c]
el_niño (x): raises 600 to 1200
el_niño (x) said, "Bob: folds"
Bob: the 2nd: raises 575 to 1775 and is all-in
Bob: calls 1175
el_niño (x): calls 575
*** FLOP *** [9d 4c 4s]
Bob: checks
el_niño (x): bets 2000
Bob: raises 5150 to 7150 and is all-in
el_niño (x): folds
Uncalled bet (5150) returned to Bob
*** TURN *** [9d 4c 4s] [Kc]
*** RIVER *** [9d 4c 4s Kc] [2h]
*** SHOW DOWN ***
Bob: shows [9h 9c] (a full house, Nines full of Fours)
Bob collected 4000 from side pot
Bob: the 2nd: shows [Ac Kh] (two pair, Kings and Fours)
Bob collected 5550 from main pot
Bob wins the $2.50 bounty for eliminating Bob: the 2nd
Bob: the 2nd finished the tournament in 44th place
*** SUMMARY ***
Total pot 9550 Main pot 5550. Side pot 4000. | Rake 0
Board [9d 4c 4s Kc 2h]
Seat 3: Bob: the 2nd (small blind) showed [Ac Kh] and lost with two pair, Kings and Fours
Seat 7: Bob (big blind) showed [9h 9c] and won (9550) with a full house, Nines full of Fours
Seat 9: el_niño (x) (button) folded on the Flop
"""

HEADS_UP_LIMIT = """\
PokerStars Game #230000000003:  Hold'em Limit (€2/€4 EUR) - 2020/01/02 03:04:05 ET
Table 'Table 'A'' 2-max Seat #1 is the button
Seat 1: Anna (€50 in chips)
Seat 2: Ben (€50 in chips)
Anna: posts small blind €1
Ben: posts big blind €2
*** HOLE CARDS ***
Anna: raises €2 to €4
Ben: calls €2
*** FLOP *** [5c 6d 7h]
Ben: checks
Anna: bets €2
Ben: raises €2 to €4
Anna: calls €2
*** TURN *** [5c 6d 7h] [8s]
Ben: bets €4
Anna: folds
Uncalled bet (€4) returned to Ben
Ben collected €15.20 from pot
Ben: doesn't show hand
*** SUMMARY ***
Total pot €16 | Rake €0.80
Board [5c 6d 7h 8s]
Seat 1: Anna (button) (small blind) folded on the Turn
Seat 2: Ben (big blind) collected (€15.20)
"""

DEAD_BLIND = """\
PokerStars Zoom Hand #230000000004:  Hold'em No Limit (5/10) - 2022/11/30 12:00:00 UTC
Table 'Kites' 6-max (Play Money) Seat #1 is the button
Seat 1: Ada (1000 in chips)
Seat 2: Bea (1000 in chips)
Seat 3: Cid (1000 in chips)
Seat 5: Dov (1000 in chips)
Bea: posts small blind 5
Cid: posts big blind 10
Dov: posts small & big blinds 15
*** HOLE CARDS ***
Dov: checks
Ada: folds
Bea: calls 5
Cid: checks
*** FLOP *** [Tc Td Th]
Bea: checks
Cid: bets 20
Dov: folds
Bea: folds
Uncalled bet (20) returned to Cid
Cid collected 35 from pot
*** SUMMARY ***
Total pot 35 | Rake 0
Board [Tc Td Th]
"""

CAPPED = """\
PokerStars Game #230000000005:  Hold'em No Limit ($0.50/$1 - $20 Cap -  USD) - 2012/06/04 13:30:23 ET
Table 'Moor CAP, Fast,20-50 bb' 6-max Seat #2 is the button
Seat 2: Wren ($49.95 in chips)
Seat 6: Yak ($51.30 in chips)
Wren: posts small blind $0.50
Yak: posts big blind $1
*** HOLE CARDS ***
Wren: raises $5 to $6
Yak: raises $14 to $20 and has reached the $20 cap
Wren: calls $14 and is all-in
*** FLOP *** [Qd 6d 5d]
*** TURN *** [Qd 6d 5d] [8h]
*** RIVER *** [Qd 6d 5d 8h] [7c]
*** SHOW DOWN ***
Yak: shows [As Ad] (a pair of Aces)
Wren: shows [Ks Kd] (a pair of Kings)
Yak collected $39.50 from pot
*** SUMMARY ***
Total pot $40 | Rake $0.50
Board [Qd 6d 5d 8h 7c]
"""


def read_one(text: str) -> HandRecord:
    (record,) = read_pokerstars(text)
    return record


def replay(record: HandRecord) -> State:
    state = State.start(record.game, record.deal).play(record.history)
    assert state.history == record.history
    assert state.finished
    return state


def test_cash_game() -> None:
    record = read_one(CASH)
    assert record.players == ("Stoat", "Otter", "Finch", "Heron")
    assert record.chip == 0.01
    assert record.hand == "230000000001"
    assert record.game.stacks == (5525, 10000, 8640, 120455)
    assert record.game.blinds == (50, 100, 0, 0)
    assert record.history == "r300cff/r700r1500c/cc/r3550c"
    assert record.returns == (-50, -100, 3400, -3550)
    assert record.deal.hole == ((), (), parse_cards("AhKd"), parse_cards("QcQs"))
    assert record.deal.board == parse_cards("2c7hAdJs3h")
    assert record.extra["rake"] == 300
    assert record.extra["mucked"] == (3,)
    assert record.extra["seats"] == (6, 1, 2, 4)
    assert record.extra["time"] == datetime.time(9, 5, 7)
    assert record.extra["currency"] == "USD"
    by_rules = replay(record).returns()
    assert by_rules == (-50, -100, 3700, -3550)  # the winner pays the rake


def test_tournament_with_antes_bounties_and_difficult_names() -> None:
    record = read_one(TOURNAMENT)
    assert record.players == ("Bob: the 2nd", "Bob", "el_niño (x)")
    assert record.game.antes == (75, 75, 75)
    assert record.game.ante_trimming
    assert record.game.stacks == (1850, 9000, 12400)
    assert record.history == "r1200r1775cc/cr3775r8925f//"
    assert record.extra["level"] == 14
    assert record.extra["tournament"] == "3100000001"
    assert record.extra["buy_in"] == "$4.40+$0.60 USD"
    assert replay(record).returns() == record.returns == (-1850, 5700, -3850)


def test_heads_up_limit() -> None:
    record = read_one(HEADS_UP_LIMIT)
    assert record.players == ("Ben", "Anna")  # the big blind is first
    assert record.game.betting == "limit"
    assert record.game.raise_sizes == (200, 200, 400, 400)
    assert record.history == "rc/crrc/rf"
    assert record.returns == (720, -800)
    assert record.extra["table"] == "Table 'A'"
    assert replay(record).returns() == (800, -800)
    with pytest.raises(FormatError, match="line:12: 'Anna' raises to 700 chips in all; the limit makes it 600"):
        read_one(HEADS_UP_LIMIT.replace("Anna: bets €2", "Anna: bets €3"))


def test_dead_small_blind_is_an_ante() -> None:
    record = read_one(DEAD_BLIND)
    assert record.players == ("Bea", "Cid", "Dov", "Ada")
    assert record.game.antes == (0, 0, 5, 0)
    assert record.game.blinds == (5, 10, 10, 0)
    assert record.game.first_players[0] == 2
    assert record.extra["zoom"] is True
    assert "currency" not in record.extra
    assert replay(record).returns() == record.returns == (-10, 25, -15, 0)


def test_many_hands_with_rubbish_around_them() -> None:
    text = (
        "\ufeff"
        + CASH.replace("\n", "\r\n")
        + "\r\n\r\n\x10"
        + TOURNAMENT
        + "\n*********** # 3 **************\n"
        + DEAD_BLIND
    )
    records = list(read_pokerstars(text, "hands.txt"))
    assert [record.hand[-1] for record in records] == ["1", "2", "4"]
    assert records[1].source == f"hands.txt:{CASH.count(chr(10)) + 3}"
    assert records == list(read_pokerstars(text.replace("\r\n", "\n"), "hands.txt"))
    assert list(read_pokerstars("\ufeff \r\n")) == []
    with pytest.raises(FormatError, match="no line starts a PokerStars hand"):
        list(read_pokerstars("hello"))


def test_broken_hands_name_their_line_or_are_passed_over() -> None:
    broken = CASH.replace("Finch: checks", "Heron: checks")
    with pytest.raises(FormatError, match=r"h\.txt:22: player 4 acts in round 3, where it is the turn of player 3"):
        list(read_pokerstars(broken, "h.txt"))
    errors: list[FormatError] = []
    records = list(read_pokerstars(broken + "\n\n" + TOURNAMENT, "h.txt", errors.append))
    assert [record.hand for record in records] == ["230000000002"]
    assert [error.hand for error in errors] == ["230000000001"]


def test_other_games_and_second_boards_are_unsupported() -> None:
    with pytest.raises(UnsupportedVariantError, match="Omaha Pot Limit"):
        read_one(CASH.replace("Hold'em No Limit", "Omaha Pot Limit"))
    with pytest.raises(UnsupportedVariantError, match="6\\+ Hold'em"):
        read_one(CASH.replace("Hold'em No Limit", "6+ Hold'em No Limit"))
    twice = CASH.replace("*** RIVER *** [2c 7h Ad Js] [3h]", "*** FIRST RIVER *** [2c 7h Ad Js] [3h]")
    with pytest.raises(UnsupportedVariantError, match=r"line:24: .* run more than once"):
        read_one(twice)


DATE = "2014/07/20 9:26:31 ET"


@pytest.mark.parametrize(
    ("words", "details"),
    [
        ("Tournament #7, Hold'em No Limit - Match Round I, Level I (15/30)", {"tournament": "7", "level": 1}),
        ("Tournament #7, 250 SC Hold'em No Limit - Level XI (600/1200)", {"buy_in": "250 SC", "level": 11}),
        ("Tournament #7, $5+$5+$1 USD Hold'em No Limit - Level IV (6/12)", {"buy_in": "$5+$5+$1 USD", "level": 4}),
        ("Tournament #7, 300+20 Hold'em No Limit - Level I (10/20)", {"buy_in": "300+20"}),
        ("Tournament #7, Freeroll  Hold'em No Limit - Level I (20/40)", {"buy_in": "Freeroll"}),
        ("Zoom Tournament #7, $3.00+$0.30 USD Hold'em No Limit - Level X (10/20)", {"zoom": True, "tournament": "7"}),
        ("Tournament #7, $50+$5 USD HORSE (Hold'em Limit) - Level I (6/12)", {"mixed": "HORSE", "level": 1}),
        (" HORSE (Hold'em Limit, $0.40/$0.80 USD)", {"mixed": "HORSE", "currency": "USD"}),
        (" 8-Game (Hold'em No Limit, $2/$4 USD)", {"mixed": "8-Game"}),
    ],
)
def test_first_lines(words: str, details: dict[str, object]) -> None:
    header = parse_header(f"PokerStars Hand #1: {words} - {DATE}")
    assert header.limit == ("HORSE" in words)
    assert header.stakes[1] == 2 * header.stakes[0]
    assert header.details.items() >= details.items()
    assert ("tournament" in header.details) == ("Tournament" in words)


@pytest.mark.parametrize(
    ("words", "game"),
    [
        ("Tournament #7, $20+$1 USD Hold'em Pot Limit Pre-Flop, No Limit Post-Flop - Level I (10/20)", "Pot Limit"),
        (" 6+ Hold'em No Limit (Button Blind $0.25 - Ante $0.25  USD)", "6\\+ Hold'em"),
        (" Split Hold'em No Limit ($1/$2 USD)", "Split Hold'em"),
        (" 8-Game (Razz Limit, $0.40/$0.80 USD)", "Razz"),
    ],
)
def test_first_lines_of_other_games(words: str, game: str) -> None:
    with pytest.raises(UnsupportedVariantError, match=f"{game}.* is not supported"):
        parse_header(f"PokerStars Hand #1: {words} - {DATE}")


def test_a_hand_cut_off_by_the_next() -> None:
    cut = CASH[: CASH.index("[3h]") - 3]
    errors: list[FormatError] = []
    records = list(read_pokerstars(cut + TOURNAMENT, "h.txt", errors.append))
    assert [record.hand for record in records] == ["230000000002"]
    assert [str(error)[:9] for error in errors] == ["h.txt:24:"]
    chat = CASH.replace("Newt leaves the table", 'Heron said, "PokerStars Hand #1: lost"')
    assert read_one(chat) == read_one(CASH)


def test_tables_of_unknown_size() -> None:
    assert "seat_count" not in read_one(HEADS_UP_LIMIT.replace(" 2-max", "")).extra


def test_a_cancelled_hand_is_no_hand() -> None:
    cancelled = CASH[: CASH.index("*** HOLE CARDS")] + "Hand cancelled\n*** SUMMARY ***\n"
    with pytest.raises(UnsupportedVariantError, match=r"line:10: the hand was cancelled"):
        read_one(cancelled)


def test_nobody_loses_more_than_the_cap() -> None:
    record = read_one(CAPPED)
    assert record.game.stacks == (2000, 2000)
    assert record.history == "r600r2000c///"
    assert record.returns == (1950, -2000)
    assert record.extra["currency"] == "USD"
    assert check(record) == []


def test_cash_out() -> None:
    text = CASH.replace("Finch collected", "Heron cashed out the hand for $30.10 | Cash Out Fee $0.30\nFinch collected")
    record = read_one(text)
    assert record.extra["cashed_out"] == {"Heron": 3010}
    assert record.returns == (-50, -100, 3400, -3550)


def test_walk_and_blinds_out_of_turn() -> None:
    walk = """\
PokerStars Hand #5:  Hold'em No Limit ($1/$2 USD) - 2021/03/14 9:05:07 ET
Table 'Dunes' 6-max Seat #6 is the button
Seat 1: Pip ($200 in chips)
Seat 2: Quin ($200 in chips)
Seat 4: Ravi ($1.20 in chips)
Seat 5: Sol ($200 in chips) out of hand (moved from another table into small blind)
Pip: posts big blind $2
Ravi: posts big blind $1.20 and is all-in
Quin: is sitting out
*** HOLE CARDS ***
*** FLOP *** [2c 3c 4c]
*** TURN *** [2c 3c 4c] [5c]
*** RIVER *** [2c 3c 4c 5c] [7d]
*** SHOW DOWN ***
Pip: shows [Ah Kh] (high)
Ravi: shows [6c Kd] (straight flush)
Ravi collected $2.40 from pot
*** SUMMARY ***
Total pot $2.40 | Rake $0
"""
    record = read_one(walk)
    assert record.players == ("Pip", "Ravi")
    assert record.returns == (-120, 120)
    with pytest.raises(FormatError, match="does not add up"):
        read_one(walk.replace("Rake $0", "Rake $0.20"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Heron: calls $3", "Heron: calls $4", "line:13: 'Heron' adds 400 chips where 300 are to be called"),
        ("Finch: checks", "Finch: dances", "line:22: 'Finch' does something unknown: 'dances'"),
        ("Heron: checks", "Heron: checks\nHeron: checks", "nobody is to act"),
        ("[2c 7h Ad] [Js]", "[2c 7h Ad]", "the turn does not fit"),
        ("[2c 7h Ad] [Js]", "[2c 7h Ad] [Jx]", "is not a card"),
        ("[2c 7h Ad] [Js]", "[2c 7h Ad] [7h]", "dealt twice"),
        ("*** TURN ***", "*** TORN ***", "section"),
        ("bets $20.50", "bets $200.50", "'Finch' bets 21550 chips in all, of 8640"),
        ("calls $20.50", "calls $20.50 and is all-in", "is all-in with 116905 chips left"),
        ("$0.50/$1.00", "nothing", "no first line"),
        (" 9:05:07 ", " 9:65:07 ", "time"),
        ("Seat #4 is the button", "Seat 4", "the button is 0"),
        ("Rake $3", "Rake $2", "does not add up"),
        ("Seat 6: Stoat ($", "Seat 1: Stoat ($", "same seat"),
    ],
)
def test_refusals_say_where_and_why(old: str, new: str, message: str) -> None:
    assert old in CASH
    with pytest.raises(FormatError, match=message.replace("$", r"\$")):
        read_one(CASH.replace(old, new))


@pytest.mark.parametrize("text", [CASH, TOURNAMENT, HEADS_UP_LIMIT, DEAD_BLIND, CAPPED])
def test_written_as_phh(text: str) -> None:
    record = read_one(text)
    (again,) = read_phh(write_phh(record))
    assert again[:7] == record[:7]
    for key in ("venue", "table", "seats", "time", "year", "mucked"):
        assert again.extra.get(key) == record.extra.get(key)
    assert again.extra.get("_rake") == record.extra["rake"]
    assert check(again) == check(record) == []


def test_pokerkit_sees_the_same_hand() -> None:
    pokerkit = pytest.importorskip("pokerkit")
    text = CASH.replace("$1,204.55", "$204.55")  # it does not read separators of thousands
    (theirs,) = pokerkit.PokerStarsParser()(text, error_status=True)
    ours = read_one(text)
    (again,) = read_phh(theirs.dumps())
    assert (again.players, again.history, again.chip) == (ours.players, ours.history, ours.chip)
    assert (again.game.stacks, again.game.blinds) == (ours.game.stacks, ours.game.blinds)
    assert again.deal.board == ours.deal.board
    assert again.extra["seats"] == ours.extra["seats"]


@pytest.mark.parametrize("text", [CASH, TOURNAMENT, HEADS_UP_LIMIT, DEAD_BLIND])
@pytest.mark.filterwarnings("ignore:The field")
def test_pokerkit_plays_what_is_converted(text: str) -> None:
    pokerkit = pytest.importorskip("pokerkit")
    out = io.StringIO()
    convert([read_one(text)], "phh", out)
    *_, end = pokerkit.HandHistory.loads(out.getvalue())
    assert not end.status


PIECES = st.sampled_from(
    ["\n", ": ", "Finch", "$", "[", "]", "folds", "checks", "calls $1", "*** ", "0", ",", ".", "Seat 1: "]
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_text_is_read_or_refused(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from([CASH, TOURNAMENT, HEADS_UP_LIMIT, DEAD_BLIND, ""]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(base)))
        cut = data.draw(st.integers(0, 40))
        piece = "".join(data.draw(st.lists(st.one_of(PIECES, st.characters()), max_size=4)))
        base = base[:at] + piece + base[at + cut :]
    try:
        records = list(read_pokerstars(base))
    except FormatError:
        return
    for record in records:
        assert len(record.players) == record.game.players == len(record.deal.hole)


UNCALLED = """\
PokerStars Hand #230000000009:  Hold'em No Limit ($0.05/$0.10 USD) - 2021/03/14 9:05:07 ET
Table 'Small' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Seat 3: Cid ($1,210 in chips)
Bob: posts small blind $0.05
Cid: posts big blind $0.10
*** HOLE CARDS ***
Ann: raises $0.20 to $0.30
Bob: folds
Cid: calls $0.20
*** FLOP *** [2c 7h Ad]
Cid: bets $0.40
Ann: folds
Uncalled bet ($0.40) returned to Cid
Cid collected $0.65 from pot
*** SUMMARY ***
Total pot $0.65 | Rake $0
"""


def test_an_uncalled_bet_is_no_part_of_the_pot_and_money_is_written_as_such(tmp_path):
    path = tmp_path / "hand.txt"
    path.write_text(UNCALLED)
    (hand,) = read_listing(path).hands
    assert hand.record.amount(hand.pot) == "$0.65"
    assert [hand.record.amount(chips) for chips in (121000, 150, 0)] == ["$1,210", "$1.50", "$0"]
    tables = read_hands(path)
    assert tables.hands.select("pot", "chip", "currency").rows() == [(65, 0.01, "USD")]
    (again,) = read_phh(write_phh(hand.record))
    assert (again.extra["currency"], again.extra["currency_symbol"]) == ("USD", "$")
    assert again.amount(hand.pot) == "$0.65"
    (chips,) = read_pokerstars(TOURNAMENT)
    assert chips.amount(9550) == "9,550"
