"""The report: the same story as the ranking, nothing left out, and pictures that do not mislead."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from arena.made_standings import demonstration, standings_with
from kibitz.arena.report import LOSS, WIN, _draw_bars, plot_standings, render_report, verdict

# Machado, Oliveira and Fernandes 2009, severity 1: what people without one kind of cone see, of linear RGB.
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]


@pytest.fixture(scope="module")
def standings():
    return demonstration()


@pytest.fixture(scope="module")
def page(standings):
    return render_report(standings)


def section(page, title):
    """The part of a page below a heading, up to the next."""
    return page.split(f"<h2>{title}</h2>")[1].split("<h2>")[0]


def test_the_winner_of_the_run_off_is_the_headline(page, standings):
    told, *reasons = verdict(standings)
    assert f"<h1>{told.removesuffix('.')}</h1>" in page
    for sentence in reasons:
        assert f"<p>{sentence}</p>" in page
    first = section(page, "Ranking by instant run-off").split("</tr>")[1]
    assert "1 trained" in first


def test_command_and_settings_are_shown(standings, page):
    told = render_report(standings, "kibitz tournament --with 'a b'")
    played = section(told, "How it was played")
    assert "<code>kibitz tournament --with &#39;a b&#39;</code>" in played
    assert "79,200 hands: 66 tables, 12 matches a table, 50 deals a match" in played
    assert "holdem-nolimit-2p" in played
    assert page == render_report(standings)  # nothing depends on the clock


def test_no_column_is_left_out(page):
    for title in ("Cross-table", "How sure is the order?"):
        header, *rows = section(page, title).split("</tr>")[:13]
        assert re.findall(r">(\d+)</th>", header) == [str(place) for place in range(1, 13)]
        assert all(row.count("<td") == 13 for row in rows)


def test_what_differs_from_zero_has_a_star_and_a_shade(page, standings):
    table = section(page, "Cross-table")
    estimates = [each for pair in standings.estimates.values() for each in pair]
    significant = [each for each in estimates if each.significant]
    assert table.count("*<small>") == len(significant)
    assert table.count('class="win ') == sum(each.mean > 0 for each in significant) > 20
    assert table.count('class="loss ') == sum(each.mean < 0 for each in significant) > 20
    assert table.count('class="even"') == len(estimates) - len(significant)
    assert "strength-4" in table
    assert "strength-1" in table


def test_the_order_is_as_sure_as_its_run_off(page, standings):
    frequency = standings.bootstrap.runoff_frequency
    stars = section(page, "How sure is the order?").split("</table>")[0].count("*</td>")
    assert stars == (frequency >= 0.95).sum()


def test_bars_are_as_long_as_what_they_stand_for(standings):
    axes = Figure().subplots()
    _draw_bars(axes, standings, standings.bankrolls, standings.bootstrap)
    assert axes.get_xscale() == "linear"
    lengths = [bar.get_width() for bar in axes.patches]
    assert lengths == pytest.approx(standings.bankrolls[list(standings.order)])
    low, high = axes.get_xlim()
    assert low < min(lengths)
    assert max(lengths) < high
    assert len(axes.texts) == 12  # a figure beside each


@pytest.mark.parametrize("seen_as", [PROTANOPIA, DEUTERANOPIA])
def test_wins_and_losses_look_different_to_the_colour_blind(seen_as):
    seen = [np.array(seen_as) @ np.power(to_rgb(colour), 2.2) for colour in (WIN, LOSS)]
    assert np.abs(seen[0] - seen[1]).max() > 0.3  # blue stays blue, orange becomes yellow


def test_a_plot_of_two_level_agents():
    assert plot_standings(standings_with("ab", np.zeros((2, 2)), spread=0.0)).startswith("<svg")
