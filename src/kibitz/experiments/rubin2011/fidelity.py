"""How well cases imitate: agreement with what the expert did, or most likely does, in decisions kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kibitz.agents import Agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.match import AgentSpec, make_agent, play_match
from kibitz.games import Game, State
from kibitz.io.acpc import format_hand
from kibitz.io.acpc_log import format_commented_game
from kibitz.io.record import HandRecord
from kibitz.modelling.cases import CaseIndex, Description, Features, Similarity, Strength
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.modelling.cases.reuse import majority
from kibitz.translation import TreePlace, write

# Weights of strength, betting, commitment and texture; without betting, all decisions of a round that face a bet, or
# all that do not, are compared.
ABLATIONS: dict[str, tuple[float, float, float, float]] = {
    "all features": (1, 1, 1, 1),
    "without strength": (0, 1, 1, 1),
    "without betting": (1, 0, 1, 1),
    "without commitment": (1, 1, 0, 1),
    "without texture": (1, 1, 1, 0),
    "strength only": (1, 0, 0, 0),
}


class Question(NamedTuple):
    """A decision of the expert: its features, the letter of what was done, and of what is done most often if known."""

    features: Features
    taken: str
    likely: str | None


@dataclass(frozen=True)
class Agreement:
    """Shares of decisions in which the majority action of the retrieved cases is the expert's.

    taken      the action that the expert took
    likely     the one it takes most often; None for experts that do not tell
    fallbacks  decisions for which no case was similar
    """

    decisions: int
    taken: float
    likely: float | None
    fallbacks: float


def agreement(index: CaseIndex, questions: Sequence[Question]) -> Agreement:
    """How often the cases of `index` give the expert's action; where none is similar, the answer is a call."""
    alphabet = index.base.description.alphabet
    taken = likely = known = fallbacks = 0
    for question in questions:
        found = index.retrieve(question.features).cases
        fallbacks += not len(found)
        answer = alphabet[majority(index.solution(found))] if len(found) else "c"
        taken += answer == question.taken
        known += question.likely is not None
        likely += answer == question.likely
    count = max(len(questions), 1)
    return Agreement(len(questions), taken / count, likely / known if known else None, fallbacks / count)


def ablate(index: CaseIndex, questions: Sequence[Question]) -> dict[str, Agreement]:
    """The agreement with some features left out; `strength only` is the baseline."""
    return {
        name: agreement(CaseIndex(index.base, Similarity(weights=weights), index.totals), questions)
        for name, weights in ABLATIONS.items()
    }


def likely_action(agent: Agent, state: State) -> str | None:
    """What an agent with a strategy does most often in `state`, in which it has just acted; None for all others."""
    if not isinstance(agent, StrategyAgent):
        return None
    place = agent._tracker.place
    if not isinstance(place, TreePlace) or (place.player, place.round) != (state.player, state.round):
        return "c"
    chances = agent.probabilities(place.node, state)
    return write(place, max(range(len(chances)), key=chances.__getitem__), state)


class Observed:
    """The expert as it plays, every decision kept as a question."""

    def __init__(self, agent: Agent, description: Description, strength: Strength) -> None:
        self.name = agent.name
        self.questions: list[Question] = []
        self._agent = agent
        self._description = description
        self._strength = strength

    def reset(self, game: Game, seed: int) -> None:
        self._agent.reset(game, seed)

    def act(self, state: State) -> str:
        action = self._agent.act(state)
        likely = likely_action(self._agent, state)
        of = self._description
        sequence = SequenceReader(of.letters, of.reading).catch_up(state)
        letters = [None if each is None else of.letters.read(state, each, of.reading) for each in (action, likely)]
        assert letters[0] is not None
        self.questions.append(Question(of.describe(state, sequence, self._strength), letters[0], letters[1]))
        return action

    def observe(self, state: State, position: int) -> None:
        self._agent.observe(state, position)


def ask(
    game: Game, expert: AgentSpec, others: Sequence[AgentSpec], hands: int, seed: int, of: Description, by: Strength
) -> list[Question]:
    """The decisions of the expert in `hands` hands against `others`, the same number against each."""
    questions: list[Question] = []
    for number, other in enumerate(others):
        observed = Observed(make_agent(expert), of, by)
        seeds = [seed + number, seed + number + 1]
        play_match(game, [observed, make_agent(other)], seeds, hands // len(others), seed + number)
        questions += observed.questions
    return questions


class LoggedMatch(NamedTuple):
    """A match to be played and logged; a value that can be sent to another process."""

    game: Game
    agents: tuple[AgentSpec, AgentSpec]
    hands: int
    seed: int
    path: Path


def play_logged(match: LoggedMatch) -> Path:
    """Play a match and write its log, an ACPC log with the game in comments."""
    agents = [make_agent(spec) for spec in match.agents]
    names = tuple(agent.name for agent in agents)
    with match.path.open("w") as out:
        out.write(format_commented_game(match.game))

        def keep(hand: int, state: State) -> None:
            seated = names[hand % 2 :] + names[: hand % 2]
            deal = state.deal._replace(board=state.board)
            record = HandRecord(match.game, str(hand), state.history, deal, seated, state.returns())
            out.write(format_hand(record) + "\n")

        play_match(match.game, agents, [match.seed + 1, match.seed + 2], match.hands, match.seed, keep)
    return match.path


def logged_matches(
    game: Game, expert: AgentSpec, others: Sequence[AgentSpec], hands: int, length: int, seed: int, folder: Path
) -> Iterator[LoggedMatch]:
    """Matches of `length` hands, `hands` in all, against each of `others` in turn."""
    for number in range(-(-hands // length)):
        here = min(length, hands - number * length)
        other = others[number % len(others)]
        yield LoggedMatch(game, (expert, other), here, seed + 3 * number, folder / f"match-{number:05}.log")
