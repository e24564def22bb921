"""Best responses by learning: one seat learns against opponents that stay as they are."""

from kibitz.learning.responses.campaign import is_response, load_response, run_response
from kibitz.learning.responses.learner import (
    AGAINST_AGENTS,
    AGAINST_COPIES,
    Agents,
    Copies,
    Response,
    ResponseProgress,
    Winnings,
)
from kibitz.learning.responses.tables import AgentTable, Decider, Opponent

__all__ = [
    "AGAINST_AGENTS",
    "AGAINST_COPIES",
    "AgentTable",
    "Agents",
    "Copies",
    "Decider",
    "Opponent",
    "Response",
    "ResponseProgress",
    "Winnings",
    "is_response",
    "load_response",
    "run_response",
]
