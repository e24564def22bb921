"""Amounts as people read them, and how much memory there is."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path


def counted(count: int, thing: str) -> str:
    """Such as `1 hand` and `1,000 hands`; `thing` is one of them."""
    return f"{count:,} {plural(count, thing)}"


def plural(count: int, thing: str) -> str:
    """What `count` of them are called.

    >>> plural(1, "match"), plural(2, "match"), plural(2, "deal")
    ('match', 'matches', 'deals')
    """
    return thing if count == 1 else f"{thing}{'es' if thing.endswith('ch') else 's'}"


def format_count(number: int, most: int = 10**15) -> str:
    """A number with commas, or as 6.375e161 from `most` on."""
    if number < most:
        return f"{number:,}"
    mantissa, exponent = f"{Decimal(number):.3e}".split("e")  # a float would overflow
    return f"{mantissa}e{int(exponent)}"


def format_bytes(number: int) -> str:
    """A number of bytes with a binary unit."""
    if number < 1024:
        return f"{number} bytes"
    for place, unit in enumerate(("KiB", "MiB", "GiB", "TiB", "PiB"), 1):
        if number < 1000 * 1024**place:
            return f"{number / 1024**place:.3g} {unit}"
    return f"{format_count(number)} bytes"


def available_bytes() -> int:
    """Memory that can be had without swapping: what is free, and on Linux what only keeps files at hand."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
