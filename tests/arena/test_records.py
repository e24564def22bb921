"""Cross tables from logs: what everybody won, duplicate matches as one result."""

from itertools import combinations, permutations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.arena.rankings import Rankings
from kibitz.arena.records import table_of_logs
from kibitz.errors import KibitzError
from kibitz.games import load_game

AGENTS = ("always-call", "always-raise", "random")


def write_log(folder, game, names, seed, hands=30):
    """A match as a dealer would log it; returns what everybody won."""
    lines: list[str] = []
    plan = MatchPlan(load_game(game), hands, seed, tuple(names), game_name=game)
    score = play_locally(plan, [load_agent(name) for name in names], range(len(names)), lines.append)
    (folder / f"{'-'.join(names)}-{seed}.log").write_text("\n".join(lines) + "\n")
    return dict(zip(names, score.values, strict=True))


@pytest.fixture
def heads_up(tmp_path):
    """Ten duplicate matches of Leduc between every two agents, and the chips that each won from each."""
    won = {}
    for pair in combinations(AGENTS, 2):
        for seed in range(10):
            for order in permutations(pair):
                chips = write_log(tmp_path, "leduc", order, seed)
                for name, other in (pair, pair[::-1]):
                    won[name, other] = won.get((name, other), 0) + chips[name]
    return tmp_path, won


def test_rates_are_what_was_won(heads_up):
    folder, won = heads_up
    counts = []
    table, game = table_of_logs([folder], count=counts.append)
    assert game.name == "leduc"
    assert table.names == tuple(sorted(AGENTS))
    assert table.unit == "milli-antes/hand"
    for (one, other), chips in won.items():
        assert table.rates[table.index(one), table.index(other)] == pytest.approx(1000 * chips / (10 * 2 * 30))
    assert all(results.shape == (10, 2) for results in table.matches.values())  # both seatings are one result
    assert table.shared_deals
    assert counts[-1] == 3 * 10 * 2 * 30


def test_matches_are_resampled(heads_up):
    table, _game = table_of_logs([heads_up[0]])
    ranked = Rankings(table, 1000.0)
    assert ranked.bootstrap is not None
    assert ranked.bootstrap.frequency.shape == (3, 3)
    assert np.isfinite(table.half_widths[0, 1])


def test_three_players(tmp_path):
    names = ("always-call", "always-raise", "random")
    chips = write_log(tmp_path, "kuhn-3p", names, 4)
    table, _game = table_of_logs([tmp_path])
    for name in names:
        first = table.index(name)
        others = [place for place in range(3) if place != first]
        assert table.rates[first, others[0], others[1]] == pytest.approx(1000 * chips[name] / 30)
        assert table.rates[first, others[1], others[0]] == table.rates[first, others[0], others[1]]


def test_what_is_no_competition_is_refused(tmp_path):
    with pytest.raises(KibitzError, match="no hand histories found"):
        table_of_logs([tmp_path])
    write_log(tmp_path, "leduc", ("random", "always-call"), 1)
    write_log(tmp_path, "holdem-limit-2p", ("random", "always-call"), 2, hands=2)
    with pytest.raises(KibitzError, match="another game than in the logs before"):
        table_of_logs(sorted(tmp_path.iterdir(), key=lambda path: path.name))
    (log,) = tmp_path.glob("*-1.log")
    log.write_text(log.read_text().replace("random", "always-call"))
    with pytest.raises(KibitzError, match="2 players with different names"):
        table_of_logs([log])
