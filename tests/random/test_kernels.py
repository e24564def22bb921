"""SplitMix64 inside kernels equals the plain version, and the published stream; BLAKE2b equals that of hashlib."""

from hashlib import blake2b

import numpy as np
import pytest
from numba import njit

import kibitz.random as plain
from kibitz.random import _kernels as compiled

GAMMA, WORD = int(compiled.GAMMA), 2**64
# The first outputs of SplitMix64 from state 0, as generators that seed themselves with it print them.
PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]


@njit
def draw(key, count):
    """What every helper makes of (key, 0), (key, 1), ..."""
    words, units, places = np.empty((count, 3), np.uint64), np.empty((count, 2)), np.empty(count, np.int64)
    for i in range(count):
        word = key + np.uint64(i) * compiled.GAMMA
        words[i, 0], words[i, 1] = compiled.scatter(word), compiled.mix(word)
        words[i, 2] = compiled.stream(key, i)
        units[i, 0], units[i, 1] = compiled.unit(words[i, 1]), compiled.uniform(key, i)
        places[i] = np.int64(compiled.below(words[i, 1], np.uint64(52)))
    return words, units, places


def test_the_published_stream():
    words, _units, _places = draw(np.uint64(0), len(PUBLISHED))
    assert words[:, 1].tolist() == PUBLISHED


@pytest.mark.parametrize("key", [0, 1, 0xDEADBEEF, WORD - 1])
def test_kernels_draw_what_python_draws(key):
    words, units, places = draw(np.uint64(key), 300)
    mixed = [plain.mix((key + i * GAMMA) % WORD) for i in range(300)]
    assert words[:, 1].tolist() == mixed
    assert (
        words[:, 0].tolist() == words[:, 2].tolist() == [plain.mix((key + (i - 1) * GAMMA) % WORD) for i in range(300)]
    )
    assert units[:, 0].tolist() == units[:, 1].tolist() == [plain.unit(word) for word in mixed]
    assert places.tolist() == [(word >> 32) * 52 >> 32 for word in mixed]


def test_places_and_units_stay_inside_and_are_even():
    _words, units, places = draw(np.uint64(7), 20_000)
    assert 0 <= units.min() < 0.001
    assert 0.999 < units.max() < 1
    assert abs(units.mean() - 0.5) < 0.01
    counts = np.bincount(places, minlength=52)
    assert len(counts) == 52
    assert counts.min() > 250


@pytest.mark.parametrize("key", [bytes(32), bytes(range(224, 256)), blake2b(b"key", digest_size=32).digest()])
@pytest.mark.parametrize("first", [0, 2**40 - 3])
def test_kernels_digest_as_hashlib_does(key, first):
    words = np.empty((40, 8), dtype=np.uint64)
    compiled.digest_numbers(np.frombuffer(key, dtype=np.uint64), first, words)
    plain = [blake2b((first + i).to_bytes(8, "little"), key=key).digest() for i in range(40)]
    assert [row.tobytes() for row in words] == plain
