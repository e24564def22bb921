"""The lines of a PHH hand from its stacks on, in the order in which programs write them.

What changes from hand to hand is cut out; the lines around it are read once for all hands that have them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kibitz.io._phh_game import OWN_FIELD
from kibitz.io._phh_table import numbers_of
from kibitz.io._phh_toml import IrregularError, parse_lines, plain, strings_of
from kibitz.io._phh_writing import OPTIONAL_FIELDS

# Groups: stacks, actions, lines, time, lines, hand, seats, lines, players, the name and the numbers of the results,
# lines. Lines are told from what comes after them by their first letters.
TAIL = re.compile(
    r"(\[[0-9., ]+\]|\[inf(?:, inf)*+\])\nactions = \['(.*)'\]\n"
    r"((?:[^th\n].*+\n)*+)(?:time = ([0-9]{2}:[0-9]{2}:[0-9]{2})\n)?+"
    r"((?:[^h\n].*+\n)*+)hand = (0|[1-9][0-9]{0,14})\n(?:seats = (\[[0-9, ]+\])(?:\n|\Z))?+"
    r"((?:[^pfw\n].*+\n)*+)(?:players = (\['.*'\])(?:\n|\Z))?+"
    r"(?:(finishing_stacks|winnings) = (\[[0-9., ]+\])(?:\n|\Z))?+((?s:.*))"
)
_CUT_OUT = {"time", "hand", "seats", "players", "finishing_stacks", "winnings"}
_EXTRA = frozenset(OPTIONAL_FIELDS) - _CUT_OUT


@lru_cache(maxsize=4096)
def lines_of(text: str) -> dict[str, object]:
    """The fields of the lines around; not to be changed by the caller."""
    fields = {key: plain(value) for key, value in parse_lines(text).items()}
    if not all(key in _EXTRA or (key[0] == "_" and key != OWN_FIELD) for key in fields):
        raise IrregularError
    return fields


@lru_cache(maxsize=4096)
def names_of(text: str) -> tuple[str, ...]:
    """The names in the array `text`."""
    return strings_of(text)


@lru_cache(maxsize=4096)
def seats_of(text: str) -> tuple[float, ...]:
    """The numbers of the array `text`."""
    return tuple(numbers_of(text))
