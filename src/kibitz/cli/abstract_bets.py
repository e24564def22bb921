"""`kibitz abstract bets`: bet sizes learnt from the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._output import print_json, stages

if TYPE_CHECKING:
    from kibitz.games import Game
    from kibitz.solvers.bets import Plan, Range, Report
    from kibitz.solvers.problem import Problem

SHOWN = 10  # bets in the table at the end
MOST = 3  # bets shown after each run
COLUMNS, WIDE = ("run", "bets", "extras", "nodes", "low", "high", "idle"), 7
IDLE = 1e-9  # chips: what hangs on a bet of no importance
NAMES = ("bets", "re", "red", "redm", "refined")


@click.command()
@click.argument("game")
@click.option("--ranges", default="2", show_default=True, help="Such as '0.5-0.69, 1.08-1.38'; or how many defaults.")
@click.option("--seat", type=click.Choice(["0", "1", "both"]), default="both", show_default=True, help="Who learns.")
@click.option("--opponent", default="fcpa", show_default=True, help="Menu of the other player.")
@click.option("--algorithm", type=click.Choice(NAMES), default="refined", show_default=True)
@click.option("--iterations", default=1000, show_default=True, type=click.IntRange(1), help="Per run.")
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1), help="Ranges move after each.")
@click.option(
    "--extras", default=25, show_default=True, type=click.IntRange(0), help="Refined: bets beyond one a node."
)
@click.option("--form", type=click.Choice(["vector", "sampled"]), default="vector", show_default=True)
@click.option("--rule", type=click.Choice(["every", "reach"]), help="Equation 4.10 or 4.11. [default: the form's]")
@click.option("--settle", is_flag=True, help="End a run early, when important bets have stopped moving.")
@click.option("--stop", is_flag=True, help="End early, when important bets stay inside their ranges.")
@click.option("--evaluate", default=0, show_default=True, type=click.IntRange(0), help="Iterations to value each run.")
@click.option("--cards", default="", help="Hold'em: the card abstraction, such as 5-bucket or IR-100.")
@click.option("--boards", default=10_000, show_default=True, type=click.IntRange(0), help="As for kibitz solve.")
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=0, show_default=True, help="Of deals and boards.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the sizes of every run.")
@click.option("--resume", is_flag=True, help="Go on with what was stopped in --out.")
@click.option("--json", "as_json", is_flag=True, help="Print {game, algorithm, seats: [{seat, runs, bets}]} as JSON.")
def bets(
    game: str,
    ranges: str,
    seat: str,
    opponent: str,
    algorithm: str,
    iterations: int,
    runs: int,
    extras: int,
    form: str,
    rule: str | None,
    settle: bool,
    stop: bool,
    evaluate: int,
    cards: str,
    boards: int,
    threads: int,
    seed: int,
    out: Path | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Learn bet sizes for a player of GAME against an opponent with a fixed menu (Hawkin 2014).

    Prints after every run the bets with a range, those beyond one a decision, the nodes of the tree, the bets pinned at
    the low and the high end of their ranges, those on which nothing hangs, and the sizes of the most important ones.
    Values are mbb per hand to player two (seat 1). The sizes of run N are in run-N.json of --out, by public sequence.
    """
    from kibitz.games import load_game
    from kibitz.solvers.bets import Plan, Transformation
    from kibitz.solvers.problem import Problem

    loaded = load_game(game)
    found = _ranges(ranges, loaded)
    problem = Problem(loaded, "fcpa", cards=cards, boards=boards, seed=seed)
    with stages() as progress:
        problem.prepare(threads, progress)
    learnt = []
    for main in (0, 1) if seat == "both" else (int(seat),):
        made = Transformation(
            loaded,
            (found, ()) if main == 0 else ((), found),
            ("all-in", opponent) if main == 0 else (opponent, "all-in"),
        )
        settings: dict[str, Any] = {"form": form, "rule": rule, "threads": threads, "seed": seed}
        settings |= {"settle": settle, "stop": stop}
        plan = Plan(made, problem, algorithm, iterations, runs, extras, **settings)
        folder = out / f"seat-{main}" if out is not None else None
        learnt.append(_learn(plan, main, folder, resume, evaluate, as_json))
    if as_json:
        print_json({"game": game, "algorithm": algorithm, "form": form, "opponent": opponent, "seats": learnt})
    elif out is not None:
        click.echo(f"Sizes: {out}")


def _ranges(text: str, game: Game) -> tuple[Range, ...]:
    """The ranges written, or that many default ones for the stacks."""
    from kibitz.solvers.bets import default_ranges, parse_ranges

    if text.isdecimal():
        return default_ranges(game.stacks[0] / game.big_blind, count=int(text))
    return parse_ranges(text)


def _learn(plan: Plan, seat: int, out: Path | None, resume: bool, evaluate: int, as_json: bool) -> dict[str, Any]:
    """All runs of one seat, told as they go."""
    from kibitz.solvers.bets.campaign import run_plan

    if not as_json:
        click.echo(f"seat {seat}")
        click.echo(" ".join(f"{name:>{WIDE}}" for name in COLUMNS) + "  most important")
    rows: list[dict[str, Any]] = []
    last: Report | None = None
    with stages() as tell:
        for report in run_plan(plan, out, resume):
            last = report
            pinned = int((report.pinned != 0).sum())
            what = f"run {report.run}: {len(report.tree.sizers)} bets, {pinned} pinned"
            tell(what, report.iteration, plan.iterations)
            if report.result is not None:
                rows.append(_row(report) | _value(report, plan.problem, evaluate, plan.threads))
                if not as_json:
                    click.echo(_line(report, rows[-1]))
    if last is None or last.result is None:
        raise click.UsageError(f"nothing left to do: {out} has all its runs already")
    if not as_json:
        click.echo(_table(last))
    return {"seat": seat, "runs": rows, "bets": last.result.table()}


def _row(report: Report) -> dict[str, Any]:
    low, high = int((report.pinned < 0).sum()), int((report.pinned > 0).sum())
    counts = {"bets": len(report.tree.sizers), "extras": report.tree.extras, "nodes": len(report.tree.shape)}
    row = {"run": report.run, "iterations": report.iteration, **counts, "low": low, "high": high}
    # Bets that nobody makes learn nothing; among them are those on a plateau, such as a size that nobody calls.
    return row | ({"idle": int((report.result.importance <= IDLE).sum())} if report.result is not None else {})


def _value(report: Report, problem: Problem, iterations: int, threads: int) -> dict[str, Any]:
    """What the sizes of a run are worth to player two, mbb per hand, if it was asked for."""
    from kibitz.solvers.bets.evaluate import evaluate

    if not iterations:
        return {}
    bounds, _strategy = evaluate(report.tree, report.sizes, problem, iterations, threads=threads)
    unit = 1000 / problem.game.big_blind
    return {"value": unit * bounds.value, "error": unit * bounds.error}


def _line(report: Report, row: dict[str, Any]) -> str:
    assert report.result is not None
    numbers = " ".join(f"{row[name]:>{WIDE},}" for name in COLUMNS)
    best = ", ".join(f"{each['bet']} {each['size']:.3f}" for each in report.result.table(MOST))
    value = f"; {row['value']:.2f} ± {row['error']:.2f} mbb" if "value" in row else ""
    return f"{numbers}  {best}{value}"


def _table(report: Report) -> str:
    """The most important bets of the last run."""
    assert report.result is not None
    lines = [f"{'bet':<16} {'size':>7}  {'range':<13} {'importance':>10}"]
    for row in report.result.table(SHOWN):
        between = f"{row['low']:.3f}-{row['high']:.3f}"
        lines.append(f"{row['bet']:<16} {row['size']:>7.3f}  {between:<13} {row['importance']:>10.4g}")
    return "\n".join(lines)
