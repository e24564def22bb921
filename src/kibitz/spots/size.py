"""What solving a spot takes, counted before anything is built."""

from __future__ import annotations

from kibitz.amounts import available_bytes, format_bytes, format_count
from kibitz.errors import KibitzError
from kibitz.spots.spot import Spot
from kibitz.tree import SizeReport, size_report

_STATE = 24  # bytes of the tables for a state on a board
_NODE = 1000  # bytes of a betting node while it is laid out


def spot_size(spot: Spot) -> SizeReport:
    """The size of a spot: private states are the hands on all boards, with the empty ones that fill up vectors."""
    deal = spot.deal
    states = [
        (len(boards) * width[0], len(boards) * width[1]) for boards, width in zip(deal.boards, deal.widths, strict=True)
    ]
    return size_report(spot.game, spot.menus, states)


def spot_bytes(spot: Spot, number: int = 4) -> int:
    """Memory to solve it with numbers of that many bytes: regrets and average, and tables of cards and betting."""
    size = spot_size(spot)
    states = sum(sum(each.states) for each in size.rounds)
    return 2 * number * size.pairs + _STATE * states + _NODE * size.nodes


def check_memory(spot: Spot, number: int = 4) -> None:
    """Refuse, with the numbers, what does not fit into the memory of this machine."""
    wanted = spot_bytes(spot, number)
    available = available_bytes()
    if wanted > available:
        raise KibitzError(
            f"the spot has {format_count(spot_size(spot).nodes)} betting nodes on {len(spot.deal.boards[-1]):,} boards "
            f"and needs {format_bytes(wanted)} to solve, there are {format_bytes(available)}: "
            "take fewer bet sizes or narrower ranges"
        )
