"""A no-limit hold'em table with any stacks and blinds, before anybody acts."""

from collections.abc import Callable
from typing import Any

import pytest

from kibitz.games import Deal, Game, State


def nolimit_table(
    stacks: tuple[int, ...],
    blinds: tuple[int, ...],
    rules: str = "acpc",
    first: int | None = None,
    deal: Deal = Deal(),  # noqa: B008 - a Deal is immutable
    **fields: Any,
) -> State:
    """The start of a hand; `first` opens before the flop, by default whoever sits after the largest blind."""
    players = len(stacks)
    if first is None:
        first = (max(range(players), key=lambda player: (blinds[player], player)) + 1) % players
    game = Game(
        betting="nolimit",
        stacks=stacks,
        blinds=blinds,
        raise_sizes=(),
        first_players=(first, 0, 0, 0),
        max_raises=fields.pop("max_raises", (255,) * 4),
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        rules=rules,  # type: ignore[arg-type]
        **fields,
    )
    return State.start(game, deal)


@pytest.fixture(scope="session")
def table() -> Callable[..., State]:
    """The function `nolimit_table`."""
    return nolimit_table
