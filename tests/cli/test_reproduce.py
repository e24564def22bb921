"""`kibitz reproduce`."""

import json

import pytest
from click.testing import CliRunner

from kibitz.cli import main


def run(*arguments):
    return CliRunner().invoke(main, ("reproduce", *arguments), catch_exceptions=False)


def test_lists_papers_and_tables():
    result = run()
    assert result.exit_code == 0
    assert "ganzfried2013" in result.output
    assert "table-7" in result.output


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
    assert "All: 63 reproduced, 1 tied, 5 in range, 77 not run" in output


def test_writes_a_page_and_the_numbers(tmp_path):
    out = tmp_path / "new" / "folder"
    result = run("ganzfried2013", "table-1", "figure-2", "--out", str(out))
    assert "report.html" in result.output
    assert sorted(path.name for path in out.iterdir()) == ["report.html", "results.json"]
    assert [each["table"] for each in json.loads((out / "results.json").read_text())] == ["table-1", "figure-2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody2020",), "no paper 'nobody2020': there are ganzfried2013, hawkin2014"),
        (("ganzfried2013", "table-8"), "no table 'table-8' of ganzfried2013: there are table-1"),
        (("ganzfried2013", "table-1", "--search"), "nothing to search in table-1"),
    ],
)
def test_errors_say_what_there_is(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output
