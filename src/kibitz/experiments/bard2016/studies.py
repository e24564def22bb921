"""Responses to a tilted opponent in a small game, solved and measured one by one, for figures 4.2 to 4.5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from math import isnan, nan
from typing import NamedTuple

from kibitz.deals import MatrixDeal
from kibitz.deals.classes import merged_deal
from kibitz.experiments.bard2016.settings import TITLES, Setting, is_computed
from kibitz.experiments.ledger import Ledger, measured, open_ledger
from kibitz.experiments.published import Effort
from kibitz.games import load_game
from kibitz.games.stakes import Stake
from kibitz.responses.robust import Method, Response, respond
from kibitz.responses.robust.coarse import CoarseRoles
from kibitz.responses.robust.fronts import Point, by_logarithm, tune
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.solvers.tilted import Tilt, decided_weights, solve_tilted
from kibitz.strategy import FrequentistModel, Strategy

TILT = Tilt.of(win=1.25)
TUNED = nan  # the amount of a response whose P_max is searched for


class Task(NamedTuple):
    """One response.

    cards   ours, the free opponent's and the model's: U, R and M
    amount  p or P_max, or `TUNED`
    hands   observed; 0 of a restricted Nash response, which knows the opponent
    sample  number of the observation, or of the algorithm
    """

    method: str
    cards: tuple[int, int, int]
    amount: float
    hands: int = 0
    sample: int = 0

    @property
    def label(self) -> str:
        """What the thesis calls its curve."""
        ours, free, model = self.cards
        return f"{self.method.upper()}-U{ours}-R{free}" + (f"-M{model}" if self.method == "dbr" else "")

    @property
    def name(self) -> str:
        """By which it is kept."""
        if not self.amount:  # nothing is believed: an equilibrium, whatever was seen
            return f"EQUILIBRIUM-U{self.cards[0]}-R{self.cards[1]}" + (
                f", solution {self.sample}" if self.method == "rnr" else ""
            )
        amount = "tuned" if isnan(self.amount) else f"{self.amount:g}"
        seen = f"{self.hands} hands, observation {self.sample}" if self.hands else f"solution {self.sample}"
        return f"{self.label}, {amount}, {seen}"


class Measure(NamedTuple):
    """What became of a task, milli-antes/hand.

    amount    p or P_max
    gain      won from the opponent
    risk      lost to best responses in the real game; nan where that is not asked for
    abstract  lost to best responses with R's cards
    gap       how far the restricted game is from solved; nan where that is not known
    """

    amount: float
    gain: float
    risk: float
    abstract: float
    gap: float


@dataclass(eq=False)
class Study:
    """The responses of one setting, measured when they are asked for."""

    setting: Setting
    effort: Effort
    ledger: Ledger

    @measured("{.name}", lambda cell: Measure(*cell))
    def measure(self, task: Task) -> Iterable[float]:
        """The measures of a task, from the ledger or computed."""
        milli = Stake.of(self.problem.game).milli_per_chip
        if not isnan(task.amount):
            found = self._respond(task, task.amount)
            risk = sum(self.roles(task.cards).real_losses(found.strategy)) / 2
        else:
            found, risk = self._tuned(task), nan
        numbers = (found.exploitation, risk, found.exploitability, found.gap)
        return found.method.amount, *(milli * each for each in numbers)

    def run(self, tasks: list[Task]) -> None:
        """All tasks, those of the first sample first, so that an interrupted run has whole samples."""
        if not self.ledger.is_open:
            return
        for done, task in enumerate(sorted(tasks, key=lambda each: each.sample)):
            self.effort.tell(f"{TITLES[self.setting.game]}: {task.label}", done, len(tasks))
            self.measure(task)

    def samples(self, task: Task) -> Iterator[Measure]:
        """The measures of all samples that are known of a task, or to be computed."""
        count = len(self.setting.solutions) if task.method == "rnr" else self.setting.samples
        for sample in range(count):
            each = task._replace(sample=sample)
            if self.ledger.is_open or each.name in self.ledger.found:
                yield self.measure(each)

    @cached_property
    def problem(self) -> Problem:
        return Problem(load_game(self.setting.game))

    @cached_property
    def opponent(self) -> Strategy:
        """One who believes to win a quarter more than it does, with the middle cards."""
        middle, deal = bucket_name(self.setting.middle), self.problem.deal
        roles = self.roles((self.setting.middle,) * 3)
        game, classes = roles.symmetric(middle)
        decided = decided_weights(self.problem.vector)
        rounds = tuple(replace(each, sign=weight) for each, weight in zip(deal.rounds, decided, strict=True))
        merged = merged_deal(MatrixDeal(deal.game, deal.suits_merged, rounds, deal.fingerprint), classes, middle)
        weights = tuple(each.sign for each in merged.rounds)
        return roles.at_home(solve_tilted(game, TILT, self.setting.tilted, decided=weights), middle)

    @cache  # noqa: B019 - there are two studies, which live as long as the program
    def roles(self, cards: tuple[int, int, int]) -> CoarseRoles:
        """Who has which cards."""
        ours, free, model = map(bucket_name, cards)
        kept = tuple(map(bucket_name, self.setting.cards))
        return CoarseRoles(self.problem, (ours, free, model), kept, is_real=False)

    @lru_cache(maxsize=1)  # noqa: B019
    def observed(self, hands: int, sample: int) -> FrequentistModel:
        """The same hands whatever the model's cards."""
        home = self.roles((self.setting.middle,) * 3).home_deal
        return observe(home, self.opponent, hands, self.effort.seed + sample)

    def _respond(self, task: Task, amount: float) -> Response:
        setting = self.setting
        opponent = Opponent(self.opponent, self.observed(task.hands, task.sample) if task.hands else None)
        # Without belief there is nothing of the model in the game.
        method = Method(task.method if amount else "rnr", amount)
        algorithm = setting.algorithm if task.method == "dbr" else setting.solutions[task.sample]
        solving = Solving(algorithm, setting.iterations[task.method == "rnr"], threads=self.effort.threads)
        return respond(self.roles(task.cards), opponent, method, solving)

    def _tuned(self, task: Task) -> Response:
        """The response whose P_max makes it as exploitable as wanted by R's cards, or with P_max = 1 the most it is."""
        target = self.setting.target / Stake.of(self.problem.game).milli_per_chip

        @cache
        def solved(amount: float) -> Response:
            return self._respond(task, amount)

        def point(method: Method) -> Point:
            found = solved(method.amount) if method.amount else equilibrium()
            return Point(method.amount, found.objective, found.exploitation, found.exploitability, found.gap)

        def equilibrium() -> Response:
            return self._equilibrium(task.method, *task.cards[:2])

        if solved(1.0).exploitability <= target:  # so little was seen that all of it may be believed
            return solved(1.0)
        best = list(tune(Method(task.method), point, target, by_logarithm))[-1]
        return solved(best.amount) if best.amount else equilibrium()

    @cache  # noqa: B019
    def _equilibrium(self, method: str, ours: int, free: int) -> Response:
        """Without belief: the same for all observations and models."""
        return self._respond(Task(method, (ours, free, self.setting.middle), 0.0), 0.0)


def bucket_name(count: int) -> str:
    """Cards by number of buckets."""
    return f"{count}-bucket"


@cache
def study_of(setting: Setting, effort: Effort) -> Study:
    """The study of a setting; what was measured before is known already."""
    described = setting.describe(effort.seed)
    ledger = open_ledger("bard2016", setting.game, described, effort, is_open=is_computed(setting, effort))
    return Study(setting, effort, ledger)


def curves_4_3(setting: Setting) -> dict[str, Task]:
    """Restricted Nash responses by our cards and the free opponent's."""
    sizes = (setting.middle, setting.fine)
    tasks = [Task("rnr", (ours, free, setting.middle), 0.0) for ours, free in product(sizes, repeat=2)]
    return {each.label.removeprefix("RNR-"): each for each in tasks}


def curves_4_4(setting: Setting) -> dict[str, Task]:
    """Data-biased responses by the free opponent's cards, after few hands and after many."""
    return {
        f"R{free}, {hands:,} hands": Task("dbr", (setting.fine, free, setting.middle), 0.0, hands)
        for hands in (setting.few, setting.many)
        for free in (setting.middle, setting.fine)
    }


def curves_4_5(setting: Setting) -> dict[str, Task]:
    """Data-biased responses by the model's cards, and the restricted Nash response."""
    fine, hands = setting.fine, setting.of_curves[1]
    found = {f"M{model}": Task("dbr", (fine, fine, model), 0.0, hands) for model in setting.cards}
    return found | {"RNR": Task("rnr", (fine, fine, setting.middle), 0.0)}


def tuned_4_2(setting: Setting) -> dict[str, list[Task]]:
    """Tuned data-biased responses by the model's cards, each after all numbers of hands."""
    fine = setting.fine
    return {
        f"M{model}": [Task("dbr", (fine, fine, model), TUNED, hands) for hands in setting.hands]
        for model in setting.cards
    }


def tasks_of(study: Study, curves: dict[str, Task]) -> list[Task]:
    """Every point of some curves, in all samples."""
    return [
        task._replace(amount=amount, sample=sample)
        for task in curves.values()
        for amount in study.setting.shares
        for sample in range(len(study.setting.solutions) if task.method == "rnr" else study.setting.samples)
    ]
