"""Card abstractions on disk: a folder with a manifest and one file per table, memory-mapped when loaded.

Percentile buckets keep their thresholds only; the features that these cut are the same for everybody and lie in the
cache folder, where they are made again if they are missing.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from kibitz.abstraction.build import build_abstraction, round_arrays, round_from_arrays
from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import LAYOUT
from kibitz.abstraction.features.cache import cache_folder
from kibitz.abstraction.features.slices import Progress, silent
from kibitz.abstraction.maps import ClassMap
from kibitz.abstraction.notation import Notation, parse_notation
from kibitz.errors import FormatError, KibitzError

MANIFEST = "manifest.json"
BUILDS = "abstractions-1"  # the folder in the cache; another way of building needs another one


def save_abstraction(abstraction: CardAbstraction, folder: Path) -> None:
    """Write `abstraction` to `folder`, whole or not at all; an older one there is replaced."""
    if folder.exists() and not is_saved(folder):
        raise KibitzError(f"{folder} exists and holds no card abstraction: it is not replaced")
    beside = folder.with_name(f"{folder.name}.{uuid4().hex[:8]}.partial")
    beside.mkdir(parents=True)
    rounds = []
    for number, (each, mass) in enumerate(zip(abstraction.rounds, abstraction.masses, strict=True)):
        arrays = round_arrays(each) | ({} if mass is None else {"masses": mass})
        for name, array in arrays.items():
            np.save(beside / f"round-{number}-{name}.npy", array)
        pattern = each.pattern if isinstance(each, ClassMap) else ""
        rounds.append({"kind": each.kind, "size": each.size, "arrays": list(arrays), "pattern": pattern})
    manifest = {
        "notation": abstraction.name,
        "counts": abstraction.counts.tolist(),
        "fingerprint": abstraction.fingerprint,
        "features": LAYOUT,
        "rounds": rounds,
        "made": abstraction.provenance,
    }
    (beside / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    if folder.exists():
        shutil.rmtree(folder)
    beside.rename(folder)


def is_saved(folder: Path) -> bool:
    """Whether `folder` holds a card abstraction."""
    return (folder / MANIFEST).exists()


def read_abstraction(folder: Path) -> CardAbstraction:
    """The abstraction in `folder`, its tables memory-mapped."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        if manifest["features"] != LAYOUT:
            raise FormatError(
                f"{folder} numbers boards as {manifest['features']}, here they are {LAYOUT}: build it again"
            )
        rounds, masses = [], []
        for number, each in enumerate(manifest["rounds"]):
            arrays = {
                name: np.asarray(np.load(folder / f"round-{number}-{name}.npy", mmap_mode="r"))
                for name in each["arrays"]
            }
            masses.append(arrays.pop("masses", None))
            rounds.append(round_from_arrays(each["kind"], each["size"], arrays, each["pattern"]))
        counts = np.array(manifest["counts"], dtype=np.int64)
        notation = parse_notation(manifest["notation"])
        made, fingerprint = manifest["made"], manifest["fingerprint"]
    except FileNotFoundError as error:
        raise FormatError(f"{folder} holds no whole card abstraction: {error.filename} is missing") from None
    except (KeyError, TypeError, OSError, EOFError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{folder} is not a whole card abstraction: {error}") from None
    return CardAbstraction(notation, tuple(rounds), counts, tuple(masses), fingerprint, made)


def abstraction_folder(notation: Notation, seed: int = 0) -> Path:
    """Where the cache keeps the abstraction of this name; only clusters depend on the seed."""
    name = str(notation).lower().replace(" ", "_").replace("/", ".")
    clustered = any(feature in ("KE", "KO") for names in notation.features for feature in names)
    return cache_folder() / BUILDS / (f"{name}_seed-{seed}" if clustered else name)


def load_abstraction(
    which: str | Path | Notation, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> CardAbstraction:
    """The abstraction saved in a folder, or of a name: from the cache, where it is built if it is not there yet."""
    if not isinstance(which, Notation):
        if isinstance(which, Path) or is_saved(Path(which)):
            return read_abstraction(Path(which))
        which = parse_notation(which)
    folder = abstraction_folder(which, seed)
    if not is_saved(folder):
        save_abstraction(build_abstraction(which, seed, threads, progress), folder)
    return read_abstraction(folder)
