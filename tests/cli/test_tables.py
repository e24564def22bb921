"""Standings on a terminal of 80 columns."""

import re
from functools import partial
from math import inf, nan

import numpy as np
import pytest

from arena.made_standings import demonstration, standings_with
from kibitz.agents import FrequencyAgent
from kibitz.arena.report import verdict
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.cli._tables import print_standings, short
from kibitz.games import load_game


def named(name, **facing):
    """What makes an agent of this name that checks, and faces a bet like this."""
    return partial(FrequencyAgent.of, name, {"call": 1, "any": 1}, facing)


def printed(capsys, *agents, hands=4, matches=10):
    series = Series(load_game("leduc"), agents, hands, matches)
    print_standings(Standings(series, dict(play_series(series))), full=True)
    return capsys.readouterr().out


def test_long_names_leave_numbers_whole(capsys):
    names = [f"{'long-' * 18}{end}" for end in ("one", "two")]
    out = printed(capsys, named(names[0], fold=1), named(names[1], call=1), "always-raise")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r" +agent +bankroll +95 % interval +place +cap 1000 +place *", lines[1])
    ranking = lines[2 : lines.index("")]
    figure = r"[-+][\d,]+"
    rows = [line for line in ranking if re.search(rf" {figure} +{figure} … {figure} +\d +{figure} +\d *$", line)]
    assert [row[:2] for row in rows] == ["1 ", "2 ", "3 "]
    told = "".join(re.split(r" {2}| [-+]", line[2:])[0].strip() for line in ranking)
    assert all(name in told for name in names)


def test_brackets_in_names_are_no_markup(capsys):
    out = printed(capsys, named("bot[v1]", fold=1), named("[/x]", call=1), matches=1)
    assert re.search(r"^\d bot\[v1\] +[-+]", out, re.MULTILINE)
    assert re.search(r"^\d \[/x\] +[-+]", out, re.MULTILINE)


def test_a_single_deal_has_no_interval(capsys):
    out = printed(capsys, "random", "always-call", hands=1, matches=1)
    assert "inf" not in out
    assert re.search(r"^ +– *$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.0, "+0"),
        (-9999.4, "-9999"),
        (12_345.6, "+12.3k"),
        (-99_960, "-100k"),
        (9_999_400, "+10.0M"),
        (9_999_600, "+10.0M"),
        (-4.3e12, "-4.3T"),
        (123_456, "+123k"),
        (inf, "–"),
        (nan, "–"),
    ],
)
def test_rates_have_six_characters(rate, text):
    assert short(rate) == text
    assert len(text) <= 6


def test_a_ranking_is_short(capsys):
    standings = demonstration()
    print_standings(standings)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 2 + len(standings.order) + 8
    told = " ".join(" ".join(lines).split())
    assert " ".join(verdict(standings, brief=True)) in told
    assert "Row's win rate" not in told


def test_twelve_agents_fit_with_their_names_and_stars(capsys):
    standings = demonstration()
    print_standings(standings, full=True)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Ranking by instant run-off, mbb/hand"
    assert lines[2].startswith("1  trained ")
    told = " ".join(" ".join(lines).split())
    assert all(sentence in told for sentence in verdict(standings))
    start = next(number for number, line in enumerate(lines) if line.startswith("Row's win rate"))
    blocks = "\n".join(lines[start + 1 :]).split("\n\n")
    names = [f"{place} {standings.series.names[agent]}" for place, agent in enumerate(standings.order, 1)]
    columns: list[str] = []
    for block in blocks:
        heading, *rows = block.splitlines()
        columns += heading.split()
        rates = [row.split(maxsplit=2) for row in rows[: 2 * len(names) : 2]]
        assert [" ".join(row[:2]) for row in rates] == names
        for row in rates:  # no two rates touch
            assert all(re.fullmatch(r"·|[-+]\d+(\.\d)?k?\*?", rate) for rate in row[2].split())
            assert len(row[2].split()) == len(heading.split())
    assert columns == [str(place) for place in range(1, 13)]
    significant = sum(each.significant for pair in standings.estimates.values() for each in pair)
    assert "".join(lines[start + 1 :]).count("*") == significant
    assert any("+519*" in line for line in lines if line.startswith("1 trained "))


def test_any_number_of_agents_fits(capsys):
    names = [letter * 30 for letter in "abcdefghijklm"]
    print_standings(standings_with(names, np.zeros((13, 13)), matches=1), full=True)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split()[-1:] == ["13"] for line in lines)
