"""`kibitz abstract cards`."""

import json

import pytest
from click.testing import CliRunner

from kibitz.abstraction import load_abstraction, parse_notation
from kibitz.abstraction.report import estimate_cost, report_rounds
from kibitz.cli import main


def run(*arguments: str):
    return CliRunner().invoke(main, ("abstract", "cards", *arguments))


def test_the_text(cache):
    result = run("one-bucket", "--game", "holdem-limit-2p")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    while not lines[0].startswith("one-bucket, perfect recall, fingerprint "):  # what it takes, where it is built
        del lines[0]
    assert lines[1].split()[:5] == ["round", "buckets", "empty", "smallest", "largest"]
    assert [line.split()[:5] for line in lines[2:6]] == [
        [name, "1", "0", "100.000%", "100.000%"] for name in ("preflop", "flop", "turn", "river")
    ]
    assert max(map(len, lines[:6])) <= 80
    assert lines[6:] == [
        f"saved in {cache / 'abstractions-2' / 'one-bucket'}",
        "holdem-limit-2p: 6,378 information sets",
    ]


def test_the_document(tmp_path):
    result = run("1-bucket", "--out", str(tmp_path / "here"), "--json")
    document = json.loads(result.stdout)
    assert document["notation"] == "one-bucket"
    assert document["counts"] == [1, 1, 1, 1]
    assert document["folder"] == str(tmp_path / "here")
    assert document["infosets"] is None
    assert load_abstraction(tmp_path / "here").fingerprint == document["fingerprint"]


def test_what_it_says_beforehand(cache):
    """About time, memory and disk, where there is something to build; then nothing."""
    assert "IR" not in run("one-bucket").stderr
    cost = estimate_cost(parse_notation("5-bucket"))
    assert cost.features > 5e8  # the cache of the tests has none
    assert cost.disk < 1e6
    more = estimate_cost(parse_notation("IR-570"))
    assert more.seconds > cost.seconds
    assert more.disk > 1326 * 134_459 * 2
    assert estimate_cost(parse_notation("one-bucket")).features == 0


def test_more_buckets_cost_more():
    """Memory as measured with two threads."""
    small = estimate_cost(parse_notation("5-bucket"))
    measured = {"PR EHS2 5-100-5-5": 1.63, "PR EHS2 5-5-100-5": 1.88, "PR EHS2 5-5-5-1000": 2.55, "20-bucket": 5.19}
    for name, gigabytes in measured.items():
        cost = estimate_cost(parse_notation(name))
        assert cost.memory == pytest.approx(gigabytes * 1e9, rel=0.2)
        assert cost.seconds > small.seconds + 2


def test_it_replaces_nothing(tmp_path):
    assert run("one-bucket", "--out", str(tmp_path / "ours")).exit_code == 0
    before = (tmp_path / "ours" / "manifest.json").read_bytes()
    again = run("one-bucket", "--out", str(tmp_path / "ours"))
    assert again.exit_code == 2
    assert "holds manifest.json, which a run would replace: choose another folder" in again.output
    assert (tmp_path / "ours" / "manifest.json").read_bytes() == before


def test_show_says_how_it_was_made(tmp_path):
    made = run("one-bucket", "--seed", "3", "--out", str(tmp_path / "ours"))
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "ours")])
    assert shown.exit_code == 0, shown.output
    assert "a card abstraction, made by Kibitz" in " ".join(shown.output.split())
    assert "`kibitz abstract cards one-bucket --seed 3`" in " ".join(shown.output.split())
    assert shown.output.endswith(made.stdout)


@pytest.mark.parametrize("notation", ["nonsense", "IR PUBxKE-KO 169-9x9-9-9"])
def test_what_it_refuses(notation):
    result = run(notation)
    assert result.exit_code == 2
    assert notation in result.output


def test_examples_are_of_their_buckets():
    abstraction = load_abstraction("one-bucket")
    reports = report_rounds(abstraction, samples=100)
    assert [len(each.weakest.replace(" ", "")) for each in reports] == [4, 10, 12, 14]
