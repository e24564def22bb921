"""Hand strength of every hand on every board, exactly: HS on the river, E[HS] and E[HS²] before it.

HS is the chance to beat a uniformly drawn hand, ties counting half: on the river (2 wins + ties) / 1980, against 990
hands. Before the river, the means of HS and of its square over all completions of the board; that an opponent's cards
make some completions less likely is left out (Bard 2016, L518). So every feature is an integer over a constant, which
is how it is kept: nothing is rounded, and equal hands tie exactly.

All four streets take some seconds on two cores, once; the tables stay in the cache folder (0.6 GB).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import (
    CANONICAL,
    LAYOUT,
    PAIRS,
    get_boards,
    get_extensions,
    pair_cards,
)
from kibitz.abstraction.features.cache import Array, cache_folder, make_table
from kibitz.cards import cards_to_mask
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.isomorphism import IsomorphismIndex
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

FEATURES = ("EHS", "EHS2")
MOST = 1980
CLASSES = 169
_BLOCK = 512  # boards that the evaluator takes at a time
_KEPT = {0: 2, 3: 2, 4: 2, 5: 1}  # tables of a street: on the river HS and its square order hands alike
_DTYPES: dict[int, type[np.generic]] = {0: np.int64, 3: np.uint32, 4: np.uint32, 5: np.uint16}


def completions(size: int) -> int:
    """River boards that a player who sees a board of `size` cards and two of his own may come to."""
    return comb(50 - size, 5 - size)


def feature_scale(feature: str, size: int) -> int:
    """What an entry of `feature_table(feature, size)` is divided by to lie between 0 and 1."""
    if size == 5:  # HS itself: squaring changes no order
        return MOST
    return completions(size) * (MOST if feature == "EHS" else MOST**2)


def feature_table(feature: str, size: int, threads: int = 1, progress: Progress = silent) -> npt.NDArray[Any]:
    """EHS or EHS2 of all hands on boards of `size` cards, [boards, 1326], memory-mapped; 0 where they share a card.

    Sums of integers: int64 (preflop), uint32 (flop, turn) or uint16 (river, where both features are HS), to be
    divided by `feature_scale`. Made where the cache does not hold them.
    """
    if feature not in FEATURES:
        raise KibitzError(f"no feature of hands is called {feature!r}: there are {', '.join(FEATURES)}")

    def fill(table: Array) -> None:
        _FILL[size](table, threads, progress)

    path, shape = cache_folder() / LAYOUT / f"strength-{size}.npy", (_KEPT[size], CANONICAL[size], PAIRS)
    tables = make_table(path, shape, _DTYPES[size], fill)
    return np.asarray(tables[FEATURES.index(feature) % len(tables)])


def _fill_rivers(table: Array, threads: int, progress: Progress) -> None:
    from kibitz.abstraction.features._kernels import river_strengths

    masks = np.array([cards_to_mask(board) for board in get_boards(5).cards.tolist()], dtype=np.uint64)
    pairs = pair_masks()

    def work(start: int, stop: int) -> None:
        river_strengths(evaluate_boards(masks[start:stop], pairs), table[0, start:stop])

    run_slices(work, len(masks), _BLOCK, threads, "river strengths", progress)


def _fill_turns(table: Array, threads: int, progress: Progress) -> None:
    from kibitz.abstraction.features._kernels import sum_rivers

    rivers, extensions = feature_table("EHS", 5, threads, progress), get_extensions(4)

    def work(start: int, stop: int) -> None:
        sum_rivers(extensions[start:stop], rivers, table[0, start:stop], table[1, start:stop])

    run_slices(work, len(extensions), 128, threads, "turn strengths", progress)


def _fill_flops(table: Array, threads: int, progress: Progress) -> None:
    from kibitz.abstraction.features._kernels import sum_turns

    extensions = get_extensions(3)
    turns = [feature_table(feature, 4, threads, progress) for feature in FEATURES]

    def work(start: int, stop: int) -> None:
        for each, sums in zip(turns, table, strict=True):
            sum_turns(extensions[start:stop], each, sums[start:stop])

    run_slices(work, len(extensions), 128, threads, "flop strengths", progress)


def _fill_preflop(table: Array, threads: int, progress: Progress) -> None:
    counts = class_counts(threads, progress)[pair_classes()]
    strengths = np.arange(MOST + 1)
    table[0, 0] = counts @ strengths
    table[1, 0] = counts @ strengths**2


_FILL = {0: _fill_preflop, 3: _fill_flops, 4: _fill_turns, 5: _fill_rivers}


@lru_cache(maxsize=1)
def pair_classes() -> npt.NDArray[np.int64]:
    """The class of starting hands, 0 .. 168 as `IsomorphismIndex("2")` numbers them, of each pair: int64[1326]."""
    index = IsomorphismIndex("2")
    return np.array([index.index(pair) for pair in pair_cards().tolist()], dtype=np.int64)


def class_counts(threads: int = 1, progress: Progress = silent) -> npt.NDArray[np.int64]:
    """On how many of the 2,118,760 boards each class of starting hands has each river strength: int64[169, 1981]."""
    from kibitz.abstraction.features._kernels import count_classes

    def fill(table: Array) -> None:
        rivers, classes = get_boards(5), pair_classes()
        strengths = feature_table("EHS", 5, threads, progress)
        count_classes(rivers.cards, rivers.weights, strengths, classes, table)
        table //= np.bincount(classes)[:, None]  # all members of a class were counted

    return make_table(cache_folder() / LAYOUT / "classes.npy", (CLASSES, MOST + 1), np.int64, fill)


def pair_masks() -> npt.NDArray[np.uint64]:
    """The 1,326 pairs as card sets: uint64[1326]."""
    return np.array([cards_to_mask(pair) for pair in pair_cards().tolist()], dtype=np.uint64)
