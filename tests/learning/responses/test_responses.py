"""Best responses by learning: what they win, gradients of recorded deals, what is kept, styles counted in kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.errors import KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.learning import Model, ModelError, Structure, TableRules, seat_chances
from kibitz.learning._kernels import styles
from kibitz.learning.model import BEGINNINGS
from kibitz.learning.records import WEIGHTS
from kibitz.learning.responses import AGAINST_AGENTS, Agents, AgentTable, Blind, Copies, Decider, Response
from kibitz.learning.responses.learner import CHOICE, LAST, LEARNED, constants, staying
from kibitz.learning.responses.plan import BestResponsePlan
from kibitz.learning.responses.tables import RecordedDeal
from kibitz.learning.rivals import rival
from kibitz.learning.settings import Learning
from kibitz.learning.training import GRADIENT, TOLD, Simulator
from kibitz.modelling.styles import StyleCounts, observe_hand
from learning.dealing import nothing

QUICK = Learning(rate=0.02, card_rate=0.04, batch=64)
MBB = 500  # thousandths of a big blind in a small one
LETTERS = "fcr"


@pytest.fixture(scope="module")
def start():
    return Model.random(Structure(), seed=1, value_scale=1.0)


def beginner(seed=1):
    """As the command begins."""
    return staying(Model.random(Structure(chips="saturating"), seed, value_scale=1.0))


def is_better(after, before, by=0.0):
    return after.mean - before.mean > by + 4 * np.hypot(after.error, before.error)


@pytest.mark.parametrize(("players", "least"), [(2, 500), (3, 1000)])
def test_always_raising_is_punished(players, least):
    """As the command learns and measures; in thousandths of big blinds."""
    plan = BestResponsePlan(("always-raise",), players=players, hands=200_000, seed=1, threads=2)
    response = plan.begin().learner
    response.train(plan.hands)
    name, model = response.choose(5000)
    won = response.evaluate(20_000, model.flat)
    assert name in (LEARNED, LAST)
    assert MBB * won.mean > least


@pytest.mark.parametrize(("name", "least", "most"), [("always fold", 1.44, 1.5), ("always call", 0.7, 3.0)])
def test_constant_models_are_countered(start, name, least, most):
    """Against always-fold every hand wins what he posted, 1.5 small blinds; always-call pays off good hands."""
    field = Copies(constants(start)[name], 2, TableRules(uncapped_heads_up=False))
    response = Response(start, field, QUICK)
    before = response.evaluate(4000)
    response.train(50_000 if name == "always call" else 16_000)
    after = response.evaluate(8000)
    assert is_better(after, before)
    assert least < after.mean <= most


def test_a_random_model_is_beaten_by_what_learns_against_it():
    """Copies of the model that it begins with: what it gains tells how far they are from an equilibrium."""
    model = Model.random(Structure(), 3, 0.3, 2.0)
    response = Response(model, Copies(model, 3, TableRules()), replace(AGAINST_AGENTS, pot_scaling=False), threads=2)
    before = response.evaluate(20_000)
    assert abs(before.mean) < 4 * before.error
    response.train(60_000)
    assert is_better(response.evaluate(20_000), before, 0.5)
    for name in ("types", "transitions", "showdown", "initial", "usage"):  # the observer's are its model's
        assert np.array_equal(getattr(response.model.weights, name), getattr(model.weights, name)), name


def agents_field(*names, seed=3, observer=None):
    game = load_game(f"holdem-limit-{len(names) + 1}p")
    return Agents(AgentTable(game, [load_agent(name) for name in names], seed), observer)


def test_agents_of_the_toolkit_are_countered_too(start):
    response = Response(start, agents_field("always-fold"), QUICK)
    before = response.evaluate(640)
    progress = response.train(6400)
    after = response.evaluate(640)
    assert progress.deals == progress.seen.deals == 6400
    assert progress.seen.winnings.hands == 6400
    assert after.mean > before.mean + 0.2
    assert after.mean > 1.3


def test_a_mixture_of_agents_is_countered():
    """One who raises whatever comes and one who gives up everything, in any order of seats."""
    response = Response(beginner(), agents_field("always-fold", "always-raise"), replace(QUICK, batch=32))
    before = response.evaluate(3200)
    response.train(9600)
    after = response.evaluate(3200)
    assert is_better(after, before)
    assert after.mean > 0


def test_what_is_kept_wins_as_much_as_never_playing_and_always_playing():
    """Against an agent that looks at its cards, after few hands: the best of what there is, whatever was learned."""
    response = Response(beginner(), agents_field("loose-aggressive"), replace(AGAINST_AGENTS, batch=32))
    response.train(1600)
    candidates = response.candidates()
    name, model = response.choose(640)
    won = {each: response.evaluate(640, found.flat, CHOICE).mean for each, found in candidates.items()}
    assert {LEARNED, "its start", "always fold", "always call"} <= won.keys()
    assert response.evaluate(640, model.flat, CHOICE).mean == won[name] == max(won.values())
    kept = response.evaluate(1280, model.flat)  # other hands
    for constant in ("always fold", "always call"):
        other = response.evaluate(1280, candidates[constant].flat)
        assert kept.mean > other.mean - 3 * np.hypot(kept.error, other.error), constant
    assert kept.mean > -1.5  # what everybody posts


def test_a_collapse_is_told():
    """High rates drive a beginner to fold for ever; then what does better is kept, and its name is another."""
    blind = Blind([rival("always-raise")], 3, TableRules())
    response = Response(
        Model.random(Structure(), 1), blind, Learning(rate=0.5, card_rate=0.5, entropy=0.0, halving=0.0)
    )
    response.train(6400)
    learned = response.evaluate(4000)
    assert learned.mean < 0
    name, model = response.choose(4000)
    assert name not in (LEARNED, LAST)
    assert response.evaluate(4000, model.flat).mean > learned.mean
    assert np.array_equal(model.flat, response.model_of(response.candidates()[name].flat).flat)


@pytest.mark.parametrize("name", ["always fold", "always call"])
def test_constants_do_what_their_name_says(start, name):
    """Whatever the model is that they are made of."""
    from kibitz.learning import simulate

    wild = Model.random(Structure(chips="logarithm"), 5, 2.0, 9.0)
    for model in (start, wild):
        seen = simulate(constants(model)[name], 4, 200, rivals=[rival("random")])
        shares = np.array(seen.actions) * np.array(seen.decisions)[:, None]
        assert seen.mean_entropy == pytest.approx(0, abs=1e-6)
        assert shares[:, 2].sum() == pytest.approx(0, abs=1e-6)
        assert (shares[:, 0].sum() > 0) == (name == "always fold")
        assert (seen.voluntary > 0) == (name == "always call")


def test_one_who_stays_in_hardly_folds():
    from kibitz.learning import simulate

    for players in (2, 6):
        model = Model.random(Structure(), 1, value_scale=1.0)
        folds = [
            simulate(each, players, 500, rivals=[rival("always-raise")]).actions[0][0]
            for each in (model, staying(model), staying(model, stage=1))
        ]
        assert folds[1] < 0.2 < folds[0]
        assert folds[2] == pytest.approx(folds[0], abs=0.02)  # before the flop it is the model


def test_recorded_deals_teach_what_simulated_ones_do(start):
    """The same cards and actions give the same gradient, but for the order of sums, which is each kernel's own."""
    from kibitz.learning._kernels import running

    other, learning = Model.random(Structure(), seed=2, scale=0.4), replace(QUICK, batch=12, clip=0.0, halving=0.0)
    table = Simulator(start, other, TableRules(), learning, 5)
    run = learning.run(seat_chances(3), seed=5, separate=True, learn_policy=True)
    wanted, told, deals = nothing(), np.zeros((1, TOLD)), []
    for number in range(12):
        lesson = table.seated(run, told, start.flat)
        running.play(number, 1, lesson)
        wanted += lesson.flats[GRADIENT]
        work = lesson.works[0]
        deals.append(RecordedDeal(3, work["cards"].copy(), work["action"][: work["decisions"]].tolist(), number % 3))

    class Recorded(Agents):
        """Hands that have been played before."""

        rules = TableRules()

        def play(self, response, weights, first, hands):
            yield from deals

    replayed = Response(start, Recorded(agents_field("random", "random").table, other), learning)
    replayed.train(12)
    rates = np.repeat([learning.rate, learning.card_rate], np.diff(BEGINNINGS[:3]))
    own = slice(0, int(BEGINNINGS[2]))
    assert abs(wanted[own]).max() > 0.1
    moved = replayed.arrays()["weights"] - start.flat
    np.testing.assert_allclose(moved[own], rates * wanted[own], rtol=1e-9, atol=1e-15)
    assert not moved[BEGINNINGS[2] :].any()
    simulated = Response(start, Copies(other, 3, TableRules()), learning, 5)
    assert replayed.evaluate(12) == simulated.evaluate(12, start.flat, 0)  # the same hands


def test_what_is_decided_in_the_engine_is_what_kernels_decide():
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
    """Learners apart from others, in deals that nobody learns from."""
    from kibitz.learning._kernels import running

    model, rules, players = Model.random(Structure(), 6, 0.5), TableRules(), 4
    table = Simulator(model, start, rules, Learning(), 9)
    run = Learning().run(seat_chances(players), seed=9, separate=True)
    lesson, sums = table.seated(run, np.zeros((1, TOLD)), model.flat), np.zeros((2, styles.COLUMNS))
    running.count_styles(0, 60, lesson, sums)
    seats: list[list] = [[], []]
    net: list[list] = [[], []]
    for number in range(60):
        running.play(number, 1, lesson)
        work = lesson.works[0]
        hole = work["cards"][: 2 * players].reshape(-1, 2).tolist()
        state = State.start(rules.game(players), Deal(tuple(map(tuple, hole)), tuple(work["cards"][20:].tolist())))
        for action in work["action"][: work["decisions"]]:
            state = state.apply(LETTERS[action])
        for seat, style in enumerate(observe_hand(state.game, state.history, state.returns())):
            row = 0 if seat == number % players else 1
            seats[row].append(style)
            net[row].append(state.returns()[seat])
    for row in range(2):
        counts = StyleCounts.of(seats[row], net[row])
        wanted = [
            counts.hands, counts.voluntary, counts.folds, counts.wins, counts.walks, counts.showdowns, counts.free
        ]  # fmt: skip
        assert sums[row, :7].tolist() == wanted
        assert sums[row, styles.SHARES] == pytest.approx(counts.shares.count * counts.shares.mean, abs=1e-4)
        assert sums[row, styles.RAISES : styles.CALLS_SQUARED + 1].tolist() == [*counts.bets_calls]
        assert sums[row, styles.NET] == pytest.approx(sum(net[row]))


FIELDS = {
    "copies": lambda model: Copies(model, 2, TableRules()),
    "blind": lambda model: Blind([rival("random")], 3, TableRules()),
    "agents": lambda model: agents_field("random", observer=model),
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_response_goes_on_to_the_bit(start, field):
    """With threads or without, and however it is cut."""
    learning = replace(QUICK, batch=16, parts=4, window=4.0, halving=100.0)
    whole, part, again = (Response(start, FIELDS[field](start), learning, 4, threads) for threads in (1, 2, 2))
    whole.advance(10)
    part.advance(4)
    again.restore(part.deals, 0.0, {name: array.copy() for name, array in part.arrays().items()})
    again.advance(2)
    again.advance(4)
    for name, array in whole.arrays().items():
        assert np.array_equal(again.arrays()[name], array), name
    assert again.describe() == whole.describe()
    learned = whole.arrays()["weights"]  # card-types, transitions and the rest of the observer are as they were
    assert np.array_equal(learned[BEGINNINGS[2] :], start.flat[BEGINNINGS[2] :])
    assert not np.array_equal(learned[: BEGINNINGS[2]], start.flat[: BEGINNINGS[2]])
    assert np.array_equal(whole.model.flat.view(WEIGHTS)["usage"], start.flat.view(WEIGHTS)["usage"])


def test_what_does_not_fit_is_refused(start):
    with pytest.raises(KibitzError, match="2 opponents: a learner at a table of 2 has 1"):
        AgentTable(load_game("holdem-limit-2p"), [load_agent("random")] * 2)
    with pytest.raises(KibitzError, match="limit hold'em is needed"):
        AgentTable(load_game("holdem-nolimit-2p"), [load_agent("random")])
    with pytest.raises(ModelError, match="different structures"):
        Response(Model.random(Structure(self_aware=True)), Copies(start, 2, TableRules()), QUICK)
    broken = start.copy()
    broken.flat[0] = np.nan
    for field in FIELDS.values():
        with pytest.raises(ModelError, match="not finite"):
            Response(broken, field(start), QUICK).train(64)
