"""Leduc hold'em written out rule by rule, and what player two wins from a group of players one: no code of Kibitz.

Cards 0 .. 5 have the ranks card // 2. Strategies know ranks only; `choose(rank, board rank or None, betting)` gives the
probabilities of m strategies, float64[m, actions], in the order fold, call, raise of those that are legal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

CARDS = range(6)
BETS = (2, 4)  # by round, at most two each
Choose = Callable[[int, int | None, str], np.ndarray]


def value_of_group(choose: Choose, members: np.ndarray) -> float:
    """Max over responses of what they win from all members together, in antes; `members` float64[m] counts each."""
    total = 0.0
    for card in CARDS:
        reach = np.outer(np.arange(6) != card, members) / 30  # of player one by card and strategy, with the deal
        total += _best(choose, card, None, "", (1, 1), reach)
    return total


def _best(
    choose: Choose, card: int, board: int | None, betting: str, spent: tuple[int, int], reach: np.ndarray
) -> float:
    """What is left to win for player two with that card, weighted by `reach` float64[6, m]."""
    here = betting.rpartition("/")[2]
    player, behind = len(here) % 2, spent[0] != spent[1]
    actions = ("f" if behind else "") + "c" + ("r" if here.count("r") < 2 else "")
    values = []
    for place, action in enumerate(actions):
        after = reach
        if not player:
            ranks = [choose(own // 2, None if board is None else board // 2, betting)[:, place] for own in CARDS]
            after = reach * ranks
        paid = list(spent)
        if action == "f":
            values.append(float(after.sum()) * (spent[player] if not player else -spent[player]))
            continue
        paid[player] = max(spent) + (BETS["/" in betting] if action == "r" else 0)
        if action == "c" and here:
            values.append(_close(choose, card, board, betting + "c", paid[0], after))
        else:
            values.append(_best(choose, card, board, betting + action, (paid[0], paid[1]), after))
    return max(values) if player else sum(values)


def _close(choose: Choose, card: int, board: int | None, betting: str, pot: int, reach: np.ndarray) -> float:
    """The end of a betting round: a board card, or the showdown, in which both have put in `pot`."""
    if board is not None:
        strength = [10 if own // 2 == board // 2 else own // 2 for own in CARDS]
        return float((np.sign(strength[card] - np.array(strength)) * pot) @ reach.sum(axis=1))
    total = 0.0
    for drawn in set(CARDS) - {card}:
        left = reach * (np.arange(6) != drawn)[:, np.newaxis] / 4
        total += _best(choose, card, drawn, betting + "/", (pot, pot), left)
    return total
