"""`kibitz show`: anything that Kibitz has made, as people read it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from kibitz.cli._output import COLUMNS, folded, print_json
from kibitz.plans import read_manifest


@click.command()
@click.argument("artefact", type=click.Path(path_type=Path, exists=True))
@click.argument("node", default="")
@click.option("--made", is_flag=True, help="Print how it was made, through all that it was made from.")
@click.option("--json", "as_json", is_flag=True, help="Print what is shown as JSON.")
def show(artefact: Path, node: str, made: bool, as_json: bool) -> None:
    """Print what ARTEFACT is, how it was made, and what was measured.

    ARTEFACT is a folder that a command has left. Of a strategy, the action probabilities at NODE are printed, hand by
    hand or bucket by bucket; NODE is the betting so far, such as r300c/c, by default the first decision.
    """
    from kibitz.plans.history import history_of
    from kibitz.plans.kinds import KINDS, named

    history = history_of(artefact)
    if made:
        if as_json:
            print_json(history.to_dict())
            return
        for line in history.lines():
            click.echo(line)
        return
    if not as_json:
        click.echo(folded(history.heading(str(artefact))))
    named(KINDS[history.kind].show)(artefact, node, as_json)


def show_strategy(folder: Path, history: str, as_json: bool) -> None:
    """The action probabilities of a strategy at a decision."""
    from kibitz.errors import KibitzError
    from kibitz.games import position_name, round_name
    from kibitz.solvers.problem import problem_of
    from kibitz.strategy import load_strategy
    from kibitz.tree import DECISION

    loaded = load_strategy(folder)
    tree = loaded.layout.tree
    at = tree.find(history)
    if tree.kind[at] != DECISION:
        raise KibitzError(f"after {history!r} the hand is over: give the betting before a decision")
    player, round_ = int(tree.player[at]), int(tree.round[at])
    problem = problem_of(loaded)
    labels = [problem.label(round_, player, state) for state in range(int(loaded.layout.states[at]))]
    probabilities = loaded.at(at)
    actions = tree.offered(at)
    if as_json:
        told: dict[str, Any] = {"history": tree.history(at), "player": player, "actions": actions, "states": labels}
        print_json(told | {"probabilities": probabilities.T.tolist()})
        return
    who, where = position_name(tree.game, player), round_name(tree.game, round_)
    click.echo(f"{who} to act, {where}, after {tree.history(at)!r}, spent {tuple(tree.spent[at].tolist())}")
    width = max(map(len, labels))
    each = max(8, *(len(action) + 1 for action in actions))
    at_once = max(1, (COLUMNS - width) // each)
    for begin in range(0, len(actions), at_once):
        shown = slice(begin, begin + at_once)
        click.echo(" " * width + "".join(f"{action:>{each}}" for action in actions[shown]))
        for state, label in enumerate(labels):
            click.echo(f"{label:<{width}}" + "".join(f"{chance:{each}.4f}" for chance in probabilities[shown, state]))


def show_seats(folder: Path, history: str, as_json: bool) -> None:
    """The action probabilities of who acts after a history, by the strategy of that seat."""
    from kibitz.errors import KibitzError
    from kibitz.strategy import load_strategy
    from kibitz.strategy.seats import seat_folders

    for seat, part in enumerate(seat_folders(folder)):
        tree = load_strategy(part).layout.tree
        with suppress(KibitzError):  # the seats may bet other sizes
            if tree.player[tree.find(history)] == seat:
                show_strategy(part, history, as_json)
                return
    raise KibitzError(f"after {history!r} no seat acts: give the betting before a decision of one, in its own sizes")


def show_sweep(folder: Path, _which: str, as_json: bool) -> None:
    """The table of a sweep."""
    import polars as pl

    from kibitz.plans.sweep import TABLE

    rows = pl.read_parquet(folder / TABLE).to_dicts()
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(folded(", ".join(f"{name} {value}" for name, value in row.items() if value is not None)))


def show_about(artefact: Path, _which: str, as_json: bool) -> None:
    """What there is to know of an artefact, and what was measured."""
    from kibitz.plans.history import history_of

    told = {**read_manifest(artefact)["about"], **history_of(artefact).measured}
    if as_json:
        print_json(told)
        return
    for name, value in told.items():
        click.echo(f"{name:<20} {f'{value:.6g}' if isinstance(value, float) else value}")
