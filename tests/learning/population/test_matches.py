"""Matches of bots: chips, rules, seating, hands in arrays, logs, and no dependence on the number of threads."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.io.acpc.log import write_log
from kibitz.io.hand_check import check
from kibitz.learning.histories import hide_folded, read_hands, to_records
from kibitz.learning.population import (
    Play,
    PopulationError,
    draw_seating,
    load_population,
    play_hands,
    play_matches,
    play_seating,
    rates,
    save_population,
    style_of,
)
from kibitz.learning.population.matches import STATISTICS, by_bot
from kibitz.learning.tables import TableRules
from kibitz.modelling.styles import read_styles
from kibitz.plans import Artefact, kind_of, save_artefact
from kibitz.plans.artefacts import as_json

HANDS, NET = 0, 14


@pytest.fixture(scope="module", params=["calibrated", "switchable"])
def population(request):
    return load_population(request.param)


def test_chips_are_conserved_and_threads_change_nothing(population):
    once = play_matches(population, 50, Play(seed=4, deals=30))
    assert np.abs(once.sums[:, :, NET].sum(axis=1)).max() < 1e-9
    assert (once.sums[:, :, HANDS] == 30).all()
    assert np.array_equal(once.sums, play_matches(population, 50, Play(seed=4, deals=30), threads=3).sums)
    assert not np.array_equal(once.sums, play_matches(population, 50, Play(seed=5, deals=30)).sums)


@pytest.mark.parametrize("rules", [TableRules(), TableRules(uncapped_heads_up=False, fold_when_free=True)])
def test_every_action_is_legal_and_nobody_folds_where_a_check_is_free(population, rules):
    hands = play_hands(population, 5, Play(seed=2, deals=40, kind_by="seat", rules=rules))
    strict = TableRules(rules.cap, rules.uncapped_heads_up)  # in which free folds are not legal
    for record in to_records(hands):
        game = strict.game(6)
        assert check(record._replace(game=game)) == []
    assert {*hands.actions.tolist()} == {0, 1, 2}


def test_memories_are_wiped_and_matches_do_not_depend_on_each_other():
    population = load_population("calibrated")
    seating = draw_seating(population, 1, range(2), 6)
    both = play_seating(population, seating, Play(seed=1))
    alone = play_seating(population, seating[:1], Play(seed=1))
    assert np.array_equal(both.sums[0], alone.sums[0])
    short, long = (play_hands(population, 1, Play(seed=1, deals=deals)) for deals in (5, 9))
    assert np.array_equal(short.actions, long.actions[: short.decisions])


def test_large_seeds_are_all_different():
    population = load_population("calibrated")
    drawn = [draw_seating(population, seed, range(20), 6) for seed in (2**63, 2**64 - 2, 2**64 - 1)]
    for one, other in combinations(drawn, 2):
        assert (one != other).any()


def test_kinds_are_drawn_by_match_or_by_seat():
    population = load_population("calibrated")
    seating = draw_seating(population, 7, range(2000), 6)
    kinds = population.kind[seating]
    assert (kinds == kinds[:, :1]).all()
    shares = np.bincount(kinds[:, 0]) / 2000
    assert shares == pytest.approx([0.5, 0.3, 0.2], abs=0.04)
    for row, kind in zip(seating, kinds[:, 0], strict=True):  # names come once each while there are enough
        assert len({*row.tolist()}) == (4 if kind == 2 else 6)
    seats = population.kind[draw_seating(population, 7, range(2000), 6, "seat")]
    assert (seats != seats[:, :1]).any()
    assert np.bincount(seats.ravel()) / seats.size == pytest.approx([0.5, 0.3, 0.2], abs=0.02)
    assert np.array_equal(seating[5:9], draw_seating(population, 7, range(5, 9), 6))
    with pytest.raises(PopulationError, match="match or seat"):
        draw_seating(population, 0, range(1), 6, "table")


def test_hands_come_back_from_logs_and_styles_are_those_of_stats(tmp_path):
    population, play = load_population("calibrated"), Play(seed=9, deals=25)
    hands = play_hands(population, 6, play)
    for match in range(6):
        with (tmp_path / f"match-{match}.log").open("w") as file:
            write_log(to_records(hands, range(25 * match, 25 * match + 25)), file)
    again, broken = read_hands([tmp_path])
    assert not broken
    for name in ("players", "begins", "actions", "active", "matches"):
        assert np.array_equal(getattr(again, name), getattr(hands, name)), name
    assert np.array_equal(again.cards[:, :12], hands.cards[:, :12])
    assert again.rules == hands.rules
    names = [[each.name_list[i] for i in row[:6]] for each in (hands, again) for row in each.names]
    assert names[: len(hands)] == names[len(hands) :]
    found = rates(by_bot(population, play_matches(population, 6, play)))
    told = read_styles([tmp_path]).players
    assert len(told) > 15
    for name, style in told.items():
        wanted = [style.mean / 500, style.sd / 500, 100 * style.vpip, 100 * style.fold]
        assert found[population.index(name), :4] == pytest.approx(wanted, nan_ok=True)
        rest = [100 * style.won_without_showdown, 100 * style.won_at_showdown, style.aggression]
        assert found[population.index(name), 4:] == pytest.approx(rest, nan_ok=True)
    hidden = hide_folded(hands)
    assert (hidden.seen.sum(axis=1) < hands.seen.sum(axis=1)).all()


def test_intervals_are_by_match():
    population = load_population("calibrated")
    matches = play_matches(population, 60, Play(seed=1, deals=20))
    style = style_of(matches, range(len(population)))
    assert (style.matches, style.hands) == (60, 60 * 20 * 6)
    assert abs(style.values[0]) < 1e-9
    by_match = rates(matches.sums.sum(axis=1))[:, 2]  # all have as many hands: the mean of means
    place = STATISTICS.index("VP$IP")
    assert style.values[place] == pytest.approx(by_match.mean())
    assert style.halves[place] == pytest.approx(1.96 * by_match.std(ddof=1) / np.sqrt(60), rel=1e-3)


def test_populations_are_written_and_read(population, tmp_path):
    path = tmp_path / "made.json"
    save_population(population, path)
    assert kind_of(path) == "population"
    assert sum('"family"' in line for line in path.read_text().splitlines()) == len(population)
    again = load_population(path)
    assert (again.names, again.kinds, again.weights) == (population.names, population.kinds, population.weights)
    once, twice = (play_matches(each, 3, Play(deals=20)).sums for each in (population, again))
    assert np.array_equal(once, twice)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bots": []}, "a list of bots"),
        ({"kinds": {"station": "x", "timid": 1, "maniac": 1}}, "weights are numbers"),
        ({"kinds": {"station": 0, "timid": 1, "maniac": 1}}, "positive"),
        ({"kinds": {"station": 1, "timid": 1, "maniac": 1, "more": 1}}, "no bot is of the kind 'more'"),
        ({"enter": "much"}, "bot 3 .*enter = 'much': a finite number"),
        ({"rules": [1, 2]}, "bot 3 .*shape"),
        ({"nonsense": 1}, "bot 3 .*no parameter is called 'nonsense'"),
        ({"family": "else"}, "bot 3 .*family 'else'"),
        ({"soft": 0}, "bot 3 .*soft must be above 0"),
        ({"name": "station-1"}, "each once"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_a_sentence(tmp_path, change, said):
    document = load_population("switchable").describe()
    for name, value in change.items():
        (document if name in document else document["bots"][2])[name] = value
    path = tmp_path / "wrong.json"
    save_artefact(Artefact("population", document, alone=as_json), path)
    with pytest.raises(PopulationError, match=said):
        load_population(path)


def test_other_mistakes_are_told():
    with pytest.raises(PopulationError, match="no population nowhere"):
        load_population("nowhere")
    with pytest.raises(PopulationError, match="did you mean hs-01"):
        load_population("calibrated").index("hs-001")
    with pytest.raises(KibitzError, match="2 to 10"):
        Play(players=11)


# Chances to fold to a bet and to raise by class of hand, thresholds before the flop, and a factor for further bets.
COUNTERS = {
    "value": (0.60, 0.75, 0.08, 0.12, (1, 0.3, 0.3, 0.05, 0, 0), (0, 0.1, 0.3, 0.95, 1, 1), 0.5),
    "bully": (0.30, 0.30, 0.30, 0.50, (1, 0.6, 0.6, 0.1, 0, 0), (1, 1, 1, 1, 1, 1), 0.2),
    "trap": (0.70, 0.80, 0.02, 0.08, (0.8, 0.05, 0.05, 0, 0, 0), (0, 0, 0, 0.3, 0.9, 1), 0.9),
}


def test_switchable_types_need_different_counters():
    """Who bets anything beats timid players by far and loses to the others; a trapper does best against maniacs."""
    population = load_population("switchable")
    heroes = np.zeros(len(COUNTERS), dtype=population.bots.dtype)
    heroes["family"], heroes["soft"], heroes["trials"], heroes["blind"], heroes["position"] = 1, 0.02, 1, 0.15, 0.1
    for hero, (enter, opening, step, raise_step, folds, raises, harder) in zip(heroes, COUNTERS.values(), strict=True):
        hero["enter"], hero["open"], hero["step"], hero["raise_step"] = enter, opening, step, raise_step
        for faced in range(4):
            factor = (1, 0.6, harder, harder**2)[faced]
            hero["rules"][:, :, faced, 0] = np.array(folds) * (faced > 0)
            hero["rules"][:, :, faced, 1] = np.array(raises) * factor
    whole = replace(
        population,
        names=(*population.names, *COUNTERS),
        kind=np.concatenate([population.kind, [0] * len(COUNTERS)]),
        bots=np.concatenate([population.bots, heroes]),
    )
    won, errors = np.zeros((3, 3)), np.zeros((3, 3))
    for kind in range(3):
        others = np.resize(population.members(kind), (100, 5))
        for hero in range(3):
            seating = np.column_stack([np.full(100, len(population) + hero), others])
            results = play_seating(whole, seating, Play(seed=6)).sums[:, 0, NET] / 120
            won[kind, hero], errors[kind, hero] = results.mean(), results.std(ddof=1) / 10
    station, timid, maniac = won
    value, bully, trap = range(3)
    assert timid[bully] - 4 * errors[1, bully] > timid[[value, trap]].max() + 2
    assert station[value] - station[bully] > 4 * np.hypot(errors[0, value], errors[0, bully])
    assert maniac[trap] - maniac[bully] > 4 * np.hypot(errors[2, trap], errors[2, bully])
    assert won.max(axis=1).mean() > won.mean(axis=0).max() + 1  # who adapts wins a chip a deal more than who does not
