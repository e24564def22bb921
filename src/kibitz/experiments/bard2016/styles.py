"""Synthetic opponents in Leduc, in the place of competitors that are gone: players with biases of their own.

A style multiplies the weights of folding, calling and raising; at every information set they are drawn from a gamma
distribution. The styles, and which of them are for tuning, were fixed before any agent played them.

In section 2.7 they show bias and variance of the estimators of experts, by going through every hand.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from kibitz.agents.strategic import StrategyAgent, strategy_agent
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.small_games import small_game
from kibitz.experiments.published import Cells, Effort, Experiment, Found
from kibitz.modelling.estimators import TECHNIQUES, Accuracy, Experts, accuracy
from kibitz.responses.robust import Method, respond
from kibitz.solvers.registry import Options, make_solver
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
