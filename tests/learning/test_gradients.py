"""Every gradient against central differences of the plain formulas."""

import numpy as np
import pytest

from kibitz.learning import Learning, Structure, TableRules
from kibitz.learning.model import BEGINNINGS, Model, views
from kibitz.learning.records import CONSTANT, WEIGHTS
from kibitz.learning.rivals import rivals_of
from learning.dealing import PLAIN
from learning.plain_learning import advantages, rescaled
from learning.plain_structure import Plain

STEP = 1e-5
STRUCTURES = {
    "complete": Structure(),
    "listed": Structure(profile="listed"),
    "public observer": Structure(public_observer=True),
    "self-aware": Structure(self_aware=True),
    "saturating": Structure(chips="saturating"),
    "logarithm": Structure(chips="logarithm", self_aware=True),
    "other scales": Structure(bet_scales=(4.0, 1.0, 10.0, 12.0, 8.0, 3.0, 2.0, 1.0, 5.0, 6.0)),
}
REWARDS = {
    "chips": {},
    "no baseline": {"baseline": "none"},
    "entropy": {"entropy": 0.7},
    "pots": {"pot_scaling": True},
    "as trained": {"pot_scaling": True, "entropy": 0.1},
}
CASES = [
    *((structure, "as trained") for structure in STRUCTURES),
    *(("complete", rewards) for rewards in REWARDS if rewards != "as trained"),
]


def differences(objective, model, places):
    """Central differences of objective(plain) in the weights at `places`."""
    found = []
    for place in places:
        values = []
        for sign in (1, -1):
            flat = model.flat.copy()
            flat[place] += sign * STEP
            values.append(objective(Plain(model, flat)))
        found.append((values[0] - values[1]) / (2 * STEP))
    return np.array(found)


def some_places(table, name, count, noise):
    """Places of an array of weights: mostly those with a gradient, and a few without."""
    start = WEIGHTS.fields[name][1] // 8
    stop = start + int(np.prod(WEIGHTS[name].shape))
    there = start + np.flatnonzero(table.flat[start:stop])
    every = np.arange(start, stop)
    return np.unique(np.concatenate([noise.permutation(there)[:count], noise.choice(every, 3)]))


def check_policy_gradient(table, noise, learning, mine):
    """The gradient of the last deal, of which only the decisions of the seats `mine` teach anything."""
    count = int(table.work.decisions)
    decisions, _, _, state = Plain(table.model).walk(
        table.rules.game(table.seats), table.holes, table.board, table.work.action[:count].copy()
    )
    decisions = [each for each in decisions if each.player in mine]
    worth = advantages(decisions, state.returns(), learning)

    def objective(plain):
        cards = table.holes, table.board
        return plain.policy_objective(decisions, worth, *cards) + learning.entropy * plain.policy_entropy(
            decisions, *cards
        )

    for name in ("bets", "values", "costs", "beliefs", "own", "cards"):
        places = some_places(table, name, 12, noise)
        np.testing.assert_allclose(
            table.flat[places], differences(objective, table.model, places), atol=1e-6, err_msg=name
        )


@pytest.mark.parametrize(("structure", "rewards"), CASES)
def test_policy_gradient(bench, structure, rewards):
    """One deal that ends at each stage."""
    table, noise = bench(STRUCTURES[structure], TableRules(), seed=4), np.random.default_rng(0)
    learning, stages = Learning(**(PLAIN | REWARDS[rewards])), set()
    for number in range(80):
        count = table.deal("irc", number, observer=False, **REWARDS[rewards])
        if int(table.work.round) in stages or count > 30:
            continue
        stages.add(int(table.work.round))
        check_policy_gradient(table, noise, learning, range(table.seats))
        assert not table.flat[BEGINNINGS[2] :].any()
        if len(stages) == 4:
            return
    raise AssertionError(f"only stages {stages} were seen")


def test_rivals_never_learn_and_the_observer_learns_nothing_from_them(bench):
    """What others do after them is learned from as ever."""
    table, noise, seen = bench(Structure(), TableRules(), seed=4), np.random.default_rng(0), 0
    for number in range(80):
        count = table.deal(4, number, rivals=rivals_of("random:1"))
        mine = [p for p in range(4) if not table.work.rivals >> p & 1]
        assert 0 < len(mine) < 4
        assert not table.flat[BEGINNINGS[2] :].any()
        assert table.told[1] == 0
        if 4 < count < 30 and 0 < sum(table.work.player[d] in mine for d in range(count)) < count and seen < 4:
            check_policy_gradient(table, noise, Learning(**PLAIN), mine)
            seen += 1
    assert seen == 4


def watched_deals(table, wanted, players):
    """Deals of which the last stage is 3, with so many players in the showdown, and what is worked of them."""
    found = 0
    for number in range(4000):
        count = table.deal(players, number, policy=False)
        left = [p for p in range(table.seats) if table.work.active >> p & 1]
        winners = [p for p in range(table.seats) if table.work.winners >> p & 1]
        if len(left) == wanted and len(winners) == 1 and count < 40:
            yield count, left, winners[0]
            found += 1
            if found == 2:
                return


@pytest.mark.parametrize(
    ("shown", "players", "structure"),
    [(1, 3, "complete"), (2, 4, "complete"), (3, 4, "complete"), (2, 4, "public observer"), (2, 3, "saturating")],
)
def test_observer_gradient(bench, shown, players, structure):
    table = bench(STRUCTURES[structure], TableRules(), seed=5)
    noise = np.random.default_rng(1)
    seen = 0
    for count, left, winner in watched_deals(table, shown, players):
        work = table.work
        decisions, _, _, _ = Plain(table.model).walk(
            TableRules().game(players), table.holes, table.board, work.action[:count].copy()
        )
        last = work.last[:players].copy()
        who = tuple(left) if shown > 1 else ()

        def objective(plain, args=(decisions, players, last, table.board, who, winner)):
            return plain.likelihood(*args)

        assert table.told[0] == pytest.approx(objective(Plain(table.model)), abs=1e-9)
        for p in range(players):
            for stage in range(last[p] + 1):
                assert work.gamma[stage, p].sum() == pytest.approx(1, abs=1e-12)
        for name in ("types", "transitions", "showdown"):
            places = some_places(table, name, 16 if name == "types" else 8, noise)
            np.testing.assert_allclose(
                table.flat[places], differences(objective, table.model, places), atol=1e-6, err_msg=name
            )
        seen += 1
    assert seen == 2


def test_adjusted_posteriors(bench):
    """They are what the likelihood gains by a card-type's actions, and their sums are what running averages take in."""
    table = bench(Structure(), TableRules(), seed=5)
    noise = np.random.default_rng(2)
    count, left, winner = next(watched_deals(table, 2, 4))
    work, plain = table.work, Plain(table.model)
    last, gamma = work.last[:4].copy(), work.gamma[:, :4].copy()
    decisions, _, _, _ = plain.walk(TableRules().game(4), table.holes, table.board, work.action[:count].copy())

    def likelihood(tilt):
        return plain.likelihood(decisions, 4, last, table.board, tuple(left), winner, tilt)

    def gain(p, stage, c):
        tilt = np.zeros((4, 4, 8))
        tilt[p, stage, c] = STEP
        return (likelihood(tilt) - likelihood(-tilt)) / (2 * STEP)

    seen = np.arange(4)[:, None] <= last
    for stage, p in noise.permutation(np.argwhere(seen))[:6]:
        np.testing.assert_allclose(gamma[stage, p], [gain(p, stage, c) for c in range(8)], atol=1e-6)
    found = np.where(seen[..., None], np.maximum(gamma, 0), 0).sum(axis=1)
    np.testing.assert_allclose(table.gradient.usage, found, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(table.gradient.initial, found[0], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("shown", [2, 3])
def test_the_gradient_of_the_observer_is_divided_by_running_averages(bench, shown):
    """Of rare card-types too, down to a floor; a usage of 1 leaves the gradient of the likelihood as it is."""
    table = bench(Structure(), TableRules(), seed=5)
    next(watched_deals(table, shown, 4))
    number, plain = table.number, table.flat.copy()
    usage = np.random.default_rng(4).uniform(0.002, 0.3, (4, 8))
    usage[1, 2] = usage[2, 5] = usage[3, 0] = 0.0
    table.model.weights.usage[:] = usage
    table.deal(4, number, policy=False, floor=0.01)
    want = rescaled(plain, usage, 0.01)
    for name in ("types", "transitions", "showdown"):
        found, wanted = getattr(table.gradient, name), getattr(views(want), name)
        assert abs(wanted).max() > 0
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-12 * abs(wanted).max(), err_msg=name)


def test_the_scale_of_transitions_does_not_matter(bench):
    table = bench(Structure(), TableRules(), seed=6)
    for number in range(40):
        table.deal(4, number, policy=False)
        if table.work.round == 3:
            break
    gamma, likelihood, count = table.work.gamma.copy(), table.told[0], int(table.work.decisions)
    chances, last = table.work.chance[:count].copy(), table.work.last[:4].copy()
    assert last.max() == 3
    table.model.weights.transitions[CONSTANT[1:]] += np.array([[0.7], [-1.1], [2.0]])
    table.deal(4, number, policy=False)
    np.testing.assert_allclose(table.work.chance[:count], chances, atol=1e-12)
    np.testing.assert_allclose(table.told[0], likelihood, atol=1e-10)
    for p in range(4):
        np.testing.assert_allclose(table.work.gamma[: last[p] + 1, p], gamma[: last[p] + 1, p], atol=1e-10)


def test_a_fold_teaches_nothing_by_default(bench):
    """With what a fold loses as the baseline, only calls and raises change the policy."""
    table = bench(Structure(), TableRules(), seed=7)
    for number in range(200):
        count = table.deal(2, number, observer=False)
        if count == 1 and table.work.action[0] == 0:
            assert not table.flat.any()
            return
    raise AssertionError("nobody folded at once")


def test_random_models_are_small(bench):
    model = Model.random(Structure(), 3)
    assert 0.04 < model.flat[: BEGINNINGS[-1]].std() < 0.06
    assert model.is_finite
