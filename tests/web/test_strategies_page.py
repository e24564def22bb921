"""The page of strategies: the list, walking a tree, two side by side."""

import json

import numpy as np
import pytest
from starlette.testclient import TestClient

import kibitz
from kibitz.abstraction import build_abstraction
from kibitz.cli import main
from kibitz.deals.bucketed import bucketed_deal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.strategy import Layout, Strategy, load_strategy, save_strategy
from kibitz.tree import build_tree
from kibitz.web.app import make_app
from kibitz.web.strategies import list_strategies, node_view, open_strategy, summary


def save_blind(folder):
    """A strategy of limit hold'em that never looks at its cards."""
    game, blind = load_game("holdem-limit-2p"), build_abstraction("one-bucket")
    deal = bucketed_deal(game, (blind, blind))
    layout = Layout(build_tree(game), np.ones((4, 2), dtype=np.int64), deal.fingerprint)
    sums = np.random.default_rng(3).random(layout.size)
    made = {"algorithm": "random", "cards": "one-bucket", "boards": 0, "seed of boards": 0}
    save_strategy(Strategy.from_sums(layout, sums, made), folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("served")
    for game, name in (("kuhn", "kuhn"), ("leduc", "leduc"), ("leduc", "other")):
        out = ["--out", str(place / name), "--iterations", "20" if name != "other" else "3"]
        main(["solve", game, *out], standalone_mode=False)
    save_blind(place / "blind")
    (place / "no-strategy").mkdir()
    (place / "no-strategy" / "manifest.json").write_text('{"made": 3}')
    return place


@pytest.fixture(scope="module")
def client(folder):
    with TestClient(make_app(folder), base_url="http://127.0.0.1") as client:
        yield client


def test_the_list(folder):
    found = {each["name"]: each for each in list_strategies(folder)}
    assert set(found) == {"kuhn", "leduc", "other", "blind"}
    made = json.loads((folder / "leduc/manifest.json").read_text())["made"]
    assert found["leduc"]["exploitability"] == made["exploitability"]
    assert found["blind"]["exploitability"] is None


def test_an_abstract_exploitability_is_called_that_everywhere(tmp_path):
    main(["solve", "leduc-nolimit", "--menu", "all-in", "--iterations", "4", "--out", str(tmp_path / "bets")],
         standalone_mode=False)  # fmt: skip
    main(["solve", "leduc", "--iterations", "4", "--out", str(tmp_path / "exact")], standalone_mode=False)
    said = "in its abstract game; in the real one not measured"
    reached = kibitz.exploitability(load_strategy(tmp_path / "bets"))
    exact, abstract = (summary(open_strategy(tmp_path, f"{name}")) for name in ("exact", "bets"))
    assert dict(abstract["facts"])["exploitability"] == f"{1000 * reached:.1f} milli-antes/hand {said}"
    assert (abstract["unit"], exact["unit"]) == (f"chips per hand {said}", "chips per hand")
    with TestClient(make_app(tmp_path), base_url="http://127.0.0.1") as page:
        assert page.get("/strategies").text.count(said) == 1
        assert page.get("/strategies/open", params={"name": "bets"}).text.count(said) >= 2  # fact and curve
        assert said not in page.get("/strategies/open", params={"name": "exact"}).text


def test_a_small_game_is_a_table(folder):
    opened = open_strategy(folder, "leduc")
    view = node_view(opened, "rc/c", "")
    at = load_strategy(folder / "leduc").at(opened.problem.tree.find("rc/c"))
    assert [row["shares"] for row in view["hands"]] == at.T.tolist()
    assert [row["label"] for row in view["hands"]][:2] == ["Q|Q", "K|Q"]
    assert [step["words"] for step in view["path"]] == ["bet 2", "call 2", "check"]
    assert sum(each["frequency"] for each in view["legend"]) == pytest.approx(1)
    assert node_view(open_strategy(folder, "kuhn"), "rf", "")["over"] == "player 0 takes the pot"


def test_the_curve_is_the_one_of_the_run(folder):
    told = summary(open_strategy(folder, "leduc"))
    assert told["curve"]["last"][0] == 20
    assert dict(told["facts"])["iterations"] == "20"
    assert summary(open_strategy(folder, "blind"))["curve"] is None


def test_holdem_is_a_grid(folder):
    opened = open_strategy(folder, "blind")
    view = node_view(opened, "", "", "AKs")
    at = opened.strategy.at(0)[:, 0]
    assert [row["label"] for row in view["hands"]] == ["AcKc", "AdKd", "AhKh", "AsKs"]
    assert view["hands"][0]["shares"] == pytest.approx(at.tolist())
    assert len(view["grid"]) == len(view["grid"][0]) == 13
    assert node_view(opened, "cc/", "")["need_board"]
    flop = node_view(opened, "cc/", "AcKc2d", "AKs")
    assert [row["label"] for row in flop["hands"]] == ["AdKd", "AhKh", "AsKs"]
    assert (flop["who"], flop["street"]) == ("big blind", "flop")
    assert [each["words"] for each in flop["legend"]] == ["check", "bet 10"]
    assert [step["player"] for step in flop["path"]] == ["button", "big blind"]
    with pytest.raises(KibitzError, match="a card twice"):
        node_view(opened, "cc/", "AcAc2d")


def test_two_side_by_side(client):
    names = {"name": "leduc", "other": "other", "at": "r"}
    text = client.get("/strategies/open", params=names).text
    assert text.count("<h2") >= 2
    part = client.get("/strategies/open", params=names | {"part": "1"}).json()["html"]
    assert part.count("player 0: bet") == 1
    assert part.count("Player 1 to act") == 2
    text = client.get("/strategies/open", params=names | {"other": "kuhn", "at": "rc/"}).text
    assert "missing or in the wrong place" in text


def test_pages(client, tmp_path):
    text = client.get("/strategies").text
    assert "/strategies/open?name=kuhn" in text
    with TestClient(make_app(tmp_path), base_url="http://127.0.0.1") as empty:
        assert "no strategy in this folder" in empty.get("/strategies").text


@pytest.mark.parametrize("query", [{"name": "../x"}, {"name": ""}, {"name": "no-strategy"}, {"name": "<i>"},
                                   {"name": "kuhn", "at": "<i>"}])  # fmt: skip
def test_what_is_not_there(client, query):
    answer = client.get("/strategies/open", params=query, headers={"Accept": "text/html"})
    assert answer.status_code == (404 if query == {"name": "<i>"} else 400)
    assert "<i>" not in answer.text


def test_names_with_markup_are_escaped(tmp_path):
    save_blind(tmp_path / "<i>x")
    with TestClient(make_app(tmp_path), base_url="http://127.0.0.1") as client:
        assert "<i>x" not in client.get("/strategies").text
        assert "<i>x" not in client.get("/strategies/open", params={"name": "<i>x"}).text
