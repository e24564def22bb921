"""Random numbers by hash: SplitMix64, checked against its published stream and a NumPy twin."""

from hashlib import blake2b

import numpy as np
import pytest

from kibitz.random import derive_seed, mix, parse_seed, secret, seed_text, unit, word_at

GOLDEN = 0x9E3779B97F4A7C15
# The first outputs of SplitMix64 from state 0, as generators that seed themselves with it print them.
FROM_ZERO = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
FROM_1234567 = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]


def splitmix64(state, count):
    """The stream as an array: state k + 1 is state k plus the golden increment, all in wrapping 64-bit arithmetic."""
    with np.errstate(over="ignore"):
        word = np.uint64(state) + np.uint64(GOLDEN) * np.arange(1, count + 1, dtype=np.uint64)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))


@pytest.mark.parametrize(("state", "outputs"), [(0, FROM_ZERO), (1234567, FROM_1234567)])
def test_mix_gives_the_published_stream(state, outputs):
    assert [mix((state + k * GOLDEN) % 2**64) for k in range(len(outputs))] == outputs
    assert splitmix64(state, len(outputs)).tolist() == outputs


@pytest.mark.parametrize("state", [0, 1, 2**63, 2**64 - 1, 0xDEADBEEF])
def test_mix_agrees_with_wrapping_arithmetic(state):
    assert [mix((state + k * GOLDEN) % 2**64) for k in range(200)] == splitmix64(state, 200).tolist()


def unshift(word, shift):
    """The inverse of word ^ word >> shift."""
    result = word
    for _ in range(64 // shift):
        result = word ^ result >> shift
    return result


def unmix(word):
    word = unshift(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    word = unshift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    return (unshift(word, 30) - GOLDEN) % 2**64


def test_mix_is_a_bijection():
    for word in [0, 1, 2**64 - 1, *(mix(k) for k in range(500))]:
        assert unmix(mix(word)) == word


def test_units_lie_in_the_half_open_interval():
    assert unit(0) == 0.0
    assert unit(2**64 - 1) == 1 - 2**-53
    assert unit(2**63) == 0.5


def test_units_of_neighbouring_places_are_uniform_and_uncorrelated():
    units = np.array([[unit(word_at(7, hand, decision)) for decision in range(4)] for hand in range(20_000)])
    count = units.size
    assert abs(units.mean() - 0.5) < 4 * np.sqrt(1 / 12 / count)
    cells = np.histogram(units, bins=16, range=(0, 1))[0]
    assert (np.abs(cells - count / 16) < 4.5 * np.sqrt(count * (1 / 16) * (15 / 16))).all()
    for other in range(1, 4):
        correlation = np.corrcoef(units[:, 0], units[:, other])[0, 1]
        assert abs(correlation) < 4.5 / np.sqrt(len(units))


def test_words_depend_on_every_part_of_the_place():
    places = [(seed, hand, decision) for seed in range(8) for hand in range(8) for decision in range(8)]
    assert len({word_at(*place) for place in places}) == len(places)
    assert word_at(2**64 + 5, 1, 2) == word_at(5, 1, 2)  # seeds are words


def test_derived_seeds_differ_by_path():
    paths = [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]
    assert len({derive_seed(3, *path) for path in paths}) == len(paths)
    assert all(0 <= derive_seed(3, *path) < 2**64 for path in paths)
    assert derive_seed(3, 1, 2) == derive_seed(3, 1, 2) != derive_seed(4, 1, 2)


def test_secrets_are_keyed_blake2b():
    key, place = (0x0102).to_bytes(2, "little"), (3).to_bytes(8, "little") + (4).to_bytes(8, "little")
    assert secret(0x0102, "cards", 3, 4) == blake2b(place, key=key, person=b"cards", digest_size=32).digest()
    assert len({secret(1 << bits, "cards") for bits in (0, 8, 64, 511, 512, 4000)}) == 6


def test_seeds_are_read_as_they_are_printed():
    for seed in (0, 12, 2**64 - 1, 2**64, 10**31, 10**32, 2**128 - 1, 2**200):
        assert parse_seed(seed_text(seed)) == seed
    assert parse_seed("f" * 32) == parse_seed("F" * 32) == 2**128 - 1
    for text in ("", "-1", "1_000", "0x12", "abc", "1.5", " 1", "\u0663", "g" * 32):
        with pytest.raises(ValueError, match=r"^(?s:.*)$"):
            parse_seed(text)
