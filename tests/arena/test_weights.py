"""Recorded weights: those of the match played again by the engine; thinned; damaged files refused."""

import json

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.chance import Chance
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate, seatings
from kibitz.arena.match import Match
from kibitz.arena.playing import TournamentPlan
from kibitz.arena.weights import MOST_HANDS, MOST_MATCHES, read_weights, record_path, recorded_matches
from kibitz.cli import main
from kibitz.errors import FormatError
from kibitz.games import load_game
from kibitz.parallel import InProcess, Processes
from kibitz.plans import Means, carry_out

KUHN = load_game("kuhn")


@pytest.fixture(scope="module")
def portfolio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agents")
    build = ["portfolio", "build", "always-call", "always-fold", "--game", "kuhn", "--iterations", "20"]
    main([*build, "--out", str(folder / "adapts")], standalone_mode=False)
    main(["solve", "kuhn", "--iterations", "20", "--out", str(folder / "solved")], standalone_mode=False)
    return folder


def replayed(specs, hands, seed, match, seating):
    """The weights of every hand of a seating by place in the table, from the engine and nothing else."""
    order, steps, chance = seatings(2, Chance(seed), match)[seating], {}, Chance(seed)
    agents = [load_agent(specs[number]) for number in order]
    for number, agent in zip(order, agents, strict=True):
        if hasattr(agent, "watch"):
            agent.watch = steps.setdefault(number, []).append
    seeds = [chance.seat(match, seating, seat) for seat in range(2)]
    for _hand in Match(KUHN, chance.cards(match), agents, seeds, hands=hands).play_out():
        pass
    return {number: np.array([step.weights for step in told]) for number, told in steps.items()}


@pytest.mark.parametrize(("opponent", "hands"), [("always-call", 60), ("adapts", 60), ("solved", 1500)])
def test_weights_are_those_of_the_match_played_again(portfolio, tmp_path, opponent, hands):
    """By the engine; and by compiled code, which plays the long match with a strategy."""
    specs = (str(portfolio / "adapts"), opponent if opponent == "always-call" else str(portfolio / opponent))
    path = record_path(tmp_path, (0, 1), 2)
    match = DuplicateMatch(KUHN, specs, hands, seed=5, number=2, record=path)
    assert play_duplicate(match) == play_duplicate(DuplicateMatch(KUHN, specs, hands, seed=5, number=2))
    found = read_weights(path)
    adapting = {number for number, spec in enumerate(specs) if spec.endswith("adapts")}
    assert {(each.agent, each.seating) for each in found} == {(agent, s) for agent in adapting for s in range(2)}
    for each in found:
        assert each.experts == ("always-call", "always-fold")
        assert len(each.hands) == min(hands, MOST_HANDS)
        assert each.hands[[0, -1]].tolist() == [0, hands - 1]
        again = replayed(specs, hands, 5, 2, each.seating)[each.agent]
        np.testing.assert_allclose(each.weights, again[each.hands], atol=6e-6)
        assert np.ptp(again[:, 0]) > 0.05


def test_lines_are_there_while_the_match_is_played(portfolio, tmp_path):
    path, lines = record_path(tmp_path, (0, 1), 0), []

    class Reader(type(load_agent("always-call"))):
        def observe(self, state, position):
            lines.append(path.read_text().count("\n"))

    def reader():
        agent = load_agent("always-call")
        agent.__class__ = Reader
        return agent

    play_duplicate(DuplicateMatch(KUHN, (str(portfolio / "adapts"), reader), 20, 0, record=path))
    assert len(lines) == 40
    assert lines == sorted(lines)
    assert lines[10] >= 10
    assert read_weights(path)[1].hands.tolist() == [*range(20)]


def test_a_series_records_some_matches_of_every_table_whatever_the_workers(portfolio, tmp_path):
    agents = (str(portfolio / "adapts"), "always-call", "random")
    plan = TournamentPlan(agents, "kuhn", hands=8, matches=40, seed="1")
    for name, executor in (("here", InProcess()), ("there", Processes(2))):
        *_, last = carry_out(plan, tmp_path / name, means=Means(executor=executor))
        assert last.done == 120
    files = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here" / "weights").rglob("*.jsonl"))
    tables = {path.parent.name for path in files}
    assert tables == {"0-1", "0-2"}
    assert sorted(int(path.stem) for path in files if path.parent.name == "0-1") == [*range(0, 40, 2)]
    assert all((tmp_path / "here" / path).read_bytes() == (tmp_path / "there" / path).read_bytes() for path in files)


def test_nothing_is_written_where_nobody_adapts_or_the_folder_is_elsewhere(portfolio, tmp_path):
    path = record_path(tmp_path, (0, 1), 0)
    play_duplicate(DuplicateMatch(KUHN, ("always-call", "random"), 3, 0, record=path))
    fixed = f"{portfolio / 'adapts'},bandit=static"
    play_duplicate(DuplicateMatch(KUHN, (fixed, "random"), 3, 0, record=path))
    missing = record_path(tmp_path / "elsewhere", (0, 1), 0)
    play_duplicate(DuplicateMatch(KUHN, (str(portfolio / "adapts"), "random"), 3, 0, record=missing))
    assert [*tmp_path.iterdir()] == []


def test_matches_are_spread_evenly():
    assert [*recorded_matches(3)] == [0, 1, 2]
    assert [*recorded_matches(MOST_MATCHES)] == [*range(MOST_MATCHES)]
    for matches in (MOST_MATCHES + 1, 999, 100_000):
        assert MOST_MATCHES / 2 <= len(recorded_matches(matches)) <= MOST_MATCHES


HEAD = {"agent": 0, "seating": 0, "experts": ["a", "b"]}
HAND = {"agent": 0, "seating": 0, "hand": 0, "weights": [0.25, 0.75]}


def test_a_line_that_is_cut_off_is_left_out(tmp_path):
    path = tmp_path / "0.jsonl"
    path.write_text("\n".join(map(json.dumps, (HEAD, HAND, HAND | {"hand": 9}))))
    (found,) = read_weights(path)
    assert found.hands.tolist() == [0]
    assert found.weights.tolist() == [[0.25, 0.75]]
    path.write_text(json.dumps(HEAD) + "\n")
    assert read_weights(path) == []


@pytest.mark.parametrize(
    "lines",
    [
        [HAND], [HEAD, HAND | {"weights": [1.0]}], [HEAD, HAND | {"weights": ["x", "y"]}],
        [HEAD, HAND | {"weights": 1}], [HEAD, HAND | {"weights": [None, 1.0]}],
        [HEAD | {"experts": 3}], [[]], [HEAD | {"agent": "x"}],
    ],
)  # fmt: skip
def test_what_holds_no_weights_is_refused(tmp_path, lines):
    path = tmp_path / "0.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    with pytest.raises(FormatError, match="holds no weights"):
        read_weights(path)
