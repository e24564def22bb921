"""The page: every route, sessions that go on, jobs, and requests that no page of ours would send."""

import time

import pytest
from starlette.testclient import TestClient

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.web.app import make_app
from kibitz.web.bodies import MOST_BYTES
from kibitz.web.folder import inside
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"


def client(folder, **settings):
    return TestClient(
        make_app(folder, **settings), base_url=HOME, headers={"Origin": HOME}, cookies={VISITOR: "v" * 22}
    )


def sit_down(page, **form):
    fields = {"game": "holdem-nolimit", "players": "2", "opponent": "always-call", "seed": "5"} | form
    answer = page.post("/table/start", data=fields)
    assert answer.status_code == 200, answer.text
    return answer.url.path


def act(page, table, decision, action, hand=0):
    return page.post(f"{table}/act", json={"hand": hand, "decision": decision, "action": action})


@pytest.mark.parametrize("path", ["/", "/table", "/jobs", "/jobs/list", "/static/style.css", "/static/table.js"])
def test_pages_answer_with_the_policy(tmp_path, path):
    answer = client(tmp_path).get(path)
    assert answer.status_code == 200
    assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("game", ["holdem-nolimit", "holdem-limit", "leduc", "kuhn"])
def test_a_hand_to_the_showdown_and_a_new_server(tmp_path, game):
    page = client(tmp_path)
    table = sit_down(page, game=game)
    decision = 0
    while 'data-over="0"' in page.get(table).text:
        assert act(page, table, decision, "c").status_code == 200
        decision += 1
    act(page, table, decision, "next")
    before = page.get(table).text
    assert "chips in 1 hand" in before
    assert client(tmp_path).get(table).text == before
    assert "STATE:0:" in client(tmp_path).get(f"{table}/history/acpc").text


def test_illegal_and_late_actions_change_nothing(tmp_path):
    page = client(tmp_path)
    table = sit_down(page)
    before = page.get(table).text
    for sent in [{"action": "r1"}, {"action": "next"}, {"action": "c", "decision": None}, {"hand": "0"}]:
        legal = {"hand": 0, "decision": 0, "action": "c"}
        assert page.post(f"{table}/act", json=legal | sent).status_code == 400
    assert act(page, table, 0, "c", hand=7).status_code == 409
    assert page.get(table).text == before


def test_a_stale_window_is_shown_how_the_hand_stands(tmp_path):
    """A call that was meant for the first street does not call on the second, and a second Next deals no third hand."""
    page = client(tmp_path)
    table = sit_down(page, seed="2")
    assert act(page, table, 0, "c").status_code == 200
    before = page.get(table).text
    late = act(page, table, 0, "c")
    assert late.status_code == 409
    assert "gone on" in late.json()["error"]
    assert 'data-decision="1"' in late.json()["html"]
    assert late.json()["html"] in before
    assert page.get(table).text == before
    assert act(page, table, 1, "c").status_code == 200
    decision = 2
    while act(page, table, decision, "c").status_code == 200:
        decision += 1
    assert act(page, table, decision, "next").status_code == 200
    assert act(page, table, decision, "next").status_code == 409
    assert "Hand 2" in page.get(table).text


def test_advice_is_what_the_policy_does(tmp_path):
    page = client(tmp_path)
    table = sit_down(page)
    assert "100.0 %" in page.get(f"{table}/advice?policy=always-call").json()["html"]
    assert "no agent" in page.get(f"{table}/advice?policy=../x.py:A").json()["html"]
    (tmp_path / "leduc").mkdir()
    main(["solve", "leduc", "--iterations", "3", "--out", str(tmp_path / "leduc")], standalone_mode=False)
    for _ in range(2):
        assert "plays leduc, not" in page.get(f"{table}/advice?policy=leduc").json()["html"]


@pytest.mark.parametrize("agent", ["/etc/x.py:A", "../up", "x.py:Agent", "rules:tightness=1", "<script>"])
def test_only_agents_that_were_offered_sit_down(tmp_path, agent):
    form = {"game": "leduc", "opponent": agent}
    answer = client(tmp_path).post("/table/start", data=form, headers={"Accept": "text/html"})
    assert answer.status_code == 400
    assert "<script>" not in answer.text.partition("<main")[2]


def test_foreign_requests_are_refused(tmp_path):
    page = client(tmp_path)
    for headers in [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]:
        assert page.post("/table/start", data={"game": "leduc"}, headers=headers).status_code == 403
    assert page.get("/table", headers={"Host": "evil.example"}).status_code == 421
    assert page.post("/table/start", content=b"x" * (MOST_BYTES + 1)).status_code == 413
    assert page.post("/table/start", content=b"\xff\xfe").status_code == 400
    assert page.get("/static/../app.py").status_code == 404
    assert page.get("/table/..%2f..%2fx").status_code in (400, 404)


def test_a_token_is_asked_for(tmp_path):
    page = client(tmp_path, hosts=None, token="secret")
    assert page.get("/table").status_code == 401
    assert page.get("/table?token=wrong").status_code == 401
    assert page.get("/?token=secret").status_code == 200
    assert page.get("/table").status_code == 200


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../b", "~", "", "a\0b", "link/x"])
def test_paths_stay_inside(tmp_path, name):
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "link").symlink_to(tmp_path)
    with pytest.raises(KibitzError):
        inside(tmp_path / "served", name)


def ended(jobs, job, seconds=60):
    for _ in range(seconds * 20):
        if jobs.get(job).state != "running":
            break
        time.sleep(0.05)
    return jobs.get(job)


def test_jobs_end_fail_and_are_cancelled(tmp_path):
    page = client(tmp_path)
    jobs = page.app.state.jobs
    job = jobs.start("count", "<b>Count</b>", {"to": 3})
    assert ended(jobs, job).result == {"counted": 3}
    assert ended(jobs, job).progress["done"] == 2  # the last report is kept, however soon it comes
    assert "<b>Count</b>" not in page.get("/jobs").text
    assert "below zero" in ended(jobs, jobs.start("count", "Count", {"to": -1})).error
    slow = jobs.start("count", "Count", {"to": 1000, "seconds": 1})
    page.post(f"/jobs/{slow}/cancel")
    assert client(tmp_path).get(f"/jobs/{slow}").json()["state"] == "cancelled"
    page.post(f"/jobs/{slow}/remove")
    assert page.get(f"/jobs/{slow}").status_code == 404
