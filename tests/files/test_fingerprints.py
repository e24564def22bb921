"""Fingerprints: plain SHA-256 of the bytes, whatever the memory order."""

from hashlib import sha256

import numpy as np

from kibitz.files import file_sha256, fingerprint


def test_a_fingerprint_is_the_beginning_of_a_plain_hash():
    numbers = np.arange(6.0).reshape(2, 3)
    plain = sha256("Kibitz ♠".encode() + b"\0" + numbers.tobytes()).hexdigest()[:16]
    assert fingerprint("Kibitz ♠", b"\0", numbers) == plain


def test_arrays_count_row_by_row_whatever_their_order_in_memory():
    numbers = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert fingerprint(numbers) == fingerprint(np.asfortranarray(numbers)) == fingerprint(numbers.tobytes())
    assert fingerprint(numbers[:, ::2]) == fingerprint(numbers[:, ::2].copy())
    assert fingerprint(numbers) != fingerprint(numbers.T)


def test_arrays_without_entries_or_of_truth_values_have_one_too():
    assert fingerprint(np.zeros((0, 3))) == fingerprint() == fingerprint("")
    assert fingerprint(np.array([True, False])) == fingerprint(b"\x01\x00")
    assert fingerprint(np.array(7, dtype=np.uint8)) == fingerprint(b"\x07")


def test_a_file_is_hashed_whole(tmp_path):
    (tmp_path / "log").write_bytes(b"hands" * 100_000)
    assert file_sha256(tmp_path / "log") == sha256(b"hands" * 100_000).hexdigest()
