"""Best responses by learning: the obvious counters, gradients of recorded deals, styles counted in kernels."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.learning import Model, ModelError, Structure, TableRules, seat_chances
from kibitz.learning.records import RUN, WEIGHTS, make_record, make_work
from kibitz.learning.responses import Agents, AgentTable, Copies, Decider, Response
from kibitz.learning.responses.tables import RecordedDeal
from kibitz.learning.settings import Learning
from kibitz.modelling.styles import StyleCounts, observe_hand

QUICK = Learning(rate=0.02, card_rate=0.04, batch=64)
LETTERS = "fcr"


def constant_model(call: bool) -> Model:
    """A model that always calls, or that always folds to a bet and checks otherwise."""
    model = Model(Structure(), np.zeros_like(Model.random(Structure()).flat))
    weights = model.weights
    weights.initial[:] = weights.usage[:] = 1 / 8
    weights.costs[:] = 200.0  # raises cost more than calls, and calls more than nothing
    weights.values[:, 0, :] = 1000.0 * call  # of every opponent who is left
    return model


@pytest.fixture(scope="module")
def start():
    return Model.random(Structure(), seed=1, value_scale=1.0)


@pytest.mark.parametrize(("call", "least", "most"), [(False, 1.44, 1.5), (True, 0.7, 3.0)])
def test_constant_opponents_are_countered(start, call, least, most):
    """Against always-fold every hand wins what he posted, 1.5 small blinds; always-call pays off good hands."""
    field = Copies(constant_model(call), 2, TableRules(uncapped_heads_up=False))
    response = Response(start, field, QUICK)
    before = response.evaluate(4000)
    response.train(50_000 if call else 16_000)
    after = response.evaluate(8000)
    assert after.mean - before.mean > 4 * np.hypot(after.error, before.error)
    assert least < after.mean <= most


def test_agents_of_the_toolkit_are_countered_too(start):
    field = Agents(AgentTable(load_game("holdem-limit-2p"), [load_agent("always-fold")], seed=3))
    response = Response(start, field, QUICK)
    before = response.evaluate(640)
    progress = response.train(6400)
    after = response.evaluate(640)
    assert progress.deals == 6400
    assert after.mean > before.mean + 0.2
    assert after.mean > 1.3


def test_recorded_deals_teach_what_simulated_ones_do(start):
    """The same cards and actions give the same gradient, but for the order of sums, which is each kernel's own."""
    from kibitz.learning import _kernels

    other, game = Model.random(Structure(), seed=2, scale=0.4), load_game("holdem-limit-3p")
    field = Agents(AgentTable(game, [load_agent("always-call")] * 2), observer=other)
    response = Response(start, field, QUICK, seed=5)
    run = response.make_run(True)
    run["seats"][0] = np.cumsum(seat_chances(3))
    simulated, work, none = np.zeros_like(start.flat), make_work(), np.zeros((4, 10))
    deals = []
    for number in range(12):
        _kernels.run_deals(
            5, number, 1, start.record, other.record, run, field.rules.table, start.structure.mode, work, none,
            simulated.view(WEIGHTS), none.copy(), np.zeros(64),
        )  # fmt: skip
        played = work.view(np.recarray)[0]
        actions = played.action[: played.counts[0]].tolist()
        deals.append(RecordedDeal(3, played.cards.copy(), actions, number % 3))
    told = np.zeros(64)
    field._replay(response, True, deals, told)
    np.testing.assert_allclose(response.gradient, simulated, rtol=0, atol=1e-14)
    assert told[7] == 12


def test_what_is_decided_in_the_engine_is_what_kernels_decide(start):
    """The probabilities of a seat do not depend on cards that it does not see."""
    rules, rng = TableRules(uncapped_heads_up=False), np.random.default_rng(0)
    decider = Decider(Model.random(Structure(), 4, 0.5), rules)
    for _ in range(10):
        dealt = rng.permutation(52)
        cards = np.zeros(25, dtype=np.uint8)
        cards[:4], cards[20:] = dealt[:4], dealt[4:9]
        actions = [1, 1]  # before the flop both call
        found = decider.chances(2, 0, cards, actions).copy()
        other = cards.copy()
        other[2:4], other[23:] = dealt[10:12], dealt[12:14]  # another opponent, another turn and river
        assert np.array_equal(found, decider.chances(2, 0, other, actions))
        assert found.sum() == pytest.approx(1)


def test_styles_of_kernels_are_those_of_hands(start):
    from kibitz.learning import _kernels
    from kibitz.learning.responses import _kernels as own

    model, rules, players = Model.random(Structure(), 6, 0.5), TableRules(), 4
    run = make_record(RUN, seats=np.cumsum(seat_chances(players)), separate=True)
    sums, work, none = np.zeros((2, own.COLUMNS)), make_work(), np.zeros((4, 10))
    own.count_styles(9, 0, 60, model.record, start.record, run, rules.table, model.structure.mode, work, sums)
    seats: list[list] = [[], []]
    net: list[list] = [[], []]
    for number in range(60):
        _kernels.run_deals(
            9, number, 1, model.record, start.record, run, rules.table, model.structure.mode, work, none,
            np.zeros_like(model.flat).view(WEIGHTS), none.copy(), np.zeros(64),
        )  # fmt: skip
        played = work.view(np.recarray)[0]
        hole = played.cards[: 2 * players].reshape(-1, 2)
        deal = Deal(tuple(tuple(int(card) for card in pair) for pair in hole), tuple(map(int, played.cards[20:])))
        state = State.start(rules.game(players), deal)
        for action in played.action[: played.counts[0]]:
            state = state.apply(LETTERS[action])
        for seat, style in enumerate(observe_hand(state.game, state.history, state.returns())):
            row = 0 if seat == number % players else 1
            seats[row].append(style)
            net[row].append(state.returns()[seat])
    for row in range(2):
        counts = StyleCounts.of(seats[row], net[row])
        wanted = [
            counts.hands,
            counts.voluntary,
            counts.folds,
            counts.wins,
            counts.walks,
            counts.showdowns,
            counts.free,
        ]
        assert sums[row, :7].tolist() == wanted
        assert sums[row, own.SHARES] == pytest.approx(counts.shares.count * counts.shares.mean, abs=1e-4)
        assert sums[row, own.RAISES : own.CALLS_SQUARED + 1].tolist() == [*counts.bets_calls]
        assert sums[row, own.NET] == pytest.approx(sum(net[row]))


def test_a_response_goes_on_to_the_bit(start):
    field = Copies(constant_model(True), 2, TableRules())
    whole, part, again = (Response(start, field, QUICK, seed=4) for _ in range(3))
    whole.train(640)
    part.train(256)
    again.restore(part.deals, 0.0, {name: array.copy() for name, array in part.arrays().items()})
    again.train(384)
    assert np.array_equal(again.flat, whole.flat)
    assert again.describe() == whole.describe()
    # Card-types, transitions and the rest of the observer are as they were.
    from kibitz.learning.model import BEGINNINGS

    assert np.array_equal(whole.flat[BEGINNINGS[2] :], start.flat[BEGINNINGS[2] :])
    assert not np.array_equal(whole.flat[: BEGINNINGS[2]], start.flat[: BEGINNINGS[2]])


def test_what_does_not_fit_is_refused(start):
    with pytest.raises(KibitzError, match="2 opponents: a learner at a table of 2 has 1"):
        AgentTable(load_game("holdem-limit-2p"), [load_agent("random")] * 2)
    with pytest.raises(KibitzError, match="limit hold'em is needed"):
        AgentTable(load_game("holdem-nolimit-2p"), [load_agent("random")])
    with pytest.raises(ModelError, match="different structures"):
        Response(Model.random(Structure(self_aware=True)), Copies(start, 2, TableRules()), QUICK)
    start_ = start.copy()
    start_.flat[0] = np.nan
    with pytest.raises(ModelError, match="not finite"):
        Response(start_, Copies(start, 2, TableRules()), QUICK).train(64)
