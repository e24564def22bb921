"""Portfolios of three players: responses by sampling, measured exactly where possible; a static mixture plays."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from arena.dealer_thread import Table
from kibitz.agents import load_agent
from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.arena.chance import Chance
from kibitz.arena.local import play_locally
from kibitz.arena.match import play_match
from kibitz.cli import main
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, load_game
from kibitz.plans import carry_out
from kibitz.portfolios import PortfolioPlan, load_portfolio
from kibitz.portfolios.tracing import watch
from kibitz.random import derive_seed
from kibitz.responses.multiplayer import exploitation
from kibitz.solvers.problem import Problem
from kibitz.strategy import load_strategy
from kibitz.testing import check_agent

KUHN = Problem(load_game("kuhn-3p"))
QUICK = {"iterations": 2_000, "hands": 20_000}
OPPONENTS = ("caller=always-call", "raiser=always-raise")


def plan(**changes):
    return PortfolioPlan(**{"game": "kuhn-3p", "opponents": OPPONENTS, **QUICK, **changes})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("portfolio") / "three"
    list(carry_out(plan(), out))
    return out


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_sampled_winnings_hold_the_exact_ones(folder, monkeypatch):
    found = load_portfolio(folder)
    assert not found.half_widths.any()  # all deals were listed
    responses = [load_strategy(folder / each["folder"]) for each in found.experts]
    mimic = load_strategy(folder / found.experts[1]["mimic"])
    monkeypatch.setitem(exploitation.__globals__, "FEW_ENDS", 0)
    for column, response in enumerate(responses):
        sampled = exploitation(KUHN, response, mimic, KUHN, 20_000, seed=column)
        assert abs(sampled.mean - found.utilities[1, column]) < 2 * sampled.half_width
        assert 0 < sampled.half_width < 50


def test_each_response_wins_most_from_its_opponent_and_has_no_exploitability(folder):
    found = load_portfolio(folder)
    assert (found.utilities.argmax(axis=1) == range(2)).all()
    assert [each["exploitability"] for each in found.experts] == [None, None]
    assert found.experts[0]["exploitation"] == pytest.approx(found.utilities[0, 0], abs=20)  # by sampled hands


def test_an_interrupted_run_leaves_the_same_bytes(folder, tmp_path):
    run = carry_out(plan(), tmp_path / "three")
    next(run)
    run.close()
    list(carry_out(plan(), tmp_path / "three", resume=True))
    assert everything(tmp_path / "three") == everything(folder)


def test_it_plays_a_fixed_mixture(folder):
    agent = load_agent(str(folder))
    assert isinstance(agent, ImplicitAgent)
    assert agent.learning.bandit == "static"
    check_agent(str(folder), [KUHN.game])
    chips = play_match(
        KUHN.game, [agent, load_agent("always-raise"), load_agent("always-call")], [1, 2, 3], 1500, AcpcCards(0)
    )
    assert chips[:, 0].mean() > 0.1
    assert (agent.weights() == 0.5).all()
    single = load_agent(f"{folder},weights=1:0")
    strategy = load_agent(str(folder / "experts" / "caller"))
    others = [load_agent("always-raise"), load_agent("random")]
    alike = [play_match(KUHN.game, [each, *others], [1, 2, 3], 300, AcpcCards(0)) for each in (single, strategy)]
    assert (alike[0] == alike[1]).all()  # all weight on one expert is that expert


def test_a_match_over_tcp_is_that_of_the_engine(folder):
    names = (str(folder), "always-call", "probe")
    table = Table("kuhn-3p", 40, seed=4)
    for seat, name in enumerate(names):
        table.seat(seat, name, seed=8)
    table.finish()
    assert table.error is None
    lines = []
    play_locally(table.plan, list(map(load_agent, names)), [derive_seed(8, seat) for seat in range(3)], lines.append)
    assert table.log == lines


def test_what_is_refused(folder, tmp_path):
    with pytest.raises(AgentError, match=r"exp3g with 3 players: .* a portfolio is static"):
        load_agent(f"{folder},bandit=exp3g")
    with pytest.raises(AgentError, match="models one opponent"):
        load_agent(f"explicit:{folder}")
    with pytest.raises(AgentError, match="no weights to watch"):
        next(watch(load_agent(str(folder)), load_agent("always-call"), KUHN.game, 1, Chance()))
    with pytest.raises(AgentError, match="ucb1 with 3 players"):
        ImplicitAgent(load_agent(str(folder)).experts, Learning(bandit="ucb1"))
    with pytest.raises(KibitzError, match="--target is for two players, not 3"):
        next(carry_out(plan(target=0.1), tmp_path / "none"))


def test_data_biased_responses_need_models(tmp_path):
    with pytest.raises(KibitzError, match=r"experts/caller: .* needs a model"):
        list(carry_out(plan(method="dbr"), tmp_path / "none"))


def test_the_command(folder, tmp_path):
    """As the thesis: one data-biased response to a model of all that was logged, and it plays."""
    run = CliRunner()
    words = ["match", "always-call", "tight-passive", "probe", "--game", "kuhn-3p", "--hands", "800"]
    assert run.invoke(main, [*words, "--log", str(tmp_path / "log")]).exit_code == 0
    model = [
        "hands",
        "model",
        "build",
        str(tmp_path / "log"),
        "--player",
        "tight-passive",
        "--out",
        str(tmp_path / "model"),
    ]
    assert run.invoke(main, model).exit_code == 0
    build = [
        "portfolio",
        "build",
        str(tmp_path / "model"),
        "--method",
        "dbr",
        "--game",
        "kuhn-3p",
        "--iterations",
        "2000",
    ]
    made = run.invoke(main, [*build, "--profile", "current", "--out", str(tmp_path / "dbr"), "--json"])
    assert made.exit_code == 0, made.output
    told = json.loads(made.stdout)
    assert np.array(told["utilities"]).shape == (1, 1)
    assert told["utilities"][0][0] > 0
    played = run.invoke(main, ["match", str(tmp_path / "dbr"), "tight-passive", "tight-passive", "--game", "kuhn-3p"])
    assert played.exit_code == 0, played.output
    for more, text in ((["--target", "5"], "--target is for two"), (["--observe", "5"], "--observe is for two")):
        refused = run.invoke(main, [*build, *more, "--out", str(tmp_path / "other")])
        assert refused.exit_code == 2
        assert text in " ".join(refused.output.split())
