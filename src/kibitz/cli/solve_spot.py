"""`kibitz solve-spot`: flops, turns and rivers of heads-up hold'em."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.amounts import counted
from kibitz.arena.match_log import check_writable
from kibitz.cli._bars import stages
from kibitz.cli._errors import Interrupted
from kibitz.cli._files import plain_target, writing
from kibitz.cli._options import WHOLE_CHIPS, Chips, Finite, PerCent, is_given
from kibitz.cli._output import print_json
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.spots import Progress, Spot, SpotCFR
    from kibitz.spots.report import Decision

NAMES = ("cfr", "cfr+", "linear", "dcfr")
CELL = 5  # characters of a cell: 13 cells and the names of the rows fit into 80 columns
DOUBLE = {"single": "float32", "double": "float64"}


@click.command("solve-spot")
@click.option("--board", required=True, help='Board of three to five cards, such as "Qs Jh 2h 8d 3c".')
@click.option("--pot", required=True, type=Chips(), help="Pot in chips.")
@click.option(
    "--stack", required=True, help="Remaining stack in chips; 400,300 if the players' differ (out of position first)."
)
@click.option("--oop", required=True, help='Range of the player out of position, such as "TT+, AKs:0.5" or 15%.')
@click.option("--ip", required=True, help="Range of the player in position.")
@click.option("--sizes", default="0.5, 1, all-in", show_default=True, help='Bet sizes in pots; "|" separates rounds.')
@click.option("--oop-sizes", help="Bet sizes of the player out of position.  [default: --sizes]")
@click.option("--ip-sizes", help="Bet sizes of the player in position.  [default: --sizes]")
@click.option("--min-bet", default=1, show_default=True, type=Chips(), help="Smallest bet in chips (the big blind).")
@click.option("--rake", default="0%", show_default=True, help="Rake, as a percentage of the pot.")
@click.option("--rake-cap", type=Finite(0), help="Largest rake in chips.  [default: no cap]")
@click.option(
    "--accuracy", default=0.5, show_default=True, type=PerCent(0), help="Target exploitability, in per cent of the pot."
)
@click.option("--iterations", type=click.IntRange(1), help="Largest number of iterations.  [default: no limit]")
@click.option("--algorithm", type=click.Choice(NAMES), default="dcfr", show_default=True, help="CFR variant.")
@click.option(
    "--precision",
    type=click.Choice(list(DOUBLE)),
    default="single",
    show_default=True,
    help="Precision of the regret and strategy sums.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="Number of threads; the result does not depend on it.  [default: all cores]",
)
@click.option(
    "--node", default="", help="Betting before the decision to show, such as r50c.  [default: the first decision]"
)
@click.option("--dealt", default="", help="Board cards dealt between --board and that decision, such as Th.")
@click.option(
    "--image",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for a picture of that decision (.png, .svg, .pdf).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the solution and every hand at that decision as JSON.")
def solve_spot(
    board: str,
    pot: int,
    stack: str,
    oop: str,
    ip: str,
    sizes: str,
    oop_sizes: str | None,
    ip_sizes: str | None,
    min_bet: int,
    rake: str,
    rake_cap: float | None,
    accuracy: float,
    iterations: int | None,
    algorithm: str,
    precision: str,
    threads: int | None,
    node: str,
    dealt: str,
    image: Path | None,
    as_json: bool,
) -> None:
    """Solve a flop, turn or river of heads-up no-limit hold'em and show the strategy at one decision.

    Only the bet sizes are abstracted; every hand and every card to come is considered. Stops when exploitability is
    below --accuracy per cent of the pot. Interrupt with Ctrl-C to see the current solution.

    Bets in --node are totals since the start of the spot: r150 on the river means 150 chips over all rounds.
    """
    from kibitz.amounts import format_bytes
    from kibitz.cards import parse_cards
    from kibitz.cli._console import ResultConsole
    from kibitz.equity import Range
    from kibitz.spots import Rake, Spot, SpotCFR, SpotGame
    from kibitz.spots.document import document
    from kibitz.spots.report import find_decision, inspect
    from kibitz.spots.spot import spot_bytes

    if rake_cap is not None and not is_given("rake"):
        raise KibitzError(f"--rake-cap {rake_cap:g} without --rake: give the rake that it caps, as in --rake 5%")
    if None not in (oop_sizes, ip_sizes) and is_given("sizes"):
        raise KibitzError(f"--sizes {sizes} with --oop-sizes and --ip-sizes: it would have no effect")
    menus = (oop_sizes if oop_sizes is not None else sizes, ip_sizes if ip_sizes is not None else sizes)
    house = Rake(_parse_share(rake), math.inf if rake_cap is None else rake_cap)
    ranges = (Range.parse(oop), Range.parse(ip))
    spot = Spot(parse_cards(board), pot, _parse_stacks(stack), ranges, menus, min_bet, house)
    target = None if image is None else _check_image(image)
    cores = threads or os.cpu_count() or 1
    compiled = SpotGame(spot)
    find_decision(compiled, node, dealt)  # one that is not there is refused before the work, not after it
    console = ResultConsole()
    if not as_json:
        need = format_bytes(spot_bytes(spot, 4 if precision == "single" else 8))
        boards = f" on {len(compiled.deal.boards[-1]):,} boards" if compiled.deal.rounds > 1 else ""
        console.print(
            f"{counted(len(compiled.tree), 'betting node')}{boards}, {compiled.size:,} infoset-action pairs: {need}"
        )
    solver = SpotCFR(compiled, algorithm, DOUBLE[precision], cores)
    last, is_complete = _run(solver, accuracy, iterations)
    decision = inspect(solver, node, dealt)
    if image is not None and target is not None:
        from kibitz.spots.grid import plot_decision

        with writing(image):
            plot_decision(decision, target)
    if as_json:
        print_json(document(solver, last, decision))
    else:
        _print_progress(console, spot, last)
        _print_decision(console, decision)
        if image is not None:
            click.echo(f"Picture: {image}")
    if not is_complete:
        raise Interrupted


def _check_image(path: Path) -> Path:
    """Where to draw; refused before the work, not after it."""
    from matplotlib.figure import Figure

    known = Figure().canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise KibitzError(f"--image {path}: unknown picture format; use .png, .svg or .pdf")
    check_writable(path)
    return plain_target(path)


def _parse_stacks(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d+)\s*(?:,\s*(\d+)\s*)?", text)
    if match is None:
        hint = f"; {WHOLE_CHIPS}" if "." in text else ""
        raise KibitzError(f"--stack {text!r}: give whole chips, as in 400, or 400,300 if the stacks differ{hint}")
    return int(match[1]), int(match[2] or match[1])


def _parse_share(text: str) -> float:
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*", text)
    if match is None or (not match[2] and float(match[1]) > 0):
        raise KibitzError(f"--rake {text!r}: give a percentage of the pot, as in 5%")
    return float(match[1]) / 100


def _run(solver: SpotCFR, accuracy: float, iterations: int | None) -> tuple[Progress, bool]:
    """Solve, with a bar that moves as the exploitability's logarithm does; what was found, and whether to the end."""
    from kibitz.spots.runs import progress_share, solve_to

    pot = solver.compiled.spot.pot
    goal = accuracy * pot / 100
    last: Progress | None = None
    with stages("solving", elapsed=True) as tell:
        try:
            for last in solve_to(solver, goal, iterations):
                found = max(last.measure.exploitability, 1e-9)
                text = f"{counted(last.iteration, 'iteration')}, {found / pot:.3%} of the pot"
                tell(text, progress_share(last, pot, goal, iterations), 1.0)
        except KeyboardInterrupt:
            if last is None:
                raise Interrupted("Interrupted before the first iteration: there is no solution yet.") from None
            return last, False
    assert last is not None
    return last, True


def _print_progress(console: Console, spot: Spot, last: Progress) -> None:
    measure, pot = last.measure, spot.pot
    console.print(
        f"{last.iteration:,} iterations, {last.seconds:.1f} s; exploitable by these bets: "
        f"{measure.exploitability:.3g} chips, {measure.exploitability / pot:z.2%} of the pot"
    )
    if not spot.is_zero_sum:
        console.print(f"Best responses gain {measure.gains[0]:.3g} and {measure.gains[1]:.3g} chips.")


def _print_decision(console: Console, decision: Decision) -> None:
    from rich.text import Text

    from kibitz.cards import RANKS, format_cards
    from kibitz.spots.grid import choices, class_shares
    from kibitz.spots.spot import SEATS

    shown, shares = choices(decision), class_shares(decision)
    board = " ".join(format_cards((card,)) for card in decision.board)
    after = f"after {decision.history}" if decision.history else "first to act"
    facing = f", {decision.to_call} to call" if decision.to_call else ""
    console.print(f"\n{board}: {SEATS[decision.player]}, {after}, pot {decision.pot}{facing}")
    console.print("   " + "".join(f"{rank:^{CELL}}" for rank in RANKS[::-1]))
    for row, name in enumerate(RANKS[::-1]):
        line = Text(f" {name} ")
        for cell in shares[row]:
            if math.isnan(cell[0]):
                line.append(f"{'.':^{CELL}}")
                continue
            most = int(cell.argmax())
            text = f"{shown[most].letter}{round(100 * float(cell[most])):>3} "
            ends = [round(CELL * float(cell[: a + 1].sum())) for a in range(len(shown))]
            for place, letter in enumerate(text):
                action = next(a for a, end in enumerate(ends) if place < end)
                line.append(letter, style=f"black on {shown[action].colour}")
        console.print(line)
    console.print("[dim]suited above the diagonal, offsuit below; the most likely action, in per cent[/dim]\n")
    for each in shown:
        console.print(
            Text.assemble((f" {each.letter} ", f"black on {each.colour}"), f" {each.words:<16}{each.frequency:7.1%}")
        )
    console.print(f"\n{'':<17}{'EV':>10}{'equity':>10}")
    for seat, hands in zip(SEATS, decision.hands, strict=True):
        console.print(f"{seat:<17}{hands.mean(hands.values):>z10.2f}{hands.mean(hands.equities):>10.1%}")
