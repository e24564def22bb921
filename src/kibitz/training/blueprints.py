"""Training an agent by name: a blueprint is solved, and measured in the real game when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.amounts import counted, format_bytes
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, on_threads, seed_for, setting
from kibitz.training.solving import SolveRun

if TYPE_CHECKING:
    from kibitz.training.presets import Blueprint


@dataclass(frozen=True)
class BlueprintPlan(Plan):
    """Train a hold'em agent of PRESET (quick, standard or big), heads-up: nolimit (blinds 50/100, stacks of 20,000) or
    limit.
    """

    kind: ClassVar[str] = "train blueprint"

    preset: str = setting("quick", "Effort: quick, standard or big", argument=True)
    only: Literal["nolimit", "limit"] = setting("nolimit", "Agent to train")
    threads: int = on_threads(2)
    seed: int = seed_for("sampling boards")
    lbr_boards: int = setting(
        300, "Number of sampled boards on which a local best response measures the agent in the real game; 0 for none",
        at_least=0, at_most=10**9, free=True,
    )  # fmt: skip

    @cached_property
    def blueprint(self) -> Blueprint:
        """What is solved."""
        from kibitz.training.presets import find_preset

        return find_preset(self.preset).blueprints[self.only]

    def identity(self) -> dict[str, Any]:
        """A preset that has changed since is another plan."""
        return {**super().identity(), "blueprint": repr(self.blueprint)}

    def begin(self, means: Means = HERE) -> BlueprintRun:
        from kibitz.solvers.registry import Options, make_solver
        from kibitz.training.memory import check_memory

        blueprint, options = self.blueprint, Options(threads=self.threads)
        problem = blueprint.problem(self.seed)
        check_memory(problem, blueprint.algorithm, options)
        sets = counted(problem.size.infosets, "information set")
        means.say(f"{self.only}: {blueprint.game}, menu {blueprint.menu}, {blueprint.cards}, {sets},")
        means.say(f"  peak memory about {format_bytes(blueprint.peak_bytes(self.seed, self.threads))}")
        problem.prepare(self.threads, means.tell)
        solver = make_solver(blueprint.algorithm, problem, options)
        return BlueprintRun(self, means, SolveRun(solver, problem, iterations=blueprint.iterations))


class BlueprintRun:
    """A `SolveRun` whose strategy is measured by local best response in the end."""

    def __init__(self, plan: BlueprintPlan, means: Means, solving: SolveRun) -> None:
        self.plan, self.means, self.solving = plan, means, solving
        self.arrays, self.restore, self.problem = solving.arrays, solving.restore, solving.problem

    @property
    def done(self) -> int:
        """Iterations."""
        return self.solving.done

    def step(self) -> Report | None:
        """That of the solver, with what it has reached as the stage."""
        from kibitz.games.stakes import Stake

        report = self.solving.step()
        if report is None or report.row is None:
            return report
        stake = Stake.of(self.problem.game)
        reached = f"{report.row['exploitability'] * stake.milli_per_chip:.1f} {stake.unit}"
        return report._replace(stage=f"{self.plan.only}: exploitable for {reached} in its abstract game")

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The strategy, with what a local best response wins from it in the real game."""
        from kibitz.strategy.core import REAL
        from kibitz.training.real import measure_real

        if self.plan.lbr_boards:
            strategy = self.solving.artefact(curve).content
            found = measure_real(strategy, self.plan.lbr_boards, self.plan.seed, self.means.tell)
            self.solving.kept[REAL] = found
        return self.solving.artefact(curve)
