"""Synthetic opponents in Leduc, in the place of competitors that are gone: players with biases of their own.

A style multiplies the weights of folding, calling and raising; at every information set they are drawn from a gamma
distribution. The styles, and which of them are for tuning, were fixed before any agent played them. Implicit agents
meet them in matches, with the same cards for all and intervals; in section 2.7 they show bias and variance of the
estimators of experts, by going through every hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from kibitz.agents.implicit.learning import Learning
from kibitz.agents.implicit.tables import TableMatch
from kibitz.agents.strategic import StrategyAgent, strategy_agent
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.small_games import small_game
from kibitz.experiments.published import Cells, Effort, Experiment, Found
from kibitz.games import AcpcCards
from kibitz.modelling.estimators import TECHNIQUES, Accuracy, Experts, accuracy
from kibitz.policy.base import Floats
from kibitz.random import derive_seed
from kibitz.responses.robust import Method, respond
from kibitz.solvers.registry import Options, make_solver
from kibitz.statistics.estimates import student_95
from kibitz.strategy import Mixture, Strategy

GAME = "leduc"
SHAPE = 4.0  # of the distribution: larger ones leave more to the bias
BELIEF = 0.5  # p of the restricted Nash responses


class Style(NamedTuple):
    """How much more often than others it folds, calls and raises; `seed` draws the rest."""

    name: str
    fold: float
    call: float
    raises: float
    seed: int


# Those of the small portfolio come first.
TEST = (
    Style("folder", 4.0, 1.0, 1.0, 1),
    Style("caller", 0.3, 4.0, 0.5, 2),
    Style("raiser", 0.5, 1.0, 4.0, 3),
    Style("anything", 1.0, 1.0, 1.0, 4),
)
MORE = (
    Style("folder-2", 2.0, 1.0, 1.0, 5),
    Style("caller-2", 0.5, 2.0, 1.0, 6),
    Style("raiser-2", 1.0, 1.0, 2.0, 7),
    Style("anything-2", 1.0, 1.0, 1.0, 8),
    Style("passive", 2.0, 3.0, 0.5, 9),
    Style("wild", 0.2, 1.0, 2.0, 10),
    Style("timid", 3.0, 1.0, 0.5, 11),
    Style("anything-3", 1.0, 1.0, 1.0, 12),
)
TUNING = (
    Style("tuning-folder", 3.0, 1.0, 1.0, 101),
    Style("tuning-caller", 0.4, 3.0, 0.7, 102),
    Style("tuning-raiser", 0.7, 1.0, 3.0, 103),
    Style("tuning-anything", 1.0, 1.0, 1.0, 104),
)


@cache
def strategy_of(style: Style) -> Strategy:
    """What a style plays."""
    layout = small_game(GAME).vector.layout
    sums = np.random.default_rng([style.seed, 2016]).gamma(SHAPE, size=layout.size)
    bias = {"f": style.fold, "c": style.call, "r": style.raises}
    for node in layout.tree.decisions.tolist():
        block = sums[layout.offset[node] : layout.offset[node + 1]].reshape(int(layout.tree.children[node]), -1)
        block *= np.array([bias[action[0]] for action in layout.tree.offered(node)])[:, None]
    return Strategy.from_sums(layout, sums, {"algorithm": f"style {style.name}"})


@cache
def response_to(style: Style) -> Strategy:
    """A robust response to a style."""
    return respond(small_game(GAME), strategy_of(style), Method("rnr", BELIEF)).strategy


@cache
def pooled_response(styles: tuple[Style, ...]) -> Strategy:
    """The same response to all styles as if they were one player who is each of them equally often."""
    mixture = Mixture([strategy_of(style) for style in styles], [1 / len(styles)] * len(styles))
    return respond(small_game(GAME), mixture.strategy(small_game(GAME).deal), Method("rnr", BELIEF)).strategy


@cache
def equilibrium() -> Strategy:
    """An equilibrium of the game."""
    solver = make_solver("cfr+", small_game(GAME), Options())
    solver.step(1000)
    return solver.average_strategy()


@cache
def experts(styles: tuple[Style, ...]) -> Experts:
    """The responses to some styles, as the experts of a portfolio."""
    return Experts([strategy_agent(response_to(style), style.name).policy for style in styles])


@cache
def agent_of(style: Style) -> StrategyAgent:
    """A style that plays."""
    return strategy_agent(strategy_of(style), style.name)


OPPONENTS = {"smoke": 1, "short": 4, "full": 8}
NAMES = {
    "importance": "importance sampling",
    "folds": "early folds",
    "cards": "all cards",
    "imaginary": "folds and cards",
}


def section_2_7(effort: Effort) -> Experiment:
    """Each technique in both seats, with the opponent's cards seen always or at showdowns only."""
    others = MORE[: OPPONENTS[effort.preset]]

    def find() -> Cells:
        responses = experts(TEST)
        plain = None
        for name, row in NAMES.items():
            full = [each for style in others for each in _both_seats(responses, style, name, "full")]
            partial = [each for style in others for each in _both_seats(responses, style, name, "partial")]
            spread = np.array([each.deviation for each in partial])
            plain = spread if plain is None else plain
            yield row, "bias, full", Found(1000 * max(float(abs(each.bias).max()) for each in full))
            yield row, "bias, partial", Found(1000 * max(float(abs(each.bias).max()) for each in partial))
            yield row, "variance ratio", Found(float(np.mean(plain**2 / spread**2)))

    notes = (
        f"Four experts with equal weights in both seats, opponents: {', '.join(style.name for style in others)}. Every "
        "deal and every betting sequence counts by its chance. The largest bias of any expert, when the opponent's "
        "cards are seen always (full) or at showdowns only (partial), and how many times smaller than that of plain "
        "importance sampling the variance of a hand is, on average over experts, seats and opponents.",
    )
    return Experiment(TABLES["section-2.7"], find, notes)


def _both_seats(experts: Experts, style: Style, technique: str, information: str) -> list[Accuracy]:
    weights, opponent = np.full(len(experts), 1 / len(experts)), agent_of(style).policy
    chosen = TECHNIQUES[technique]
    return [accuracy(experts, weights, opponent, seat, chosen, information) for seat in range(2)]


@dataclass(frozen=True)
class Series:
    """Matches of one agent: float64[opponents, matches], milli-antes/hand."""

    won: Floats

    @property
    def mean(self) -> float:
        """Over opponents and matches."""
        return float(self.won.mean())

    def found(self) -> Found:
        """The mean with its 95 % interval; opponents are strata, all with as many matches."""
        half = half_width(self.won)
        return Found(self.mean, self.mean - half, self.mean + half)

    def minus(self, other: Series | float) -> Series:
        """By how much this wins more, on the same cards."""
        return Series(self.won - (other if isinstance(other, float) else other.won))

    def above(self, other: Series | float) -> Found:
        """1 where this wins more than the other beyond doubt, by the interval of the difference on the same cards."""
        difference = self.minus(other)
        mean, half = difference.mean, half_width(difference.won)
        return Found(float(mean > half), reason=f"The difference is {mean:+.0f} ± {half:.0f} milli-antes/hand.")


def half_width(won: Floats) -> float:
    """Half the 95 % interval of the mean of stratified samples, float64[strata, n], by Student's t."""
    strata, count = won.shape
    variance = won.var(axis=1, ddof=1).sum() / count / strata**2
    return float(student_95(strata * (count - 1)) * np.sqrt(variance))


class Player(NamedTuple):
    """An agent: responses to some styles, and how it learns which to trust."""

    experts: tuple[Style, ...]
    learning: Learning


class Contest(NamedTuple):
    """Who is played how often, with which cards."""

    opponents: tuple[Style, ...]
    matches: int
    hands: int
    seed: int
    first: int = 0

    def series(self, player: Player) -> Series:
        """An agent against all opponents."""
        won = np.empty((len(self.opponents), self.matches))
        for row, style in enumerate(self.opponents):
            for number in range(self.matches):
                won[row, number] = 1000 * self._chips(player, (style,), (), number).mean()
        return Series(won)

    def changing(self, player: Player) -> tuple[Series, Series]:
        """The same against every opponent that becomes the next one: before and after the change."""
        halves = np.empty((2, len(self.opponents), self.matches))
        middle = self.hands // 2
        for row, style in enumerate(self.opponents):
            other = self.opponents[(row + 1) % len(self.opponents)]
            for number in range(self.matches):
                chips = self._chips(player, (style, other), (middle,), number)
                halves[:, row, number] = 1000 * chips[:middle].mean(), 1000 * chips[middle:].mean()
        return Series(halves[0]), Series(halves[1])

    def _chips(self, player: Player, who: tuple[Style, ...], when: tuple[int, ...], number: int) -> Floats:
        """A match: the cards depend on its number and the first opponent alone."""
        match = TableMatch(experts(player.experts), player.learning, tuple(map(agent_of, who)), when)
        path = self.seed, self.first + number, who[0].seed
        seeds = [derive_seed(*path, seat) for seat in range(1 + len(who))]
        return match.play(self.hands, AcpcCards(derive_seed(*path)), seeds, number % 2).chips
