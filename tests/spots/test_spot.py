"""Spots against the linear program, the matrix solvers and analytic values."""

from dataclasses import replace
from signal import SIGINT, pthread_kill
from threading import Timer, main_thread

import numpy as np
import pytest

from kibitz.cards import format_cards, parse_cards
from kibitz.equity import Range
from kibitz.errors import FormatError, KibitzError
from kibitz.evaluator import evaluate
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.spots import Rake, Spot, SpotCFR, SpotGame, measure_strategy, solve_spot, walk
from kibitz.spots.compiled import VALUE
from kibitz.spots.endgames import read_ranges
from kibitz.spots.report import inspect
from kibitz.spots.walk import Sums, Walker
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, SHOWDOWN
from spots.plain_spot import plain_form

RIVER = Spot.parse(
    "Qs Jh 2h 8d 3c", 20, 60, "AA:0.5,QJs,T9s,AhKh,7h6h,5s4s", "QQ,JJ:0.25,AQs,KTs,9h8h,Ah5h", "0.5, 1, all-in"
)
TURN = Spot.parse("Qs Jh 2h 8d", 10, 15, "AsAd,QhJc,Th9h,7c6c", "QdQc,AhKh,9s9c:0.5,5s4s", "1, all-in")


def spot_order(spot: Spot, compiled: SpotGame) -> np.ndarray:
    """For every entry of a plain strategy, the entry of the spot's: plain states go by runout and hand."""
    plain, layout = plain_form(spot), compiled.layout
    order = np.empty(plain.layout.size, dtype=np.int64)
    for node in compiled.tree.decisions:
        round_, player = int(compiled.tree.round[node]), int(compiled.tree.player[node])
        place: dict[str, int] = {}
        for b, board in enumerate(compiled.deal.boards[round_]):
            assert len(board.copies) == 1
            runout = format_cards(board.cards[len(spot.board) :])
            for label in compiled.deal.labels(round_, b, player):
                place[f"{runout}|{label}"] = len(place)
        states = np.array([place[label] for label in plain.deal.rounds[round_].labels[player]])
        assert layout.states[node] == len(place) == len(states)
        begin, end = plain.layout.offset[node], plain.layout.offset[node + 1]
        entries = layout.offset[node] + np.arange(int(compiled.tree.children[node]))[:, None] * len(place) + states
        order[begin:end] = entries.ravel()
    return order


def walk_all_pairs(spot: Spot, compiled: SpotGame, strategy: Strategy, player: int) -> np.ndarray:
    """A river spot's values to every hand of a player, by matrices of all pairs of hands: the kernels' plain twin."""
    tree, states = compiled.tree, compiled.deal.states[0]
    hands = [states.hands[p][0, : states.count[0, p]] for p in range(2)]
    weights = [compiled.weights(p)[: len(hands[p])] for p in range(2)]
    strength = [np.array([evaluate((*hand, *spot.board)) for hand in each.tolist()]) for each in hands]
    met = (hands[0][:, None, :, None] != hands[1][None, :, None, :]).all(axis=(2, 3)).astype(float)
    mass = weights[0] @ met @ weights[1]
    wins = met * (strength[0][:, None] > strength[1][None, :])
    ties = met * (strength[0][:, None] == strength[1][None, :])
    loses = met - wins - ties
    if player == 1:
        met, wins, ties, loses = met.T, loses.T, ties.T, wins.T

    def visit(node: int, reach: np.ndarray) -> np.ndarray:
        if tree.kind[node] != DECISION:
            win, tie, lose = spot.payoffs(tuple(tree.spent[node].tolist()), player)
            if tree.kind[node] == SHOWDOWN:
                return (win * wins + tie * ties + lose * loses) @ reach / mass
            return (win if tree.player[node] == player else lose) * met @ reach / mass
        first, chances = int(tree.first_child[node]), strategy.at(node)
        if tree.player[node] == player:
            return sum(chance * visit(first + a, reach) for a, chance in enumerate(chances))
        return sum(visit(first + a, reach * chance) for a, chance in enumerate(chances))

    return visit(0, weights[1 - player])


def random_strategy(compiled: SpotGame, seed: int = 0) -> Strategy:
    sums = np.random.default_rng(seed).random(compiled.layout.size) ** 4
    return Strategy.from_sums(compiled.layout, sums)


@pytest.mark.parametrize("board", ["Qs Jh 2h 8d 3c", "Ts Js Qs Ks As", "7s 7h 7d 2c 2d"])
def test_every_end_is_worth_what_all_pairs_of_hands_say(board):
    """Card removal, ties (a board that plays gives nothing else) and rake, on all hands and on uneven ranges."""
    for one, two in (("random", "random"), ("TT+,AK,98s:0.3", "random, AA:0, 72o:0.5")):
        spot = Spot.parse(board, 30, 90, one, two, ("0.5, all-in", "1"), rake=Rake(0.05, 4))
        compiled = SpotGame(spot)
        strategy = random_strategy(compiled)
        sums = compiled.spread(strategy.values)
        for player in range(2):
            count = int(compiled.deal.counts[0, player])
            values = Walker(compiled, np.float64).walk(player, VALUE, Sums(sums, sums, sums), np.zeros((1, 4)))
            assert values[:count] == pytest.approx(
                walk_all_pairs(spot, compiled, strategy, player), rel=1e-9, abs=1e-12
            )
            assert (values[count:] == 0).all()


def test_single_precision_is_near():
    spot = Spot.parse("Qs Jh 2h 8d 3c", 30, 90, "random", "random", "0.5, all-in")
    compiled = SpotGame(spot)
    sums = compiled.spread(random_strategy(compiled).values)
    exact = Walker(compiled, np.float64).walk(0, VALUE, Sums(sums, sums, sums), np.zeros((1, 4)))
    short = sums.astype(np.float32)
    near = Walker(compiled, np.float32).walk(0, VALUE, Sums(short, short, short), np.zeros((1, 4)))
    assert near == pytest.approx(exact, abs=2e-6 * np.abs(exact).max())


@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_an_exact_equilibrium_measures_as_one(spot):
    """The linear program knows nothing of boards or strengths: it lists every pair of hands and every card."""
    exact = solve_lp(plain_form(spot))
    compiled = SpotGame(spot)
    order = spot_order(spot, compiled)
    values = np.empty(compiled.layout.size)
    values[order] = exact.strategy.values
    measure = measure_strategy(compiled, Strategy(compiled.layout, values))
    assert measure.values[0] == pytest.approx(exact.value + spot.pot / 2, abs=1e-9)
    assert sum(measure.values) == pytest.approx(spot.pot, abs=1e-9)
    assert measure.exploitability == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_random_strategies_measure_as_in_the_plain_form(spot):
    plain, compiled = plain_form(spot), SpotGame(spot)
    strategy = random_strategy(compiled)
    twin = Strategy(plain.layout, strategy.values[spot_order(spot, compiled)])
    measure = measure_strategy(compiled, strategy)
    half = spot.pot / 2
    assert measure.values == pytest.approx([value + half for value in expected_values(plain, twin)], abs=1e-9)
    assert measure.responses == pytest.approx([v + half for v in exploitability(plain, twin).responses], abs=1e-9)


def test_the_river_is_solved_to_the_value_of_the_linear_program():
    solver = SpotCFR(SpotGame(RIVER), "cfr+", "float64")
    solver.step(150_000)
    measure = solver.measure()
    assert measure.exploitability < 1e-6
    assert measure.values[0] == pytest.approx(solve_lp(plain_form(RIVER)).value + RIVER.pot / 2, abs=1e-6)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "linear", "dcfr"])
def test_iterations_are_those_of_the_matrix_solver(algorithm):
    plain, compiled = plain_form(RIVER), SpotGame(RIVER)
    solver, twin = SpotCFR(compiled, algorithm, "float64"), CFR(plain, algorithm)
    for _ in range(2):
        solver.step(4)
        twin.step(4)
    ours = solver.average_strategy().values[spot_order(RIVER, compiled)]
    assert ours == pytest.approx(twin.average_strategy().values, abs=1e-9)


@pytest.mark.parametrize("algorithm", ["cfr+", "linear", "dcfr"])
def test_the_turn_converges_to_the_value_of_the_linear_program(algorithm):
    value = solve_lp(plain_form(TURN)).value + TURN.pot / 2
    solver = SpotCFR(SpotGame(TURN), algorithm, "float64")
    *_, last = solve_spot(solver, accuracy=5e-3, iterations=2000)
    assert last.measure.exploitability <= 5e-3
    assert last.measure.values[0] == pytest.approx(value, abs=1e-2)


FLOP = Spot.parse("Qs Jh 2h", 10, 40, "AsAd,QhJc,Th9h,7c6c", "QdQc,AhKh,9s9c:0.5,5s4s", "0.5, 1, all-in")


@pytest.mark.parametrize(("spot", "iterations"), [(TURN, 5), (FLOP, 2)], ids=["turn", "flop"])
def test_threads_change_no_bit(spot, iterations, monkeypatch):
    monkeypatch.setattr(walk, "PAIRS_PER_THREAD", 1)
    compiled, arrays = SpotGame(spot), []
    for threads in (1, 2, 5):
        solver = SpotCFR(compiled, "dcfr", threads=threads)
        solver.step(iterations)
        arrays.append((solver.regret, solver.average, np.array(solver.measure().responses)))
        dealt = [3, compiled.deal.boards[1][3].children[0]][: compiled.deal.rounds - 1]
        arrays[-1] += solver.walker.look(0, solver.average, compiled.tree.decisions[-1], dealt)
    for other in arrays[1:]:
        assert all(np.array_equal(one, two) for one, two in zip(arrays[0], other, strict=True))


def test_small_spots_take_few_threads():
    assert SpotCFR(SpotGame(RIVER), threads=16).walker.threads == 1
    assert SpotCFR(SpotGame(TURN), threads=16).walker.threads == 1
    wide = Spot.parse("Qs Jh 2h 8d", 100, 100, "random", "random", "all-in", 2)
    assert SpotCFR(SpotGame(wide), threads=6).walker.threads == 6


@pytest.mark.parametrize("board", ["Qs Jh 2h", "9s 9h 9d"])
def test_merging_suits_loses_nothing(board):
    """The same iterations on fewer boards: values and best responses agree to rounding."""
    ranges = "AKs,TT:0.5,98s"
    measures, boards = [], []
    for merged in (True, False):
        spot = Spot(parse_cards(board), 10, (10, 10), (Range.parse(ranges), Range.parse("KQs,JJ,AQs")), "1", 1)
        compiled = SpotGame(replace(spot, suits_merged=merged))
        boards.append(len(compiled.deal.boards[-1]))
        solver = SpotCFR(compiled, "cfr", "float64", threads=2)
        solver.step(6)
        measures.append(solver.measure())
    assert boards[0] < 0.7 * boards[1]
    assert measures[0].values == pytest.approx(measures[1].values, abs=1e-9)
    assert measures[0].responses == pytest.approx(measures[1].responses, abs=1e-9)
    assert sum(measures[0].values) == pytest.approx(10, abs=1e-9)


def test_a_flop_solved_is_exploitable_for_little():
    spot = Spot.parse("Qs Jh 2h", 10, 20, "AA,AhKh,Th9h", "QQ,AhQh,8h7h", "1")
    *_, last = solve_spot(SpotCFR(SpotGame(spot)), accuracy=0.05, iterations=300)
    assert last.measure.exploitability <= 0.05


# Analytic values: nothing is solved.


def measured(spot: Spot) -> tuple[float, float]:
    """What uniform play is worth to both."""
    walker = Walker(SpotGame(spot), np.float64)
    nothing = np.zeros(walker.compiled.size)
    return walker.value(0, VALUE, nothing), walker.value(1, VALUE, nothing)


def test_uniform_play_of_one_bet_on_the_river():
    """OOP bets half the pot half the time and is called half the time: 0.5 * 30 + 0.25 * 60 + 0.25 * 30."""
    bets = Spot.parse("Td 9d 6h", 60, 970, "random", "random", (" | | 0.5", ""))
    assert measured(bets) == pytest.approx((37.5, 22.5), abs=1e-9)
    checks = Spot.parse("Td 9d 6h 2c", 60, 970, "random", "random", "")
    assert measured(checks) == pytest.approx((30, 30), abs=1e-9)


@pytest.mark.parametrize(("share", "left"), [(0.0, 60.0), (0.05, 57.0), (0.5, 50.0)])
def test_who_always_wins_wins_the_pot_less_the_rake(share, left):
    spot = Spot.parse("Ac Ad Kh 2s", 60, 970, "AA", "QQ,JJ,98s", "1, all-in", rake=Rake(share, 10))
    solver = SpotCFR(SpotGame(spot), "dcfr", "float64")
    solver.step(60)
    assert solver.measure().values == pytest.approx((left, 0), abs=0.5)
    assert measured(replace(spot, menus="")) == pytest.approx((left, 0), abs=1e-9)
    ties = Spot.parse("2c 6d Th", 60, 970, "AA", "AA", "", rake=Rake(share, 10))
    assert measured(ties) == pytest.approx((left / 2, left / 2), abs=1e-9)


def test_a_bluff_catcher_river():
    """Nuts or air against a bluff-catcher (Kuhn-like): a pot bet, one bluff for two value bets, calls half the time."""
    spot = Spot.parse("2s 3h 4d 9c Tc", 20, 90, "AsAh,JsQh", "KsKh", ("1", ""))  # air cannot win, nuts cannot lose
    solver = SpotCFR(SpotGame(spot), "cfr+", "float64")
    solver.step(20_000)
    decision = inspect(solver)
    bets = dict(zip(decision.hands[0].labels, decision.strategy[1], strict=True))
    assert bets["AsAh"] == pytest.approx(1, abs=1e-2)
    assert bets["QhJs"] == pytest.approx(1 / 2, abs=1e-2)
    calls = inspect(solver, "r20").strategy[1]
    assert calls == pytest.approx([1 / 2], abs=1e-2)
    assert solver.measure().values == pytest.approx((15, 5), abs=1e-2)  # half the time nuts: 20 + 20 / 2; air: 0


def test_a_short_stack_may_still_go_all_in():
    tree = Spot.parse("2s 3h 4d 9c Tc", 21, 3, "AA", "KK", "1, all-in", 5).tree
    assert tree.actions == ("", "c", "r3", "c", "r3", "f", "c", "f", "c")


def test_an_interrupted_walk_leaves_its_scratch_in_order(monkeypatch):
    monkeypatch.setattr(walk, "PAIRS_PER_THREAD", 1)
    solver = SpotCFR(SpotGame(FLOP), threads=2)
    solver.step(0)
    Timer(0.2, pthread_kill, (main_thread().ident, SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        solver.step(1_000_000)
    solver.step(1)
    assert sum(solver.measure().values) == pytest.approx(10, abs=1e-4)


def test_rake_is_measured_per_player():
    spot = replace(RIVER, rake=Rake(0.1, 3))
    *_, last = solve_spot(SpotCFR(SpotGame(spot)), iterations=400, every=400)
    measure = last.measure
    assert spot.pot - 3 - 1e-6 <= sum(measure.values) <= spot.pot - 0.1 * spot.pot + 1e-6
    assert all(gain >= -1e-4 for gain in measure.gains)
    assert measure.exploitability == pytest.approx(sum(measure.gains) / 2)
    assert measure.exploitability < 0.05


def test_unequal_stacks_are_the_smaller_one():
    spot = replace(RIVER, stacks=(500, 60))
    assert spot.tree.fingerprint == RIVER.tree.fingerprint


@pytest.mark.parametrize(("history", "dealt"), [("", ""), ("r20", ""), ("cr10", "")])
def test_a_decision_is_told_as_all_pairs_of_hands_tell_it(history, dealt):
    compiled = SpotGame(RIVER)
    solver = SpotCFR(compiled, "dcfr", "float64")
    solver.step(30)
    decision = inspect(solver, history, dealt)
    pot = decision.pot
    assert sum(hands.mean(hands.values) for hands in decision.hands) == pytest.approx(pot, abs=1e-6)
    assert sum(hands.mean(hands.equities) for hands in decision.hands) == pytest.approx(1, abs=1e-9)
    assert sum(decision.frequencies) == pytest.approx(1)
    hands, others = decision.hands
    for label, equity in zip(hands.labels, hands.equities, strict=True):
        cards = parse_cards(label)
        shares = total = 0.0
        for other, reach in zip(others.cards.tolist(), others.reach, strict=True):
            if not set(cards) & set(other):
                mine, theirs = evaluate((*cards, *RIVER.board)), evaluate((*other, *RIVER.board))
                shares += reach * ((mine > theirs) + (mine == theirs) / 2)
                total += reach
        assert equity == pytest.approx(shares / total)
    if not history:
        assert hands.mean(hands.values) == pytest.approx(solver.measure().values[0])


@pytest.mark.parametrize(
    ("board", "history", "dealt"),
    [("Qs Jh 2h 8d", "cc", "5h"), ("Qs Jh 2h", "cc", "5h"), ("Qs Jh 2h", "cr10c/cc/", "5h3c")],
)
def test_decisions_of_later_rounds_continue_those_before(board, history, dealt):
    """The value of a later decision is that of the spot that begins there with the ranges that come there."""
    spot = Spot.parse(board, 10, 20, "AA,AhKh,Th9h", "QQ,AhQh,8h7h", "1", 1)
    solver = SpotCFR(SpotGame(spot), "dcfr", "float64")
    solver.step(20)
    decision = inspect(solver, history, dealt)
    assert sum(hands.mean(hands.values) for hands in decision.hands) == pytest.approx(decision.pot, abs=1e-6)
    assert sum(hands.mean(hands.equities) for hands in decision.hands) == pytest.approx(1, abs=1e-9)
    assert decision.board == spot.board + parse_cards(dealt)
    child = inspect(solver, history + "c", dealt)
    value = 0.0
    weights = decision.hands[0].weights
    for action, row in zip(decision.actions, decision.strategy, strict=True):
        after = inspect(solver, history + action, dealt)
        met = dict(zip(after.hands[0].labels, after.hands[0].values, strict=True))
        paid = int(action[1:]) - (spot.tree.spent[spot.tree.find(history)][0]) if action[0] == "r" else 0
        gains = np.array([met[label] for label in decision.hands[0].labels]) - paid
        value += float((weights * row * np.nan_to_num(gains)).sum())
    assert child.player == 1
    assert value / weights.sum() == pytest.approx(decision.hands[0].mean(decision.hands[0].values), abs=1e-6)


def test_strategies_travel():
    compiled = SpotGame(TURN)
    solver = SpotCFR(compiled, "cfr+", "float64")
    solver.step(7)
    strategy = solver.average_strategy()
    assert strategy.manifest["iterations"] == 7
    assert compiled.gather(compiled.spread(strategy.values)) == pytest.approx(strategy.values)
    assert measure_strategy(compiled, strategy).values == pytest.approx(solver.measure().values)
    other = SpotCFR(compiled, "cfr+", "float64")
    other.restore(7, {name: array.copy() for name, array in solver.arrays().items()})
    for each in (solver, other):
        each.step(3)
    assert np.array_equal(solver.regret, other.regret)


def test_words_of_actions():
    solver = SpotCFR(SpotGame(TURN))
    solver.step(2)
    assert inspect(solver).words == ("check", "bet 10", "all-in 15")
    assert inspect(solver, "r10").words == ("fold", "call 10", "all-in 15")
    assert inspect(solver, "r10c/", "5h").words == ("check", "all-in 5")


def test_libratus_end_game_2(data):
    """Turn, pot 4,780, stacks 20,000 each before: to half a per cent of the pot with half, whole pots and all-in."""
    ranges = read_ranges(data / "endgames" / "libratus-endgame2.txt")
    spot = Spot(parse_cards("Ts6hAh7c"), 4780, (20_000 - 2390,) * 2, ranges, "0.5, 1, all-in", 100)
    *_, last = solve_spot(SpotCFR(SpotGame(spot), threads=2), accuracy=0.005 * 4780, iterations=300)
    assert last.measure.exploitability <= 0.005 * 4780
    assert sum(last.measure.values) == pytest.approx(4780, rel=1e-5)


def test_reach_files_that_are_none(tmp_path):
    path = tmp_path / "reach.txt"
    for text, message in (("0.5 x", "numbers"), ("0.5 " * 10, "10 numbers"), ("0 " * 2652, "no hands")):
        path.write_text(text)
        with pytest.raises(FormatError, match=message):
            read_ranges(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pot": 0}, "at least 1 chip"),
        ({"stacks": (0, 10)}, "at least 1 chip"),
        ({"min_bet": 0}, "at least 1 chip"),
        ({"board": (1, 1, 2)}, "different cards"),
    ],
)
def test_spots_that_cannot_be_are_refused(change, message):
    with pytest.raises(KibitzError, match=message):
        replace(RIVER, **change)


def test_other_errors():
    with pytest.raises(KibitzError, match=r"rake of 1\.5"):
        Rake(1.5)
    with pytest.raises(KibitzError, match="one of cfr, cfr\\+, linear, dcfr"):
        SpotCFR(SpotGame(RIVER), "pcfr+")
    solver = SpotCFR(SpotGame(TURN))
    solver.step(1)
    with pytest.raises(KibitzError, match="the hand is over"):
        inspect(solver, "r15c")
    with pytest.raises(KibitzError, match="1 cards have been dealt to the board: 0 are given"):
        inspect(solver, "cc")


def test_what_does_not_fit_is_refused_with_the_numbers():
    spot = Spot.parse("Qs Jh 2h", 10, 1000, "random", "random", "0.5, 1, 2, all-in", 1)
    with pytest.raises(KibitzError, match=r"betting nodes on 1,429 boards and needs .* to solve, there are"):
        SpotCFR(SpotGame(spot))
