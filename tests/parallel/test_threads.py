"""Slices of work on threads: all of it is done once, and progress ends at the total."""

import pytest

from kibitz.parallel.threads import run_slices
from kibitz.progress import silent


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 7, 100])
def test_slices_cover_everything_once(threads, count):
    seen = []
    run_slices(lambda start, stop: seen.extend(range(start, stop)), count, 3, threads)
    assert sorted(seen) == list(range(count))


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_names_the_stage_rises_and_ends_at_the_total(threads):
    told = []
    run_slices(lambda _start, _stop: None, 50, 2, threads, "counting", lambda *each: told.append(each))
    assert {(stage, total) for stage, _, total in told} == {("counting", 50)}
    done = [each for _, each, _ in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 50)


def test_an_error_in_a_slice_comes_out():
    def work(start, _stop):
        if start == 4:
            raise ValueError("slice 4")

    with pytest.raises(ValueError, match="slice 4"):
        run_slices(work, 10, 2, threads=2)


def test_silent_progress_says_nothing(capsys):
    assert silent("anything", 1, 2) is None
    assert capsys.readouterr() == ("", "")
