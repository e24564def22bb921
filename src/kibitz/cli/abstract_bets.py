"""`kibitz abstract bets`: bet sizes learned from the game."""

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
    from kibitz.bet_sizing import BetAbstraction, Report, SizeRange, SizingPlan
    from kibitz.games import Game
    from kibitz.solvers.problem import Problem

SHOWN = 10  # bets in the table at the end
MOST = 3  # bets shown after each run
PLAYED = 2000  # boards of self-play
COUNTS, WIDE = ("run", "bets", "extras", "nodes", "lower", "upper", "unused"), 7
UNUSED = 1e-9  # chips: the importance of a bet that is as good as never made
NAMES = ("bets", "re", "red", "redm", "refined")


@click.command(short_help="Learn bet sizes against a fixed menu.")
@click.argument("game")
@click.option(
    "--ranges",
    default="2",
    show_default=True,
    help="Ranges of bet sizes in pots, such as '0.5-0.69, 1.08-1.38', or the number of default ranges.",
)
@click.option(
    "--seat", type=click.Choice(["0", "1", "both"]), default="both", show_default=True, help="Seat that learns."
)
@click.option("--opponent", default="fcpa", show_default=True, help="Fixed menu of the other player.")
@click.option(
    "--algorithm",
    type=click.Choice(NAMES),
    default="refined",
    show_default=True,
    help="Algorithm: BETS, RE-, RED-, REDM- or REFINED-BETS.",
)
@click.option(
    "--iterations", default=1000, show_default=True, type=click.IntRange(1), help="Number of iterations per run."
)
@click.option(
    "--runs", default=5, show_default=True, type=click.IntRange(1), help="Number of runs; the ranges move after each."
)
@click.option(
    "--extras",
    default=25,
    show_default=True,
    type=click.IntRange(0),
    help="Number of bets beyond one per decision (refined).",
)
@click.option(
    "--form",
    type=click.Choice(["vector", "boards", "sampled"]),
    help="Deals per iteration: all (vector), those of one board (boards) or one (sampled).  [default: vector; boards "
    "with imperfect recall]",
)
@click.option(
    "--rule",
    type=click.Choice(["every", "reach"]),
    help="Update rule of the sizes: equation 4.10 (every) or 4.11 (reach).  [default: depends on --form]",
)
@click.option("--settle", is_flag=True, help="End a run when the important bets have stopped moving.")
@click.option("--stop", is_flag=True, help="End after a run in which the important bets stay inside their ranges.")
@click.option(
    "--evaluate",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Number of iterations that evaluate each run (boards with imperfect recall); 0 for no evaluation.",
)
@click.option("--cards", default="", help="Card abstraction of hold'em, such as 5-bucket or IR-100.")
@click.option(
    "--boards",
    default=10_000,
    show_default=True,
    type=click.IntRange(0, MAX_DRAWS),
    help="Number of sampled boards for the joint bucket distribution; 0 for all boards.",
)
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="Number of threads.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    show_default=True,
    help="Device of the vector form; gpu needs the extra gpu.",
)
@seed_option("Seed for sampling deals and boards.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the sizes of every run.")
@click.option("--resume", is_flag=True, help="Continue the runs begun in --out.")
@click.option(
    "--agent",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Number of iterations to solve for an agent with the learned sizes, saved as OUT/agent; 0 for no agent.",
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

    Each run prints one line: the number of bets with a range, of extra bets beyond one per decision, of nodes in the
    tree, of bets at the lower and at the upper bound of their range, and of unused bets (zero importance); then the
    sizes of the most important bets, in pots.

    --evaluate adds the value to player two (seat 1) in mbb/hand. Its error comes from best responses; with imperfect
    recall it is the 95 % interval of self-play on 2,000 boards.

    --out keeps the sizes of run N in run-N.json, by public betting sequence. --agent solves for one strategy per seat
    with the sizes of the last run.
    """
    from kibitz.bet_sizing import SizingPlan, Transformation
    from kibitz.games import load_game
    from kibitz.solvers.problem import Problem

    if agent and (out is None or seat != "both"):
        raise click.UsageError("--agent needs --out, the folder to leave it in, and the sizes of both seats")
    loaded = load_game(game)
    seats = _seats(seat, loaded, bool(agent))
    if resume and out is not None and not any((out / f"seat-{each}").is_dir() for each in seats):
        raise KibitzError(f"nothing to continue in {out}: omit --resume, or give the folder of an earlier call")
    found = _ranges(ranges, loaded)
    problem = Problem(loaded, "fcpa", cards=cards, boards=boards, seed=seed)
    form = form or ("vector" if problem.is_measurable else "boards" if problem.has_all_rounds else "sampled")
    _check_given(problem, algorithm, form, iterations)
    if not problem.has_all_rounds and (form != "sampled" or evaluate or agent):
        raise KibitzError(
            f"--cards {cards} in {loaded.rounds} rounds: games with fewer than four rounds need --form sampled, "
            "without --evaluate and --agent"
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
        plan = SizingPlan(made, problem, algorithm, iterations, runs, extras, **settings)
        folder = out / f"seat-{main}" if out is not None else None
        row, last = _learn(plan, main, folder, resume and (folder is None or folder.is_dir()), evaluate, as_json)
        learnt.append(row)
        sizes.append(last)
    if not agent and not any(row["runs"] for row in learnt):
        late = "; runs are evaluated only as they end" if evaluate else ""
        raise click.UsageError(f"nothing left to do: all runs in {out} are complete{late}")
    if agent and out is not None:
        _make_agent(sizes, problem, agent, threads, out / "agent")
    if as_json:
        print_json({"game": game, "algorithm": algorithm, "form": form, "opponent": opponent, "seats": learnt})
    elif out is not None:
        click.echo(f"Sizes: {out}" + (f", agent: {out / 'agent'}" if agent else ""))


def _seats(text: str, game: Game, agent: bool) -> list[int]:
    """Seats that learn; a seat that never bets has nothing to learn, and an agent needs the sizes of both."""
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
    from kibitz.bet_sizing import sampled, vector
    from kibitz.deals.matrix import MAX_DEALS, count_deals

    learnable = problem.game.players == 2 and problem.game.betting == "nolimit"  # others are refused as such
    if learnable and form == "vector" and not problem.cards and count_deals(problem.game) > MAX_DEALS:
        raise KibitzError(
            f"{problem.game.name or 'this game'} has too many deals to enumerate: for hold'em give a card "
            "abstraction, such as --cards 5-bucket; for other games use --form sampled"
        )
    warmup = {"vector": vector.WARMUP, "boards": sampled.BOARD_WARMUP}.get(form, 0)
    if iterations <= warmup:
        raise KibitzError(
            f"--iterations {iterations}: sizes do not move in the first {warmup} iterations of a run; give more"
        )
    if algorithm == "bets" and is_given("runs") and click.get_current_context().params["runs"] > 1:
        raise KibitzError("--runs with --algorithm bets: its ranges do not move, so it has only one run")
    if algorithm != "refined" and is_given("extras"):
        raise KibitzError(f"--extras with --algorithm {algorithm}: only refined prunes bets")


def _ranges(text: str, game: Game) -> tuple[SizeRange, ...]:
    """The ranges written, or that many default ones for the stacks."""
    from kibitz.bet_sizing import default_ranges, parse_ranges

    if text.isdecimal():
        return default_ranges(game.stacks[0] / game.big_blind, count=int(text))
    return parse_ranges(text)


def _make_agent(sizes: list[BetAbstraction], problem: Problem, iterations: int, threads: int, folder: Path) -> None:
    """A strategy for each seat, in the folder of an agent."""
    from kibitz.bet_sizing.play import playing_strategy
    from kibitz.strategy import save_strategy

    with locked(folder), stages() as tell:
        for seat, found in enumerate(sizes):
            tell(f"solving seat {seat} for the agent", seat, len(sizes))
            strategy = playing_strategy(found, problem, iterations, threads)
            save_strategy(strategy, folder / f"seat-{seat}")


def _learn(
    plan: SizingPlan, seat: int, out: Path | None, resume: bool, evaluate: int, as_json: bool
) -> tuple[dict[str, Any], BetAbstraction]:
    """The runs of one seat that are left to do, told as they go, and what the last of all found."""
    from kibitz.bet_sizing import load_bets
    from kibitz.bet_sizing.campaign import run_files, run_plan

    rows: list[dict[str, Any]] = []
    last: Report | None = None
    with folder_for(out), stages() as tell:
        for report in saving(out, run_plan(plan, out, resume)):
            if last is None and not as_json:
                click.echo(f"seat {seat}")
                click.echo(" ".join(f"{name:>{WIDE}}" for name in COUNTS) + "  most important")
            last = report
            at_bound = int((report.at_bound != 0).sum())
            what = f"run {report.run}: {len(report.tree.sizers)} bets, {at_bound} at a bound"
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
    low, high = int((report.at_bound < 0).sum()), int((report.at_bound > 0).sum())
    counts = {"bets": len(report.tree.sizers), "extras": report.tree.extras, "nodes": len(report.tree.shape)}
    row = {"run": report.run, "iterations": report.iteration, **counts, "lower": low, "upper": high}
    # Bets that nobody makes learn nothing; so do bets on a plateau, such as a size that nobody calls.
    return row | ({"unused": int((report.result.importance <= UNUSED).sum())} if report.result is not None else {})


def _value(report: Report, plan: SizingPlan, iterations: int) -> dict[str, Any]:
    """The value of a run's sizes to player two, mbb/hand, if --evaluate asks for it."""
    from kibitz.bet_sizing.value import bound_value, value_in_play
    from kibitz.bet_sizing.vector import VectorBets

    if not iterations or report.result is None:
        return {}
    unit = 1000 / plan.problem.game.big_blind
    if not plan.problem.is_measurable:
        value, error = value_in_play(report.result, plan.problem, iterations, PLAYED, plan.threads)
        return {"value": unit * value, "error": unit * error}
    start = report.solver if isinstance(report.solver, VectorBets) and report.unpruned is None else None
    where: dict[str, Any] = {"threads": plan.threads, "device": plan.device, "start": start}
    bounds, _strategy = bound_value(report.tree, report.sizes, plan.problem, iterations, **where)
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
