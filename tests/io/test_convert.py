"""Conversions: what both formats can say comes back the same, what cannot be said is told."""

import io
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from kibitz.cards import parse_cards
from kibitz.errors import FormatError
from kibitz.games import Deal, State, load_game
from kibitz.io.acpc.log import read_hands_of_log
from kibitz.io.convert import convert
from kibitz.io.files import read_records
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord

phh = pytest.importorskip("kibitz.io.phh")

NOLIMIT = """# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 4 0
STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|300:p1|p2
STATE:1:f:6sKs|5dJd:50|-50:p2|p1
STATE:2:cc/r20000c//:Ah8s|2h4c/Qd7h6c/4s/Jc:20000|-20000:p1|p2
"""


def converted(records, to, **options):
    out = io.StringIO()
    conversion = convert(records, to, out, **options)
    return conversion, out.getvalue()


def bare(records):
    return [record._replace(source="", extra={}, returns=tuple(map(float, record.returns))) for record in records]


def test_acpc_to_phh_and_back():
    records = list(read_hands_of_log(NOLIMIT.splitlines()))
    conversion, text = converted(records, "phhs")
    assert conversion == (3, Counter(), Counter())
    again = list(phh.read_phh(text, "x.phhs"))
    assert bare(again) == bare(records)
    _conversion, log = converted(again, "acpc")
    assert [line for line in log.splitlines() if line.startswith("STATE")] == NOLIMIT.splitlines()[1:]


def test_one_hand_for_a_phh_file():
    records = list(read_hands_of_log(NOLIMIT.splitlines()))
    assert converted(records[:1], "phh")[0].written == 1
    with pytest.raises(FormatError, match="3 hands"):
        converted(records, "phh")


PHH = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [20000, 10000, 5000]
actions = ['d dh p1 AhKs', 'd dh p2 QcQd', 'd dh p3 2c2d', 'p3 cbr 300', 'p1 f', 'p2 f']
hand = 7
players = ['Ann', 'Bob', 'Cyd']
finishing_stacks = [19950, 9900, 5150]
"""


def test_phh_to_acpc_and_back_is_the_same_file():
    records = list(phh.read_phh(PHH, "x.phh"))
    conversion, log = converted(records, "acpc")
    assert conversion == (1, Counter(), Counter())
    again = list(read_hands_of_log(log.splitlines()))
    assert phh.write_phh(again[0]) == phh.write_phh(records[0])


@pytest.mark.parametrize(
    ("old", "new", "reason", "written"),
    [
        ("antes = [0, 0, 0]", "antes = [5, 5, 5]", "no antes", 0),
        ("hand = 7", "event = 'Final'\nhand = 7", "no place for event", 1),
        ("hand = 7\n", "", "number their hands", 1),
        ("'Ann'", "'A:n'", "':'", 1),
    ],
)
def test_what_acpc_cannot_say(old, new, reason, written):
    text = PHH.replace(old, new)
    if "antes = [5" in text:
        text = text.replace("[19950, 9900, 5150]", "[19945, 9895, 5160]")
    records = list(phh.read_phh(text, "x.phh"))
    with pytest.raises(FormatError, match=reason):
        converted(records, "acpc")
    conversion, log = converted(records, "acpc", lossy=True)
    assert conversion.written == written
    assert any(reason in told for told in conversion.losses)
    assert log.count("STATE:") == written


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("'p3 cbr 300'", "'p3 cbr 300 # at last'", "commentary"),
        ("'d dh p3 2c2d'", "'d dh p3 2c??'", "half known"),
        ("blinds_or_straddles = [50, 100, 0]", "blinds_or_straddles = [50, 100, -50]", "posted late"),
    ],
)
def test_what_the_actions_tell_beyond_the_play_is_not_dropped_in_silence(old, new, lost):
    text = PHH.replace(old, new)
    records = list(phh.read_phh(text, "x.phh"))
    with pytest.raises(FormatError, match=f"no place for .*{lost}.*leave out what"):
        converted(records, "acpc")
    assert converted(records, "acpc", lossy=True)[0].written == 1


def test_a_big_blind_posted_late_survives_acpc():
    text = PHH.replace("[50, 100, 0]", "[50, 100, -100]").replace("ante_trimming_status = true\n", "")
    records = list(phh.read_phh(text, "x.phh"))
    conversion, log = converted(records, "acpc")
    assert conversion == (1, Counter(), Counter())
    (again,) = read_hands_of_log(log.splitlines())
    assert phh.write_phh(again._replace(extra=records[0].extra)) == phh.write_phh(records[0])
    assert "blinds_or_straddles = [50, 100, -100]\n" in phh.write_phh(again)


def test_all_hands_are_looked_at_before_losses_are_told():
    texts = [PHH, PHH.replace("hand = 7", "event = 'Final'\nhand = 8"), PHH.replace("'Ann'", "'A:n'"), PHH]
    records = [record for number, text in enumerate(texts) for record in phh.read_phh(text, f"{number}.phh")]
    with pytest.raises(FormatError) as error:
        converted([*records, *records], "acpc")
    told = str(error.value)
    assert told.startswith("1.phh:1: ACPC has no place for event (2 hands), ACPC names have ")
    assert told.endswith(" (2 hands); leave out what cannot be said")


HALVES = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ['d dh p1 2c3c', 'd dh p2 4c5d', 'd dh p3 6c7d', 'p3 cc', 'p1 f', 'p2 cc', 'd db TsJsQs', 'p2 cc', 'p3 cc', \
'd db Ks', 'p2 cc', 'p3 cc', 'd db As', 'p2 cc', 'p3 cc', 'p2 sm 4c5d', 'p3 sm 6c7d']
hand = 1
finishing_stacks = [99, 100.5, 100.5]
"""


def test_half_chips_of_a_split_pot_are_the_same_in_both_formats():
    records = list(phh.read_phh(HALVES))
    assert records[0].chip == 0.5
    conversion, log = converted(records, "acpc")
    assert conversion == (1, Counter(), Counter())
    assert ":-1|0.5|0.5:" in log
    cents = HALVES.replace("[1, 2, 0]", "[0.25, 0.50, 0]").replace("[99, 100.5, 100.5]", "[99.75, 100.12, 100.13]")
    cents = cents.replace("min_bet = 2", "min_bet = 0.50")
    with pytest.raises(FormatError, match=r"does not say that a chip is worth 0\.01"):
        converted(list(phh.read_phh(cents)), "acpc")


def test_winnings_follow_from_the_rules_where_a_file_leaves_them_out():
    records = list(phh.read_phh(PHH.replace("finishing_stacks = [19950, 9900, 5150]\n", ""), "x.phh"))
    assert records[0].returns is None
    conversion, log = converted(records, "acpc")
    assert ":-50|-100|150:" in log
    assert not conversion.losses
    assert conversion.additions == {"results computed by the rules, for the file does not state them": 1}


SHOWDOWN = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 AhAs', 'd dh p2 QcQd', 'p2 cc', 'p1 cc', 'd db 2c3d4h', 'p1 cc', 'p2 cc', 'd db 7h', 'p1 cc', \
'p2 cc', 'd db 9h', 'p1 cc', 'p2 cc'{}]
hand = 1
"""


ALL_IN_BLIND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [40, 1000]
actions = ['d dh p1 AhKs', 'd dh p2 QcQd', 'p1 sm AhKs', 'p2 sm QcQd', 'd db 2c3d4h', 'd db 5s', 'd db 9d']
hand = 1
players = ['Ann', 'Bob']
finishing_stacks = [80, 960]
"""


def test_who_is_alone_after_the_blinds_is_asked_by_the_acpc_only():
    records = list(phh.read_phh(ALL_IN_BLIND))
    conversion, log = converted(records, "acpc")
    assert "\nSTATE:1:c///:AhKs|QcQd/2c3d4h/5s/9d:40|-40:Ann|Bob\n" in log
    assert not conversion.losses
    assert conversion.additions == {
        "call added of the one player not all-in before the flop, whom ACPC asks": 1,
    }
    again = list(read_hands_of_log(log.splitlines()))
    text = phh.write_phh(again[0])
    assert "cc" not in text
    (third,) = phh.read_phh(text)
    assert bare([third]) == bare(again)
    assert not check(third)


def test_who_is_alone_after_a_call_is_asked_by_the_acpc_too():
    text = ALL_IN_BLIND.replace("[40, 1000]", "[1000, 80]").replace("'d dh p2 QcQd',", "'d dh p2 QcQd', 'p2 cc',")
    (record,) = phh.read_phh(text.replace("finishing_stacks = [80, 960]", ""))
    assert record.history == "c///"
    assert "\nSTATE:1:cc///:" in converted([record], "acpc")[1]


@pytest.mark.parametrize(
    ("stacks", "history"),
    [
        ((20, 1000, 1000), "fc///"),
        ((20, 1000, 1000), "cc/cc/cc/cc"),
        ((20, 1000, 1000), "cr300f///"),
        ((20, 1000, 1000), "r300c/cc/cc/cc"),
        ((1000, 1000, 80), "cfc///"),  # a call puts all-in
    ],
)
def test_hands_that_a_blind_meets_all_in_survive_phh(stacks, history):
    pokerkit = pytest.importorskip("pokerkit")
    game = replace(load_game("holdem-nolimit-3p"), stacks=stacks, blinds=(50, 100, 0), first_players=(2, 1, 1, 1))
    deal = Deal(tuple(map(parse_cards, ("AhKs", "QcQd", "7s2d"))), parse_cards("2c3d4h5s9d"))
    state = State.start(game, deal).play(history)
    record = HandRecord(game, "1", state.history, deal, ("a", "b", "c"), state.returns())
    text = phh.write_phh(record)
    *_, end = pokerkit.HandHistory.loads(text)
    assert tuple(end.stacks) == tuple(stack + won for stack, won in zip(game.stacks, record.returns, strict=True))
    (again,) = phh.read_phh(text)
    assert bare([again]) == bare([record])


def test_who_mucks_the_best_hand_is_not_paid():
    mucked = list(phh.read_phh(SHOWDOWN.format(", 'p1 sm', 'p2 sm QcQd'")))
    with pytest.raises(FormatError, match="no place for mucked"):
        converted(mucked, "acpc")
    conversion, log = converted(mucked, "acpc", lossy=True)
    assert conversion.written == 0  # by its cards, the hand is another
    worst = list(phh.read_phh(SHOWDOWN.format(", 'p1 sm AhAs', 'p2 sm'")))
    with pytest.raises(FormatError, match="no place for mucked"):
        converted(worst, "acpc")
    conversion, log = converted(worst, "acpc", lossy=True)
    assert ":100|-100:" in log


def test_a_pot_for_three_is_no_rake():
    log = """# name/game/hands/seed m holdem-nolimit-6p 1 0
STATE:0:cr2818r16264r20000ffcfc///:7h7d|2c4s|6h3c|8c9c|Qs9s|TcKs/4d3s2d/5c/6s:\
-50|-100|989.333333|-2818|989.333333|989.333333:a|b|c|d|e|f
"""
    (record,) = read_hands_of_log(log.splitlines())
    (again,) = phh.read_phh(converted([record], "phh")[1])
    assert converted([again], "acpc")[1].splitlines()[-1] == log.splitlines()[-1]
    hidden = record._replace(deal=record.deal._replace(hole=(*record.deal.hole[:2], (), (), (), ())))
    assert not check(hidden)


def test_a_rake_is_told():
    raked = list(phh.read_phh(SHOWDOWN.format("") + "winnings = [190, 0]\n"))
    with pytest.raises(FormatError, match="knows no rake"):
        converted(raked, "acpc")
    conversion, log = converted(raked, "acpc", lossy=True)
    assert conversion.losses["ACPC knows no rake"] == 1
    assert ":100|-100:" in log


def test_names_that_acpc_would_change():
    record = next(read_hands_of_log(NOLIMIT.splitlines()))._replace(players=("bob (2)", "ann # 5 "))
    with pytest.raises(FormatError, match="no number in brackets"):
        converted([record], "acpc")
    _conversion, log = converted([record], "acpc", lossy=True)
    (again,) = read_hands_of_log(log.splitlines())
    assert again.players == ("bob _2_", "ann _ 5")


def test_the_oldest_dialect_goes_through_phh():
    line = "p1|p2:0:b50b100r300c300/c0r700f:AhKs|QcQd/2c3d4h:300|-300"
    records = list(read_hands_of_log([line]))
    _conversion, text = converted(records, "phhs")
    _conversion, log = converted(phh.read_phh(text), "acpc")
    assert "STATE:0:r300c/cr700f:AhKs|QcQd/2c3d4h:300|-300:p1|p2" in log


@pytest.mark.parametrize(("game", "history"), [("holdem-nolimit-2p", "rf"), ("holdem-limit-2p", "r20f")])
def test_raises_of_another_game_are_refused(game, history):
    records = list(read_hands_of_log([f"STATE:0:{history}:5d5c|9hQd:50|-50:a|b"], game=load_game(game)))
    with pytest.raises(FormatError, match="raises are r in limit and r<chips> in no-limit games"):
        converted(records, "phhs")


def test_games_that_phh_cannot_say_are_refused():
    records = list(read_hands_of_log(["# name/game/hands/seed m leduc.game 1 0", "STATE:0:rf:Kh|As:1|-1:a|b"]))
    with pytest.raises(FormatError, match="PHH cannot say"):
        converted(records, "phhs")
    assert converted(records, "phhs", lossy=True)[0].written == 0


@pytest.mark.parametrize("name", ["2p.limit.h1000.r0.log", "2p.nolimit.h1000.r0.log", "3p.limit.h1000.r0.log"])
def test_real_logs_survive_phh(data, name):
    path = data / "acpc" / "logs" / name
    records = list(read_records(path))[:200]
    text = converted(records, "phhs")[1]
    log = converted(phh.read_phh(text, "x.phhs"), "acpc")[1]
    lines = [line for line in log.splitlines() if line.startswith("STATE")]
    assert lines == [line for line in path.read_text().splitlines() if line.startswith("STATE")][:200]


def test_pluribus_survives_acpc(data):
    records = list(islice(read_records(data / "phh" / "pluribus-sessions.tar.xz"), 500))
    conversion, log = converted(records, "acpc", lossy=True)
    assert conversion == (500, {"ACPC has no place for mucked": 29}, {})
    again = converted(read_hands_of_log(log.splitlines()), "phhs")[1]
    assert converted(phh.read_phh(again, "x.phhs"), "acpc")[1] == log


def test_a_raise_that_lowers_the_bet_is_for_acpc_only():
    game = replace(load_game("holdem-limit-3p"), stacks=(15, 1000, 1000), name="")
    deal = Deal(tuple(map(parse_cards, ("AsAh", "KsKh", "QsQh"))), parse_cards("2c7d9h3s4c"))
    state = State.start(game, deal).play("rrcf")  # 20, then 15; the first raiser folds 20, of which 5 are nobody's
    assert state.finished
    assert state.returns() == (30, -15, -20)
    record = HandRecord(game, "0", state.history, deal, ("a", "b", "c"), (30.0, -15.0, -20.0))
    assert check(record) == []
    conversion, text = converted([record], "acpc")
    assert not conversion.losses
    assert bare(read_hands_of_log(text.splitlines())) == bare([record])
    with pytest.raises(FormatError, match="player 1 raises to 15 over a bet of 20, as only the ACPC can"):
        converted([record], "phhs")
