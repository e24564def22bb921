"""Random numbers that belong to a place in a match, not to a sequence; and seeds that tell nothing of one another.

The number for (seed, hand, decision) is a hash, so any hand can be played without the ones before it, in any
order, on any thread, in Python or in a compiled kernel, and every way gives the same actions.
"""

import secrets
from hashlib import blake2b

SECRET_BITS = 128  # of a seed that cannot be found by trying
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
    """A seed for one part of an experiment, such as (match, seat), from the seed of the whole.

    Not one-way: whoever has the result can compute `seed`. For work without guests; what an agent of others may see
    comes from `secret`.
    """
    word = mix(seed & _MASK)
    for step in path:
        word = mix(word ^ step)
    return word


def secret(seed: int, purpose: str, *path: int) -> bytes:
    """32 bytes for one purpose (at most 16 letters) and place of a match, by keyed BLAKE2b.

    They tell nothing of `seed`, if that cannot be found by trying, nor of what it gives for any other purpose or place.
    """
    size = max(seed.bit_length() + 7 >> 3, 1)
    key = seed.to_bytes(size, "little")
    key = key if size <= blake2b.MAX_KEY_SIZE else blake2b(key).digest()
    place = b"".join(step.to_bytes(8, "little") for step in path)
    return blake2b(place, key=key, person=purpose.encode(), digest_size=32).digest()


def secret_seed(seed: int, purpose: str, *path: int) -> int:
    """A 64-bit seed from `secret`, as kernels and agents take it."""
    return int.from_bytes(secret(seed, purpose, *path)[:8], "little")


def draw_seed() -> int:
    """A seed that cannot be found by trying: 32 hexadecimal digits, the first not 0."""
    return secrets.randbelow(15 << SECRET_BITS - 4) + (1 << SECRET_BITS - 4)


def is_secret(seed: int) -> bool:
    """Whether `seed` has at least 32 hexadecimal digits, as those of `draw_seed` have."""
    return seed.bit_length() > SECRET_BITS - 4


def seed_text(seed: int) -> str:
    """A seed as it is printed, and as `parse_seed` reads it: large ones in hexadecimal digits."""
    return str(seed) if seed < 2**64 else f"{seed:032x}"


def parse_seed(text: str) -> int:
    """The seed of an integer, or of 32 and more hexadecimal digits; ValueError for anything else.

    >>> parse_seed("12"), parse_seed("0000000000000000000000000000000c")
    (12, 12)
    """
    if not text.isascii() or not text.isalnum():
        raise ValueError(text)
    return int(text, 16) if len(text) >= SECRET_BITS // 4 else int(text)


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
