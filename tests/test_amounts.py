"""Amounts as they are printed."""

import pytest

from kibitz.amounts import available_bytes, counted, format_bytes, format_count, plural


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (1234, "1,234"),
        (10**15 - 1, "999,999,999,999,999"),
        (10**15, "1.000e15"),
        (999_960 * 10**400, "1.000e406"),
    ],
)
def test_long_numbers(number, text):
    assert format_count(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (96, "96 bytes"),
        (2048, "2 KiB"),
        (1_000_000, "977 KiB"),
        (40 * 2**30, "40 GiB"),
        (1000 * 2**50, "1.126e18 bytes"),
    ],
)
def test_bytes(number, text):
    assert format_bytes(number) == text


def test_one_hand_and_many_hands():
    assert [counted(number, "hand") for number in (0, 1, 1000)] == ["0 hands", "1 hand", "1,000 hands"]
    assert (plural(1, "board"), plural(2, "board")) == ("board", "boards")
    assert (counted(1, "match"), counted(2, "match")) == ("1 match", "2 matches")


def test_there_is_some_memory_and_where_the_system_does_not_tell_pages_are_counted(monkeypatch):
    assert available_bytes() > 1 << 20
    monkeypatch.setattr("kibitz.amounts.Path.read_text", lambda _path: "MemTotal: 7 kB\n")
    monkeypatch.setattr("kibitz.amounts.os.sysconf", {"SC_PAGE_SIZE": 4096, "SC_AVPHYS_PAGES": 3}.__getitem__)
    assert available_bytes() == 3 * 4096
