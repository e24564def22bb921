"""`kibitz learn`: agents from self-play, and why they act as they do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._bars import stages
from kibitz.cli._decisions import decision_after
from kibitz.cli._files import saving
from kibitz.cli._learning import (
    AGENT,
    batch_option,
    check_run,
    halving_option,
    hands_option,
    rate_options,
    run_options,
    seats_of,
)
from kibitz.cli._options import Finite
from kibitz.cli._output import folded, print_json
from kibitz.cli.learn_best_response import best_response
from kibitz.cli.learn_exploiter import exploiter
from kibitz.cli.learn_opponent import opponent
from kibitz.cli.learn_small_game import small_game
from kibitz.cli.learn_types import types
from kibitz.errors import KibitzError
from kibitz.games import load_game

if TYPE_CHECKING:
    from kibitz.learning import Progress, SelfPlay
    from kibitz.learning.explain import Explanation

ROWS = 20  # of the printed curve
HEADING = "     hands  hands/s  VP$IP  fold  call  raise  entropy  s.d.  rarest   gradients"
_BASELINES = click.Choice(["none", "fold", "mean", "linear"])
_RATE = Finite(0)


@click.group()
def learn() -> None:
    """Train limit hold'em agents for 2 to 10 players from self-play or recorded hands (Sweeney 2012).

    The folder of a run is an agent: `kibitz match`, `tournament`, `play` and `connect` accept it. Player types are not:
    train an exploiter of them.
    """


learn.add_command(best_response)
learn.add_command(exploiter)
learn.add_command(opponent)
learn.add_command(small_game)
learn.add_command(types)


@learn.command("self-play", short_help="Train an agent by playing it against itself.")
@click.option("--players", default="6", show_default=True, help="Players at the table, 2 to 10, or irc for a mix.")
@hands_option(1_000_000)
@run_options("Seed for cards, actions and first weights.")
@click.option(
    "--profile",
    default="complete",
    show_default=True,
    type=click.Choice(["complete", "listed"]),
    help="Card features: as printed (listed), or with additions that tell all hands apart.",
)
@click.option("--public-observer", is_flag=True, help="Let the observer see public card features at decisions.")
@click.option("--self-aware", is_flag=True, help="Let players look ahead to what others would believe of them.")
@click.option("--cap", default=4, show_default=True, type=click.IntRange(1, 100), help="Bets in a round.")
@click.option("--capped-heads-up", is_flag=True, help="Keep the cap when two players are left.")
@click.option(
    "--decision-cap",
    default=150,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Decisions in a deal, after which everybody calls.",
)
@click.option("--fold-when-free", is_flag=True, help="Allow folds where a check is free.")
@click.option("--forward-blinds", is_flag=True, help="Heads-up, let the player after the button post the small blind.")
@batch_option(32)
@rate_options()
@click.option("--type-rate", type=_RATE, help="Learning rate of the observer's card-types.")
@click.option("--move-rate", type=_RATE, help="Learning rate of the observer's transitions.")
@click.option("--showdown-rate", type=_RATE, help="Learning rate of the observer's showdown estimator.")
@click.option("--baseline", default="fold", show_default=True, type=_BASELINES, help="What returns are compared with.")
@click.option("--reward-scale", type=Finite(1e-6), help="Small blinds that make a reward of 1, with --chip-rewards.")
@click.option("--chip-rewards", is_flag=True, help="Count returns in chips, not in pots.")
@click.option("--value-scale", type=_RATE, help="Standard deviation of the first values of outcome states.")
@click.option("--entropy", type=_RATE, help="Weight of the policy's entropy, in pots, at the start; falls as rates do.")
@halving_option()
@click.option("--anchor-pull", type=_RATE, help="Weight of the distance to a lagging anchor; 0 for none.")
@click.option("--anchor-rate", type=_RATE, help="How fast the anchor follows, per deal.")
@click.option("--json", "as_json", is_flag=True, help="Print {out, hands, seconds, curve: [...]} as JSON.")
def self_play(out: Path, hands: int, resume: bool, as_json: bool, **options: Any) -> None:
    """Train an agent by playing it against itself, and save it in --out.

    All seats share one policy, which learns by REINFORCE; an observer learns to read hidden cards from the betting. The
    columns are deals so far, deals per second, the share of seats that put chips in voluntarily (VP$IP), shares of
    fold, call and raise, bits of entropy per decision, the standard deviation of a return in small blinds, the use of
    the rarest card-type, and the norms of the gradients of policy and observer, per deal.
    """
    from kibitz.learning import run_self_play

    check_run(out, resume)
    trainer = _trainer(options)
    curve: list[Progress] = []
    told: set[str] = set()
    every = max(hands // ROWS, 10 * trainer.learning.batch)
    with stages(f"self-play, {options['players']} players") as progress:
        for each in saving(out, run_self_play(trainer, hands, out, resume, every)):
            progress(f"{each.rate:,.0f} hands/s", each.deals, hands)
            if not as_json:
                click.echo(_row(each) if curve else f"{HEADING}\n{_row(each)}")
            curve.append(each)
            _warn(each.warnings, told)
    if as_json:
        rows = [each.describe() for each in curve]
        print_json({"out": str(out), "hands": trainer.deals, "seconds": trainer.seconds, "curve": rows})
    elif not curve:
        click.echo(f"{out} is already complete")


def _trainer(options: dict[str, Any]) -> SelfPlay:
    from kibitz.learning import Learning, SelfPlay, Structure, TableRules

    seats = seats_of(options["players"])
    structure = Structure(options["profile"], options["public_observer"], options["self_aware"])
    rules = TableRules(
        options["cap"],
        not options["capped_heads_up"],
        options["decision_cap"],
        options["fold_when_free"],
        options["forward_blinds"],
    )
    names = (
        "batch", "rate", "card_rate", "type_rate", "move_rate", "showdown_rate", "baseline", "reward_scale", "entropy",
        "halving", "anchor_pull", "anchor_rate", "value_scale",
    )  # fmt: skip
    given = {name: options[name] for name in names if options[name] is not None}
    if options["chip_rewards"]:
        given["pot_scaling"] = False
    elif options["reward_scale"] is not None:
        raise KibitzError("--reward-scale counts chips: give --chip-rewards too")
    return SelfPlay(seats, options["seed"], structure, rules, Learning(**given))


def _row(each: Progress) -> str:
    """A line of the printed curve."""
    total = max(sum(each.decisions), 1e-12)
    fold, call, raise_ = (
        100 * sum(shares[action] * count for shares, count in zip(each.actions, each.decisions, strict=True)) / total
        for action in range(3)
    )
    rarest = min(map(min, each.usage))
    return (
        f"{each.deals:>10,}{each.rate:>9,.0f}{100 * each.voluntary:>6.1f}%{fold:>5.0f}%{call:>5.0f}%{raise_:>6.0f}%"
        f"{each.mean_entropy:>9.2f}{each.deviation:>6.1f}{rarest:>8.3f}{''.join(map(_norm, each.norms))}"
    )


def _norm(norm: float) -> str:
    """The norm of a gradient in its column."""
    text = f"{norm:.2f}" if norm < 99 else f"{norm:.0f}" if norm < 9_999 else ">9999"
    return f"{text:>6}"


def _warn(warnings: tuple[str, ...], told: set[str]) -> None:
    """Print the warnings of a report but for those that differ from an older one, in `told`, in numbers alone."""
    for warning in warnings:
        kind = re.sub(r"\d\S*", "", warning)
        if kind not in told:
            told.add(kind)
            click.echo(folded(f"Warning: {warning}."), err=True)


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
