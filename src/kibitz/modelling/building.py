"""Building a model of a player from logs: the plan, and the run that reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.errors import KibitzError
from kibitz.files import file_sha256, fingerprint
from kibitz.games import Game, load_game
from kibitz.plans import HERE, Artefact, Means, Report, Row, setting
from kibitz.solvers.plan import ProblemPlan

if TYPE_CHECKING:
    from kibitz.modelling.frequentist import Built, Observation
    from kibitz.solvers.problem import Problem


@dataclass(frozen=True, kw_only=True)
class ModelPlan(ProblemPlan):
    """Count the decisions of a player in LOGS at every betting node and bucket.

    LOGS are ACPC logs and transcripts, PHH or PokerStars files, compressed files, tar archives or folders. Hands in
    which the player's cards are hidden are skipped, unless the card abstraction is one-bucket.
    """

    kind: ClassVar[str] = "hands model build"
    resumes: ClassVar[bool] = False

    logs: tuple[Path, ...] = setting(help="Logs", argument=True, input="logs")
    players: tuple[str, ...] = setting(help="Name of the player; several are pooled", option="player")
    game: str | None = setting(
        None, "Game of the model and of ACPC logs that name none", unsaid="that of the first hand", input="game"
    )
    mapping: str = setting("rand-psharmonic", "Mapping that translates bets off the menu")
    sample: int | None = setting(
        None, "Seed for drawing one translation of each bet", at_least=0, at_most=2**64 - 1,
        unsaid="count all, weighted by their probability",
    )  # fmt: skip
    seen_tree: bool = setting(
        False,
        "Keep only betting that some hand went through, for games with too large a tree; the rest is checked down",
    )
    shown_only: bool = setting(False, "Use only hands that the player showed, even if a log has all cards")
    skip_bad: bool = setting(False, "Skip broken hands and report how many there were")
    workers: int = setting(1, "Number of processes", at_least=1, free=True)

    def begin(self, means: Means = HERE) -> ModelRun:
        return ModelRun(self, means, *self._read())

    def _read(self) -> tuple[Observation, Problem, Game | None]:
        """Whose decisions in which tree, and the rules of logs that do not name theirs."""
        from kibitz.modelling.frequentist import Observation, find_game
        from kibitz.modelling.frequentist.seen import seen_histories, seen_tree
        from kibitz.translation import Reading

        rules = None
        game = load_game(self.game) if self.game else None
        try:
            named = find_game(self.logs, self.players)
        except KibitzError:
            if game is None:
                raise
            named = rules = find_game(self.logs, self.players, game)
        game = game or named
        problem, reading = self.asked(game), Reading(self.mapping)
        if self.seen_tree:
            tree = seen_tree(game, problem.menus, seen_histories(self.logs, self.players, rules), reading)
            problem = replace(problem, betting=tree)
        return Observation(self.players, reading, self.sample, self.shown_only, self.skip_bad), problem, rules


class ModelRun:
    """One step, in which all logs are read."""

    def __init__(
        self, plan: ModelPlan, means: Means, observation: Observation, problem: Problem, rules: Game | None
    ) -> None:
        self.plan, self.means = plan, means
        self.observation, self.problem, self.rules = observation, problem, rules
        self.built: Built | None = None

    @property
    def done(self) -> int:
        """Whether they are read: 0 or 1."""
        return int(self.built is not None)

    def step(self) -> Report | None:
        """Read them."""
        if self.built is not None:
            return None
        from kibitz.modelling.frequentist import build_model

        def tell(hands: int) -> None:
            self.means.tell(f"reading logs: {hands:,} hands", 0, 0)

        plan = self.plan
        with self.means.interruptible():
            self.built = build_model(
                plan.logs, self.observation, self.problem, game=self.rules, workers=plan.workers, progress=tell
            )
        return Report(1, 1, "reading logs")

    def arrays(self) -> Mapping[str, Any]:
        return {}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        """There is nothing to go on from."""

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The model; `content` is what `build_model` has found."""
        from kibitz.strategy.files import model_artefact

        assert self.built is not None
        return replace(model_artefact(self.built.model), content=self.built)


def logs_content(log: Path) -> str:
    """What is in a log, or in the files of a folder of them, whatever they are called."""
    from kibitz.io.logs import list_files

    found = (each.path for each in list_files([log]))
    return fingerprint(*(_sum(path, path.stat().st_mtime_ns, path.stat().st_size) for path in found))


@cache
def _sum(path: Path, _written: int, _size: int) -> str:
    return file_sha256(path)
