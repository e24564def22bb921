"""`kibitz learn`: agents from self-play, and why they act as they do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.cli._decisions import decision_after
from kibitz.cli._learned import AGENT, seconds_of, warn
from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.cli.learn_best_response import best_response
from kibitz.cli.learn_exploiter import exploiter
from kibitz.cli.learn_opponent import opponent, types
from kibitz.cli.learn_small_game import small_game
from kibitz.games import load_game
from kibitz.learning.self_play import SelfPlayPlan
from kibitz.plans import Row

if TYPE_CHECKING:
    from kibitz.learning.explain import Explanation

HEADING = "     hands  hands/s  VP$IP  fold  call  raise  entropy  s.d.  rarest   gradients"


@click.group()
def learn() -> None:
    """Train limit hold'em agents for 2 to 10 players from self-play or recorded hands (Sweeney 2012).

    The folder of a run is an agent: `kibitz match`, `tournament`, `play` and `connect` accept it. Player types are not:
    train an exploiter of them.
    """


@plan_command(SelfPlayPlan, "Print {out, hands, seconds, curve: [...]} as JSON.")
def self_play(work: Work[SelfPlayPlan]) -> None:
    """Print the curve as it comes, and what may have gone wrong."""
    curve: list[Row] = []
    told: set[str] = set()
    for report in work.reports():
        if (row := report.row) is None:
            continue
        if not work.as_json:
            click.echo(_row(row) if curve else f"{HEADING}\n{_row(row)}")
        curve.append(row)
        warn(row["warnings"], told)
    if work.as_json:
        seconds = seconds_of(work, curve)
        print_json({"out": str(work.out), "hands": int(report.done), "seconds": seconds, "curve": curve})
    elif not curve:
        click.echo(f"{work.out} is already complete")


for each in (self_play, best_response, exploiter, opponent, small_game, types):
    learn.add_command(each)


def _row(each: Row) -> str:
    """A line of the printed curve."""
    decisions, total = each["decisions"], max(sum(each["decisions"]), 1e-12)
    fold, call, raise_ = (
        100 * sum(shares[action] * count for shares, count in zip(each["actions"], decisions, strict=True)) / total
        for action in range(3)
    )
    entropy = sum(bits * count for bits, count in zip(each["entropy"], decisions, strict=True)) / total
    return (
        f"{each['deals']:>10,}{each['rate']:>9,.0f}{100 * each['voluntary']:>6.1f}%{fold:>5.0f}%{call:>5.0f}%"
        f"{raise_:>6.0f}%{entropy:>9.2f}{each['deviation']:>6.1f}{min(map(min, each['usage'])):>8.3f}"
        f"{''.join(map(_norm, each['norms']))}"
    )


def _norm(norm: float) -> str:
    """The norm of a gradient in its column."""
    text = f"{norm:.2f}" if norm < 99 else f"{norm:.0f}" if norm < 9_999 else ">9999"
    return f"{text:>6}"


@learn.command(short_help="Show why an agent acts as it does at a decision.")
@click.argument("folder", type=AGENT)
@click.option("--history", default="", help="Betting so far, such as rc/c.  [default: none]")
@click.option("--hole", required=True, help="Hole cards of the player to act, such as AhKd.")
@click.option("--board", default="", help="Board cards, such as 2c7d9h.  [default: none]")
@click.option("--game", default="holdem-limit-2p", show_default=True, help="Game, by name or file.")
@click.option("--json", "as_json", is_flag=True, help="Print {stage, cards, options, probabilities, ...} as JSON.")
def explain(folder: Path, history: str, hole: str, board: str, game: str, as_json: bool) -> None:
    """Show the features, outcome states, values and probabilities of a decision of the agent in FOLDER.

    Also shows what the observer believes of every player: the probabilities of its eight card-types.
    """
    from kibitz.agents.learned import load_learned_agent

    agent = load_learned_agent(str(folder))
    rules = load_game(game)
    agent.policy.check(rules)
    found = agent.explain(decision_after(rules, history, hole, board))
    if as_json:
        print_json(found.describe())
    else:
        _print_explanation(found)


def _print_explanation(found: Explanation) -> None:
    click.echo(f"{found.stage}, player {found.player} to act")
    for name, share in found.probabilities.items():
        value = found.options[name].value if name in found.options else 0.0
        click.echo(f"  {name:<5}  {100 * share:5.1f} %   value {value:+.3f}")
    click.echo("\ncard features that are on")
    for name, number in found.cards.items():
        click.echo(f"  {number:6.3f}  {name}")
    options = list(found.options)
    click.echo(f"\nbet features after  {''.join(f'{name:>8}' for name in options)}")
    for name in next(iter(found.options.values())).features:
        click.echo(f"  {name:<18}{''.join(f'{found.options[each].features[name]:8.3f}' for each in options)}")
    click.echo(f"  {'chips to put in':<18}{''.join(f'{found.options[each].cost:8.1f}' for each in options)}")
    for name in options:
        option = found.options[name]
        click.echo(f"\noutcome states after a {name}: probability, value")
        click.echo("  " + " ".join(f"{each:7.3f}" for each in option.outcomes))
        click.echo("  " + " ".join(f"{each:7.3f}" for each in option.values))
    click.echo("\nbeliefs: probabilities of the eight card-types, by player")
    for player, belief in enumerate(found.beliefs):
        click.echo(f"  {player}  " + " ".join(f"{each:.3f}" for each in belief))
