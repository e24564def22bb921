"""Solving a spot as a plan; interrupted early, it shows something too, so it measures from the first iteration on."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from kibitz.amounts import counted, format_bytes
from kibitz.errors import KibitzError
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting

if TYPE_CHECKING:
    from kibitz.spots.compiled import SpotGame
    from kibitz.spots.solver import SpotCFR
    from kibitz.spots.spot import Spot

SIZES = "0.5, 1, all-in"
BYTES = {"single": 4, "double": 8}  # of a number
FIRST = 10  # iterations until the second measurement
PATIENCE = 12  # measurements without a better one, after which more iterations no longer help
PIECE_SECONDS = 0.5  # of a step, about


@dataclass(frozen=True)
class SpotPlan(Plan):
    """Solve a flop, turn or river of heads-up no-limit hold'em and show the strategy at one decision.

    Only the bet sizes are abstracted; every hand and every card to come is considered. Stops when exploitability is
    below --accuracy per cent of the pot. Interrupt with Ctrl-C to see the current solution. With --out, `kibitz show`
    shows the other decisions.

    Bets in --node are totals since the start of the spot: r150 on the river means 150 chips over all rounds.
    """

    kind: ClassVar[str] = "solve-spot"
    anytime = True

    board: str = setting(help='Board of three to five cards, such as "Qs Jh 2h 8d 3c"')
    pot: int = setting(help="Pot", unit="chips", at_least=1)
    stack: str = setting(help="Remaining stack in chips; 400,300 if the players' differ (out of position first)")
    oop: str = setting(help='Range of the player out of position, such as "TT+, AKs:0.5" or 15%')
    ip: str = setting(help="Range of the player in position")
    sizes: str | None = setting(None, 'Bet sizes in pots; "|" separates rounds', unsaid=SIZES)
    oop_sizes: str | None = setting(None, "Bet sizes of the player out of position", unsaid="--sizes")
    ip_sizes: str | None = setting(None, "Bet sizes of the player in position", unsaid="--sizes")
    min_bet: int = setting(1, "Smallest bet (the big blind)", unit="chips", at_least=1)
    rake: str | None = setting(None, "Rake, as a percentage of the pot", unsaid="0%")
    rake_cap: float | None = setting(None, "Largest rake", unit="chips", at_least=0, unsaid="no cap")
    accuracy: float = setting(0.5, "Target exploitability", unit="per cent of the pot", at_least=0, free=True)
    iterations: int | None = setting(None, "Largest number of iterations", at_least=1, free=True, unsaid="no limit")
    algorithm: Literal["cfr", "cfr+", "linear", "dcfr"] = setting("dcfr", "CFR variant")
    precision: Literal["single", "double"] = setting("single", "Precision of the regret and strategy sums")
    threads: int | None = setting(
        None, "Number of threads; the result does not depend on it", at_least=1, free=True, unsaid="all cores"
    )

    @cached_property
    def spot(self) -> Spot:
        """What is solved."""
        from kibitz.cards import parse_cards
        from kibitz.equity import Range
        from kibitz.spots.spot import Rake, Spot

        if self.rake_cap is not None and self.rake is None:
            raise KibitzError(
                f"--rake-cap {self.rake_cap:g} without --rake: give the rake that it caps, as in --rake 5%"
            )
        if None not in (self.oop_sizes, self.ip_sizes, self.sizes):
            raise KibitzError(f"--sizes {self.sizes} with --oop-sizes and --ip-sizes: it would have no effect")
        sizes = SIZES if self.sizes is None else self.sizes
        oop, ip = (sizes if own is None else own for own in (self.oop_sizes, self.ip_sizes))
        rake = Rake(_share(self.rake or "0"), math.inf if self.rake_cap is None else self.rake_cap)
        ranges = Range.parse(self.oop), Range.parse(self.ip)
        return Spot(parse_cards(self.board), self.pot, _stacks(self.stack), ranges, (oop, ip), self.min_bet, rake)

    @cached_property
    def compiled(self) -> SpotGame:
        """The spot as a solver walks it."""
        from kibitz.spots.compiled import SpotGame

        return SpotGame(self.spot)

    @property
    def goal(self) -> float:
        """Exploitability at which to stop, in chips."""
        return self.accuracy * self.pot / 100

    def begin(self, means: Means = HERE) -> SpotRun:
        from kibitz.parallel.team import available_cores
        from kibitz.spots.solver import SpotCFR
        from kibitz.spots.spot import spot_bytes

        compiled, deal, width = self.compiled, self.compiled.deal, BYTES[self.precision]
        boards = f" on {len(deal.boards[-1]):,} boards" if deal.rounds > 1 else ""
        nodes, need = counted(len(compiled.tree), "betting node"), format_bytes(spot_bytes(self.spot, width))
        means.say(f"{nodes}{boards}, {compiled.size:,} infoset-action pairs: {need}")
        return SpotRun(self, SpotCFR(compiled, self.algorithm, f"float{8 * width}", self.threads or available_cores()))


def _stacks(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*(\d+)\s*(?:,\s*(\d+)\s*)?", text)
    if match is None:
        hint = "; count pot, stacks and blinds in smaller chips, as 65 and 400 for 6.5 and 40" if "." in text else ""
        raise KibitzError(
            f"stack {text!r}: give whole chips, as in 400, or 400,300 if the stacks differ{hint}", settings=("stack",)
        )
    return int(match[1]), int(match[2] or match[1])


def _share(text: str) -> float:
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*", text)
    if match is None or (not match[2] and float(match[1]) > 0):
        raise KibitzError(f"rake {text!r}: give a percentage of the pot, as in 5%", settings=("rake",))
    return float(match[1]) / 100


class SpotRun:
    """Solves until the exploitability is at its goal, or so many iterations are done, or the numbers have no more
    digits. It is measured at the first and the tenth iteration, then after another quarter of those done.

    seconds   spent solving, measuring left out
    """

    def __init__(self, plan: SpotPlan, solver: SpotCFR) -> None:
        self.plan, self.solver = plan, solver
        self.seconds, self._rate = 0.0, 0.0  # iterations a second of the last piece
        # The iteration last measured and its exploitability, the best of all, and the measurements since that.
        self._measured, self._reached, self._best, self._since = 0, math.inf, math.inf, 0

    @property
    def done(self) -> int:
        """Iterations."""
        return self.solver.iteration

    def step(self) -> Report | None:
        """About half a second of iterations, up to the next measurement, and that."""
        if self._is_over():
            return None if self._measured == self.done else self._measure()
        if not self._rate:
            self.solver.step(0)  # loads, and on a first run compiles, the kernels: no part of the solving
        goal = self._next_measurement()
        count = min(goal - self.done, max(1, int(PIECE_SECONDS * self._rate)))
        start = perf_counter()
        self.solver.step(count)
        seconds = perf_counter() - start
        self.seconds, self._rate = self.seconds + seconds, count / max(seconds, 1e-6)
        return self._measure() if self.done == goal else self._report()

    def _is_over(self) -> bool:
        plan = self.plan
        is_reached = self.done > 1 and self._reached <= plan.goal
        return is_reached or self._since >= PATIENCE or (plan.iterations is not None and self.done >= plan.iterations)

    def _next_measurement(self) -> int:
        last = self._measured
        goal = 1 if last == 0 else FIRST if last < FIRST else last + max(FIRST, last // 4)
        return goal if self.plan.iterations is None else min(goal, self.plan.iterations)

    def _measure(self) -> Report:
        from kibitz.spots.solver import Progress

        found = Progress(self.done, self.solver.measure(), self.seconds)
        self._measured, self._reached = self.done, found.measure.exploitability
        self._best, self._since = (self._reached, 0) if self._reached < self._best else (self._best, self._since + 1)
        return self._report(found.row())

    def _report(self, row: Row | None = None) -> Report:
        """How much is done, from 0 to 1: as the exploitability's logarithm falls, or by iterations."""
        plan = self.plan
        pot, found = plan.pot, max(self._reached, 1e-9)
        share = math.log(pot / found) / math.log(pot / plan.goal) if 0 < plan.goal < pot and found < math.inf else 0.0
        share = max(share, self.done / plan.iterations if plan.iterations else 0.0)
        reached = f", {found / pot:.3%} of the pot" if found < math.inf else ""
        return Report(min(max(share, 0.0), 1.0), 1.0, counted(self.done, "iteration") + reached, row)

    def arrays(self) -> Mapping[str, Any]:
        state = (self.seconds, self._measured, self._since, *map(_finite, (self._reached, self._best)))
        return {**self.solver.arrays(), "run": np.array(state)}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.solver.restore(done, dict(arrays))
        seconds, measured, since, reached, best = arrays["run"].tolist()
        self.seconds, self._measured, self._since = seconds, int(measured), int(since)
        self._reached, self._best = (math.inf if each < 0 else each for each in (reached, best))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        from kibitz.spots.files import spot_artefact

        if self._measured != self.done:
            curve = [*curve, dict(self._measure().row or {})]
        return spot_artefact(self.solver, curve)


def _finite(number: float) -> float:
    """What a checkpoint may hold: -1 stands for what is not known yet."""
    return number if number < math.inf else -1.0
