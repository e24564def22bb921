"""Hand histories of PokerStars: hold'em, no-limit and limit, cash games and tournaments."""

from kibitz.io.pokerstars.reading import read_pokerstars

__all__ = ["read_pokerstars"]
