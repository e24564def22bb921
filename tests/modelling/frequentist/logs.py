"""Matches of built-in agents as logs, for models to count."""

from __future__ import annotations

from pathlib import Path

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.games import load_game


def write_log(path: Path, game: str, agents: tuple[str, str], hands: int) -> Path:
    plan = MatchPlan(load_game(game), hands, 5, agents, game_name=game)
    lines: list[str] = []
    play_locally(plan, [load_agent(name) for name in agents], [1, 2], lines.append)
    path.write_text("\n".join(lines) + "\n")
    return path
