"""`kibitz equity`: win chances of hands and ranges."""

from __future__ import annotations

import os

import click

from kibitz.cli._options import seed_option
from kibitz.cli._output import print_json


@click.command()
@click.argument("hands", nargs=-1, required=True)
@click.option("--board", default="", help="Cards on the table, such as 2h7d9s.")
@click.option("--exact", is_flag=True, help="Count every board, or say that it would take too long.")
@click.option("--sample", is_flag=True, help="Draw boards even where counting is quick.")
@click.option("--samples", default=1_000_000, show_default=True, type=click.IntRange(1), help="Boards to draw.")
@seed_option("Seed of the draws.")
@click.option("--json", "as_json", is_flag=True, help="Print {equities, wins, ties, boards, ...} as JSON.")
def equity(
    hands: tuple[str, ...], board: str, exact: bool, sample: bool, samples: int, seed: int, as_json: bool
) -> None:
    """Print each player's share of the pot at hold'em when all cards to come are dealt.

    HANDS are two to ten of AhKs, AKs, TT+, 22-55, "A5s+,KQo:0.5" or random. Equity is exact where counting takes a few
    seconds at most, and sampled with 95 % intervals otherwise.
    """
    from kibitz.equity import equity as compute

    if exact and sample:
        raise click.UsageError("--exact counts all boards and --sample draws some: give one of them")
    method = "exact" if exact else "sample" if sample else "auto"
    result = compute(hands, board, method, samples=samples, seed=seed, threads=os.cpu_count() or 1)
    if as_json:
        print_json(
            {
                "hands": hands,
                "board": board,
                "equities": result.equities,
                "wins": result.wins,
                "ties": result.ties,
                "boards": result.boards,
                "exact": result.exact,
                "intervals": result.intervals,
                "seed": result.seed,
            }
        )
        return
    width = max(map(len, hands))
    for player, hand in enumerate(hands):
        line = f"{hand:<{width}}  {result.equities[player]:8.4%}"
        if result.intervals is not None:
            low, high = result.intervals[player]
            line += f"  ({low:.3%} to {high:.3%})"
        click.echo(
            f"{line}  wins {result.wins[player] / result.total:7.3%}  ties {result.ties[player] / result.total:7.3%}"
        )
    click.echo(f"{result.boards:,} boards, " + ("all of them" if result.exact else f"sampled with seed {seed}"))
    if result.note:
        click.echo(result.note, err=True)
