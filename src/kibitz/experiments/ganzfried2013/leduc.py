"""Table 6: no-limit Leduc hold'em, six cards, ante 1, stacks of 12 chips.

The paper leaves three things open, and each of them moves the figures: in which pot a bet is measured once the real and
the abstract hand have drifted apart, which abstract equilibrium the solver returned, and the minimum bet. What is kept
here was found by trying hundreds of combinations against the printed table (`variants` ranks 588 of them):

- A raise is measured in chips beyond the call, as a fraction of the player's *own* (abstract) pot. Player 1's column
  then comes out 0.005 to 0.007 below the printed figure for all seven mappings.
- Bets and raises are at least 1 chip and at least as large as the last raise; all-in stays all-in; own raises keep
  their fraction of the pot; a bet on a threshold is translated to the larger size.
- Player 1 plays the abstract equilibrium with the fewest pot-sized raises, player 2 the most cautious one. By the
  largest difference of an average (0.0185) this is the third of the 588; the first (0.0135) differs only in giving
  player 1 the equilibrium with the fewest folds, which is farther off in player 1's own column (0.021, not 0.007).
- Other equilibria give other figures; the range is the least and the greatest over those of `SELECTIONS`. Equilibria
  form a convex set on which exploitability is continuous, so some equilibrium gives any figure between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from kibitz.experiments.ganzfried2013.half_street import Floats
from kibitz.experiments.ganzfried2013.mappings import NAMES
from kibitz.experiments.ganzfried2013.printed import TABLES
from kibitz.experiments.published import IN_RANGE, Cells, Found, Variant
from kibitz.games import Game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.sequences import sequence_form
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import plan_program
from kibitz.strategy import Strategy
from kibitz.translation import Reading, lift_translated
from kibitz.translation.bets import Readings
from kibitz.translation.places import Place

ITERATIONS = 600  # of discounted CFR; the value of the full game is then known to about 0.0002 chips
OPTIMAL = 1e-9  # chips a plan may guarantee less than the value and still count as an equilibrium


@dataclass(frozen=True)
class OwnPotReading(Reading):
    """Raises are measured in the abstract pot: chips beyond the call over the pot after the abstract call."""

    def raises(self, place: Place, bet: int, pot: int, amount: int, all_in: bool) -> Readings:
        return super().raises(place, bet, place.raises.pot, amount, all_in)


@dataclass(frozen=True)
class _Entries:
    """What the entries of a plan are: float64[layout.size] each.

    number   of the action at its information set: fold or check 0, and so on upwards
    letter   f, c, p (pot) or a (all-in)
    facing   1 where a bet is to be answered
    chance   of the cards
    """

    number: Floats
    letter: np.ndarray
    facing: Floats
    chance: Floats


# What an equilibrium is selected for: the sum of these over its plan is least.
SELECTIONS: dict[str, Callable[[_Entries], Floats]] = {
    "few pot raises": lambda of: (of.letter == "p") * 1.0,
    "cautious": lambda of: of.number * of.chance,
    "few raises": lambda of: ((of.letter == "p") | (of.letter == "a")) * 1.0,
    "few folds": lambda of: (of.letter == "f") * 1.0,
    "few calls of bets": lambda of: (of.letter == "c") * of.facing * of.chance,
    "many calls": lambda of: (of.letter == "c") * -1.0,
    "many folds": lambda of: (of.letter == "f") * -1.0,
}
KEPT = ("few pot raises", "cautious")  # of player 1 and 2
KEPT_READING = "own pot"
READINGS: dict[str, Callable[[str], Reading]] = {
    "own pot": lambda name: OwnPotReading(name, all_in="exact"),
    "real pot": lambda name: Reading(name, all_in="exact"),
    "chips in all": lambda name: Reading(name, measure="chips", all_in="exact"),
    "all-in as a size": lambda name: OwnPotReading(name, all_in="size"),
}
GAMES: dict[str, Game] = {
    "12 chips": leduc_nolimit(12),
    "12 chips after the ante": leduc_nolimit(13),
    "minimum bet 2": replace(leduc_nolimit(12), min_bet=2),
}


class Leduc:
    """The game, its abstraction, and what strategies of the abstraction lose in it."""

    def __init__(self, game: Game = GAMES["12 chips"]) -> None:
        self.abstract, self.full = Problem(game, "fcpa"), Problem(game, "full")

    @cached_property
    def value(self) -> float:
        """What the full game is worth to player 1, chips a hand."""
        solver = CFR(self.full.vector, "dcfr")
        solver.step(ITERATIONS)
        return expected_values(self.full.vector, solver.average_strategy())[0]

    @cached_property
    def strategies(self) -> dict[str, Strategy]:
        """Equilibria of the abstraction: for every name of `SELECTIONS` both players' selected ones."""
        compiled = self.abstract.vector
        entries, matrices = self.entries(), sequence_form(compiled)
        programs = [plan_program(matrices, player) for player in range(2)]
        optima = [program.solve().cost for program in programs]
        strategies = {}
        for name, weigh in SELECTIONS.items():
            plan, weights = np.zeros(compiled.layout.size), weigh(entries)
            for player, program in enumerate(programs):
                least, cost = program.least.copy(), np.zeros(len(program.cost))
                least[program.cost < 0] = -optima[player] - OPTIMAL
                own = matrices.entries[player]
                cost[1 : len(own) + 1] = weights[own]
                plan[own] = np.maximum(
                    replace(program, cost=cost, least=least).solve().variables[1 : len(own) + 1], 0.0
                )
            strategies[name] = Strategy.from_sums(compiled.layout, plan, {"algorithm": f"linear program, {name}"})
        return strategies

    def entries(self) -> _Entries:
        layout, tree, deal = self.abstract.vector.layout, self.abstract.tree, self.abstract.deal
        most = str(max(tree.game.limits))
        number, facing, chance = np.zeros((3, layout.size))
        letter = np.empty(layout.size, dtype="<U1")
        for node in map(int, tree.decisions):
            first, states = int(tree.first_child[node]), int(layout.states[node])
            cards = deal.rounds[int(tree.round[node])]
            chances = cards.dense(cards.weight).sum(axis=1 - int(tree.player[node]))
            for action in range(int(tree.children[node])):
                entries = slice(layout.offset[node] + action * states, layout.offset[node] + (action + 1) * states)
                text = tree.actions[first + action]
                number[entries], chance[entries], facing[entries] = action, chances, tree.actions[first] == "f"
                letter[entries] = text if text in "fc" else "a" if text[1:] == most else "p"
        return _Entries(number, letter, facing, chance)

    def exploited(self, strategy: Strategy, reading: Reading) -> tuple[float, float]:
        """How much players 1 and 2 lose against the value of the game, chips a hand."""
        lifted = lift_translated(strategy, self.abstract.deal, self.full.vector.layout, reading)
        first, second = exploitability(self.full.vector, lifted).responses
        return second + self.value, first - self.value


def cells() -> Cells:
    """All cells by the kept reading, each with its range over the equilibria of `SELECTIONS`."""
    leduc = Leduc()
    reason = "depends on the abstract equilibrium, which the paper does not name; the range is over those we selected"
    for row, name in NAMES.items():
        reading = READINGS[KEPT_READING](name)
        figures = np.array([leduc.exploited(strategy, reading) for strategy in leduc.strategies.values()])
        of = dict(zip(leduc.strategies, figures, strict=True))
        ours = [of[KEPT[0]][0], of[KEPT[1]][1]]
        low, high = figures.min(axis=0).tolist(), figures.max(axis=0).tolist()
        for column, ends in zip(TABLES["table-6"].columns, ((0,), (1,), (0, 1)), strict=True):
            mean, least, greatest = (float(np.mean([side[player] for player in ends])) for side in (ours, low, high))
            yield row, column, Found(mean, least, greatest, IN_RANGE, reason)


def variants() -> Iterator[Variant]:
    """Other readings of the rules, of bets, and of which equilibrium each player was given."""
    columns = np.array(list(TABLES["table-6"].rows.values()))
    for rules, game in GAMES.items():
        leduc = Leduc(game)
        for measure, make in READINGS.items():
            of = {
                name: np.array([leduc.exploited(strategy, make(mapping)) for mapping in NAMES.values()])
                for name, strategy in leduc.strategies.items()
            }
            for first, second in product(of, of):
                mine = np.column_stack([of[first][:, 0], of[second][:, 1]])
                rows = np.column_stack([mine, mine.mean(axis=1)])
                distance = float(np.abs(rows[:, 2] - columns[:, 2]).max())
                label = f"{rules}; {measure}; P1 {first}, P2 {second}"
                yield Variant(label, dict(zip(NAMES, map(tuple, rows.tolist()), strict=True)), distance)
