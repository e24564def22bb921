"""Whether what a folder holds is the card abstraction that it says it is.

Looking a bucket up checks nothing, and the kernels read wherever a table sends them: so all of it is checked once,
when it is loaded. Shapes and ranges come first, for their messages tell what is wrong; the fingerprint, a fifth of a
second for the largest tables, finds what these let through.
"""

from __future__ import annotations

import numpy as np

from kibitz.abstraction.build import Masses, built_counts, class_pattern, fingerprint_rounds
from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import CANONICAL, PAIRS, STREETS
from kibitz.abstraction.features.strength import FEATURES
from kibitz.abstraction.maps import ClassMap, CutMap, TableMap
from kibitz.abstraction.notation import CLASSES
from kibitz.errors import FormatError
from kibitz.files import shown


def check_abstraction(abstraction: CardAbstraction) -> None:
    """Refuse rounds that are not of the abstraction's notation and fingerprint."""
    notation, rounds, masses = abstraction.notation, abstraction.rounds, abstraction.masses
    counts, wanted = abstraction.counts.tolist(), list(built_counts(notation))
    if counts != wanted:
        raise FormatError(f"{counts} buckets: {notation} has {wanted}")
    sizes = [each.size for each in rounds]
    if sizes != list(STREETS):
        raise FormatError(f"rounds with {sizes} cards on the board: hold'em has {list(STREETS)}")
    for number, (each, mass, count) in enumerate(zip(rounds, masses, counts, strict=True)):
        if isinstance(each, TableMap):
            _check_table(each, number, count)
        elif isinstance(each, CutMap):
            above = counts[number - 1] if number and abstraction.parents is not None else 1
            _check_cuts(each, number, above, count)
        elif isinstance(each, ClassMap):
            _check_classes(each, number, notation.recall, count)
        _check_masses(mass, number, count)
    found = fingerprint_rounds(notation, rounds)
    if found != abstraction.fingerprint:
        raise FormatError(
            f"its tables have fingerprint {found}, its manifest {shown(abstraction.fingerprint, quoted=False)}"
        )


def _check_table(found: TableMap, number: int, count: int) -> None:
    table, wanted = found.table, (CANONICAL[found.size], PAIRS)
    if table.dtype.kind not in "iu" or table.shape != wanted:
        raise FormatError(
            f"the table of round {number} is {table.dtype}{list(table.shape)}: integers {list(wanted)} were expected"
        )
    for bucket in (int(table.min()), int(table.max())):
        if not 0 <= bucket < count:
            raise FormatError(f"the table of round {number} has bucket {bucket}: there are 0 to {count - 1}")


def _check_cuts(found: CutMap, number: int, above: int, count: int) -> None:
    """Thresholds for each bucket `above`, one cut inside the other, that end in `count` buckets."""
    states = above
    for feature, thresholds in found.cuts:
        where = f"the cuts of round {number} by {feature}"
        if feature not in FEATURES:
            raise FormatError(f"{where}: features are {', '.join(FEATURES)}")
        if thresholds.dtype != np.int64 or thresholds.ndim != 2 or len(thresholds) != states:
            raise FormatError(
                f"{where} are {thresholds.dtype}{list(thresholds.shape)}: int64[{states}, parts - 1] were expected"
            )
        if (np.diff(thresholds, axis=1) < 0).any():
            raise FormatError(f"{where} are not in increasing order")
        states *= thresholds.shape[1] + 1
    if states != count:
        raise FormatError(f"the cuts of round {number} make {states} buckets of {above}: {count} were expected")


def _check_classes(found: ClassMap, number: int, recall: str, count: int) -> None:
    wanted = class_pattern(recall, number)
    if found.pattern != wanted or count != CLASSES[recall][number]:
        raise FormatError(
            f"round {number} has {count} classes of {found.pattern!r}: {CLASSES[recall][number]} of {wanted!r} "
            "were expected"
        )


def _check_masses(mass: Masses, number: int, count: int) -> None:
    if mass is None:
        return
    if mass.dtype != np.float64 or mass.shape != (count,):
        raise FormatError(
            f"the masses of round {number} are {mass.dtype}{list(mass.shape)}: float64[{count}] were expected"
        )
    if not (mass.min() >= 0 and abs(mass.sum() - 1) < 1e-6):
        raise FormatError(
            f"the masses of round {number} are {mass.min()} or more and sum to {mass.sum()}: chances sum to 1"
        )
