"""Table 4.2 in small games: equilibria whose players see the cards differently, measured exactly.

A strategy U-R has for each seat an equilibrium strategy of the game in which that seat has U's cards and its opponent
R's. In U-FULL the opponent has all cards: that is the game that CFR-BR solves, and its equilibrium is the least
exploitable strategy of U's cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

from kibitz.experiments.bard2016.settings import TITLES
from kibitz.experiments.claims import Claim, Claims, Interval, of_solutions, weakest
from kibitz.experiments.ledger import Ledger, open_ledger
from kibitz.experiments.published import Cells, Effort, Found
from kibitz.files import load_array, save_array, taking_place
from kibitz.games import load_game
from kibitz.games.stakes import Stake
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.coarse import CoarseRoles
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

FULL = 0  # buckets of one who tells all cards apart


@dataclass(frozen=True)
class Asymmetries:
    """What is solved.

    cards       buckets in the place of 5, 8 and 12
    solutions   algorithms, one after another; opponents with all cards are met with the first only
    iterations  against buckets, and against all cards
    """

    game: str
    cards: tuple[int, int, int]
    solutions: tuple[str, ...]
    iterations: tuple[int, int]

    def describe(self) -> dict[str, Any]:
        """What decides the numbers."""
        return {"command": "kibitz reproduce bard2016 --preset full", **vars(self)}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """U and R of the nine strategies whose opponents have buckets, fine ones first as in the table."""
        return list(product(self.cards[::-1], self.cards))

    @property
    def rows(self) -> list[tuple[int, int]]:
        """The same and the three whose opponents have all cards."""
        return self.pairs + [(ours, FULL) for ours in self.cards[::-1]]


_LEDUC = Asymmetries("leduc", (1, 2, 3), ("lp", "dcfr", "pcfr+"), (4_000, 4_000))
_RHODE_ISLAND = Asymmetries("rhode-island", (3, 5, 8), ("dcfr", "pcfr+"), (600, 200))
SETTINGS: dict[str, dict[str, Asymmetries]] = {
    "smoke": {"leduc": Asymmetries("leduc", (1, 2, 3), ("lp",), (100, 100))},
    "short": {"leduc": _LEDUC, "rhode-island": _RHODE_ISLAND},
    "full": {"leduc": _LEDUC, "rhode-island": _RHODE_ISLAND},
}


def label_of(pair: tuple[int, int]) -> str:
    """As in the table: 5-8, or 5-FULL."""
    return f"{pair[0]}-{pair[1] or 'FULL'}"


@dataclass(eq=False)
class CrossTable:
    """The strategies of one game and what they are worth, solved when they are asked for."""

    setting: Asymmetries
    effort: Effort
    ledger: Ledger

    def exploitability(self, pair: tuple[int, int]) -> Interval:
        """In the real game, of all solutions."""
        return of_solutions([self._losses(pair, each)[0] for each in range(self._solutions(pair))])

    def value(self, pair: tuple[int, int], other: tuple[int, int]) -> Interval:
        """What one strategy wins from another, the mean of both seats."""
        return of_solutions([self._value(pair, other, each) for each in range(len(self.setting.solutions))])

    def mean(self, pair: tuple[int, int]) -> Interval:
        """Against all nine strategies whose opponents have buckets, itself among them."""
        count, others = len(self.setting.solutions), self.setting.pairs
        return of_solutions(
            [sum(self._value(pair, other, each) for other in others) / len(others) for each in range(count)]
        )

    def saved(self, pair: tuple[int, int], safer: tuple[int, int]) -> Claim:
        """That one strategy is less exploitable than another by more than it wins less on the mean."""
        count, others = len(self.setting.solutions), self.setting.pairs

        def fall(solution: int) -> tuple[float, float]:
            risks = [self._losses(each, solution)[0] for each in (pair, safer)]
            means = [sum(self._value(each, other, solution) for other in others) for each in (pair, safer)]
            return risks[0] - risks[1], (means[0] - means[1]) / len(others)

        risk, mean = zip(*map(fall, range(count)), strict=True)
        return Claim(of_solutions(risk), of_solutions(mean))

    def is_known(self) -> bool:
        """Whether everything can be shown."""
        return self.ledger.is_open or self.ledger.has(f"{label_of(each)}, solution 0" for each in self.setting.rows)

    def run(self) -> None:
        """Solve and measure everything."""
        for done, pair in enumerate(self.setting.rows if self.ledger.is_open else ()):
            self.effort.tell(f"{TITLES[self.setting.game]}: {label_of(pair)}", done, len(self.setting.rows))
            self.exploitability(pair)
            self.mean(pair)

    def _solutions(self, pair: tuple[int, int]) -> int:
        return 1 if pair[1] == FULL else len(self.setting.solutions)

    @cached_property
    def _problem(self) -> Problem:
        return Problem(load_game(self.setting.game))

    @cached_property
    def _milli(self) -> float:
        return Stake.of(self._problem.game).milli_per_chip

    def _losses(self, pair: tuple[int, int], solution: int) -> tuple[float, ...]:
        """Lost to best responses with all cards, and with R's."""

        def compute() -> tuple[float, float]:
            roles, strategy = self._roles(pair), self.strategy(pair, solution)
            found = (roles.real_losses(strategy), roles.free_losses(strategy))
            return self._milli * sum(found[0]) / 2, self._milli * sum(found[1]) / 2

        return self.ledger.get(f"{label_of(pair)}, solution {solution}", compute)

    def _value(self, pair: tuple[int, int], other: tuple[int, int], solution: int) -> float:
        if pair == other:
            return 0.0
        key = f"{label_of(pair)} against {label_of(other)}, solution {solution}"

        def compute() -> tuple[float]:
            mine, theirs = (self.strategy(each, min(solution, self._solutions(each) - 1)) for each in (pair, other))
            return (self._milli * sum(self._roles((pair[0], other[0])).duel(mine, theirs)) / 2,)

        reverse = f"{label_of(other)} against {label_of(pair)}, solution {solution}"
        return -self.ledger.found[reverse][0] if reverse in self.ledger.found else self.ledger.get(key, compute)[0]

    @cache  # noqa: B019 - one table of each game lives as long as the program
    def _roles(self, pair: tuple[int, int]) -> CoarseRoles:
        ours, free = ("" if each == FULL else f"{each}-bucket" for each in pair)
        kept = tuple(f"{each}-bucket" for each in {pair[0], pair[1] or pair[0]})
        return CoarseRoles(self._problem, (ours, free, ours), kept, is_real=False)

    @cache  # noqa: B019
    def strategy(self, pair: tuple[int, int], solution: int) -> Strategy:
        """Solved, or from the effort's folder."""
        roles, setting, folder = self._roles(pair), self.setting, None
        if self.effort.folder is not None:
            folder = self.effort.folder / self.effort.preset / f"{setting.game} {label_of(pair)} {solution}"
            kept = folder / "strategy.npy"
            if kept.exists():
                return Strategy(roles.played, load_array(kept), {})
        solving = Solving(setting.solutions[solution], setting.iterations[pair[1] == FULL], threads=self.effort.threads)
        opponent = Opponent(Strategy.uniform(roles.home))
        found = respond(roles, opponent, Method("rnr", 0.0), solving).strategy
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            with taking_place(folder / "strategy.npy") as beside:
                save_array(beside, found.values)
        return found


@cache
def cross_table(game: str, effort: Effort) -> CrossTable:
    """The table of a game; what was measured before is known already."""
    setting = SETTINGS[effort.preset][game]
    ledger = open_ledger(
        "bard2016", f"table-4.2-{game}", setting.describe(), effort, is_open=game == "leduc" or effort.preset == "full"
    )
    return CrossTable(setting, effort, ledger)


def full_exploitability(game: str, cards: int, effort: Effort) -> Interval | None:
    """The least exploitability of strategies with these cards, where it is known."""
    table = cross_table(game, effort)
    if cards not in table.setting.cards or not table.is_known():
        return None
    return table.exploitability((cards, FULL))


def claims(table: CrossTable) -> Claims:
    """What the thesis says, by row; nothing where not everything can be shown."""
    if not table.is_known():
        return {}
    table.run()
    small, middle, large = cards = table.setting.cards
    risk, mean = table.exploitability, table.mean
    steps = [(small, middle), (middle, large)]
    finer = [*steps, (large, FULL)]  # what the opponent may have, ever finer
    pairs = table.setting.pairs
    return {
        "symmetric: larger wins more": lambda: weakest(Claim(mean((b, b)), mean((a, a))) for a, b in steps),
        "symmetric: larger is less exploitable": lambda: weakest(Claim(risk((a, a)), risk((b, b))) for a, b in steps),
        "small-large is safer than large-large": lambda: Claim(risk((large, large)), risk((small, large))),
        "middle-large is safer than large-large": lambda: Claim(risk((large, large)), risk((middle, large))),
        "small-middle is safer than large-large": lambda: Claim(risk((large, large)), risk((small, middle))),
        "middle-large is safer than middle-middle": lambda: Claim(risk((middle, middle)), risk((middle, large))),
        "middle-large saves more than it costs": lambda: table.saved((middle, middle), (middle, large)),
        "larger R is less exploitable": lambda: weakest(
            Claim(risk((u, a)), risk((u, b))) for u in cards for a, b in finer
        ),
        "larger R wins less": lambda: weakest(Claim(mean((u, a)), mean((u, b))) for u in cards for a, b in finer),
        "larger U is more exploitable": lambda: weakest(
            Claim(risk((b, r)), risk((a, r))) for r in cards for a, b in steps
        ),
        "larger U wins more": lambda: weakest(Claim(mean((b, r)), mean((a, r))) for r in cards for a, b in steps),
        "larger U wins more from each": lambda: weakest(
            Claim(table.value((b, r), other), table.value((a, r), other))
            for r in cards
            for a, b in steps
            for other in pairs
        ),
        "large-FULL loses to small-small": lambda: Claim(
            table.value((small, small), (large, FULL)), Interval.exactly(0.0)
        ),
        "large-small is the most exploitable": lambda: weakest(
            Claim(risk((large, small)), risk(each)) for each in table.setting.rows if each != (large, small)
        ),
    }


def columns_of(setting: Asymmetries) -> tuple[str, ...]:
    """Of the table of a game."""
    return ("exploitability", "mean", *map(label_of, setting.pairs))


def cells(table: CrossTable) -> Cells:
    """Exploitability, the mean and all values against each other."""
    if table.is_known():
        table.run()
        for pair in table.setting.rows:
            found = [table.exploitability(pair), table.mean(pair)]
            found += [table.value(pair, other) for other in table.setting.pairs]
            for column, each in zip(columns_of(table.setting), found, strict=True):
                yield label_of(pair), column, Found(*each)


def notes_on(tables: Sequence[CrossTable]) -> tuple[str, ...]:
    """How the numbers are found."""
    return (
        "All values are exact, in the real game with all cards; bounds are the range over equilibria that several "
        "algorithms find (U-FULL: one).",
        *(
            f"In {TITLES[each.setting.game]} percentile cards with {', '.join(map(str, each.setting.cards))} buckets a "
            "round stand for 5, 8 and 12."
            for each in tables
        ),
        "U-FULL: an equilibrium of the game whose opponent has all cards, which is what CFR-BR converges to.",
    )
