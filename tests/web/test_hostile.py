"""Requests that no page of ours would send, folders that somebody else has filled, and workers that are killed."""

import json
import os
import signal
import time
from errno import EACCES
from pathlib import Path

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from kibitz.web.app import make_app
from kibitz.web.bodies import MOST_BYTES
from kibitz.web.refusals import told
from kibitz.web.tasks.solve_spot import run

HOME = "http://localhost:8765"
MARKUP = "<img src=x onerror=alert(1)>"
ROUTES = [route for route in make_app(Path()).routes if isinstance(route, Route)]
RIVER = {
    "board": "Qs Jh 2h 8d 3c", "pot": "100", "oop_stack": "100", "ip_stack": "100", "oop": "QQ,JJ,65s", "ip": "AA",
    "oop_river": "all-in", "ip_river": "all-in", "accuracy": "5",
}  # fmt: skip


@pytest.fixture
def client(tmp_path):
    (tmp_path / "served").mkdir()
    with TestClient(make_app(tmp_path / "served"), base_url=HOME, headers={"Origin": HOME}) as client:
        client.folder = tmp_path / "served"
        yield client


def address(route):
    return route.path.replace("{session}", "0123456789ab").replace("{form}", "acpc").replace("{job}", "x")


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_no_route_answers_another_name_or_site(client, route):
    """A name that was rebound to the loopback interface is refused everywhere; so is a foreign site that posts."""
    method = "POST" if "POST" in route.methods else "GET"
    for host in ("evil.example", "evil.example:8765", "localhost.evil.example", "localhost@evil.example", ""):
        assert client.request(method, address(route), headers={"Host": host}).status_code == 421
    if method == "POST":
        for origin in ("http://evil.example", "null", "http://localhost:1", "file://"):
            answer = client.post(address(route), json={}, headers={"Origin": origin})
            assert answer.status_code == 403, origin
        bare = TestClient(client.app, base_url=HOME)
        assert bare.post(address(route), json={}).status_code == 403
        assert client.post(address(route), headers={"Sec-Fetch-Site": "same-site"}).status_code == 403


@pytest.mark.parametrize("route", [each for each in ROUTES if "POST" in each.methods], ids=lambda route: route.path)
def test_huge_and_broken_bodies(client, route):
    """One sentence, no trace, whatever is sent."""
    path = address(route)
    assert client.post(path, content=b"x", headers={"Content-Length": str(MOST_BYTES + 1)}).status_code == 413
    assert client.post(path, content=(b"x" * (1 << 20) for _ in range(18))).status_code == 413  # no length announced
    broken = [
        b"",
        b"\xff\xfe\x00",
        b"{",
        b"[" * 100_000,
        b'{"hand": NaN}',
        b"null",
        b'"text"',
        b"&" * 5_000,
        b"a=" * 5_000,
    ]
    for body in broken:
        answer = client.post(path, content=body, follow_redirects=False)
        assert answer.status_code in (200, 303, 400, 404), body[:20]
        assert "Traceback" not in answer.text
    wrong = [{"hand": "x", "action": []}, {"board": [], "oop": {}}, {"text": 5, "edits": "x"}, {"board": "Qs" * 60_000}]
    for document in wrong:
        assert client.post(path, json=document, follow_redirects=False).status_code in (200, 303, 400, 404)


@pytest.mark.parametrize(
    "name", ["../secret", "..", "/etc", "a/../../secret", "link", "link/secret", "~root", "\\x", "a\0b"]
)
def test_nothing_outside_the_folder(client, name):
    (client.folder.parent / "secret").mkdir()
    (client.folder.parent / "secret" / "manifest.json").write_text('{"made": {}, "tree": 1}')
    (client.folder / "link").symlink_to(client.folder.parent)
    for path in ("/strategies/open", "/spot/open", "/spot/export"):
        assert client.get(path, params={"name": name}).status_code in (400, 404)
    assert client.post("/table/start", data={"game": "leduc", "opponent": name}).status_code == 400
    assert "secret" not in client.get("/strategies").text


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000], ids=["long", "deep"])
@pytest.mark.parametrize("path", ["strategies/open?name=", "spot/open?name=", "logs/open?name=", "jobs/"])
def test_a_name_that_is_too_long_is_not_there(client, path, name):
    answer = client.get(f"/{path}{name}")
    assert answer.status_code == 404
    assert str(client.folder) not in answer.text


def test_errors_of_the_system_do_not_tell_where_the_folder_lies(tmp_path):
    error = PermissionError(EACCES, "Permission denied", str(tmp_path / "x" / "y.log"))
    assert told(tmp_path, error) == "x/y.log: Permission denied"


@pytest.mark.parametrize("path", ["/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/jobs/..%2fx",
                                  "/table/..%2f..%2fx", "/table/0123456789ab/history/..%2fx"])  # fmt: skip
def test_addresses_that_climb(client, path):
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text


def test_names_with_markup_are_shown_as_text(client):
    place = client.folder / "spots" / MARKUP
    run(client.folder, RIVER | {"name": MARKUP}, lambda *_done, **_facts: None)
    assert place.is_dir()
    (client.folder / "x.parquet").write_bytes(b"no cases")
    job = client.app.state.jobs.start("count", MARKUP, {"to": -1})
    table = client.post("/table/start", data={"game": "leduc", "opponent": "always-call"}).url.path
    shown = [
        client.get(path, headers={"Accept": "text/html"}).text
        for path in ("/table", "/spot", "/spot/open?name=%3Cimg%20src=x%20onerror=alert(1)%3E", "/jobs", table,
                     "/nothing/%3Cimg%20src=x%20onerror=alert(1)%3E", f"/strategies/open?name={MARKUP}")
    ]  # fmt: skip
    shown += [client.get(f"{table}/advice", params={"policy": MARKUP, "about": MARKUP}).json()["html"]]
    shown += [client.get("/jobs/list").json()["html"]]
    assert all(MARKUP not in text for text in shown)
    assert sum("&lt;img src=x" in text for text in shown) >= 4
    assert client.get(f"/jobs/{job}").headers["content-type"] == "application/json"
    assert "x.parquet" not in shown[0]
    assert client.post("/table/start", data={"game": "leduc", "opponent": "x.parquet"}).status_code == 400


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"kind": "leduc"}', '{"curve": [], "spot": 3}', "\0\0"])
def test_broken_files_in_the_folder_leave_the_pages_up(client, text):
    for name in (".kibitz-web/tables/0123456789ab.json", ".kibitz-web/jobs/x/job.json", "spots/x/manifest.json",
                 "x/manifest.json", "x.parquet"):  # fmt: skip
        path = client.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in ("/table", "/spot", "/strategies", "/jobs"):
        assert client.get(path).status_code == 200, path
    for path in ("/table/0123456789ab", "/spot/open?name=x", "/strategies/open?name=x", "/jobs/x"):
        assert client.get(path).status_code == 400, path


def test_a_session_that_was_edited_by_hand(client):
    table = client.post("/table/start", data={"game": "leduc", "opponent": "always-call", "seed": "5"}).url.path
    path = client.folder / ".kibitz-web" / "tables" / f"{table.split('/')[-1]}.json"
    document = json.loads(path.read_text())
    for change in ({"actions": ["f", "r9"]}, {"opponents": ["/x.py:A"]}, {"kind": "x"}, {"hand": 10**9}, {"seed": "x"}):
        path.write_text(json.dumps(document | change))
        with TestClient(make_app(client.folder), base_url=HOME, cookies=dict(client.cookies)) as other:
            assert other.get(table).status_code == 400, change
            assert other.get("/table").status_code == 200


def test_a_worker_that_is_killed_in_mid_solve(client):
    hard = RIVER | {"accuracy": "0", "iterations": "100000000"}
    job = client.post("/spot/solve", json=hard).json()["job"]
    for _ in range(1200):
        if client.get(f"/jobs/{job}").json()["progress"]:
            break
        time.sleep(0.05)
    os.kill(client.app.state.jobs._running[job].pid, signal.SIGKILL)
    for _ in range(200):
        if (found := client.get(f"/jobs/{job}").json())["state"] != "running":
            break
        time.sleep(0.05)
    assert found["state"] == "failed"
    assert "ended (-9)" in found["error"]
    assert not list(client.folder.glob("spots/*"))
    assert "without a result" in client.get("/jobs").text
    with TestClient(make_app(client.folder), base_url=HOME, cookies=dict(client.cookies)) as restarted:
        assert restarted.get(f"/jobs/{job}").json()["state"] == "interrupted"
    assert client.post(f"/jobs/{job}/remove").status_code == 200
    assert client.get(f"/jobs/{job}").status_code == 404
