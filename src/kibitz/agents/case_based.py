"""SartreNL: an agent that does what an expert did in the most similar decisions (Rubin and Watson 2011).

>>> from kibitz.agents.case_based import load_case_agent
>>> agent = load_case_agent("expert.cases,policy=majority,mapping=rand-psharmonic")  # doctest: +SKIP
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kibitz.agents.strategic import parse_settings
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.modelling.cases import CaseIndex, Features, Similarity, Strength, find_policy, load_cases, load_strength
from kibitz.modelling.cases.alphabet import ALL_IN, CALL, FOLD
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.modelling.cases.explain import Explanation, explain
from kibitz.modelling.cases.features import check_holdem
from kibitz.modelling.cases.retrieval import EQUAL
from kibitz.random import Dice
from kibitz.translation import Reading, blurred


@dataclass(frozen=True)
class Manner:
    """How cases are played.

    policy   probabilistic, majority or best-outcome
    mapping  how bets are read at play, own ones too, as `Reading` understands it; rand-geo-1 is the paper's soft
             translation, equations 2 and 3
    spread   the reverse translation, equation 4: bets are up to this share smaller or larger than their letter says
    floor    the similarity below which a case is not re-used: then the agent checks or calls
    """

    policy: str = "probabilistic"
    mapping: str = "rand-geo-1"
    spread: float = 0.3
    floor: float = 0.0

    def __post_init__(self) -> None:
        find_policy(self.policy)
        Reading(self.mapping)
        if not 0 <= self.spread <= 1 or not 0 <= self.floor <= 1:
            raise AgentError(f"spread={self.spread}, floor={self.floor}: both are from 0 to 1")


class CaseBasedAgent:
    """Plays hold'em by the cases of `index`.

    decisions, fallbacks   since `reset`: how many it took, and in how many no case was similar enough
    """

    def __init__(
        self, index: CaseIndex, manner: Manner | None = None, strength: Strength | None = None, name: str = "cases"
    ) -> None:
        self.name = name
        self.index = index
        self.manner = manner or Manner()
        self._description = index.base.description
        self._strength = strength or load_strength(self._description.strength)
        self._policy = find_policy(self.manner.policy)

    def plays(self, game: Game) -> bool:
        """Whether the cases are of such a game: hold'em, limit or not, for so many players."""
        try:
            check_holdem(game, self._description.letters)
        except KibitzError:
            return False
        return game.players == self.index.base.players

    def reset(self, game: Game, seed: int) -> None:
        if not self.plays(game):
            raise AgentError(
                f"{self.name} does not play {game.name or 'this game'}: its cases are of hold'em with the actions "
                f"{self._description.alphabet} for {self.index.base.players} players"
            )
        self._dice = Dice(seed)
        self._reader = SequenceReader(self._description.letters, Reading(self.manner.mapping), self._dice.uniform)
        self.decisions = self.fallbacks = 0

    def act(self, state: State) -> str:
        solution, similarity = self.index.advise(self._describe(state))
        self.decisions += 1
        if solution is None or similarity < self.manner.floor - EQUAL:
            self.fallbacks += 1
            return "c"
        number = self._policy(solution, self._dice.uniform())
        return self._write(state, self._description.alphabet[number])

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()
        self._reader.restart()

    def explain(self, state: State, count: int = 5) -> Explanation:
        """Why it acts as it does in `state`: the cases nearest to it. Bets are read as they were when it acted."""
        return explain(self.index, self._describe(state), count, self.manner.floor)

    def _describe(self, state: State) -> Features:
        return self._description.describe(state, self._reader.catch_up(state), self._strength)

    def _write(self, state: State, letter: str) -> str:
        """An abstract action as a legal one; all-in is exact, what is impossible is a call."""
        if letter == CALL or (letter == FOLD and not state.to_call):
            return "c"
        if letter == FOLD:
            return "f"
        if letter == ALL_IN:
            most = state.legal().max_raise_to
            return f"r{most}" if most else "c"
        letters = self._description.letters
        spread = 0.0 if letters.limit else self.manner.spread
        pots = letters.sizes[letters.bets.index(letter)]
        return blurred(state, pots, spread, self._dice.uniform())


def load_case_agent(text: str) -> CaseBasedAgent:
    """The agent written FILE,policy=probabilistic,mapping=rand-geo-1,spread=0.3,floor=0,name=... and for similarity
    slope=2,decay=0.05,weights=1:1:1:1 (strength, betting, commitment, texture). Only the file is needed.
    """
    path, settings = parse_settings(text)
    if not path.is_file():
        raise AgentError(f"{path}: no such file of cases")
    name = settings.pop("name", path.stem)
    known = ("policy", "mapping", "spread", "floor", "slope", "decay", "weights")
    if unknown := settings.keys() - set(known):
        raise AgentError(f"{', '.join(sorted(unknown))} in {text!r}: settings are {', '.join((*known, 'name'))}")
    try:
        strength, betting, commitment, texture = map(float, settings.get("weights", "1:1:1:1").split(":"))
        similarity = Similarity(
            slope=float(settings.get("slope", Similarity.slope)),
            decay=float(settings.get("decay", Similarity.decay)),
            weights=(strength, betting, commitment, texture),
        )
        manner = Manner(
            settings.get("policy", Manner.policy),
            settings.get("mapping", Manner.mapping),
            float(settings.get("spread", Manner.spread)),
            float(settings.get("floor", Manner.floor)),
        )
    except KibitzError:
        raise
    except ValueError:
        raise AgentError(f"{text!r}: spread, floor, slope and decay are numbers, weights four: 1:1:1:1") from None
    return CaseBasedAgent(_load(path, path.stat().st_mtime_ns, similarity), manner, name=name)


@lru_cache(maxsize=8)
def _load(path: Path, _written: int, similarity: Similarity) -> CaseIndex:
    """The cases in `path`, kept for the next match; `_written` tells another file there from this one."""
    return CaseIndex(load_cases(path), similarity)
