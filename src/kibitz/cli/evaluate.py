"""`kibitz evaluate`: the win rate of one player in logged hands, with less luck in it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.agents import Agent, load_agent
from kibitz.cli._guests import guests
from kibitz.cli._options import Finite
from kibitz.cli._output import counted, print_json
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, load_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.arena.variance.evaluation import Values

VALUES = ("check-down", "matchups", "expectation", "own-hand")
PROGRESS_EVERY = 100


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--player", required=True, help="Whose win rate, by the name in the logs.")
@click.option("--method", type=click.Choice(["aivat", "imaginary", "raw"]), default="aivat", show_default=True)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="NAME=AGENT",
    help="NAME played as AGENT, a frequency, rule or strategy agent; once for each whose policy is known.",
)
@click.option("--target", metavar="AGENT", help="With imaginary: what AGENT would have won in the player's place.")
@click.option(
    "--value",
    type=click.Choice(VALUES),
    help="The value function of AIVAT. [default: check-down, own-hand with --cards own]",
)
@click.option("--growth", type=Finite(0, 1000), help="Check-down: pots each adds in a round to come. [default: 0.1]")
@click.option(
    "--fit/--no-fit",
    default=True,
    show_default=True,
    help="Scale the corrections of AIVAT by coefficients fitted to earlier hands, or add them as they are.",
)
@click.option(
    "--cards",
    type=click.Choice(["all", "own"]),
    default="all",
    show_default=True,
    help="Whose hole cards the logs show in every hand.",
)
@click.option("--game", help="The game of logs that do not name it, or name another.")
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
    """Print how much --player wins in LOGS (any format, detected from the content), raw and with reduced variance.

    aivat corrects the luck of cards and of known players' own dice by a value function that is fixed, and shown with
    its fingerprint, before the first hand is read; imaginary averages over the hands the player, who must be known,
    could have held. Both are unbiased, imaginary for a --target that goes nowhere where the player never goes.

    Give the logs of a duplicate match together: hands of the same deal are paired, and count as one sample.

    Values: check-down is equity times pot over all run-outs; matchups the same for heads-up hold'em, imagining known
    players' hands (makes a table the first time, in half a minute); expectation plays on exactly, for small games in
    which all players are known; own-hand looks at the player's cards only.
    """
    from kibitz.arena.variance.evaluation import Evaluation
    from kibitz.io.files import read_records

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
    with _counting() as tell:
        for number, record in enumerate(read_records(logs, rules, unplayed.append), 1):
            met.update(record.players)
            evaluation.add(record)
            tell(number)
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
        click.echo(f"{counted(len(unplayed), 'file')} of games that are not played here, first {unplayed[0]}", err=True)


def _check_method(
    method: str, agents: tuple[str, ...], target: str | None, value: str | None, growth: float | None, fit: bool
) -> None:
    """Refuse what the method would not look at."""
    if method == "raw" and agents:
        raise KibitzError(f"--agent {agents[0]} with --method raw: winnings as they are need no agent")
    if method != "imaginary" and target is not None:
        raise KibitzError(f"--target {target} with --method {method}: only imaginary values another agent")
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
            raise KibitzError(f"--agent {text}: {name} has an agent already, give one for each name")
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
    raise first or KibitzError(f"--agent {text}: write NAME=AGENT, the name being the one in the logs")


def _make_value(name: str, growth: float | None, known: dict[str, Agent], game: Game | None) -> Values:
    """The value function; nothing of the logs has been read yet."""
    from kibitz.arena.variance import CheckDown, Coolers, Expectation, OwnHand, load_matchups
    from kibitz.policy import policy_of

    if growth is not None and name not in ("check-down", "matchups"):
        raise KibitzError(f"--growth {growth:g} with --value {name}: only check-down values project pots")
    if name == "own-hand":
        return OwnHand()
    if name == "expectation":
        if game is None or len(known) != game.players:
            raise KibitzError("--value expectation needs --game and an --agent for every player")
        policies = {player: policy_of(agent, game) for player, agent in known.items()}
        return {seating: Expectation([policies[each] for each in seating]) for seating in permutations(known)}
    matchups = load_matchups(game or load_game("holdem-nolimit-2p")) if name == "matchups" else None
    return CheckDown(0.1 if growth is None else growth, Coolers(), matchups)


@contextmanager
def _counting() -> Iterator[Callable[[int], None]]:
    """A moving line on a terminal; nothing when standard error goes elsewhere."""
    if not sys.stderr.isatty():
        yield lambda hands: None
        return
    from kibitz.cli._console import MovingConsole

    with MovingConsole().status("reading") as status:

        def tell(hands: int) -> None:
            if hands % PROGRESS_EVERY == 0:
                status.update(f"{hands:,} hands")

        yield tell
