"""Series, their plans, and what is read from them."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from kibitz.agents import FrequencyAgent
from kibitz.arena.played import Played, read_series
from kibitz.arena.playing import DuplicatePlan, TournamentPlan
from kibitz.arena.report import render_report
from kibitz.arena.series import Series, describe_agent, play_series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.games.stakes import Stake
from kibitz.parallel import InProcess, Processes
from kibitz.plans import HERE, Artefact, carry_out, save_artefact

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


def plan_of(**settings):
    return TournamentPlan(FIELD, "leduc", **({"hands": 50, "matches": 3, "seed": "4"} | settings))


def test_a_series_goes_on_to_the_same_results(tmp_path):
    series = Series(LEDUC, FIELD, hands=50, matches=3, seed=4)
    begun = carry_out(plan_of(), tmp_path / "run", checkpoint_seconds=0)
    for _ in range(7):
        next(begun)
    begun.close()
    half = Played(tmp_path / "run")
    assert (half.done, half.refresh(), len(half.outcomes)) == (7, True, 7)
    *_, last = carry_out(plan_of(), tmp_path / "run", resume=True)
    assert last.artefact.content.to_dict() == played(series).to_dict()
    assert read_series(tmp_path / "run")[1] == dict(play_series(series))
    list(carry_out(plan_of(), tmp_path / "whole"))
    for name in ("manifest.json", "matches.json", "results.json", "report.html"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"hands": 60}, "hands = 50, this plan has 60"),
        ({"seed": "5"}, "seed = '4', this plan has '5'"),
        ({"cards": "acpc"}, "cards = 'keyed', this plan has 'acpc'"),
        ({"time_limit": 2}, "time_limit = None, this plan has 2"),
        ({"agents": FIELD[:3]}, "agents = "),
    ],
)
def test_another_series_is_refused(tmp_path, changed, told):
    begun = carry_out(plan_of(), tmp_path)
    next(begun)
    begun.close()
    with pytest.raises(KibitzError, match=told):
        next(carry_out(replace(plan_of(), **changed), tmp_path, resume=True))


def test_an_agent_that_was_changed_is_another(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("from kibitz.agents.frequency import always_call as make\n")
    plan = DuplicatePlan((f"{own}:make", "random"), "kuhn", hands=5, matches=4)
    begun = carry_out(plan, tmp_path / "run")
    next(begun)
    begun.close()
    own.write_text(own.read_text() + "# another\n")
    with pytest.raises(KibitzError, match="its run has agents = "):
        next(carry_out(plan, tmp_path / "run", resume=True))


def test_a_series_suits_processes_or_this_one():
    assert isinstance(plan_of().executor(), InProcess)  # all are arrays of frequencies
    players = ("tight-aggressive", "random")
    assert isinstance(DuplicatePlan(players, "leduc").executor(), InProcess)  # one match
    assert isinstance(DuplicatePlan(players, "leduc", matches=2).executor(), Processes)


def test_cells_are_told_without_making_them():
    cells = TournamentPlan(FIELD, "leduc", matches=10**6).cells(HERE, {})
    assert len(cells) == 6 * 10**6
    assert "0-3/999999" in cells
    assert all(each not in cells for each in ("3-0/1", "0-3/1000000", "0-3", "0-3/x", "0-3/01", "0-4/1"))


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


def test_orders_that_are_drawn_are_part_of_a_series():
    six = load_game("holdem-nolimit-6p")
    assert Series(six, ("random",) * 6).to_dict()["seatings"] == "drawn orders"
    assert "seatings" not in Series(LEDUC, ("random",) * 2).to_dict()


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
