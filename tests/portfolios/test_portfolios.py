"""Portfolios: built, resumed to the byte, pruned, loaded as agents, and refused."""

import json
import shutil
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest

from kibitz.agents import agent_files, load_agent
from kibitz.agents.implicit import ImplicitAgent
from kibitz.arena.chance import Chance
from kibitz.arena.match import play_match
from kibitz.errors import KibitzError
from kibitz.games import AcpcCards, load_game
from kibitz.parallel import Processes
from kibitz.plans import Means, carry_out, read_manifest
from kibitz.portfolios import ExpertPlan, PortfolioPlan, coverage_curve, load_portfolio, prune
from kibitz.portfolios.files import check_members, let_play
from kibitz.portfolios.tracing import gather, plot_weights, to_line, watch
from kibitz.strategy import load_strategy

OPPONENTS = ("always-call", "tight-passive", "always-raise")


def plan(**changes):
    return PortfolioPlan(**{"game": "leduc", "opponents": OPPONENTS, **changes})


def build(wanted, out, **options):
    list(carry_out(wanted, out, **options))
    return load_portfolio(out)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("portfolio") / "mine"
    stages = [report.stage for report in carry_out(plan(), out)]
    assert stages == [*(f"experts/{name}" for name in OPPONENTS), *(f"against {name}" for name in OPPONENTS), ""]
    return out


@pytest.fixture
def copied(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copied")


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_utilities_are_what_responses_win(folder):
    found = load_portfolio(folder)
    assert found.names == found.playing == ("always-call", "tight-passive", "always-raise")
    assert found.unit == "milli-antes/hand"
    # A response to a known strategy wins most from it, and the diagonal is its exploitation.
    assert np.allclose(np.diag(found.utilities), [each["exploitation"] for each in found.experts])
    assert (found.utilities.argmax(axis=1) == range(3)).all()
    assert load_strategy(folder / found.experts[0]["folder"]).manifest["plan"]["opponent"] == "always-call"


def test_an_interrupted_run_leaves_the_same_bytes(folder, tmp_path):
    out = tmp_path / "mine"
    run = carry_out(plan(), out)
    next(run)  # left after the first expert
    run.close()
    build(plan(), out, resume=True)
    assert everything(out) == everything(folder)


@pytest.mark.slow
def test_processes_leave_the_same_bytes(folder, tmp_path):
    build(plan(), tmp_path / "mine", means=Means(executor=Processes(1)))
    assert everything(tmp_path / "mine") == everything(folder)


def test_a_target_tunes_every_response(tmp_path):
    (expert,) = build(plan(opponents=OPPONENTS[1:2], target=50), tmp_path / "mine").experts
    assert 30 < expert["exploitability"] <= 50
    assert expert["amount"] != 0.5
    (all_of_it,) = build(plan(opponents=OPPONENTS[1:2], target=1e6), tmp_path / "believing").experts
    assert all_of_it["amount"] == 1


@pytest.mark.parametrize(
    "wanted",
    [
        ExpertPlan("tight-passive", game="leduc", target=50),
        ExpertPlan("always-call", game="kuhn-3p", iterations=300, hands=500),
    ],
)
def test_an_expert_goes_on_within_its_work(tmp_path, monkeypatch, wanted):
    monkeypatch.setattr(import_module("kibitz.responses.multiplayer.runs"), "PIECE_SECONDS", 0.0)
    list(carry_out(wanted, tmp_path / "straight"))
    for stop in (1, 4):
        reports = carry_out(wanted, tmp_path / f"{stop}")
        for _ in range(stop):
            next(reports)
        reports.close()
        list(carry_out(wanted, tmp_path / f"{stop}", resume=True))
        assert everything(tmp_path / f"{stop}") == everything(tmp_path / "straight")


def test_data_biased_responses_observe_their_opponents(tmp_path):
    (expert,) = build(plan(opponents=OPPONENTS[:1], method="dbr", observe=500), tmp_path / "mine").experts
    assert expert["exploitation"] > 500
    assert load_strategy(tmp_path / "mine" / expert["mimic"]).manifest["algorithm"]
    with pytest.raises(KibitzError, match=r"experts/always-call: .*needs observations"):
        build(plan(method="dbr"), tmp_path / "other")


def test_pruning_keeps_the_folder_and_changes_who_plays(copied, folder):
    found = load_portfolio(copied)
    curve = coverage_curve(found)
    assert [step.size for step in curve] == [1, 2, 3]
    assert curve[-1].coverage == pytest.approx(found.utilities.max(axis=1).mean())
    assert all(later.gain <= earlier.gain for earlier, later in pairwise(curve[1:]))
    assert all(step.ratio <= 1 + 1e-9 for step in curve)
    let_play(prune(found, 2))
    two = load_portfolio(copied)
    assert two.playing == tuple(step.expert for step in curve[:2])
    assert load_agent(str(copied)).experts.names == two.playing
    assert len(agent_files(str(copied))) == 1 + 2 + 3 * 4  # a manifest and arrays; of each expert, and its mimic
    assert read_manifest(copied)["made"] == read_manifest(folder)["made"]
    assert set(prune(two, 2, optimal=True).playing) == set(two.playing)
    assert prune(two, 3, least_gain=1e9).playing == two.playing[:1]
    with pytest.raises(KibitzError, match="4 of 3 experts"):
        prune(two, 4)


def test_a_portfolio_is_an_agent_with_settings(folder):
    agent = load_agent(f"{folder},rate=0.1,least=0.05,share=0.01,seats=each,mapping=det-geo,name=me")
    assert isinstance(agent, ImplicitAgent)
    assert (agent.name, agent.learning.rate, agent.learning.share) == ("me", 0.1, 0.01)
    assert agent.experts.policies[0].reading.mapping == "det-geo"
    static = load_agent(f"{folder},bandit=static,weights=0.5:0.3:0.2")
    assert static.learning.weights == (0.5, 0.3, 0.2)
    chips = play_match(
        load_game("leduc"), [load_agent(str(folder)), load_agent("always-call")], [1, 2], 400, AcpcCards(0)
    )
    assert chips[:, 0].mean() > 0.5


def test_a_watched_match(folder, tmp_path):
    game, agent = load_game("leduc"), load_agent(str(folder))
    steps = [step for step, _names in watch(agent, load_agent("always-raise"), game, 150, Chance(3))]
    trace = gather(steps, agent.experts.names, game)
    assert trace.weights.shape == trace.estimates.shape == (150, 3)
    assert trace.rate.mean == pytest.approx(1000 * trace.won.mean())
    assert trace.rate.unit == "milli-antes/hand"
    assert max(trace.rates(), key=lambda name: trace.rates()[name].mean) == "always-raise"
    line = json.loads(to_line(steps[-1], trace.names))
    assert line["unit"] == "antes"
    assert list(line["weights"]) == list(trace.names)
    plot_weights(trace, tmp_path / "weights.png", "a match")
    assert (tmp_path / "weights.png").stat().st_size > 1000
    with pytest.raises(KibitzError, match="always-call is no portfolio"):
        next(watch(load_agent("always-call"), agent, game, 1, Chance()))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("speed=3", "speed in .*: settings are bandit, rate"),
        ("rate=fast", "rate=fast in .*: a number is needed"),
        ("bandit=static,weights=0.5:x:0.2", "weights=.*: a number is needed"),
        ("bandit=static,weights=0.5:0.2", "one for each of 3 arms"),
        ("rate=nan", "rate = nan"),
        ("least=0.4", "a least weight of 0.4 for 3 arms"),
        ("mapping=nearest", "nearest"),
        ("weights=0.5:0.3:0.2", "weights in .* is not for exp3g: its settings are rate, least"),
        ("bandit=ucb1,share=0.1", "share in .* is not for ucb1: its settings are scale"),
        ("bandit=static,rate=0.1", "rate in .* is not for static: its settings are weights"),
        ("bandit=thompson,rate=1", "bandit 'thompson'"),
    ],
)
def test_settings_that_are_refused(folder, settings, text):
    with pytest.raises(KibitzError, match=text):
        load_agent(f"{folder},{settings}")


def test_damaged_members_are_refused_by_name(copied):
    values = copied / "experts" / "tight-passive" / "values.npy"
    data = bytearray(values.read_bytes())
    data[-8:] = np.array([np.nan]).tobytes()
    values.write_bytes(data)
    with pytest.raises(KibitzError, match=r"expert tight-passive of .* cannot be used: .*is damaged"):
        load_agent(str(copied))
    shutil.rmtree(values.parent)
    with pytest.raises(KibitzError, match=r"expert tight-passive of .* cannot be used: .*there is no folder"):
        load_agent(str(copied))


@pytest.mark.parametrize("part", ["", "mimic"])
def test_a_damaged_expert_is_made_again_as_it_is_told(copied, part):
    before = everything(copied)
    expert = copied / "experts" / "always-raise"
    shutil.rmtree(expert / part)
    with pytest.raises(
        KibitzError, match=r"expert always-raise of .* remove .*always-raise and|there is no folder .*always-raise"
    ):
        check_members(load_portfolio(copied))
    shutil.rmtree(expert, ignore_errors=True)
    for path in copied.iterdir():
        if path.is_file():
            path.unlink()
    build(plan(), copied)
    assert everything(copied) == before


def test_experts_of_another_game_are_refused(copied, tmp_path):
    out = tmp_path / "kuhn"
    build(plan(game="kuhn", opponents=OPPONENTS[:1]), out)
    shutil.rmtree(copied / "experts" / "always-raise")
    shutil.copytree(out / "experts" / "always-call", copied / "experts" / "always-raise")
    with pytest.raises(KibitzError, match=r"the menu .* of leduc .*always-raise has the menu .* of kuhn"):
        load_agent(str(copied))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"opponents": ()}, "a portfolio without opponents"),
        ({"opponents": ("a=always-call", "a=always-raise")}, "two opponents are called a"),
        ({"opponents": ("a/b=always-call",)}, "'a/b' cannot name a folder"),
        ({"opponents": ("changes=switch:always-call@5@always-raise",)}, r"only plays, it cannot say"),
        ({"p_max": 0.5}, "--p-max is for dbr, not rnr"),
        ({"hands": 50}, "--hands is for three or more players, not 2"),
    ],
)
def test_plans_that_are_refused(changes, text, tmp_path):
    with pytest.raises(KibitzError, match=text):
        build(plan(**changes), tmp_path / "new")


def test_folders_that_are_refused(folder):
    with pytest.raises(KibitzError, match="its run has seed = 0, this plan has 1"):
        build(plan(seed=1), folder, resume=True)
    with pytest.raises(KibitzError, match="a portfolio is a folder"):
        plan().begin()
