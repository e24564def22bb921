"""What is said about who won: the rule, the doubt, and why another rule has another winner."""

import re

import numpy as np

from arena.made_standings import demonstration, standings_with
from kibitz.arena.bankroll import ranking
from kibitz.arena.report import RULES, headline, verdict
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.games import load_game

KINGMAKER = [[0, -300, 40_000], [0, 0, 500], [0, 0, 0]]  # the first loses to the second, and robs the third


def test_agents_are_ranked_by_the_run_off():
    standings = demonstration()
    assert standings.series.names[standings.order[0]] == "trained"
    assert standings.order == standings.runoff.ranking != ranking(standings.bankrolls)
    rows = standings.to_dict()["ranking"]
    assert [row["runoff_place"] for row in rows] == list(range(1, 13))
    trained = rows[0]
    assert trained["bankroll_place"] == 1 + int((standings.bankrolls > trained["bankroll"]).sum()) == 5
    assert trained["capped_place"] == 1 + int((standings.capped > trained["capped"]).sum())


def test_it_is_said_who_won_by_which_rule_and_why():
    said = " ".join(verdict(demonstration()))
    assert said.startswith(
        "trained is first by instant run-off and capped bankroll, loose-aggressive by total bankroll. "
        "Agents are ranked by the instant run-off"
    )
    assert "loose-aggressive has the largest total bankroll" in said
    assert "(number 5 by that rule)" in said
    standings = demonstration()
    names = standings.series.names
    greedy, trained, raiser = (names.index(name) for name in ("loose-aggressive", "trained", "always-raise"))
    rates = standings.rates
    assert f"from always-raise ({rates[greedy, raiser]:+,.0f} to {rates[trained, raiser]:+,.0f})" in said
    assert "largest capped bankroll" in said


def test_rules_that_agree_are_one_sentence():
    said = verdict(standings_with("abc", [[0, 100, 200], [0, 0, 100], [0, 0, 0]]))
    assert said[0] == "a is first by all three rules: instant run-off, total bankroll, capped bankroll."
    assert said[1] == "a wins 100.0% of 1,000 resampled run-offs, so the first place is significant."
    assert said[2] == "a loses significantly to nobody."
    assert len(said) == 3


def test_a_kingmaker_has_only_the_bankroll():
    said = " ".join(verdict(standings_with("abc", KINGMAKER)))
    assert said.startswith("b is first by instant run-off and capped bankroll, a by total bankroll.")
    assert "a has the largest total bankroll" in said
    assert "b has the largest capped bankroll" in said


def test_who_beats_the_winner_is_named():
    rates = [[0, 5000, -300, 5000], [0, 0, 8000, 0], [0, 0, 0, 200], [0, 0, 0, 0]]  # c beats a, and loses all to b
    standings = standings_with("abcd", rates)
    assert standings.series.names[standings.order[0]] == "a"
    assert "a loses significantly to c." in verdict(standings)


def test_doubt_is_told():
    level = np.zeros((3, 3))
    assert "not significant: that takes 95%" in verdict(standings_with("abc", level, spread=500.0), brief=True)[1]
    assert "Fewer than 10 matches" in verdict(standings_with("abc", level, matches=9), brief=True)[1]


def test_three_players_have_a_verdict():
    field = ("random", "always-call", "always-raise", "always-fold")
    series = Series(load_game("kuhn-3p"), field, hands=20, matches=10)
    said = verdict(Standings(series, dict(play_series(series))))
    assert any(said[0].startswith(name) for name in field)


def test_the_rule_is_named_with_every_first_place():
    """The winner of the run-off is not called the winner of the tournament where another has more chips."""
    standings = demonstration()
    told = headline(standings)
    for rule, words in RULES.items():
        first = next(agent for agent, place in standings.places[rule].items() if place == 1)
        assert re.search(rf"{standings.series.names[first]} [^,]*by [^,]*{words}", told)
    assert standings.places["bankroll"][standings.order[0]] == 5
    richer = standings_with("abc", [[0, -100, 700], [0, 0, 100], [0, 0, 0]])
    assert headline(richer) == "b is first by instant run-off, a by total bankroll and capped bankroll"
    assert verdict(standings, brief=True) == [f"{told}.", verdict(standings)[2]]


def test_a_tie_is_no_victory():
    said = verdict(standings_with("ab", [[0, 0], [0, 0]], spread=0))
    assert said == ["a and b tie for the first place: neither won anything from the other."]
