"""Random numbers that belong to a place in a match, not to a sequence.

The number for (seed, hand, decision) is a hash, so any hand can be played without the ones before it, in any
order, on any thread, in Python or in a compiled kernel, and every way gives the same actions.
"""

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mix(word: int) -> int:
    """SplitMix64's step and finaliser (Steele, Lea and Flood 2014): a bijection of 64-bit words."""
    word = (word + _GOLDEN) & _MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK
    return word ^ word >> 31


def word_at(seed: int, hand: int, decision: int) -> int:
    """The 64-bit word of a decision; `decision` counts an agent's own draws, one a decision, within the hand."""
    return mix(mix(mix(seed & _MASK) ^ hand) ^ decision)


def unit(word: int) -> float:
    """A number in [0, 1) from the upper 53 bits of `word`."""
    return (word >> 11) * 2.0**-53


def derive_seed(seed: int, *path: int) -> int:
    """A seed for one part of an experiment, such as (match, seat), from the seed of the whole."""
    word = mix(seed & _MASK)
    for step in path:
        word = mix(word ^ step)
    return word


class Dice:
    """The random numbers of one agent in a match: word number n of hand h depends on the seed, h and n alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._hand = 0
        self._number = 0

    def word(self) -> int:
        """The next 64-bit word of this hand."""
        self._number += 1
        return word_at(self._seed, self._hand, self._number - 1)

    def uniform(self) -> float:
        """The next number in [0, 1) of this hand."""
        return unit(self.word())

    def next_hand(self) -> None:
        """The hand is over."""
        self._hand += 1
        self._number = 0
