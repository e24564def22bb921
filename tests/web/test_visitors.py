"""Visitors are told apart: what one has begun or uploaded, another neither sees nor changes."""

import json

import pytest
from starlette.testclient import TestClient

from kibitz.web.app import make_app
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"
LOG = """# name/game/hands/seed m leduc.limit.2p.game 1 0
STATE:0:rf:Kh|As:1|-1:a|b
"""


@pytest.fixture
def visitors(tmp_path):
    """Two browsers, and one who knows nothing of cookies, of one server."""
    app = make_app(tmp_path)
    with TestClient(app, base_url=HOME, headers={"Origin": HOME}) as one:
        yield one, TestClient(app, base_url=HOME, headers={"Origin": HOME})


def test_the_cookie_is_random_and_out_of_the_reach_of_scripts_and_of_other_sites(visitors):
    one, other = visitors
    (told,) = one.get("/table").headers.get_list("set-cookie")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*told.split("; ")}
    own = one.cookies[VISITOR]
    one.get("/jobs")
    assert one.cookies[VISITOR] == own
    other.get("/table")
    assert other.cookies[VISITOR] != own
    answer = other.get("/table", headers={"Cookie": f"{VISITOR}=guessed"})
    assert "guessed" not in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Referer": "http://evil.example/"}]
)
def test_a_link_on_another_site_does_not_replace_the_cookie(visitors, headers):
    """A browser follows it without the cookie, and would take a new one in its place."""
    one, _other = visitors
    assert "set-cookie" not in one.get("/table", headers=headers).headers
    assert "set-cookie" not in one.post("/table/start", headers={"Origin": "http://evil.example"}).headers


def test_a_seat_is_its_owners(visitors, tmp_path):
    one, other = visitors
    table = one.post("/table/start", data={"game": "leduc", "opponent": "always-call", "seed": "5"}).url.path
    assert table in one.get("/table").text
    assert table not in other.get("/table").text
    act = {"hand": 0, "decision": 0, "action": "c"}
    for path in (table, f"{table}/advice?policy=always-call", f"{table}/luck", f"{table}/history/acpc"):
        assert other.get(path).status_code == 404
        assert one.get(path).status_code == 200
    assert other.post(f"{table}/act", json=act).status_code == 404
    assert other.post(f"{table}/remove").status_code == 404
    assert one.post(f"{table}/act", json=act).status_code == 200
    (stored,) = (tmp_path / ".kibitz-web" / "tables").iterdir()
    assert one.cookies[VISITOR] not in stored.read_text()
    stored.write_text(json.dumps(json.loads(stored.read_text()) | {"owner": ""}))  # of a folder from before
    with TestClient(make_app(tmp_path), base_url=HOME) as later:
        assert later.get(table).status_code == 200


def test_jobs_are_their_owners(visitors):
    one, other = visitors
    spot = {
        "board": "Qs Jh 2h 8d 3c", "pot": "100", "oop_stack": "100", "ip_stack": "100", "oop": "QQ", "ip": "AA",
        "oop_river": "all-in", "ip_river": "all-in", "accuracy": "0", "iterations": "100000000",
    }  # fmt: skip
    job = one.post("/spot/solve", json=spot).json()["job"]
    assert job in one.get("/jobs").text
    assert job in one.get("/spot").text
    for path in ("/jobs", "/jobs/list", "/spot"):
        assert job not in other.get(path).text
    assert other.get(f"/jobs/{job}").status_code == 404
    for change in ("cancel", "resume", "remove"):
        assert other.post(f"/jobs/{job}/{change}").status_code == 404
    assert one.get(f"/jobs/{job}").json()["state"] == "running"
    assert one.post(f"/jobs/{job}/remove").status_code == 200


def test_a_match_is_watched_by_all_and_stopped_by_its_owner(visitors):
    one, other = visitors
    form = {"game": "kuhn", "agents": ["random", "always-call"], "hands": "20", "matches": "100000", "seed": "3"}
    name = one.post("/matches/start", data=form).url.params["name"]
    assert other.get("/matches/open", params={"name": name}).status_code == 200
    refused = other.post("/matches/stop", data={"name": name})
    assert refused.status_code == 403
    assert "another visitor" in refused.text
    assert one.post("/matches/stop", data={"name": name}).status_code == 200
    assert not one.get("/jobs/list").json()["running"]


def test_uploads_are_their_owners(visitors, tmp_path):
    one, other = visitors
    name = one.post("/logs/upload", params={"name": "x.log"}, content=LOG).json()["name"]
    (tmp_path / "everybody.log").write_text(LOG)
    (tmp_path / "uploads" / "old.log").write_text(LOG)
    assert name in one.get("/logs").text
    seen = other.get("/logs").text
    assert "everybody.log" in seen
    assert "old.log" in seen
    assert "x.log" not in seen
    for path in ("/logs/open", "/logs/hand", "/logs/players"):
        assert one.get(path, params={"name": name, "hand": "0"}).status_code == 200
        for way in (name, f"./{name}", f"uploads/../{name}", name.replace("/", "//")):
            answer = other.get(path, params={"name": way, "hand": "0"})
            assert answer.status_code == 404
            assert "STATE" not in answer.text
    assert other.post("/logs/evaluate", data={"name": name}).status_code == 404
