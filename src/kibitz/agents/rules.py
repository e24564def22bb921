"""Rule-based agents: hand strength against pot odds, in three temperaments.

>>> agent = RuleAgent(Style(tightness=0.8, aggression=0.9, bluffing=0.0), name="my-rock")
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product
from math import inf, nextafter

import numpy as np
import numpy.typing as npt

from kibitz.agents.preflop import preflop_equity
from kibitz.equity.strength import hand_strength
from kibitz.errors import AgentError
from kibitz.games import Game, Legal, State
from kibitz.random import Dice, mix, unit


@dataclass(frozen=True)
class Style:
    """How a rule agent plays; every number lies in [0, 1] except `size`.

    tightness    how good a hand must be to continue: from any fair price (0) to strong hands only (1)
    aggression   how often a hand worth raising is raised rather than called
    bluffing     how often a hand that would be given up or checked is bet instead
    size         bets and raises in pots (call, then add this part of the pot after the call)
    """

    tightness: float = 0.5
    aggression: float = 0.5
    bluffing: float = 0.0
    size: float = 0.75

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            most = 10.0 if field.name == "size" else 1.0
            if not 0 <= value <= most:
                raise AgentError(f"{field.name} = {value}: between 0 and {most:g}")

    @property
    def continue_above(self) -> float:
        """The chance of winning below which a bet is not called, however cheap."""
        return 0.25 + 0.4 * self.tightness

    @property
    def raise_above(self) -> float:
        """The chance of winning that is worth a first bet or raise."""
        return 0.55 + 0.2 * self.tightness


class RuleAgent:
    """Calls when the chance of winning beats the price, raises strong hands, bluffs now and then.

    A hand's strength s is its all-in equity against a random hand before the flop and its hand strength on the board
    afterwards; the style's thresholds are for s. The chance of winning, which must beat the price, is s^k against k
    opponents. Every raise of a round makes the next one dearer.
    """

    RAISE_STEP = 0.07  # how much stronger a hand must be for each raise already made in the round

    def __init__(self, style: Style | None = None, name: str = "rules") -> None:
        self.style = style or Style()
        self.name = name

    def reset(self, game: Game, seed: int) -> None:
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        word = self._dice.word()
        style, legal = self.style, state.legal()
        strength, opponents = hand_quality(state), standing_opponents(state)
        may_raise = legal.max_raise_to > 0
        worth = strength > style.raise_above + self.RAISE_STEP * state.raises
        if may_raise and worth and unit(word) < style.aggression:
            return self._raise(state, legal)
        weak = strength < style.continue_above
        if state.to_call <= 0 or (strength**opponents > _price(state) and not weak):
            return self._raise(state, legal) if weak and may_raise and self._bluffs(word, state) else "c"
        if may_raise and self._bluffs(word, state):
            return self._raise(state, legal)
        return "f"

    def actions(self, state: State) -> tuple[str, str, str]:
        """What `probabilities` are of; the last means nothing where there is no raise."""
        return "f", "c", self._raise(state, state.legal())

    def probabilities(self, state: State, strengths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How likely `act` folds, calls and raises with hands of these strengths: float64[3, n] from float64[n]."""
        style, may_raise = self.style, state.legal().max_raise_to > 0
        weak = strengths < style.continue_above
        stays = (strengths ** standing_opponents(state) > _price(state)) & ~weak | (state.to_call <= 0)
        worth = strengths > style.raise_above + self.RAISE_STEP * state.raises
        for_value = np.where(worth, style.aggression * may_raise, 0.0)
        bluffs = np.where(weak | ~stays, style.bluffing * (may_raise and state.raises < 2), 0.0)
        raises = for_value + (1 - for_value) * bluffs
        return np.stack(((1 - raises) * ~stays, (1 - raises) * stays, raises))

    def cuts(self, state: State) -> list[float]:
        """The strengths from which on `probabilities` are others than just below, against one opponent."""
        dear = self.style.raise_above + self.RAISE_STEP * state.raises
        return [self.style.continue_above, nextafter(dear, inf), nextafter(_price(state), inf)]

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()

    def _bluffs(self, word: int, state: State) -> bool:
        """Whether to bluff here; never into a second raise."""
        return state.raises < 2 and unit(mix(word)) < self.style.bluffing

    def _raise(self, state: State, legal: Legal) -> str:
        if legal.limit:
            return "r"
        size = state.bet + round(self.style.size * (state.pot + state.to_call))
        return f"r{min(max(size, legal.min_raise_to), legal.max_raise_to)}"


def hand_quality(state: State) -> float:
    """The chance that the player to act beats one random hand, cards to come left out after the flop."""
    game, hole = state.game, state.hole[state.player]
    if not hole:  # plays blind
        return 0.5
    if game.hole_cards == 2 and len(game.deck) == 52 and not state.board:
        return preflop_equity(hole)
    deck = game.suits, game.ranks, game.hand_ranking, game.has_lowest_deck
    return hand_strength(tuple(sorted(hole)), tuple(state.board), *deck)


def _price(state: State) -> float:
    """What a call costs, as a part of the pot then."""
    return state.to_call / (state.pot + state.to_call) if state.to_call > 0 else 0.0


def standing_opponents(state: State) -> int:
    """How many others have not folded."""
    return state.game.players - 1 - state.folded.bit_count()


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


def parse_rules(text: str) -> RuleAgent:
    """The agent written `rules:tightness=0.8,aggression=0.2`; what is left out keeps its default."""
    known = {field.name for field in fields(Style)}
    values: dict[str, float] = {}
    for piece in filter(None, text.partition(":")[2].split(",")):
        key, _, value = piece.partition("=")
        key = key.strip()
        if key in values:
            raise AgentError(f"{key} is set twice in {text!r}")
        try:
            values[key] = float(value)
        except ValueError:
            raise AgentError(f"{piece!r} in {text!r}: write key=number, keys {', '.join(sorted(known))}") from None
    if unknown := set(values) - known:
        raise AgentError(f"{', '.join(sorted(unknown))} in {text!r}: the keys are {', '.join(sorted(known))}")
    # Names must pass through ACPC logs, where ":" and "," separate fields or could be taken to.
    return RuleAgent(Style(**values), name=text.replace(":", "-").replace(",", "-").replace(" ", ""))
