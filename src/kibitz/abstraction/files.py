"""Card abstractions as artefacts: one array per table, memory-mapped when loaded.

Percentile buckets keep their thresholds only; the features that these cut are the same for everybody and lie in the
cache folder, where they are made again if they are missing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.abstraction.build import (
    Masses,
    build_abstraction,
    built_counts,
    class_pattern,
    fingerprint_rounds,
    round_arrays,
    round_from_arrays,
)
from kibitz.abstraction.core import CardAbstraction, ClassMap, CutMap, TableMap
from kibitz.abstraction.features.boards import CANONICAL, LAYOUT, PAIRS, STREETS
from kibitz.abstraction.features.cache import cache_folder, caching
from kibitz.abstraction.features.strength import FEATURES
from kibitz.abstraction.notation import CLASSES, Notation, parse_notation
from kibitz.errors import FormatError, KibitzError
from kibitz.files import clear_partial, shown
from kibitz.plans import Artefact, ArtefactError, open_artefact, save_artefact
from kibitz.progress import Progress, silent

KIND = "cards"
BUILDS = "abstractions-2"  # the folder in the cache; another way of building needs another one


def cards_artefact(abstraction: CardAbstraction) -> Artefact:
    """What is kept of a card abstraction."""
    rounds: list[dict[str, Any]] = []
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for number, (each, mass) in enumerate(zip(abstraction.rounds, abstraction.masses, strict=True)):
        found = round_arrays(each) | ({} if mass is None else {"masses": mass})
        arrays |= {_name(number, name): array for name, array in found.items()}
        pattern = each.pattern if isinstance(each, ClassMap) else ""
        rounds.append({"kind": each.kind, "size": each.size, "arrays": list(found), "pattern": pattern})
    about = {
        "notation": abstraction.name,
        "counts": abstraction.counts.tolist(),
        "fingerprint": abstraction.fingerprint,
        "features": LAYOUT,
        "rounds": rounds,
    }
    return Artefact(KIND, about, abstraction.provenance, arrays, content=abstraction)


def _name(number: int, name: str) -> str:
    """That of an array of a round."""
    return f"round-{number}-{name}"


def save_abstraction(abstraction: CardAbstraction, folder: Path, replace: bool = True) -> None:
    """Write `abstraction` to `folder`, whole or not at all; an older one there is replaced, and nothing else.

    replace   False keeps one that another process has saved meanwhile
    """
    save_artefact(cards_artefact(abstraction), folder, replace)


def read_abstraction(folder: Path) -> CardAbstraction:
    """The abstraction in `folder`, its tables memory-mapped, and checked against its notation and fingerprint."""
    try:
        abstraction = _restored(open_artefact(folder, KIND))
        check_abstraction(abstraction)
    except ArtefactError as error:
        raise FormatError(f"{error}{_way_out(folder)}") from None
    except KeyError as error:
        raise _refusal(folder, f"is not a whole card abstraction: its manifest has no {error}") from None
    except Exception as error:  # a manifest may say anything
        what = "" if isinstance(error, OSError | ValueError) else f"{type(error).__name__} "
        raise _refusal(folder, f"is not a whole card abstraction: {what}{error}") from None
    return abstraction


def _restored(found: Artefact) -> CardAbstraction:
    """What an artefact holds, as it is."""
    about = found.about
    if about["features"] != LAYOUT:
        raise FormatError(f"it numbers boards as {shown(about['features'], quoted=False)}, here they are {LAYOUT}")
    rounds, masses = [], []
    for number, each in enumerate(about["rounds"]):
        arrays = {name: found.arrays[_name(number, name)] for name in each["arrays"]}
        masses.append(arrays.pop("masses", None))
        rounds.append(round_from_arrays(each["kind"], each["size"], arrays, each["pattern"]))
    counts = np.array(about["counts"], dtype=np.int64)
    notation = parse_notation(about["notation"])
    return CardAbstraction(notation, tuple(rounds), counts, tuple(masses), about["fingerprint"], dict(found.made))


def _refusal(folder: Path, what: str) -> FormatError:
    """What is wrong with `folder`, and what to do about it."""
    return FormatError(f"{folder} {what}{_way_out(folder)}")


def _way_out(folder: Path) -> str:
    return ": delete this folder, and it is made again" if folder.parent == cache_folder() / BUILDS else ""


def abstraction_folder(notation: Notation, seed: int = 0) -> Path:
    """Where the cache keeps the abstraction of this name; only clusters depend on the seed."""
    name = str(notation).lower().replace(" ", "_").replace("/", ".")
    return cache_folder() / BUILDS / (f"{name}_seed-{seed}" if _is_clustered(notation) else name)


def _is_clustered(notation: Notation) -> bool:
    return any(feature in ("KE", "KO") for names in notation.features for feature in names)


def load_abstraction(
    which: str | Path | Notation, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> CardAbstraction:
    """The abstraction of a name: from the cache, where it is built if it is not there yet; or that saved in a folder.

    Text is a folder only where it is no name, as ./5-bucket: what a name means does not depend on where one stands.
    """
    if isinstance(which, Path):
        return read_abstraction(which)
    if isinstance(which, Notation):
        return _load_named(which, seed, threads, progress)
    try:
        notation = parse_notation(which)
    except KibitzError:
        if not os.path.isdir(which):
            raise
        return read_abstraction(Path(which))
    return _load_named(notation, seed, threads, progress)


def _load_named(notation: Notation, seed: int, threads: int, progress: Progress) -> CardAbstraction:
    folder = abstraction_folder(notation, seed)
    if not folder.exists():
        clear_partial(folder.parent)
        built = build_abstraction(notation, seed, threads, progress)
        with caching(folder, sum(array.nbytes for each in built.rounds for array in round_arrays(each).values())):
            save_abstraction(built, folder, replace=False)
    abstraction = read_abstraction(folder)
    if abstraction.notation != notation:
        raise _refusal(folder, f"holds {abstraction.name}, where {notation} should be")
    found = abstraction.provenance.get("seed", seed)
    if _is_clustered(notation) and found != seed:
        raise _refusal(folder, f"holds {notation} of seed {found}, where that of seed {seed} should be")
    return abstraction


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
