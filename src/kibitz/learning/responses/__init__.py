"""Best responses by learning: one seat learns against opponents that stay as they are."""

from kibitz.learning.responses.files import load_response, response_artefact
from kibitz.learning.responses.learner import AGAINST_AGENTS, AGAINST_COPIES, Agents, Blind, Copies, Response
from kibitz.learning.responses.tables import AgentTable, Decider, Opponent

__all__ = [
    "AGAINST_AGENTS",
    "AGAINST_COPIES",
    "AgentTable",
    "Agents",
    "Blind",
    "Copies",
    "Decider",
    "Opponent",
    "Response",
    "load_response",
    "response_artefact",
]
