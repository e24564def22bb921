"""Finding the most similar cases, exactly: by the shape of the betting, then bet sizes, then all other features.

Betting sequences of different shape have similarity 0, and what was done there answers another question: such cases are
never retrieved, so the shape is an exact key. Within a shape, sequences are tried from the nearest on, until even a
case equal in all else could not reach the best one found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.errors import FormatError
from kibitz.modelling.cases.base import CaseBase, Reference, case_starts
from kibitz.modelling.cases.betting import CALL, NEXT_ROUND, RAISE, faces_bet
from kibitz.modelling.cases.features import TEXTURES, Features
from kibitz.modelling.cases.similarity import Local, Similarity
from kibitz.modelling.cases.strength import load_strength

EQUAL = 1e-9  # similarities that differ by less are the same
REMEMBERED = 1 << 16  # decisions whose advice is kept, about 500 bytes each
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Case(NamedTuple):
    """A case and what was done in it.

    actions     per letter of the alphabet, how many hands it was taken in
    outcomes    per letter, the average that those hands won, in big blinds; -inf where it was never taken
    references  the first of those hands, by letter; None where the case base does not have them
    """

    features: Features
    actions: tuple[int, ...]
    outcomes: tuple[float, ...]
    references: tuple[Reference, ...] | None = None

    @property
    def hands(self) -> int:
        """How many hands stand behind it."""
        return sum(self.actions)


class Solution(NamedTuple):
    """What equally similar cases say together; see `Case`."""

    actions: Ints
    outcomes: Floats


class Advice(NamedTuple):
    """What the most similar cases say, and how similar they are; no solution where nothing can be similar."""

    solution: Solution | None
    similarity: float


class Retrieved(NamedTuple):
    """The most similar cases by their numbers, and how similar they are; none at all where nothing can be similar."""

    cases: Ints
    similarity: float


@dataclass(frozen=True, eq=False)
class _Group:
    """The sequences of one shape: their numbers int64[n] and the places of their bets int8[n, bets]."""

    sequences: Ints
    places: npt.NDArray[np.int8]


class CaseIndex:
    """A case base made ready for retrieval; its cases are numbered in the order of its rows."""

    def __init__(self, base: CaseBase, similarity: Similarity | None = None, totals: tuple[int, ...] = ()) -> None:
        """totals: strength buckets of each round, where the description names a strength that is not known here."""
        self.base = base
        self.similarity = similarity or Similarity()
        self.totals = totals or load_strength(base.description.strength).counts
        rows, starts = base.rows, case_starts(base.rows)
        self._rows = np.append(np.flatnonzero(starts), len(rows))  # where the rows of each case start
        self._actions, self._counts, self._outcomes = (rows[name].to_numpy() for name in ("action", "count", "outcome"))
        first = rows.filter(pl.Series(starts))
        numbers = first["sequence"].rle_id()
        self._sequences: list[str] = first["sequence"].unique(maintain_order=True).to_list()
        self._starts = np.append(np.flatnonzero(numbers.diff().fill_null(1).to_numpy()), len(first))
        strength, commitment, texture = (first[name].to_numpy().astype(np.int32) for name in first.columns[1:4])
        most = np.array(self.totals)[first["sequence"].str.count_matches(NEXT_ROUND).to_numpy()]
        if (strength > most).any():
            raise FormatError(f"cases of strength {strength.max()}: {base.description.strength} has {self.totals}")
        commitments = base.description.commitments
        self._cells = ((strength - 1) * commitments + commitment - 1) * len(TEXTURES) + texture
        self._taken: dict[str, frozenset[int]] = {}
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._advise)

    def __len__(self) -> int:
        return len(self._cells)

    @cached_property
    def _groups(self) -> dict[str, _Group]:
        shapes: dict[str, list[int]] = {}
        for number, sequence in enumerate(self._sequences):
            shapes.setdefault(self._key(sequence), []).append(number)
        letters = self.base.description.letters
        groups = {}
        for key, numbers in shapes.items():
            places = [letters.places(self._sequences[number]) if self._keyed else [] for number in numbers]
            groups[key] = _Group(np.array(numbers), np.array(places, dtype=np.int8).reshape(len(numbers), -1))
        return groups

    @property
    def _keyed(self) -> bool:
        """Whether betting counts at all."""
        return self.similarity.weights[1] > 0

    def _key(self, sequence: str) -> str:
        if self._keyed:
            return self.base.description.letters.shape(sequence)
        return f"{sequence.count('-')}{'facing a bet' * faces_bet(sequence, self.base.players)}"

    def taken(self, sequence: str) -> frozenset[int]:
        """The letters, by place in the alphabet, taken in any case that may be similar to a decision there."""
        key = self._key(sequence)
        if key not in self._taken:
            group = self._groups.get(key)
            cases = np.empty(0, dtype=np.int64) if group is None else self._cases_of(group.sequences)
            self._taken[key] = frozenset(self._actions[_ranges(self._rows, cases)].tolist())
        return self._taken[key]

    def advise(self, target: Features) -> Advice:
        """What the cases most similar to `target` say together; the same decisions come again and are remembered."""
        return self._remembered(self._essence(target))

    def _advise(self, target: Features) -> Advice:
        cases, similarity = self.retrieve(target)
        return Advice(self.solution(cases) if len(cases) else None, similarity)

    def _essence(self, target: Features) -> Features:
        """`target` with all features equal that do not count."""
        strength, betting, commitment, texture = self.similarity.weights
        if strength and betting and commitment and texture:
            return target
        round_, sequence = target.round, target.sequence
        if not betting:  # any sequence of the round that has the same key
            players = self.base.players
            told = RAISE if faces_bet(sequence, players) else "" if round_ else CALL * (players - 1)
            sequence = NEXT_ROUND * round_ + told
        return Features(
            target.strength if strength else 1,
            sequence,
            target.commitment if commitment else 1,
            target.texture if texture else TEXTURES[0],
        )

    def retrieve(self, target: Features) -> Retrieved:
        """The cases most similar to `target`, all that are equally so."""
        group = self._groups.get(self._key(target.sequence))
        if group is None:
            return Retrieved(np.empty(0, dtype=np.int64), 0.0)
        weights = self.similarity.weights_of(target.round)
        table = self._table(target)
        most, best = float(table.max()), -1.0
        found: list[Ints] = []
        betting = weights[1] * self._betting(group, target)
        for level in np.unique(betting)[::-1].tolist():
            if level + most < best - EQUAL:
                break
            cases = self._cases_of(group.sequences[betting == level])
            scores = table[self._cells[cases]] + level
            top = float(scores.max())
            if top > best + EQUAL:
                best, found = top, []
            if top >= best - EQUAL:
                found.append(cases[scores >= best - EQUAL])
        return Retrieved(np.sort(np.concatenate(found)), best / sum(weights))

    def rank(self, target: Features, count: int) -> tuple[Ints, Floats]:
        """The `count` most similar cases, best first, and their similarities; all of the shape are looked at."""
        group = self._groups.get(self._key(target.sequence))
        if group is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        weights = self.similarity.weights_of(target.round)
        betting = np.zeros(len(self._sequences))
        betting[group.sequences] = weights[1] * self._betting(group, target)
        cases = self._cases_of(group.sequences)
        owners = np.searchsorted(self._starts, cases, side="right") - 1
        scores = (self._table(target)[self._cells[cases]] + betting[owners]) / sum(weights)
        order = np.lexsort((cases, -np.round(scores, 9)))[:count]
        return cases[order], scores[order]

    def _table(self, target: Features) -> Floats:
        total = self.totals[target.round]
        commitments = self.base.description.commitments
        return np.ravel(self.similarity.table(target, total, commitments))

    def _betting(self, group: _Group, target: Features) -> Floats:
        """The betting similarity of every sequence of the group."""
        if not self._keyed:
            return np.zeros(len(group.sequences))
        own = np.array(self.base.description.letters.places(target.sequence), dtype=np.int8)
        distance = np.abs(group.places - own).sum(axis=1)
        return np.asarray(np.maximum(1.0 - self.similarity.decay * distance, 0.0))

    def _cases_of(self, sequences: Ints) -> Ints:
        """The numbers of the cases of some sequences."""
        return _ranges(self._starts, sequences)

    def solution(self, cases: Ints) -> Solution:
        """What some cases say together, their hands added up."""
        letters = len(self.base.description.alphabet)
        rows = _ranges(self._rows, cases)
        actions = np.bincount(self._actions[rows], self._counts[rows], letters)
        won = np.bincount(self._actions[rows], self._outcomes[rows], letters)
        with np.errstate(divide="ignore", invalid="ignore"):
            outcomes = np.where(actions > 0, won / actions / 1000, -np.inf)
        return Solution(actions.astype(np.int64), outcomes)

    def case(self, number: int) -> Case:
        """One case."""
        start, stop = self._rows[number : number + 2].tolist()
        row: dict[str, Any] = self.base.rows.row(start, named=True)
        texture = TEXTURES[row["texture"]]
        features = Features(row["strength"], row["sequence"], row["commitment"], texture)
        actions, outcomes = self.solution(np.array([number]))
        return Case(features, tuple(actions.tolist()), tuple(outcomes.tolist()), self.base.hands(start, stop))

    def compare(self, target: Features, case: Case) -> Local:
        """How similar they are feature by feature."""
        letters = self.base.description.letters
        return self.similarity.local(target, case.features, self.totals[target.round], letters)


def _ranges(starts: Ints, numbers: Ints) -> Ints:
    """All of starts[n] to starts[n + 1] for every n of `numbers`, end to end."""
    begin = starts[numbers]
    lengths = starts[numbers + 1] - begin
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(begin - before, lengths))
