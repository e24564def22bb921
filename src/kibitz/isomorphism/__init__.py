"""Suit-isomorphism indices: dense integers for hands that differ in more than the names of suits.

A hand is dealt in streets; the order of streets matters, the order of cards inside one does not. Two hands are
isomorphic if a permutation of the suits takes one to the other, and then they play alike. An `IsomorphismIndex`
numbers the classes 0..size-1 without gaps, for any deck and any pattern of streets, and finds the way back.

>>> from kibitz.cards import format_cards, parse_cards
>>> index = IsomorphismIndex("2|3|1|1")
>>> index.sizes
(169, 1286792, 55190538, 2428287420)
>>> index.index(parse_cards("7c2d"), street=0) == index.index(parse_cards("2h7s"), street=0)
True
>>> format_cards(index.unindex(index.index(parse_cards("KdAc 7c7d2h"), street=1), street=1))
'AsKh7s7h2d'

The method is that of K. Waugh, "A fast and optimal hand isomorphism algorithm" (2013): number the rank sets of
each suit street by street, sort the suits, and count multisets where suits of one shape can be exchanged.
"""

from kibitz.isomorphism._index import IsomorphismIndex, parse_pattern

__all__ = ["IsomorphismIndex", "parse_pattern"]
