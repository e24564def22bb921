"""How well cases imitate: agreement with what the expert did, or most likely does, in decisions kept apart.

Decisions of one hand belong together, so intervals are from hands drawn again with replacement. All ways of answering
are judged by the same draws, and a difference between two of them has an interval of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.errors import KibitzError
from kibitz.experiments.rubin2011.sessions import read_questions
from kibitz.modelling.cases import CaseBase, CaseIndex, Features, Similarity, load_cases
from kibitz.modelling.cases.reuse import majority
from kibitz.statistics import resample_counts

Weights = tuple[float, float, float, float]
# Weights of strength, betting, commitment and texture; without betting, all decisions of a round that face a bet, or
# all that do not, are compared.
ALL: Weights = (1, 1, 1, 1)
STRENGTH_ONLY: Weights = (1, 0, 0, 0)
ABLATIONS: dict[str, Weights] = {
    "all features": ALL,
    "without strength": (0, 1, 1, 1),
    "without betting": (1, 0, 1, 1),
    "without commitment": (1, 1, 0, 1),
    "without texture": (1, 1, 1, 0),
    "strength only": STRENGTH_ONLY,
}
RESAMPLES = 1000
_FEATURES = list(Features._fields)
Floats = npt.NDArray[np.float64]


class Exam(NamedTuple):
    """Cases to be asked; a value that can be sent to another process."""

    cases: Path
    weights: Weights
    questions: tuple[Path, ...]


class Answers(NamedTuple):
    """The majority action of the retrieved cases per question, and whether there was none and it is a call."""

    letters: pl.Series
    fallback: pl.Series


def sit_exam(exam: Exam) -> Answers:
    """The answers of the cases in a file."""
    index = CaseIndex(load_cases(exam.cases), Similarity(weights=exam.weights))
    return answer(index, read_questions(exam.questions))


def answer(index: CaseIndex, questions: pl.DataFrame) -> Answers:
    """The answers of `index`; the same decision is looked up once."""
    alphabet = index.base.description.alphabet
    different = questions.select(_FEATURES).unique(maintain_order=True)
    letters = []
    for row in different.iter_rows():
        solution = index.advise(Features(*row)).solution
        letters.append(None if solution is None else alphabet[int(majority(solution).argmax())])
    known = different.with_columns(answer=pl.Series(letters, dtype=pl.String))
    found = questions.select(_FEATURES).join(known, on=_FEATURES, how="left", maintain_order="left")["answer"]
    return Answers(found.fill_null("c"), found.is_null())


def ablate(base: CaseBase, questions: pl.DataFrame) -> dict[str, Answers]:
    """The answers of a case base with some features left out."""
    return {
        name: answer(CaseIndex(base, Similarity(weights=weights)), questions) for name, weights in ABLATIONS.items()
    }


class Share(NamedTuple):
    """A share of decisions, with a 95 % interval from resampled hands."""

    share: float
    low: float
    high: float


class Judge:
    """Judges any number of answers to the same questions.

    Resampling draws hands, all of whose decisions come along.
    """

    def __init__(self, questions: pl.DataFrame, seed: int = 0) -> None:
        if questions.is_empty():
            raise KibitzError("there is no decision to judge answers by: more hands must be kept apart")
        self.questions = questions
        self._hands = questions["hand"].rle_id().to_numpy()
        count = int(self._hands[-1]) + 1
        rng = np.random.default_rng(seed)
        self._weights = resample_counts(rng, count, RESAMPLES, np.uint8)
        self._sizes = self._resample(np.ones(len(questions)))

    def _resample(self, values: Floats) -> Floats:
        """The sum of `values` over the decisions of each resample: float64[RESAMPLES]."""
        by_hand = np.bincount(self._hands, values)
        return np.asarray([weights @ by_hand for weights in self._weights], dtype=np.float64)

    def judge(self, answers: Answers) -> dict[str, Any]:
        """Agreement with what was taken, and with what is likely where that is known; the share of fallbacks."""
        return {
            "taken": self._share(answers.letters == self.questions["taken"])._asdict(),
            "likely": self._share(answers.letters == self.questions["likely"])._asdict() if self.tells else None,
            "fallbacks": float(answers.fallback.mean() or 0.0),
        }

    @property
    def tells(self) -> bool:
        """Whether the expert tells what it does most often."""
        return not self.questions["likely"].has_nulls()

    def ceiling(self) -> dict[str, float] | None:
        """How often the expert itself did what it does most often."""
        return self._share(self.questions["taken"] == self.questions["likely"])._asdict() if self.tells else None

    def rounds(self, answers: Answers) -> list[dict[str, Any]]:
        """Agreement by betting round, without intervals."""
        target = self.questions["likely" if self.tells else "taken"]
        table = pl.DataFrame(
            {"round": self.questions["sequence"].str.count_matches("-"), "agreement": answers.letters == target}
        )
        sums = table.group_by("round").agg(pl.len().alias("decisions"), pl.col("agreement").mean()).sort("round")
        return [dict(row) for row in sums.to_dicts()]

    def difference(self, one: Answers, other: Answers) -> dict[str, float]:
        """How much more often `one` agrees than `other`, with what is likely if known or else with what was taken."""
        target = self.questions["likely" if self.tells else "taken"]
        right = [(each.letters == target).to_numpy().astype(np.float64) for each in (one, other)]
        return self._share(pl.Series(right[0] - right[1]))._asdict()

    def _share(self, values: pl.Series) -> Share:
        numbers = values.to_numpy().astype(np.float64)
        low, high = np.quantile(self._resample(numbers) / self._sizes, (0.025, 0.975))
        return Share(float(numbers.mean()), float(low), float(high))


def report(judge: Judge, curve: Sequence[Mapping[str, Any]], ablations: Mapping[str, Answers]) -> dict[str, Any]:
    """The document of fidelity.

    curve      per point: hands, cases, and answers as "imitation" and "strength only"
    ablations  answers with features left out, "all features" among them
    """
    whole = ablations["all features"]
    return {
        "decisions": len(judge.questions),
        "hands": int(judge.questions["hand"].n_unique()),
        "own_draw": judge.ceiling(),
        "curve": [
            {key: judge.judge(value) if isinstance(value, Answers) else value for key, value in point.items()}
            for point in curve
        ],
        "rounds": judge.rounds(whole),
        "ablations": {
            name: {**judge.judge(answers), "difference": judge.difference(answers, whole)}
            for name, answers in ablations.items()
        },
    }
