"""`kibitz show`: a strategy as people read it."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.cli._output import COLUMNS, print_json


@click.command()
@click.argument("strategy", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("node", default="")
@click.option(
    "--json", "as_json", is_flag=True, help="Print {history, player, actions, states, probabilities} as JSON."
)
def show(strategy: Path, node: str, as_json: bool) -> None:
    """Print the action probabilities of STRATEGY at NODE, hand by hand or bucket by bucket.

    STRATEGY is a folder written by `kibitz solve` or `train`. NODE is the betting so far, such as r300c/c; by default
    the first decision.
    """
    from kibitz.errors import KibitzError
    from kibitz.games import position_name, round_name
    from kibitz.solvers.problem import problem_of
    from kibitz.strategy import load_strategy
    from kibitz.tree import DECISION

    loaded = load_strategy(strategy)
    tree = loaded.layout.tree
    at = tree.find(node)
    if tree.kind[at] != DECISION:
        raise KibitzError(f"after {node!r} the hand is over: give the betting before a decision")
    player, round_ = int(tree.player[at]), int(tree.round[at])
    problem = problem_of(loaded)
    labels = [problem.label(round_, player, state) for state in range(int(loaded.layout.states[at]))]
    probabilities = loaded.at(at)
    actions = tree.offered(at)
    if as_json:
        print_json(
            {
                "history": tree.history(at),
                "player": player,
                "actions": actions,
                "states": labels,
                "probabilities": probabilities.T.tolist(),
            }
        )
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
