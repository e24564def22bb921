"""One letter per public action (Hawkin 2014, section 7.3), as in "dc/cd": bet, call; next round, check, bet.

f is a fold, c a check or call, a all-in. Bets with a range are d, e, g, ... by the number of their default range (f is
taken). The thesis writes d for the pot bet of a player without ranges, and has no letters for other fixed sizes: here
they are h, i, j, ..., and every file says which is which.
"""

from __future__ import annotations

from kibitz.errors import KibitzError
from kibitz.tree import Menu

SIZED_LETTERS = "degqrstuvwxyz"
FIXED_LETTERS = "hijklmnop"


def name_sizes(menu: Menu, has_ranges: bool) -> dict[str, str]:
    """Text of each fixed size of a player -> its letter."""
    texts = dict.fromkeys(str(size) for sizes in menu.rounds for size in sizes if size.kind != "all-in")
    letters = list(FIXED_LETTERS) if has_ranges else [*FIXED_LETTERS, *SIZED_LETTERS[3:]]
    named = {}
    for text in texts:
        if text == "1" and not has_ranges:
            named[text] = "d"
        elif letters:
            named[text] = letters.pop(0)
        else:
            raise KibitzError(f"the menu {menu}: more fixed sizes than there are letters")
    return named
