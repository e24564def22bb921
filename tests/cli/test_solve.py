"""`kibitz solve`: what it refuses, and what it says before it starts."""

import re

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError

BUCKETS = ("holdem-limit-2p", "--cards", "one-bucket")
IMPERFECT = ("holdem-limit-2p", "--cards", "IR-100")


def run(*arguments: str):
    return CliRunner().invoke(main, ("solve", *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kuhn", "--algorithm", "lp", "--storage", "single"), "single storage with lp: only chance, external"),
        (("kuhn", "--algorithm", "lp", "--device", "gpu"), "lp on a GPU: only cfr, cfr+"),
        (("kuhn", "--algorithm", "lp", "--updates", "simultaneous"), "simultaneous updates with lp: only cfr, cfr+"),
        (("kuhn", "--algorithm", "lp", "--until", "0.1"), "exploitability 0.1 as the goal with lp"),
        (("kuhn", "--algorithm", "lp", "--iterations", "5"), "5 iterations with lp"),
        (("kuhn", "--algorithm", "lp", "--threads", "3"), "3 threads with lp: it uses one thread"),
        (("kuhn", "--algorithm", "cfr-br", "--threads", "3"), "3 threads with cfr-br"),
        (("kuhn", "--algorithm", "pcs", "--threads", "3"), "3 threads with pcs"),
        (("kuhn", "--device", "gpu", "--threads", "3"), "3 threads with a GPU"),
        (("kuhn", "--algorithm", "external", "--updates", "alternating"), "alternating updates with external"),
        (("kuhn", "--algorithm", "cfr-br", "--updates", "alternating"), "alternating updates with cfr-br"),
        (("kuhn", "--boards", "100"), "100 boards with no card abstraction"),
        (("kuhn", "--boards", "10000"), "10,000 boards with no card abstraction"),
        ((*BUCKETS, "--suits", "kept"), "suits kept with one-bucket"),
        ((*IMPERFECT, "--algorithm", "external", "--boards", "100"), "100 boards with IR-100"),
        ((*BUCKETS, "--boards", "51979201"), "51,979,201 boards: there are no more than 51,979,200"),
        (("kuhn", "--cards", "5-bucket"), "5-bucket in kuhn: card abstractions are for hold'em"),
        (IMPERFECT, "cfr+ with IR-100, which has imperfect recall"),
        (IMPERFECT, "take one of chance, external, outcome, pure, pcs"),
        (("holdem-limit-3p", "--cards", "one-bucket"), "cfr+ is for two players, not 3: take one of chance, external"),
    ],
)
def test_what_would_do_nothing_or_cannot_be_is_one_sentence(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert "betting nodes" not in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("--algorithm", "lp", "--threads", "1", "--storage", "double", "--device", "cpu"),
        ("--algorithm", "external", "--iterations", "2", "--threads", "2", "--storage", "single"),
        ("--algorithm", "cfr-br", "--iterations", "2"),
        ("--iterations", "2", "--updates", "simultaneous", "--suits", "kept"),
    ],
)
def test_what_does_something_is_taken(arguments):
    result = run("kuhn", *arguments)
    assert result.exit_code == 0, result.output


def test_boards_are_in_the_memory_that_is_told(monkeypatch):
    def stop(*_arguments):
        raise KibitzError("nothing more is needed")

    monkeypatch.setattr("kibitz.solvers.problem.Problem.prepare", stop)
    monkeypatch.setattr("kibitz.training.memory.available_bytes", lambda: 8 << 30)

    def told(boards: int) -> float:
        output = run(*BUCKETS, "--boards", str(boards)).output
        number, unit = re.search(r"peak memory about ([\d.]+) (MiB|GiB)", output).groups()
        return float(number) * {"MiB": 1, "GiB": 1024}[unit]

    assert told(20_000_000) - told(100) == pytest.approx(20_000_000 * 65 / 2**20, rel=0.02)


def test_boards_that_do_not_fit_are_one_sentence(monkeypatch):
    monkeypatch.setattr("kibitz.training.memory.available_bytes", lambda: 1 << 30)
    result = run(*BUCKETS, "--boards", "20000000")
    assert result.exit_code == 2
    assert "20,000,000 boards take 1.21 GiB to draw, there are 1 GiB" in " ".join(result.output.split())


def test_the_help_says_what_a_seed_changes():
    assert "and card abstractions" in " ".join(run("--help").output.split())
