"""How often the buckets of two players tie at a showdown, which the matrices of a deal do not tell."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask
from kibitz.deals.joint import BATCH, Boards
from kibitz.evaluator import evaluate_boards
from kibitz.parallel.threads import run_slices

PAIRS_ON_BOARD = 1081 * 990  # ordered pairs of hands that share no card with the board or each other


def tied_showdowns(
    abstractions: Sequence[CardAbstraction], boards: Boards, threads: int = 1
) -> npt.NDArray[np.float64]:
    """The weight of ties on `boards`, float64[states of 0, states of 1] of the last round, as a part of all deals.

    abstractions   of perfect recall, one for each of two players
    """
    from kibitz.deals.joint import _kernels

    first, second = abstractions
    shape = int(first.counts[-1]), int(second.counts[-1])
    idle = deque(np.zeros(shape) for _ in range(max(threads, 1)))
    holes, masks = pair_cards(), pair_masks()

    def work(start: int, stop: int) -> None:
        ties, cards = idle.pop(), boards.cards[start:stop]
        on = np.array([cards_to_mask(board) for board in cards.tolist()], dtype=np.uint64)
        strengths = np.ascontiguousarray(evaluate_boards(on, masks).T)
        states = first.board_buckets(cards, 3)
        others = states if first is second else second.board_buckets(cards, 3)
        _kernels.add_ties(cards, boards.weights[start:stop], holes, strengths, states, others, ties)
        idle.append(ties)

    run_slices(work, len(boards.cards), BATCH, threads)
    # Sums of whole numbers: their order does not matter.
    return np.asarray(sum(idle) / (PAIRS_ON_BOARD * boards.weights.sum()))
