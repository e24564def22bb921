"""Why an agent from self-play acts as it does: features, outcome states, values, probabilities and beliefs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from kibitz.errors import AgentError
from kibitz.games import State
from kibitz.learning.cards.names import STAGES, private_names, public_names
from kibitz.learning.model import BET_FEATURES
from kibitz.learning.policy import LearnedPolicy
from kibitz.learning.records import BETS, FLOP, RIVER, SHORT, TURN

OPTIONS = ("call", "raise")
_SEEN = {0: (), 1: (FLOP,), 2: (FLOP, TURN), 3: (SHORT,)}


@dataclass(frozen=True)
class Option:
    """One option with a value; a fold is worth 0.

    features   bet features after it, scaled; cost, what it costs
    outcomes   probabilities of the outcome states; values, what each is worth
    value      u: what is soft-maxed
    """

    features: dict[str, float]
    cost: float
    outcomes: tuple[float, ...]
    values: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Explanation:
    """A decision: what was seen, what each option is worth, and what the observer believes of every player."""

    stage: str
    player: int
    cards: dict[str, float]
    options: dict[str, Option]
    probabilities: dict[str, float]
    beliefs: tuple[tuple[float, ...], ...]

    def describe(self) -> dict[str, Any]:
        """All of it by name."""
        return asdict(self)


def explain(policy: LearnedPolicy, state: State) -> Explanation:
    """The decision of the player to act in `state`, whose hole cards are known."""
    if state.finished:
        raise AgentError(f"after {state.history!r} the hand is over: there is no decision to explain")
    hole = state.hole[state.player] if state.hole else ()
    if len(hole) != 2:
        raise AgentError(f"the hole cards of player {state.player} are needed to explain its decision")
    chances = policy.advise(state, np.array([hole], dtype=np.uint8), state.board)[:, 0]
    work, stage = policy.desk.work, state.round
    decision = int(work["decisions"])
    legal = state.legal()
    options = {}
    for number, name in enumerate(OPTIONS):
        if "cr"[number] not in legal:
            continue
        found = work["features"][decision, number]
        cost = float(policy.model.weights.costs[stage] * found[BETS])
        options[name] = Option(
            dict(zip(BET_FEATURES, found[:BETS].tolist(), strict=True)),
            float(found[BETS] * policy.model.structure.bet_scales[BETS]),
            tuple(work["outcome"][decision, number].tolist()),
            tuple(work["own_value"][decision, number].tolist()),
            float(work["mean"][decision, number]) - cost,
        )
    return Explanation(
        STAGES[stage],
        state.player,
        _cards_on(policy, stage, state.player),
        options,
        {name: float(chances[i]) for i, name in enumerate(("fold", *OPTIONS)) if "fcr"[i] in legal},
        tuple(map(tuple, work["belief"][: state.game.players].tolist())),
    )


def _cards_on(policy: LearnedPolicy, stage: int, seat: int) -> dict[str, float]:
    """The card features that are on, public first."""
    from kibitz.learning.cards.names import SHORT_RIVER

    work, profile = policy.desk.work, policy.model.structure.profile
    found = {}
    for kind in _SEEN[stage]:
        names = SHORT_RIVER if kind == SHORT else public_names(profile, kind)
        count = work["public_counts"][kind]
        for number, value in zip(
            work["public_numbers"][kind, :count], work["public_values"][kind, :count], strict=True
        ):
            found[f"board, {STAGES[min(kind, RIVER)]}: {names[number]}"] = float(value)
    names = private_names(profile, stage)
    count = work["private_counts"][stage, seat]
    for number, value in zip(
        work["private_numbers"][stage, seat, :count], work["private_values"][stage, seat, :count], strict=True
    ):
        found[f"hand: {names[number]}"] = float(value)
    return found
