"""A planted hidden Markov model: an observer fitted to its deals has its transitions and emissions again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.optimize import minimize

from kibitz.compiling import njit
from kibitz.learning import Model, Structure, TableRules
from kibitz.learning._kernels import records_of
from kibitz.learning._kernels.deciding import exponentials
from kibitz.learning._kernels.observing import learn_observer, observe
from kibitz.learning._kernels.playing import play_deal
from kibitz.learning.model import views
from kibitz.learning.records import CONSTANT, TYPES, WEIGHTS
from learning.dealing import Deals, dealt, nothing

FLOOR = 1e-12  # of running averages
FRESH = 100  # deals on which what was learned is compared
HEADS_UP, OWED = 7, 3  # bet features: always 1 here; chips that the opponent would have to call
RULES = TableRules(decision_cap=24, uncapped_heads_up=False)


@dataclass(frozen=True)
class Plant:
    """Card-types that occur, in any order at each stage, and what is asked of the fit; set before it was looked at.

    moves       float64[3, from, to], transitions to flop, turn and river, on any board
    worth       values of the outcome states, one for each type: always, and by chips that the opponent would owe
    deals       to learn from
    starts      from which it is fitted; the likeliest counts
    tolerances  mean error of emissions, largest error of transitions
    """

    moves: np.ndarray
    worth: tuple[tuple[float, ...], tuple[float, ...]]
    deals: int
    starts: int
    tolerances: tuple[float, float]

    @property
    def kinds(self) -> int:
        return self.moves.shape[1]


def moving(stay, stages):
    """At each stage types keep their place with probability `stay`, after moving on by so many."""
    kinds = len(stay)
    rest = (1 - np.array(stay)[:, None]) / (kinds - 1)
    kept = np.where(np.eye(kinds, dtype=bool), np.array(stay)[:, None], rest)
    return np.array([np.roll(kept, stage, axis=1) for stage in stages])


TWO = Plant(moving((0.85, 0.85), (1, 0, 1)), ((3.0, 3.0), (24, -24)), 2000, 1, (0.03, 0.1))
"""One type mostly raises, one mostly calls; folds are rare, so that deals are long."""
THREE = Plant(moving((0.8, 0.7, 0.6), (0, 1, 2)), ((3.0, 3.0, -1.0), (24, -24, -12)), 8000, 1, (0.05, 0.15))
"""A third type gives up before many bets, and types move unevenly. From 4,000 deals one transition was off by 0.17."""


def set_moves(model, moves):
    kinds = moves.shape[1]
    for stage, each in enumerate(moves, 1):
        logs = np.full((TYPES, TYPES), -70.0)  # nobody comes to the other types
        logs[:kinds, :kinds] = np.log(each)
        model.weights.transitions[CONSTANT[stage]] = logs.ravel()


def planted_model(plant):
    """Each type mostly comes to an outcome state of its own, at every stage."""
    model = Model.random(Structure(), 0, 0.0)
    weights, kinds = model.weights, plant.kinds
    always, owed = (np.resize(np.array(each, dtype=float), kinds) for each in plant.worth)
    weights.values[:, HEADS_UP] = 3.0
    weights.values[:, HEADS_UP, :kinds] = always
    weights.values[:, OWED, :kinds] = owed
    weights.values[2:, OWED] /= 2  # bets are twice as large
    for kind in range(kinds):
        weights.types[:, kind, kind] = 3.0
    weights.initial[:] = 0.0
    weights.initial[:kinds] = 1 / kinds
    weights.usage[:] = 1.0  # so that gradients are not rescaled
    set_moves(model, plant.moves)
    return model


def drawn(chances, noise):
    sums = np.cumsum(chances)
    return int(np.searchsorted(sums, noise.random() * sums[-1], side="right"))


def draw_deals(source, noise, count):
    """Deals of two players whose hidden types move with the board and act."""
    made, work = [], source.work
    for _ in range(count):
        cards, actions, stage = dealt(noise, 2), [], 0
        kinds = [drawn(source.model.weights.initial, noise) for _ in range(2)]
        while source.play(cards, [*actions, 1]) > len(actions):
            decision = len(actions)
            while stage < work.stage[decision]:
                stage += 1
                kinds = [drawn(work.moves[stage, kind], noise) for kind in kinds]
            actions.append(drawn(work.type_chance[decision, :, kinds[work.player[decision]]], noise))
        made.append((cards, tuple(actions)))
    return made


@njit(cache=True)
def teach(cards, actions, counts, arrays, gradient):
    """What `Deals.play` and `Deals.learn` do with many deals; the sum of their log-likelihoods.

    cards : uint8[n, 25]   actions : int64[n, longest], of which counts : int64[n] are there
    """
    game = records_of(arrays)
    work, total = game.work, 0.0
    exponentials(game.observer, work.type_exp)
    for n in range(len(cards)):
        work.cards[:] = cards[n]
        work.forced_count = counts[n]
        for d in range(counts[n]):
            work.forced[d] = actions[n, d]
        play_deal(np.uint64(0), game, None, None)
        total += observe(np.uint64(0), FLOOR, game, gradient[0])
        learn_observer(FLOOR, game, gradient[0])
    return total


def side_by_side(lessons):
    """Deals as `teach` takes them."""
    counts = np.array([len(actions) for _, actions in lessons])
    actions = np.zeros((len(lessons), counts.max()), dtype=np.int64)
    for row, (_, each) in zip(actions, lessons, strict=True):
        row[: len(each)] = each
    return np.array([cards for cards, _ in lessons]), actions, counts


def fit(deals, lessons, plant, start):
    """Maximise the conditional likelihood with the kernel's gradients; transitions are kept stochastic by soft-max.

    start : types float64[4, 8, kinds], then logits of transitions float64[3, kinds, kinds]
    Returns the mean log-likelihood, and leaves the weights of the maximum in the model.
    """
    weights, kinds, together = deals.model.weights, plant.kinds, side_by_side(lessons)
    deals.play(*lessons[0])  # sits them down
    split = 4 * 8 * kinds

    def loss(flat):
        weights.types[..., :kinds] = flat[:split].reshape(4, 8, kinds)
        moves = np.exp(flat[split:].reshape(3, kinds, kinds))
        moves /= moves.sum(axis=2, keepdims=True)
        set_moves(deals.model, moves)
        gradient = nothing()
        total = teach(*together, deals.desk.game, gradient.view(WEIGHTS))
        found = views(gradient)
        moved = found.transitions[CONSTANT[1:]].reshape(3, TYPES, TYPES)[:, :kinds, :kinds]
        moved = moved - moves * moved.sum(axis=2, keepdims=True)
        slope = np.concatenate([found.types[..., :kinds].ravel(), moved.ravel()])
        return -total / len(lessons), -slope / len(lessons)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return -loss(found.x)[0]


def emissions(deals, fresh, kinds):
    """Probabilities of actions by type at all decisions: for each stage float64[decisions, 3, kinds]."""
    found = [[] for _ in range(4)]
    for cards, actions in fresh:
        for decision in range(deals.play(cards, actions)):
            found[deals.work.stage[decision]].append(deals.work.type_chance[decision, :, :kinds].copy())
    return [np.array(each) for each in found]


@pytest.mark.parametrize("plant", [TWO, THREE], ids=["two", "three"])
def test_transitions_and_emissions_of_a_planted_model_are_recovered(plant):
    """At new decisions, types in any order at each stage."""
    kinds, (close, near) = plant.kinds, plant.tolerances
    noise = np.random.default_rng(1)
    source = Deals(planted_model(plant), RULES, 2)
    lessons, fresh = draw_deals(source, noise, plant.deals), draw_deals(source, noise, FRESH)
    fitted = []
    for _ in range(plant.starts):  # from small weights: from large ones it may end in a local maximum
        deals = Deals(planted_model(plant), RULES, 2)
        start = np.concatenate([noise.normal(0, 0.3, 4 * 8 * kinds), noise.normal(0, 0.1, 3 * kinds * kinds)])
        fitted.append((fit(deals, lessons, plant, start), deals))
    deals = max(fitted, key=lambda each: each[0])[1]
    orders = []
    for ours, theirs in zip(emissions(deals, fresh, kinds), emissions(source, fresh, kinds), strict=True):
        assert len(theirs) > 100
        for one, two in combinations(range(kinds), 2):  # types differ, by several times the tolerance
            assert abs(theirs[..., one] - theirs[..., two]).mean() > 3 * close
        errors = {order: abs(ours[..., order] - theirs).mean() for order in permutations(range(kinds))}
        orders.append(min(errors, key=errors.__getitem__))
        assert min(errors.values()) < close
    for stage in (1, 2, 3):
        logs = deals.model.weights.transitions[CONSTANT[stage]].reshape(TYPES, TYPES)
        moves = np.exp(logs)[np.ix_(orders[stage - 1], orders[stage])]
        np.testing.assert_allclose(moves, plant.moves[stage - 1], atol=near)
