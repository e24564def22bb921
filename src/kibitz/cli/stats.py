"""`kibitz hands stats`: how the players of hand histories play."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import counting
from kibitz.cli._output import folded, number, print_json
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.modelling.styles import RATES, read_styles

if TYPE_CHECKING:
    from kibitz.modelling.styles import StyleCounts, Styles

UNITS = ("mbb", "chips")
MOST_COLUMNS = 10  # players whose transfers fit 80 columns


def _definitions() -> str:
    """What the columns mean, for the end of the help."""
    lines = ["Rates, with their names in --json:"]
    for name, (heading, meaning) in RATES.items():
        lines += wrap(f"{heading:<7} {name}: {meaning}", 76, subsequent_indent=" " * 8)
    return "\n".join(["\b", *lines])


@click.command(epilog=_definitions())
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--player", "chosen", multiple=True, help="Player to print; may be repeated.  [default: all]")
@click.option("--players", type=click.IntRange(2, 10), help="Use only tables with this many players.")
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default="mbb",
    show_default=True,
    help="Unit of results per hand: thousandths of a big blind (or ante), or chips as in the logs.",
)
@click.option("--by-position", is_flag=True, help="Print the rates of each player by position.")
@click.option("--transfers", is_flag=True, help="Print who wins how much from whom.")
@click.option("--compare", is_flag=True, help="Test which players' results differ (Dunnett's C, 5 % level).")
@click.option("--game", help="Game of the ACPC logs; overrides the one they name, and needed if they name none.")
@click.option("--skip-bad", is_flag=True, help="Skip broken hands and report how many there were.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print {hands, unit, players, transfers, ...} as JSON.")
def stats(
    logs: tuple[Path, ...],
    chosen: tuple[str, ...],
    players: int | None,
    unit: str,
    by_position: bool,
    transfers: bool,
    compare: bool,
    game: str | None,
    skip_bad: bool,
    workers: int,
    as_json: bool,
) -> None:
    """Print style statistics of the players in LOGS, with 95 % intervals and numbers of chances.

    LOGS are ACPC logs and transcripts, PHH or PokerStars files, compressed files, tar archives or folders, of 2 to 10
    players. The format is detected from the content.

    Heads-up, the button (BTN) is the small blind. All rates but AF are percentages. Intervals are Wilson's, of AF and
    AFq by the delta method; they treat hands as independent.
    """
    rules = load_game(game) if game else None
    with counting("reading logs") as progress:
        styles = read_styles(logs, game=rules, players=players, skip_bad=skip_bad, workers=workers, progress=progress)
    names = _choose(styles, chosen)
    scale, unit_name = _unit(styles, unit)
    comparisons = _comparisons(styles, names, scale) if compare else None
    if as_json:
        print_json(_document(styles, names, scale, unit_name, comparisons))
        return
    for each in styles.first:
        click.echo(f"skipped: {each}", err=True)
    _print(styles, names, scale, unit_name, by_position)
    if transfers:
        _print_transfers(styles, names, scale, unit_name)
    if comparisons is not None:
        _print_comparisons(comparisons, unit_name)


def _choose(styles: Styles, chosen: tuple[str, ...]) -> list[str]:
    for name in chosen:
        if name not in styles.players:
            known = ", ".join(map(repr, [*styles.players][:12])) + " ..." * (len(styles.players) > 12)
            raise KibitzError(f"--player {name}: no such player; there are {known}")
    return [name for name in styles.players if not chosen or name in chosen]


def _unit(styles: Styles, unit: str) -> tuple[float, str]:
    """What to multiply results by, and what they are counted in then."""
    if unit == "mbb":
        return 1.0, styles.unit
    if styles.chips is None:
        raise KibitzError("--unit chips: the hands have different stakes, and their chips cannot be added")
    return styles.chips / 1000, "chips/hand"


def _document(
    styles: Styles, names: list[str], scale: float, unit: str, comparisons: list[dict[str, Any]] | None
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "hands": styles.hands,
        "unit": unit,
        "tables": styles.tables,
        "players": {
            name: _player(styles.players[name], scale)
            | {"positions": {code: _player(found, scale) for code, found in styles.positions[name].items()}}
            for name in names
        },
        "transfers": [
            {"winner": winner, "loser": loser, "hands": found.count, "total": scale * found.mean * found.count}
            | found.estimate(scale).to_dict()
            for (winner, loser), found in sorted(styles.transfers.moments.items())
            if winner in names and loser in names
        ],
    }
    if comparisons is not None:
        document["comparisons"] = comparisons
    skipped = {"others": styles.others, "unknown": styles.unknown, "unplayed": styles.unplayed, "bad": styles.bad}
    return {**document, **skipped, "first_bad": [each._asdict() for each in styles.first]}


def _player(found: StyleCounts, scale: float) -> dict[str, Any]:
    intervals = {rate: [*found.interval(rate)] for rate in RATES}
    return {
        "hands": found.hands,
        **{rate: found.value(rate) for rate in RATES},
        "mean": scale * found.mean,
        "sd": scale * found.sd,
        "showdown": found.showdown,
        "showdowns": found.showdowns,
        "walks": found.walks,
        "bets": found.bets_calls.x,
        "calls": found.bets_calls.y,
        "chances": {rate: found.chances(rate) for rate in RATES},
        "intervals": {**intervals, "mean": [scale * end for end in found.interval("mean")]},
    }


def _comparisons(styles: Styles, names: list[str], scale: float) -> list[dict[str, Any]]:
    """Dunnett's C of all pairs who never sat at one table: results of one table depend on each other."""
    from kibitz.statistics import Group, dunnett_c

    compared = [name for name in names if styles.players[name].results.count > 1]
    apart = [a for a in compared if any(a != b and (a, b) not in styles.transfers.moments for b in compared)]
    if not apart:
        raise KibitzError("--compare: these players all sat at one table with each other; give logs of separate runs")
    groups = [
        Group(scale * found.mean, scale * found.sd, found.results.count)
        for found in (styles.players[name] for name in apart)
    ]
    return [
        {
            "players": [apart[each.first], apart[each.second]],
            "difference": each.difference,
            "critical": each.critical,
            "significant": each.significant,
        }
        for each in dunnett_c(groups)
        if (apart[each.first], apart[each.second]) not in styles.transfers.moments
    ]


def _print(styles: Styles, names: list[str], scale: float, unit: str, by_position: bool) -> None:
    from rich.text import Text

    from kibitz.cli._console import ResultConsole
    from kibitz.cli._style_tables import position_table, result_table, street_table

    console = ResultConsole()
    console.print(result_table(styles, names, scale))
    console.print()
    if not by_position:
        console.print(street_table(styles, names))
    for name in names if by_position else ():
        console.print(Text(name, "bold"), position_table(styles, name), "", sep="\n")
    tables = " and ".join(map(str, styles.tables))
    click.echo(
        folded(
            f"{counted(styles.hands, 'hand')} at tables of {tables}. Percentages; mean and s.d. in {unit}; "
            "± is half of a 95 % interval; below it, the number of chances."
        )
    )
    for count, what in (
        (styles.unknown, "whose results are not known: counted without them"),
        (styles.others, "at tables of another size: skipped"),
        (styles.unplayed, f"of other games: skipped: {styles.reason}"),
    ):
        if count:
            click.echo(folded(f"{counted(count, 'hand')} {what}"))
    if styles.bad:
        click.echo(f"{counted(styles.bad, 'broken place')}: skipped")


def _print_transfers(styles: Styles, names: list[str], scale: float, unit: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from kibitz.cli._console import ResultConsole
    from kibitz.cli._tables import LOSS, WIN, short
    from kibitz.statistics import Moments

    if len(names) > MOST_COLUMNS:
        click.echo(f"\nTransfers of {len(names)} players do not fit here: --json has them, or choose some by --player.")
        return
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold")
    for place in range(1, len(names) + 1):
        table.add_column(f"{place} ", justify="right", no_wrap=True)
    for place, name in enumerate(names, 1):
        cells = []
        for other in names:
            found = styles.transfers.moments.get((name, other), Moments())
            if not found.count:
                cells.append(Text("· "))
                continue
            estimate = found.estimate(scale)
            mark, style = ("*", WIN if estimate.mean > 0 else LOSS) if estimate.significant else (" ", "")
            told, half = (
                short(value) if abs(value) >= 10 else number(value, 2, "+")
                for value in (estimate.mean, estimate.half_width)
            )
            cells.append(Text.assemble((told + mark, style), "\n", (f"{half.replace('+', '±')} ", "dim")))
        table.add_row(Text(f"{place} {name}"), *cells)
    click.echo(f"\nRow's winnings from column, {unit} together (* differs from 0)")
    ResultConsole().print(table)


def _print_comparisons(found: list[dict[str, Any]], unit: str) -> None:
    click.echo(f"\nDifferences of means, {unit} (* significant by Dunnett's C at the 5 % level)")
    for each in found:
        value = f"{each['difference']:+,.1f}{'*' if each['significant'] else ' '}"
        click.echo(f"{value:>11} ±{each['critical']:<9,.1f} {' - '.join(each['players'])}")
    click.echo("Pairs who sat at one table are left out: their results depend on each other.")
