"""Files and folders: written whole or not at all, by one process at a time, and read without trusting them."""

from kibitz.files.locking import is_locked, locked
from kibitz.files.reading import (
    checksum,
    file_sha256,
    fingerprint,
    load_array,
    load_arrays,
    parse_json,
    read_json,
    release,
    shown,
)
from kibitz.files.writing import (
    clear_partial,
    folder_taking_place,
    plain,
    reserve,
    save_array,
    save_figure,
    svg_text,
    taking_place,
    write_text,
)

__all__ = [
    "checksum",
    "clear_partial",
    "file_sha256",
    "fingerprint",
    "folder_taking_place",
    "is_locked",
    "load_array",
    "load_arrays",
    "locked",
    "parse_json",
    "plain",
    "read_json",
    "release",
    "reserve",
    "save_array",
    "save_figure",
    "shown",
    "svg_text",
    "taking_place",
    "write_text",
]
