"""Portfolios: built, resumed to the byte, pruned, loaded as agents, and refused."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pytest

from kibitz.agents import agent_files, load_agent
from kibitz.agents.implicit import ImplicitAgent
from kibitz.arena.chance import Chance
from kibitz.arena.match import play_match
from kibitz.errors import KibitzError
from kibitz.games import AcpcCards, load_game
from kibitz.parallel import InProcess, Processes
from kibitz.portfolios import PortfolioPlan, build_portfolio, coverage_curve, load_portfolio, prune
from kibitz.portfolios.tracing import gather, plot_weights, to_line, watch
from kibitz.responses.robust import Method, runs
from kibitz.responses.robust.methods import Solving
from kibitz.solvers.problem import Problem
from kibitz.strategy import load_strategy

OPPONENTS = tuple((name, name) for name in ("always-call", "tight-passive", "always-raise"))


def plan(**changes):
    return PortfolioPlan(**{"problem": Problem(load_game("leduc")), "opponents": OPPONENTS, **changes})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("portfolio") / "mine"
    assert list(build_portfolio(plan(), out)) == 2 * [name for name, _ in OPPONENTS]
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
    assert load_strategy(folder / found.experts[0]["folder"]).manifest["opponent"] == "always-call"


def test_an_interrupted_run_leaves_the_same_bytes(folder, tmp_path):
    out = tmp_path / "mine"
    run = build_portfolio(plan(), out)
    next(run)  # killed after the first expert
    run.close()
    shutil.rmtree(out / "experts" / "always-call" / "mimic")  # and while it was saved
    kept = (out / "plan.json").stat().st_mtime_ns
    list(build_portfolio(plan(), out, InProcess()))
    assert everything(out) == everything(folder)
    assert (out / "plan.json").stat().st_mtime_ns == kept


def test_a_response_by_iterations_is_resumed_from_its_checkpoint(tmp_path, monkeypatch):
    """Killed between checkpoints, whatever the moment; the result is that of a straight run."""
    small = plan(opponents=OPPONENTS[:1], solving=Solving("pcfr+", iterations=64))
    list(build_portfolio(small, tmp_path / "straight"))
    monkeypatch.setattr(runs, "CHECKPOINT_SECONDS", 0.0)
    save, calls = runs.save_checkpoint, []

    def killed(*arguments):
        save(*arguments)
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(runs, "save_checkpoint", killed)
    with pytest.raises(KeyboardInterrupt):
        list(build_portfolio(small, tmp_path / "broken"))
    assert (tmp_path / "broken" / "experts" / "always-call" / "checkpoint.npz").exists()
    monkeypatch.setattr(runs, "save_checkpoint", save)
    list(build_portfolio(small, tmp_path / "broken"))
    assert everything(tmp_path / "broken") == everything(tmp_path / "straight")


@pytest.mark.slow
def test_processes_leave_the_same_bytes(folder, tmp_path):
    list(build_portfolio(plan(), tmp_path / "mine", Processes(1)))
    assert everything(tmp_path / "mine") == everything(folder)


def test_a_target_tunes_every_response(tmp_path):
    list(build_portfolio(plan(opponents=OPPONENTS[1:2], target=0.05), tmp_path / "mine"))
    (expert,) = load_portfolio(tmp_path / "mine").experts
    assert 30 < expert["exploitability"] <= 50
    assert expert["amount"] != 0.5


def test_data_biased_responses_observe_their_opponents(tmp_path):
    small = plan(opponents=OPPONENTS[:1], method=Method("dbr", 0.5), observe=500)
    list(build_portfolio(small, tmp_path / "mine"))
    (expert,) = load_portfolio(tmp_path / "mine").experts
    assert expert["exploitation"] > 500
    assert "mimic" in expert
    with pytest.raises(KibitzError, match="needs observations"):
        list(build_portfolio(plan(method=Method("dbr", 0.5)), tmp_path / "other"))


def test_pruning_keeps_the_folder_and_changes_who_plays(copied):
    found = load_portfolio(copied)
    curve = coverage_curve(found)
    assert [step.size for step in curve] == [1, 2, 3]
    assert curve[-1].coverage == pytest.approx(found.utilities.max(axis=1).mean())
    assert all(later.gain <= earlier.gain for earlier, later in pairwise(curve[1:]))
    assert all(step.ratio <= 1 + 1e-9 for step in curve)
    prune(found, 2).save()
    two = load_portfolio(copied)
    assert two.playing == tuple(step.expert for step in curve[:2])
    assert load_agent(str(copied)).experts.names == two.playing
    assert len(agent_files(str(copied))) == 1 + 2 * 2
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
    values = copied / "experts" / "tight-passive" / "strategy" / "values.npy"
    data = bytearray(values.read_bytes())
    data[-8:] = np.array([np.nan]).tobytes()
    values.write_bytes(data)
    with pytest.raises(KibitzError, match=r"expert tight-passive of .* cannot be used: .*is damaged"):
        load_agent(str(copied))
    shutil.rmtree(values.parent)
    with pytest.raises(KibitzError, match=r"expert tight-passive of .* cannot be used: .*there is no folder"):
        load_agent(str(copied))


@pytest.mark.parametrize("part", ["strategy", "mimic"])
def test_a_portfolio_with_a_damaged_member_is_not_taken_for_finished(copied, part):
    """Built again it says what to do, and that leads to the same bytes."""
    before = everything(copied)
    shutil.rmtree(copied / "experts" / "always-raise" / part)
    with pytest.raises(KibitzError, match=r"expert always-raise of .* remove portfolio.json and .*always-raise, and b"):
        list(build_portfolio(plan(), copied))
    (copied / "portfolio.json").unlink()
    shutil.rmtree(copied / "experts" / "always-raise")
    list(build_portfolio(plan(), copied))
    assert everything(copied) == before


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda told: told.pop("experts"), "does not describe a portfolio"),
        (lambda told: told.update(playing=["nobody"]), "playing names experts that are not there"),
        (lambda told: told.update(playing=[]), "at least one is needed"),
        (lambda told: told["experts"].append(told["experts"][0]), "a name of its own"),
    ],
)
def test_manifests_that_are_refused(copied, change, text):
    path = copied / "portfolio.json"
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    with pytest.raises(KibitzError, match=text):
        load_agent(str(copied))


def test_utilities_that_are_no_numbers(copied):
    path = copied / "portfolio.json"
    told = json.loads(path.read_text())
    told["utilities"][0][0] = None
    path.write_text(json.dumps(told))
    with pytest.raises(KibitzError, match="some utilities are not finite numbers"):
        load_portfolio(copied)
    told["utilities"] = [[1.0, 2.0], [3.0]]
    path.write_text(json.dumps(told))
    with pytest.raises(KibitzError, match="utilities are no table of numbers"):
        load_portfolio(copied)
    told["utilities"] = [[1.0]]
    path.write_text(json.dumps(told))
    with pytest.raises(KibitzError, match=r"utilities of shape \(1, 1\) for 3 experts"):
        load_portfolio(copied)
    path.write_text("{")
    with pytest.raises(KibitzError, match="does not describe a portfolio"):
        load_portfolio(copied)


def test_experts_of_another_game_are_refused(copied, tmp_path):
    out = tmp_path / "kuhn"
    list(build_portfolio(plan(problem=Problem(load_game("kuhn")), opponents=OPPONENTS[:1]), out))
    shutil.rmtree(copied / "experts" / "always-raise" / "strategy")
    shutil.copytree(out / "experts" / "always-call" / "strategy", copied / "experts" / "always-raise" / "strategy")
    with pytest.raises(KibitzError, match=r"the menu .* of leduc .*always-raise has the menu .* of kuhn"):
        load_agent(str(copied))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"opponents": ()}, "a portfolio without opponents"),
        ({"opponents": (("a", "always-call"), ("a", "always-raise"))}, "two opponents are called a"),
        ({"opponents": (("a/b", "always-call"),)}, "'a/b' cannot name a folder"),
    ],
)
def test_plans_that_are_refused(changes, text):
    with pytest.raises(KibitzError, match=text):
        plan(**changes)


def test_folders_that_are_refused(folder, tmp_path):
    with pytest.raises(KibitzError, match="holds another portfolio"):
        list(build_portfolio(plan(seed=1), folder))
    (tmp_path / "x").write_text("")
    with pytest.raises(KibitzError, match="exists and holds no portfolio"):
        list(build_portfolio(plan(), tmp_path))
    changing = (("changes", "switch:always-call@5@always-raise"),)
    with pytest.raises(KibitzError, match=r"opponent changes: .* only plays"):
        list(build_portfolio(plan(opponents=changing), tmp_path / "new"))
