"""Tables of how players play, in 80 columns."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from rich.table import Table
from rich.text import Text

from kibitz.cli._output import number
from kibitz.modelling.styles import RATES, StyleCounts, Styles

RESULTS = ("vpip", "fold", "won_without_showdown", "won_at_showdown", "aggression")
STREETS = tuple(rate for rate in RATES if rate not in RESULTS)
PLACES = ("vpip", *STREETS, "won_at_showdown", "aggression")


def result_table(styles: Styles, names: list[str], scale: float) -> Table:
    """The rates of Sweeney (2012) and the results, which are multiplied by `scale`."""
    table = _table("player", ["hands", *(RATES[rate].heading for rate in RESULTS), "mean", "s.d."])
    for name in names:
        found = styles.players[name]
        low, high = (scale * end for end in found.interval("mean"))
        cells = [Text(f"{found.hands:,}"), *(_cell(found, rate) for rate in RESULTS)]
        cells.append(_stacked(number(scale * found.mean, 1, "+,"), number((high - low) / 2, 1, ",")))
        table.add_row(Text(name), *cells, Text(number(scale * found.sd, 1 if scale < 1 else 0, ",")))
    return table


def street_table(styles: Styles, names: list[str]) -> Table:
    """What players do on the first two streets and whether they reach showdowns, with chances."""
    return _rate_table("player", STREETS, ((name, styles.players[name]) for name in names))


def position_table(styles: Styles, name: str) -> Table:
    """All rates of one player by position, with chances."""
    return _rate_table("position", PLACES, [*styles.positions[name].items(), ("all", styles.players[name])])


def _rate_table(first: str, rates: Iterable[str], rows: Iterable[tuple[str, StyleCounts]]) -> Table:
    table = _table(first, [RATES[rate].heading for rate in rates])
    for name, found in rows:
        table.add_row(Text(name), *(_cell(found, rate, _short(found.chances(rate))) for rate in rates))
    return table


def _table(first: str, headings: Iterable[str]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _cell(found: StyleCounts, rate: str, *below: str) -> Text:
    """A rate, half of its interval, and what else comes below."""
    value, (low, high) = found.value(rate), found.interval(rate)
    scale, decimals = (1, 2) if rate == "aggression" else (100, 1)
    told = "∞" if value == inf else number(scale * value, decimals)
    return _stacked(told, number(scale * (high - low) / 2, decimals), *below)


def _stacked(told: str, half: str, *below: str) -> Text:
    return Text.assemble(told, "\n", ("\n".join([f"±{half}" if half != "–" else "", *below]), "dim"))


def _short(count: int) -> str:
    """A count in at most five characters, up to 9,999 millions."""
    return str(count) if count < 100_000 else f"{count // 1000}k" if count < 10_000_000 else f"{count // 1_000_000}M"
