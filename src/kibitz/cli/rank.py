"""`kibitz rank`: who won, by which rule, and what the cap decides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import counting
from kibitz.cli._files import write_whole
from kibitz.cli._options import Finite, seed_option
from kibitz.cli._output import folded, print_json
from kibitz.errors import KibitzError
from kibitz.games import load_game

if TYPE_CHECKING:
    from kibitz.arena.crosstable import CrossTable
    from kibitz.arena.rankings import Rankings


@click.command()
@click.argument("sources", nargs=-1)
@click.option(
    "--cap",
    type=Finite(0),
    help="Largest rate that counts, in the unit of the table.  [default: what always folding loses]",
)
@click.option("--without", multiple=True, metavar="AGENT", help="Agent to leave out; may be repeated.")
@click.option("--only", multiple=True, metavar="AGENT", help="Agent to keep, all others are left out; may be repeated.")
@click.option("--sweep", is_flag=True, help="List who leads under which cap.")
@click.option(
    "--crossing",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="List the caps at which A and B change places; may be repeated.",
)
@click.option(
    "--share",
    multiple=True,
    metavar="AGENT",
    help="Opponent whose share of the cap is printed, for every agent; may be repeated.",
)
@click.option("--run-off", "run_off", is_flag=True, help="Show the instant run-off round by round.")
@click.option("--game", help="Game of logs that name none, by name or file.")
@seed_option("Seed for resampling matches.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="SVG file for bankrolls as a function of the cap: of leading agents, or of those of --crossing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print {ranking, runoff, leaders, crossings, ...} as JSON.")
def competition(
    sources: tuple[str, ...],
    cap: float | None,
    without: tuple[str, ...],
    only: tuple[str, ...],
    sweep: bool,
    crossing: tuple[tuple[str, str], ...],
    share: tuple[str, ...],
    run_off: bool,
    game: str | None,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Rank the agents of a competition by total bankroll, capped bankroll and instant run-off.

    SOURCES is one of: a cross table (CSV), a folder of `kibitz tournament --out`, logs of matches or folders of
    them, or the name of a published table. Without SOURCES, lists the published tables.

    From such folders and from logs, matches are resampled: a lead is significant if it holds in 95 % of 1,000
    resamples. For two or three players; rates in mbb/hand or milli-antes/hand.
    """
    if not sources:
        _list_tables(as_json)
        return
    from kibitz.arena.rankings import Rankings

    table, fold = _load(sources, game)
    if only:
        table = table.among(only)
    if without:
        table = table.without(without)
    ranked = Rankings(table, fold if cap is None else cap, seed)
    document: dict[str, Any] = {
        "agents": list(table.names),
        "seats": table.seats,
        "unit": table.unit,
        **ranked.to_dict(),
    }
    document |= _caps(ranked, sweep or plot is not None, crossing, share)
    if plot is not None:
        write_whole(plot, _plot(ranked, document.get("crossings", [])))
    if as_json:
        print_json(document)
    else:
        _print(ranked, document, sweep, run_off)


def _load(sources: tuple[str, ...], game: str | None) -> tuple[CrossTable, float]:
    """The cross table, and what always folding loses in its game."""
    from kibitz.arena.bankroll import ALWAYS_FOLD_CAP
    from kibitz.arena.crosstable import read_cross_table
    from kibitz.experiments.bard2016.crosstables import PUBLISHED, published_table
    from kibitz.plans import holds_run

    first = Path(sources[0])
    is_series = first.is_dir() and holds_run(first)
    single = is_series or first.suffix.lower() == ".csv" or sources[0] in PUBLISHED
    if single and len(sources) > 1:
        raise KibitzError(f"{sources[0]} is a whole competition: give it alone")
    if game is not None and single:
        raise KibitzError(f"--game is for logs: {sources[0]} needs none")
    if is_series:
        from kibitz.arena.played import read_standings

        standings = read_standings(first)
        if standings.series.game.players > 3:
            raise KibitzError(f"{first}: tables of {standings.series.game.players}: rankings are for two or three")
        return standings.table, standings.cap
    if first.suffix.lower() == ".csv":
        return read_cross_table(first), ALWAYS_FOLD_CAP
    if sources[0] in PUBLISHED and not first.exists():
        return published_table(sources[0]), ALWAYS_FOLD_CAP
    for source in sources:
        if not Path(source).exists():
            raise KibitzError(f"{source}: no such file, folder or published table; `kibitz rank` lists the tables")
    return _read_logs(sources, game)


def _read_logs(sources: tuple[str, ...], game: str | None) -> tuple[CrossTable, float]:
    from kibitz.arena.records import table_of_logs
    from kibitz.games.stakes import fold_loss

    with counting("reading logs") as count:
        table, rules = table_of_logs(map(Path, sources), load_game(game) if game is not None else None, count)
    return table, fold_loss(rules)


def _caps(
    ranked: Rankings, sweep: bool, pairs: tuple[tuple[str, str], ...], opponents: tuple[str, ...]
) -> dict[str, Any]:
    """What was asked about the cap, as plain values."""
    from kibitz.arena.bankroll import cap_crossings, cap_sweep
    from kibitz.arena.caps import leaders, share_of_cap

    table, found = ranked.table, dict[str, Any]()
    if sweep:
        curves = cap_sweep(table.rates)
        found["leaders"] = [{"cap": each.cap, "agent": table.names[each.agent]} for each in leaders(curves)]
        found["sweep"] = {"caps": curves.knots.tolist(), "bankrolls": _by_name(table.names, curves.bankrolls.T)}
    if pairs:
        found["crossings"] = [
            {"agents": pair, "caps": cap_crossings(table.rates, *map(table.index, pair)).tolist()} for pair in pairs
        ]
    if opponents:
        places = [table.index(name) for name in opponents]
        others = [agent for agent in range(len(table.names)) if agent not in places]
        found["shares"] = {table.names[agent]: share_of_cap(table.rates, agent, places, ranked.cap) for agent in others}
    return found


def _plot(ranked: Rankings, crossings: list[dict[str, Any]]) -> str:
    """The plot of the sweep: of the agents whose crossings were asked for, or of those that lead or rank high."""
    from kibitz.arena.caps import plot_cap_sweep

    index = ranked.table.index
    agents = dict.fromkeys(index(name) for each in crossings for name in each["agents"])
    marks = [(cap, index(each["agents"][0])) for each in crossings for cap in each["caps"]]
    return plot_cap_sweep(ranked, tuple(agents), marks if crossings else None)


def _by_name(names: tuple[str, ...], rows: Any) -> dict[str, list[float]]:
    return {name: row.tolist() for name, row in zip(names, rows, strict=True)}


def _list_tables(as_json: bool) -> None:
    from kibitz.experiments.bard2016.crosstables import PUBLISHED

    if as_json:
        print_json({"tables": PUBLISHED})
        return
    wide = max(map(len, PUBLISHED))
    for name, title in PUBLISHED.items():
        click.echo(folded(title, wide + 2, f"{name:<{wide}}  "))


def _print(ranked: Rankings, document: dict[str, Any], sweep: bool, run_off: bool) -> None:
    from kibitz.cli._console import ResultConsole
    from kibitz.cli._tables import ranking_table

    console, names = ResultConsole(), ranked.names
    console.print(f"Ranking by instant run-off, {ranked.table.unit}")
    console.print(ranking_table(ranked, with_intervals=ranked.bootstrap is not None))
    for sentence in _significance(ranked):
        click.echo(folded(sentence))
    if run_off:
        click.echo("\nInstant run-off: bankrolls of those left, and who is dropped")
        for number, each in enumerate(ranked.runoff.rounds, 1):
            scores = sorted(zip(each.scores, each.alive, strict=True), reverse=True)
            told = ", ".join(f"{names[agent]} {score:+,.0f}" for score, agent in scores)
            click.echo(folded(f"{told}; out: {names[each.dropped]}", 5, f"{number:>3}  "))
    if sweep:
        click.echo("\nLargest bankroll by the cap")
        for each in document["leaders"]:
            click.echo(f"  from {each['cap']:>9,.1f}  {each['agent']}")
    for each in document.get("crossings", []):
        caps = ", ".join(f"{cap:,.1f}" for cap in each["caps"]) or "none"
        click.echo(f"\n{' and '.join(each['agents'])} change places at a cap of: {caps}")
    if "shares" in document:
        click.echo(f"\nShare of the cap of {ranked.cap:,.0f} that is won from the named opponents")
        for name, value in sorted(document["shares"].items(), key=lambda item: -item[1]):
            click.echo(f"  {value:>7.1%}  {name}")


def _significance(ranked: Rankings) -> list[str]:
    """Who is ahead of the next by bankroll, and in what share of the resamples."""
    from kibitz.arena.bankroll import ranking

    told = []
    for label, found, scores in (
        ("total bankroll", ranked.bootstrap, ranked.bankrolls),
        (f"bankroll capped at {ranked.cap:,.0f}", ranked.capped_bootstrap, ranked.capped),
    ):
        if found is None:
            continue
        first, second = ranking(scores)[:2]
        share = found.frequency[first, second]
        sure = "significant" if found.significant[first, second] else "not significant"
        ahead = f"{ranked.names[first]} is ahead of {ranked.names[second]}"
        told.append(f"By {label}, {ahead} in {share:.1%} of the resamples: {sure}.")
    return told
