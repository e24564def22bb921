"""Logs of a duplicate match: hands of one deal are one sample."""

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.chance import Chance
from kibitz.arena.duplicate import seatings
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.games import load_game
from kibitz.io.files import read_records
from kibitz.modelling.estimators import CheckDown, Evaluation
from kibitz.modelling.estimators.evaluation import Deals
from kibitz.statistics import Z_95


@pytest.fixture(scope="module")
def duplicate(tmp_path_factory):
    """By game: the hands of a match in every seating of two or three rule agents."""
    folder = tmp_path_factory.mktemp("logs")
    names = ("tight-aggressive", "loose-passive", "random")

    def play(game, hands):
        rules, logs = load_game(game), []
        for number, seating in enumerate(seatings(rules.players, Chance())):
            lines, players = [], [names[each] for each in seating]
            plan = MatchPlan(rules, hands, 5, tuple(players), game_name=game)
            play_locally(plan, [load_agent(name) for name in players], range(9, 9 + len(players)), lines.append)
            logs.append(folder / f"{game}-{number}.log")
            logs[-1].write_text("\n".join(lines) + "\n")
        return [list(read_records(log)) for log in logs]

    return {game: play(game, hands) for game, hands in (("leduc", 150), ("kuhn-3p", 60))}


def evaluated(records, method="raw"):
    evaluation = Evaluation("tight-aggressive", CheckDown() if method == "aivat" else None, method=method)
    for record in records:
        evaluation.add(record)
    return evaluation.result()


def chips(log):
    return np.array([1000 * each.returns[each.players.index("tight-aggressive")] for each in log])


@pytest.mark.parametrize("game", ["leduc", "kuhn-3p"])
def test_the_interval_is_that_of_the_means_of_deals(duplicate, game):
    logs = duplicate[game]
    means = np.mean([chips(log) for log in logs], axis=0)
    result = evaluated([record for log in logs for record in log])
    assert result.deals == len(means)
    assert result.hands == len(logs) * len(means)
    assert result.raw.mean == pytest.approx(means.mean())
    assert result.raw.half_width == pytest.approx(Z_95 * means.std(ddof=1) / np.sqrt(len(means)))


def test_paired_logs_have_narrower_intervals(duplicate):
    both = [record for log in duplicate["leduc"] for record in log]
    apart = [record._replace(hand="") for record in both]
    for method in ("raw", "aivat"):
        paired, unpaired = evaluated(both, method), evaluated(apart, method)
        assert paired.reduced.half_width < unpaired.reduced.half_width
        assert unpaired.deals == unpaired.hands == 300
        assert unpaired.pairing_ratio == 1
        assert any(line.startswith("paired      150 deals of 2 hands: variance ") for line in paired.lines())
        assert not any(line.startswith("paired") for line in unpaired.lines())
    raw = evaluated(both)
    assert raw.pairing_ratio == pytest.approx((evaluated(apart).raw.half_width / raw.raw.half_width) ** 2)
    assert raw.pairing_ratio > 1.3


def test_deals_of_which_one_hand_is_missing_count_too(duplicate):
    first, second = duplicate["leduc"]
    result = evaluated([*first, *second[:100]])
    assert (result.hands, result.deals) == (250, 150)
    assert result.raw.mean == pytest.approx(np.concatenate([chips(first), chips(second[:100])]).mean())
    assert any("150 deals of up to 2 hands" in line for line in result.lines())


def test_a_log_that_is_given_twice_has_no_narrower_interval(duplicate):
    log = duplicate["leduc"][0]
    assert evaluated([*log, *log]).raw.half_width == pytest.approx(evaluated(log).raw.half_width)


def test_other_deals_and_hidden_cards_are_not_paired(duplicate):
    first, second = duplicate["leduc"]
    later = [record._replace(hand=str(1000 + number)) for number, record in enumerate(second)]
    hidden = [record._replace(deal=record.deal._replace(hole=(record.deal.hole[0], ()))) for record in second]
    for others in (later, hidden):
        assert evaluated([*first, *others]).deals == 300


def test_unequal_deals_are_weighed_by_their_hands():
    """The interval of clusters: residuals are summed by deal."""
    rng = np.random.default_rng(0)
    deals, of_hand, samples = Deals(), rng.integers(40, size=100).tolist(), rng.normal(size=100)
    for deal in of_hand:
        deals.add(deal)
    estimate = deals.moments(samples.tolist()).estimate()
    residuals = samples - samples.mean()
    groups = len(set(of_hand))
    sums = [residuals[np.array(of_hand) == deal].sum() for deal in set(of_hand)]
    expected = Z_95 * np.sqrt(groups / (groups - 1) * np.square(sums).sum()) / 100
    assert estimate.mean == pytest.approx(samples.mean(), abs=1e-6)
    assert estimate.half_width == pytest.approx(expected, rel=1e-4)
