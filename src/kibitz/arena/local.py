"""The dealer's match with all players in this process: the same hands, the same log, no messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.agents import Agent
from kibitz.arena.match import Match
from kibitz.arena.plan import MatchPlan, log_line
from kibitz.io.acpc import Score


def play_locally(
    plan: MatchPlan, agents: Sequence[Agent], seeds: Sequence[int], record: Callable[[str], None]
) -> Score:
    """Play `plan` with `agents`, seeded, by seat; `record` gets the lines of the log that a dealer would write."""
    match = Match(plan.game, plan.source, agents, seeds, hands=plan.hands, fixed_seats=plan.fixed_seats)
    record(plan.opening)
    for hand in match.play_out():
        record(log_line(hand, plan.names))
    score = Score(tuple(match.scores), plan.names)
    record(str(score))
    return score
