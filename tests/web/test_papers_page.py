"""Papers on the page: the list with verdicts, a table cell by cell, computed as a job; and files that mean harm."""

import json
import time

import pytest
from starlette.testclient import TestClient

from kibitz.cli import main
from kibitz.web.app import make_app
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"
TABLE = {"paper": "ganzfried2013", "table": "table-1"}


def client(folder):
    return TestClient(
        make_app(folder), base_url=HOME, headers={"Origin": HOME, "Accept": "text/html"}, cookies={VISITOR: "v" * 22}
    )


def test_a_table_is_computed_as_a_job_and_shown_cell_by_cell(tmp_path):
    page = client(tmp_path)
    assert "0 of 9 tables computed" in page.get("/papers").text
    before = page.get("/papers/table", params=TABLE).text
    assert "these are the printed figures" in before
    assert 'class="is-good"' not in before
    page.post("/papers/start", data=TABLE | {"preset": "smoke"})
    while any(job.state == "running" for job in page.app.state.jobs.list()):
        time.sleep(0.05)
    again = client(tmp_path)
    (document,) = json.loads((tmp_path / "papers" / "ganzfried2013-table-1" / "results.json").read_text())
    assert "1 of 9 tables computed" in again.get("/papers").text
    text = again.get("/papers/table", params=TABLE).text
    assert text.count('<td class="is-good"') == document["counts"]["reproduced"] == 20


def test_what_the_command_left_is_found(tmp_path):
    main(["reproduce", "ganzfried2013", "figure-1", "--out", str(tmp_path / "mine")], standalone_mode=False)
    page = client(tmp_path)
    asked = {"paper": "ganzfried2013", "table": "figure-1"}
    assert "In mine;" in page.get("/papers/table", params=asked).text
    picture = page.get("/papers/picture", params=asked)
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "script-src" not in picture.headers["content-security-policy"]
    assert "sandbox" in picture.headers["content-security-policy"]


def test_names_and_results_with_markup(tmp_path):
    evil = "<img src=x onerror=alert(1)>"
    cell = {"column": evil, "printed": 1.0, "ours": 2.0, "low": None, "high": None, "verdict": "differs"}
    document = {
        **TABLE, "title": evil, "heading": evil, "columns": [evil], "rows": {evil: [cell | {"reason": evil}]},
        "tolerance": 0.1, "notes": [evil], "seconds": 1.0, "picture": "<svg><script>alert(1)</script></svg>",
    }  # fmt: skip
    for name, content in ((evil, [document]), ("tournament", {"agents": []}), ("broken", 7)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(json.dumps(content))
    page = client(tmp_path)
    text = page.get("/papers/table", params=TABLE).text
    assert evil not in text
    assert "1 differs" in page.get("/papers").text
    assert "script-src" not in page.get("/papers/picture", params=TABLE).headers["content-security-policy"]


@pytest.mark.parametrize(
    "form", [{"paper": "x"}, {"table": "../x"}, {"preset": "eternal"}, {"paper": "<b>"}, {"table": ""}]
)
def test_what_is_not_there_is_refused(tmp_path, form):
    page = client(tmp_path)
    answer = page.post("/papers/start", data=TABLE | {"preset": "smoke"} | form)
    assert answer.status_code == (400 if "preset" in form else 404)
    assert "<b>" not in answer.text.partition("<main")[2].replace("<b></b>", "")
    if "preset" not in form and form.get("table") != "":
        assert page.get("/papers/table", params=TABLE | form).status_code == 404
