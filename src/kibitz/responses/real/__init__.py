"""Strategies of two-player hold'em in the real game: values by sampled boards, best responses, local best responses."""

from kibitz.policy.hands import HandPolicy
from kibitz.responses.local import AgentView, local_response, local_samples
from kibitz.responses.real.flops import Flops
from kibitz.responses.real.response import RealExploitability, SeatResponse, real_exploitability, respond_by_flop
from kibitz.responses.real.value import ExpectedValue, expected_value

__all__ = [
    "AgentView",
    "ExpectedValue",
    "Flops",
    "HandPolicy",
    "RealExploitability",
    "SeatResponse",
    "expected_value",
    "local_response",
    "local_samples",
    "real_exploitability",
    "respond_by_flop",
]
