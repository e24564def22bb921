"""`kibitz play`: a person against agents."""

from __future__ import annotations

import os
import secrets
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

import click

from kibitz.agents import Agent
from kibitz.agents.human import HumanAgent, PlayerLeftError, signed_chips
from kibitz.agents.registry import load_agent
from kibitz.amounts import counted
from kibitz.arena.chance import Chance
from kibitz.arena.duplicate import unused
from kibitz.arena.match import FinishedHand, Match
from kibitz.arena.match_log import check_writable
from kibitz.arena.plan import log_line
from kibitz.cli._options import MAX_HANDS, MatchSeed, cards_option
from kibitz.cli._output import folded
from kibitz.errors import AgentError, FormatError
from kibitz.games import Game, load_game
from kibitz.io.acpc import NAME_FORM, is_sayable
from kibitz.io.acpc.log import format_commented_game
from kibitz.random import seed_text


@click.command()
@click.option(
    "--against",
    multiple=True,
    default=("tight-aggressive",),
    show_default=True,
    metavar="AGENT",
    help="Opponent; once for all other seats, or once for each seat after yours.",
)
@click.option(
    "--game", "game_name", default="holdem-nolimit-2p", show_default=True, metavar="GAME", help="Game, by name or file."
)
@click.option(
    "--hands", default=100, show_default=True, type=click.IntRange(1, MAX_HANDS), help="Largest number of hands."
)
@click.option("--seed", type=MatchSeed(), help="Seed for the cards.  [default: random]")
@cards_option()
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to which finished hands are appended, as an ACPC log.",
)
def play(against: tuple[str, ...], game_name: str, hands: int, seed: int | None, cards: str, log: Path | None) -> None:
    """Play against agents at this terminal.

    Type ? at the table to list its commands, q to leave. The same seed deals the same cards. With an agent from
    self-play at the table, b shows what it believes of everybody, and what it would do in your place.
    """
    if log is not None:
        check_writable(log)
    game = load_game(game_name)
    opponents = _seat(against, game)
    if log is not None:
        _check_sayable(opponents)
    seed = secrets.randbits(32) if seed is None else seed
    chance = Chance(seed, cards)
    names = ["you"]
    for agent in opponents:
        names.append(unused(agent.name, names, "-"))
    readers = (getattr(agent, "describe_beliefs", None) for agent in opponents)
    human = HumanAgent(names[0], names[1:], adviser=next(filter(None, readers), None))
    click.echo(f"{game.name or game_name}, at most {counted(hands, 'hand')}, seed {seed_text(seed)}.")
    click.echo(folded(f"You sit with {', '.join(names[1:])}."))
    seeds = [chance.seat(seat) for seat in range(game.players)]
    agents: list[Agent] = [human, *opponents]
    begin = "\n" if log is not None and _is_left_open(log) else ""
    with log.open("a", encoding="utf-8") if log else nullcontext() as stream:
        if stream is not None:
            stream.write(begin + format_commented_game(game))
        session = Session(game, tuple(names), stream)
        try:
            for hand in Match(game, chance.cards(), agents, seeds, hands=hands).play_out():
                session.record(hand)
        except (PlayerLeftError, KeyboardInterrupt):
            click.echo("You leave the table.")
    click.echo(session.summary())


def _is_left_open(log: Path) -> bool:
    """Whether the last line of a log that is there already lacks its end."""
    if not log.is_file() or not log.stat().st_size:
        return False
    with log.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read() != b"\n"


class Session:
    """The score of the person on seat 0, shown after every hand, and the log of the hands."""

    def __init__(self, game: Game, names: tuple[str, ...], log: TextIO | None) -> None:
        self._game = game
        self._names = names  # by seat
        self._log = log
        self._results: list[float] = []

    def record(self, hand: FinishedHand) -> None:
        """Take in a finished hand."""
        self._results.append(hand.chips[0])
        if self._log:
            self._log.write(log_line(hand, self._names) + "\n")
            self._log.flush()  # what was played stays, however the session ends
        total = signed_chips(sum(self._results))
        click.echo(f"\n    {_outcome(self._results[-1])} After {counted(len(self._results), 'hand')}: {total} chips.")

    def summary(self) -> str:
        """The total in chips and as a win rate, with a 95 % interval from two hands on."""
        from kibitz.games.stakes import Stake, win_rate
        from kibitz.statistics import Moments

        if not self._results:
            return "No hand was finished."
        rate = win_rate(Moments.of(self._results), Stake.of(self._game))
        return f"{counted(len(self._results), 'hand')}: {signed_chips(sum(self._results))} chips, {rate}."


def _seat(against: tuple[str, ...], game: Game) -> list[Agent]:
    """The opponents in the order of their seats; one name fills all seats."""
    others = game.players - 1
    if len(against) not in (1, others):
        raise AgentError(f"{len(against)} opponents: {game.name or 'the game'} needs {others}, or one for all seats")
    return [load_agent(text) for text in (against if len(against) == others else against * others)]


def _check_sayable(opponents: list[Agent]) -> None:
    """Refuse names that a log cannot give, before there is one."""
    for agent in opponents:
        if not is_sayable(agent.name):
            raise FormatError(f"--log: the name {agent.name!r} cannot stand in an ACPC log: {NAME_FORM}")


def _outcome(chips: float) -> str:
    if chips == 0:
        return "You come out even."
    return f"You {'win' if chips > 0 else 'lose'} {signed_chips(abs(chips))[1:]}."
