"""Strategies of two-player hold'em in the real game: values by sampled boards, and best responses."""

from kibitz.policy.hands import HandPolicy
from kibitz.responses.real.flops import Flops
from kibitz.responses.real.response import RealExploitability, SeatResponse, real_exploitability, respond_by_flop
from kibitz.responses.real.value import ExpectedValue, expected_value

__all__ = [
    "ExpectedValue",
    "Flops",
    "HandPolicy",
    "RealExploitability",
    "SeatResponse",
    "expected_value",
    "real_exploitability",
    "respond_by_flop",
]
