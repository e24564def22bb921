"""Learning a best response as a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from kibitz.amounts import counted
from kibitz.errors import KibitzError
from kibitz.files import plain
from kibitz.games import Game, load_game
from kibitz.learning.fields import (
    RANDOM,
    batch_field,
    card_rate_field,
    halving_field,
    hands_field,
    learning_of,
    rate_field,
    seed_field,
)
from kibitz.learning.files import KIND as LEARNED
from kibitz.learning.files import load_model
from kibitz.learning.model import Model, Structure
from kibitz.learning.responses.files import response_artefact
from kibitz.learning.responses.learner import AGAINST_AGENTS, AGAINST_COPIES, Agents, Copies, Response
from kibitz.learning.responses.tables import AgentTable
from kibitz.learning.runs import LearningRun
from kibitz.learning.tables import rules_of_model
from kibitz.plans import HERE, Artefact, Means, Plan, Row, kind_of, setting
from kibitz.plans.kinds import named

GAIN = "gain "  # in front of what is measured in the end
LOAD_AGENT = "kibitz.agents:load_agent"  # agents know this package
ALONE = "exploiter"  # the kind of agents that tell opponents apart by their seats


@dataclass(frozen=True)
class BestResponsePlan(Plan):
    """Train a best response to AGENTS, which do not learn, and save it in --out as an agent.

    If AGENTS is one folder from `kibitz learn self-play`, copies of that agent fill all other seats. Its gain over the
    copies' own result, 0, is a lower bound on their distance from an equilibrium. Any other agents (built-in names,
    strategies, cases, your own) play in the real engine, some thousand hands per second; one agent fills all other
    seats. Results are in small blinds per hand with standard errors.
    """

    kind: ClassVar[str] = "learn best-response"
    rows: ClassVar[int] = 20  # of the curve

    agents: tuple[str, ...] = setting(help="Opponents", argument=True, input="agent")
    players: int | None = setting(
        None, "Players at the table", at_least=2, at_most=10,
        unsaid="6 for copies of a model from self-play, else one more than AGENTS",
    )  # fmt: skip
    hands: int = hands_field(100_000)
    seed: int = seed_field("Seed for cards, actions and random first weights")
    start: str | None = setting(
        None, "Model from self-play to begin with, or random", input="model", unsaid="the opponent, if it is one"
    )
    game: str | None = setting(
        None, "Limit hold'em game at the table of other agents", input="game", unsaid="ACPC limit hold'em"
    )
    evaluate: int = setting(
        20_000, "Deals to measure the result with; 0 for none", at_least=0, at_most=10**9, free=True
    )
    batch: int = batch_field(64)
    rate: float | None = rate_field(None, "0.002 against copies, else 0.01")
    card_rate: float | None = card_rate_field()
    halving: float | None = halving_field(None, "2,000,000 against copies, else 0")

    def begin(self, means: Means = HERE) -> ResponseRun:
        learning = learning_of(AGAINST_AGENTS if self._opponent is None else AGAINST_COPIES, self, "batch", "halving")
        begun = self._begun(learning.scale, learning.value_scale)
        field = self._agents() if self._opponent is None else self._copies(self._opponent)
        return ResponseRun(self, Response(begun, field, learning, self.seed))

    @cached_property
    def _opponent(self) -> Model | None:
        """The model of which copies play; None where other agents do."""
        for name in self.agents:
            if kind_of(Path(name.partition(",")[0])) == ALONE:
                raise KibitzError(
                    f"{name} is an exploiter, which tells opponents apart by their seats, and the learner changes "
                    "seats here: choose an agent that knows no types and has no extra layer"
                )
        folder = Path(self.agents[0])
        return load_model(folder) if len(self.agents) == 1 and kind_of(folder) == LEARNED else None

    def _begun(self, scale: float, value_scale: float) -> Model:
        """The model to begin with."""
        opponent = self._opponent
        if self.start is None and opponent is not None:
            return opponent
        if self.start not in (None, RANDOM):
            return load_model(Path(self.start))
        structure = opponent.structure if opponent is not None else Structure()
        return Model.random(structure, self.seed, scale, value_scale)

    def _copies(self, opponent: Model) -> Copies:
        if self.game:
            raise KibitzError(f"--game {self.game}: copies of a model play by the rules that it was trained with")
        return Copies(opponent, self.players or 6, rules_of_model(opponent))

    def _agents(self) -> Agents:
        load_agent = named(LOAD_AGENT)
        rules, names = self._rules(), self.agents
        others = rules.players - 1
        if len(names) not in (1, others):
            raise KibitzError(
                f"{counted(len(names), 'opponent')} for {counted(others, 'other seat')}: give one for all, or one for "
                "each"
            )
        seated: Sequence[str] = names if len(names) == others else names * others
        return Agents(AgentTable(rules, [load_agent(name) for name in seated], self.seed))

    def _rules(self) -> Game:
        """The game at a table of agents."""
        from kibitz.games.named import limit_holdem

        if not self.game:
            return limit_holdem(self.players or len(self.agents) + 1)
        rules = load_game(self.game)
        if self.players not in (None, rules.players):
            raise KibitzError(f"--players {self.players}: {self.game} has {rules.players}")
        return rules


class ResponseRun(LearningRun):
    """A response that is measured in the end."""

    learner: Response

    def __init__(self, plan: BestResponsePlan, response: Response) -> None:
        every = max(plan.hands // plan.rows, 10 * response.learning.batch)
        super().__init__(response, plan.hands, every, lambda: response_artefact(response.model, response.observer))
        self._evaluate, self._stage = plan.evaluate, "best response"

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        found = super().artefact(curve)
        if not self._evaluate:
            return found
        won = self.learner.evaluate(self._evaluate)
        told = {**won._asdict(), "error": won.error}
        return replace(found, made={**found.made, **plain({f"{GAIN}{name}": value for name, value in told.items()})})


def gain_of(made: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a response won when it was measured, small blinds per hand; None where it was not."""
    return {name.removeprefix(GAIN): made[name] for name in made if name.startswith(GAIN)} or None
