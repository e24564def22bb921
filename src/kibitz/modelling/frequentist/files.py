"""Models on disk: a folder with the counts, and beside them the frequencies as a strategy that plays everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.files import check_seal, checksum, folder_taking_place, load_array, read_json, save_array, sealed
from kibitz.strategy import FrequentistModel, Layout, StrategyError, load_strategy, save_strategy

MANIFEST, COUNTS, STRATEGY = "model.json", "counts.npy", "strategy"


def is_model(folder: Path) -> bool:
    """Whether `folder` holds a frequentist model."""
    return (folder / MANIFEST).is_file()


def check_replaceable(folder: Path) -> None:
    """Refuse a folder that holds something else than an older model."""
    if folder.exists() and not (folder.is_dir() and (is_model(folder) or not any(folder.iterdir()))):
        raise StrategyError(f"{folder} exists and holds no model: it is not replaced")


def save_model(model: FrequentistModel, folder: Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older model there is replaced, anything else is not."""
    folder = folder.resolve()
    check_replaceable(folder)
    with folder_taking_place(folder) as beside:
        save_array(beside / COUNTS, model.counts)
        save_strategy(model.strategy, beside / STRATEGY)
        manifest = {"kibitz": __version__, "checksum": checksum(model.counts), "made": model.manifest}
        (beside / MANIFEST).write_text(json.dumps(sealed(manifest), indent=2) + "\n")


def load_model(folder: Path, layout: Layout | None = None) -> FrequentistModel:
    """The model in `folder`, its counts memory-mapped; with a `layout`, a model of another tree or cards is refused."""
    manifest = _read_manifest(folder)
    strategy = load_strategy(folder / STRATEGY, layout)
    try:
        counts = load_array(folder / COUNTS)
        wanted, made = manifest["checksum"], dict(manifest["made"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StrategyError(f"{folder} is not a complete model: {error}") from None
    if counts.dtype.kind != "f" or counts.shape != (strategy.layout.size,):
        raise StrategyError(f"{folder}: {COUNTS} does not fit the betting tree and its cards")
    if checksum(counts) != wanted:
        raise StrategyError(f"{folder}: {COUNTS} is damaged: its checksum is not that of the manifest")
    try:
        check_seal(manifest)
    except ValueError as error:
        raise StrategyError(f"{folder / MANIFEST}: {error}") from None
    return FrequentistModel(strategy.layout, counts, made)


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        raise StrategyError(
            f"{folder} holds no model: there is no {MANIFEST}; `kibitz model build` makes one"
        ) from None
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict):
        raise StrategyError(f"{path} does not describe a model")
    return manifest
