"""Series, their ledger, and what is read from them."""

import importlib
import json
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from kibitz.agents import FrequencyAgent
from kibitz.arena.ledger import Ledger
from kibitz.arena.report import render_report
from kibitz.arena.series import Series, describe_agent, play_series
from kibitz.arena.standings import Standings
from kibitz.errors import AgentError, KibitzError
from kibitz.games import load_game
from kibitz.games.stakes import Stake
from kibitz.parallel import InProcess, Processes
from kibitz.plans import Artefact, save_artefact

LEDUC = load_game("leduc")
FIELD = ("random", "always-call", "always-raise", "always-fold")


def played(series: Series) -> Standings:
    return Standings(series, dict(play_series(series)))


def test_every_pair_meets_and_rates_are_antisymmetric():
    standings = played(Series(LEDUC, FIELD, hands=300, matches=2, seed=5))
    rates = standings.rates
    assert np.isnan(np.diag(rates)).all()
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(rates[off], -rates.T[off])
    assert standings.bankrolls.sum() == pytest.approx(0)
    assert standings.hands_played == 6 * 2 * 300 * 2


def test_always_fold_loses_what_it_must():
    # Heads-up with blinds 50/100 the folder gives up the small blind and the big blind in turn: 750 mbb.
    game = load_game("holdem-nolimit-2p")
    standings = played(Series(game, ("always-fold", "always-raise"), hands=50))
    (estimates,) = standings.estimates.values()
    assert estimates[0].mean == -750
    assert estimates[0].half_width == 0
    assert standings.stake == Stake(100, "mbb/hand")


def test_three_players_meet_in_every_triple():
    game = load_game("kuhn-3p")
    standings = played(Series(game, FIELD, hands=100, seed=1))
    assert len(standings.series.tables) == 4
    assert standings.rates.shape == (4, 4, 4)
    for estimates in standings.estimates.values():
        assert sum(estimate.mean for estimate in estimates) == pytest.approx(0, abs=1e-9)
    assert sorted(standings.runoff.ranking) == [0, 1, 2, 3]


def test_all_tables_see_the_same_cards():
    series = Series(LEDUC, FIELD, hands=10, matches=3, seed=9)
    field = dict(play_series(series))
    again = dict(play_series(Series(LEDUC, (FIELD[2], FIELD[3]), hands=10, matches=3, seed=9)))
    # The pair alone or within the field: the same matches, to the bit.
    assert all(field[(2, 3), match] == again[(0, 1), match] for match in range(3))


def test_executors_agree():
    series = Series(LEDUC, ("random", "tight-aggressive"), hands=40, matches=3, seed=2)
    assert dict(play_series(series, InProcess())) == dict(play_series(series, Processes(2)))


def test_a_ledger_is_resumed_to_the_same_standings(tmp_path):
    series = Series(LEDUC, FIELD, hands=50, matches=3, seed=4)
    path = tmp_path / "run" / "ledger.jsonl"
    ledger = Ledger(path, series)
    for number, (key, moments) in enumerate(play_series(series)):
        if number == 7:
            break
        ledger.add(key, moments)
    with path.open("a") as file:
        file.write('{"table": [0, 1], "mat')  # the power went out here
    resumed = Ledger(path, series, resume=True)
    assert len(resumed.outcomes) == 7
    for key, moments in play_series(series, finished=resumed.outcomes):
        resumed.add(key, moments)
    assert Standings(series, resumed.outcomes).to_dict() == played(series).to_dict()
    assert len(path.read_text().splitlines()) == 1 + len(series.keys)


def test_a_ledger_of_another_series_is_refused(tmp_path):
    path = tmp_path / "ledger.jsonl"
    Ledger(path, Series(LEDUC, FIELD, hands=50))
    with pytest.raises(KibitzError, match="exists: continue it, or"):
        Ledger(path, Series(LEDUC, FIELD, hands=50))
    with pytest.raises(KibitzError, match="hands = 50, now it is 60"):
        Ledger(path, Series(LEDUC, FIELD, hands=60), resume=True)
    path.write_text("what?\n")
    with pytest.raises(KibitzError, match="does not describe a series"):
        Ledger(path, Series(LEDUC, FIELD, hands=50), resume=True)


def test_unplayed_matches_are_no_standings():
    series = Series(LEDUC, FIELD, hands=5)
    with pytest.raises(KibitzError, match="6 of 6 matches"):
        Standings(series, {})


@pytest.mark.parametrize("agents", [("random",), ("random", "nobody")])
def test_bad_fields_are_refused(agents):
    with pytest.raises(KibitzError):
        Series(LEDUC, agents).names  # noqa: B018


def test_equal_names_are_numbered():
    assert Series(LEDUC, ("random", "random", "random")).names == ("random", "random #2", "random #3")


def test_results_are_plain_json_and_the_report_shows_them():
    standings = played(Series(LEDUC, FIELD, hands=30, matches=10, seed=3))
    results = json.loads(json.dumps(standings.to_dict()))
    assert results["unit"] == "milli-antes/hand"
    assert results["ranking"][0]["agent"] == FIELD[standings.order[0]]
    assert len(results["runoff"]) == 3
    page = render_report(standings)
    assert page.count("<svg") == 1
    assert all(name in page for name in FIELD)
    assert page == render_report(standings)  # nothing in it depends on the clock


def test_a_report_without_resamples_and_one_of_three_players():
    assert "no bankroll interval" in render_report(played(Series(LEDUC, FIELD, hands=5)))
    three = played(Series(load_game("kuhn-3p"), FIELD, hands=5))
    assert "always-fold" in render_report(three)


def test_a_single_table_has_a_ranking_in_its_report():
    for game in ("leduc", "kuhn-3p"):
        rules = load_game(game)
        page = render_report(played(Series(rules, FIELD[: rules.players], hands=1)))
        ranking, runoff = (
            page.split(f"<h2>{title}</h2>")[1].split("</table>")[0]
            for title in ("Ranking by instant run-off", "Instant run-off")
        )
        for name in FIELD[: rules.players]:
            assert name in ranking
            assert name in runoff
        assert "inf" not in page.split("<h2>Plot</h2>")[0] + page.split("</svg>")[1]


def test_dollars_in_names_are_no_formulas():
    makers = [partial(FrequencyAgent.of, name, {"call": 1}, {"call": 1}) for name in ("$\\bad$", "a$x$")]
    page = render_report(played(Series(LEDUC, tuple(makers), hands=2)))
    assert "$\\bad$" in page.split("<svg")[1]


def ledger_of(path, agent, **settings):
    return Ledger(path, Series(LEDUC, (agent, "always-raise"), hands=5), **settings)


def mine(options=()):
    return FrequencyAgent.of("mine", {"call": 1}, {"call": 1})


class Counting:
    """Makes agents, and is another one afterwards."""

    made = 0

    def __call__(self):
        self.made += 1
        return mine()


def test_what_makes_agents_may_change_by_it(tmp_path):
    path = tmp_path / "ledger.jsonl"
    series = Series(LEDUC, (Counting(), "always-raise"), hands=5)
    ledger = Ledger(path, series)
    for key, moments in play_series(series):
        ledger.add(key, moments)
    Ledger(path, series, resume=True)
    assert len(Ledger(path, Series(LEDUC, (Counting(), "always-raise"), hands=5), resume=True).outcomes) == 1


def test_orders_that_are_drawn_are_part_of_a_series():
    six = load_game("holdem-nolimit-6p")
    assert Series(six, ("random",) * 6).describe()["seatings"] == "drawn orders"
    assert "seatings" not in Series(LEDUC, ("random",) * 2).describe()


@pytest.mark.parametrize("resume", [True, False])
def test_agents_without_a_name_of_their_own_have_no_ledger(tmp_path, resume):
    def make(chance):
        return lambda: FrequencyAgent.of("mine", {"call": 1}, {"fold": chance, "call": 1 - chance})

    path = tmp_path / "ledger.jsonl"
    for agent in (make(0.5), partial(make(0.5)), partial(mine, options={"a", "b"})):  # the order of sets is chance
        with pytest.raises(AgentError, match=r"^mine is made by .*, which a ledger cannot identify: it identifies"):
            ledger_of(path, agent, resume=resume)
        assert not path.exists()
        played(Series(LEDUC, (agent, "always-raise"), hands=5)).to_dict()  # which needs no ledger


def test_importable_agents_are_told_by_arguments_and_source(tmp_path, monkeypatch):
    source = tmp_path / "own_factory.py"
    text = "from kibitz.agents.frequency import always_call\ndef make(_=0): return always_call()\n"
    source.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("own_factory")
    monkeypatch.setitem(sys.modules, "own_factory", module)  # taken away again at the end
    agents = [module.make, partial(module.make, 1), partial(module.make, 2)]
    specs = [Series(LEDUC, (agent, "random")).to_dict()["specs"][0] for agent in agents]
    assert len(set(specs)) == 3
    assert [spec.split()[0] for spec in specs] == ["make", "partial", "partial"]
    path = tmp_path / "ledger.jsonl"
    ledger_of(path, agents[1])
    ledger_of(path, partial(module.make, 1), resume=True)
    with pytest.raises(KibitzError, match="was played with specs"):
        ledger_of(path, agents[2], resume=True)
    source.write_text(text + "# another\n")
    with pytest.raises(KibitzError, match="was played with specs"):
        ledger_of(path, agents[1], resume=True)
    source.unlink()
    with pytest.raises(AgentError, match="cannot identify"):
        ledger_of(path, agents[1], resume=True)


def test_classes_are_told_by_the_source_of_their_bases_too(tmp_path, monkeypatch):
    base = tmp_path / "own_base.py"
    base.write_text("from kibitz.agents.frequency import always_call\nclass Base:\n    make = always_call\n")
    (tmp_path / "own_class.py").write_text(
        "from own_base import Base\nclass Maker(Base):\n    def __call__(self): return Base.make()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("own_base", "own_class"):
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
    maker = sys.modules["own_class"].Maker()
    before = Series(LEDUC, (maker, "random")).describe()
    assert Series(LEDUC, (maker, "random")).describe() == before
    base.write_text(base.read_text() + "# another\n")
    assert Series(LEDUC, (maker, "random")).describe() != before


def test_agents_from_files_are_told_by_what_is_in_them(tmp_path):
    cases, folder = tmp_path / "expert.cases", tmp_path / "run"
    for first, second in (("a", "b"), ("b", "c")):
        cases.write_text(first)
        save_artefact(Artefact("strategy", {"is": first}), folder)
        specs = f"{cases},policy=majority", f"{folder},mapping=det-geo", str(folder)
        before = [describe_agent(spec) for spec in specs]
        assert before == [describe_agent(spec) for spec in specs]
        cases.write_text(second)
        save_artefact(Artefact("strategy", {"is": second}), folder)
        after = [describe_agent(spec) for spec in specs]
        assert all(one != other for one, other in zip(before, after, strict=True))
    assert describe_agent("always-call") == "always-call"
    assert describe_agent("rules:tightness=0.5") == "rules:tightness=0.5"


def test_above_four_players_a_sample_is_a_match():
    game = replace(load_game("holdem-nolimit-6p"), stacks=(1000,) * 6)
    agents = ("random", "always-call", "always-raise", "example-player", "always-fold", "random")
    series = Series(game, agents, hands=30, matches=4, seed=2)
    standings = Standings(series, dict(play_series(series)))
    (estimates,) = standings.estimates.values()
    scale = 1000 / 100 / 6
    for seat, estimate in enumerate(estimates):
        means = [scale * standings.outcomes[series.tables[0], match][seat].mean for match in range(4)]
        assert estimate.samples == 4
        assert estimate.mean == pytest.approx(np.mean(means))
        assert estimate.half_width == pytest.approx(3.182446 * np.std(means, ddof=1) / 2, rel=1e-6)  # t with 3 degrees
    alone = Series(game, agents, hands=30, seed=2)
    assert Standings(alone, dict(play_series(alone))).estimates[series.tables[0]][0].samples == 30
