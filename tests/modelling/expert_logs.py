"""Matches of built-in agents as ACPC logs, for tests to learn from."""

from __future__ import annotations

from pathlib import Path

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.games import AcpcCards, State, load_game
from kibitz.io.acpc import format_hand
from kibitz.io.acpc.log import LogHeader
from kibitz.io.record import HandRecord

GAMEDEFS = {
    "holdem-nolimit-2p": "holdem.nolimit.2p.reverse_blinds.game",
    "holdem-limit-2p": "holdem.limit.2p.reverse_blinds.game",
}


def play_log(path: Path, agents: tuple[str, str], hands: int, seed: int = 0, game: str = "holdem-nolimit-2p") -> Path:
    """Write the log of a match to `path`."""
    rules = load_game(game)
    lines = [str(LogHeader("match", GAMEDEFS[game], hands, seed))]

    def keep(hand: int, state: State) -> None:
        names = agents[hand % 2 :] + agents[: hand % 2]
        deal = state.deal._replace(board=state.board)
        record = HandRecord(rules, str(hand), state.history, deal, names, state.returns())
        lines.append(format_hand(record))

    play_match(rules, [load_agent(name) for name in agents], [seed + 1, seed + 2], hands, AcpcCards(seed), keep)
    path.write_text("\n".join(lines) + "\n")
    return path
