"""`kibitz spot`: flops, turns and rivers of heads-up hold'em."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.arena.match_log import check_writable
from kibitz.cli._errors import Interrupted
from kibitz.cli._files import plain_target, writing
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.errors import KibitzError
from kibitz.spots.plan import SpotPlan

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.spots import Progress, Spot, SpotCFR
    from kibitz.spots.report import Decision

CELL = 5  # characters of a cell: 13 cells and the names of the rows fit into 80 columns
SHOWN = [
    click.Option(
        ["--node"],
        default="",
        help="Betting before the decision to show, such as r50c.  [default: the first decision]",
    ),
    click.Option(["--dealt"], default="", help="Board cards dealt between --board and that decision, such as Th."),
    click.Option(
        ["--image"],
        type=click.Path(path_type=Path, dir_okay=False),
        help="File for a picture of that decision (.png, .svg, .pdf).",
    ),
]


@plan_command(SpotPlan, "Print the solution and every hand at that decision as JSON.", *SHOWN)
def solve_spot(work: Work[SpotPlan], node: str, dealt: str, image: Path | None) -> None:
    """Print the decision, be it of a solution that was interrupted."""
    from kibitz.spots.report import find_decision, inspect

    target = None if image is None else _check_image(image)
    find_decision(work.plan.compiled, node, dealt)  # one that is not there is refused before the work, not after it
    found, interrupted = None, None
    try:
        for report in work.reports():
            found = report.artefact or found
    except Interrupted as end:
        interrupted = end
    if interrupted is not None and found is None:
        raise interrupted
    assert found is not None
    solver, last = found.content if found.content is not None else _loaded(work.out)
    decision = inspect(solver, node, dealt)
    if image is not None and target is not None:
        from kibitz.spots.grid import plot_decision

        with writing(image):
            plot_decision(decision, target)
    _print(solver, last, decision, work.as_json)
    if image is not None and not work.as_json:
        click.echo(f"Picture: {image}")
    if interrupted is not None:
        raise interrupted


def show_spot(folder: Path, node: str, as_json: bool) -> None:
    """A decision of a solved spot; cards dealt since the spot stand after the betting: `r50c/ Th`."""
    from kibitz.spots.report import inspect

    history, _, dealt = node.partition(" ")
    solver, last = _loaded(folder)
    _print(solver, last, inspect(solver, history, dealt), as_json)


def _loaded(folder: Path | None) -> tuple[SpotCFR, Progress]:
    from kibitz.spots.files import load_spot

    assert folder is not None
    solver, curve = load_spot(folder)
    return solver, curve[-1]


def _print(solver: SpotCFR, last: Progress, decision: Decision, as_json: bool) -> None:
    from kibitz.cli._console import ResultConsole
    from kibitz.spots.document import document

    if as_json:
        print_json(document(solver, last, decision))
        return
    console = ResultConsole()
    _print_progress(console, solver.compiled.spot, last)
    _print_decision(console, decision)


def _check_image(path: Path) -> Path:
    """Where to draw; refused before the work, not after it."""
    from matplotlib.figure import Figure

    known = Figure().canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in known:
        raise KibitzError(f"--image {path}: unknown picture format; use .png, .svg or .pdf")
    check_writable(path)
    return plain_target(path)


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
