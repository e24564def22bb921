"""Linear programs reduced by equitable partitions: the same optimum as the whole, for every variable and constraint."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from kibitz.deals import matrix_deal
from kibitz.games import Game, load_game
from kibitz.games.named import leduc_nolimit
from kibitz.solvers import linear_program
from kibitz.solvers.compiled.sequences import sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.linear_program import Classes, LinearProgram, equitable_partition
from kibitz.solvers.sequence_lp import plan_program, solve_lp
from kibitz.strategy import Strategy
from kibitz.tree import build_tree
from solvers.functionals import functional_range


def make_form(game: Game, suits_merged: bool) -> VectorGame:
    return VectorGame(build_tree(game), matrix_deal(game, suits_merged))


def make_program(game: Game, suits_merged: bool, player: int = 0) -> LinearProgram:
    return plan_program(sequence_form(make_form(game, suits_merged)), player)


def plain_partition(matrix: np.ndarray, rows: list, columns: list) -> tuple[list[int], list[int]]:
    """Colour refinement with multisets and no hashes; classes are numbered as they are first met."""
    while True:
        finer_rows = numbered([(r, entries(line, columns)) for r, line in zip(rows, matrix, strict=True)])
        finer_columns = numbered([(c, entries(line, finer_rows)) for c, line in zip(columns, matrix.T, strict=True)])
        if (finer_rows, finer_columns) == (rows, columns):
            return rows, columns
        rows, columns = finer_rows, finer_columns


def entries(line: np.ndarray, colours: list) -> frozenset:
    return frozenset(Counter((value, colours[j]) for j, value in enumerate(line) if value).items())


def numbered(keys: list) -> list[int]:
    number: dict = {}
    return [number.setdefault(key, len(number)) for key in keys]


def trivial_partition(matrix: sparse.csr_array, _rows, _columns) -> tuple[Classes, Classes]:
    first, second = (Classes(np.arange(n), np.ones(n, dtype=np.int64), np.arange(n)) for n in matrix.shape)
    return first, second


def repeated_matrix(rng: np.random.Generator) -> np.ndarray:
    """A matrix with symmetries: circulant blocks, some of them alike, in a random order."""
    size = int(rng.integers(1, 5))
    shifts = (np.arange(size)[:, None] + np.arange(size)) % size
    blocks = rng.integers(-1, 3, (3, 4, size))[..., shifts]
    matrix = blocks.swapaxes(1, 2).reshape(3 * size, 4 * size).astype(float)
    return matrix[rng.permutation(len(matrix))][:, rng.permutation(matrix.shape[1])]


@pytest.mark.parametrize("seed", range(40))
def test_the_partition_is_that_of_plain_colour_refinement(seed):
    rng = np.random.default_rng(seed)
    matrix = repeated_matrix(rng)
    seeds = [rng.choice([-0.0, 0.0, 1.0], n, p=[0.3, 0.6, 0.1]) for n in matrix.shape]
    rows, columns = equitable_partition(sparse.csr_array(matrix), (seeds[0],), (seeds[1],))
    wanted = plain_partition(matrix, *(list(map(float, colours)) for colours in seeds))
    assert (rows.of.tolist(), columns.of.tolist()) == wanted
    for classes in (rows, columns):
        np.testing.assert_array_equal(classes.of[classes.first], np.arange(len(classes.first)))
        np.testing.assert_array_equal(np.bincount(classes.of), classes.members)


def test_every_seed_parts():
    matrix = sparse.csr_array(np.ones((2, 3)))
    rows, columns = equitable_partition(matrix, (np.zeros(2),), (np.array([0.0, 0.0, 1.0]), np.array([0.0, 2.0, 2.0])))
    assert rows.of.tolist() == [0, 0]
    assert columns.of.tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(30))
def test_a_reduced_program_has_the_optimum_of_the_whole(seed):
    # Bounded because costs are positive, feasible because (1, 1, ..., 1) meets every limit.
    rng = np.random.default_rng(seed)
    matrix = repeated_matrix(rng)
    m, n = matrix.shape
    uppers = int(rng.integers(0, m + 1))
    limits = matrix.sum(axis=1)
    least = np.where(rng.random(n) < 0.15, -1.0, 0.0)
    program = LinearProgram(np.ones(n), sparse.csr_array(matrix), limits, uppers, least)
    optimum, whole = program.solve(), program._run()
    assert optimum.cost == pytest.approx(whole.fun, abs=1e-9)
    assert optimum.cost == pytest.approx(program.cost @ optimum.variables, abs=1e-9)
    assert (optimum.variables > least - 1e-9).all()
    left = matrix @ optimum.variables - limits
    assert (left[:uppers] < 1e-9).all()
    np.testing.assert_allclose(left[uppers:], 0, atol=1e-9)
    # The multipliers prove it: they are a solution of the dual program, worth as much.
    spare = program.cost - matrix.T @ optimum.multipliers
    assert optimum.cost == pytest.approx(limits @ optimum.multipliers + least @ spare, abs=1e-9)
    assert (optimum.multipliers[:uppers] < 1e-9).all()
    assert (spare > -1e-9).all()


def classes_of(program: LinearProgram) -> tuple[int, int]:
    meets = (np.arange(len(program.limits)) >= program.uppers).astype(float)
    rows, columns = equitable_partition(program.matrix, (program.limits, meets), (program.cost, program.least))
    return len(rows.first), len(columns.first)


@pytest.mark.parametrize("game", [load_game("leduc"), leduc_nolimit(4)])
@pytest.mark.parametrize("player", [0, 1])
def test_suits_are_found_without_being_told_of(game, player):
    merged, kept = make_program(game, True, player), make_program(game, False, player)
    assert classes_of(kept) == merged.matrix.shape
    assert classes_of(merged) == merged.matrix.shape
    assert kept.matrix.shape > merged.matrix.shape


PROGRAMS = {
    "kuhn": lambda: make_program(load_game("kuhn"), True),
    "leduc": lambda: make_program(load_game("leduc"), True),
    "leduc, suits kept": lambda: make_program(load_game("leduc"), False),
    "leduc, suits kept, second player": lambda: make_program(load_game("leduc"), False, player=1),
    "leduc, four chips, suits kept": lambda: make_program(leduc_nolimit(4), False),
    "leduc, unequal stacks": lambda: make_program(replace(leduc_nolimit(4), stacks=(3, 5)), False),
    "clairvoyance": lambda: make_program(load_game("clairvoyance"), True),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_games_are_worth_as_much_when_reduced(name):
    program = PROGRAMS[name]()
    assert program.solve().cost == pytest.approx(program._run().fun, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc, suits kept"])
def test_payoffs_at_random_leave_nothing_to_reduce(name):
    program = PROGRAMS[name]()
    matrix = program.matrix.copy()
    payoffs = np.abs(matrix.data) != 1.0
    matrix.data[payoffs] *= np.random.default_rng(7).random(payoffs.sum())
    random = replace(program, matrix=matrix)
    assert classes_of(random) == matrix.shape
    assert random.solve().cost == pytest.approx(random._run().fun, abs=1e-9)


def queens(compiled: VectorGame, player: int) -> list[int]:
    """The states of the two queens in the first round."""
    return [compiled.deal.rounds[0].labels[player].index(card) for card in ("Qs", "Qh")]


def test_solutions_are_symmetric():
    compiled = make_form(load_game("leduc"), suits_merged=False)
    solution = solve_lp(compiled)
    assert solution.value == pytest.approx(-0.085606424078, abs=1e-9)
    one, other = solution.strategy.at(0)[:, queens(compiled, 0)].T
    np.testing.assert_array_equal(one, other)


def calls(compiled: VectorGame, state: int) -> np.ndarray:
    """The functional that reads how often the second player calls the first raise."""
    functional = np.zeros(compiled.layout.size)
    Strategy(compiled.layout, functional).at(compiled.tree.find("r"))[1, state] = 1.0
    return functional


def test_functionals_that_tell_suits_apart_keep_their_range(monkeypatch):
    # A symmetric plan calls as often with one queen as with the other, but not every optimal plan does.
    compiled = make_form(load_game("leduc"), suits_merged=False)
    value = solve_lp(compiled).value
    one, other = (calls(compiled, state) for state in queens(compiled, 1))
    functionals = (one, one - other, one + other)
    reduced = [functional_range(compiled, 1, functional, value=value) for functional in functionals]
    assert reduced[1] == pytest.approx((-0.04679, 0.04679), abs=1e-4)
    monkeypatch.setattr(linear_program, "equitable_partition", trivial_partition)
    whole = [functional_range(compiled, 1, functional, value=value) for functional in functionals]
    np.testing.assert_allclose(reduced, whole, atol=1e-7)
