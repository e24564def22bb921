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
from kibitz.learning.fields import RANDOM, hands_field, learning_field, seed_field, threads_field
from kibitz.learning.files import KIND as LEARNED
from kibitz.learning.files import load_model
from kibitz.learning.model import Model
from kibitz.learning.presets import PRESETS
from kibitz.learning.responses.files import response_artefact
from kibitz.learning.responses.learner import (
    AGAINST_AGENTS,
    AGAINST_COPIES,
    Agents,
    Blind,
    Copies,
    Field,
    Response,
    staying,
)
from kibitz.learning.responses.tables import AgentTable
from kibitz.learning.rivals import KNOWN, rival
from kibitz.learning.runs import LearningRun
from kibitz.learning.tables import rules_of, rules_of_model
from kibitz.plans import HERE, Artefact, Means, Plan, kind_of, setting
from kibitz.plans.kinds import named

GAIN = "gain "  # in front of what is measured in the end
LOAD_AGENT = "kibitz.agents:load_agent"  # agents know this package
ALONE = "exploiter"  # the kind of agents that tell opponents apart by their seats


@dataclass(frozen=True)
class BestResponsePlan(Plan):
    """Train a best response to AGENTS, which do not learn, and save it in --out as an agent.

    If AGENTS is one folder from `kibitz train self-play`, copies of that agent fill all other seats. Its gain over the
    copies' own result, 0, is a lower bound on their distance from an equilibrium. One who never looks at its cards
    (always-raise, random, ...) is simulated as well. Any other agents (rules, strategies, cases, your own) play in the
    real engine, some thousand hands per second; one agent fills all other seats. What is kept is what wins most: what
    was learned or, where that has failed, the agent to begin with or one who always folds or calls. Results are in
    small blinds per hand with standard errors.
    """

    kind: ClassVar[str] = "train best-response"
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
    batch: int | None = learning_field("batch", unsaid="64")
    rate: float | None = learning_field("rate", unsaid="0.002 against copies, else 0.003")
    card_rate: float | None = learning_field("card_rate", unsaid="0.004 against copies, else 0.02")
    entropy: float | None = learning_field("entropy", unsaid="0.01 against copies, else 0.1")
    halving: float | None = learning_field("halving", unsaid="2,000,000 against copies, else 500,000")
    threads: int = threads_field()

    def begin(self, means: Means = HERE) -> ResponseRun:
        base, field = AGAINST_AGENTS, self._field()
        if isinstance(field, Copies):
            base = AGAINST_COPIES
        said = {name: getattr(self, name) for name in ("batch", "rate", "card_rate", "entropy", "halving")}
        learning = replace(base, **{name: value for name, value in said.items() if value is not None})
        return ResponseRun(self, Response(self._begun(), field, learning, self.seed, self.threads))

    def _field(self) -> Field:
        """Those whom it learns to beat."""
        if self._opponent is not None:
            return self._copies(self._opponent)
        rules = self._rules()
        if len(self.agents) == 1 and self.agents[0] in KNOWN:
            return Blind([rival(self.agents[0])], rules.players, rules_of(rules))
        return self._agents(rules)

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

    def _begun(self) -> Model:
        """The model to begin with."""
        opponent = self._opponent
        if self.start is None and opponent is not None:
            return opponent
        if self.start not in (None, RANDOM):
            return load_model(Path(self.start))
        structure = opponent.structure if opponent is not None else PRESETS["default"].structure
        return staying(Model.random(structure, self.seed, AGAINST_AGENTS.scale, AGAINST_AGENTS.value_scale))

    def _copies(self, opponent: Model) -> Copies:
        if self.game:
            raise KibitzError(f"--game {self.game}: copies of a model play by the rules that it was trained with")
        return Copies(opponent, self.players or 6, rules_of_model(opponent))

    def _agents(self, rules: Game) -> Agents:
        load_agent, names = named(LOAD_AGENT), self.agents
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
        super().__init__(response, plan.hands, every, self._kept, "best response")
        self._evaluate = plan.evaluate

    def _kept(self) -> Artefact:
        """What wins most of what there is, with what it wins."""
        learner, hands = self.learner, self._evaluate
        if not hands:
            return response_artefact(learner.model, learner.observer)
        chosen, model = learner.choose(max(hands // 4, 2))
        won = learner.evaluate(hands, model.flat)
        told = {"chosen": chosen, **won._asdict(), "error": won.error}
        found = response_artefact(model, learner.observer)
        return replace(found, made={**found.made, **plain({f"{GAIN}{name}": value for name, value in told.items()})})


def gain_of(made: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a response won when it was measured, small blinds per hand; None where it was not."""
    return {name.removeprefix(GAIN): made[name] for name in made if name.startswith(GAIN)} or None
