"""The kibitz panel: what a policy would do in the person's place, what it makes of the others, and the equity."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.agents.implicit import ImplicitAgent
from kibitz.cards import format_cards
from kibitz.equity import Range, compute_equity
from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.learning.policy import LearnedPolicy
from kibitz.modelling.beliefs import HandBelief, believe
from kibitz.policy import Policy, policy_of
from kibitz.web.choices import HOLDEM
from kibitz.web.drawing import action_words
from kibitz.web.grids import heat_map

SAMPLES = 20_000
FEW = 0.0005  # probabilities that would be shown as 0.0 %
EMPTY_PANEL: dict[str, Any] = {
    "actions": [], "equity": "", "against": "", "belief": None, "types": [], "problem": "",
}  # fmt: skip


def panel(kind: str, agent: Any, state: State, own: int, about: int) -> dict[str, Any]:
    """All that the panel shows of `state`, as the person at position `own` sees it; `about` is another's position.

    What cannot be said is missing, and `problem` says why.
    """
    shown = dict(EMPTY_PANEL)
    try:
        policy = agent.mixture(own) if isinstance(agent, ImplicitAgent) else policy_of(agent)
        policy = policy.for_game(state.game)
        shown["actions"] = advise(policy, state) if state.player == own else []
        beliefs = {p: believe(policy, state, p, state.hole[own]) for p in _others(state, own) | {about}}
        shown["belief"] = draw_belief(kind, beliefs[about])
        shown["types"] = _types(policy, state, about)
        if can_have_equity(kind, state, own):
            shown["against"] = _equity(state, own, [_range(beliefs[p]) for p in sorted(_others(state, own))])
    except KibitzError as error:
        shown["problem"] = str(error)
    if can_have_equity(kind, state, own):
        shown["equity"] = _equity(state, own, ["random"] * len(_others(state, own)))
    return shown


def _others(state: State, own: int) -> set[int]:
    """The positions of the others who have not folded."""
    return {p for p in range(state.game.players) if p != own and not state.folded >> p & 1}


def can_have_equity(kind: str, state: State, own: int) -> bool:
    """Whether the person is still in a hand of hold'em against others."""
    return kind in HOLDEM and not state.finished and not state.folded >> own & 1


def advise(policy: Policy, state: State) -> list[dict[str, Any]]:
    """What `policy` does with the hand of the player to act: {text, kind, percent} of each action."""
    hand = np.array([state.hole[state.player]], dtype=np.uint8)
    chances = policy.probabilities(state, hand, state.board)[:, 0]
    found = zip(policy.actions(state), chances.tolist(), strict=True)
    return [drawn_action(state, each.text, chance, each.sizes) for each, chance in found if chance >= FEW]


def drawn_action(state: State, text: str, chance: float, sizes: tuple[int, int] | None = None) -> dict[str, Any]:
    """An action and how likely it is: {text, kind, percent}."""
    kind = {"f": "fold", "c": "call"}.get(text, "raise")
    return {"text": action_words(state, text, sizes), "kind": kind, "percent": 100 * chance}


def draw_belief(kind: str, belief: HandBelief) -> dict[str, Any]:
    """A belief as a heat map of hold'em hands, or as a list of the few hands of a small game."""
    drawn: dict[str, Any] = {"cells": [], "hands": [], "surprises": belief.surprises}
    if kind in HOLDEM:
        return drawn | {"cells": heat_map(belief.hands, belief.weights)}
    drawn["hands"] = [
        {"text": format_cards(hand), "percent": 100 * weight}
        for hand, weight in zip(belief.hands.tolist(), belief.weights.tolist(), strict=True)
    ]
    return drawn


def _types(policy: Policy, state: State, about: int) -> list[float]:
    """What the observer of an agent from self-play believes about a player: per cent of each card-type."""
    if not isinstance(policy, LearnedPolicy) or state.finished:
        return []
    return (100 * policy.beliefs(state)[about]).tolist()  # type: ignore[no-any-return]


def _range(belief: HandBelief) -> Range:
    """A belief as a range; its likeliest hand has the weight 1."""
    weights = (belief.weights / belief.weights.max()).tolist()
    pairs = ((max(hand), min(hand)) for hand in belief.hands.tolist())
    kept = sorted((hand, weight) for hand, weight in zip(pairs, weights, strict=True) if weight > 0)
    return Range(tuple(hand for hand, _ in kept), tuple(weight for _, weight in kept))


def _equity(state: State, own: int, others: list[Any]) -> str:
    """The share of the pot of the person's hand against hands or ranges of the others."""
    found = compute_equity([format_cards(state.hole[own]), *others], state.board, "sample", samples=SAMPLES)
    assert found.intervals is not None
    low, high = found.intervals[0]
    return f"{100 * found.equities[0]:.1f} % ± {50 * (high - low):.1f}"
