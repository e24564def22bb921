"""Reading documents and arrays that may be damaged: what is wrong is a ValueError with a sentence, always.

Checksums find the damage. Fingerprints are short hashes by which strategies, deals and series know what they belong to.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Collection
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

SEAL = "crc32"  # the entry of a document with the checksum of all others
_SHOWN = 80  # characters of a value in a message
_WORDS = 1 << 13  # 64-bit words of a block


def parse_json(text: str | bytes) -> Any:
    """The document in `text`."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_json(path: Path) -> Any:
    """The document in the file `path`; OSError where there is none."""
    return parse_json(path.read_bytes())


def shown(value: object, quoted: bool = True) -> str:
    """What stands in a document, for a message: as Python writes it, texts with or without quotes, cut where long."""
    try:
        text = value if isinstance(value, str) and value.isprintable() and not quoted else repr(value)
    except RecursionError:
        return f"a {type(value).__name__} that is nested too deeply"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def load_array(path: Path) -> Array:
    """The array in a .npy file, memory-mapped; OSError where there is none."""
    with path.open("rb"):  # what the system refuses is told here; what it says later comes of absurd numbers
        pass
    try:
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except Exception as error:  # NumPy evaluates the header: a damaged one raises whatever it likes
        raise ValueError(f"{path.name} is no whole array ({_first_line(error)})") from None


def release(array: npt.NDArray[Any]) -> None:
    """Give the memory of an array of `load_array` back to the system; what is looked at again is read again.

    Arrays that no file stands behind, and systems that know nothing of this, are left as they are.
    """
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and not array.flags.writeable:
        base.madvise(mmap.MADV_DONTNEED)


def load_arrays(path: Path, only: Collection[str] = ()) -> dict[str, Array]:
    """The arrays in a .npz file, by name, all or those of `only`; OSError where there is no such file."""
    with path.open("rb") as opened:
        try:
            with np.load(opened, allow_pickle=False) as file:
                return {name: np.asarray(file[name]) for name in file.files if name in only or not only}
        except Exception as error:  # as above, and damaged archives
            raise ValueError(f"{path.name} is no whole archive of arrays ({_first_line(error)})") from None


def checksum(array: Array) -> str:
    """A checksum of an array's type, shape and bytes, as fast as memory is read.

    The CRC-32 of the sums of blocks of 64 KiB, read as 64-bit integers: a CRC-32 of all bytes would take as long as
    all else that is done to open a large strategy, and this takes a seventh of that. Flipped bits are seen, and bytes
    that were lost or overwritten, but for a chance of 2^-64; words that change places within a block are not.
    """
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    whole = len(data) - len(data) % (8 * _WORDS)
    sums = data[:whole].view("<u8").reshape(-1, _WORDS).sum(axis=1, dtype="<u8")
    value = crc32(f"{array.dtype.str} {array.shape}".encode())
    return f"{crc32(data[whole:].tobytes(), crc32(sums.tobytes(), value)):08x}"


def document_sum(document: dict[str, Any]) -> int:
    """The CRC-32 of a document as JSON writes it: the same again when it is read, for entries keep their order."""
    try:
        return crc32(json.dumps(document).encode())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """`document` with a checksum of all that it says, which `check_seal` compares."""
    return {**document, SEAL: document_sum(document)}


def check_seal(document: dict[str, Any]) -> None:
    """Refuse a document that does not say what it said when it was sealed; older ones, which were not, are taken."""
    rest = {key: value for key, value in document.items() if key != SEAL}
    if SEAL in document and document[SEAL] != document_sum(rest):
        raise ValueError(f"it is damaged, or was edited: its {SEAL} is not that of the rest (remove it if you edited)")


def _first_line(error: Exception) -> str:
    """What it says, or what it is: such errors may have no text, or a long one."""
    return (str(error) or type(error).__name__).splitlines()[0][:100]


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
