"""SartreNL: an agent that does what an expert did in the most similar decisions (Rubin and Watson 2011).

>>> from kibitz.agents.case_based import load_case_agent
>>> agent = load_case_agent("expert.cases,policy=majority,mapping=rand-psharmonic")  # doctest: +SKIP
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kibitz.agents.base import Named
from kibitz.agents.settings import read_folder
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.modelling.cases import CaseIndex, CasePolicy, Features, Reuse, Similarity, Strength, load_cases
from kibitz.modelling.cases.betting import SequenceReader
from kibitz.modelling.cases.explain import Explanation, explain
from kibitz.modelling.cases.reuse import draw
from kibitz.random import Dice


class CaseBasedAgent(Named):
    """Plays hold'em by the cases of `index`: `CasePolicy` says how.

    decisions, fallbacks   since `reset`: how many it took, and in how many no case was similar enough
    """

    policy: CasePolicy  # what it does, see `known_policy`

    def __init__(
        self, index: CaseIndex, reuse: Reuse | None = None, strength: Strength | None = None, name: str = "cases"
    ) -> None:
        self.policy = CasePolicy(index, reuse, strength, name)
        self.name = name

    def plays(self, game: Game) -> bool:
        """Whether the cases are of such a game: hold'em, limit or not, for so many players."""
        return self.policy.plays(game)

    def reset(self, game: Game, seed: int) -> None:
        self.policy.check(game)
        self._dice = Dice(seed)
        self._reader = SequenceReader(self.policy.letters, self.policy.reading, self._dice.uniform)
        self.decisions = self.fallbacks = 0

    def act(self, state: State) -> str:
        weights = self.policy.advise(self._describe(state, self._reader.catch_up(state)))
        self.decisions += 1
        if weights is None:
            self.fallbacks += 1
            return "c"
        number = draw(weights, self._dice.uniform())
        return self.policy.write(state, self.policy.description.alphabet[number], self._dice.uniform)

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()
        self._reader.restart()

    def explain(self, state: State, count: int = 5) -> Explanation:
        """Why it acts as it does in `state`: the cases nearest to it. Bets are read as they were when it acted."""
        return explain(
            self.policy.index, self._describe(state, self._reader.look_back(state)), count, self.policy.reuse.floor
        )

    def _describe(self, state: State, sequence: str) -> Features:
        return self.policy.description.describe(state, sequence, self.policy.strength)


def load_case_agent(text: str) -> CaseBasedAgent:
    """The agent written FILE,policy=probabilistic,mapping=rand-geo-1,spread=0.3,floor=0,name=... and for similarity
    slope=2,decay=0.05,weights=1:1:1:1 (strength, betting, commitment, texture). Only the file is needed.
    """
    known = ("policy", "mapping", "spread", "floor", "slope", "decay", "weights", "name")
    path, settings = read_folder(text, known)
    if not path.is_file():
        raise AgentError(f"{path}: no such file of cases")
    name = settings.pop("name", path.stem)
    try:
        strength, betting, commitment, texture = map(float, settings.get("weights", "1:1:1:1").split(":"))
        similarity = Similarity(
            slope=float(settings.get("slope", Similarity.slope)),
            decay=float(settings.get("decay", Similarity.decay)),
            weights=(strength, betting, commitment, texture),
        )
        reuse = Reuse(
            settings.get("policy", Reuse.policy),
            settings.get("mapping", Reuse.mapping),
            float(settings.get("spread", Reuse.spread)),
            float(settings.get("floor", Reuse.floor)),
        )
    except KibitzError:
        raise
    except ValueError:
        raise AgentError(f"{text!r}: spread, floor, slope and decay are numbers, weights four: 1:1:1:1") from None
    return CaseBasedAgent(_load(path, path.stat().st_mtime_ns, similarity), reuse, name=name)


@lru_cache(maxsize=8)
def _load(path: Path, _written: int, similarity: Similarity) -> CaseIndex:
    """The cases in `path`, kept for the next match; `_written` tells another file there from this one."""
    return CaseIndex(load_cases(path), similarity)
