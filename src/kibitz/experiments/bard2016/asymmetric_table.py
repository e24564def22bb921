"""Table 4.2 in small games: its cells, and what the thesis says of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

from kibitz.experiments.bard2016.asymmetric import FULL, SETTINGS, CrossTable, cross_table, label_of
from kibitz.experiments.bard2016.settings import TITLES, UNIT
from kibitz.experiments.bard2016.statements import Claims, cells_of_statements, explain, table_of_statements
from kibitz.experiments.claims import Claim, Interval, weakest
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable

NAME = "table-4.2-small"
SOURCE = "Bard 2016, table 4.2"


def claims(table: CrossTable) -> Claims:
    """What the thesis says, by row."""
    small, middle, large = cards = table.setting.cards
    risk, mean = table.exploitability, table.mean
    steps = [(small, middle), (middle, large)]
    finer = [*steps, (large, FULL)]  # what the opponent may have, ever finer
    pairs = table.setting.pairs
    return {
        "symmetric: larger wins more": lambda: weakest(Claim(mean((b, b)), mean((a, a))) for a, b in steps),
        "symmetric: larger is less exploitable": lambda: weakest(Claim(risk((a, a)), risk((b, b))) for a, b in steps),
        "small-large is safer than large-large": lambda: Claim(risk((large, large)), risk((small, large))),
        "middle-large is safer than large-large": lambda: Claim(risk((large, large)), risk((middle, large))),
        "small-middle is safer than large-large": lambda: Claim(risk((large, large)), risk((small, middle))),
        "middle-large is safer than middle-middle": lambda: Claim(risk((middle, middle)), risk((middle, large))),
        "middle-large saves more than it costs": lambda: table.saved((middle, middle), (middle, large)),
        "larger R is less exploitable": lambda: weakest(
            Claim(risk((u, a)), risk((u, b))) for u in cards for a, b in finer
        ),
        "larger R wins less": lambda: weakest(Claim(mean((u, a)), mean((u, b))) for u in cards for a, b in finer),
        "larger U is more exploitable": lambda: weakest(
            Claim(risk((b, r)), risk((a, r))) for r in cards for a, b in steps
        ),
        "larger U wins more": lambda: weakest(Claim(mean((b, r)), mean((a, r))) for r in cards for a, b in steps),
        "larger U wins more from each": lambda: weakest(
            Claim(table.value((b, r), other), table.value((a, r), other))
            for r in cards
            for a, b in steps
            for other in pairs
        ),
        "large-FULL loses to small-small": lambda: Claim(
            table.value((small, small), (large, FULL)), Interval(0.0, 0.0, 0.0)
        ),
        "large-small is the most exploitable": lambda: weakest(
            Claim(risk((large, small)), risk(each)) for each in table.setting.rows if each != (large, small)
        ),
    }


def statements_at(effort: Effort) -> Experiment:
    """The statements on the table in all games of an effort."""
    tables = [cross_table(game, effort) for game in SETTINGS[effort.preset]]

    def find() -> Iterator[tuple[str, str, Found]]:
        for table in tables:
            if table.is_known():
                table.run()
                yield from cells_of_statements(TITLES[table.setting.game], claims(table))

    published = table_of_statements(NAME, f"{SOURCE}: asymmetric equilibria in small games, {UNIT}", TITLES.values())
    return Experiment(published, find, (*explain(NAME), *notes_on(tables)))


def table_at(game: str, effort: Effort) -> Experiment:
    """Exploitability, the mean and all values against each other in one game."""
    setting = SETTINGS["full"][game]
    columns = ("exploitability", "mean", *map(label_of, setting.pairs))
    rows = {label_of(each): (nan,) * len(columns) for each in setting.rows}
    source = f"{SOURCE} in {TITLES[game]}, {UNIT}: what the row's strategy wins from the column's"
    published = PublishedTable(source, "U-R", columns, rows, 0.0, 1, bounds=dict(rows))
    if game not in SETTINGS[effort.preset]:
        return Experiment(published, None, ("Not computed by this preset.",))
    table = cross_table(game, effort)

    def find() -> Iterator[tuple[str, str, Found]]:
        if not table.is_known():
            return
        table.run()
        for pair in table.setting.rows:
            found = [table.exploitability(pair), table.mean(pair)]
            found += [table.value(pair, other) for other in table.setting.pairs]
            yield from ((label_of(pair), column, Found(*each)) for column, each in zip(columns, found, strict=True))

    return Experiment(published, find, notes_on([table]), values=lambda: {"made": table.ledger.made})


def notes_on(tables: list[CrossTable]) -> tuple[str, ...]:
    """How the numbers are found."""
    return (
        "All values are exact, in the real game with all cards; bounds are the range over equilibria that several "
        "algorithms find (U-FULL: one).",
        *(
            f"In {TITLES[each.setting.game]} percentile cards with {', '.join(map(str, each.setting.cards))} buckets a "
            "round stand for 5, 8 and 12."
            for each in tables
        ),
        "U-FULL: an equilibrium of the game whose opponent has all cards, which is what CFR-BR converges to.",
    )
