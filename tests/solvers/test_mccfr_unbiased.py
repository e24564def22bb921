"""What a sampled walk adds is, on average over everything it samples, what exact CFR adds: by full enumeration.

In three steps. The chance-sampled kernel, averaged over all deals, adds what vector CFR adds. On a single deal, the
twins of the others, averaged over all their choices, add what chance sampling adds. And kernels equal their twins
(test_mccfr.py). Public chance sampling is averaged over its boards, in test_pcs.py.
"""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.deals.sampled import sampled_deal
from kibitz.games.named import kuhn, leduc
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy
from kibitz.tree import build_tree
from solvers.plain_mccfr import Walk, enumerated

ONE_RAISE = replace(leduc(), max_raises=(1, 1), name="leduc-one-raise")  # the choices of Pure CFR can be counted there


def form_of(game):
    return SampledGame(build_tree(game), sampled_deal(game))


def any_regrets(compiled, seed=0):
    """Regrets of a strategy that is nowhere the same: a third of them negative, all of some information sets."""
    return np.round(np.random.default_rng(seed).normal(0.5, 1, compiled.layout.size), 3)


def all_deals(compiled):
    """(probability, states, strengths) of every deal that differs."""
    game = compiled.tree.game
    counts = Counter()
    for cards in permutations(game.deck, game.players * game.hole_cards + game.board_ends[-1]):
        draws = compiled.deal.look_up(tuple((card,) for card in cards[: game.players]), cards[game.players :])
        counts[draws.states.tobytes(), draws.strengths.tobytes()] += 1
    for (states, strengths), count in counts.items():
        shape = (game.rounds, game.players)
        yield count / counts.total(), np.frombuffer(states, np.int32).reshape(shape), np.frombuffer(strengths, np.int32)


def walks(algorithm, compiled, states, strengths, regrets, choose=None):
    """What a walk of every player adds, all from the same regrets: [regrets, averages]."""
    added = np.zeros((2, compiled.layout.size))
    for player in range(compiled.tree.game.players):
        walk = Walk(compiled, states, strengths, player, regrets, choose)
        getattr(walk, algorithm)()
        added += walk.regret, walk.average
    return added


def expected_walks(algorithm, compiled, states, strengths, regrets):
    """The same on average over all choices that the walks can make; each player's are enumerated on their own."""
    added = np.zeros((2, compiled.layout.size))
    for player in range(compiled.tree.game.players):
        mass = 0.0

        def run(choose, player=player):
            walk = Walk(compiled, states, strengths, player, regrets, choose)
            getattr(walk, algorithm)()
            return walk

        for probability, walk in enumerated(run):
            added[0] += probability * walk.regret
            added[1] += probability * walk.average
            mass += probability
        assert mass == pytest.approx(1)
    if algorithm == "pure":
        added[0] /= compiled.unit
    return added


@pytest.mark.parametrize("game", [kuhn(), ONE_RAISE, leduc()], ids=lambda game: game.name)
def test_chance_sampling_over_all_deals_is_cfr(game):
    compiled = form_of(game)
    regrets = any_regrets(compiled)
    regret, average = sum(p * walks("chance", compiled, *deal, regrets) for p, *deal in all_deals(compiled))
    exact = CFR(VectorGame(compiled.tree, matrix_deal(game)), "cfr", alternating=False)
    exact.regret[:] = regrets[compiled.layout.by_infoset]
    exact.step(1)
    np.testing.assert_allclose((regrets + regret)[compiled.layout.by_infoset], exact.regret, atol=1e-12)
    # Sums of strategies differ by the probability of the cards, which goes when they are normalised.
    ours, theirs = Strategy.from_sums(compiled.layout, average[compiled.layout.by_infoset]), exact.average_strategy()
    np.testing.assert_allclose(ours.values, theirs.values, atol=1e-12)


@pytest.mark.parametrize("game", [kuhn(), ONE_RAISE], ids=lambda game: game.name)
@pytest.mark.parametrize("algorithm", ["external", "outcome", "pure"])
def test_on_every_deal_the_choices_average_out(algorithm, game):
    compiled = form_of(game)
    regrets = any_regrets(compiled, seed=1)
    for _probability, *deal in all_deals(compiled):
        expected = expected_walks(algorithm, compiled, *deal, regrets)
        np.testing.assert_allclose(expected, walks("chance", compiled, *deal, regrets), atol=1e-12)


@pytest.mark.parametrize(("algorithm", "deals"), [("external", 2), ("outcome", 24)])
def test_on_deals_of_leduc_the_choices_average_out(algorithm, deals):
    compiled = form_of(leduc())
    regrets = any_regrets(compiled, seed=2)
    for _probability, *deal in list(all_deals(compiled))[:deals]:
        expected = expected_walks(algorithm, compiled, *deal, regrets)
        np.testing.assert_allclose(expected, walks("chance", compiled, *deal, regrets), atol=1e-12)


@pytest.mark.parametrize("algorithm", ["external", "outcome", "pure"])
def test_regrets_of_three_average_out(algorithm):
    """So do the averages of outcome sampling, to which both other players' walks add, if nobody's probability is 0."""
    compiled = form_of(kuhn(3))
    regrets = any_regrets(compiled, seed=3)
    if algorithm == "outcome":
        regrets = np.abs(regrets)
    for _probability, *deal in list(all_deals(compiled))[::4]:
        regret, average = expected_walks(algorithm, compiled, *deal, regrets)
        exact_regret, exact_average = walks("chance", compiled, *deal, regrets)
        np.testing.assert_allclose(regret, exact_regret, atol=1e-12)
        if algorithm == "outcome":
            np.testing.assert_allclose(average, 2 * exact_average, atol=1e-12)


def test_a_biased_walk_would_be_seen():
    """The enumeration can fail: with weights for another epsilon, outcome sampling is biased."""
    compiled = form_of(kuhn())
    regrets = any_regrets(compiled, seed=1)
    _probability, states, strengths = next(all_deals(compiled))
    biased = np.zeros(compiled.layout.size)

    def run(choose):
        walk = Walk(
            compiled, states, strengths, 0, regrets, lambda node, sigma, epsilon: choose(node, sigma, epsilon / 2)
        )
        walk.outcome()
        return walk.regret

    for probability, regret in enumerated(run):
        biased += probability * regret
    exact = Walk(compiled, states, strengths, 0, regrets, None)
    exact.chance()
    assert np.abs(biased - exact.regret).max() > 0.01
