"""What is in a case base, and why a decision is what it is: the cases retrieved, their similarity, their hands."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf, isnan
from typing import Any

import polars as pl

from kibitz.modelling.cases.base import HANDS, CaseBase, case_starts
from kibitz.modelling.cases.betting import NEXT_ROUND
from kibitz.modelling.cases.features import FEATURES, Features
from kibitz.modelling.cases.retrieval import EQUAL, Case, CaseIndex, Solution
from kibitz.modelling.cases.similarity import Local

COMMON = 10  # betting sequences listed


def summarise(base: CaseBase) -> dict[str, Any]:
    """Numbers of cases and decisions, settings, provenance, rounds and the most frequent betting, as plain values."""
    return {
        "cases": base.cases,
        "decisions": base.decisions,
        "description": asdict(base.description),
        "made": base.provenance,
        "rounds": _rounds(base),
        "references": int(base.rows[HANDS].list.len().sum()),
        "sequences": _common(base),
    }


def _rounds(base: CaseBase) -> list[dict[str, Any]]:
    """Cases, decisions and the share of each action, round by round."""
    first = pl.Series(case_starts(base.rows))
    rows = base.rows.with_columns(round=pl.col("sequence").str.count_matches(NEXT_ROUND), first=first)
    found = []
    for number in sorted(rows["round"].unique().to_list()):
        part = rows.filter(pl.col("round") == number)
        total = int(part["count"].sum())
        taken = part.group_by("action").agg(pl.col("count").sum()).sort("action").iter_rows()
        actions = {base.description.alphabet[action]: count / total for action, count in taken}
        found.append({"round": number, "cases": int(part["first"].sum()), "decisions": total, "actions": actions})
    return found


def _common(base: CaseBase) -> list[dict[str, Any]]:
    """The betting sequences that came most often, with the first hand of their first case."""
    rows = base.rows.with_row_index("row")
    sums = rows.group_by("sequence").agg(pl.col("row").first(), decisions=pl.col("count").sum())
    ordered = sums.sort(["decisions", "sequence"], descending=[True, False])
    found = []
    for row, sequence, decisions in ordered.head(COMMON).select("row", "sequence", "decisions").iter_rows():
        hands = base.hands(row, row + 1)
        first = hands[0]._asdict() if hands else None
        found.append({"sequence": sequence, "decisions": decisions, "first": first})
    return found


@dataclass(frozen=True)
class Neighbour:
    """A case beside a decision: `retrieved` if it is one of the most similar, whose actions are re-used."""

    case: Case
    similarity: float
    local: Local
    retrieved: bool


@dataclass(frozen=True)
class Explanation:
    """A decision and the cases nearest to it, best first.

    retrieved  how many cases are equally the most similar; 0 where nothing is similar, and then one checks or calls
    solution   what they say together, None where there is none
    """

    features: Features
    alphabet: str
    neighbours: tuple[Neighbour, ...]
    retrieved: int
    similarity: float
    solution: Solution | None

    @property
    def hands(self) -> int:
        """Hands behind the solution."""
        return 0 if self.solution is None else int(self.solution.actions.sum())

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, for JSON."""
        result: dict[str, Any] = {
            "features": self.features._asdict(),
            "similarity": self.similarity,
            "retrieved": self.retrieved,
            "hands": self.hands,
            "fallback": self.solution is None,
            "actions": {},
            "outcomes": {},
        }
        if self.solution is not None:
            actions, outcomes = self.solution.actions.tolist(), self.solution.outcomes.tolist()
            result["actions"] = self._by_letter([count / self.hands for count in actions])
            result["outcomes"] = self._by_letter(outcomes, nothing=-inf)
        result["cases"] = [self._neighbour(each) for each in self.neighbours]
        return result

    def _by_letter(self, values: list[float] | tuple[float, ...], nothing: float = 0.0) -> dict[str, float]:
        return {letter: value for letter, value in zip(self.alphabet, values, strict=True) if value != nothing}

    def _neighbour(self, each: Neighbour) -> dict[str, Any]:
        local, references = dict(zip(FEATURES, each.local, strict=True)), each.case.references
        return {
            **each.case.features._asdict(),
            "similarity": each.similarity,
            "retrieved": each.retrieved,
            "by_feature": {name: value for name, value in local.items() if not isnan(value)},
            "hands": each.case.hands,
            "counts": self._by_letter(each.case.actions),
            "outcomes": self._by_letter(each.case.outcomes, nothing=-inf),
            "references": None if references is None else [reference._asdict() for reference in references],
        }


def explain(index: CaseIndex, features: Features, count: int = 5, floor: float = 0.0) -> Explanation:
    """What the cases say about a decision, with the `count` nearest of them.

    floor   the similarity below which a case is not re-used
    """
    found = index.retrieve(features)
    reused = len(found.cases) > 0 and found.similarity >= floor - EQUAL
    best = set(found.cases.tolist()) if reused else set()
    numbers, similarities = index.rank(features, count)
    neighbours = []
    for number, similarity in zip(numbers.tolist(), similarities.tolist(), strict=True):
        case = index.case(number)
        neighbours.append(Neighbour(case, similarity, index.compare(features, case), number in best))
    solution = index.solution(found.cases) if reused else None
    alphabet = index.base.description.alphabet
    return Explanation(features, alphabet, tuple(neighbours), len(best), found.similarity, solution)
