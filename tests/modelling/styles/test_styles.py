"""Style statistics: definitions on hands made for them, counts of real logs, identities on simulated deals."""

from __future__ import annotations

import tarfile
from dataclasses import replace
from itertools import islice
from math import inf, isnan

import pytest

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.errors import FormatError, KibitzError
from kibitz.games import load_game
from kibitz.modelling.styles import StyleCounts, hand_transfers, observe_hand, read_styles
from modelling.styles.plain_counts import LIMIT_SIZES, acpc_hands, count_hands, phh_hands

AGENTS = ("tight-aggressive", "loose-passive", "loose-aggressive", "tight-passive", "random", "always-call")
HANDS = 200


def play(game: str, agents: tuple[str, ...], hands: int, path):
    plan = MatchPlan(
        load_game(game), hands, 7, tuple(f"{name}-{seat}" for seat, name in enumerate(agents)), game_name=game
    )
    lines: list[str] = []
    play_locally(plan, [load_agent(name) for name in agents], list(range(len(agents))), lines.append)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Simulated deals of two, three and six players."""
    folder = tmp_path_factory.mktemp("styles")
    return {
        2: play("holdem-limit-2p", AGENTS[:2], 300, folder / "two.log"),
        3: play("holdem-limit-3p", AGENTS[:3], 300, folder / "three.log"),
        6: play("holdem-nolimit-6p", AGENTS, 200, folder / "six.log"),
    }


def test_a_big_blind_that_checks_puts_in_nothing():
    big, small = observe_hand(load_game("holdem-limit-2p"), "cc/cc/cc/cc", (10, -10))
    assert (big.voluntary, big.calls, big.showdown, big.share) == (False, 0, True, 1.0)
    assert (small.voluntary, small.calls, small.share) == (True, 1, 0.0)


def test_a_walk_is_no_voluntary_win():
    big, small = observe_hand(load_game("holdem-limit-2p"), "f", (5, -5))
    assert (big.uncontested, big.voluntary, small.folded, small.voluntary) == (True, False, True, False)
    counts = StyleCounts.of([big], [5.0])
    assert (counts.walks, counts.wins, counts.vpip) == (1, 0, 0.0)
    assert isnan(counts.won_without_showdown)


def test_chips_after_the_flop_are_voluntary_too():
    big, small = observe_hand(load_game("holdem-limit-2p"), "cc/rrf", (-20, 20))
    assert (big.voluntary, big.folded, big.bets, big.calls) == (True, True, 1, 0)
    assert (small.bets, small.calls, small.uncontested) == (1, 1, True)


def test_split_and_side_pots_count_by_their_fraction():
    game = load_game("holdem-limit-3p")
    assert [seat.share for seat in observe_hand(game, "ccc/ccc/ccc/ccc", (5, 5, -10))] == [0.5, 0.5, 0.0]
    game = replace(load_game("holdem-nolimit-3p"), stacks=(200, 1000, 1000))
    # A main pot of 600 for the first, all-in; a side pot of 1,600 for the second.
    shares = [seat.share for seat in observe_hand(game, "r200cc/r1000c", (400, 600, -1000))]
    assert shares == pytest.approx([600 / 2200, 1600 / 2200, 0])


def test_what_nobody_knows_is_left_open():
    seats = observe_hand(load_game("holdem-limit-2p"), "cc/cc/cc/cc", None)
    assert [seat.share for seat in seats] == [None, None]
    counts = StyleCounts.of(seats, [])
    assert (counts.showdowns, counts.shares.count) == (2, 0)
    assert isnan(counts.won_at_showdown)
    assert isnan(counts.mean)


SHOWN = {"went_to_showdown": True}
UNSHOWN = {"went_to_showdown": False}
CALLED = {"three_bet": False}
CHANCES = {  # of small blind, big blind and button, which acts first
    "ff": ({}, {}, {}),  # a walk
    "ccc/ccc/ccc/ccc": (SHOWN, SHOWN, SHOWN),  # limped: there is nothing to continue
    "cr300r900ff": ({"pfr": True, "fold_to_three_bet": True}, {"pfr": True, "three_bet": True}, {}),
    "ccr300r900ff": ({}, {"pfr": True, "fold_to_three_bet": True}, {"pfr": True, "three_bet": True}),  # limped first
    "r300cr1200ff": (CALLED, {"pfr": True, "three_bet": True}, {"pfr": True, "fold_to_three_bet": True}),  # a squeeze
    "r300r900r2500ff": ({"pfr": True, "three_bet": True}, {"pfr": True}, {"pfr": True}),  # a 4-bet is not a 3-bet
    "r300r900fr2500c/cr5000f": (
        {"pfr": True, "three_bet": True, "fold_to_continuation_bet": True} | UNSHOWN,
        {},
        {"pfr": True, "fold_to_three_bet": False, "continuation_bet": True} | UNSHOWN,
    ),
    "r300fc/r400f": (CALLED, CALLED | UNSHOWN, {"pfr": True} | UNSHOWN),  # the others bet first
    "r300cc/ccc/ccc/ccc": (CALLED | SHOWN, CALLED | SHOWN, {"pfr": True, "continuation_bet": False} | SHOWN),
    "r300cc/ccr600r1800ff": (  # raised, so that the others do not face it alone
        CALLED | {"fold_to_continuation_bet": False} | UNSHOWN,
        CALLED | UNSHOWN,
        {"pfr": True, "continuation_bet": True} | UNSHOWN,
    ),
    "r300fc/cr600r1800r6000f": (  # raised and raised again: what is folded to is no longer the continuation bet
        CALLED,
        CALLED | {"fold_to_continuation_bet": False} | UNSHOWN,
        {"pfr": True, "continuation_bet": True} | UNSHOWN,
    ),
    "cr300fc/r600c/cc/cc": (
        {"pfr": True, "continuation_bet": True} | SHOWN,
        CALLED,
        CALLED | {"fold_to_continuation_bet": False} | SHOWN,
    ),
    "r20000cf": (SHOWN, {}, {"pfr": True} | SHOWN),  # all-in: nobody can raise, and the flop is seen without betting
}


def chances(game, history):
    return [dict(seat.moves) for seat in observe_hand(game, history, None)]


@pytest.mark.parametrize("history", CHANCES)
def test_chances_of_hands_made_for_them(history):
    wanted = [{"pfr": False} | each for each in CHANCES[history]]
    assert chances(load_game("holdem-nolimit-3p"), history) == wanted


def test_who_cannot_raise_has_no_chance():
    capped = replace(load_game("holdem-limit-3p"), max_raises=(1, 4, 4, 4))
    assert "three_bet" not in chances(capped, "rcc/ccc/ccc/ccc")[0]
    short = replace(load_game("holdem-nolimit-3p"), stacks=(300, 1000, 400))
    small, big, button = chances(short, "r400cc///")
    assert small == {"pfr": False, **SHOWN}  # its stack is below the raise
    assert big == {"pfr": False, **SHOWN}  # nobody is left who could answer
    assert button == {"pfr": True, **SHOWN}  # all-in on the flop
    both = replace(short, stacks=(1000, 1000, 400))
    assert chances(both, "r400cc/cc/cc/cc")[1:] == [{"pfr": False, **CALLED, **SHOWN}, {"pfr": True, **SHOWN}]


def test_heads_up_and_in_other_games():
    assert chances(load_game("holdem-limit-2p"), "rrc/cr") == [
        {"pfr": True, "three_bet": True, "continuation_bet": False, **UNSHOWN},
        {"pfr": True, "fold_to_three_bet": False, **UNSHOWN},
    ]
    # The second round of Leduc stands for the flop; Kuhn has only one.
    assert chances(load_game("leduc"), "crc/rf")[0] == {"pfr": False, "three_bet": False, **UNSHOWN}
    assert chances(load_game("kuhn"), "rc") == [{"pfr": True}, {"pfr": False}]


def test_who_never_calls_has_no_aggression_factor():
    raiser, folder = observe_hand(load_game("kuhn"), "rf", (1, -1))
    assert StyleCounts.of([raiser], [1.0]).aggression == inf
    assert isnan(StyleCounts.of([folder], [-1.0]).aggression)


def check_equal(found, plain, scale):
    assert found.keys() == plain.keys()
    assert sum(counts.hands for counts in found.values()) == sum(each["hands"] for each in plain.values())
    for name, counts in found.items():
        wanted = dict(plain[name])
        for rate, (taken, chances) in wanted.pop("exact").items():
            value = counts.value(rate)
            assert counts.chances(rate) == chances, (name, rate)
            assert value == taken / chances if chances else isnan(value), (name, rate)
        low, high = counts.interval("aggression_frequency")
        value, half = counts.value("aggression_frequency"), 1.959964 * wanted.pop("spread")
        if half > 1e-9:
            assert (low, high) == pytest.approx((max(0, value - half), min(1, value + half)))
        elif not isnan(half):  # in all hands alike
            assert low <= value <= high
        for rate, value in wanted.items():
            factor = scale if rate in ("mean", "sd") else 1
            assert getattr(counts, rate) == pytest.approx(factor * value, rel=1e-6, abs=1e-9, nan_ok=True), (name, rate)


def check_by_position(styles, hands, scale, limit=False):
    """Every player and every position, to the last digit; and that positions add up to players."""
    check_equal(styles.players, count_hands(hands, limit=limit), scale)
    found = {(name, code): each for name, codes in styles.positions.items() for code, each in codes.items()}
    check_equal(found, count_hands(hands, by_position=True, limit=limit), scale)


@pytest.mark.parametrize(
    ("name", "blinds", "first", "sizes"),
    [
        ("2p.limit.h1000.r0.log", (10, 5), (1, 0), LIMIT_SIZES),
        ("2p.nolimit.h1000.r0.log", (100, 50), (1, 0), None),
        ("3p.limit.h1000.r0.log", (5, 10, 0), (2, 0), LIMIT_SIZES),
    ],
)
def test_real_acpc_logs_equal_counts_of_their_text(data, name, blinds, first, sizes):
    path = data / "acpc" / "logs" / name
    game = load_game("holdem-" + {2: "2p", 3: "3p"}[len(blinds)].join(("nolimit-" if sizes is None else "limit-", "")))
    styles = read_styles([path], game=game)
    assert styles.hands == 1000
    check_by_position(styles, [*acpc_hands(path, blinds, first, sizes)], 1000 / max(blinds), sizes is not None)


def test_real_phh_hands_equal_counts_of_their_text(data, tmp_path):
    with tarfile.open(data / "phh" / "pluribus-sessions.tar.xz") as archive:
        members = islice((each for each in archive if each.isfile()), HANDS)
        texts = [archive.extractfile(member).read().decode() for member in members]
    for number, text in enumerate(texts):
        (tmp_path / f"{number:03}.phh").write_text(text)
    styles = read_styles([tmp_path])
    assert styles.tables == {6: HANDS}
    check_by_position(styles, [*phh_hands(texts)], 10)


@pytest.mark.parametrize(
    ("players", "blinds", "first", "sizes", "scale"),
    [
        (2, (10, 5), (1, 0), LIMIT_SIZES, 100),
        (3, (5, 10, 0), (2, 0), LIMIT_SIZES, 100),
        (6, (50, 100, 0, 0, 0, 0), (2, 0), None, 10),
    ],
)
def test_simulated_logs_equal_counts_of_their_text(logs, players, blinds, first, sizes, scale):
    hands = [*acpc_hands(logs[players], blinds, first, sizes)]
    check_by_position(read_styles([logs[players]]), hands, scale, sizes is not None)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_hand_has_one_winner(logs, players):
    """The identity of 4.1: wins without a showdown and shares of showdowns add up to the hands."""
    styles = read_styles([logs[players]])
    found = styles.players.values()
    assert len(found) == players
    won = sum(each.wins + each.walks + each.shares.count * each.won_at_showdown for each in found if each.showdowns)
    won += sum(each.wins + each.walks for each in found if not each.showdowns)
    assert won == pytest.approx(styles.hands, rel=1e-6)
    rest = sum(each.walks + each.free for each in found) / styles.hands
    told = 0.0
    for each in found:
        assert each.fold + each.won_without_showdown + each.showdown == pytest.approx(1)
        at_showdown = 0.0 if isnan(each.won_at_showdown) else each.won_at_showdown
        told += each.vpip * (each.won_without_showdown + each.showdown * at_showdown)
    assert abs(1 - told) <= rest
    assert sum(each.results.total for each in found) == 0


@pytest.mark.parametrize("players", [2, 3, 6])
def test_transfers_are_antisymmetric_and_add_up_to_results(logs, players):
    styles = read_styles([logs[players]])
    moments = styles.transfers.moments
    assert len(moments) == players * (players - 1)
    for (winner, loser), found in moments.items():
        assert found.count == styles.hands
        assert found.total == -moments[loser, winner].total
    for name, counts in styles.players.items():
        row = sum(found.mean for (winner, _), found in moments.items() if winner == name)
        assert row == pytest.approx(counts.mean, abs=1e-3)


def test_transfers_go_to_winners_in_proportion():
    assert hand_transfers((9, -3, -3, -3)) == [(0, 1, 3.0), (0, 2, 3.0), (0, 3, 3.0)]
    assert sum(chips for *_, chips in hand_transfers((4, 5, -10))) == 9  # one chip is rake
    assert hand_transfers((0, 0)) == []


def test_the_number_of_processes_makes_no_difference(logs):
    one, two = (read_styles([logs[3], logs[2]], workers=workers) for workers in (1, 2))
    assert one.positions == two.positions
    assert one.transfers == two.transfers
    assert one.tables == {2: 300, 3: 300}


def test_only_tables_of_one_size(logs):
    styles = read_styles([logs[3], logs[2]], players=3)
    assert (styles.hands, styles.others) == (300, 300)
    with pytest.raises(KibitzError, match="no hand at a table of 5 players: the 600 hands are of tables of 2 and 3"):
        read_styles([logs[3], logs[2]], players=5)


def test_broken_hands_are_refused_or_skipped(logs, tmp_path):
    lines = logs[2].read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("STATE:3:"))
    lines[place] = lines[place].replace("STATE:3:", "STATE:3:f")
    bad = tmp_path / "bad.log"
    bad.write_text("\n".join(lines) + "\n")
    with pytest.raises(FormatError, match=f"bad.log:{place + 1}: hand 3"):
        read_styles([bad])
    styles = read_styles([bad], skip_bad=True)
    assert (styles.hands, styles.bad) == (299, 1)


def test_results_of_blinds_and_antes_do_not_mix(logs, tmp_path):
    leduc = play("leduc", ("random", "always-call"), 10, tmp_path / "leduc.log")
    with pytest.raises(KibitzError, match="milli-antes/hand"):
        read_styles([logs[2], leduc])


def test_intervals_cover_their_rates(logs):
    for counts in read_styles([logs[6]]).players.values():
        for rate in ("vpip", "fold", "won_without_showdown", "won_at_showdown", "mean"):
            low, high = counts.interval(rate)
            value = getattr(counts, rate)
            assert isnan(value) or low <= value <= high
    assert all(isnan(end) for end in StyleCounts().interval("mean"))
