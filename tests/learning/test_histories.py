"""Hands from logs: what is taken over, what is told apart, and what is said of broken ones."""

import numpy as np
import pytest

from kibitz.errors import FormatError, KibitzError
from kibitz.io.acpc.log import write_log
from kibitz.learning.histories import HIDDEN, MUCKED, SHOWN, hide_folded, read_hands, split, to_records

FIRST = "STATE:0:rfrrc/cc/rrc/rrrrc:5d5c|9hQd|8dAs/8s4h6d/5s/Js:-5|-160|165:p1|p2|p3\n"
SECOND = "STATE:7:cfc/rrrrc/crc/rrrrc:4h6c|3sQc|TsAd/4s2s4d/Ah/8d:-5|-150|155:p2|p3|p1\n"
ROOM = """\
PokerStars Game #77:  Hold'em Limit ($2/$4 USD) - 2020/01/02 03:04:05 ET
Table 'A' 6-max Seat #1 is the button
Seat 1: Anna ($50 in chips)
Seat 2: Ben ($50 in chips)
Seat 3: Cleo ($50 in chips)
Ben: posts small blind $1
Cleo: posts big blind $2
*** HOLE CARDS ***
Anna: folds
Ben: calls $1
Cleo: checks
*** FLOP *** [5c 6d 7h]
Ben: checks
Cleo: checks
*** TURN *** [5c 6d 7h] [8s]
Ben: checks
Cleo: checks
*** RIVER *** [5c 6d 7h 8s] [2d]
Ben: checks
Cleo: checks
*** SHOW DOWN ***
Ben: shows [Ac Ad] (a pair of Aces)
Cleo: mucks hand
Ben collected $4 from pot
*** SUMMARY ***
Total pot $4 | Rake $0
Board [5c 6d 7h 8s 2d]
Seat 1: Anna (button) folded before Flop (didn't bet)
Seat 2: Ben (small blind) showed [Ac Ad] and won ($4) with a pair of Aces
Seat 3: Cleo (big blind) mucked
"""


def test_hands_of_a_log_become_arrays(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(FIRST + SECOND)
    hands, broken = read_hands([log])
    assert len(hands) == 2
    assert not broken
    assert hands.players.tolist() == [3, 3]
    assert hands.actions_of(1).tolist() == [1, 0, 1, 2, 2, 2, 2, 1, 1, 2, 1, 2, 2, 2, 2, 1]
    assert hands.active.tolist() == [0b110, 0b110]
    assert hands.cards[0, 20:].tolist() == [27, 10, 17, 15, 39]
    assert [hands.name_list[i] for i in hands.names[1, :3]] == ["p2", "p3", "p1"]
    assert hands.seen[0].tolist() == [SHOWN] * 3 + [HIDDEN] * 7


def test_a_table_sees_only_what_comes_to_a_showdown(tmp_path):
    log = tmp_path / "a.log"
    log.write_text(FIRST)
    hands = hide_folded(read_hands([log])[0])
    assert hands.seen[0, :3].tolist() == [HIDDEN, SHOWN, SHOWN]
    assert hands.cards[0, :4].tolist() == [255, 255, 30, 41]


def test_mucked_cards_are_told_apart_from_hidden_ones(tmp_path):
    log = tmp_path / "room.txt"
    log.write_text(ROOM)
    hands, _ = read_hands([log])
    assert [hands.name_list[i] for i in hands.names[0, :3]] == ["Ben", "Cleo", "Anna"]
    assert hands.seen[0, :3].tolist() == [SHOWN, MUCKED, HIDDEN]


def test_mucked_cards_stay_hidden_where_a_file_discloses_them_later(tmp_path):
    log = tmp_path / "room.txt"
    log.write_text(ROOM.replace("(big blind) mucked", "(big blind) mucked [Qh 9c]"))
    hands, _ = read_hands([log])
    assert hands.seen[0, :3].tolist() == [SHOWN, MUCKED, HIDDEN]
    assert hands.cards[0, 2:4].tolist() == [255, 255]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (SECOND.replace("cfc/", "cff/"), "hand 7: action 3 (cf)"),
        (SECOND.replace("TsAd", "4hAd"), "hand 7: cards: expected each card once, got 4h twice"),
        (SECOND.replace("-5|-150|155", "-5|-150|165"), "hand 7: returns: expected -5|-150|155"),
    ],
)
def test_broken_hands_are_named_by_file_and_deal(tmp_path, line, told):
    log = tmp_path / "a.log"
    log.write_text(FIRST + line)
    with pytest.raises(FormatError) as error:
        read_hands([log])
    assert str(error.value).startswith(f"{log}:2: ")
    assert told.split(": ", 1)[1] in str(error.value)
    assert "hand 7" in str(error.value)
    hands, broken = read_hands([log], skip_bad=True)
    assert len(hands) == 1
    assert [each.hand for each in broken] == ["7"]


def test_no_limit_hands_are_refused_with_the_reason(tmp_path):
    log = tmp_path / "n.log"
    log.write_text("STATE:3:cr300c/cc/cc/cc:5d5c|9hQd/8s4h6d/5s/Js:300|-300:a|b\n")
    with pytest.raises(FormatError, match=r"hand 3: a no-limit hand: .* cannot say how much was bet"):
        read_hands([log])
    with pytest.raises(KibitzError, match=r"no hand of limit hold'em in these logs, 1 cannot be used: the first is"):
        read_hands([log], skip_bad=True)


def test_all_ins_are_refused(tmp_path):
    log = tmp_path / "room.txt"
    log.write_text(ROOM.replace("Cleo ($50 in chips)", "Cleo ($2 in chips)"))
    with pytest.raises(FormatError, match="77"):
        read_hands([log])


def test_matches_are_held_out_as_wholes(tmp_path):
    for number in range(6):
        (tmp_path / f"{number}.log").write_text(FIRST + SECOND)
    hands, _ = read_hands([tmp_path])
    parts = split(hands, 0.3, seed=4)
    assert parts.unit == "matches"
    assert len(parts.held_out) == 4
    assert not set(hands.matches[parts.held_out]) & set(hands.matches[parts.fitted])
    assert sorted([*parts.held_out, *parts.fitted]) == list(range(12))


def test_one_match_is_cut_into_blocks(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("".join(FIRST.replace("STATE:0", f"STATE:{n}") for n in range(200)))
    hands, _ = read_hands([log])
    parts = split(hands, 0.2, seed=1)
    assert parts.unit == "blocks of 4 deals"
    assert len(parts.held_out) == 40
    assert np.all(np.diff(parts.held_out.reshape(10, 4)) == 1)
    with pytest.raises(KibitzError, match="a number between 0 and 1"):
        split(hands, 1.0, seed=1)


def test_a_real_match_is_read_whole_and_its_boards_fit_the_betting(data):
    hands, broken = read_hands([data / "acpc" / "logs" / "3p.limit.h1000.r0.log"])
    assert len(hands) == 1000
    assert not broken
    assert hands.rules[0].cap == 4
    folds = [int(np.count_nonzero(hands.actions_of(i) == 0)) for i in range(1000)]
    left = [3 - int(mask).bit_count() for mask in hands.active]
    assert folds == left
    assert hands.decisions == hands.begins[-1]


def test_the_matches_of_pluribus_are_refused(data):
    with pytest.raises(FormatError, match="a no-limit hand"):
        read_hands([data / "phh" / "pluribus-sessions.tar.xz"])


def test_hands_become_records_again(tmp_path):
    """What is written of hands in arrays is read as the same hands; results are those of the rules."""
    log, again = tmp_path / "a.log", tmp_path / "b.log"
    log.write_text(FIRST + SECOND)
    hands, _ = read_hands([log])
    records = list(to_records(hands))
    assert [record.returns for record in records] == [(-1, -32, 33), (-1, -30, 31)]  # small blinds
    with again.open("w") as file:
        assert write_log(records, file) == 2
    found, _ = read_hands([again])
    for name in ("players", "cards", "seen", "begins", "actions", "active", "names"):
        np.testing.assert_array_equal(getattr(found, name), getattr(hands, name))
    assert found.name_list == hands.name_list
    (hidden,) = to_records(hide_folded(hands), [1])
    assert hidden.deal.hole[0] == ()
    assert hidden.returns == records[1].returns  # who folded has lost, whatever his cards
