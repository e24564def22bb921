"""Rule-based agents: hand strength against pot odds, in three temperaments.

>>> agent = RuleAgent(Style(tightness=0.8, aggression=0.9, bluffing=0.0), name="my-rock")
"""

from __future__ import annotations

from dataclasses import fields
from itertools import product

from kibitz.agents.base import Named
from kibitz.agents.settings import as_number, settings_of
from kibitz.games import Game, State
from kibitz.policy.rules import RulePolicy, Style
from kibitz.policy.strengths import hand_quality
from kibitz.random import Dice, mix, unit


class RuleAgent(Named):
    """Plays by rules: `RulePolicy` has them."""

    policy: RulePolicy  # what it does, see `known_policy`

    def __init__(self, style: Style | None = None, name: str = "rules") -> None:
        self.policy = RulePolicy(style, name)
        self.name = name

    def reset(self, game: Game, seed: int) -> None:
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        # One word makes two draws, the second only of those who do not raise for value: not one draw of four actions.
        word, policy = self._dice.word(), self.policy
        worth, weak, stays = policy.judge(state, hand_quality(state))
        if state.legal().max_raise_to > 0:
            if worth and unit(word) < policy.style.aggression:
                return policy.raise_action(state)
            if (weak or not stays) and policy.may_bluff(state) and unit(mix(word)) < policy.style.bluffing:
                return policy.raise_action(state)
        return "c" if stays else "f"

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()


def _styles() -> dict[str, Style]:
    """The named styles: tight or loose, passive or aggressive, with or without bluffs."""
    styles = {}
    for tight, aggressive, bluffing in product((True, False), (False, True), (False, True)):
        name = f"{'tight' if tight else 'loose'}-{'aggressive' if aggressive else 'passive'}"
        styles[name + "-bluffing" * bluffing] = Style(
            tightness=0.7 if tight else 0.15,
            aggression=0.9 if aggressive else 0.2,
            bluffing=0.25 if bluffing else 0.0,
        )
    return styles


STYLES = _styles()


def parse_rules(rest: str) -> RuleAgent:
    """The agent written `tightness=0.8,aggression=0.2` behind `rules:`; what is left out keeps its default."""
    text, known = f"rules:{rest}", sorted(field.name for field in fields(Style))
    settings = settings_of(filter(None, rest.split(",")), known, text)
    style = Style(**{key: as_number(value, key, text) for key, value in settings.items()})
    # Names must pass through ACPC logs, where ":" and "," separate fields or could be taken to.
    return RuleAgent(style, name=text.replace(":", "-").replace(",", "-").replace(" ", ""))
