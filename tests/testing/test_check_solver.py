"""Every solver keeps the contract that the package ships, and the contract sees what breaks it."""

import numpy as np
import pytest

from bet_sizing.test_bets_boards import IMPERFECT, SHORT, TREE
from kibitz.bet_sizing import SizeRange, Transformation
from kibitz.bet_sizing.sampled import BoardBets, SampledBets
from kibitz.bet_sizing.vector import VectorBets
from kibitz.deals.bucketed import bucketed_deal
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import exploitability
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, STORED, Options, make_solver
from kibitz.solvers.sampled import STORAGE, ExternalSampling
from kibitz.spots import Spot, SpotCFR, SpotGame, measure_strategy
from kibitz.strategy import Strategy
from kibitz.testing import check_solver, measure_in
from kibitz.tree import build_tree

KUHN, LEDUC = Problem(load_game("kuhn")), Problem(load_game("leduc"))
THREE = Problem(load_game("kuhn-3p"))
ENOUGH = {"chance": 500, "external": 500, "outcome": 4000, "pure": 1000, "pcs": 300}


@pytest.mark.parametrize("problem", [KUHN, LEDUC], ids=["kuhn", "leduc"])
@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "cfr-br-real"])
def test_every_algorithm(algorithm, problem):
    check_solver(
        lambda: make_solver(algorithm, problem, Options(seed=5)),
        measure_in(problem),
        ENOUGH.get(algorithm, 50),
        problem.vector.layout,
    )


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_players_who_move_at_once(algorithm):
    check_solver(lambda: make_solver(algorithm, LEDUC, Options(alternating=False)), measure_in(LEDUC), 60)


@pytest.mark.parametrize("storage", STORAGE)
@pytest.mark.parametrize("kind", STORED)
def test_every_storage(kind, storage):
    made = Options(seed=2, storage=storage)
    check_solver(lambda: make_solver(kind.algorithm, KUHN, made), measure_in(KUHN), ENOUGH[kind.algorithm])


@pytest.mark.parametrize("kind", STORED)
def test_more_than_two_players(kind):
    check_solver(lambda: make_solver(kind.algorithm, THREE, Options(seed=1)), None, 200, THREE.sampled.layout)


def test_boards_with_imperfect_recall():
    compiled = SampledGame(build_tree(SHORT, "all-in"), bucketed_deal(SHORT, IMPERFECT))
    check_solver(lambda: BoardSampled(compiled, 3, "linear"), None, 9, compiled.layout)


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
def test_spots(algorithm):
    compiled = SpotGame(Spot.parse("Qs Jh 2h 8d 3c", 20, 40, "AA:0.5,QJs,T9s,7h6h", "QQ,AQs,KTs,9h8h", "1, all-in"))
    check_solver(
        lambda: SpotCFR(compiled, algorithm, "float64"),
        lambda strategy: measure_strategy(compiled, strategy).exploitability,
        40,
        compiled.layout,
    )


RUNS = {
    "vector": lambda tree, problem: VectorBets(tree, problem.deal, warmup=5),
    "vector, predicted": lambda tree, problem: VectorBets(tree, problem.deal, weighting="pcfr+", warmup=5),
    "sampled": lambda tree, problem: SampledBets(tree, problem.sampled_deal, seed=4),
}


@pytest.mark.parametrize("run", RUNS)
def test_players_who_learn_bet_sizes(run):
    problem = Problem(leduc_nolimit(20, 2), "fcpa")
    tree = Transformation(problem.game, ((SizeRange(0.5, 0.9),), ()), ("all-in", "fcpa")).build()
    check_solver(lambda: RUNS[run](tree, problem), None, 30)


def test_bet_sizes_on_boards():
    deal = bucketed_deal(SHORT, IMPERFECT)
    check_solver(lambda: BoardBets(TREE, deal, seed=4, warmup=2), None, 8)


class Lazy(CFR):
    def step(self, count=1):
        super().step(count)
        self.iteration -= count > 3


class Eager(CFR):
    def step(self, count=1):
        super().step(max(count, 1))
        self.iteration -= count == 0


class Loose(CFR):
    def average_strategy(self):
        found = super().average_strategy()
        return Strategy(found.layout, found.values * 1.01, found.manifest)


class Negative(CFR):
    def average_strategy(self):
        found = super().average_strategy()
        begin, states = found.layout.offset[0], found.layout.states[0]
        values = found.values.copy()
        values[begin : begin + states] -= 2
        values[begin + states : begin + 2 * states] += 2
        return Strategy(found.layout, values, found.manifest)


class Nameless(CFR):
    def average_strategy(self):
        found = super().average_strategy()
        return Strategy(found.layout, found.values, {"algorithm": "cfr+"})


class Forgetful(CFR):
    def restore(self, iteration, arrays):
        super().restore(iteration, {**arrays, "regret": np.zeros_like(arrays["regret"])})


class Behind(CFR):
    def restore(self, iteration, arrays):
        super().restore(iteration - 1, arrays)


class Moody(CFR):
    mood = iter(range(1000))

    def step(self, count=1):
        super().step(count)
        self.regret += 1e-9 * next(self.mood) * bool(count)


class Restarting(CFR):
    def step(self, count=1):
        self.average[...] *= count == 0
        super().step(count)


class Wrong(CFR):
    def average_strategy(self):
        raised = Strategy.always(self.compiled.layout, "r" if self.iteration else "c")
        return Strategy(raised.layout, raised.values, self.manifest())


class Overflowing(CFR):
    def step(self, count=1):
        super().step(count)
        if count:
            self.regret[0] = np.inf


class Secretive(CFR):
    def parameters(self):
        return {**super().parameters(), "weighting": self.weighting}


class Busy(CFR):
    def average_strategy(self):
        found = super().average_strategy()
        self.average[0] += 1.0
        return found


BROKEN = {
    Lazy: "50 steps lead to iteration 49",
    Eager: "no steps change",
    Loose: "miss 1 by 0.01",
    Negative: "a probability of -",
    Nameless: "the manifest tells None iterations",
    Forgetful: "after a checkpoint",
    Behind: "restored, it is at iteration 24",
    Moody: "in several steps",
    Restarting: "in several steps",
    Wrong: "exploitability goes from",
    Overflowing: "regret is not finite",
    Secretive: "cannot be written down",
    Busy: "changes when it is asked for",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_breaks_the_contract_is_seen(kind):
    with pytest.raises(AssertionError, match=BROKEN[kind]):
        check_solver(lambda: kind(LEDUC.vector, "cfr+"), measure_in(LEDUC), 50)


def test_an_exploitability_below_nothing_is_seen():
    def halved(strategy):
        return exploitability(LEDUC.vector, strategy).exploitability - 1.0

    with pytest.raises(AssertionError, match="an exploitability of -0"):
        check_solver(lambda: CFR(LEDUC.vector), halved, 200)


def test_random_numbers_that_go_on_are_seen():
    """A solver that draws from one stream for all its copies is not the same twice."""
    stream = np.random.default_rng(1)

    def make():
        return ExternalSampling(KUHN.sampled, int(stream.integers(1 << 30)))

    with pytest.raises(AssertionError, match="something else"):
        check_solver(make, None, 20)
