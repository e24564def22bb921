"""The kibitz panel and the result of a session: beliefs, equity, reasons and luck are those of the library."""

import numpy as np
import pytest
from starlette.testclient import TestClient

from agents.implicit.small_experts import experts, problem
from kibitz.agents import load_agent
from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.arena.match import Match
from kibitz.cards import parse_cards
from kibitz.games import AcpcCards, Deal, State, load_game, split_actions
from kibitz.io.files import read_records
from kibitz.learning import Model, Structure, save_model
from kibitz.modelling.beliefs import HandBelief
from kibitz.modelling.cases import Description, build_cases, save_cases
from kibitz.modelling.estimators import CheckDown, Coolers, Evaluation
from kibitz.web.advice import draw_belief, panel
from kibitz.web.app import make_app
from kibitz.web.reasons import reason
from modelling.expert_logs import play_log

HOME = "http://localhost:8765"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    save_model(Model.random(Structure(), 1, 0.3), folder / "learned")
    log = play_log(folder / "match.log", ("loose-aggressive", "example-player"), 300)
    save_cases(build_cases([log], "loose-aggressive", Description(strength="made-hand")).base, folder / "cases.parquet")
    with TestClient(make_app(folder), base_url=HOME, headers={"Origin": HOME}) as client:
        client.folder = folder
        yield client


def sit_down(client, game, opponent, players=2):
    form = {"game": game, "players": str(players), "opponent": opponent, "seed": "5"}
    return client.post("/table/start", data=form).url.path


def play(client, table, hands):
    """Check and call for so many hands, and stay at the last one."""
    decision = 0
    for hand in range(hands):
        while 'data-over="0"' in client.get(table).text:
            sent = {"hand": hand, "decision": decision, "action": "c"}
            client.post(f"{table}/act", json=sent).raise_for_status()
            decision += 1
        if hand < hands - 1:
            client.post(f"{table}/act", json={"hand": hand, "decision": decision, "action": "next"}).raise_for_status()


def advice(client, table, policy, **more):
    """The panel, and why agents acted."""
    return client.get(f"{table}/advice", params={"policy": policy, **more}).json()


@pytest.mark.parametrize(
    ("game", "opponent", "behind"),
    [
        ("holdem-nolimit", "cases.parquet", "Cases behind it"),
        ("holdem-limit", "learned", "the likeliest card-type"),
        ("holdem-limit", "loose-passive", "20.0 %"),
    ],
)
def test_after_the_hand_agents_say_why(client, game, opponent, behind):
    table = sit_down(client, game, opponent)
    assert advice(client, table, opponent)["reasons"] == ""
    play(client, table, 2)
    told = advice(client, table, opponent)
    assert "Why they acted" in told["reasons"]
    assert behind in told["reasons"]
    assert 'class="heat"' in told["html"]


def test_the_observer_of_an_agent_from_self_play(client):
    table = sit_down(client, "holdem-limit", "learned", 3)
    told = advice(client, table, "learned", about="learned-2")["html"]
    assert "Card-types its observer sees" in told
    assert '<option value="learned-2" selected' in told


def test_a_portfolio_says_what_its_experts_do():
    of = problem("leduc")
    agent = ImplicitAgent(experts(of), Learning(rate=0.5))
    match = Match(of.game, AcpcCards(4), [agent, None], [1, 2])
    while not match.advance().finished:
        match.play("c")
    past = State.start(of.game, match.state.deal)
    for action in split_actions(match.state.history):
        if match.seats[past.player] == 0:
            told = reason(agent, past.seen_by(past.player), action, ["portfolio", "you"])
            assert [row["label"] for row in told["rows"]] == ["expert-0", "expert-1", "expert-2"]
            assert sum(row["percent"] for row in told["rows"]) == pytest.approx(100)
            assert sum(each["percent"] for each in told["actions"]) == pytest.approx(100)
            assert not told["problem"]
        past = past.apply(action)


def test_a_portfolio_advises_by_its_mixture():
    of = problem("leduc")
    agent = ImplicitAgent(experts(of), Learning(rate=0.5))
    agent.reset(of.game, 0)
    state = State.start(of.game, Deal(((of.game.deck[0],), ()), ()))
    shown = panel("leduc", agent, state, 0, 1)
    chances = np.mean([each.probabilities(state, np.array([state.hole[0]], dtype=np.uint8), ()) for each in
                       agent.experts.policies], axis=0)  # fmt: skip
    assert [each["percent"] for each in shown["actions"]] == pytest.approx((100 * chances[:, 0]).tolist())
    assert len(shown["belief"]["hands"]) == 5
    assert not shown["problem"]


def test_equity_against_one_who_tells_nothing_is_that_against_random_hands():
    game = load_game("holdem-limit-2p")
    state = State.start(game).play("cc/")._replace(deal=Deal((parse_cards("AsAh"), ()), parse_cards("Kd7c2h")))
    shown = panel("holdem-limit", load_agent("always-call"), state, 0, 1)
    against, random = (float(shown[name].split()[0]) for name in ("against", "equity"))
    assert against == pytest.approx(random, abs=2)
    assert [each["percent"] for each in shown["actions"]] == [100.0]


def test_a_belief_as_a_heat_map():
    hands = np.array([parse_cards("2c2d"), parse_cards("2c2h"), parse_cards("AsKs")], dtype=np.uint8)
    cells = draw_belief("holdem-limit", HandBelief(hands, np.array([0.2, 0.4, 0.4]), ()))["cells"]
    shown = {cell["name"]: cell for line in cells for cell in line}
    assert shown["22"]["heat"] == pytest.approx(0.75)  # the mean of its two hands, over the likeliest
    assert shown["AKs"]["heat"] == 1
    assert shown["22"]["text"] == "22: 60.00%"
    assert sum(cell["heat"] > 0 for cell in shown.values()) == 2


def test_luck_is_what_evaluate_says_of_the_history(client):
    table = sit_down(client, "holdem-nolimit", "loose-aggressive", 3)
    assert "No hand is finished" in client.get(f"{table}/luck").json()["html"]
    play(client, table, 6)
    shown = client.get(f"{table}/luck").json()["html"]
    log = client.folder / "session.log"
    log.write_text(client.get(f"{table}/history/acpc").text)
    known = {name: load_agent("loose-aggressive") for name in ("loose-aggressive", "loose-aggressive-2")}
    evaluation = Evaluation("you", CheckDown(0.1, Coolers()), known)
    for record in read_records([log]):
        evaluation.add(record)
    found = evaluation.result()
    assert found.hands == 6
    assert str(found.raw) in shown
    assert str(found.reduced) in shown
    assert client.get(f"{table}/luck").json()["html"] == shown  # no hand counts twice
    assert client.get(f"{table}/history/phhs").text.count("actions =") == 6
