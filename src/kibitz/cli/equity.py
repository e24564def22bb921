"""`kibitz equity`: equities of hands and ranges."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from kibitz.amounts import counted
from kibitz.cli._options import seed_option
from kibitz.cli._output import print_json

if TYPE_CHECKING:
    from kibitz.equity import Equity


@click.command()
@click.argument("hands", nargs=-1, required=True)
@click.option("--board", default="", help="Board cards, such as 2h7d9s.  [default: none]")
@click.option("--exact", is_flag=True, help="Enumerate every board, or fail if that would take too long.")
@click.option("--sample", is_flag=True, help="Sample boards even if enumeration is quick.")
@click.option(
    "--samples", default=1_000_000, show_default=True, type=click.IntRange(1), help="Number of sampled boards."
)
@seed_option("Seed for sampling boards.")
@click.option("--json", "as_json", is_flag=True, help="Print {equities, wins, ties, boards, ...} as JSON.")
def equity(
    hands: tuple[str, ...], board: str, exact: bool, sample: bool, samples: int, seed: int, as_json: bool
) -> None:
    """Compute each player's equity at hold'em: the expected share of the pot if nobody folds.

    HANDS are two to ten hands or ranges, such as AhKs, AKs, TT+, 22-55, T9s-54s, 15%, "A5s+,KQo:0.5" or random. Equity
    is exact if enumeration takes at most a few seconds; otherwise it is sampled, with 95 % intervals.

    For the value of ranges with further betting, use `kibitz spot`.
    """
    from kibitz.equity import compute_equity

    if exact and sample:
        raise click.UsageError("--exact enumerates all boards and --sample samples them: give only one")
    method = "exact" if exact else "sample" if sample else "auto"
    result = compute_equity(hands, board, method, samples=samples, seed=seed, threads=os.cpu_count() or 1)
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
    click.echo("\n".join(_lines(hands, result)))
    which = ("all of them" if result.boards > 1 else "the only one") if result.exact else f"sampled with seed {seed}"
    click.echo(f"{counted(result.boards, 'board')}, {which}")
    if result.note:
        click.echo(result.note, err=True)


def _lines(hands: tuple[str, ...], result: Equity) -> list[str]:
    """A line for each player, numbers below numbers."""
    columns = [_aligned([f"{share:.4%}" for share in result.equities])]
    if result.intervals is not None:
        lows, highs = (_aligned([f"{end:.3%}" for end in ends]) for ends in zip(*result.intervals, strict=True))
        columns.append([f"({low} to {high})" for low, high in zip(lows, highs, strict=True)])
    for word, counts in (("wins", result.wins), ("ties", result.ties)):
        columns.append([f"{word} {share}" for share in _aligned([f"{each / result.total:7.3%}" for each in counts])])
    width = max(map(len, hands))
    return ["  ".join((f"{hand:<{width}}", *cells)) for hand, *cells in zip(hands, *columns, strict=True)]


def _aligned(cells: list[str]) -> list[str]:
    return [cell.rjust(max(map(len, cells))) for cell in cells]
