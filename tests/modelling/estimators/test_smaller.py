"""Every way to reduce variance does: small games, limit and no-limit hold'em, two and three players, rule agents."""

from itertools import permutations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.games import load_game
from kibitz.modelling.estimators import CheckDown, Coolers, Evaluation, Expectation, OwnHand, load_matchups, matchups
from kibitz.policy import policy_of
from kibitz.policy.strengths import card_sets
from modelling.estimators.variance_hands import records_of

NAMES = ("ann", "bob", "carl")
# Those with which values fixed beforehand did worst.
AGENTS = ("loose-aggressive-bluffing", "tight-passive", "loose-aggressive")
HANDS = {"kuhn": 400, "kuhn-3p": 400, "leduc": 400, "leduc-nolimit": 400, "rhode-island": 300, "holdem-nolimit-2p": 250}
HANDS |= {"holdem-limit-2p": 250, "holdem-limit-3p": 150, "holdem-nolimit-3p": 150}
SMALL = ("kuhn", "kuhn-3p", "leduc", "leduc-nolimit")
HEADS_UP = ("holdem-limit-2p", "holdem-nolimit-2p")


@pytest.fixture(scope="module")
def records():
    """By game, played when first asked for."""
    kept = {}

    def play(name):
        if name not in kept:
            game = load_game(name)
            kept[name] = records_of(game, AGENTS[: game.players], HANDS[name])
        return kept[name]

    return play


def evaluated(records, value, known, **settings):
    evaluation = Evaluation("ann", value, {name: load_agent(AGENTS[NAMES.index(name)]) for name in known}, **settings)
    for record in records:
        evaluation.add(record)
    return evaluation.result()


@pytest.mark.parametrize("everybody", [False, True], ids=["cards", "policies"])
@pytest.mark.parametrize("game", HANDS)
def test_check_down(records, game, everybody):
    hands = records(game)
    result = evaluated(hands, CheckDown(coolers=Coolers()), hands[0].players if everybody else ())
    assert result.variance_ratio > 1.4
    assert not result.doubtful


@pytest.mark.parametrize("known", [(), ("ann",)], ids=["cards", "policy"])
@pytest.mark.parametrize("game", HANDS)
def test_own_hand(records, game, known):
    """One's own cards say little; that little must not be lost to a value that is wrong."""
    result = evaluated(records(game), OwnHand(), known, cards="own")
    assert result.variance_ratio > 0.98  # so few hands may cost something before the coefficients are found
    assert not result.doubtful


@pytest.fixture(scope="module")
def some_boards(tmp_path_factory):
    """Tables of matchups by 2,000 of all 2,598,960 boards: about 0.01 off, which reduces variance as well."""
    boards = card_sets(np.stack([np.random.default_rng(seed).choice(52, 5, replace=False) for seed in range(2_000)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(matchups, "canonical_boards", lambda _game: (boards, np.full(2_000, 1_299, dtype=np.int32)))
        yield


@pytest.mark.usefixtures("some_boards")
@pytest.mark.parametrize("game", HEADS_UP)
def test_matchups(records, game):
    hands = records(game)[:80]  # every hand that may be held is looked at
    result = evaluated(hands, CheckDown(coolers=Coolers(), matchups=load_matchups(load_game(game))), ("ann", "bob"))
    assert result.variance_ratio > 1.5
    assert not result.doubtful


@pytest.mark.parametrize("game", SMALL)
def test_expectation(records, game):
    hands, rules = records(game), load_game(game)
    policies = {name: policy_of(load_agent(agent), rules) for name, agent in zip(NAMES, AGENTS, strict=True)}
    seatings = permutations(NAMES[: rules.players])
    values = {seating: Expectation([policies[name] for name in seating]) for seating in seatings}
    assert evaluated(hands, values, hands[0].players).variance_ratio > 1000


@pytest.mark.parametrize("game", HANDS)
def test_imaginary_observations(records, game):
    assert evaluated(records(game), None, ("ann",), method="imaginary").variance_ratio > 1
