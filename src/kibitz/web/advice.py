"""The kibitz panel: what a policy would do in the person's place, and the equity of the hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.agents.human import round_base
from kibitz.cards import format_cards
from kibitz.equity import compute_equity
from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.policy import policy_of
from kibitz.web.choices import HOLDEM

SAMPLES = 20_000
FEW = 0.0005  # probabilities that would be shown as 0.0 %


def advise(agent: Any, state: State) -> list[dict[str, Any]]:
    """What the policy of `agent` does with the hand of the player to act: {text, kind, percent} of each action."""
    policy = policy_of(agent).for_game(state.game)
    hand = np.array([state.hole[state.player]], dtype=np.uint8)
    chances = policy.probabilities(state, hand, state.board)[:, 0]
    advice = []
    for action, chance in zip(policy.actions(state), chances.tolist(), strict=True):
        if chance >= FEW:
            kind = {"f": "fold", "c": "call"}.get(action.text, "raise")
            advice.append({"text": _words(state, action.text, action.sizes), "kind": kind, "percent": 100 * chance})
    return advice


def _words(state: State, text: str, sizes: tuple[int, int] | None) -> str:
    if text == "f":
        return "Fold"
    if text == "c":
        return "Call" if state.to_call > 0 else "Check"
    base = round_base(state)
    verb = "Raise" if state.bet > base else "Bet"
    if sizes is not None:
        return f"{verb} {sizes[0] - base:,} to {sizes[1] - base:,}"
    return f"{verb} {int(text[1:]) - base:,}" if len(text) > 1 else verb


def own_equity(kind: str, state: State, own: int) -> str:
    """The share of the pot of the hand at position `own` against random hands of those still in; hold'em only."""
    others = state.game.players - state.folded.bit_count() - 1
    if kind not in HOLDEM or state.folded >> own & 1 or not others >= 1:
        return ""
    hands = [format_cards(state.hole[own]), *["random"] * others]
    found = compute_equity(hands, state.board, "sample", samples=SAMPLES)
    if found.intervals is None:
        raise KibitzError("the equity was not sampled")
    low, high = found.intervals[0]
    return f"{100 * found.equities[0]:.1f} % ± {50 * (high - low):.1f}"
