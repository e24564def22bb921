"""Transcripts: hands put together from what the seats saw."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import FormatError, KibitzError
from kibitz.games import State, deal_hands, load_game
from kibitz.io.acpc import MatchState
from kibitz.io.acpc.log import LogHeader
from kibitz.io.acpc.transcript import read_transcript
from kibitz.io.files import read_records
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.io.replay import replay_file

GAME = load_game("holdem-nolimit-2p")
HEADER = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 2 0\nSTARTED at 1.000000\n"


def transcript(histories: list[list[str]]) -> str:
    """What a dealer of seed 0 would print for these actions, the seats rotating."""
    lines, time = [], 1.0
    for hand, (actions, deal) in enumerate(zip(histories, deal_hands(GAME, 0), strict=False)):
        state = State.start(GAME, deal)
        for action in [*actions, None]:
            for seat in (0, 1):
                time += 0.5
                view = MatchState.of(state, (seat - hand) % 2, hand)
                lines.append(f"TO {seat + 1} at {time:.6f} {view}")
            if action:
                seat = (state.player + hand) % 2
                view = MatchState.of(state, state.player, hand)
                lines.append(f"FROM {seat + 1} at {time:.6f} {view}:{action}")
                state = state.apply(action)
    return HEADER + "".join(line + "\n" for line in lines)


TEXT = transcript([["r300", "c", "c", "r600", "f"], ["c", "c"] + ["c"] * 6])


def events(text: str, strict: bool = True) -> list[object]:
    return list(read_transcript(text.splitlines(True), "x.log", strict=strict))


def test_hands_are_built_from_what_all_seats_saw():
    header, first, second = events(TEXT + "FINISHED at 9.000000\n")
    assert isinstance(header, LogHeader)
    assert (first.hand, first.history, first.players) == ("0", "r300c/cr600f", ("seat 1", "seat 2"))
    assert (second.hand, second.history, second.players) == ("1", "cc/cc/cc/cc", ("seat 2", "seat 1"))
    assert all(first.deal.hole)
    assert len(second.deal.board) == 5
    assert check(first) == check(second) == []


def of_seat(seat: int, text: str = TEXT) -> str:
    """The messages of one seat, with the header."""
    return "".join(line for line in text.splitlines(True) if line[:2] not in ("TO", "FR") or f" {seat} at" in line)


def bare(text: str) -> str:
    """Only the states and answers."""
    return "".join(line[line.index("MATCHSTATE") :] for line in text.splitlines(True) if "MATCHSTATE" in line)


@pytest.mark.parametrize("seat", [1, 2])
def test_one_seat_is_enough(seat):
    whole = [event for event in events(TEXT) if isinstance(event, HandRecord)]
    header, *hands = events(of_seat(seat))
    assert isinstance(header, LogHeader)
    assert [(hand.history, hand.players) for hand in hands] == [(hand.history, hand.players) for hand in whole]
    unseen = 2 - seat
    assert hands[0].deal.hole[unseen] == ()  # the hand ended with a fold
    assert hands[0].deal.hole[1 - unseen] == whole[0].deal.hole[1 - unseen]
    assert hands[1].deal == whole[1].deal  # and this one with a showdown
    assert not any(map(check, hands))


def test_what_an_agent_has_seen_and_answered(tmp_path):
    path = tmp_path / "agent.txt"
    path.write_text("VERSION:2.0.0\n" + bare(of_seat(2)))
    report = replay_file(path, GAME)
    assert (report.hands, report.differences, report.notes) == (2, 0, ())
    assert [hand.players for hand in read_records(path, GAME)] == [("seat 2", "seat 1"), ("seat 1", "seat 2")]
    with pytest.raises(KibitzError, match="which game was played; name it"):
        replay_file(path)
    path.write_text(bare(of_seat(2)).replace(":|9hQd/8dAs8s:r600", ":|9hQd/8dAs8s:r700"))
    assert replay_file(path, GAME).differences == 1


def test_a_seat_that_comes_and_goes():
    lines = TEXT.splitlines(True)
    second = next(number for number, line in enumerate(lines) if ":1::" in line)
    for one, other in ((of_seat(1), TEXT), (TEXT, of_seat(1))):
        first_hand = [line for line in one.splitlines(True) if line in lines[:second]]
        second_hand = [line for line in other.splitlines(True) if line in lines[second:]]
        _header, hand, note = events("".join(first_hand + second_hand))
        assert (hand.hand, note.text) == ("0", "the transcript ends within hand 1")


def test_a_transcript_may_end_anywhere():
    whole = len(TEXT)
    for cut in range(len(HEADER), whole, 7):
        found = events(TEXT[:cut])
        assert isinstance(found[0], LogHeader) or not found
        complete = [event for event in found if isinstance(event, HandRecord)]
        assert complete == [event for event in events(TEXT) if isinstance(event, HandRecord)][: len(complete)]
    assert isinstance(events(TEXT[: whole - 3])[-1], Note)
    assert "cut off" in events(TEXT[:-3])[-1].text
    assert "cut off" in events(TEXT[: TEXT.index("|9hQd")])[-1].text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (":r300\nTO 1", ":r400\nTO 1", "the answer was 'r400'"),
        ("MATCHSTATE:0:0:r300:5d5c|\n", "MATCHSTATE:0:0:r300:5d5h|\n", "changed within the hand"),
        ("MATCHSTATE:0:0:r300:5d5c|\n", "MATCHSTATE:1:0:r300:5d5c|\n", "moved from position"),
        ("MATCHSTATE:0:0:r300:5d5c|:c\n", "MATCHSTATE:0:0:r200:5d5c|:c\n", "not the last state sent"),
        ("MATCHSTATE:1:0:r300c/:|9hQd/8dAs8s\n", "MATCHSTATE:1:0:r200c/:|9hQd/8dAs8s\n", "does not continue"),
        ("FROM 2 at", "FRO 2 at", "no line of a transcript"),
    ],
)
def test_inconsistent_messages_are_found(old, new, words):
    assert old in TEXT
    broken = TEXT.replace(old, new, 1)
    with pytest.raises(FormatError, match=words):
        events(broken)
    refusals = [event for event in events(broken, strict=False) if isinstance(event, Refusal)]
    assert refusals[0].hand in ("0", "?")
    assert words in refusals[0].reason


@pytest.mark.parametrize("warning", ["Warning: seat 2 (b): ':x' is no action, changed to call", "WARNING: bad action"])
def test_a_warning_tells_how_the_dealer_ruled(warning):
    text = TEXT.replace(":c\nTO 1", f":x\n{warning}\nTO 1", 1)
    assert text != TEXT
    assert [event.history for event in events(text)[1:]] == [event.history for event in events(TEXT)[1:]]
    with pytest.raises(FormatError, match=r"after an answer that is none: .*'x' is no action"):
        events(text.replace(f"{warning}\n", ""))


def test_answers_that_come_late_and_the_clock_are_passed_over():
    answer = next(line for line in TEXT.splitlines(True) if line.startswith("FROM"))
    stale = TEXT.replace("FROM 1", f"{answer}FROM 1", 2).replace(
        "TO 1", "Seconds cumulatively spent in match for seat 0: 0\nTO 1", 3
    )
    assert stale.count(answer) > TEXT.count(answer)
    assert [e.history for e in events(stale)[1:]] == [e.history for e in events(TEXT)[1:]]


def test_the_dealer_may_turn_an_illegal_answer_into_a_call():
    legal_text = transcript([["c", "c"] + ["c"] * 6])
    changed = legal_text.replace("MATCHSTATE:1:0::|9hQd:c\n", "MATCHSTATE:1:0::|9hQd:r101\n")
    assert changed != legal_text
    assert not [event for event in events(changed, strict=False) if isinstance(event, Refusal)]


def test_the_real_transcript_agrees_with_its_log(data):
    from kibitz.io.acpc.log import read_hands_of_log

    folder = data / "acpc" / "logs"
    lines = (folder / "2p.nolimit.h1000.r0.transcript-head.log").read_text().splitlines(True)
    hands = [event for event in read_transcript(lines) if isinstance(event, HandRecord)]
    logged = list(read_hands_of_log((folder / "2p.nolimit.h1000.r0.log").read_text().splitlines()))
    assert len(hands) > 100
    assert [(h.hand, h.history, h.deal) for h in hands] == [(h.hand, h.history, h.deal) for h in logged[: len(hands)]]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=120), st.integers(0, len(TEXT)))
def test_any_bytes_are_read_or_refused(data, place):
    text = TEXT[:place] + data.decode("utf-8", "replace") + TEXT[place:]
    for strict in (True, False):
        with contextlib.suppress(KibitzError):
            events(text, strict)


def test_a_final_score_belongs_to_a_transcript(data):
    path = data / "acpc" / "logs" / "2p.nolimit.h1000.r0.transcript-head.log"
    lines = path.read_text().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    end = max(i for i, line in enumerate(whole) if line.startswith("TO 2") and ":f:" in line) + 1
    events = list(
        read_transcript([*whole[:end], "FINISHED at 1341695921.5\n", "SCORE:1|-1:p1|p2\n"], "transcript", None)
    )
    assert not [event for event in events if isinstance(event, Refusal)]
