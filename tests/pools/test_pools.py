"""Pools of opponents: made by one command, resumed, and what their members claim to be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.parallel import Processes
from kibitz.plans import Means, carry_out, fingerprint_of, open_artefact
from kibitz.pools import MemberPlan, PoolPlan, load_pool, making
from kibitz.pools.making import fold_happy, noisy
from kibitz.pools.members import POOLS, Imitator, Named
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, load_model, load_strategy
from kibitz.testing import check_agent


def leduc_plan(pool="A", **settings):
    return PoolPlan(pool, **{"iterations": 40, **settings})


def make(plan, folder, **options):
    list(carry_out(plan, folder, **options))
    return load_pool(folder)


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pools") / "A"
    make(leduc_plan(), folder)
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
    steps = carry_out(leduc_plan(), tmp_path / "A")
    for _ in range(3):
        next(steps)
    steps.close()
    with pytest.raises(KibitzError, match="not finished: continue it with --resume"):
        load_pool(tmp_path / "A")
    written = (tmp_path / "A" / "tilt-win-125" / "values.npy").stat().st_mtime_ns
    make(leduc_plan(), tmp_path / "A", resume=True)
    assert (tmp_path / "A" / "tilt-win-125" / "values.npy").stat().st_mtime_ns == written
    assert fingerprint_of(tmp_path / "A") == fingerprint_of(pool)


def test_a_killed_run_keeps_its_members(pool, tmp_path):
    """Also those that needed no iterations and have no checkpoint."""
    make(leduc_plan(), tmp_path / "A")
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "A").glob("*/manifest.json")}
    for name in ("checkpoint.npz", "curve.jsonl", "manifest.json"):
        (tmp_path / "A" / name).unlink()
    make(leduc_plan(), tmp_path / "A")
    assert len(written) == 7
    assert written == {path: path.stat().st_mtime_ns for path in written}
    with pytest.raises(KibitzError, match="noise-05 holds a run"):
        list(carry_out(MemberPlan("noise-20", str(pool / "equilibrium")), tmp_path / "A" / "noise-05"))


def test_members_do_not_depend_on_the_executor(pool, tmp_path):
    make(leduc_plan(), tmp_path / "A", means=Means(executor=Processes(2)))
    assert fingerprint_of(tmp_path / "A") == fingerprint_of(pool)


def test_another_pool_is_not_continued(pool):
    for plan in (leduc_plan("B"), leduc_plan(seed=1), leduc_plan(iterations=41)):
        with pytest.raises(KibitzError, match="this plan has"):
            next(carry_out(plan, pool, resume=True))
    with pytest.raises(KibitzError, match="pool is D: one of A, B, C is needed"):
        leduc_plan("D")
    with pytest.raises(KibitzError, match="a pool is a folder"):
        leduc_plan().begin()
    with pytest.raises(KibitzError, match="no card abstraction: boards are sampled only for one"):
        next(carry_out(leduc_plan(boards=5), pool / "new"))


def test_a_member_by_itself(pool, tmp_path):
    plan = MemberPlan("noise-05", str(pool / "equilibrium"), iterations=40)
    *_, last = carry_out(plan, tmp_path / "alone")
    assert last.artefact.made["exploitability"] == open_artefact(pool / "noise-05").made["exploitability"]
    assert fingerprint_of(tmp_path / "alone") == fingerprint_of(pool / "noise-05")
    for plan, message in (
        (MemberPlan("noise-05"), "is made from an equilibrium"),
        (MemberPlan("equilibrium", str(pool / "equilibrium")), "is made from nothing else"),
        (MemberPlan("always-call"), "is the agent always-call"),
        (MemberPlan("nobody"), "no pool has a member 'nobody'"),
        (MemberPlan("noise-05", str(pool / "equilibrium"), game="kuhn"), "its betting tree is"),
    ):
        with pytest.raises(KibitzError, match=message):
            plan.begin()


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


HOLDEM = {"game": "holdem-limit-2p", "cards": "one-bucket", "boards": 20, "iterations": 2}


def test_pools_of_bucket_games(tmp_path):
    members = make(PoolPlan("A", **HOLDEM), tmp_path / "A")
    assert [member.name for member in members] == [member.name for member in POOLS["A"]]
    assert load_model(tmp_path / "A" / "imitator-300").manifest["cards"] == "one-bucket"


@pytest.mark.parametrize("name", ["equilibrium", "tilt-win-125", "3-bucket"])
def test_members_go_on_within_their_iterations(tmp_path, monkeypatch, name):
    monkeypatch.setattr(making, "PIECE_SECONDS", 0.0)
    plan = MemberPlan(name, iterations=20)
    *_, straight = carry_out(plan)
    for stop in (3, 17, 30):
        steps = carry_out(plan, tmp_path / f"{stop}")
        for _ in zip(range(stop), steps, strict=False):
            pass
        steps.close()
        if not (tmp_path / f"{stop}" / "manifest.json").exists():
            list(carry_out(plan, tmp_path / f"{stop}", resume=True))
        found = open_artefact(tmp_path / f"{stop}").arrays["values"]
        assert np.array_equal(found, straight.artefact.arrays["values"])


def test_the_pool_of_equilibria_of_card_abstractions(tmp_path):
    members = make(leduc_plan("C", iterations=200), tmp_path / "C")
    assert [member.name for member in members] == ["2-bucket", "3-bucket", "5-bucket"]
    found = [member.made["exploitability"] for member in members]
    assert found[0] > found[1] + 50 > 100  # real cards exploit coarse ones
    check_agent(members[0].agent, ["leduc"], hands=6)
    coarse = load_strategy(tmp_path / "C" / "2-bucket")
    assert len(np.unique(coarse.at(0).round(9), axis=1).T) == 2  # of three cards two are told apart


def test_equilibria_of_card_abstractions_of_holdem_have_their_own_cards(tmp_path):
    *_, last = carry_out(MemberPlan("2-bucket", **HOLDEM), tmp_path / "2-bucket")
    assert load_strategy(tmp_path / "2-bucket").manifest["cards"] == "2-bucket"
    assert last.artefact.made["exploitability"] > 0
