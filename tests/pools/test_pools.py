"""Pools of opponents: made by one command, resumed, and what their members claim to be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.pools import POOLS, Member, PoolPlan, load_pool, make_pool, solving
from kibitz.pools.make import fold_happy, noisy
from kibitz.pools.members import Coarse, Imitator, Named
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, load_model, load_strategy
from kibitz.testing import check_agent


def leduc_plan(pool="A", **settings):
    return PoolPlan(pool, Problem(load_game("leduc")), **{"iterations": 40, **settings})


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pools") / "A"
    list(make_pool(leduc_plan(), folder))
    return folder


def test_pools_are_fixed():
    """They were fixed before any agent was measured against them: whoever changes them changes what is measured."""
    assert [member.name for member in POOLS["A"]] == [
        "equilibrium",
        "tilt-win-125",
        "tilt-loss-125",
        "tilt-fold-win-150",
        "noise-05",
        "fold-happy-first",
        "imitator-300",
        "always-call",
        "tight-passive",
        "switching",
    ]
    assert not {m.name for m in POOLS["A"]} & {m.name for m in POOLS["B"]} - {"switching"}
    kinds = {type(member.kind) for member in POOLS["A"]}
    assert kinds == {type(member.kind) for member in POOLS["B"]}


def test_members_play(pool):
    members = load_pool(pool)
    assert [member.name for member in members] == [member.name for member in POOLS["A"]]
    for member in members:
        check_agent(member.agent, ["leduc"], hands=6)


def test_members_are_what_they_say(pool):
    base = load_strategy(pool / "equilibrium")
    members = {member.name: member for member in load_pool(pool)}
    assert np.allclose(
        load_strategy(pool / "noise-05").values, 0.95 * base.values + 0.05 * Strategy.uniform(base.layout).values
    )
    assert members["equilibrium"].made["exploitability"] < members["noise-05"].made["exploitability"]
    assert members["equilibrium"].made["unit"] == "milli-antes/hand"
    assert load_strategy(pool / "tilt-win-125").manifest["tilt"] == {"showdown_win": 1.25, "fold_win": 1.25}
    imitator = load_model(pool / "imitator-300")
    assert imitator.manifest["hands"] == 300
    assert imitator.manifest["players"] == ["equilibrium"]


def test_a_stopped_run_goes_on(pool, tmp_path):
    steps = make_pool(leduc_plan(), tmp_path / "A")
    for _ in range(3):
        next(steps)
    steps.close()
    with pytest.raises(KibitzError, match="holds 3 of 10 members"):
        load_pool(tmp_path / "A")
    written = (tmp_path / "A" / "tilt-win-125" / "values.npy").stat().st_mtime_ns
    list(make_pool(leduc_plan(), tmp_path / "A"))
    assert (tmp_path / "A" / "tilt-win-125" / "values.npy").stat().st_mtime_ns == written
    for path in pool.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "A" / path.relative_to(pool)).read_bytes(), path


def test_another_pool_is_not_overwritten(pool, tmp_path):
    for plan in (leduc_plan("B"), leduc_plan(seed=1), leduc_plan(iterations=41)):
        with pytest.raises(KibitzError, match="holds another pool"):
            next(make_pool(plan, pool))
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(KibitzError, match="holds no pool"):
        next(make_pool(leduc_plan(), tmp_path))
    with pytest.raises(KibitzError, match="there are A, B, C"):
        next(make_pool(leduc_plan("D"), tmp_path / "C"))


@given(st.integers(0, 5), st.sampled_from([0, 1, -1]), st.floats(0, 1))
def test_styles(seed, round_, share):
    """Noise or folds of share 0 change nothing, of share 1 leave nothing else."""
    layout = Problem(load_game("leduc")).vector.layout
    strategy = Strategy.from_sums(layout, np.random.default_rng(seed).random(layout.size))
    assert np.array_equal(noisy(strategy, 0.0).values, strategy.values)
    assert np.allclose(noisy(strategy, 1.0).values, Strategy.uniform(layout).values)
    assert np.array_equal(fold_happy(strategy, round_, 0.0).values, strategy.values)
    changed, tree = fold_happy(strategy, round_, share), layout.tree
    for node in tree.decisions.tolist():
        before, after = strategy.at(node), changed.at(node)
        if tree.actions[tree.first_child[node]] == "f" and tree.round[node] == round_ % 2:
            assert np.allclose(1 - after[0], (1 - share) * (1 - before[0]))
        else:
            assert np.array_equal(after, before)
        assert np.allclose(after.sum(axis=0), 1)


def test_hands_of_imitators_are_drawn_from_the_seed():
    hands = [member.kind.hands for pool in POOLS.values() for member in pool if isinstance(member.kind, Imitator)]
    assert len(set(hands)) == len(hands)  # they seed the matches too
    for pool in POOLS.values():
        for member in pool:
            if isinstance(member.kind, Named):
                assert load_agent(member.kind.agent).name


def test_pools_of_bucket_games(tmp_path):
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket", boards=20)
    members = list(make_pool(PoolPlan("A", problem, iterations=2), tmp_path / "A"))
    assert [member.name for member in members] == [member.name for member in POOLS["A"]]
    assert load_model(tmp_path / "A" / "imitator-300").manifest["cards"] == "one-bucket"


@pytest.fixture
def impatient(monkeypatch):
    """Checkpoints after every piece of iterations."""
    monkeypatch.setattr(solving, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(solving, "PIECE_SECONDS", 0.0)


@pytest.mark.parametrize("name", ["equilibrium", "tilt-win-125"])
def test_members_go_on_within_their_iterations(tmp_path, pool, impatient, monkeypatch, name):
    class StoppedError(Exception):
        pass

    done = []

    def stop(path, solver, described):
        save_checkpoint(path, solver, described)
        if name in path.name and solver.iteration == 17:
            raise StoppedError

    def count(path, solver, described):
        done.append(path.name)
        return load_checkpoint(path, solver, described)

    folder = tmp_path / "A"
    with monkeypatch.context() as patch:
        patch.setattr(solving, "save_checkpoint", stop)
        with pytest.raises(StoppedError):
            list(make_pool(leduc_plan(), folder))
    assert (folder / "pool.json").exists()
    assert list(folder.glob(f"{name}.checkpoint*.npz"))
    monkeypatch.setattr(solving, "load_checkpoint", count)
    list(make_pool(leduc_plan(), folder))
    assert any(each.startswith(name) for each in done)
    assert not list(folder.glob("*.npz"))
    assert np.array_equal(load_strategy(folder / name).values, load_strategy(pool / name).values)


def test_the_pool_of_equilibria_of_card_abstractions(tmp_path):
    members = list(make_pool(leduc_plan("C", iterations=200), tmp_path / "C"))
    assert [member.name for member in members] == ["2-bucket", "3-bucket", "5-bucket"]
    found = [member.made["exploitability"] for member in members]
    assert found[0] > found[1] + 50 > 100  # real cards exploit coarse ones
    check_agent(members[0].agent, ["leduc"], hands=6)
    coarse = load_strategy(tmp_path / "C" / "2-bucket")
    assert len(np.unique(coarse.at(0).round(9), axis=1).T) == 2  # of three cards two are told apart


def test_equilibria_of_card_abstractions_of_holdem_have_their_own_cards(tmp_path):
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket", boards=20)
    plan = PoolPlan("C", problem, iterations=2)
    assert plan.members[0] == Member("2-bucket", Coarse(2))
    member = next(make_pool(plan, tmp_path / "C"))
    assert load_strategy(tmp_path / "C" / "2-bucket").manifest["cards"] == "2-bucket"
    assert member.made["exploitability"] > 0
