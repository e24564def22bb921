"""The cards of a strategy as its manifest tells them: one card abstraction for all seats, or one for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.files import load_abstraction
from kibitz.abstraction.notation import parse_notation
from kibitz.errors import KibitzError

CARDS, BOARDS, SEED = "cards", "boards", "seed of boards"


class DescribedCards(NamedTuple):
    """Card abstractions by name.

    notations  one for all seats, or one for each
    boards     on how many sampled boards joint bucket distributions are counted, 0 for all of them
    seed       of those boards, and of clustering
    """

    notations: tuple[str, ...]
    boards: int
    seed: int

    def describe(self) -> dict[str, Any]:
        """The entries of a manifest."""
        cards = self.notations[0] if len(set(self.notations)) == 1 else list(self.notations)
        return {CARDS: cards, BOARDS: self.boards, SEED: self.seed}

    def load(self, players: int) -> tuple[CardAbstraction, ...]:
        """The abstraction of every seat; seats with the same notation share one object."""
        each = per_seat(self.notations, players)
        found = {name: load_abstraction(name, self.seed) for name in dict.fromkeys(each)}
        return tuple(found[name] for name in each)


def per_seat(notations: Sequence[str], players: int) -> tuple[str, ...]:
    """One notation for every seat, from one for all or one for each."""
    if not isinstance(notations, (list, tuple)):
        raise KibitzError(
            f"cards {notations!r}: the name of a card abstraction, such as 5-bucket, or one for each seat"
        )
    if len(notations) not in (1, players):
        raise KibitzError(f"{len(notations)} card abstractions for {players} players: one for all, or one for each")
    return tuple(notations) if len(notations) == players else tuple(notations) * players


def read_cards(manifest: Mapping[str, Any]) -> DescribedCards | None:
    """The card abstractions that a strategy's manifest names; None where it tells all hands apart."""
    if CARDS not in manifest:
        return None
    cards = manifest[CARDS]
    notations = (cards,) if isinstance(cards, str) else cards
    if not isinstance(notations, (list, tuple)) or not all(isinstance(each, str) for each in notations):
        raise KibitzError(f"cards {cards!r}: the name of a card abstraction, or one for each seat")
    for each in notations:
        parse_notation(each)
    try:
        return DescribedCards(tuple(notations), int(manifest[BOARDS]), int(manifest[SEED]))
    except KeyError as error:
        raise KibitzError(f"a strategy of {cards} that does not tell its {error}") from None
