"""SplitMix64 (Steele, Lea and Flood 2014) and keyed BLAKE2b (RFC 7693) inside kernels.

Numbers depend on their place alone, on any thread.
"""

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


IV = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    dtype=np.uint64,
)  # fmt: skip
SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ]
)
PLACES = tuple(row.index(0) for row in SIGMA.tolist())  # of the first word of a block in each round
R_1, R_2, R_3, R_4 = np.uint64(32), np.uint64(24), np.uint64(16), np.uint64(63)
L_1, L_2, L_3, L_4 = np.uint64(32), np.uint64(40), np.uint64(48), np.uint64(1)
BLOCK, NUMBER, KEY_WORDS = np.uint64(128), np.uint64(8), 4  # the first two in bytes
NONE, LAST = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)
SHAPE = np.uint64(1 << 24 | 1 << 16 | 8 * KEY_WORDS << 8 | 64)  # no tree, key of 32 bytes, digest of 64


@njit
def stir(a, b, c, d, x, y):
    """The mixing function G of BLAKE2b."""
    a = a + b + x
    d = d ^ a
    d = (d >> R_1) | (d << L_1)
    c = c + d
    b = b ^ c
    b = (b >> R_2) | (b << L_2)
    a = a + b + y
    d = d ^ a
    d = (d >> R_3) | (d << L_3)
    c = c + d
    b = b ^ c
    b = (b >> R_4) | (b << L_4)
    return a, b, c, d


@njit
def turn(a, b, c, d, m):
    """A round: rows a, b, c, d of the state, each of 4 words, and the 16 words of the block in its order."""
    a0, b0, c0, d0 = stir(a[0], b[0], c[0], d[0], m[0], m[1])
    a1, b1, c1, d1 = stir(a[1], b[1], c[1], d[1], m[2], m[3])
    a2, b2, c2, d2 = stir(a[2], b[2], c[2], d[2], m[4], m[5])
    a3, b3, c3, d3 = stir(a[3], b[3], c[3], d[3], m[6], m[7])
    a0, b1, c2, d3 = stir(a0, b1, c2, d3, m[8], m[9])
    a1, b2, c3, d0 = stir(a1, b2, c3, d0, m[10], m[11])
    a2, b3, c0, d1 = stir(a2, b3, c0, d1, m[12], m[13])
    a3, b0, c1, d2 = stir(a3, b0, c1, d2, m[14], m[15])
    return (a0, a1, a2, a3), (b0, b1, b2, b3), (c0, c1, c2, c3), (d0, d1, d2, d3)


@njit
def begin(state, length, last):
    """The rows with which a block begins: state : uint64[8]; length: bytes up to its end; last: LAST, or NONE."""
    a = state[0], state[1], state[2], state[3]
    b = state[4], state[5], state[6], state[7]
    return a, b, (IV[0], IV[1], IV[2], IV[3]), (IV[4] ^ length, IV[5], IV[6] ^ last, IV[7])


@njit
def end(a, b, c, d, state, after):
    """Fill after : uint64[8] with what the rows make of the state before them."""
    for i in range(4):
        after[i] = state[i] ^ a[i] ^ c[i]
        after[4 + i] = state[4 + i] ^ b[i] ^ d[i]


@njit
def absorb_key(key, state):
    """Fill state : uint64[8] with that of BLAKE2b after a key : uint64[4], for digests of 64 bytes."""
    block = np.zeros(16, np.uint64)
    block[:KEY_WORDS] = key
    begun = IV.copy()
    begun[0] ^= SHAPE
    a, b, c, d = begin(begun, BLOCK, NONE)
    for r in range(12):
        m = block[SIGMA[r]]
        words = m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], m[12], m[13], m[14], m[15]
        a, b, c, d = turn(a, b, c, d, words)
    end(a, b, c, d, begun, state)


@njit
def alone(word, place):
    """16 words of which one is not 0."""
    return (
        word if place == 0 else NONE, word if place == 1 else NONE, word if place == 2 else NONE,
        word if place == 3 else NONE, word if place == 4 else NONE, word if place == 5 else NONE,
        word if place == 6 else NONE, word if place == 7 else NONE, word if place == 8 else NONE,
        word if place == 9 else NONE, word if place == 10 else NONE, word if place == 11 else NONE,
        word if place == 12 else NONE, word if place == 13 else NONE, word if place == 14 else NONE,
        word if place == 15 else NONE,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def digest_numbers(key, first, digests):
    """Fill digests : uint64[n, 8] with BLAKE2b of the numbers first, first + 1, ..., 8 bytes each; key : uint64[4]."""
    state = np.empty(8, np.uint64)
    absorb_key(key, state)
    for i in range(len(digests)):
        number = np.uint64(first + i)
        a, b, c, d = begin(state, BLOCK + NUMBER, LAST)
        for place in PLACES:
            a, b, c, d = turn(a, b, c, d, alone(number, place))
        end(a, b, c, d, state, digests[i])
