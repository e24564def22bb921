"""Duplicate matches: the same cards in every seat permutation, so that equal players come out even."""

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.arena.chance import ACPC, KEYED, KINDS, Chance
from kibitz.arena.duplicate import DuplicateMatch, check_agents, hands_per_deal, play_duplicate, seatings
from kibitz.arena.match import play_match
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, load_game
from kibitz.random import derive_seed
from kibitz.statistics import GRID, Moments

DETERMINISTIC = "rules:aggression=1,bluffing=0"  # raises whatever is worth it: no chance in it


def test_seatings():
    assert seatings(2, Chance()) == [(0, 1), (1, 0)]
    assert sorted(seatings(3, Chance(1))) == sorted(permutations(range(3)))
    assert len(seatings(4, Chance(2))) == hands_per_deal(4) == 24


def test_above_four_players_the_rotations_of_one_order_are_played():
    rotations = seatings(6, Chance(5), number=1)
    assert len(rotations) == hands_per_deal(6) == 6
    for seat in range(6):  # everybody sits everywhere once, and between the same neighbours
        assert sorted(seating[seat] for seating in rotations) == list(range(6))
    assert len({frozenset(zip(seating, seating[1:] + seating[:1], strict=True)) for seating in rotations}) == 1
    assert rotations == seatings(6, Chance(5), number=1) != seatings(6, Chance(6), number=1)
    # All orders come up in the end, however the agents were named.
    neighbours = Counter(
        seating[(seating.index(0) + 1) % 5] for match in range(400) for seating in seatings(5, Chance(3), match)[:1]
    )
    assert neighbours.keys() == {1, 2, 3, 4}
    assert min(neighbours.values()) > 70


@pytest.mark.parametrize("game", ["leduc", "holdem-nolimit-2p", "holdem-limit-3p", "holdem-nolimit-6p"])
@pytest.mark.parametrize("spec", ["always-raise", DETERMINISTIC])
def test_copies_of_a_deterministic_agent_get_exactly_nothing(game, spec):
    rules = load_game(game)
    results = play_duplicate(DuplicateMatch(rules, (spec,) * rules.players, 40, seed=3))
    assert results == (Moments(40, 0, 0),) * rules.players


@pytest.mark.parametrize("game", ["leduc-nolimit", "holdem-nolimit-3p", "holdem-nolimit-6p"])
def test_results_sum_to_zero(game):
    rules = load_game(game)
    names = ("random", "tight-aggressive", "always-call", "loose-passive", "example-player", "always-fold")
    results = play_duplicate(DuplicateMatch(rules, names[: rules.players], 30, seed=1))
    assert len(results) == rules.players
    # Odd chips of three-way splits are thirds, which the grid of Moments rounds.
    assert abs(sum(result.total for result in results)) <= 30 * rules.players**2
    assert any(result.squares for result in results)


@pytest.mark.parametrize("cards", KINDS)
def test_moments_are_those_of_the_sums_over_all_seatings(cards):
    game = load_game("holdem-limit-3p")
    names = ("random", "always-call", "tight-aggressive")
    match = DuplicateMatch(game, names, 25, seed=5, number=2, cards=cards)
    totals = np.zeros((25, 3))
    for number, seating in enumerate(permutations(range(3))):
        if cards == KEYED:
            dealt, seeds = Chance(5).cards(2), [Chance(5).seat(2, number, seat) for seat in range(3)]
        else:  # as it was before there were keys
            dealt, seeds = AcpcCards(7), [derive_seed(5, 2, number, seat) for seat in range(3)]
        chips = play_match(game, [load_agent(names[agent]) for agent in seating], seeds, 25, dealt)
        for seat, agent in enumerate(seating):
            totals[:, agent] += chips[:, seat]
    for result, column in zip(play_duplicate(match), totals.T, strict=True):
        assert result.count == 25
        assert result.total / GRID == pytest.approx(column.sum(), abs=1e-3)
        assert result.mean == pytest.approx(column.mean(), abs=1e-4)
        assert result.variance == pytest.approx(column.var(ddof=1), rel=1e-6)


def test_names_are_told_apart():
    class Named:
        name = "random #2"
        reset = act = observe = print

    assert check_agents([Named, "random", "random", "random"]) == ("random #2", "random", "random #3", "random #4")


def test_the_number_of_a_match_selects_its_cards():
    game = load_game("holdem-nolimit-2p")
    first, second = (DuplicateMatch(game, ("random", "random"), 20, 2**32 - 1, number, cards=ACPC) for number in (0, 1))
    assert [match.chance.cards(match.number).seed for match in (first, second)] == [2**32 - 1, 0]
    assert play_duplicate(first) != play_duplicate(second)
    assert play_duplicate(first) == play_duplicate(first)


def test_every_seating_is_played_by_new_agents():
    made = Counter()

    class Once:
        """Refuses to be reset twice."""

        def __init__(self, name):
            self.name = name
            self.used = False
            made[name] += 1

        def reset(self, game, seed):
            assert not self.used
            self.used = True

        def act(self, state):
            return "c"

        def observe(self, state, position):
            pass

    game = load_game("kuhn-3p")
    play_duplicate(DuplicateMatch(game, (lambda: Once("a"), lambda: Once("b"), lambda: Once("c")), 5, 0))
    assert made == {"a": 6, "b": 6, "c": 6}


def test_a_better_agent_wins():
    match = DuplicateMatch(load_game("holdem-limit-2p"), ("tight-aggressive", "always-raise"), 1000, 1)
    winner, loser = play_duplicate(match)
    assert winner.estimate().low > 0 > loser.estimate().high


@pytest.mark.parametrize(
    ("agents", "hands", "message"), [(("random",), 5, "1 agents for the 2 seats"), (("random",) * 2, 0, "at least one")]
)
def test_impossible_matches(agents, hands, message):
    with pytest.raises(KibitzError, match=message):
        play_duplicate(DuplicateMatch(load_game("leduc"), agents, hands, 0))


def test_names_are_numbered_where_they_repeat():
    assert check_agents(["random", "always-call", "random", "random"]) == (
        "random",
        "always-call",
        "random #2",
        "random #3",
    )
    with pytest.raises(AgentError, match="no agent 'nobody'"):
        check_agents(["random", "nobody"])


def test_a_match_can_be_sent_to_another_process():
    match = DuplicateMatch(load_game("leduc"), ("random", "always-call"), 5, 0)
    assert pickle.loads(pickle.dumps(match)) == match
