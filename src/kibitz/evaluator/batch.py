"""The values of millions of hands: arrays in, arrays out, the loops compiled.

The first call of a process loads the compiler; the first call on a machine also compiles, for about two
seconds, and keeps the result on disk.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kibitz.errors import CardError, KibitzError
from kibitz.evaluator.values import check_ranking
from kibitz.parallel.threads import stoppable_threads

_FEWEST_PER_THREAD = 100_000  # below this, starting a thread costs more than the hands


def evaluate_batch(cards: npt.NDArray[np.uint8], ranking: str = "standard", threads: int = 1) -> npt.NDArray[np.int32]:
    """The values of many hands of equally many cards: int32[n] from uint8[n, k], k from 1 to 7.

    Every row is checked to be k different cards, so a wrong one raises CardError with its number.
    """
    check_ranking(ranking)
    if not isinstance(cards, np.ndarray) or cards.dtype != np.uint8 or cards.ndim != 2:
        raise CardError(f"{_describe(cards)}: a batch of hands is a uint8 array of shape [hands, cards]")
    count, width = cards.shape
    _check_width(width, ranking)
    from kibitz.evaluator import _kernels

    flat = np.ascontiguousarray(cards).reshape(-1)
    values = np.empty(count, dtype=np.int32)

    def fill(start: int, stop: int) -> bool:
        hands = flat[start * width : stop * width]
        if ranking == "standard":
            return bool(_kernels.batch_standard(hands, width, values[start:stop]))
        masks = np.empty(stop - start, dtype=np.uint64)
        return bool(_kernels.pack_cards(hands, width, masks) and _kernels.masks_three_card(masks, values[start:stop]))

    if not _run_slices(fill, count, threads):
        raise CardError(_first_bad_row(cards))
    return values


def evaluate_masks(masks: npt.NDArray[np.uint64], ranking: str = "standard", threads: int = 1) -> npt.NDArray[np.int32]:
    """The values of many hands given as card sets (`cards_to_mask`): int32[n] from uint64[n].

    The hands may differ in their number of cards, but only values of as many cards compare.
    """
    check_ranking(ranking)
    if not isinstance(masks, np.ndarray) or masks.dtype != np.uint64 or masks.ndim != 1:
        raise CardError(f"{_describe(masks)}: a batch of card sets is a uint64 array of shape [hands]")
    from kibitz.evaluator import _kernels

    kernel = _kernels.masks_standard if ranking == "standard" else _kernels.masks_three_card
    masks = np.ascontiguousarray(masks)
    values = np.empty(len(masks), dtype=np.int32)

    def fill(start: int, stop: int) -> bool:
        return bool(kernel(masks[start:stop], values[start:stop]))

    if not _run_slices(fill, len(masks), threads):
        wanted = "one to seven cards" if ranking == "standard" else "three cards"
        raise CardError(f"a mask is not a set of {wanted}: bit 16 * suit + rank stands for a card")
    return values


def evaluate_boards(
    boards: npt.NDArray[np.uint64], holes: npt.NDArray[np.uint64], values: npt.NDArray[np.int32] | None = None
) -> npt.NDArray[np.int32]:
    """The standard values of every hole hand on every board: int32[holes, boards], -1 where they share a card.

    Both are card sets and are trusted, two to seven cards together; `values` is filled where it is given.
    """
    from kibitz.evaluator import _kernels

    if values is None:
        values = np.empty((len(holes), len(boards)), dtype=np.int32)
    _kernels.boards_standard(boards, holes, values)
    return values


def _run_slices(fill: Callable[[int, int], bool], count: int, threads: int) -> bool:
    """Call `fill` on contiguous slices of `count` hands; True where every slice was good."""
    if threads < 1:
        raise KibitzError(f"{threads} threads: at least one is needed")
    slices = max(1, min(threads, count // _FEWEST_PER_THREAD))
    if slices == 1:
        return fill(0, count)
    bounds = [count * i // slices for i in range(slices + 1)]
    with stoppable_threads(slices) as (pool, _check):
        return all(list(pool.map(fill, bounds[:-1], bounds[1:])))


def _check_width(width: int, ranking: str) -> None:
    if ranking == "standard" and not 1 <= width <= 7:
        raise CardError(f"hands of {width} cards: the standard ranking takes one to seven")
    if ranking == "three-card" and width != 3:
        raise CardError(f"hands of {width} cards: the three-card ranking takes exactly three")


def _describe(array: object) -> str:
    if isinstance(array, np.ndarray):
        return f"{array.dtype} array of shape {list(array.shape)}"
    return type(array).__name__


def _first_bad_row(cards: npt.NDArray[np.uint8]) -> str:
    ordered = np.sort(cards, axis=1)
    bad = (ordered[:, -1] > 51) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    row = int(np.argmax(bad))
    return f"hand {row} is {cards[row].tolist()}: a hand is different cards from 0 (2c) to 51 (As)"
