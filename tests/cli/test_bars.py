"""Progress bars: one line of 80 columns."""

import re

import pytest

from kibitz.cli._bars import progress, stages


@pytest.fixture
def frames(monkeypatch, capsys):
    """What has been drawn so far, line by line, on a terminal of 80 columns."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")

    def read() -> list[str]:
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
        return [line for line in re.split(r"[\r\n]+", text) if line.strip()]

    return read


def test_a_single_piece_of_work_shows_how_long_it_has_taken(frames):
    with progress("always-call, random", 1) as advance:
        advance(1)
    assert re.fullmatch(r"always-call, random ━+ [01]/1 0:00:0\d", frames()[-1])


def test_a_long_label_gives_way_to_the_numbers(frames):
    with progress("x" * 100, 1000) as advance:
        advance(0)
    with stages() as tell:
        tell("y" * 100, 1, 3)
    lines = frames()
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r"x+… \S+ +0/1000 -:--:--", lines[0])
    assert re.fullmatch(r"y+… \S+ -:--:--", lines[-1])


def test_stages_are_named(frames):
    with stages("solving", elapsed=True) as tell:
        tell("10 iterations, 3.000% of the pot", 0.5, 1.0)
    first, *_, last = frames()
    assert first.startswith("solving ")
    assert re.fullmatch(r"10 iterations, 3.000% of the pot \S+  50% 0:00:0\d", last)


def test_nothing_is_drawn_without_a_terminal(capsys):
    with progress("work", 2) as advance:
        advance(1)
    assert capsys.readouterr() == ("", "")
