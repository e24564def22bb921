"""Matches on the page: started, watched by many, killed and resumed, listed by a new server; and what is refused."""

import json
import re
import shutil
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import numpy as np
import pytest
import uvicorn
from starlette.testclient import TestClient

from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.arena.played import Played, read_series
from kibitz.arena.series import Series, play_series
from kibitz.arena.weights import read_weights, record_path
from kibitz.cli import main
from kibitz.games import format_gamedef, load_game
from kibitz.plans import Artefact, read_manifest, save_artefact
from kibitz.plans.history import plan_of
from kibitz.strategy import Layout, Strategy, save_strategy
from kibitz.tree import build_tree
from kibitz.web.app import make_app
from kibitz.web.choices import agents_inside
from kibitz.web.matches import job_of
from kibitz.web.security import VISITOR

HOME = "http://localhost:8765"
FORM = {"game": "kuhn", "agents": ["random", "always-call"], "hands": "20", "matches": "40", "seed": "3"}


def client(folder):
    return TestClient(make_app(folder), base_url=HOME, headers={"Origin": HOME}, cookies={VISITOR: "v" * 22})


def begin(page, **form):
    answer = page.post("/matches/start", data=FORM | form)
    assert answer.status_code == 200, answer.text
    return answer.url.params["name"]


def live(page, name, **asked):
    answer = page.get("/matches/live", params={"name": name, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def until(ready, seconds=60):
    for _ in range(seconds * 50):
        if ready():
            return
        time.sleep(0.02)
    raise AssertionError("it took too long")


def finished(folder, name):
    """Matches that are kept."""
    return Played(folder / name).done if (folder / name / "checkpoint.npz").exists() else 0


def test_a_tournament_is_played_watched_and_listed_by_a_new_server(tmp_path):
    page = client(tmp_path)
    name = begin(page, agents=["random", "always-call", "always-raise"])
    until(lambda: live(page, name)["state"] == "finished")
    seen = live(page, name, table="1-0")
    series = Series(load_game("kuhn"), ("random", "always-call", "always-raise"), 20, 40, 3)
    assert read_series(tmp_path / name)[1] == dict(play_series(series))
    assert seen["chart"]["title"] == "always-call against random"
    points, opposite = (live(page, name, table=each)["chart"]["lines"][0]["points"] for each in ("1-0", "0-1"))
    assert [each[0] for each in points] == [40 * match for match in range(1, 41)]
    assert [each[1] for each in points] == [-each[1] for each in opposite]
    assert points[-1][2] < points[4][2]
    assert "Who won" in seen["html"]
    assert "Ranked by instant run-off" in seen["html"]
    results = json.loads((tmp_path / name / "results.json").read_text())
    rates = {tuple(each["agents"]): each["rates"][0]["mean"] for each in results["tables"]}
    assert opposite[-1][1] == pytest.approx(rates["random", "always-call"], abs=0.01)
    listed = client(tmp_path).get("/matches").text
    assert "random, always-call, always-raise" in listed
    assert "120 of 120 matches" in listed


def test_a_tournament_in_the_served_folder_itself_is_listed(tmp_path):
    words = "tournament random always-call always-raise --game kuhn --hands 5 --matches 2"
    main([*words.split(), "--out", str(tmp_path)], standalone_mode=False)
    page = client(tmp_path)
    listed = page.get("/matches").text
    assert 'href="/matches/open?name=."' in listed
    assert "6 of 6 matches<br>this folder" in listed
    assert "Tournament of 3 agents" in page.get("/matches/open", params={"name": "."}).text


def test_agents_for_the_game_offered_first_come_first(tmp_path):
    for name, game in (("a-small-game", "leduc-nolimit"), ("z-trained", "holdem-nolimit-2p")):
        layout = Layout(build_tree(load_game(game), "passive"), np.ones((4, 2), dtype=np.int64), "some buckets")
        save_strategy(Strategy.uniform(layout), tmp_path / name)
    assert agents_inside(tmp_path) == ["z-trained", "a-small-game"]
    page = client(tmp_path)
    offered = page.get("/table").text.split('<select name="opponent"')[1].split("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<]+)", offered)[:3] == ["z-trained", "a-small-game", "loose-aggressive"]
    assert " selected" not in offered  # so the first one is
    shutil.rmtree(tmp_path / "z-trained")
    offered = page.get("/table").text.split('<select name="opponent"')[1].split("</select>")[0]
    assert "<option selected>loose-aggressive</option>" in offered  # who plays the game that is chosen


def test_a_killed_worker_is_resumed_to_the_same_results(tmp_path):
    page = client(tmp_path)
    name = begin(page, matches="4000")
    job = job_of(page.app.state.jobs, name).id
    until(lambda: finished(tmp_path, name) > 3)
    page.app.state.jobs._running[job].kill()
    until(lambda: live(page, name)["state"] == "stopped")
    assert "Resume" in live(page, name)["html"]
    assert "its process ended" in live(page, name)["html"]
    assert 3 < finished(tmp_path, name) < 4000
    page.post("/matches/resume", data={"name": name})
    until(lambda: live(page, name)["state"] == "running")
    page.post("/matches/stop", data={"name": name})
    assert live(client(tmp_path), name)["state"] == "stopped"
    page.post("/matches/resume", data={"name": name})
    until(lambda: live(page, name)["state"] == "finished")
    series = Series(load_game("kuhn"), ("random", "always-call"), 20, 4000, 3)
    outcomes = read_series(tmp_path / name)[1]
    assert outcomes == dict(play_series(series))
    assert len(live(page, name)["chart"]["lines"][0]["points"]) == 150


def portfolio(folder):
    build = ["adapt", "build", "always-call", "always-fold", "--game", "kuhn", "--iterations", "20"]
    main([*build, "--out", str(folder / "adapts")], standalone_mode=False)


def test_weights_are_those_of_the_match_that_is_watched(tmp_path):
    """Live, after its worker was killed and resumed, and of a new server; the same as of the match played elsewhere."""
    portfolio(tmp_path)
    page = client(tmp_path)
    name = begin(page, agents=["adapts", "always-call"], hands="1500", matches="3")
    job = job_of(page.app.state.jobs, name).id
    until(lambda: live(page, name)["weights"])
    page.app.state.jobs._running[job].kill()
    until(lambda: live(page, name)["state"] == "stopped")
    assert live(client(tmp_path), name)["weights"]
    page.post("/matches/resume", data={"name": name})
    until(lambda: live(page, name)["state"] == "finished")
    specs = (str(tmp_path / "adapts"), "always-call")
    for match in range(3):
        path = record_path(tmp_path, (0, 1), match)
        play_duplicate(DuplicateMatch(load_game("kuhn"), specs, 1500, 3, match, record=path))
        weights = live(client(tmp_path), name, match=str(match + 1))["weights"]
        assert (weights["match"], weights["matches"]) == (match + 1, [1, 2, 3])
        records = read_weights(path)
        assert [each["seat"] for each in weights["charts"]] == [1, 2]
        for chart, record in zip(weights["charts"], records, strict=True):
            assert (chart["agent"], chart["opponent"]) == ("adapts", "always-call")
            assert chart["names"] == ["always-call", "always-fold"]
            assert [point[0] for point in chart["points"]] == (record.hands + 1).tolist()
            assert [point[1:] for point in chart["points"]] == record.weights.round(4).tolist()
            assert chart["points"][-1][1] > chart["points"][0][1]
    assert live(page, name)["weights"]["match"] == 3


def test_a_tournament_draws_the_weights_of_the_table_that_is_asked_for(tmp_path):
    portfolio(tmp_path)
    page = client(tmp_path)
    name = begin(page, agents=["random", "always-call", "adapts"], hands="30", matches="2")
    until(lambda: live(page, name)["state"] == "finished")
    seen = live(page, name)
    assert "adapts" in seen["chart"]["title"]  # a table with weights comes first
    for table, opponent in (("2-0", "random"), ("1-2", "always-call")):
        assert {each["opponent"] for each in live(page, name, table=table)["weights"]["charts"]} == {opponent}
    assert live(page, name, table="0-1")["weights"] is None
    place = tmp_path / name / "weights" / "0-2"
    (place / "1.jsonl").write_text("<b>no weights</b>\n")  # match 2, so that match 1 is drawn
    (place / "x.jsonl").write_text("")
    (place.parent / "<b>-x").mkdir()
    assert live(client(tmp_path), name, table="0-2")["weights"]["match"] == 1
    assert live(client(tmp_path), name, table="0-2", match="2")["weights"] is None
    for match in ("0", "7", "-1", "x", "9" * 50):
        assert live(page, name, table="1-2", match=match)["weights"]["match"] == 2


def test_a_match_of_any_number_of_players(tmp_path):
    page = client(tmp_path)
    agents = ["always-call", "always-fold", "random", "always-raise"]
    name = begin(page, game="holdem-limit", players="4", agents=agents, hands="2", matches="2")
    until(lambda: live(page, name)["state"] == "finished")
    assert format_gamedef(Played(tmp_path / name).series.game) == format_gamedef(load_game("holdem-limit-4p"))
    assert "Limit hold&#39;em, 4 players" in live(page, name)["html"]
    assert plan_of(read_manifest(tmp_path / name)["made"]).command().startswith("kibitz match always-call always-fold")


@pytest.mark.parametrize(
    "form",
    [
        {"agents": ["random"]},
        {"agents": ["random", "../x.py:Agent"]},
        {"agents": ["random", "<script>"]},
        {"agents": ["random"] * 21},
        {"hands": "0"},
        {"hands": "1e9"},
        {"matches": "-1"},
        {"seed": "-1"},
        {"time_limit": "soon"},
        {"game": "chess"},
        {"game": "holdem-limit", "players": "11"},
        {"game": "holdem-limit", "players": "4", "agents": ["random"] * 5},
        {"agents": ["random"] * 20, "matches": "100000"},
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, form):
    answer = client(tmp_path).post("/matches/start", data=FORM | form, headers={"Accept": "text/html"})
    assert answer.status_code == 400
    assert "<script>" not in answer.text.partition("<main")[2]
    assert not (tmp_path / "matches").exists()


def test_names_with_markup_and_broken_folders(tmp_path):
    evil = "<img src=x onerror=alert(1)>"
    about = {"game": format_gamedef(load_game("kuhn")), "hands": 5, "matches": 2, "seed": "0", "cards": "keyed"}
    told = {"good": [evil, "b"], evil: ["a", "b"]}
    for name in ("good", evil, "broken", "vast"):
        changed = {"game": "<b>"} if name == "broken" else {"matches": 10**15} if name == "vast" else {}
        files = {"matches.json": lambda path: path.write_text("{}")}
        names = {"names": told.get(name, ["a", "b"])}
        save_artefact(Artefact("series", about | names | changed, {"done": 0}, files=files), tmp_path / name)
    page = client(tmp_path)
    listed = page.get("/matches").text
    assert listed.count('class="entry"') == 3
    assert evil not in listed
    assert "&lt;img" in listed
    for name in ("good", evil, "vast"):
        assert page.get("/matches/open", params={"name": name}).status_code == 200
        assert evil not in live(page, name)["html"]
    (tmp_path / "good" / "matches.json").write_text('{"0-1/9": [[5, 0, 0], [5, 0, 0]]}')
    (tmp_path / "good" / "manifest.json").touch()
    for name in ("good", "broken", "../x", "/etc", "", "none", "a\0b"):
        time.sleep(0.45 if name == "good" else 0)
        status = 404 if name == "none" else 400
        assert page.get("/matches/live", params={"name": name}).status_code == status, name
        assert page.post("/matches/resume", data={"name": name}).status_code == status, name


@pytest.fixture
def served(tmp_path):
    app = make_app(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield app, tmp_path, port
    server.should_exit = True
    thread.join()


def test_a_hundred_viewers_at_once(served):
    """All are answered while a match is played, and the files are looked at a few times only, not for each viewer."""
    app, folder, port = served
    page = client(folder)
    page.app.state = app.state
    name = begin(page, matches="100000", hands="5")
    until(lambda: finished(folder, name) > 2)

    def view(_number):
        answers, tag = [], ""
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(6):
            connection.request("GET", f"/matches/live?name={name}", headers={"If-None-Match": tag})
            answer = connection.getresponse()
            body = answer.read()
            answers.append((answer.status, json.loads(body)["state"] if body else ""))
            tag = answer.getheader("ETag")
            time.sleep(0.1)
        connection.close()
        return answers

    before = finished(folder, name)
    with ThreadPoolExecutor(100) as viewers:
        seen = [each for answers in viewers.map(view, range(100)) for each in answers]
    assert len(seen) == 600
    assert set(seen) <= {(200, "running"), (304, "")}
    assert (304, "") in seen
    assert app.state.watching.get(name).looks < 60
    until(lambda: finished(folder, name) > before)
    page.post("/matches/stop", data={"name": name})
