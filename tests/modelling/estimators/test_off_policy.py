"""Estimates of experts: unbiased by full enumeration, equal to imaginary observations of a mixture, and refused."""

from functools import cache

import numpy as np
import pytest

from kibitz.bandits import BanditError
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Deal, State, deal_hands, load_game
from kibitz.modelling.estimators import Hand, imaginary_value
from kibitz.modelling.estimators.accuracy import accuracy
from kibitz.modelling.estimators.experts import Experts
from kibitz.modelling.estimators.off_policy import TECHNIQUES, Choice, Played, estimate
from kibitz.policy.mixtures import MixturePolicy
from kibitz.policy.strategies import StrategyPolicy
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy
from kibitz.translation import Reading
from kibitz.tree import build_tree

FULL = TECHNIQUES["imaginary"]


@cache
def problem(game, menu="full", suits_merged=True):
    return Problem(load_game(game), menu, suits_merged)


def policy(of, seed, zeros=0.0, name="", reading=None):
    """A random strategy, in which a share of the actions never happens."""
    layout, random = of.vector.layout, np.random.default_rng(seed)
    sums = random.exponential(size=layout.size) * (random.random(layout.size) >= zeros)
    return StrategyPolicy(Strategy.from_sums(layout, sums), of.sampled_deal, reading, name or f"random-{seed}")


def portfolio(of, seed, count=3, zeros=0.3):
    return Experts([policy(of, 10 * seed + k, zeros) for k in range(count)])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_nothing_is_biased_with_full_information(game, technique, seat):
    of, random = problem(game), np.random.default_rng(seat)
    for seed in range(5 if game == "kuhn" else 1):
        experts, weights = portfolio(of, seed), random.dirichlet(np.ones(3))
        found = accuracy(experts, weights, policy(of, 99 + seed), seat, TECHNIQUES[technique])
        assert abs(found.bias).max() < 1e-12
        assert found.deviation.min() > 0


@pytest.mark.parametrize("seat", [0, 1])
def test_imaginary_observations_lower_the_variance_and_hidden_cards_bias_a_little(seat):
    of, weights = problem("leduc"), np.array([0.5, 0.3, 0.2])
    experts, opponent = portfolio(of, 7, zeros=0.0), policy(of, 5)
    plain = accuracy(experts, weights, opponent, seat, TECHNIQUES["importance"], "partial")
    full = accuracy(experts, weights, opponent, seat)
    partial = accuracy(experts, weights, opponent, seat, information="partial")
    assert abs(plain.bias).max() < 1e-12  # it never looks at other cards
    assert (full.deviation < plain.deviation).all()
    assert 1e-4 < abs(partial.bias).max() < 0.05
    folds = accuracy(experts, weights, opponent, seat, TECHNIQUES["folds"], "partial")
    assert abs(folds.bias).max() < 1e-12


def test_a_single_expert_is_on_policy():
    of = problem("leduc")
    found = accuracy(portfolio(of, 1, count=1), np.ones(1), policy(of, 2), 0, TECHNIQUES["importance"])
    assert abs(found.bias).max() < 1e-12


def walked(experts, history, deal, seat):
    """A hand of the tree as the seat knows it."""
    state, choices, node = State.start(experts.tree.game, deal), [], 0
    for action in history:
        number = experts.tree.offered(node).index(action)
        if state.player == seat:
            folded = float(-state.spent[seat]) if state.legal().fold else None
            choices.append(Choice(node, number, state.round, folded))
        node, state = int(experts.tree.first_child[node]) + number, state.apply(action)
    return Played(state.seen_by(seat), seat, choices)


@pytest.mark.parametrize(("history", "seat"), [("rcrc", 0), ("crcrf", 0), ("crrf", 1), ("rrccrrc", 1), ("crf", 0)])
def test_the_same_as_imaginary_observations_of_the_mixture(history, seat):
    """The reference implementation asks the mixture as a policy, action by action."""
    of, weights = problem("leduc", suits_merged=False), np.array([0.6, 0.1, 0.3])
    experts = portfolio(of, 3, zeros=0.0)
    (a, b, c) = experts.tree.game.deck[1:4]
    played = walked(experts, history, Deal(((a,), (b,)), (c,)), seat)
    found = estimate(experts, weights, played)
    mixture = MixturePolicy(experts.policies, weights)
    hand = Hand(played.state.game, played.state.deal, list(history), played.state.returns())
    for k, expert in enumerate(experts.policies):
        assert found[k] == pytest.approx(imaginary_value(hand, seat, mixture, expert))


def test_no_limit_games_are_unbiased_too():
    of = problem("leduc-nolimit", "fcpa")
    experts = portfolio(of, 1, zeros=0.0)
    found = accuracy(experts, np.array([0.2, 0.3, 0.5]), policy(of, 4), 1, FULL)
    assert abs(found.bias).max() < 1e-11


def test_a_weight_of_zero_needs_support():
    of = problem("kuhn")
    layout = of.vector.layout
    passive = StrategyPolicy(Strategy.always(layout, "c"), of.sampled_deal, name="passive")
    active = StrategyPolicy(Strategy.always(layout, "r"), of.sampled_deal, name="active")
    experts, opponent = Experts([passive, active]), policy(of, 1)
    with pytest.raises(KibitzError, match=r"r after 'the start': active does that and the mixture never"):
        accuracy(experts, np.array([1.0, 0.0]), opponent, 0)
    # One weight of zero is harmless where the others go everywhere.
    everywhere = Experts([policy(of, 3), active])
    assert abs(accuracy(everywhere, np.array([1.0, 0.0]), opponent, 0).bias).max() < 1e-12


@pytest.mark.parametrize("weights", [[0.5, float("nan")], [0.7, 0.7], [1.0], [-0.5, 1.5]])
def test_weights_that_are_none(weights):
    of = problem("kuhn")
    with pytest.raises(BanditError, match="weights"):
        accuracy(portfolio(of, 1, count=2), np.array(weights), policy(of, 1), 0)


def test_experts_of_other_betting_are_refused():
    one, other = policy(problem("leduc"), 1, name="limit"), policy(problem("leduc-nolimit", "fcpa"), 1, name="nolimit")
    with pytest.raises(AgentError, match=r"limit has the menu .* of leduc .*, nolimit has .*: the experts of a portf"):
        Experts([one, other])
    of = problem("leduc-nolimit", "fcpa")
    pair = [policy(of, 1, reading=Reading(name)) for name in ("det-geo", "rand-psharmonic")]
    with pytest.raises(AgentError, match="translates bets by det-geo"):
        Experts(pair)
    with pytest.raises(AgentError, match="at least one"):
        Experts([])


def test_experts_may_tell_apart_other_cards():
    merged, kept = problem("leduc"), problem("leduc", suits_merged=False)
    experts = Experts([policy(merged, 1), policy(kept, 2), policy(merged, 3)])
    found = accuracy(experts, np.full(3, 1 / 3), policy(merged, 4), 0)
    assert abs(found.bias).max() < 1e-12


def test_what_cannot_be_estimated():
    of = problem("leduc")
    experts = portfolio(of, 1)
    a, b, c = experts.tree.game.deck[:3]
    played = walked(experts, "cccc", Deal(((a,), (b,)), (c,)), 0)
    hidden = played.state._replace(deal=Deal(((a,), ()), (c,)))
    with pytest.raises(KibitzError, match="the opponent's cards are not known"):
        estimate(experts, np.full(3, 1 / 3), played._replace(state=hidden))
    with pytest.raises(KibitzError, match="information 'some': one of full, partial"):
        accuracy(experts, np.full(3, 1 / 3), policy(of, 1), 0, information="some")
    of_three = problem("kuhn-3p")
    layout = of_three.sampled.layout
    lone = StrategyPolicy(Strategy.uniform(layout), of_three.sampled_deal)
    over = State.start(of_three.game, next(deal_hands(of_three.game, 0))).play("ccc")
    with pytest.raises(KibitzError, match="estimates of experts are for two players, kuhn-3p has 3"):
        estimate(Experts([lone]), np.ones(1), Played(over, 0, []))


@pytest.mark.parametrize(("history", "seat"), [("rc/cc/crc/cc", 0), ("rrc/crf", 1), ("crc/crrf", 1)])
def test_holdem_with_all_its_hands(history, seat):
    """1,326 hands, and experts that tell apart pairs from other hands before the flop."""
    game = load_game("holdem-limit-2p")
    layout = Layout(build_tree(game), np.full((4, 2), 2), Pairs.fingerprint)
    experts = Experts(
        [
            StrategyPolicy(Strategy.from_sums(layout, np.random.default_rng(k).exponential(size=layout.size)), Pairs())
            for k in range(3)
        ]
    )
    played = walked(experts, history.replace("/", ""), next(deal_hands(game, 7)), seat)
    weights = np.array([0.2, 0.3, 0.5])
    found = estimate(experts, weights, played)
    hand = Hand(game, played.state.deal, list(history.replace("/", "")), played.state.returns())
    mixture = MixturePolicy(experts.policies, weights)
    assert np.allclose(found, [imaginary_value(hand, seat, mixture, expert) for expert in experts.policies])


class Pairs:
    """Two private states: pairs, and all other hands."""

    fingerprint = "pairs"

    def state(self, player, round_, hole, board):
        return int(hole[0] // 4 == hole[1] // 4)
