"""The page of spots: forms read, ranges both ways, solving as a job, and browsing the solution."""

import time

import numpy as np
import pytest
from starlette.testclient import TestClient

from kibitz.errors import KibitzError
from kibitz.spots.report import inspect
from kibitz.web.app import make_app
from kibitz.web.grids import action_kinds, bars, curve_points
from kibitz.web.spots import decision_view, list_spots, open_spot, range_view, read_setup, size_view
from kibitz.web.tasks.solve_spot import run

SETUP = {
    "board": "Qs Jh 2h 8d 3c", "pot": "100", "oop_stack": "100", "ip_stack": "100", "oop": "QQ,JJ,65s", "ip": "AA",
    "oop_river": "all-in", "ip_river": "all-in", "accuracy": "0.05",
}  # fmt: skip
TURN = SETUP | {"board": "Qs Jh 2h 8d", "oop_turn": "0.5", "ip_turn": "0.5", "accuracy": "5"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("served")
    for name, setup in (("river", SETUP), ("turn", TURN)):
        run(place, setup | {"name": name}, lambda *_done, **_facts: None)
    return place


@pytest.fixture(scope="module")
def client(folder):
    with TestClient(make_app(folder), base_url="http://127.0.0.1", headers={"Origin": "http://127.0.0.1"}) as client:
        yield client


def test_sizes_are_for_the_streets_to_come():
    spot = read_setup(SETUP | {"oop_flop": "9", "oop_turn": "9"}).spot
    assert [str(menu) for menu in spot.tree.menus] == ["all-in", "all-in"]
    assert str(read_setup(TURN).spot.tree.menus[0]) == "0.5 | all-in"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("board", "Qs", "three, four or five"),
        ("pot", "1.5", "pot is 1.5: a whole number of chips at least 1 is needed"),
        ("pot", "nan", "pot is nan: a whole number of chips"),
        ("oop", "", "the range out of position is empty"),
        ("accuracy", "0", "never reached"),
        ("rake", "-1", "rake '-1%'"),
        ("rake", "100", "a rake of 1"),
    ],
)
def test_a_form_that_cannot_be_is_refused(field, value, words):
    with pytest.raises(KibitzError, match=words):
        read_setup(SETUP | {field: value})


def test_the_size_is_told_before_anything_is_built(client):
    found = client.post("/spot/size", json=SETUP).json()
    assert found == size_view(read_setup(SETUP).spot) | {"free": found["free"]}
    assert found["fits"]
    assert found["hands"] == [16, 6]
    assert "three, four or five" in client.post("/spot/size", json=SETUP | {"board": "Qs"}).json()["error"]
    assert "pieces are like" in client.post("/spot/range", json={"text": "A"}).json()["error"]
    assert client.post("/spot/solve", json={"board": "Qs"}).status_code == 400


def test_ranges_go_both_ways():
    assert range_view("AKs:0.5, QQ-KK", []) == {
        "text": "AKs:0.5,KK,QQ", "cells": {"AKs": 0.5, "KK": 1.0, "QQ": 1.0}, "combinations": 14.0,
    }  # fmt: skip
    assert range_view("AhKs", [])["cells"] == {"AKo": round(1 / 12, 4)}
    assert range_view("KK,QQ", [("KK", 0.0), ("A5s", 0.25)])["text"] == "A5s:0.25,QQ"
    assert range_view("KK", [("KK", 0.0)]) == {"text": "", "cells": {}, "combinations": 0}
    with pytest.raises(KibitzError):
        range_view("nonsense", [])


@pytest.mark.parametrize("edits", [[["XX", 1]], [["AA", 2]], [["AA"]], "AA", [["AA", None]]])
def test_edits_that_are_none_are_refused(client, edits):
    answer = client.post("/spot/range", json={"text": "KK", "edits": edits})
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_the_grid_shows_what_the_solution_does(folder):
    solver, _ = open_spot(folder, "river")
    decision, view = inspect(solver), decision_view(solver, "", "", "65s")
    assert [each["text"] for each in view["legend"]] == ["c", "r100"]
    assert [each["kind"] for each in view["legend"]] == ["call", "all-in"]
    assert [row["label"] for row in view["hands"]] == ["6c5c", "6d5d", "6h5h", "6s5s"]
    assert sum(each["ev"] for each in view["seats"]) == pytest.approx(100, abs=1e-3)
    place = decision.hands[0].labels.index("6c5c")
    assert view["hands"][0]["shares"] == pytest.approx(decision.strategy[:, place].tolist())
    shown = {cell["name"]: cell for line in view["grid"] for cell in line}
    assert {name for name, cell in shown.items() if cell["bars"]} == {"QQ", "JJ", "65s"}
    assert sum(bar["width"] for bar in shown["65s"]["bars"]) == pytest.approx(1, abs=1e-3)


def test_the_next_card_is_chosen_before_the_river(folder):
    solver, _ = open_spot(folder, "turn")
    view = decision_view(solver, "cc", "")
    cards = {each["card"]: each for each in view["next"]}
    assert len(cards) == 52
    assert cards["Qs"]["dead"]
    assert cards["As"]["there"] or cards["Ac"]["there"]
    card = next(card for card, each in cards.items() if each["there"])
    river = decision_view(solver, "cc/", card)
    assert river["board"][-1] == card
    assert [step["dealt"] for step in river["path"]] == ["", card]
    assert decision_view(solver, "r50f", "")["over"] == "out of position takes the pot"


def test_pages(client):
    text = client.get("/spot").text
    assert "/spot/open?name=river" in text
    assert "<script>" not in text
    assert 'style="' not in text
    text = client.get("/spot/open", params={"name": "river", "cell": "QQ"}).text
    assert "QhQd" in text
    assert "Export JSON" in text
    assert " % of the pot, by these bets" in text
    part = client.get("/spot/open", params={"name": "river", "at": "c", "part": "1"}).json()["html"]
    assert "In position to act" in part
    assert "<html" not in part
    found = client.get("/spot/export", params={"name": "river"})
    assert found.json()["decision"]["actions"] == ["c", "r100"]
    assert "attachment" in found.headers["content-disposition"]


@pytest.mark.parametrize("name", ["nothing", "../../etc", "", "/etc", "<b>"])
def test_names_that_are_no_spots(client, name):
    answer = client.get("/spot/open", params={"name": name}, headers={"Accept": "text/html"})
    assert answer.status_code == (400 if name == "../../etc" else 404)
    assert "<b>" not in answer.text


def test_a_job_solves_and_a_restarted_server_lists_it(tmp_path):
    with TestClient(make_app(tmp_path), base_url="http://127.0.0.1", headers={"Origin": "http://127.0.0.1"}) as client:
        job = client.post("/spot/solve", json=SETUP).json()["job"]
        while (found := client.get(f"/jobs/{job}").json())["state"] == "running":
            time.sleep(0.1)
    assert found["state"] == "finished", found
    (listed,) = list_spots(tmp_path)
    assert listed["name"] == found["result"]["name"]
    assert 0 <= listed["percent"] <= 0.05


def test_colours_by_kind_and_drawing():
    actions = ("f", "c", "r10", "r20", "r30", "r40", "r99")
    assert action_kinds(actions, "r99") == ["fold", "call", "raise-1", "raise-2", "raise-3", "raise-4", "all-in"]
    assert action_kinds(("c", "r5")) == ["call", "raise-1"]
    drawn = bars([0.25, 0.0, 0.75], ["fold", "call", "all-in"])
    assert [(bar["x"], bar["width"]) for bar in drawn] == [(0.0, 0.25), (0.25, 0.75)]
    assert curve_points([(1.0, np.nan), (2.0, 1.0)]) is None
    found = curve_points([(1.0, 100.0), (10.0, 1.0), (100.0, 0.01)])
    assert found["points"] == [(4.0, 4.0), (150.0, 60.0), (296.0, 116.0)]
