"""All that is left to chance in a match or a series, from one seed: cards, the agents' seeds, orders at the table.

>>> keyed = Chance(seed=1)
>>> keyed.seat(0) == keyed.seat(1), keyed.cards() == keyed.cards(1)
(False, False)
>>> Chance(seed=1, kind=ACPC).cards()
AcpcCards(seed=1)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games import AcpcCards, CardSource, KeyedCards
from kibitz.random import derive_seed, secret, secret_seed, seed_text

KEYED, ACPC = "keyed", "acpc"
KINDS = (KEYED, ACPC)
_ORDERS = 0x5EA7  # keeps the orders of the ACPC kind apart from whatever else is drawn from the seed


@dataclass(frozen=True)
class Chance:
    """What comes from `seed`.

    kind   "keyed": nothing that an agent is given tells anything of the seed or of other cards, if the seed cannot be
           found by trying (`kibitz.random.draw_seed`). "acpc": the cards of the ACPC dealer, and what Kibitz derived
           from a seed before it had keys; whoever has seen a hand, or the seed of a seat, can find out all other cards.
    """

    seed: int = 0
    kind: str = KEYED

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KibitzError(f"no cards {self.kind!r}: one of {', '.join(KINDS)}", settings=("cards",))
        if self.seed < 0 or (self.kind == ACPC and self.seed >= 2**32):
            allowed = f"the ACPC dealer's cards have seeds from 0 to {2**32 - 1}" if self.kind == ACPC else "at least 0"
            raise KibitzError(f"seed {seed_text(self.seed)}: {allowed}", settings=("seed",))

    def cards(self, match: int = 0) -> CardSource:
        """The cards of a match of a series."""
        if self.kind == ACPC:
            return AcpcCards((self.seed + match) % 2**32)
        return KeyedCards(secret(self.seed, "cards", match))

    def seat(self, *place: int) -> int:
        """The seed of the agent at a place, which ends with its seat, and begins with match and seating in a series."""
        return derive_seed(self.seed, *place) if self.kind == ACPC else secret_seed(self.seed, "seat", *place)

    def order(self, players: int, match: int = 0) -> list[int]:
        """An order of the players around the table."""
        if self.kind == ACPC:
            drawn = np.random.default_rng([_ORDERS, self.seed, match])
        else:
            drawn = np.random.default_rng(secret_seed(self.seed, "order", match))
        order: list[int] = drawn.permutation(players).tolist()
        return order
