"""Fingerprints: short hashes by which strategies, deals and series know what they belong to."""

from __future__ import annotations

from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

DIGITS = 16  # hexadecimal: a chance of 2^-64 that two things have the same


def fingerprint(*parts: str | bytes | npt.NDArray[Any]) -> str:
    """Sixteen digits that change when anything in `parts` does: a SHA-256 of all of them, one after the other.

    Texts count as UTF-8 and arrays with the bytes of their entries, row by row. Where one part ends and the next begins
    does not count, nor do the shape and the type of an array: those who need them make them parts of their own.

    >>> fingerprint("leduc", np.arange(3)) == fingerprint("le", "duc", np.arange(3))
    True
    """
    digest = sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data)
        else:
            digest.update(part.encode() if isinstance(part, str) else part)
    return digest.hexdigest()[:DIGITS]


def file_sha256(path: Path) -> str:
    """The SHA-256 of what is in a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
