"""How much memory a run takes, said before it starts."""

from __future__ import annotations

import numpy as np

from kibitz.amounts import available_bytes, format_bytes
from kibitz.errors import KibitzError
from kibitz.responses.cfr_br import trunk_bytes
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import REAL, SAMPLED, Options
from kibitz.solvers.sampled import STORAGE
from kibitz.tree import check_fits

PROCESS_BYTES = 450 << 20  # Python with its libraries and compiled kernels, and what is in use of the card tables
_TABLE_BYTES = 300 << 20  # of card tables that deals touch beyond that
_TREE_BYTES = 27  # of a node, and 8 more for what each player has spent
_LAYOUT_BYTES = 16
_WALK_BYTES = 28  # of a node as the kernels of sampled solvers take it
_CHANCE_BYTES = 32  # of the reaches and values that chance sampling keeps for every node


def peak_bytes(problem: Problem, algorithm: str, options: Options) -> int:
    """Memory at the peak of a run, about."""
    size, sampled = problem.size, algorithm in (*SAMPLED, REAL)
    # The strategy of a vector solver as it is averaged, measured, saved and kept in the checkpoint.
    peak = PROCESS_BYTES + (_sampled_bytes(problem, algorithm, options.storage) if sampled else 5 * 8 * size.pairs)
    if algorithm == REAL:  # regrets as they were, the strategy and its tables for the best responses of both seats
        peak += 4 * 8 * size.pairs + trunk_bytes(problem.tree, options.flops)
    if problem.game.players != 2 or (sampled and not problem.is_measurable):
        return peak
    peak += size.bytes["vector"]  # strategies of two players are measured by these kernels, whatever solver made them
    if problem.cards:
        # Every thread counts pairs and wins of the last round in matrices of its own; then one at a time is scaled.
        states = size.rounds[-1].states
        peak += 8 * states[0] * states[1] * (2 * options.threads + 1) + problem.board_bytes
    return peak


def _sampled_bytes(problem: Problem, algorithm: str, storage: str) -> int:
    """The tree, the sums, and the strategy twice: as it is averaged and as it is written."""
    size = problem.size
    node = _TREE_BYTES + 8 * problem.game.players + _LAYOUT_BYTES + _WALK_BYTES
    pair = sum(np.dtype(kind).itemsize for kind in STORAGE[storage]) + 2 * (8 if storage == "double" else 4)
    nodes = size.nodes * (node + _CHANCE_BYTES * (algorithm == "chance"))
    return nodes + size.pairs * pair + (_TABLE_BYTES if problem.cards else 0)


def check_memory(problem: Problem, algorithm: str, options: Options) -> None:
    """Refuse, with the numbers, what does not fit into the memory of this machine."""
    available = available_bytes()
    _check_boards(problem, available)
    if algorithm == REAL:
        check_fits(problem.size, available, "sampled", peak_bytes(problem, algorithm, options))
    elif problem.game.players == 2 and problem.is_measurable:
        check_fits(problem.size, available, "vector")
    else:
        check_fits(problem.size, available, "sampled", peak_bytes(problem, algorithm, options))


def check_response_memory(problem: Problem, per_pair: int) -> None:
    """The same of a response in a two-player problem; `per_pair` bytes of it come on top of one vector solver."""
    available = available_bytes()
    _check_boards(problem, available)
    check_fits(problem.size, available, "vector", problem.size.bytes["vector"] + per_pair * problem.size.pairs)


def check_sampled_response_memory(problem: Problem, storage: str, known: int) -> None:
    """The same of a sampled response, whose seats are solved one after the other; `known` pairs of the model are kept
    with counts, visits, confidence and places, and as the kernels take them.
    """
    pair = 8 if storage == "double" else 4  # of the response, of which the finished seats are kept
    peak = PROCESS_BYTES + _sampled_bytes(problem, "external", storage) + pair * problem.size.pairs + 8 * 8 * known
    check_fits(problem.size, available_bytes(), "sampled", peak)


def _check_boards(problem: Problem, available: int) -> None:
    if problem.board_bytes > available:
        raise KibitzError(
            f"{problem.boards:,} boards take {format_bytes(problem.board_bytes)} to draw, there are "
            f"{format_bytes(available)}; take fewer boards, or 0 for all, which are not drawn",
            settings=("boards",),
        )
