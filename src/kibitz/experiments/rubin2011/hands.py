"""Hands of the expert against a varied field, log by log: what each log holds depends on the seed and its number only.

Every log has hands against every opponent, so that the first thousand hands are as varied as the first million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kibitz.agents import Agent
from kibitz.arena.match import AgentSpec, Witness, make_agent, play_match
from kibitz.files import taking_place
from kibitz.games import Game, State
from kibitz.io.acpc import format_hand
from kibitz.io.acpc.log import format_commented_game
from kibitz.io.record import HandRecord
from kibitz.random import derive_seed


class Session(NamedTuple):
    """Some hands of the expert against each of `others` in turn; a value that can be sent to another process.

    number   which session it is; with the seed it decides the cards and the dice
    path     where its log, or what is asked of it, is written
    """

    game: Game
    expert: AgentSpec
    others: tuple[AgentSpec, ...]
    hands: int
    number: int
    seed: int
    path: Path

    @property
    def shares(self) -> list[int]:
        """Hands against each opponent: as even as can be, those that are left over going to others in each session."""
        count = len(self.others)
        each, left = divmod(self.hands, count)
        return [each + ((place - self.number * left) % count < left) for place in range(count)]


def sessions(
    game: Game, expert: AgentSpec, others: tuple[AgentSpec, ...], hands: int, length: int, seed: int, paths: str
) -> Iterator[Session]:
    """Sessions of `length` hands, `hands` in all; `paths` has a place for the number."""
    for number in range(-(-hands // length)):
        here = min(length, hands - number * length)
        yield Session(game, expert, others, here, number, seed, Path(paths.format(number)))


def play_session(session: Session, expert: Agent, witness: Callable[[Agent], Witness]) -> None:
    """Play all hands of a session, button moving from hand to hand.

    witness   is asked for one that watches the hands against an opponent
    """
    for place, (other, hands) in enumerate(zip(session.others, session.shares, strict=True)):
        if hands:
            opponent = make_agent(other)
            cards, *dice = (derive_seed(session.seed, session.number, place, which) for which in range(3))
            play_match(session.game, [expert, opponent], dice, hands, cards % 2**32, witness(opponent))


def write_log(session: Session) -> Path:
    """Play a session and write its log, an ACPC log with the game in comments; whole or not at all."""
    expert, number = make_agent(session.expert), 0
    with taking_place(session.path) as beside, beside.open("w") as out:
        out.write(format_commented_game(session.game))

        def watch(opponent: Agent) -> Witness:
            names = expert.name, opponent.name

            def keep(hand: int, state: State) -> None:
                nonlocal number
                seated = names[hand % 2 :] + names[: hand % 2]
                deal = state.deal._replace(board=state.board)
                record = HandRecord(session.game, str(number), state.history, deal, seated, state.returns())
                out.write(format_hand(record) + "\n")
                number += 1

            return keep

        play_session(session, expert, watch)
    return session.path
