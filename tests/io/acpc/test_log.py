"""Whole logs: headers, games, dialects, errors."""

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import FormatError, GameError, KibitzError
from kibitz.games import format_gamedef, load_game
from kibitz.io.acpc import Score, format_hand
from kibitz.io.acpc.log import LogHeader, read_hands_of_log, read_log, write_log
from kibitz.io.files import read_records
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord, Refusal
from kibitz.io.replay import replay_file

HEADER = """# name/game/hands/seed match.1 /home/someone/my games/holdem.limit.2p.reverse_blinds.game 1000 42
#--t_response 600000
#--t_hand 600000
#--t_per_hand 7000
"""
HAND = "STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2\n"
DEEPSTACK = "STATE:19:r200c/cr400c/cr850f:9hQc|5dQd/4h4c6c/4s:-400|400:DeepStack|player.account # 1479132064.35509"
FREEZE_OUT = (
    "STATE:1001400037:20150|19850:300|150:r750c/cc/r1500f:8sQd|Ks7h/2d3d4d/6d:750|-750:DeepStack|Nate_@NateMeyvis"
)
PLURIBUS = (
    "STATE:7:fr225fffc/cr475c/cr1225c/cc:5hJc|Jd9h|6s5c|Ah7h|2s2d|3hTs/3sJh2h/Tc/Ks:"
    "-50|1275|0|-1225|0|0:Gogo|Budd|Eddie|Bill|Pluribus|MrWhite"
)


def read(text: str, **options: object) -> list[HandRecord]:
    return [event for event in read_log(text.splitlines(True), "x.log", **options) if isinstance(event, HandRecord)]


def test_the_file_that_a_header_names_comes_before_games_of_that_name(tmp_path):
    path = tmp_path / "holdem.limit.2p.reverse_blinds.game"
    header = LogHeader("match", str(path), 1, 0)
    assert header.load_game() == load_game("holdem-limit-2p")
    path.write_text(format_gamedef(load_game("leduc")))
    assert replace(header.load_game(), name="") == replace(load_game("leduc"), name="")
    longer = header._replace(game=f"/{'x' * 300}/holdem.limit.2p.reverse_blinds.game")  # than any name of a file
    assert longer.load_game() == load_game("holdem-limit-2p")


@pytest.mark.parametrize("named", ["own.game", "games/own.game", "/elsewhere/own.game", "C:\\games\\own.game"])
def test_a_definition_beside_the_log_is_found_from_anywhere(tmp_path, monkeypatch, named):
    folder, elsewhere = tmp_path / "match", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    own = replace(load_game("holdem-nolimit-2p"), stacks=(777, 777), name="")
    (folder / "own.game").write_text(format_gamedef(own))
    log = folder / "own.log"
    log.write_text(f"# name/game/hands/seed m {named} 1 0\nSTATE:0:f:5d5c|9hQd:50|-50:a|b\n")
    with tarfile.open(folder / "own.tar", "w") as archive:
        archive.add(log, "in/side.log")
    monkeypatch.chdir(elsewhere)
    for path in (log, folder / "own.tar", Path("..") / "match" / "own.log"):
        (record,) = read_records(path)
        assert replace(record.game, name="") == own
    monkeypatch.chdir(folder)
    assert replay_file("own.log").differences == 0


def test_a_header_prints_as_it_was_read():
    header, record, *_rest = read_log((HEADER + HAND).splitlines(), "x.log")
    assert isinstance(header, LogHeader)
    assert header[:4] == ("match.1", "/home/someone/my games/holdem.limit.2p.reverse_blinds.game", 1000, 42)
    assert (header.response_limit, header.hand_limit, header.per_hand_limit) == (600_000, 600_000, 7_000)
    assert str(header) + "\n" == HEADER
    assert record.game == load_game("holdem-limit-2p")
    assert record.source == "x.log:5"


def test_the_game_of_the_caller_goes_before_the_header():
    game = replace(load_game("holdem-limit-2p"), name="mine")
    assert read(HEADER + HAND, game=game)[0].game.name == "mine"


def test_an_unknown_game_file_asks_for_the_game():
    with pytest.raises(GameError, match="not known here; name the game") as told:
        read(HEADER.replace("holdem", "unheard") + HAND)
    assert told.value.settings == ("game",)


def test_logs_can_be_joined():
    second = HEADER.replace("limit.2p", "nolimit.2p").replace(" 42", " 43")
    events = list(read_log((HEADER + HAND + "SCORE:20|-20:p1|p2\n" + second + HAND).splitlines()))
    assert [type(event) for event in events] == [LogHeader, HandRecord, Score, LogHeader, HandRecord]
    assert events[-1].game == load_game("holdem-nolimit-2p")


def test_line_ends_and_blank_lines_do_not_matter():
    assert read((HEADER + "\n; remark\n" + HAND).replace("\n", "\r\n")) == [
        read(HEADER + HAND)[0]._replace(source="x.log:7")
    ]


def test_errors_name_file_and_line():
    with pytest.raises(FormatError, match=r"^x\.log:6: cards"):
        read(HEADER + HAND + HAND.replace("5d5c", "5d5x"))
    with pytest.raises(FormatError, match=r"^x\.log:5: .*no line of a log"):
        read(HEADER + "STOTE:0:cc\n")


def test_a_lenient_reader_goes_on_after_a_bad_line():
    bad = HAND.replace("STATE:0", "STATE:17").replace("5d5c", "5d5x")
    events = list(read_log((HEADER + bad + HAND).splitlines(), "x.log", strict=False))
    assert [type(event) for event in events] == [LogHeader, Refusal, HandRecord]
    assert (events[1].hand, events[1].source) == ("17", "x.log:5")
    assert "5x" in events[1].reason


def test_deepstack_lines_carry_a_time():
    (record,) = read(DEEPSTACK)
    assert record.extra == {"time": 1479132064.35509}
    assert record.players == ("DeepStack", "player.account")
    assert format_hand(record) == DEEPSTACK.split(" #")[0]
    assert check(record) == []


def test_freeze_outs_have_a_game_per_hand():
    first, again = read(FREEZE_OUT + "\n" + FREEZE_OUT + " # 1479132064.5\n")
    assert first.game.stacks == (20150, 19850)
    assert first.game.blinds == (300, 150)
    assert first.game is again.game
    assert (first.hand, again.extra) == ("1001400037", {"time": 1479132064.5})
    assert check(first) == []
    with pytest.raises(FormatError, match="blinds '300'"):
        read(FREEZE_OUT.replace("300|150", "300"))


@pytest.mark.parametrize("tail", [" (-12.5)", ":(-12.5)", "(-12.5)", " ( -12.5 ) # 1479132064"])
def test_local_best_response_logs_carry_a_value(tail):
    (record,) = read("LBR: fold, call, pot\n" + DEEPSTACK.split(" #")[0].replace("DeepStack", "LBR") + tail)
    assert record.extra["variance_reduced"] == -12.5
    assert record.players == ("LBR", "player.account")


def test_brackets_in_the_names_of_a_match_are_names():
    (record,) = read(HEADER + HAND.replace("p1|p2", "bot(1)|bot(2)"))
    assert record.players == ("bot(1)", "bot(2)")


def test_numbers_in_brackets_are_names_in_a_match_too():
    record = read(HEADER + HAND.replace("p2", "bob (2)"))[0]
    assert (record.players, dict(record.extra)) == (("p1", "bob (2)"), {})


def test_a_damaged_first_hand_is_not_taken_for_a_title():
    with pytest.raises(FormatError, match=r"x\.log:1: .* is no line of a log"):
        read("TATE" + HAND.removeprefix("STATE") + HAND, game=load_game("holdem-limit-2p"))
    assert len(read("LBR: a title\n" + HAND, game=load_game("holdem-limit-2p"))) == 1


@pytest.mark.parametrize("name", ["bob (2)", "bob(-1.5e3)", "bob # 5", "bob ", "\tbob", "(3)", "", "a:b", "a|b"])
def test_names_that_would_come_back_changed_are_refused(name):
    record = read(HEADER + HAND)[0]._replace(players=("ann", name))
    with pytest.raises(FormatError, match="cannot stand in an ACPC log"):
        format_hand(record)


def test_pluribus_lines_tell_their_game():
    (record,) = read(PLURIBUS)
    assert record.game.stacks == (10_000,) * 6
    assert record.game.blinds == (50, 100, 0, 0, 0, 0)
    assert check(record) == []


def test_logs_before_2011_post_blinds_as_actions():
    line = "alpha|beta:12:b50b100r300c300/c300r600c600/c600c600/c600c600:5d5c|9hQd/8dAs8s/4h/6d:600|-600"
    (record,) = read(line)
    assert (record.hand, record.players, record.history) == ("12", ("alpha", "beta"), "r300c/cr600c/cc/cc")
    assert record.game.blinds == (100, 50)
    assert record.extra["betting"] == "b50b100r300c300/c300r600c600/c600c600/c600c600"
    assert check(record) == []
    three = "a|b|c:0:b5b10ffc:5d5c|9hQd|2c3c:-5|5|0"
    game = load_game("holdem-nolimit-3p")
    assert read(three.replace("ffc", "ff"), game=game)[0].game.blinds == (5, 10, 0)


def test_pokerkit_reads_the_old_dialect_alike():
    pokerkit = pytest.importorskip("pokerkit")
    line = "alpha|beta:12:b50b100r300c300/c300r600c600/c600c600/c600c600:5d5c|9hQd/8dAs8s/4h/6d:600|-600"
    game = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    (hand,) = pokerkit.HandHistory.from_acpc_protocol(game, 20_000, line, error_status=True)
    bets = [int(action.split()[2]) for action in hand.actions if " cbr " in action]
    assert bets == [300, 300]  # this street: 300, then 600 less the 300 of the first round
    final = list(hand)[-1]
    assert [chips - 20_000 for chips in final.stacks] == list(map(int, read(line)[0].returns))


def test_a_log_that_does_not_tell_its_game_is_refused():
    with pytest.raises(GameError, match="which game was played; name it"):
        read("STATE:0:rf:Kh|As:1|-1:Random_1|CFR_trained")
    (record,) = read("STATE:0:rf:Kh|As:1|-1:Random_1|CFR_trained", game=load_game("leduc"))
    assert check(record) == []


def test_written_logs_carry_their_game():
    records = [*read(PLURIBUS), *read(FREEZE_OUT), *read(FREEZE_OUT), *read(HEADER + HAND)]
    out = io.StringIO()
    assert write_log(records, out) == 4
    text = out.getvalue()
    assert text.count("# GAMEDEF") == 3
    again = list(read_hands_of_log(text.splitlines()))
    assert [record._replace(source="") for record in again] == [record._replace(source="") for record in records]


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200), st.sampled_from(["", HEADER, HEADER + HAND, "# GAMEDEF\n", DEEPSTACK + "\n", "STATE:0:"])
)
def test_any_bytes_are_read_or_refused(data, start):
    text = start + data.decode("utf-8", "replace")
    for strict in (True, False):
        try:
            list(read_log(io.StringIO(text), "x.log", load_game("holdem-nolimit-2p"), strict=strict))
            list(read_log(io.StringIO(text), "x.log", strict=strict))
        except KibitzError:
            pass


@pytest.mark.parametrize("name", ["2p.limit.h1000.r0.log", "2p.nolimit.h1000.r0.log", "3p.limit.h1000.r0.log"])
def test_real_logs_print_as_they_were_read(data, name):
    lines = (data / "acpc" / "logs" / name).read_text().splitlines()
    printed = [format_hand(e) if isinstance(e, HandRecord) else str(e) for e in read_log(lines)]
    assert "\n".join(printed).splitlines() == lines
