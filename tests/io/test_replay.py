"""Replaying: faithful files have no differences, corrupted ones are caught at the right hand."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from kibitz.errors import FormatError
from kibitz.games import Deal, State, deal_hands, load_game
from kibitz.games.dealing import deal_from, mersenne_twister, pass_over
from kibitz.io.acpc import format_hand, parse_hand
from kibitz.io.acpc.log import LogHeader
from kibitz.io.hand_check import check
from kibitz.io.record import HandRecord
from kibitz.io.replay import replay_file

NOLIMIT = load_game("holdem-nolimit-2p")
LINE = "STATE:0:r19686r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:p1|p2"


def match_log(hands: int = 60, seed: int = 5, fixed_seats: bool = False, players: int = 2) -> list[str]:
    """A log as the dealer writes it, of players who raise, call and fold in turn."""
    game = load_game(f"holdem-limit-{players}p")
    name = "holdem.limit.2p.reverse_blinds.game" if players == 2 else f"holdem.limit.{players}p.game"
    lines = str(LogHeader("made", f"/elsewhere/{name}", hands, seed)).splitlines()
    totals = dict.fromkeys([f"bot{seat}" for seat in range(players)], 0.0)
    for hand, deal in zip(range(hands), deal_hands(game, seed), strict=False):
        state, step = State.start(game, deal), hand
        while not state.finished:
            wish = "rccfccrccc"[step % 10]
            state = state.apply(wish if wish in state.legal() else "c")
            step += 1
        shift = 0 if fixed_seats else hand
        names = tuple(f"bot{(position + shift) % players}" for position in range(players))
        shown = Deal(deal.hole, state.board)
        returns = tuple(map(float, state.returns()))
        lines.append(format_hand(HandRecord(game, str(hand), state.history, shown, names, returns)))
        for name, chips in zip(names, returns, strict=True):
            totals[name] += chips
    values = "|".join(f"{chips:.6f}".rstrip("0").rstrip(".") for chips in totals.values())
    return [*lines, f"SCORE:{values}:{'|'.join(totals)}"]


def replayed(tmp_path, lines):
    path = tmp_path / "match.log"
    path.write_text("\n".join(lines) + "\n")
    return replay_file(path)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("fixed_seats", [False, True])
def test_a_faithful_log_has_no_differences(tmp_path, players, fixed_seats):
    report = replayed(tmp_path, match_log(players=players, fixed_seats=fixed_seats))
    assert (report.hands, report.differences, report.first, report.notes) == (60, 0, (), ())


def test_missing_hands_are_no_differences(tmp_path):
    lines = match_log()
    report = replayed(tmp_path, lines[:3] + lines[4:20] + lines[25:])
    assert (report.hands, report.differences) == (54, 0)
    assert "6 of 60 hands are missing" in report.notes[0]


def test_a_match_that_breaks_off_is_noted(tmp_path):
    assert replayed(tmp_path, match_log()[:31]).notes == ("30 of 60 hands are missing, and there is no SCORE",)
    assert replayed(tmp_path, match_log()[:1]).notes == ("60 of 60 hands are missing, and there is no SCORE",)


def change(line: str, pattern: str, replacement: str) -> str:
    changed = re.sub(pattern, replacement, line, count=1)
    assert changed != line
    return changed


@pytest.mark.parametrize(
    ("pattern", "replacement", "field"),
    [
        (r":(\w\w)(\w\w)\|", r":\2\1|", "cards of seed 5"),
        (r"^(STATE:\d+:[^:]*):\w\w", r"\1:2c", "cards"),
        (r":(-?)([\d.]+)\|(-?)([\d.]+):b", r":\g<1>7\2|\3\4:b", "returns"),
        (r":(-?[\d.]+)\|(-?[\d.]+):b", r":\2|\1:b", "returns"),
        (r"^STATE:17:", r"STATE:18:", "hand number"),
        (r"(bot\d)\|(bot\d)", r"\2|\1", "names"),
        (r"^(STATE:17:[^:]*)c", r"\1rrrrrrrc", "action"),
        (r"^STATE", "STAT", "text"),
        (r":bot", "::bot", "text"),
    ],
)
def test_a_corrupted_hand_is_reported_where_it_stands(tmp_path, pattern, replacement, field):
    lines = match_log()
    lines[1 + 17] = change(lines[1 + 17], pattern, replacement)
    report = replayed(tmp_path, lines)
    assert report.differences > 0
    ours = [difference for difference in report.first if difference.source.endswith(":19")]
    assert any(difference.field.startswith(field) for difference in report.first)
    assert ours or field == "hand number"
    assert {difference.hand for difference in report.first} <= {"17", "18", "SCORE"}


def test_a_wrong_value_is_one_difference_although_the_score_follows(tmp_path):
    lines = match_log()
    lines[18] = change(lines[18], r":(-?[\d.]+)\|(-?[\d.]+):b", r":\2|\1:b")
    assert replayed(tmp_path, lines).differences == 1


def test_a_wrong_score_is_reported(tmp_path):
    lines = match_log()
    lines[-1] = change(lines[-1], r"SCORE:-?\d+", "SCORE:1234567")
    report = replayed(tmp_path, lines)
    assert [difference.hand for difference in report.first] == ["SCORE"]


def test_hands_may_come_in_any_order(tmp_path):
    lines = match_log()
    report = replayed(tmp_path, [lines[0], *reversed(lines[1:-1]), lines[-1]])
    assert report.differences == 0


def test_a_huge_hand_number_is_refused_at_once(tmp_path):
    lines = match_log()
    lines[18] = lines[18].replace("STATE:17:", "STATE:999999999999:")
    report = replayed(tmp_path, lines)
    assert [difference.field for difference in report.first] == ["hand number"]


def match_with_far_hands(*numbers: int) -> list[str]:
    """The header of a match long enough, hand 0, and hands of these numbers with the cards of hand 0."""
    header, first, *_others = match_log()
    far = [first.replace(":0:", f":{number}:", 1) for number in numbers]
    far = [
        line.replace("bot0|bot1", "bot1|bot0") if number % 2 else line
        for line, number in zip(far, numbers, strict=True)
    ]
    return [header.replace(" 60 5", f" {max(numbers) + 1} 5"), first, *far]


@pytest.mark.parametrize("number", [10**7, 12_345_679])
def test_hand_numbers_beyond_ten_million_are_checked(tmp_path, number):
    game, words = load_game("holdem-limit-2p"), mersenne_twister(5)
    pass_over(words, game, number)
    dealt = next(deal_from(words, game))
    header, first, wrong = match_with_far_hands(number)
    names = ("bot0", "bot1") if number % 2 == 0 else ("bot1", "bot0")
    far = format_hand(HandRecord(game, str(number), "rf", Deal(dealt.hole), names, (-10.0, 10.0)))
    assert replayed(tmp_path, [header, first, far]).first == ()
    assert [found.got for found in replayed(tmp_path, [header, first, far, far]).first] == [f"{number} again"]
    assert [found.field for found in replayed(tmp_path, [header, first, wrong]).first] == ["cards of seed 5"]


def test_hands_too_far_along_to_deal_are_noted(tmp_path):
    report = replayed(tmp_path, match_with_far_hands(10**9, 2**32 - 1, 10**17))
    assert (report.hands, report.first) == (4, ())
    assert any("cards not checked against seed 5: 3 of the hands" in note for note in report.notes)


def test_differences_are_counted_but_only_the_first_kept(tmp_path):
    lines = [line.replace("STATE", "STATS") for line in match_log()[1:-1]]
    report = replay_file_text(tmp_path, [match_log()[0], *lines], first=4)
    assert (report.differences, len(report.first), report.hands) == (60, 4, 0)


def replay_file_text(tmp_path, lines, **options):
    path = tmp_path / "match.log"
    path.write_text("\n".join(lines) + "\n")
    return replay_file(path, **options)


def test_progress_is_told(tmp_path):
    calls = []
    replay_file_text(tmp_path, match_log(hands=4100), progress=calls.append)
    assert calls == [2000, 4000]


@pytest.mark.parametrize(
    ("record", "field", "expected"),
    [
        (LINE.replace("r19686", "r150"), "action 1 ()", "one of f, c, r200..r20000"),
        (LINE.replace("c///", "cc//").replace("/6d", ""), "action 4 (r19686r20000c///)", "nothing, the hand is over"),
        ("STATE:0:r300c/:5d5c|9hQd/8dAs8s:1|-1:p1|p2", "betting", "an action of player 0"),
        ("STATE:0:r300/c:5d5c|9hQd/8dAs8s:1|-1:p1|p2", "betting", "r300c/"),
        (LINE.replace("8dAs8s", "8dAs5c"), "cards", "each card once"),
        (LINE.replace("20000|-20000", "-20000|20000"), "returns", "20000|-20000"),
        (LINE.replace("20000|-20000", "20000.00001|-20000.00001"), "returns", "20000|-20000"),
    ],
)
def test_check_names_the_field_and_what_was_right(record, field, expected):
    first = check(parse_hand(record, NOLIMIT, "x:1"))[0]
    assert (first.hand, first.field, first.expected, first.source) == ("0", field, expected, "x:1")


def test_check_accepts_rounding_and_hidden_cards():
    assert check(parse_hand(LINE.replace("20000|", "20000.0000004|"), NOLIMIT)) == []
    assert check(parse_hand("STATE:0:f:|:50|-50:p1|p2", NOLIMIT)) == []
    # A showdown whose cards are hidden cannot be decided, so its values are taken as they are.
    assert check(parse_hand(LINE.replace("5d5c", ""), NOLIMIT)) == []


HIDDEN = "STATE:0:r300c/cc/cc/cc:|9hQd/8dAs8s/4h/6d:{}:p1|p2"


@pytest.mark.parametrize("values", ["300|-300", "-300|300", "0|0", "150.5|-150.5"])
def test_results_of_a_hidden_showdown_may_be_anything_that_adds_up(values):
    assert check(parse_hand(HIDDEN.format(values), NOLIMIT)) == []


@pytest.mark.parametrize(
    ("values", "expected"),
    [("5000|7000", "add up to 0"), ("300|-299", "add up to 0"), ("400|-400", "a loss of 300"), ("-301|301", "a loss")],
)
def test_results_of_a_hidden_showdown_that_cannot_be(values, expected):
    (difference,) = check(parse_hand(HIDDEN.format(values), NOLIMIT))
    assert difference.field == "returns"
    assert expected in difference.expected


def test_folders_of_a_hidden_showdown_lose_what_they_put_in():
    game = load_game("holdem-nolimit-3p")
    line = "STATE:0:ccc/r200fc/cc/cc:|9hQd|/8dAs8s/4h/6d:{}:a|b|c"
    assert check(parse_hand(line.format("300|-100|-200"), game)) == []
    (difference,) = check(parse_hand(line.format("250|-50|-200"), game))
    assert "player 1" in difference.expected


def test_hidden_showdowns_are_noted(tmp_path):
    path = tmp_path / "x.log"
    path.write_text(HIDDEN.format("300|-300") + "\n" + LINE + "\n")
    report = replay_file(path, NOLIMIT)
    assert (report.hands, report.differences) == (2, 0)
    assert report.notes == ("1 hands end in a showdown of hidden cards: of their results, only sums were checked",)


def test_nobody_is_paid_where_everybody_mucks():
    record = parse_hand(LINE, NOLIMIT)._replace(extra={"mucked": (0, 1)})
    assert check(record) == []
    assert check(record._replace(returns=(1.0, 1.0)))[0].expected == "results that add up to 0"


def test_nothing_to_replay_is_an_error(tmp_path):
    with pytest.raises(FormatError, match="no hand history is there"):
        replay_file(tmp_path)
    (tmp_path / "picture").write_bytes(bytes(range(256)))
    with pytest.raises(FormatError, match="is no hand history"):
        replay_file(tmp_path)


def test_check_reports_cards_beyond_the_hand_and_outside_the_deck():
    record = parse_hand("STATE:0:f:5d5c|9hQd:50|-50:p1|p2", NOLIMIT)
    extra = record._replace(deal=Deal(record.deal.hole, (0, 1, 2)))
    assert [difference.field for difference in check(extra)] == ["cards"]
    leduc = parse_hand("STATE:0:rf:2c|As:1|-1:a|b", load_game("leduc"))
    assert check(leduc)[0].expected == "cards of the deck"
    three = record._replace(players=("a", "b", "c"))
    assert check(three)[0].field == "names"


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("2p.limit.h1000.r0.log", 1000),
        ("2p.nolimit.h1000.r0.log", 1000),
        ("3p.limit.h1000.r0.log", 1000),
        ("leduc.limit.2p.h50000.log.xz", 50_000),
        ("2p.nolimit.h1000.r0.transcript-head.log", 147),
    ],
)
def test_real_matches_replay_without_differences(data, name, hands):
    report = replay_file(data / "acpc" / "logs" / name)
    assert (report.hands, report.differences) == (hands, 0)


def test_what_is_no_hand_history_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("nothing of the kind\n")
    with pytest.raises(FormatError, match="not a hand history"):
        replay_file(path)


def test_replaying_an_acpc_log_imports_neither_compiler_nor_tables(tmp_path):
    path = tmp_path / "match.log"
    path.write_text("\n".join(match_log(hands=5)) + "\n")
    code = (
        "import sys; from kibitz.io.replay import replay_file; report = replay_file(sys.argv[1]);"
        "assert report.differences == 0 and report.hands == 5;"
        "print([name for name in ('numba', 'polars', 'numpy') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_rake_is_taken_from_the_winner_only():
    record = parse_hand("STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|290:p1|p2", NOLIMIT)
    assert [difference.field for difference in check(record)] == ["returns"]
    assert check(record._replace(extra={"rake": 10})) == []
    for returns in ((-310.0, 300.0), (-300.0, 280.0), (-305.0, 295.0)):
        assert check(record._replace(extra={"rake": 10}, returns=returns))


def test_winnings_may_be_short_of_a_rake():
    record = parse_hand("STATE:0:r300c/cr900f:5d5c|9hQd/8dAs8s:-300|290:p1|p2", NOLIMIT)
    won = {"winnings": (0, 590)}
    assert check(record._replace(extra=won)) == []
    assert check(record._replace(extra=won, returns=(-300.0, 240.0))) == []  # a tenth of the pot of 600
    for returns in ((-300.0, 239.0), (-310.0, 300.0), (-300.0, -300.0), (-300.0, 310.0)):
        assert [difference.field for difference in check(record._replace(extra=won, returns=returns))] == ["returns"]
    assert check(record._replace(extra={"_rake": 10})) == []  # as a converted hand has it


def test_who_mucks_gives_up_the_pot_but_not_an_uncalled_bet():
    game = replace(NOLIMIT, stacks=(20000, 5000))
    line = "STATE:0:c" + "r20000c///:AhAd|7c2d/8dAs8s/4h/6d:5000|-5000:p1|p2"
    record = parse_hand(line, game)
    assert check(record) == []
    given_up = record._replace(returns=(-5000.0, 5000.0), extra={"mucked": (0,)})
    assert check(given_up) == []
    assert check(given_up._replace(returns=record.returns))
    hidden = given_up._replace(deal=Deal(((), record.deal.hole[1]), record.deal.board))
    assert check(hidden) == []


LOWEST = """# name/game/hands/seed old leduc.limit.2p.game 2 0
STATE:0:cc/rc:4c|3d/3c:-5|5:a|b
STATE:1:cc/cc:2c|2d/3d:0|0:b|a
SCORE:-5|5:a|b
"""


def test_small_decks_of_the_lowest_ranks_are_told(tmp_path):
    path = tmp_path / "old.log"
    path.write_text(LOWEST)
    found = replay_file(path).first[0]
    assert "3c 3d 4c not in the deck of this game, QhQsKhKsAhAs" in found.got
    assert "add deck=lowest to the game, as in leduc,deck=lowest" in found.got
    assert replay_file(path, load_game("leduc,deck=lowest")).differences == 0


TWICE = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AhKs', 'd dh p2 QcQd', {}]
hand = 1
"""


@pytest.mark.parametrize(
    "actions",
    [
        "'p2 cbr 100', 'p1 cc', 'd db 2c3d4h', 'd db 5s', 'd db 9d', 'd db 2d3h4s', 'd db 5c', 'd db 9h'",
        "'p2 cc', 'p1 cc', 'd db 2c3d4h', 'p1 cbr 98', 'p2 cc', 'd db 5s', 'd db 9d', 'd db 5c', 'd db 9h'",
        "'p2 cc', 'p1 cc', 'd db 2c3d4h', 'p1 cc', 'p2 cc', 'd db 5s', 'p1 cbr 98', 'p2 cc', 'd db 9d', 'd db 9h'",
    ],
)
def test_a_board_run_twice_is_another_game_and_no_difference(tmp_path, actions):
    path = tmp_path / "hands.phhs"
    once = "'p2 cbr 100', 'p1 cc', 'd db 2c3d4h', 'd db 5s', 'd db 9d'"
    path.write_text(f"[1]\n{TWICE.format(actions)}\n[2]\n{TWICE.format(once)}")
    report = replay_file(path)
    assert (report.hands, report.differences) == (1, 0)
    assert [note.partition(": ")[2] for note in report.notes] == [
        "a hand whose board is run more than once is not played here"
    ]


def test_cards_after_the_river_are_a_difference(tmp_path):
    path = tmp_path / "hand.phh"
    checks = "'p1 cc', 'p2 cc'"
    actions = f"'p2 cc', 'p1 cc', 'd db 2c3d4h', {checks}, 'd db 5s', {checks}, 'd db 9d', {checks}, 'd db 9h'"
    path.write_text(TWICE.format(actions))
    (difference,) = replay_file(path).first
    assert difference.got == "board 2c3d4h5s9d9h: at most 5 cards"


def test_what_is_echoed_of_a_file_is_short(tmp_path):
    path = tmp_path / "long.log"
    good = "# name/game/hands/seed m holdem-nolimit-2p 9 0\n"
    lines = ["x" * 10**6, f"STATE:{'1' * 10**6}:f:5d5c|9hQd:50|-50:a|b", f"STATE:1:{'c' * 10**6}:5d5c|9hQd:0|0:a|b"]
    lines += [f"STATE:2:f:5d5c|9hQd:50|-50:{'a' * 10**6}|b", f"STATE:3:f:5d5c|9hQd:50|-50:a|b{'|c' * 10**6}"]
    path.write_text(good + "\n".join(lines) + "\n")
    report = replay_file(path)
    assert report.differences >= 4
    assert max(len(str(difference)) for difference in report.first) < 3_000
    assert "(1,000,000 characters)" in str(report.first[0])
