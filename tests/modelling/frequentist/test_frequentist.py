"""Frequentist models: counts equal a plain implementation, and do not depend on who counts them."""

from __future__ import annotations

import lzma
import tarfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.abstraction.features.cache import cache_folder
from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.io.acpc.blocks import find_plain_log
from kibitz.io.convert import convert
from kibitz.io.files import read_records
from kibitz.modelling.frequentist import Observation, build_model, coverage, find_game
from kibitz.modelling.frequentist.bettings import GRID, Bettings
from kibitz.modelling.frequentist.seen import seen_histories, seen_tree
from kibitz.plans import kind_of
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Layout, StrategyError, load_model, load_strategy, save_model
from kibitz.testing import check_agent
from kibitz.translation import Reading
from kibitz.tree import DECISION, SHOWDOWN
from modelling.frequentist.logs import write_log
from modelling.frequentist.plain_counts import count_plainly


@pytest.fixture(scope="module")
def leduc(tmp_path_factory) -> Path:
    return write_log(tmp_path_factory.mktemp("leduc") / "leduc.log", "leduc", ("example-player", "probe"), 300)


@pytest.fixture(scope="module")
def limit(tmp_path_factory) -> Path:
    return write_log(tmp_path_factory.mktemp("limit") / "limit.log", "holdem-limit-2p", ("random", "probe"), 120)


@pytest.fixture(scope="module")
def nolimit(tmp_path_factory) -> Path:
    return write_log(tmp_path_factory.mktemp("nl") / "nl.log", "leduc-nolimit", ("example-player", "random"), 200)


def check_equal(log: Path, player: str, problem: Problem, reading: Reading) -> FrequentistModel:
    built = build_model([log], Observation((player,), reading), problem)
    counts, decisions = count_plainly(read_records(log), player, problem, reading)
    model = built.model
    wanted = np.zeros(model.layout.size)
    for (node, action, state), count in counts.items():
        wanted[model.layout.offset[node] + action * model.layout.states[node] + state] += count
    assert np.abs(model.counts - wanted).max() <= 1e-4  # weights are rounded to 2^-24
    assert model.manifest["decisions"] == decisions
    assert model.manifest["lost"] == pytest.approx(decisions - wanted.sum(), abs=1e-3)
    return model


@pytest.mark.parametrize("suits_merged", [True, False])
def test_counts_of_exact_private_states(leduc, suits_merged):
    model = check_equal(leduc, "example-player", Problem(load_game("leduc"), suits_merged=suits_merged), Reading())
    assert model.counts.sum() == model.manifest["decisions"] > 300
    assert np.array_equal(model.counts, np.round(model.counts))


def test_counts_of_one_bucket(limit):
    model = check_equal(limit, "random", Problem(load_game("holdem-limit-2p"), cards="one-bucket"), Reading())
    assert coverage(model)[-1]["infosets"] == 6378
    assert [row["decisions"] for row in coverage(model)[:-1]] == [
        model.counts[np.repeat(model.layout.tree.round, np.diff(model.layout.offset)) == round_].sum()
        for round_ in range(4)
    ]


def test_counts_of_five_buckets(limit):
    if not any((cache_folder() / "abstractions-2").glob("5-bucket/*")):
        pytest.skip("no tables of 5-bucket in the cache: `kibitz abstract build 5-bucket` makes them")
    check_equal(limit, "random", Problem(load_game("holdem-limit-2p"), cards="5-bucket"), Reading())


@pytest.mark.parametrize("mapping", ["rand-psharmonic", "det-geo", "rand-arith"])
def test_counts_with_translation(nolimit, mapping):
    model = check_equal(nolimit, "random", Problem(load_game("leduc-nolimit"), "fcpa"), Reading(mapping))
    is_whole = np.array_equal(model.counts, np.round(model.counts))
    assert is_whole == mapping.startswith("det")


def test_sampled_translations_are_whole_and_seeded(nolimit):
    problem = Problem(load_game("leduc-nolimit"), "fcpa")
    expected = build_model([nolimit], Observation(("random",)), problem).model.counts
    sampled = [build_model([nolimit], Observation(("random",), seed=seed), problem).model.counts for seed in range(12)]
    assert all(np.array_equal(counts, np.round(counts)) for counts in sampled)
    assert not np.array_equal(sampled[0], sampled[1])
    again = build_model([nolimit], Observation(("random",), seed=0), problem).model.counts
    assert np.array_equal(sampled[0], again)
    mean, spread = np.mean(sampled, axis=0), np.std(sampled, axis=0) / np.sqrt(12)
    assert (np.abs(mean - expected) <= 6 * spread + 0.5).all()


@pytest.mark.parametrize("seed", [None, 3])
def test_the_same_files_whatever_the_workers(nolimit, tmp_path, seed, monkeypatch):
    monkeypatch.setattr("kibitz.modelling.logs.CHUNK", 16)
    monkeypatch.setattr("kibitz.io.acpc.blocks.BLOCK", 16)
    monkeypatch.setattr("kibitz.modelling.logs.Processes", InTurn)
    problem = Problem(load_game("leduc-nolimit"), "fcpa")
    for workers in (1, 3):
        built = build_model([nolimit], Observation(("random",), seed=seed), problem, workers=workers)
        save_model(built.model, tmp_path / str(workers))
    files = [sorted(path.relative_to(tmp_path / each) for path in (tmp_path / each).rglob("*")) for each in ("1", "3")]
    assert files[0] == files[1]
    for name in files[0]:
        if (tmp_path / "1" / name).is_file():
            assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "3" / name).read_bytes(), name


class InTurn:
    """Processes without the wait for them."""

    def __init__(self, workers, progress=None):
        assert workers == 3

    def map(self, function, tasks):
        return map(function, tasks)


def test_blocks_of_lines_count_like_hands(leduc, limit, tmp_path, monkeypatch):
    """Compressed logs, those of other systems, with empty lines or without a score; by blocks or not."""
    text = leduc.read_text()
    logs = {
        "plain.log": text.encode(),
        "packed.log.xz": lzma.compress(text.encode()),
        "windows.log": text.replace("\n", "\r\n").encode(),
        "empty.log": text.encode() + b"\n\n",
        "open.log": text.rpartition("SCORE")[0].encode(),
        "short.log": text.rpartition("\nSCORE")[0].encode(),
    }
    problem, observation = Problem(load_game("leduc")), Observation(("probe",))
    for name, data in logs.items():
        path = tmp_path / name
        path.write_bytes(data)
        plain = find_plain_log(path, None)
        assert plain is not None, name
        assert plain.hands == 300
        by_block = build_model([path], observation, problem)
        with monkeypatch.context() as patched:
            patched.setattr("kibitz.modelling.frequentist.build.find_plain_log", lambda path, game: None)
            by_hand = build_model([path], observation, problem)
        assert np.array_equal(by_block.model.counts, by_hand.model.counts)
        assert by_block.model.manifest == by_hand.model.manifest
        assert by_block.counts == by_hand.counts


def test_other_logs_are_not_read_by_blocks(leduc, tmp_path):
    text = leduc.read_text()
    first = next(line for line in text.splitlines() if line.startswith("STATE:0:"))
    for number, wrong in enumerate(
        (
            text + text,
            text.replace(first, first + " # 1479132064.35509", 1),
            text.replace(first, first.replace("STATE:", "# STATE:"), 1),
            text.replace(" 300 ", " 301 ", 1),
            "nothing",
        )
    ):
        path = tmp_path / f"{number}.log"
        path.write_text(wrong)
        assert find_plain_log(path, None) is None


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda fields: fields[3][-2:] + fields[3][2:], "a card stands there twice"),
        (lambda fields: "2c" + fields[3][2:], "not in the deck"),
        (lambda fields: "Xx" + fields[3][2:], "is not a card"),
        (lambda fields: fields[3] + "/Ks/Qs", "board sections"),
    ],
)
def test_broken_cards(leduc, tmp_path, wrong, reason):
    """They are found in blocks too, and told as by those who read by the hand."""
    lines = leduc.read_text().splitlines()
    at = next(
        number
        for number, line in enumerate(lines)
        if number > 10 and line.startswith("STATE:") and line.count("/") == 2
    )
    fields = lines[at].split(":")
    player = fields[5].split("|")[0]
    fields[3] = wrong(fields)
    broken = tmp_path / "broken.log"
    broken.write_text("\n".join([*lines[:at], ":".join(fields), *lines[at + 1 :]]) + "\n")
    assert find_plain_log(broken, None) is not None
    with pytest.raises(KibitzError, match=rf"broken.log:{at + 1}: .*{reason}"):
        build_model([broken], Observation((player,)), Problem(load_game("leduc")))


def test_processes_count_too(leduc):
    problem = Problem(load_game("leduc"))
    one, two = (build_model([leduc], Observation(("probe",)), problem, workers=each) for each in (1, 2))
    assert np.array_equal(one.model.counts, two.model.counts)
    assert one.model.manifest == two.model.manifest


def test_any_format_counts_alike(limit, tmp_path):
    """The same hands in an archive and as PHH, read hand by hand."""
    problem, observation = Problem(load_game("holdem-limit-2p"), cards="one-bucket"), Observation(("random",))
    wanted = build_model([limit], observation, problem).model.counts
    with (tmp_path / "hands.phhs").open("w") as out:
        convert(read_records(limit), "phhs", out)
    with tarfile.open(tmp_path / "logs.tar", "w") as archive:
        archive.add(limit, "limit.log")
    for name in ("hands.phhs", "logs.tar"):
        assert find_plain_log(tmp_path / name, None) is None
        assert np.array_equal(build_model([tmp_path / name], observation, problem).model.counts, wanted), name


def test_several_players_are_pooled(leduc):
    problem = Problem(load_game("leduc"))
    each = [build_model([leduc], Observation((name,)), problem).model for name in ("example-player", "probe")]
    both = build_model([leduc], Observation(("example-player", "probe")), problem).model
    assert np.array_equal(both.counts, each[0].counts + each[1].counts)
    assert both.manifest["hands"] == 300


def test_only_what_was_shown(leduc, limit):
    problem = Problem(load_game("leduc"))
    full, shown = (
        build_model([leduc], Observation(("example-player",), shown_only=only), problem).model for only in (False, True)
    )
    assert shown.manifest["hands"] + shown.manifest["hidden"] == 300
    assert (shown.counts <= full.counts).all()
    assert coverage(shown)[-1]["fold"] == 0 < coverage(full)[-1]["fold"]
    blind = Problem(load_game("holdem-limit-2p"), cards="one-bucket")  # betting is public, shown or not
    counts = [build_model([limit], Observation(("random",), shown_only=only), blind).model.counts for only in (0, 1)]
    assert np.array_equal(*counts)


def hide(log: Path, name: str, to: Path) -> Path:
    """The log without the cards of one player."""
    lines = []
    for line in log.read_text().splitlines():
        fields = line.split(":")
        if fields[0] == "STATE":
            hole, *board = fields[3].split("/")
            seat = fields[5].split("|").index(name)
            fields[3] = "/".join(["|".join("" if k == seat else c for k, c in enumerate(hole.split("|"))), *board])
        lines.append(":".join(fields))
    to.write_text("\n".join(lines) + "\n")
    return to


def test_hidden_cards_are_needed_unless_all_hands_are_one(leduc, limit, tmp_path):
    hidden = hide(limit, "random", tmp_path / "limit.log")
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket")
    models = [build_model([log], Observation(("random",)), problem).model for log in (limit, hidden)]
    assert np.array_equal(models[0].counts, models[1].counts)
    hidden = hide(leduc, "probe", tmp_path / "leduc.log")
    with pytest.raises(KibitzError, match="the cards of 'probe' are hidden in all of 300 hands"):
        build_model([hidden], Observation(("probe",)), Problem(load_game("leduc")))


def test_frequencies_and_visits(leduc, tmp_path):
    model = build_model([leduc], Observation(("example-player",)), Problem(load_game("leduc"))).model
    tree, strategy = model.layout.tree, model.strategy
    for node in tree.decisions.tolist():
        counts, visits = model.at(node), model.at(node).sum(axis=0)
        begin, end = model.layout.offset[node], model.layout.offset[node + 1]
        assert np.array_equal(model.visits[begin:end].reshape(counts.shape), np.tile(visits, (len(counts), 1)))
        call = list(tree.actions[tree.first_child[node] : tree.first_child[node] + len(counts)]).index("c")
        unseen = visits == 0
        assert (strategy.at(node)[call, unseen] == 1).all()
        assert np.allclose(strategy.at(node)[:, ~unseen] * visits[~unseen], counts[:, ~unseen])
    visits = np.concatenate([model.at(node).sum(axis=0) for node in tree.decisions.tolist()])
    row = coverage(model)[-1]
    assert (row["unseen"], row["few"], row["many"]) == (
        (visits == 0).sum(),
        ((visits > 0) & (visits <= 10)).sum(),
        (visits > 10).sum(),
    )
    assert model.manifest["coverage"] == {key: row[key] for key in ("infosets", "unseen", "few", "many")}
    save_model(model, tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert kind_of(tmp_path / "model") == "model"
    assert np.array_equal(loaded.counts, model.counts)
    assert loaded.manifest == model.manifest
    assert np.array_equal(load_strategy(tmp_path / "model").values, strategy.values)
    assert np.array_equal(load_agent(str(tmp_path / "model")).strategy.values, strategy.values)


def test_models_of_another_game_or_menu_are_refused(leduc, tmp_path):
    save_model(build_model([leduc], Observation(("probe",)), Problem(load_game("leduc"))).model, tmp_path / "model")
    other = Problem(load_game("leduc-nolimit"), "fcpa")
    layout = Layout(other.tree, other.sampled_deal.counts, other.sampled_deal.fingerprint)
    with pytest.raises(StrategyError, match=r"its betting tree is .* is needed here"):
        load_model(tmp_path / "model", layout)
    with pytest.raises(
        KibitzError, match=r"hands of leduc do not fit a model of kuhn: board cards \(0, 1\), not \(0,\)"
    ):
        build_model([leduc], Observation(("probe",)), Problem(load_game("kuhn")))
    counts = tmp_path / "model" / "counts.npy"
    counts.write_bytes(counts.read_bytes()[:-8] + bytes(7) + b"\x40")
    with pytest.raises(KibitzError, match="damaged"):
        load_model(tmp_path / "model")
    with pytest.raises(KibitzError, match="holds no model of a player"):
        load_model(tmp_path)


def test_broken_hands(leduc, tmp_path):
    text = leduc.read_text()
    first = next(line for line in text.splitlines() if line.startswith("STATE:0:"))
    broken = tmp_path / "broken.log"
    fields = first.split(":")
    for wrong in (fields[2] + "c", "rrr" + fields[2], fields[2][:-1]):
        broken.write_text(text.replace(first, ":".join([*fields[:2], wrong, *fields[3:]]), 1))
        with pytest.raises(KibitzError, match=r"broken.log:\d+: hand 0: .*skip broken places"):
            build_model([broken], Observation(("probe",)), Problem(load_game("leduc")))
        built = build_model([broken], Observation(("probe",), skip_bad=True), Problem(load_game("leduc")))
        assert (built.bad, built.model.manifest["hands"]) == (1, 299)
    copied = tmp_path / "copy.log"
    copied.write_text(text)
    with pytest.raises(KibitzError, match="hold the same hands"):
        build_model([leduc, copied], Observation(("probe",)), Problem(load_game("leduc")))


def test_nobody_of_that_name(leduc):
    with pytest.raises(KibitzError, match="no player 'Phil' in 300 hands, whose players are 'example-player', 'probe'"):
        find_game([leduc], ("Phil",))
    with pytest.raises(KibitzError, match="no player 'Phil'"):
        build_model([leduc], Observation(("Phil",)), Problem(load_game("leduc")))


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.sampled_from(["rand-geo-1", "rand-psharmonic"]))
@settings(max_examples=60)
def test_weights_of_a_decision_add_up_to_one_or_less(choices, mapping):
    """Whatever is bet: each decision is counted or lost, and weights lie on the grid."""
    from kibitz.games import State

    game = load_game("leduc-nolimit")
    state, choices = State.start(game), iter(choices * 30)
    decided = [0, 0]
    while not state.finished:
        legal, choice = state.legal(), next(choices)
        decided[state.player] += 1
        if choice == 2 and legal.max_raise_to:
            low, high = legal.min_raise_to, legal.max_raise_to
            state = state.apply(f"r{low + (7 * len(state.history)) % (high - low + 1)}")
        else:
            state = state.apply("f" if choice == 0 and legal.fold else "c")
    for seat, found in enumerate(Bettings(Problem(game, "fcpa").tree, Reading(mapping)).read(game, state.history)):
        assert found.decisions == decided[seat]
        assert sum(each.weight for each in found.taken) + found.lost == found.decisions
        assert all(0 < each.weight <= 1 and (each.weight * GRID).is_integer() for each in found.taken)
        assert found.shown == (state.showdown and not state.folded >> seat & 1)


def test_trees_of_what_was_seen(nolimit, tmp_path):
    """They hold the same counts as the whole tree, at fewer nodes, and play."""
    game, reading = load_game("leduc-nolimit"), Reading("det-geo")
    whole = Problem(game, "fcpa")
    tree = seen_tree(game, "fcpa", seen_histories([nolimit], ("random",)), reading)
    assert len(tree) < len(whole.tree)
    seen = Problem(game, "fcpa", betting=tree)
    models = [build_model([nolimit], Observation(("random",), reading), each).model for each in (whole, seen)]
    assert models[0].manifest["lost"] == models[1].manifest["lost"]
    assert models[0].counts.sum() == models[1].counts.sum()
    for node in tree.decisions.tolist():
        same = whole.tree.find(tree.history(node))
        assert np.array_equal(models[1].at(node), models[0].at(same))
    ends = [node for node in range(len(tree)) if tree.kind[node] == SHOWDOWN]
    early = [node for node in ends if whole.tree.kind[whole.tree.find(tree.history(node))] == DECISION]
    assert early  # where no hand went on
    save_model(models[1], tmp_path / "seen")
    assert np.array_equal(load_model(tmp_path / "seen").counts, models[1].counts)
    check_agent(str(tmp_path / "seen"), ["leduc-nolimit"], hands=10)


SARTRE = "0.25, 0.5, 0.75, 1, 2, 5, 10, all-in"  # the bets of SartreNL's alphabet


def test_pluribus_reduced(data, capsys):
    """Six players, betting as SartreNL reads it, cards aside: coverage printed."""
    logs, reading = [data / "phh" / "pluribus-sessions.tar.xz"], Reading("det-geo")
    game = find_game(logs, ("Pluribus",))
    tree = seen_tree(game, SARTRE, seen_histories(logs, ("Pluribus",)), reading)
    problem = Problem(game, SARTRE, cards="one-bucket", betting=tree)
    model = build_model(logs, Observation(("Pluribus",), reading), problem).model
    with capsys.disabled():
        print(f"\nPluribus, {model.manifest['hands']:,} hands:", model.manifest["coverage"])
    assert model.manifest["hands"] > 7000
    assert model.manifest["lost"] < 0.001 * model.manifest["decisions"]


def test_real_logs(data, capsys):
    """Coverage of the players in real matches, printed."""
    log = data / "acpc" / "logs" / "2p.limit.h1000.r0.log"
    problem = Problem(load_game("holdem-limit-2p"), cards="one-bucket")
    with capsys.disabled():
        for player in ("p1", "p2"):
            model = build_model([log], Observation((player,)), problem).model
            print(f"\n{player}, 1,000 hands:", model.manifest["coverage"])
            assert model.manifest["decisions"] == model.counts.sum() > 4000
    leduc = data / "acpc" / "logs" / "leduc.limit.2p.h50000.log.xz"
    model = build_model([leduc], Observation(("CFR_trained",)), Problem(load_game("leduc"))).model
    assert model.manifest["hands"] == 50_000
    assert coverage(model)[-1]["few"] == 0  # fifty thousand hands reach everything or nothing
