"""Learning bet sizes as one plan: a seat after the other against an opponent with a fixed menu, and who plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.bet_sizing.files import bets_artefact
from kibitz.bet_sizing.plan import Form, Learning, Report, SizingPlan
from kibitz.bet_sizing.ranges import SizeRange, default_ranges, parse_ranges
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.plans import HERE, Artefact, Means, Row, setting
from kibitz.plans import Report as Told
from kibitz.solvers.plan import DealPlan

if TYPE_CHECKING:
    from kibitz.bet_sizing.runs import SizingRun
    from kibitz.solvers.problem import Problem

RUNS, EXTRAS = 5, 25
AGENT = "agent"
PLAYED = 2000  # boards of self-play


@dataclass(frozen=True)
class BetsPlan(Learning, DealPlan):
    """Learn bet sizes for a player of GAME against an opponent with a fixed menu (Hawkin 2014).

    Each run prints one line: the number of bets with a range, of extra bets beyond one per decision, of nodes in the
    tree, of bets at the lower and at the upper bound of their range, and of unused bets (zero importance); then the
    sizes of the most important bets, in pots.

    --evaluate adds the value to player two (seat 1) in mbb/hand. Its error comes from best responses; with imperfect
    recall it is the 95 % interval of self-play on 2,000 boards.

    --out keeps the sizes of run N of seat S in seat-S-run-N.json, by public betting sequence. --agent solves for one
    strategy per seat with the sizes of the last run.
    """

    kind: ClassVar[str] = "abstract bets"

    game: str = setting(help="Game to learn sizes of", argument=True, input="game")
    ranges: str = setting(
        "2", "Ranges of bet sizes in pots, such as '0.5-0.69, 1.08-1.38', or the number of default ranges"
    )
    seat: Literal["0", "1", "both"] = setting("both", "Seat that learns")
    opponent: str = setting("fcpa", "Fixed menu of the other player")
    runs: int | None = setting(
        None, "Number of runs; the ranges move after each", at_least=1, free=True, unsaid=f"{RUNS}; 1 with bets"
    )
    extras: int | None = setting(
        None, "Number of bets beyond one per decision (refined)", at_least=0, unsaid=str(EXTRAS)
    )
    form: Form | None = setting(
        None, "Deals per iteration: all (vector), those of one board (boards) or one (sampled)",
        unsaid="vector; boards with imperfect recall",
    )  # fmt: skip
    rule: Literal["every", "reach"] | None = setting(
        None, "Update rule of the sizes: equation 4.10 (every) or 4.11 (reach)", unsaid="depends on --form"
    )
    evaluate: int = setting(
        0, "Number of iterations that evaluate each run (boards with imperfect recall); 0 for no evaluation",
        at_least=0, free=True,
    )  # fmt: skip
    agent: int = setting(
        0, "Number of iterations to solve for an agent with the learned sizes, saved as OUT/agent; 0 for no agent",
        at_least=0, free=True,
    )  # fmt: skip

    def begin(self, means: Means = HERE) -> BetsRuns:
        if self.agent and (means.folder is None or self.seat != "both"):
            raise KibitzError("--agent needs --out, the folder to leave it in, and the sizes of both seats")
        game = load_game(self.game)
        seats = self._seats(game, means)
        ranges = self._ranges(game)
        problem = self.problem_in(game, "fcpa")
        form = self.form_of(problem)
        self._check(problem, form)
        problem.prepare(self.threads, means.tell)
        runs = {seat: self._plan_of(seat, ranges, problem, form).begin() for seat in seats}
        return BetsRuns(self, problem, runs, means)

    def form_of(self, problem: Problem) -> Form:
        """The one that was given, or what suits the cards."""
        return self.form or ("vector" if problem.is_measurable else "boards" if problem.has_all_rounds else "sampled")

    def _plan_of(self, seat: int, ranges: tuple[SizeRange, ...], problem: Problem, form: Form) -> SizingPlan:
        from kibitz.bet_sizing.build import Transformation

        made = Transformation(
            problem.game,
            (ranges, ()) if seat == 0 else ((), ranges),
            ("all-in", self.opponent) if seat == 0 else (self.opponent, "all-in"),
        )
        names = ("algorithm", "iterations", "rule", "threads", "device", "seed", "settle", "stop")
        more: dict[str, Any] = {"form": form, **{name: getattr(self, name) for name in names}}
        extras, runs = EXTRAS if self.extras is None else self.extras, self.runs or RUNS
        plan = SizingPlan(made, problem, runs=runs, extras=extras, **more)
        return replace(plan, measure=partial(self._value, plan))

    def _seats(self, game: Game, means: Means) -> list[int]:
        """Seats that learn; a seat that never bets has nothing to learn, and an agent needs the sizes of both."""
        wanted = [0, 1] if self.seat == "both" else [int(self.seat)]
        found = [seat for seat in wanted if game.bettors[seat]]
        if found != wanted:
            silent, name = next(seat for seat in wanted if seat not in found), game.name or "this game"
            if self.agent or not found:
                raise KibitzError(f"seat {silent} never bets in {name}: it has no sizes to learn")
            means.say(f"seat {silent} never bets in {name}: only seat {found[0]} learns")
        return found

    def _ranges(self, game: Game) -> tuple[SizeRange, ...]:
        """The ranges written, or that many default ones for the stacks."""
        if self.ranges.isdecimal():
            return default_ranges(game.stacks[0] / game.big_blind, count=int(self.ranges))
        return parse_ranges(self.ranges)

    def _check(self, problem: Problem, form: Form) -> None:
        """Refuse what cannot be learnt, and what was asked for and would do nothing."""
        from kibitz.bet_sizing import sampled, vector
        from kibitz.deals.matrix import MAX_DEALS, count_deals

        game = problem.game
        learnable = game.players == 2 and game.betting == "nolimit"  # others are refused as such
        if learnable and form == "vector" and not problem.cards and count_deals(game) > MAX_DEALS:
            raise KibitzError(
                f"{game.name or 'this game'} has too many deals to enumerate: for hold'em give a card "
                "abstraction, such as --cards 5-bucket; for other games use --form sampled"
            )
        warmup = {"vector": vector.WARMUP, "boards": sampled.BOARD_WARMUP}.get(form, 0)
        if self.iterations <= warmup:
            raise KibitzError(
                f"--iterations {self.iterations}: sizes do not move in the first {warmup} iterations of a run; give "
                "more"
            )
        if self.algorithm == "bets" and (self.runs or 1) > 1:
            raise KibitzError("--runs with --algorithm bets: its ranges do not move, so it has only one run")
        if self.algorithm != "refined" and self.extras is not None:
            raise KibitzError(f"--extras with --algorithm {self.algorithm}: only refined prunes bets")
        if not problem.has_all_rounds and (form != "sampled" or self.evaluate or self.agent):
            raise KibitzError(
                f"--cards {problem.cards_name} in {game.rounds} rounds: games with fewer than four rounds need --form "
                "sampled, without --evaluate and --agent"
            )

    def _value(self, plan: SizingPlan, report: Report) -> Row:
        """The value of a run's sizes to player two, mbb/hand, if --evaluate asks for it."""
        from kibitz.bet_sizing.value import bound_value, value_in_play
        from kibitz.bet_sizing.vector import VectorBets

        if not self.evaluate or report.result is None:
            return {}
        unit = 1000 / plan.problem.game.big_blind
        if not plan.problem.is_measurable:
            value, error = value_in_play(report.result, plan.problem, self.evaluate, PLAYED, self.threads)
            return {"value": unit * value, "error": unit * error}
        start = report.solver if isinstance(report.solver, VectorBets) and report.unpruned is None else None
        where: dict[str, Any] = {"threads": self.threads, "device": self.device, "start": start}
        bounds, _strategy = bound_value(report.tree, report.sizes, plan.problem, self.evaluate, **where)
        return {"value": unit * bounds.value, "error": unit * bounds.error}


class BetsRuns:
    """The runs of a seat after those of the other."""

    def __init__(self, plan: BetsPlan, problem: Problem, runs: Mapping[int, SizingRun], means: Means) -> None:
        self.plan, self.problem, self.runs, self.means = plan, problem, runs, means

    @property
    def done(self) -> int:
        """Iterations of all runs."""
        return sum(run.done for run in self.runs.values())

    def step(self) -> Told | None:
        """A step of the first seat that is not done."""
        for seat, run in self.runs.items():
            if (told := run.step()) is not None:
                goal, row = sum(each.goal for each in self.runs.values()), told.row
                return Told(
                    self.done, goal, f"seat {seat}, {told.stage}", None if row is None else {"seat": seat, **row}
                )
        return None

    def arrays(self) -> Mapping[str, Any]:
        return {_name(seat, name): array for seat, run in self.runs.items() for name, array in run.arrays().items()}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        for seat, run in self.runs.items():
            run.restore(done, {name: arrays[_name(seat, name)] for name in run.arrays()})

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The sizes of all runs, and the strategies of an agent that plays those of the last ones."""
        if self.plan.agent:
            self._make_agent()
        unpruned = {seat: run.unpruned for seat, run in self.runs.items() if run.unpruned is not None}
        learnt = {seat: run.results for seat, run in self.runs.items()}
        return bets_artefact(learnt, unpruned, [AGENT] * bool(self.plan.agent))

    def _make_agent(self) -> None:
        from kibitz.bet_sizing.play import playing_strategy
        from kibitz.strategy.seats import save_seats

        assert self.means.folder is not None
        strategies = []
        for seat, run in self.runs.items():
            self.means.tell(f"solving seat {seat} for the agent", seat, len(self.runs))
            strategies.append(playing_strategy(run.results[-1], self.problem, self.plan.agent, self.plan.threads))
        save_seats(strategies, self.means.folder / AGENT)


def _name(seat: int, name: str) -> str:
    """That of an array of a seat."""
    return f"seat-{seat}-{name}"
