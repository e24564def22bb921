"""`kibitz reproduce`."""

import json
import re

import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.experiments import PAPERS, load_paper
from kibitz.experiments.hawkin2014.agents import CONTESTS
from kibitz.experiments.hawkin2014.efforts import SCALES
from kibitz.experiments.published import Experiment, Found, PublishedTable

TABLE = PublishedTable("Table 0: a table", "run", ("1",), {"A": (47.26,)}, 0, 2, bounds={"A": (2.18,)})


def run(*arguments):
    return CliRunner().invoke(main, ("reproduce", *arguments), catch_exceptions=False)


def test_lists_papers_and_tables():
    result = run()
    assert result.exit_code == 0
    assert "ganzfried2013" in result.output
    assert "table-7" in result.output
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if line[0] != " "} == set(PAPERS)


def test_one_table_as_json():
    document = json.loads(run("ganzfried2013", "table-1", "--json").output)
    assert document["table"] == "table-1"
    cell = document["rows"]["Rand-psHar"][1]
    assert cell["column"] == "0.001"
    assert cell["printed"] == 0.601
    assert cell["ours"] == pytest.approx(0.6012, abs=1e-4)
    assert cell["verdict"] == "reproduced"
    assert cell["low"] is None


def test_several_tables_as_json_are_a_list():
    documents = json.loads(run("ganzfried2013", "table-1", "figure-1", "--json").output)
    assert [document["table"] for document in documents] == ["table-1", "figure-1"]


def test_text_fits_in_80_columns():
    output = run("ganzfried2013", "table-1", "table-5", "table-7").output
    assert max(map(len, output.splitlines())) <= 80
    assert "Det-psHar 5: printed 2.3, ours 2.9" in output
    tolerances = [line for line in output.splitlines() if line.startswith("Tolerance: ")]
    assert tolerances == ["Tolerance: 0.0005.", "Tolerance: 0."]  # table 7 was not run
    assert "All: 63 reproduced, 1 tied, 5 in range, 77 not run" in output


def test_tables_that_are_too_wide_come_in_parts():
    output = run("rubin2011", "table-5", "table-6").output
    assert max(map(len, output.splitlines())) <= 80
    assert "…" not in output
    for figure in ("-2289", "-2241", "8669", "-108"):
        assert f" {figure} " in output
    assert output.count("SartreNL        printed") == 3  # twice in table 5
    assert "table-6: 14 reproduced;" in output  # what the paper leaves empty has no verdict


def test_presets_are_for_experiments_that_have_them(monkeypatch, tmp_path):
    seen = []

    def scaled(effort):
        seen.append(effort)
        return Experiment(TABLE, lambda: iter([("A", "1", Found(47.5, 46.0, 49.0))]), (f"done {effort.preset}",))

    monkeypatch.setitem(load_paper("hawkin2014").EXPERIMENTS, "table-0", Experiment(TABLE, None, scaled=scaled))
    options = ("--preset", "full", "--threads", "2", "--seed", "5", "--out", str(tmp_path))
    output = run("hawkin2014", "table-0", *options).output
    assert [(effort.preset, effort.threads, effort.seed) for effort in seen] == [("full", 2, 5)]
    assert seen[0].folder == tmp_path / "work" / "hawkin2014"
    assert "done full" in output
    assert "A   printed  47.26 ± 2.18" in output
    assert "    ours     47.50 ± 1.50" in output
    assert "47.26 ± 2.18" in (tmp_path / "report.html").read_text()
    same = ("ganzfried2013", "table-1", "--json")
    first, second = (json.loads(run(*same, "--preset", preset).output) for preset in ("smoke", "full"))
    assert first["rows"] == second["rows"]
    assert run(*same, "--preset", "huge").exit_code == 2


def test_the_presets_are_those_that_experiments_know():
    assert list(SCALES) == list(CONTESTS) == ["smoke", "short", "full"]
    assert "[smoke|short|full]" in run("--help").output


def test_writes_a_page_and_the_numbers(tmp_path):
    out = tmp_path / "new" / "folder"
    result = run("ganzfried2013", "table-1", "figure-2", "--out", str(out))
    assert "report.html" in result.output
    assert sorted(path.name for path in out.iterdir()) == ["report.html", "results.json"]
    assert [each["table"] for each in json.loads((out / "results.json").read_text())] == ["table-1", "figure-2"]


def test_a_folder_gathers_tables(monkeypatch, tmp_path):
    figures = iter([47.0, 48.0])

    def scaled(effort):
        return Experiment(TABLE, lambda: iter([("A", "1", Found(next(figures)))]))

    monkeypatch.setitem(load_paper("hawkin2014").EXPERIMENTS, "table-0", Experiment(TABLE, None, scaled=scaled))
    run("hawkin2014", "table-0", "--seed", "5", "--out", str(tmp_path))
    run("ganzfried2013", "figure-2", "--out", str(tmp_path))
    before = (tmp_path / "report.html").read_text()
    assert all(text in before for text in ("47.00", "preset short, seed 5", "0.0005", "<svg"))
    run("hawkin2014", "table-0", "--seed", "6", "--preset", "smoke", "--out", str(tmp_path))
    first, second = json.loads((tmp_path / "results.json").read_text())
    assert (first["paper"], first["table"], first["preset"], first["seed"]) == ("hawkin2014", "table-0", "smoke", 6)
    assert first["rows"]["A"][0]["ours"] == 48
    assert second["table"] == "figure-2"
    after = (tmp_path / "report.html").read_text()
    settings = before.replace("47.00", "48.00").replace("preset short, seed 5", "preset smoke, seed 6")
    assert without_seconds(after) == without_seconds(settings)


def without_seconds(page):
    return re.sub(r"\d+\.\d s", "", page)


@pytest.mark.parametrize("name", ["results.json", "report.html"])
@pytest.mark.parametrize(
    "text", ["", "{}", '""', "[1]", '[{"paper": "ganzfried2013"}]', '{"rows": []}', "<html></html>"]
)
def test_files_of_others_are_refused_before_the_work_begins(monkeypatch, tmp_path, name, text):
    experiment = Experiment(TABLE, lambda: pytest.fail("the work has begun"))
    monkeypatch.setitem(load_paper("hawkin2014").EXPERIMENTS, "table-0", experiment)
    (tmp_path / name).write_text(text)
    result = run("hawkin2014", "table-0", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert f"{tmp_path / name} is not of kibitz reproduce: move it away" in result.output
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody2020",), "no paper 'nobody2020': there are ganzfried2013, hawkin2014"),
        (("ganzfried2013", "table-8"), "no table 'table-8' of ganzfried2013: there are table-1"),
        (("ganzfried2013", "table-1", "--search"), "no alternative interpretations of table-1"),
    ],
)
def test_errors_say_what_there_is(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_the_list_of_papers_as_json():
    papers = json.loads(run("--json").output)
    assert papers["ganzfried2013"]["title"]
    assert "table-7" in papers["ganzfried2013"]["tables"]


def test_a_folder_of_an_earlier_version_is_gone_on_with(tmp_path):
    assert run("hawkin2014", "table-6.1", "--out", str(tmp_path)).exit_code == 0
    documents = json.loads((tmp_path / "results.json").read_text())
    for document in documents:
        del document["decimals"], document["shares"]
    (tmp_path / "results.json").write_text(json.dumps(documents))
    (tmp_path / "report.html").write_text("<html>")
    result = run("hawkin2014", "table-5.3", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert [each["table"] for each in json.loads((tmp_path / "results.json").read_text())] == ["table-6.1", "table-5.3"]
