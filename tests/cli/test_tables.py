"""Standings on a terminal of 80 columns."""

import re
from functools import partial
from math import inf, nan

import pytest

from kibitz.agents import FrequencyAgent
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.cli._tables import print_standings, short
from kibitz.games import load_game


def named(name, **facing):
    """What makes an agent of this name that checks, and faces a bet like this."""
    return partial(FrequencyAgent.of, name, {"call": 1, "any": 1}, facing)


def printed(capsys, *agents, hands=4, matches=10):
    series = Series(load_game("leduc"), agents, hands, matches)
    print_standings(Standings(series, dict(play_series(series))))
    return capsys.readouterr().out


def test_long_names_leave_numbers_whole(capsys):
    names = [f"{'long-' * 18}{end}" for end in ("one", "two")]
    out = printed(capsys, named(names[0], fold=1), named(names[1], call=1), "always-raise")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r" +agent +bankroll +95 % interval +cap 1000 +run-off *", lines[1])
    ranking = lines[2 : lines.index("")]
    figure = r"[-+][\d,]+"
    rows = [line for line in ranking if re.search(rf" {figure} +{figure} … {figure} +{figure} +\d *$", line)]
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
        (9_999_400, "+9999k"),
        (9_999_600, "+10.0M"),
        (-4.3e12, "-4300G"),
        (inf, "–"),
        (nan, "–"),
    ],
)
def test_rates_have_six_characters(rate, text):
    assert short(rate) == text
    assert len(text) <= 6
