"""Building card abstractions from their notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz import __version__
from kibitz.abstraction.clusters.streets import cluster_street
from kibitz.abstraction.core import CardAbstraction, ClassMap, CutMap, RoundMap, TableMap
from kibitz.abstraction.features.boards import LAYOUT, STREETS, get_boards, pair_cards
from kibitz.abstraction.features.strength import MOST, pair_classes
from kibitz.abstraction.notation import CLASSES, PERCENTILES, Notation, parse_notation
from kibitz.abstraction.percentiles import Cut, CutStep, cut_perfect_recall, cut_street, table_masses
from kibitz.abstraction.report import cutting_cost, is_cut
from kibitz.errors import FormatError, KibitzError
from kibitz.files import fingerprint
from kibitz.isomorphism import IsomorphismIndex
from kibitz.progress import Progress, silent

Masses = npt.NDArray[np.float64] | None
_STREETS_OF = {"PHS": (5,), "KO": (5,), "KE": (0, 3, 4)}  # cards on the board; other features serve all streets
_MOST_BYTES = 1 << 36
_TABULATED = 4  # cards on the board up to which classes are kept in a table; beyond, they are found by their index


class _Built(NamedTuple):
    """A round, the chances of its buckets, and how it was made."""

    found: RoundMap
    masses: Masses
    made: dict[str, Any]


def build_abstraction(
    notation: str | Notation, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> CardAbstraction:
    """The abstraction that `notation` names; features that the cache lacks are made on the way.

    seed     of the samples and starts of clustering; percentiles use none
    threads  change the speed and nothing else
    progress is told (stage, done, total) now and then
    """
    if isinstance(notation, str):
        notation = parse_notation(notation)
    check_buildable(notation)
    if notation.recall == "PR" and notation.features:
        built = _build_perfect_recall(notation, threads, progress)
    else:
        built = [_build_round(notation, round_, seed, threads, progress) for round_ in range(len(STREETS))]
    rounds = tuple(each.found for each in built)
    provenance = {"kibitz": __version__, "features": LAYOUT, "seed": seed, "rounds": [each.made for each in built]}
    counts = np.array(built_counts(notation), dtype=np.int64)
    masses = tuple(each.masses for each in built)
    return CardAbstraction(notation, rounds, counts, masses, fingerprint_rounds(notation, rounds), provenance)


def check_buildable(notation: Notation) -> None:
    """Refuse what can be counted only."""
    if notation.public:
        raise KibitzError(
            f"{notation} has public buckets of boards: Kibitz counts such abstractions but cannot build them"
        )
    for round_, lossless in enumerate(notation.lossless):
        if lossless or notation.sizes[round_].count == 1:
            continue
        features, size = notation.features_of(round_), STREETS[round_]
        if notation.recall == "PR" and not set(features) <= set(PERCENTILES):
            raise KibitzError(f"{notation}: clusters ({'/'.join(features)}) are built with imperfect recall (IR) only")
        for name in features:
            if name in _STREETS_OF and size not in _STREETS_OF[name]:
                raise KibitzError(f"{notation}: {name} is not for boards of {size} cards, but {_STREETS_OF[name]}")
        _check_size(notation, round_)
    if notation.features and (memory := cutting_cost(notation).memory) > _MOST_BYTES:
        raise KibitzError(
            f"{notation}: counting its buckets takes about {memory >> 30:,} GiB of memory, and at most "
            f"{_MOST_BYTES >> 30} are taken: give fewer buckets"
        )


def _check_size(notation: Notation, round_: int) -> None:
    """Refuse more buckets than there are hands to tell apart, most of which would be empty."""
    count, most = notation.sizes[round_].count, CLASSES["IR"][round_]
    if is_cut(notation, round_) and STREETS[round_] == 5:
        most = MOST + 1  # values of HS
    if count > most:
        raise KibitzError(
            f"{notation}: {count:,} buckets with {STREETS[round_]} cards on the board, where "
            f"{'/'.join(notation.features_of(round_))} tells at most {most:,} hands apart"
        )


def _steps(notation: Notation, round_: int) -> list[CutStep]:
    """The features and parts of a round of percentiles; HS is what E[HS] is called on the river."""
    features, parts = notation.features_of(round_), notation.sizes[round_].parts
    return [("EHS" if name == "PHS" else name, part) for name, part in zip(features, parts, strict=False)]


def built_counts(notation: Notation) -> tuple[int, ...]:
    """Buckets per round: what is printed, but for the flop of another index (`PRINTED_FLOPS`)."""
    return tuple(
        CLASSES[notation.recall][round_] if lossless else count
        for round_, (count, lossless) in enumerate(zip(notation.counts, notation.lossless, strict=True))
    )


def _build_perfect_recall(notation: Notation, threads: int, progress: Progress) -> list[_Built]:
    if max(notation.counts) == 1:  # no features need be made
        return [_Built(CutMap(size, ()), np.ones(1), {"method": "one bucket"}) for size in STREETS]
    plan = [_steps(notation, round_) for round_ in range(len(STREETS))]
    cutting = cut_perfect_recall(plan, threads, progress)
    made = {"method": "percentiles of each parent", "boards": "all"}
    maps = map(CutMap, STREETS, cutting.cuts)
    return [_Built(found, mass, made) for found, mass in zip(maps, cutting.masses, strict=True)]


def _build_round(notation: Notation, round_: int, seed: int, threads: int, progress: Progress) -> _Built:
    """One round of an abstraction with imperfect recall."""
    if notation.lossless[round_]:
        return _Built(*_class_map(notation, round_), {"method": "isomorphism"})
    size, features, count = STREETS[round_], notation.features_of(round_), notation.counts[round_]
    if count == 1:
        return _Built(CutMap(size, ()), np.ones(1), {"method": "one bucket"})
    if set(features) <= set(PERCENTILES):
        cuts, masses = cut_street(size, _steps(notation, round_), threads, progress)
        return _Built(CutMap(size, cuts), masses, {"method": "percentiles", "boards": "all"})
    table, made = cluster_street(features[0], size, count, seed, threads, progress)
    return _Built(TableMap(size, table), table_masses(size, table, count, threads, progress), made)


def _class_map(notation: Notation, round_: int) -> tuple[RoundMap, Masses]:
    """A round that keeps every class: a table where that is small enough."""
    size = STREETS[round_]
    if size == 0:
        classes = pair_classes()
        return TableMap(0, classes[None].astype(np.uint8)), np.bincount(classes) / len(classes)
    pattern = class_pattern(notation.recall, round_)
    if notation.recall == "PR" or size > _TABULATED:
        return ClassMap(size, pattern), None
    boards, pairs = get_boards(size), pair_cards()
    table = np.zeros((len(boards), len(pairs)), dtype=np.int32)
    index = IsomorphismIndex(pattern)
    for row, board in enumerate(boards.cards):
        there = ~np.isin(pairs, board).any(axis=1)
        hands = np.concatenate((pairs[there], np.broadcast_to(board, (int(there.sum()), size))), axis=1)
        table[row, there] = index.index_batch(hands)
    return TableMap(size, table), None


def class_pattern(recall: str, round_: int) -> str:
    """How `IsomorphismIndex` is told to number the classes of a round: boards as sets of cards, or as they came."""
    return f"2|{STREETS[round_]}" if recall == "IR" else "|".join("2311"[: round_ + 1])


def fingerprint_rounds(notation: Notation, rounds: Sequence[RoundMap]) -> str:
    """A hash of notation and buckets."""
    parts: list[str | npt.NDArray[Any]] = [f"{LAYOUT} {notation}"]
    for each in rounds:
        parts.append(f"{each.kind} {each.size}")
        for array in round_arrays(each).values():
            parts += [f"{array.dtype.str} {array.shape}", array]
    return fingerprint(*parts)


def round_arrays(each: RoundMap) -> dict[str, npt.NDArray[Any]]:
    """The arrays that a round consists of, by name."""
    if isinstance(each, TableMap):
        return {"table": each.table}
    if isinstance(each, CutMap):
        return {f"cut-{number}-{cut.feature}": cut.thresholds for number, cut in enumerate(each.cuts)}
    return {}


def round_from_arrays(kind: str, size: int, arrays: dict[str, npt.NDArray[Any]], pattern: str) -> RoundMap:
    """The round that `round_arrays` took apart."""
    if kind == TableMap.kind:
        return TableMap(size, arrays["table"])
    if kind == CutMap.kind:
        return CutMap(size, tuple(Cut(name.rpartition("-")[2], array) for name, array in arrays.items()))
    if kind == ClassMap.kind:
        return ClassMap(size, pattern)
    raise FormatError(f"rounds of kind {kind!r}: there are {TableMap.kind}, {CutMap.kind} and {ClassMap.kind}")
