"""Damaged documents and arrays raise a ValueError with a sentence, and checksums see every flipped bit."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kibitz.files import checksum, load_array, load_arrays, parse_json, read_json, release, save_array


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "1" * 5000, "{", b"\xff\xfe\x00", ""])
def test_absurd_documents(tmp_path, text):
    path = tmp_path / "document.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for read in (lambda: parse_json(text), lambda: read_json(path)):
        with pytest.raises(ValueError, match=r"."):
            read()


def damages(whole: bytes, count: int, seed: int, among: int) -> list[bytes]:
    """`whole` with a byte changed among the first, or cut short."""
    draws, found = random.Random(seed), []
    for number in range(count):
        damaged = bytearray(whole)
        if number % 4:
            damaged[draws.randrange(min(among, len(whole)))] = draws.randrange(256)
        else:
            del damaged[draws.randrange(len(whole)) :]
        found.append(bytes(damaged))
    return found


def refusal(load: Callable[[Path], object], path: Path, damaged: bytes) -> str:
    """What `load` says of a damaged file, nothing where it loads."""
    path.write_bytes(damaged)
    try:
        load(path)
    except ValueError as error:
        return str(error)
    return ""


def test_damaged_headers_of_arrays(tmp_path):
    path = tmp_path / "array.npy"
    np.save(path, np.arange(30.0))
    told = [refusal(load_array, path, damaged) for damaged in damages(path.read_bytes(), 600, 1, 128)]
    assert {len(text.splitlines()) for text in told} == {0, 1}
    with pytest.raises(FileNotFoundError):
        load_array(tmp_path / "none.npy")


def test_damaged_archives(tmp_path):
    path = tmp_path / "arrays.npz"
    np.savez_compressed(path, a=np.arange(30.0), b=np.array("text"))
    told = [refusal(load_arrays, path, damaged) for damaged in damages(path.read_bytes(), 400, 2, 10_000)]
    assert {len(text.splitlines()) for text in told} == {0, 1}


@pytest.mark.parametrize("size", [0, 3, 5000, 20_000])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2"])
def test_checksums_see_flipped_bits_types_and_shapes(size, dtype):
    array = np.random.default_rng(size).random(size).astype(dtype)
    found = checksum(array)
    assert checksum(array.copy()) == found
    assert checksum(array[:, None]) != found
    assert checksum(array.view(f"i{array.itemsize}")) != found
    draws = random.Random(3)
    for _ in range(100 if size else 0):
        damaged = array.copy()
        damaged.view("u1")[draws.randrange(array.nbytes)] ^= 1 << draws.randrange(8)
        assert checksum(damaged) != found


def test_released_arrays_are_read_again(tmp_path):
    save_array(tmp_path / "a.npy", np.arange(100_000.0))
    array = load_array(tmp_path / "a.npy")
    first = array.sum()
    release(array)
    release(array[3:])
    assert array.sum() == first
    release(own := np.arange(3))  # no file stands behind it
    assert own.tolist() == [0, 1, 2]
