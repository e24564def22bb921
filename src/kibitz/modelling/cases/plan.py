"""Building cases as a plan: the logs are read in one go, and what is kept is one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from kibitz.games import load_game
from kibitz.modelling.cases.build import Built, build_cases
from kibitz.modelling.cases.features import Description
from kibitz.modelling.cases.files import cases_artefact
from kibitz.modelling.cases.strength import SARTRE_STRENGTH
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting


@dataclass(frozen=True)
class CasesPlan(Plan):
    """Build cases from every decision of the expert in LOGS.

    LOGS are ACPC logs and transcripts, PHH or PokerStars files, compressed files, tar archives or folders. The format
    is detected from the content. A broken hand is an error unless --skip-bad is given.
    """

    kind: ClassVar[str] = "cases build"
    leaves = "file"
    resumes = False

    logs: tuple[Path, ...] = setting(help="Logs of the expert", argument=True, input="logs")
    expert: str = setting(help="Name of the player to imitate, as in the logs")
    workers: int = setting(1, "Number of processes", at_least=1, free=True)
    skip_bad: bool = setting(False, "Skip broken hands and report how many there were")
    game: str | None = setting(
        None, "Game of the ACPC logs; overrides the one they name, and needed if they name none", input="game"
    )
    players: int | None = setting(
        None, "Use only tables with this many players", at_least=2, at_most=10, unsaid="all tables must be alike"
    )
    alphabet: str = setting("fcqhipdvta", "Letters of the abstract actions; fcr for limit games")
    strength: str = setting(SARTRE_STRENGTH, "Measure of hand strength: a card abstraction, or made-hand")
    commitments: int = setting(4, "Number of classes of stack commitment", at_least=1, at_most=255)
    mapping: str = setting("det-geo", "Mapping that translates bets between two sizes")

    @property
    def description(self) -> Description:
        """How a decision is described."""
        return Description(self.alphabet, self.strength, self.commitments, self.mapping)

    def begin(self, means: Means = HERE) -> CasesRun:
        return CasesRun(self, self.description, means)


class CasesRun:
    """All logs are read in its one step: shares of processes do not end together."""

    def __init__(self, plan: CasesPlan, description: Description, means: Means) -> None:
        self.plan, self.description, self.means = plan, description, means
        self.game = load_game(plan.game) if plan.game else None
        self.built: Built | None = None

    @property
    def done(self) -> int:
        """Hands of the expert."""
        return self.built.counts.hands if self.built is not None else 0

    def step(self) -> Report | None:
        """Read all logs."""
        if self.built is not None:
            return None
        plan = self.plan
        self.built = build_cases(
            plan.logs,
            plan.expert,
            self.description,
            game=self.game,
            players=plan.players,
            workers=plan.workers,
            skip_bad=plan.skip_bad,
            progress=lambda hands: self.means.tell(f"reading logs: {hands:,} hands", 0, 1),
        )
        return Report(self.done, self.done, "reading logs")

    def arrays(self) -> Mapping[str, Any]:
        return {}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        raise NotImplementedError("cases are built in one step")

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        assert self.built is not None
        return cases_artefact(self.built.base, self.built)
