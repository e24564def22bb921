"""`kibitz rank`: tables, tournaments, logs, and what is asked about the cap."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.experiments.bard2016.crosstables import PUBLISHED


def run(*words):
    result = CliRunner().invoke(main, ["rank", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def test_published_tables_are_listed():
    assert [line.split()[0] for line in run().splitlines() if not line.startswith(" ")] == list(PUBLISHED)
    assert json.loads(run("--json"))["tables"] == PUBLISHED


def test_caps_of_2013():
    pairs = ("--crossing", "hyperborean_tbr", "slumbot", "--crossing", "neo_poker_lab", "slumbot")
    found = json.loads(run("acpc-2013-nolimit", "--sweep", *pairs, "--json"))
    assert found["cap"] == 750
    assert found["crossings"][0]["caps"] == pytest.approx([796], abs=1)
    assert found["crossings"][1]["caps"] == pytest.approx([2812], abs=1)
    assert [each["agent"] for each in found["leaders"]] == ["slumbot", "hyperborean_tbr"]
    text = run("acpc-2013-nolimit", "--sweep", *pairs)
    assert "change places at a cap of: 796.5" in text
    assert max(map(len, text.splitlines())) <= 80


def test_shares_and_rounds():
    bottom = [word for name in ("Rembrant3", "KEmpfer", "HITSZ_CS_14", "Lucifer") for word in ("--share", name)]
    found = json.loads(run("acpc-2014-nolimit", *bottom, "--json"))
    assert found["shares"]["Tartanian7"] == pytest.approx(0.922, abs=5e-4)
    assert found["shares"]["HibiscusBiscuit"] == pytest.approx(0.908, abs=5e-4)
    text = " ".join(run("acpc-2014-limit-3p", "--run-off", "--without", "Lucifer").split())
    assert "out: HITSZ_CS_14" in text
    assert "Lucifer" not in text


def test_the_plot_marks_the_crossings_that_are_asked_for(tmp_path):
    plot = tmp_path / "sweep.svg"
    run("acpc-2014-nolimit", "--plot", plot)
    assert "<!-- 2,180 -->" in plot.read_text()  # where the lead changes
    pair = ("--crossing", "Hyperborean_tbr", "Tartanian7")
    found = json.loads(run("acpc-2014-nolimit", *pair, "--plot", plot, "--json"))
    drawn = plot.read_text()
    for cap in found["crossings"][0]["caps"]:
        assert f"<!-- {cap:,.0f} -->" in drawn
    assert "<!-- 2,035 -->" in drawn
    assert "<!-- Nyx -->" not in drawn


def test_a_table_of_ones_own_and_its_plot(tmp_path):
    path, plot = tmp_path / "mine.csv", tmp_path / "sweep.svg"
    path.write_text("agent,a,b,c\na,,10,900\nb,-10,,300\nc,-900,-300,\n")
    found = json.loads(run(path, "--cap", 100, "--plot", plot, "--json"))
    assert [(row["agent"], row["capped"]) for row in found["ranking"]] == [("a", 55), ("b", 45), ("c", -100)]
    assert plot.read_text().startswith("<svg")
    assert json.loads(run(path, "--only", "a", "--only", "c", "--json"))["agents"] == ["a", "c"]


def test_the_folder_of_a_tournament_gives_the_same_ranking(tmp_path):
    out = tmp_path / "run"
    words = ["tournament", "random", "always-call", "tight-passive", "--game", "leduc", "--hands", "20"]
    played = CliRunner().invoke(
        main, [*words, "--matches", "10", "--executor", "in-process", "--out", str(out), "--json"]
    )
    assert played.exit_code == 0, played.output
    theirs = json.loads(played.output)
    ours = json.loads(run(out, "--json"))
    keys = ("cap", "ranking", "runoff", "bootstrap")
    assert {key: ours[key] for key in keys} == {key: theirs[key] for key in keys}
    assert "in 100.0% of the resamples: significant." in " ".join(run(out).split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "nowhere: no such file, folder or published table"),
        (["acpc-2012-limit", "other"], "acpc-2012-limit is a whole competition: give it alone"),
        (["acpc-2012-limit", "--game", "leduc"], "--game is for logs"),
        (["acpc-2012-limit", "--without", "nobody"], "no agent 'nobody'"),
        (["acpc-2012-limit", "--crossing", "slumbot", "nobody"], "no agent 'nobody'"),
        (["acpc-2014-limit-3p", "--share", "Lucifer"], "for games of two players"),
        (["acpc-2012-limit", "--cap", "-1"], "-1"),
    ],
)
def test_wrong_words_are_told_in_one_sentence(words, told):
    result = CliRunner().invoke(main, ["rank", *words])
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
