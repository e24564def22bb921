"""`kibitz hands luck`: a player's win rate from logged hands, with variance reduction."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.agents import Agent, load_agent
from kibitz.amounts import counted
from kibitz.cli._bars import counting
from kibitz.cli._guests import guests
from kibitz.cli._options import Finite
from kibitz.cli._output import print_json
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, load_game

if TYPE_CHECKING:
    from kibitz.modelling.estimators.evaluation import Values

VALUES = ("check-down", "matchups", "expectation", "own-hand")
PROGRESS_EVERY = 100


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--player", required=True, help="Name of the player to evaluate, as in the logs.")
@click.option(
    "--method",
    type=click.Choice(["aivat", "imaginary", "raw"]),
    default="aivat",
    show_default=True,
    help="Estimator of the win rate.",
)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="NAME=AGENT",
    help="Known policy of player NAME: a frequency, rule, strategy or case-based agent; once for each known player.",
)
@click.option("--target", metavar="AGENT", help="Agent to evaluate in the player's place (imaginary).")
@click.option(
    "--value",
    type=click.Choice(VALUES),
    help="Value function of AIVAT.  [default: check-down; own-hand with --cards own]",
)
@click.option(
    "--growth",
    type=Finite(0, 1000),
    help="Bet of each player per later round, in pots (check-down, matchups).  [default: 0.1]",
)
@click.option(
    "--fit/--no-fit",
    default=True,
    show_default=True,
    help="Scale AIVAT's corrections by coefficients fitted to earlier hands.",
)
@click.option(
    "--cards",
    type=click.Choice(["all", "own"]),
    default="all",
    show_default=True,
    help="Hole cards that the logs show in every hand: all players', or only the player's own.",
)
@click.option("--game", help="Game of the logs, by name or file; needed if they name none or the wrong one.")
@click.option("--json", "as_json", is_flag=True, help="Print {raw, reduced, variance_ratio, value, ...} as JSON.")
def evaluate(
    logs: tuple[Path, ...],
    player: str,
    method: str,
    agents: tuple[str, ...],
    target: str | None,
    value: str | None,
    growth: float | None,
    fit: bool,
    cards: str,
    game: str | None,
    as_json: bool,
) -> None:
    """Estimate the win rate of --player from LOGS, raw and with variance reduction.

    The log format is detected from the content. Give all logs of a duplicate match together: hands of the same deal
    are paired and count as one sample.

    Methods: aivat subtracts the luck of the cards and of known players' sampled actions, as measured by a value
    function; imaginary averages over the hands that the player, whose policy must be known, could have held. Both are
    unbiased; with --target, imaginary is unbiased only if the target takes no action that the player never takes.

    Value functions: check-down is equity times pot over all run-outs; matchups is the same for heads-up hold'em and
    averages over known players' hands (the first use builds a table in half a minute); expectation is exact, for
    small games with known players only; own-hand uses only the player's cards. The value function is fixed before the
    first hand is read, and its fingerprint is printed.
    """
    from kibitz.io.files import read_records
    from kibitz.modelling.estimators.evaluation import Evaluation

    _check_method(method, agents, target, value, growth, fit)
    rules = load_game(game) if game else None
    with guests():
        known, instead = _parse_agents(agents), load_agent(target) if target else None
    chosen = None
    if method == "aivat":
        chosen = _make_value(value or ("own-hand" if cards == "own" else "check-down"), growth, known, rules)
    evaluation = Evaluation(player, chosen, known, method=method, cards=cards, target=instead, fitted=fit)
    unplayed: list[str] = []
    met: set[str] = set()
    with counting("reading") as progress:
        for number, record in enumerate(read_records(logs, rules, unplayed.append), 1):
            met.update(record.players)
            evaluation.add(record)
            if number % PROGRESS_EVERY == 0:
                progress(number)
    result = evaluation.result()
    if not result.hands:
        raise KibitzError(f"{player} plays in none of the hands")
    for name in known:
        if name not in met:
            raise KibitzError(f"--agent {name}: {name} plays in none of the hands")
    if as_json:
        print_json({**result.to_dict(), "unplayed": len(unplayed)})
        return
    for line in result.lines():
        click.echo(line)
    if unplayed:
        click.echo(
            f"{counted(len(unplayed), 'file')} of games that Kibitz does not play, first {unplayed[0]}", err=True
        )


def _check_method(
    method: str, agents: tuple[str, ...], target: str | None, value: str | None, growth: float | None, fit: bool
) -> None:
    """Refuse what the method would not look at."""
    if method == "raw" and agents:
        raise KibitzError(f"--agent {agents[0]} with --method raw: raw winnings need no agent")
    if method != "imaginary" and target is not None:
        raise KibitzError(f"--target {target} with --method {method}: only imaginary evaluates another agent")
    if method != "aivat" and value is not None:
        raise KibitzError(f"--value {value} with --method {method}: only aivat has a value function")
    if method != "aivat" and growth is not None:
        raise KibitzError(f"--growth {growth:g} with --method {method}: only aivat has a value function")
    if method != "aivat" and not fit:
        raise KibitzError(f"--no-fit with --method {method}: only aivat has corrections to scale")


def _parse_agents(texts: tuple[str, ...]) -> dict[str, Agent]:
    known: dict[str, Agent] = {}
    for text in texts:
        name, agent = _parse_agent(text)
        if name in known:
            raise KibitzError(f"--agent {text}: {name} already has an agent; give one per name")
        known[name] = agent
    return known


def _parse_agent(text: str) -> tuple[str, Agent]:
    """NAME=AGENT; both may have more of "=", as rule agents do, and the first that leaves an agent counts."""
    first: AgentError | None = None
    for place in [place for place, letter in enumerate(text) if letter == "="]:
        if "," in text[:place]:
            break  # the settings of an agent that was refused
        try:
            return text[:place], load_agent(text[place + 1 :])
        except AgentError as error:
            first = first or error
    raise first or KibitzError(f"--agent {text}: write NAME=AGENT, with the name as in the logs")


def _make_value(name: str, growth: float | None, known: dict[str, Agent], game: Game | None) -> Values:
    """The value function; nothing of the logs has been read yet."""
    from kibitz.modelling.estimators import CheckDown, Coolers, Expectation, OwnHand, load_matchups
    from kibitz.policy import policy_of

    if growth is not None and name not in ("check-down", "matchups"):
        raise KibitzError(f"--growth {growth:g} with --value {name}: only check-down and matchups project pots")
    if name == "own-hand":
        return OwnHand()
    if name == "expectation":
        if game is None or len(known) != game.players:
            raise KibitzError("--value expectation needs --game and an --agent for every player")
        policies = {player: policy_of(agent, game) for player, agent in known.items()}
        return {seating: Expectation([policies[each] for each in seating]) for seating in permutations(known)}
    matchups = load_matchups(game or load_game("holdem-nolimit-2p")) if name == "matchups" else None
    return CheckDown(0.1 if growth is None else growth, Coolers(), matchups)
