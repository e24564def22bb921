"""`kibitz abstract bets`: bet sizes learnt from the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, saving
from kibitz.cli._options import MAX_DRAWS, is_given, seed_option
from kibitz.cli._output import COLUMNS, folded, print_json
from kibitz.errors import KibitzError
from kibitz.files import locked

if TYPE_CHECKING:
    from kibitz.games import Game
    from kibitz.solvers.bets import BetAbstraction, Plan, Range, Report
    from kibitz.solvers.problem import Problem

SHOWN = 10  # bets in the table at the end
MOST = 3  # bets shown after each run
PLAYED = 2000  # boards of self-play
COUNTS, WIDE = ("run", "bets", "extras", "nodes", "low", "high", "idle"), 7
IDLE = 1e-9  # chips: what hangs on a bet of no importance
NAMES = ("bets", "re", "red", "redm", "refined")


@click.command(short_help="Learn bet sizes against a fixed menu.")
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
@click.option(
    "--form",
    type=click.Choice(["vector", "boards", "sampled"]),
    help="An iteration is all deals, those of a board, or one. [default: vector; boards where buckets forget]",
)
@click.option("--rule", type=click.Choice(["every", "reach"]), help="Equation 4.10 or 4.11. [default: the form's]")
@click.option("--settle", is_flag=True, help="End a run early, when important bets have stopped moving.")
@click.option("--stop", is_flag=True, help="End early, when important bets stay inside their ranges.")
@click.option(
    "--evaluate",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Iterations to value each run; boards where buckets forget.",
)
@click.option("--cards", default="", help="Hold'em: the card abstraction, such as 5-bucket or IR-100.")
@click.option(
    "--boards", default=10_000, show_default=True, type=click.IntRange(0, MAX_DRAWS), help="As for kibitz solve."
)
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1))
@click.option(
    "--device", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True, help="Vector: where, see solve."
)
@seed_option("Of deals and boards.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the sizes of every run.")
@click.option("--resume", is_flag=True, help="Go on with what was stopped in --out.")
@click.option(
    "--agent", default=0, type=click.IntRange(0), help="Iterations to solve for an agent with these sizes, --out/agent."
)
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
    form: str | None,
    rule: str | None,
    settle: bool,
    stop: bool,
    evaluate: int,
    cards: str,
    boards: int,
    threads: int,
    device: str,
    seed: int,
    out: Path | None,
    resume: bool,
    agent: int,
    as_json: bool,
) -> None:
    """Learn bet sizes for a player of GAME against an opponent with a fixed menu (Hawkin 2014).

    Prints after every run the bets with a range, those beyond one a decision, the nodes of the tree, the bets pinned at
    the low and the high end of their ranges, those on which nothing hangs, and the sizes of the most important ones.
    Values are mbb per hand to player two (seat 1), with bounds by best responses, or where buckets forget with the 95 %
    interval of self-play on 2,000 boards. The sizes of run N are in run-N.json of --out, by public sequence.
    An agent plays a strategy of its own in each seat, for the sizes of the last run.
    """
    from kibitz.games import load_game
    from kibitz.solvers.bets import Plan, Transformation
    from kibitz.solvers.problem import Problem

    if agent and (out is None or seat != "both"):
        raise click.UsageError("--agent needs --out, the folder to leave it in, and the sizes of both seats")
    loaded = load_game(game)
    seats = _seats(seat, loaded, bool(agent))
    if resume and out is not None and not any((out / f"seat-{each}").is_dir() for each in seats):
        raise KibitzError(f"there is nothing to continue in {out}: leave out --resume, or name the folder of a plan")
    found = _ranges(ranges, loaded)
    problem = Problem(loaded, "fcpa", cards=cards, boards=boards, seed=seed)
    form = form or ("vector" if problem.is_measurable else "boards" if problem.has_all_rounds else "sampled")
    _check_given(problem, algorithm, form, iterations)
    if not problem.has_all_rounds and (form != "sampled" or evaluate or agent):
        raise KibitzError(
            f"--cards {cards} in {loaded.rounds} rounds: fewer than all four have only --form sampled, without "
            "--evaluate and --agent"
        )
    with stages() as progress:
        problem.prepare(threads, progress)
    learnt, sizes = [], []
    for main in seats:
        made = Transformation(
            loaded,
            (found, ()) if main == 0 else ((), found),
            ("all-in", opponent) if main == 0 else (opponent, "all-in"),
        )
        settings: dict[str, Any] = {"form": form, "rule": rule, "threads": threads, "device": device, "seed": seed}
        settings |= {"settle": settle, "stop": stop}
        plan = Plan(made, problem, algorithm, iterations, runs, extras, **settings)
        folder = out / f"seat-{main}" if out is not None else None
        row, last = _learn(plan, main, folder, resume and (folder is None or folder.is_dir()), evaluate, as_json)
        learnt.append(row)
        sizes.append(last)
    if not agent and not any(row["runs"] for row in learnt):
        late = "; their values are found as they end, not later" if evaluate else ""
        raise click.UsageError(f"nothing left to do: {out} has all its runs already{late}")
    if agent and out is not None:
        _make_agent(sizes, problem, agent, threads, out / "agent")
    if as_json:
        print_json({"game": game, "algorithm": algorithm, "form": form, "opponent": opponent, "seats": learnt})
    elif out is not None:
        click.echo(f"Sizes: {out}" + (f", agent: {out / 'agent'}" if agent else ""))


def _seats(text: str, game: Game, agent: bool) -> list[int]:
    """Who learns; a seat that never bets has nothing to learn, and an agent needs the sizes of both."""
    wanted = [0, 1] if text == "both" else [int(text)]
    found = [seat for seat in wanted if game.bettors[seat]]
    if found == wanted:
        return found
    silent = next(seat for seat in wanted if seat not in found)
    if agent or not found:
        raise KibitzError(f"seat {silent} never bets in {game.name or 'this game'}: it has no sizes to learn")
    click.echo(f"seat {silent} never bets in {game.name or 'this game'}: only seat {found[0]} learns", err=True)
    return found


def _check_given(problem: Problem, algorithm: str, form: str, iterations: int) -> None:
    """Refuse what cannot be learnt, and what was asked for and would do nothing."""
    from kibitz.deals.matrix import MAX_DEALS, count_deals
    from kibitz.solvers.bets import boards, vector

    learnable = problem.game.players == 2 and problem.game.betting == "nolimit"  # others are refused as such
    if learnable and form == "vector" and not problem.cards and count_deals(problem.game) > MAX_DEALS:
        raise KibitzError(
            f"{problem.game.name or 'this game'} has too many deals to go over: --cards puts those of hold'em into "
            "buckets, such as 5-bucket; --form sampled draws those of other games"
        )
    idle = {"vector": vector.WARMUP, "boards": boards.WARMUP}.get(form, 0)
    if iterations <= idle:
        raise KibitzError(f"--iterations {iterations}: sizes stand still in the first {idle} of a run, take more")
    if algorithm == "bets" and is_given("runs") and click.get_current_context().params["runs"] > 1:
        raise KibitzError("--runs with --algorithm bets: its ranges do not move, and it has one run")
    if algorithm != "refined" and is_given("extras"):
        raise KibitzError(f"--extras with --algorithm {algorithm}: only refined leaves out bets")


def _ranges(text: str, game: Game) -> tuple[Range, ...]:
    """The ranges written, or that many default ones for the stacks."""
    from kibitz.solvers.bets import default_ranges, parse_ranges

    if text.isdecimal():
        return default_ranges(game.stacks[0] / game.big_blind, count=int(text))
    return parse_ranges(text)


def _make_agent(sizes: list[BetAbstraction], problem: Problem, iterations: int, threads: int, folder: Path) -> None:
    """A strategy for each seat, in the folder of an agent."""
    from kibitz.solvers.bets.play import playing_strategy
    from kibitz.strategy import save_strategy

    with locked(folder), stages() as tell:
        for seat, found in enumerate(sizes):
            tell(f"solving seat {seat} for the agent", seat, len(sizes))
            strategy = playing_strategy(found, problem, iterations, threads)
            save_strategy(strategy, folder / f"seat-{seat}")


def _learn(
    plan: Plan, seat: int, out: Path | None, resume: bool, evaluate: int, as_json: bool
) -> tuple[dict[str, Any], BetAbstraction]:
    """The runs of one seat that are left to do, told as they go, and what the last of all found."""
    from kibitz.solvers.bets import load_bets
    from kibitz.solvers.bets.campaign import run_files, run_plan

    rows: list[dict[str, Any]] = []
    last: Report | None = None
    with folder_for(out), stages() as tell:
        for report in saving(out, run_plan(plan, out, resume)):
            if last is None and not as_json:
                click.echo(f"seat {seat}")
                click.echo(" ".join(f"{name:>{WIDE}}" for name in COUNTS) + "  most important")
            last = report
            pinned = int((report.pinned != 0).sum())
            what = f"run {report.run}: {len(report.tree.sizers)} bets, {pinned} pinned"
            tell(what, report.iteration, plan.iterations)
            if report.result is not None:
                rows.append(_row(report) | _value(report, plan, evaluate))
                if not as_json:
                    click.echo(_line(report, rows[-1]))
    if last is not None and last.result is not None:
        found = last.result
    else:
        assert out is not None
        found = load_bets(run_files(out)[-1])
    if rows and not as_json:
        click.echo(_table(found))
    return {"seat": seat, "runs": rows, "bets": found.table()}, found


def _row(report: Report) -> dict[str, Any]:
    low, high = int((report.pinned < 0).sum()), int((report.pinned > 0).sum())
    counts = {"bets": len(report.tree.sizers), "extras": report.tree.extras, "nodes": len(report.tree.shape)}
    row = {"run": report.run, "iterations": report.iteration, **counts, "low": low, "high": high}
    # Bets that nobody makes learn nothing; among them are those on a plateau, such as a size that nobody calls.
    return row | ({"idle": int((report.result.importance <= IDLE).sum())} if report.result is not None else {})


def _value(report: Report, plan: Plan, iterations: int) -> dict[str, Any]:
    """What the sizes of a run are worth to player two, mbb per hand, if it was asked for."""
    from kibitz.solvers.bets.evaluate import evaluate
    from kibitz.solvers.bets.self_play import value_in_play
    from kibitz.solvers.bets.vector import VectorBets

    if not iterations or report.result is None:
        return {}
    unit = 1000 / plan.problem.game.big_blind
    if not plan.problem.is_measurable:
        value, error = value_in_play(report.result, plan.problem, iterations, PLAYED, plan.threads)
        return {"value": unit * value, "error": unit * error}
    start = report.solver if isinstance(report.solver, VectorBets) and report.unpruned is None else None
    where: dict[str, Any] = {"threads": plan.threads, "device": plan.device, "start": start}
    bounds, _strategy = evaluate(report.tree, report.sizes, plan.problem, iterations, **where)
    return {"value": unit * bounds.value, "error": unit * bounds.error}


def _line(report: Report, row: dict[str, Any]) -> str:
    assert report.result is not None
    numbers = " ".join(f"{row[name]:>{WIDE},}" for name in COUNTS)
    best = ", ".join(f"{each['bet']} {each['size']:.3f}" for each in report.result.table(MOST))
    value = f"; {row['value']:.2f} ± {row['error']:.2f} mbb" if "value" in row else ""
    line = f"{numbers}  {best}{value}"
    return line if len(line) <= COLUMNS else f"{numbers}\n" + folded(best + value, WIDE + 2, " " * (WIDE + 1))


def _table(found: BetAbstraction) -> str:
    """The most important bets of the last run."""
    lines = [f"{'bet':<16} {'size':>7}  {'range':<13} {'importance':>10}"]
    for row in found.table(SHOWN):
        between = f"{row['low']:.3f}-{row['high']:.3f}"
        lines.append(f"{row['bet']:<16} {row['size']:>7.3f}  {between:<13} {row['importance']:>10.4g}")
    return "\n".join(lines)
