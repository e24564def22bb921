"""Rubin and Watson 2011: the run-off of 2010, and the substitutes for what cannot be run."""

from __future__ import annotations

import json
from math import isfinite

import pytest
from click.testing import CliRunner

from kibitz.errors import KibitzError
from kibitz.experiments.published import compute, gather
from kibitz.experiments.rubin2011 import EXPERIMENTS, substitutes
from kibitz.experiments.rubin2011.__main__ import main
from kibitz.experiments.rubin2011.fidelity import Question, ablate, agreement
from kibitz.experiments.rubin2011.imitation import PRESETS, Imitation, Preset, find_preset
from kibitz.experiments.rubin2011.pluribus import imitate
from kibitz.experiments.rubin2011.printed import TABLE_5, TABLE_6_INTERVALS
from kibitz.games import load_game
from kibitz.modelling.cases import CaseIndex, Features, load_cases
from kibitz.solvers.problem import Problem

TINY = Preset("tight-aggressive", ("loose-passive",), (40, 80), 30, 5, 20, "made-hand")


def reproduce(name: str):
    experiment = EXPERIMENTS[name]
    return gather("rubin2011", name, experiment, compute(experiment))


def test_table_5_is_antisymmetric():
    for row, figures in TABLE_5.rows.items():
        for column, figure in zip(TABLE_5.columns, figures, strict=True):
            other = TABLE_5.rows[column][TABLE_5.columns.index(row)]
            assert figure == -other or (figure != figure and other != other)


def test_the_run_off_is_that_of_table_6():
    found = reproduce("table-6")
    assert found.counts == {"reproduced": 14}
    assert [len(found.rows[row]) for row in found.rows] == [len(widths) for widths in TABLE_6_INTERVALS.values()]
    assert found.values["dropped"] == ["c4tw.iro", "PokerBotSLO", "Tartanian4.iro", "SartreNL"]
    assert found.values["ranking"][0] == "Hyperborean.iro"


def test_table_5_is_declared():
    assert set(reproduce("table-5").counts) == {"not run"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return Imitation(TINY, tmp_path_factory.mktemp("imitation"))


def test_fidelity(tiny):
    found = tiny.fidelity()
    assert [point["hands"] for point in found["curve"]] == [40, 80]
    assert found["curve"][1]["cases"] > found["curve"][0]["cases"]
    last = found["curve"][1]
    assert last["imitation"] == found["ablations"]["all features"]
    assert last["strength only"] == found["ablations"]["strength only"]
    assert 0.4 < last["imitation"]["taken"] <= 1
    assert last["imitation"]["likely"] is None


def test_more_hands_contain_the_fewer(tiny):
    few, many = (load_cases(tiny.cases(hands)) for hands in TINY.points)
    joined = few.rows.join(many.rows, on=["sequence", "strength", "commitment", "texture", "action"], suffix="_many")
    assert len(joined) == len(few.rows)
    assert (joined["count_many"] >= joined["count"]).all()


def test_matches(tiny):
    assert set(tiny.loss()["imitation v expert"]) == {"probabilistic", "majority", "best-outcome"}
    mappings = tiny.mappings()["imitation v field"]
    assert set(mappings["rand-geo-1"]) == {"loose-passive", "random"}
    run_off = tiny.run_off()
    assert sorted(run_off["ranking"]) == ["imitation", "loose-passive", "tight-aggressive"]
    assert len(run_off["rounds"]) == 2


def test_agreement_counts(tiny):
    index = CaseIndex(load_cases(tiny.cases(40)))
    case = index.case(0)
    letter = index.base.description.alphabet[case.actions.index(max(case.actions))]
    asked = [
        Question(case.features, letter, letter),
        Question(case.features, "t", letter),
        Question(Features(1, "ppppppp", 1, "A"), "c", "f"),
    ]
    found = agreement(index, asked)
    assert (found.decisions, found.taken, found.likely, found.fallbacks) == (3, 2 / 3, 2 / 3, 1 / 3)
    assert ablate(index, asked)["all features"] == found


def test_a_strategy_tells_what_it_does_most_often():
    """The likely action is taken more often than any other, here always."""
    from kibitz.agents.strategic import StrategyAgent
    from kibitz.experiments.rubin2011.fidelity import likely_action
    from kibitz.games import Deal, State
    from kibitz.strategy import Strategy

    problem = Problem(load_game("leduc-nolimit"), "fcpa")
    uniform = Strategy.uniform(problem.form.layout)
    agent = StrategyAgent(uniform, problem.sampled.deal)
    agent.reset(problem.game, 0)
    deck = problem.game.deck
    state = State.start(problem.game, Deal(((deck[0],), (deck[1],)), (deck[2],)))
    seen = state.seen_by(state.player)
    agent.act(seen)
    assert likely_action(agent, seen) in ("c", "f")  # of equals the first
    assert likely_action(object(), seen) is None


def test_presets():
    assert find_preset("full").points[-1] == 1_000_000
    with pytest.raises(KibitzError, match="smoke, short, full"):
        find_preset("huge")


def test_the_program(monkeypatch, tmp_path):
    monkeypatch.setitem(PRESETS, "smoke", TINY)
    out = tmp_path / "found.json"
    result = CliRunner().invoke(main, ["smoke", "--out", str(out)])
    assert result.exit_code == 0, result.output
    document = json.loads(out.read_text())
    assert set(document) == {"preset", "seed", "fidelity", "loss", "mappings", "run-off"}


@pytest.mark.parametrize("name", substitutes.SUBSTITUTES)
def test_substitutes_fill_their_tables(name):
    found = reproduce(name)
    published = found.experiment.published
    for row, cells in found.rows.items():
        columns = [cell.column for cell in cells]
        wanted = list(published.columns)
        assert columns == wanted if name != "run-off" else columns and columns == wanted[: len(columns)], row
        assert all(isfinite(cell.ours) for cell in cells)


def test_pluribus_is_imitated(data):
    found = imitate([data / "phh" / "pluribus-sessions.tar.xz"], "made-hand")
    assert found["decisions"] > 1000
    rates = {name: each["taken"] for name, each in found["agreement"].items()}
    assert rates["all features"] > rates["strength only"]
    assert rates["all features"] > rates["without strength"]
