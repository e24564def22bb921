"""SplitMix64 (Steele, Lea and Flood 2014) inside kernels: numbers that depend on their place alone, on any thread."""

import numpy as np

from kibitz.compiling import njit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_A, SHIFT_B, SHIFT_C = np.uint64(30), np.uint64(27), np.uint64(31)
SHIFT_UNIT, SHIFT_WORD = np.uint64(11), np.uint64(32)


@njit
def scatter(word):
    """The finaliser: a bijection of 64-bit words without visible pattern."""
    word = (word ^ (word >> SHIFT_A)) * MIX_A
    word = (word ^ (word >> SHIFT_B)) * MIX_B
    return word ^ (word >> SHIFT_C)


@njit
def mix(word):
    """A step and the finaliser, as `kibitz.random.mix`."""
    return scatter(word + GAMMA)


@njit
def stream(key, number):
    """The key of stream `number` among those of `key`; draws from it begin one GAMMA further."""
    return scatter(key + np.uint64(number) * GAMMA)


@njit
def unit(word):
    """A number in [0, 1) from the upper 53 bits of a word."""
    return (word >> SHIFT_UNIT) * (1.0 / 9007199254740992.0)


@njit
def uniform(key, number):
    """Number `number` of the stream `key`, from 0 to less than 1."""
    return unit(mix(key + np.uint64(number) * GAMMA))


@njit
def below(word, count):
    """An integer from 0 to less than `count` (both 64-bit words, count < 2^32) from the upper 32 bits of a word."""
    return ((word >> SHIFT_WORD) * count) >> SHIFT_WORD
