"""What players call the rounds of a game and the positions at its table."""

from __future__ import annotations

from functools import lru_cache

from kibitz.games.game import Game

STREETS = ("preflop", "flop", "turn", "river")
LATE = ("button", "cutoff", "hijack")  # of a full table, from the last one back
CODES = {  # of all positions, first after the button first
    "small blind": "SB",
    "big blind": "BB",
    "under the gun": "UTG",
    **{f"under the gun + {place}": f"UTG+{place}" for place in range(1, 5)},
    "hijack": "HJ",
    "cutoff": "CO",
    "button": "BTN",
}


def round_name(game: Game, round_: int) -> str:
    """What people call a round, counted from 0.

    >>> from kibitz.games import load_game
    >>> round_name(load_game("holdem-nolimit-2p"), 1), round_name(load_game("leduc"), 1)
    ('flop', 'round 2')
    """
    return STREETS[round_] if _is_holdem(game) else f"round {round_ + 1}"


def round_label(game: Game, round_: int) -> str:
    """The same in a column that is called round: the number alone where rounds have no names.

    >>> from kibitz.games import load_game
    >>> round_label(load_game("holdem-nolimit-2p"), 1), round_label(load_game("leduc"), 1)
    ('flop', '2')
    """
    return round_name(game, round_).removeprefix("round ")


def position_name(game: Game, player: int) -> str:
    """What people call a position of hold'em with two blinds; elsewhere positions have numbers, from 0.

    >>> from kibitz.games import load_game
    >>> [position_name(load_game("holdem-limit-6p"), player) for player in range(6)]
    ['small blind', 'big blind', 'under the gun', 'hijack', 'cutoff', 'button']
    >>> [position_name(load_game("holdem-nolimit-2p"), player) for player in range(2)]
    ['big blind', 'button']
    """
    players, blinds = game.players, game.blinds
    first, second = (1, 0) if players == 2 and blinds[0] > blinds[1] else (0, 1)
    others = [blind for position, blind in enumerate(blinds) if position not in (first, second)]
    if not _is_holdem(game) or not 0 < blinds[first] < blinds[second] or any(others):
        return f"player {player}"
    if player in (first, second):
        return "big blind" if player == second else "button" if player == players - 1 else "small blind"
    back = players - 1 - player
    early = player - 2  # after the big blind
    if (early and back < len(LATE)) or not back:
        return LATE[back]
    return f"under the gun + {early}" if early else "under the gun" if players > 4 else LATE[back]


@lru_cache(maxsize=1024)
def position_codes(game: Game) -> tuple[str, ...]:
    """The names of all positions in short, as in tables; a position that only has a number keeps it.

    >>> from kibitz.games import load_game
    >>> position_codes(load_game("holdem-limit-10p"))
    ('SB', 'BB', 'UTG', 'UTG+1', 'UTG+2', 'UTG+3', 'UTG+4', 'HJ', 'CO', 'BTN')
    >>> position_codes(load_game("holdem-nolimit-2p")), position_codes(load_game("leduc"))
    (('BB', 'BTN'), ('player 0', 'player 1'))
    """
    names = (position_name(game, player) for player in range(game.players))
    return tuple(CODES.get(name, name) for name in names)


def _is_holdem(game: Game) -> bool:
    return game.board_cards == (0, 3, 1, 1)
