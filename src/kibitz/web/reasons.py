"""Why agents acted as they did in a hand, as plain dictionaries: probabilities, and what stands behind them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from kibitz.agents import Agent
from kibitz.agents.human import describe_action
from kibitz.agents.implicit import Shares
from kibitz.amounts import counted
from kibitz.errors import KibitzError
from kibitz.games import State, round_name
from kibitz.learning.explain import Explanation as LearnedExplanation
from kibitz.modelling.cases.explain import Explanation as CaseExplanation
from kibitz.policy import known_policy
from kibitz.web.advice import advise, drawn_action
from kibitz.web.drawing import action_words, draw_card

MOST_ROWS = 5


def reason(agent: Agent, state: State, action: str, names: Sequence[str]) -> dict[str, Any]:
    """Why `agent` did `action` in `state`, which shows its cards; `names` by position."""
    told: dict[str, Any] = {
        "round": round_name(state.game, state.round),
        "did": describe_action(state, action, names[state.player]),
        "cards": [draw_card(card) for card in state.hole[state.player]],
        "actions": [],
        "title": "",
        "rows": [],
        "problem": "",
    }
    try:
        policy = known_policy(agent)
        if policy is not None:
            told["actions"] = advise(policy.for_game(state.game), state)
        explain = getattr(agent, "explain", None)
        if explain is not None:
            told |= details(explain(state), state, names)
    except KibitzError as error:
        told["problem"] = str(error)
    if not (told["actions"] or told["rows"] or told["problem"]):
        told["problem"] = f"{agent.name} only plays: it cannot say why."
    return told


@singledispatch
def details(explanation: Any, state: State, names: Sequence[str]) -> dict[str, Any]:
    """A title, and rows of {label, percent, note}; `actions` too where the agent has no policy."""
    return {}


@details.register
def _(explanation: CaseExplanation, state: State, names: Sequence[str]) -> dict[str, Any]:
    rows = []
    for each in explanation.neighbours[:MOST_ROWS]:
        counts = zip(explanation.alphabet, each.case.actions, strict=True)
        done = ", ".join(f"{letter} {count}" for letter, count in counts if count)
        case = each.case.features
        label = f"strength {case.strength}, betting {case.sequence or '–'}"
        note = done if each.retrieved else f"{done} (not used)"
        rows.append({"label": label, "percent": 100 * each.similarity, "note": note})
    if not explanation.hands:
        return {"title": "No case is similar enough, so it checks or calls. The nearest:", "rows": rows}
    used = f"{explanation.retrieved:,} most similar, {counted(explanation.hands, 'decision')} of the expert"
    return {"title": f"Cases behind it: {used}", "rows": rows}


@details.register
def _(explanation: Shares, state: State, names: Sequence[str]) -> dict[str, Any]:
    rows = []
    for name, weight, chances in zip(explanation.names, explanation.weights, explanation.chances, strict=True):
        best = int(chances.argmax())
        note = f"{action_words(state, explanation.actions[best]).lower()} {chances[best]:.0%}"
        rows.append({"label": name, "percent": 100 * float(weight), "note": note})
    mixture = (explanation.weights @ explanation.chances).tolist()
    actions = [drawn_action(state, text, share) for text, share in zip(explanation.actions, mixture, strict=True)]
    return {"title": "Weights of its experts", "rows": rows, "actions": actions}


@details.register
def _(explanation: LearnedExplanation, state: State, names: Sequence[str]) -> dict[str, Any]:
    values = ", ".join(f"{name} {each.value:+.2f}" for name, each in explanation.options.items())
    rows = []
    for player, belief in enumerate(explanation.beliefs):
        if player != state.player and not state.folded >> player & 1:
            note = f"card-type {1 + belief.index(max(belief))} of {len(belief)}"
            rows.append({"label": names[player], "percent": 100 * max(belief), "note": note})
    return {"title": f"Values: fold 0, {values}. Its beliefs, the likeliest card-type of each:", "rows": rows}
