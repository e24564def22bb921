"""Searching for the rule-based style that wins most from an opponent, at random."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kibitz.agents import load_agent
from kibitz.agents.rules import RuleAgent, parse_rules
from kibitz.games import Game, load_game
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, read_manifest, seed_for, setting
from kibitz.policy.rules import Style

KNOBS = ("tightness", "aggression", "bluffing", "size")
SIZES = 0.25, 2.0  # of bets, in pots: the range that is searched
FRESH = 1 << 32  # the match in which the best style is measured again: what was picked for luck shows


@dataclass(frozen=True)
class StylePlan(Plan):
    """Search for the rule-based style that wins most from OPPONENT, and measure it on fresh deals.

    Styles are drawn at random. The folder of the result is an agent.
    """

    kind: ClassVar[str] = "train style"

    opponent: str = setting(help="Agent to beat", argument=True, input="agent")
    game: str = setting("holdem-nolimit-2p", "Game for two players", input="game")
    styles: int = setting(20, "Number of styles to try", at_least=1, at_most=10**6, free=True)
    hands: int = setting(1000, "Number of duplicate deals for each style", at_least=2, at_most=10**9)
    seed: int = seed_for("the styles and the cards")

    def begin(self, means: Means = HERE) -> StyleSearch:
        load_agent(self.opponent)  # refused before anything takes long
        return StyleSearch(self, load_game(self.game))


class StyleSearch:
    """Every step tries one style: all meet the opponent on the same deals."""

    def __init__(self, plan: StylePlan, game: Game) -> None:
        self.plan, self.game = plan, game
        self.tried, self.won = np.zeros((0, len(KNOBS))), np.zeros(0)

    @property
    def done(self) -> int:
        """Styles."""
        return len(self.won)

    def step(self) -> Report | None:
        """The next style."""
        if self.done >= self.plan.styles:
            return None
        draws = np.random.default_rng([self.plan.seed, self.done]).random(len(KNOBS))
        knobs = np.array([*draws[:3], SIZES[0] * (SIZES[1] / SIZES[0]) ** draws[3]])
        won = self._rate(Style(*knobs.tolist()), 0, self.plan.hands).mean
        self.tried, self.won = np.vstack([self.tried, knobs]), np.append(self.won, won)
        best = float(self.won.max())
        row = {"style": self.done, **dict(zip(KNOBS, knobs.tolist(), strict=True)), "won": won, "best": best}
        return Report(self.done, self.plan.styles, f"best so far {best:+.0f}", row)

    def arrays(self) -> Mapping[str, Any]:
        return {"tried": self.tried, "won": self.won}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.tried, self.won = arrays["tried"], arrays["won"]

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The best style, measured on ten times as many deals that it was not chosen on."""
        style = Style(*self.tried[int(self.won.argmax())].tolist())
        found = self._rate(style, FRESH, 10 * self.plan.hands)
        made = {"won": found.mean, "half width": found.half_width, "unit": found.unit, "in the search": self.won.max()}
        return Artefact("style", dict(zip(KNOBS, astuple(style), strict=True)), made, self.arrays(), content=style)

    def _rate(self, style: Style, number: int, hands: int) -> Any:
        """What a style wins from the opponent in match `number`."""
        from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
        from kibitz.arena.standings import rate_of

        agents = (_Maker(style), self.plan.opponent)
        moments, _theirs = play_duplicate(DuplicateMatch(self.game, agents, hands, self.plan.seed, number))
        return rate_of(self.game, [moments])


@dataclass(frozen=True)
class _Maker:
    """Makes new agents of a style."""

    style: Style

    def __call__(self) -> RuleAgent:
        return RuleAgent(self.style)


def load_style_agent(text: str) -> RuleAgent:
    """The agent that plays the style in a folder."""
    folder, comma, rest = text.partition(",")
    about = read_manifest(Path(folder), "style")["about"]
    said = ",".join(f"{knob}={about[knob]!r}" for knob in KNOBS)
    agent = parse_rules(f"{said}{comma}{rest}")
    agent.name = Path(os.path.abspath(folder)).name
    return agent
