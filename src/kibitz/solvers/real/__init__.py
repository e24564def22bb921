"""Strategies of two-player hold'em in the real game: values by sampled boards, best responses, local best responses."""

from kibitz.solvers.real.flops import Flops
from kibitz.solvers.real.local import AgentView, local_response, local_samples
from kibitz.solvers.real.policy import HandPolicy
from kibitz.solvers.real.response import RealExploitability, SeatResponse, real_exploitability, respond_by_flop
from kibitz.solvers.real.value import ExpectedValue, expected_value

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
