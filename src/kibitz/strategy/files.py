"""Strategies on disk: a folder with a manifest and the probabilities, which are memory-mapped when loaded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.errors import GameError
from kibitz.games import format_gamedef, parse_gamedef
from kibitz.strategy.core import Layout, Strategy, StrategyError
from kibitz.tree import Menu, build_tree

MANIFEST, VALUES = "manifest.json", "values.npy"


def save_strategy(strategy: Strategy, folder: Path, dtype: str = "float64") -> None:
    """Write `strategy` to `folder`, whole or not at all; an older strategy there is replaced."""
    layout = strategy.layout
    beside = folder.with_name(folder.name + ".partial")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    np.save(beside / VALUES, strategy.values.astype(dtype))
    manifest = {
        "kibitz": __version__,
        "game": format_gamedef(layout.tree.game),
        "name": layout.tree.game.name,
        "menus": [str(menu) for menu in layout.tree.menus],
        "tree": layout.tree.fingerprint,
        "states": layout.counts.tolist(),
        "cards": layout.cards,
        "made": strategy.manifest,
    }
    (beside / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    if folder.exists():
        if not (folder / MANIFEST).exists():
            shutil.rmtree(beside)
            raise StrategyError(f"{folder} exists and holds no strategy: it is not replaced")
        shutil.rmtree(folder)
    beside.rename(folder)


def load_strategy(folder: Path, layout: Layout | None = None) -> Strategy:
    """The strategy in `folder`, its probabilities memory-mapped.

    With a `layout` the fingerprints are checked against it; without one the tree is built again from the manifest.
    """
    manifest = _read_manifest(folder)
    try:
        if layout is None:
            game = parse_gamedef(manifest["game"], manifest["name"])
            tree = build_tree(game, [Menu.parse(menu) for menu in manifest["menus"]])
            layout = Layout(tree, np.array(manifest["states"], dtype=np.int64), manifest["cards"])
        for what, theirs, ours in (
            ("betting tree", manifest["tree"], layout.tree.fingerprint),
            ("card states", manifest["cards"], layout.cards),
        ):
            if theirs != ours:
                raise StrategyError(f"{folder}: its {what} is {theirs}, here it is {ours}: they do not go together")
        values = np.asarray(np.load(folder / VALUES, mmap_mode="r"))
    except (KeyError, TypeError, GameError, OSError, EOFError, ValueError) as error:
        if isinstance(error, StrategyError):
            raise
        raise StrategyError(f"{folder} is not a whole strategy: {error}") from None
    if values.shape != (layout.size,):
        raise StrategyError(f"{folder}: {values.shape} probabilities, the tree and its cards need ({layout.size},)")
    return Strategy(layout, values, manifest["made"])


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text())
    except FileNotFoundError:
        raise StrategyError(f"{folder} holds no strategy: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or "tree" not in manifest:
        raise StrategyError(f"{path} does not describe a strategy")
    return manifest
