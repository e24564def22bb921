"""Strategies on disk: a folder with a manifest and the probabilities, which are memory-mapped when loaded.

A betting tree is built again from its menus; one that comes from none (see `kibitz.bet_sizing.play`) is kept too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.files import (
    check_seal,
    checksum,
    folder_taking_place,
    load_array,
    load_arrays,
    read_json,
    save_array,
    sealed,
    shown,
)
from kibitz.games import Game, format_gamedef, parse_gamedef
from kibitz.strategy.core import Layout, Strategy, StrategyError
from kibitz.strategy.exploitability import Solved
from kibitz.tree import Menu, Tree, build_tree

MANIFEST, VALUES, TREE = "manifest.json", "values.npy", "tree.npz"
_TOLERANCE, _TOLERANCE_OF_SUMS = 1e-3, 1e-2  # of probabilities kept in half precision
_COLUMNS = ("kind", "player", "round", "parent", "first_child", "children", "spent", "folded", "actions")


def save_strategy(strategy: Strategy, folder: str | Path, dtype: str = "float64") -> None:
    """Write `strategy` to `folder`, whole or not at all; an older strategy there is replaced, anything else is not."""
    folder = _path(folder).resolve()
    if folder.exists() and (reason := _why_not_replaced(folder)):
        raise StrategyError(f"{folder} exists and {reason}: it is not replaced")
    with folder_taking_place(folder) as beside:
        _write(strategy, beside, dtype)


def _write(strategy: Strategy, beside: Path, dtype: str) -> None:
    layout, values = strategy.layout, strategy.values.astype(dtype, copy=False)
    save_array(beside / VALUES, values)
    if not layout.tree.menus:
        columns = {name: np.asarray(getattr(layout.tree, name)) for name in _COLUMNS}
        np.savez_compressed(beside / TREE, allow_pickle=False, **columns)
    manifest = {
        "kibitz": __version__,
        "game": format_gamedef(layout.tree.game),
        "name": layout.tree.game.name,
        "menus": [str(menu) for menu in layout.tree.menus],
        "tree": layout.tree.fingerprint,
        "states": layout.counts.tolist(),
        "cards": layout.cards,
        "checksum": checksum(values),
        "made": strategy.manifest,
    }
    (beside / MANIFEST).write_text(json.dumps(sealed(manifest), indent=2) + "\n")


def _why_not_replaced(folder: Path) -> str:
    """What would be lost with `folder` beyond an older strategy."""
    try:
        _read_manifest(folder)
    except StrategyError:
        return "holds no strategy"
    others = sorted({path.name for path in folder.iterdir()} - {MANIFEST, VALUES, TREE})
    return f"holds more than a strategy ({others[0]})" if others else ""


def find_strategy(folder: str | Path) -> Path:
    """The folder of a strategy: `folder` itself, or the one within that `kibitz solve --out` made."""
    folder = _path(folder)
    try:
        return folder / "strategy" if (folder / "strategy" / MANIFEST).is_file() else folder
    except OSError as error:  # such as a name that is too long for a file
        raise StrategyError(f"no strategy {str(folder)!r}: {error.strerror or error}") from None


def _path(folder: object) -> Path:
    if not isinstance(folder, str | Path):
        raise StrategyError(f"{folder!r} is not a strategy's folder: give its path as a text or a Path")
    return Path(folder)


def read_solved(folder: str | Path) -> Solved:
    """The game that the strategy in `folder` was solved in; its probabilities are not read."""
    manifest = _read_manifest(find_strategy(folder))
    try:
        return Solved(
            parse_gamedef(manifest["game"], manifest["name"]), list(manifest["menus"]), dict(manifest["made"])
        )
    except Exception as error:  # a manifest may say anything
        raise StrategyError(f"{folder} is not a complete strategy: {_describe(error)}") from None


def load_strategy(folder: str | Path, layout: Layout | None = None) -> Strategy:
    """The strategy in `folder` (see `find_strategy`), its probabilities memory-mapped.

    With a `layout` the fingerprints are checked against it; without one the tree is built again from the manifest, or
    read where it comes from no menus.

    >>> import kibitz
    >>> kibitz.solve("kuhn", 100).save("kuhn-agent")
    >>> kibitz.load_strategy("kuhn-agent")
    Strategy(kuhn, 24 infoset-action pairs, dcfr, 100 iterations)
    """
    folder = find_strategy(folder)
    manifest = _read_manifest(folder)
    try:
        if layout is None:
            game = parse_gamedef(manifest["game"], manifest["name"])
            menus = [Menu.parse(menu) for menu in manifest["menus"]]
            tree = build_tree(game, menus) if menus else _read_tree(folder / TREE, game)
            layout = Layout(tree, np.array(manifest["states"], dtype=np.int64), manifest["cards"])
        for what, theirs, ours in (
            ("betting tree", manifest["tree"], layout.tree.fingerprint),
            ("private states", manifest["cards"], layout.cards),
        ):
            if theirs != ours:
                said = shown(theirs, quoted=False)
                raise StrategyError(f"{folder}: its {what} is {said}, but {ours} is needed here")
        values = load_array(folder / VALUES)
        made, size = dict(manifest["made"]), layout.size
    except StrategyError:
        raise
    except Exception as error:  # a manifest may say anything, and the tree is built from it
        raise StrategyError(f"{folder} is not a complete strategy: {_describe(error)}") from None
    if values.shape != (size,):
        raise StrategyError(f"{folder}: {values.shape} probabilities, the tree and its cards need ({size},)")
    # Only not-a-number is neither above nor below.
    if values.dtype.kind != "f" or (values.size and not (values.min() >= 0 and values.max() <= 1 + _TOLERANCE)):
        raise StrategyError(f"{folder}: {VALUES} contains values that are not probabilities")
    if any(np.abs(sums - 1).max() > _TOLERANCE_OF_SUMS for sums in layout.sums(values)):
        raise StrategyError(f"{folder}: {VALUES} is damaged: probabilities do not add up to 1")
    wanted, found = manifest.get("checksum"), checksum(values)
    if wanted not in (None, found):  # older strategies have none
        said = shown(wanted, quoted=False)
        raise StrategyError(f"{folder}: {VALUES} is damaged: its checksum is {found}, the manifest says {said}")
    try:
        check_seal(manifest)
    except ValueError as error:
        raise StrategyError(f"{folder / MANIFEST}: {error}") from None
    return Strategy(layout, values, made)


def _read_tree(path: Path, game: Game) -> Tree:
    """A tree that comes from no menus; its fingerprint is the manifest's to check."""
    columns = load_arrays(path)
    found: dict[str, Any] = {name: columns[name] for name in _COLUMNS}
    return Tree(game, (), **{**found, "actions": tuple(found["actions"].tolist())})


def _describe(error: Exception) -> str:
    """What is wrong; errors of Python's own do not say where they come from, and their kind says more."""
    if isinstance(error, KibitzError | OSError) or type(error) is ValueError:
        return str(error)
    return f"its manifest or its tree is damaged ({type(error).__name__} {error})".replace("\n", " ")


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        if not folder.exists():
            raise StrategyError(f"there is no folder {folder}: give that of a strategy") from None
        seats = [each.parent for each in sorted(folder.glob(f"seat-*/{MANIFEST}"))]
        instead = f" (there are strategies of single seats: {', '.join(map(str, seats))})" if seats else ""
        raise StrategyError(f"{folder} holds no strategy: there is no {MANIFEST}{instead}") from None
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or "tree" not in manifest:
        raise StrategyError(f"{path} does not describe a strategy")
    return manifest
