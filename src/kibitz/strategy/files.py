"""Strategies and frequentist models as artefacts: game, menus and what the cards mean, and probabilities or counts,
memory-mapped when loaded.

A betting tree is built again from its menus; one that comes from none (see `kibitz.bet_sizing.play`) is kept too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import shown
from kibitz.games import Game, format_gamedef, parse_gamedef
from kibitz.plans import Artefact, kind_of, open_artefact, read_manifest, save_artefact
from kibitz.strategy.core import Layout, Strategy, StrategyError
from kibitz.strategy.exploitability import Solved
from kibitz.strategy.models import FrequentistModel
from kibitz.tree import Menu, Tree, build_tree

KIND, MODEL = "strategy", "model"
_TOLERANCE, _TOLERANCE_OF_SUMS = 1e-3, 1e-2  # of probabilities kept in half precision
_COLUMNS = ("kind", "player", "round", "parent", "first_child", "children", "spent", "folded", "actions")


def strategy_artefact(strategy: Strategy, files: Mapping[str, Callable[[Path], Any]] | None = None) -> Artefact:
    """What is kept of a strategy, with more files if there are."""
    arrays = {"values": strategy.values, **tree_arrays(strategy.layout.tree)}
    return Artefact(KIND, describe_layout(strategy.layout), strategy.manifest, arrays, files or {}, content=strategy)


def save_strategy(strategy: Strategy, folder: str | Path, dtype: str = "float64") -> None:
    """Write `strategy` to `folder`, whole or not at all; an older strategy there is replaced, anything else is not."""
    values = strategy.values.astype(dtype, copy=False)
    save_artefact(strategy_artefact(Strategy(strategy.layout, values, strategy.manifest)), _path(folder))


def describe_layout(layout: Layout) -> dict[str, Any]:
    """What a manifest says of what the probabilities of a layout are of."""
    told = {"tree": layout.tree.fingerprint, "states": layout.counts.tolist(), "cards": layout.cards}
    return describe_game(layout.tree) | told


def describe_game(tree: Tree) -> dict[str, Any]:
    """The game and the bets of a tree."""
    menus = [str(menu) for menu in tree.menus]
    return {"game": format_gamedef(tree.game), "name": tree.game.name, "menus": menus}


def tree_arrays(tree: Tree) -> dict[str, Any]:
    """The arrays of a tree that cannot be built again."""
    return {} if tree.menus else {f"tree-{name}": np.asarray(getattr(tree, name)) for name in _COLUMNS}


def read_layout(about: Mapping[str, Any], arrays: Mapping[str, Any]) -> Layout:
    """The layout that a manifest describes; its tree is built again, or comes from `arrays`."""
    game = parse_gamedef(about["game"], about["name"])
    menus = [Menu.parse(menu) for menu in about["menus"]]
    tree = build_tree(game, menus) if menus else _read_tree(game, arrays)
    return Layout(tree, np.array(about["states"], dtype=np.int64), about["cards"])


def _path(folder: object) -> Path:
    if not isinstance(folder, str | Path):
        raise StrategyError(f"{folder!r} is not a strategy's folder: give its path as a text or a Path")
    return Path(folder)


def find_strategy(folder: str | Path) -> Path:
    """The folder of a strategy: `folder` itself, or the one within it."""
    folder = _path(folder)
    within = folder / "strategy"
    return within if kind_of(folder) != KIND and kind_of(within) == KIND else folder


def read_solved(folder: str | Path) -> Solved:
    """The game that the strategy or model in `folder` was made in; its arrays are not read."""
    folder = find_strategy(folder)
    manifest = read_manifest(folder, MODEL if kind_of(folder) == MODEL else KIND)
    return solved_in(Artefact(manifest["kind"], manifest["about"], manifest["made"], path=folder))


def of_which_game(folder: Path) -> str:
    """What follows an exploitability of the strategy in `folder` and its unit; nothing where its game is exact."""
    with suppress(KibitzError):
        return read_solved(folder).of_which()
    return ""


def solved_in(artefact: Artefact) -> Solved:
    """The game that an artefact was made in, be it a strategy or what tells of its game as a strategy does."""
    about = artefact.about
    try:
        return Solved(parse_gamedef(about["game"], about["name"]), list(about["menus"]), artefact.made)
    except Exception as error:  # a manifest may say anything
        raise StrategyError(f"{artefact.path} is not a complete {artefact.kind}: {_describe(error)}") from None


def load_strategy(folder: str | Path, layout: Layout | None = None) -> Strategy:
    """The strategy in `folder`, its probabilities memory-mapped.

    With a `layout` the fingerprints are checked against it; without one the tree is built again from the manifest, or
    read where it comes from no menus. Of a model it is the strategy of its frequencies.

    >>> import kibitz
    >>> kibitz.solve("kuhn", 100).save("kuhn-agent")
    >>> kibitz.load_strategy("kuhn-agent")
    Strategy(kuhn, 24 infoset-action pairs, dcfr, 100 iterations)
    """
    place = find_strategy(folder)
    if kind_of(place) == MODEL:
        return load_model(place, layout).strategy
    found = open_artefact(place, KIND)
    layout = opened_layout(found, layout)
    try:
        values = found.arrays["values"]
    except KeyError:
        raise StrategyError(f"{folder} is not a complete strategy: it lacks values.npy") from None
    check_probabilities(values, layout, str(folder))
    return Strategy(layout, values, dict(found.made))


def model_artefact(model: FrequentistModel) -> Artefact:
    """What is kept of a model: its counts, from which its strategy follows."""
    arrays = {"counts": model.counts, **tree_arrays(model.layout.tree)}
    return Artefact(MODEL, describe_layout(model.layout), model.manifest, arrays, content=model)


def save_model(model: FrequentistModel, folder: str | Path) -> None:
    """Write `model` to `folder`, whole or not at all; an older model there is replaced, anything else is not."""
    save_artefact(model_artefact(model), _path(folder))


def load_model(folder: str | Path, layout: Layout | None = None) -> FrequentistModel:
    """The model in `folder`, its counts memory-mapped; with a `layout`, a model of another tree or cards is refused."""
    found = open_artefact(_path(folder), MODEL)
    layout = opened_layout(found, layout)
    counts = found.arrays.get("counts")
    if counts is None or counts.dtype.kind != "f":
        raise StrategyError(f"{folder} is not a complete model: it lacks counts.npy, or this holds no numbers")
    return FrequentistModel(layout, counts, dict(found.made))


def opened_layout(found: Artefact, layout: Layout | None) -> Layout:
    """What an artefact is over: `layout` if its fingerprints are those of the manifest, else one that is built."""
    about, folder = found.about, found.path
    try:
        if layout is None:
            layout = read_layout(about, found.arrays)
        for what, theirs, ours in (
            ("betting tree", about["tree"], layout.tree.fingerprint),
            ("private states", about["cards"], layout.cards),
        ):
            if theirs != ours:
                said = shown(theirs, quoted=False)
                raise StrategyError(f"{folder}: its {what} is {said}, but {ours} is needed here")
        _ = layout.size
    except StrategyError:
        raise
    except Exception as error:  # a manifest may say anything, and the tree is built from it
        raise StrategyError(f"{folder} is not a complete {found.kind}: {_describe(error)}") from None
    return layout


def check_probabilities(values: Any, layout: Layout, where: str) -> None:
    """Refuse what are no probabilities over `layout`."""
    if values.shape != (layout.size,):
        raise StrategyError(f"{where}: {values.shape} probabilities, the tree and its cards need ({layout.size},)")
    # Only not-a-number is neither above nor below.
    if values.dtype.kind != "f" or (values.size and not (values.min() >= 0 and values.max() <= 1 + _TOLERANCE)):
        raise StrategyError(f"{where}: values.npy contains values that are not probabilities")
    if any(np.abs(sums - 1).max() > _TOLERANCE_OF_SUMS for sums in layout.sums(values)):
        raise StrategyError(f"{where}: values.npy is damaged: probabilities do not add up to 1")


def _read_tree(game: Game, arrays: Mapping[str, Any]) -> Tree:
    """A tree that comes from no menus; its fingerprint is the manifest's to check."""
    columns: dict[str, Any] = {name: arrays[f"tree-{name}"] for name in _COLUMNS}
    return Tree(game, (), **{**columns, "actions": tuple(columns["actions"].tolist())})


def _describe(error: Exception) -> str:
    """What is wrong; errors of Python's own do not say where they come from, and their kind says more."""
    if isinstance(error, KibitzError | OSError) or type(error) is ValueError:
        return str(error)
    return f"its manifest or its tree is damaged ({type(error).__name__} {error})".replace("\n", " ")
