"""No-limit Kuhn poker on half a street, in closed form: every equilibrium of player 2 and what it loses to any bet.

Player 2 holds a jack, a queen or a king and calls a bet of s pots with probabilities j, q, k. What player 1 gains by
betting s rather than checking, in sixths of a pot, is

    with a king   s (q + j)
    with a queen  (1 - k) - k s + s j
    with a jack   2 - (1 + s)(k + q)

Player 2's equilibria of the game with sizes A and n (all-in) are the calls that keep the sum of the positive gains at
its minimum g: A (1 - A) / (1 + A) for A < 1, where they are unique at A (k = 1, q = (1 - A) / (1 + A), j = 0), and 0
from A = 1 on (Chen and Ankenman 2006). At every other size they need only keep a king's gain at or below g and those of
a queen and a jack at or below 0: three inequalities, and a small polytope.

Calls are float64[..., 3]: jack, queen, king. Sizes and bets are in pots.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from kibitz.translation.mappings import Mapping

Floats = npt.NDArray[np.float64]
JACK, QUEEN, KING = range(3)


def least_gain(size: float) -> float:
    """What player 1 gains in equilibrium where he may bet only `size` or at least 1 pot, in sixths of a pot."""
    return size * (1 - size) / (1 + size) if size < 1 else 0.0


def grid(stack: int) -> Floats:
    """The bets of the full game: 0.1 to `stack`."""
    return np.arange(1, 10 * stack + 1) / 10


def full_value(stack: int) -> float:
    """What the full game is worth to player 1, in pots: the best single size."""
    return max(map(least_gain, grid(stack).tolist())) / 6


def calls_of_size(size: Floats) -> Floats:
    """Player 2's calls of the size beside the all-in, float64[..., 3]: the only equilibrium for a size below 1 pot.

    From 1 pot on the king need not always call; here, as in the paper's results (see `kuhn`), it does.
    """
    queen = np.maximum((1 - size) / (1 + size), 0.0)
    return np.stack([np.zeros_like(queen), queen, np.ones_like(queen)], axis=-1)


def gains(bets: Floats, calls: Floats) -> Floats:
    """What player 1 gains by each bet with each card, in sixths of a pot: float64[..., 3]."""
    jack, queen, king = np.moveaxis(calls, -1, 0)
    of_king, of_queen = bets * (queen + jack), 1 - king - king * bets + bets * jack
    return np.stack([2 - (1 + bets) * (king + queen), of_queen, of_king], axis=-1)


def translated(stack: int, sizes: Floats, mapping: Mapping) -> tuple[Floats, Floats, Floats]:
    """How likely every bet of the grid is translated to a check, the size and the all-in: three float64[sizes, bets].

    A size equal to the stack is the all-in; then the third is 0 and the second stands for both.
    """
    bets, size = grid(stack)[None, :], sizes[:, None]
    small = bets <= size + 1e-9
    above = np.where(small, size, float(stack))
    share = mapping(bets, np.where(small, 0.0, np.minimum(size, stack - 0.01)), above)
    share = np.where(np.abs(bets - above) < 1e-9, 0.0, share)  # on the menu, whatever the mapping does there
    return np.where(small, share, 0.0), np.where(small, 1 - share, share), np.where(small, 0.0, 1 - share)


def exploitabilities(stack: int, sizes: Floats, at_size: Floats, at_all_in: Floats, mapping: Mapping) -> Floats:
    """Player 2's exploitability in the full game for each abstraction {check, size, all-in}, in pots: float64[sizes].

    at_size, at_all_in  float64[sizes, 3], the calls at the two sizes; a bet that is translated to a check is called
    """
    check, size, all_in = translated(stack, sizes, mapping)
    bets = grid(stack)[None, :]
    calls = [check + size * at_size[:, card, None] + all_in * at_all_in[:, card, None] for card in range(3)]
    total = np.maximum(gains(bets, np.stack(calls, axis=-1)).max(axis=1), 0.0).sum(axis=-1)
    return np.asarray(total / 6 - full_value(stack))


def open_calls(size: float, gain: float) -> tuple[Floats, Floats]:
    """The calls that an equilibrium allows at a size that need not be bet: matrix @ calls <= limits.

    gain  what player 1 gains elsewhere, in sixths of a pot
    """
    matrix = np.array([[size, size, 0.0], [0.0, -1 - size, -1 - size], [size, 0.0, -1 - size]])
    matrix = np.vstack([matrix, np.eye(3), -np.eye(3)])
    return matrix, np.array([gain, -2.0, -1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0])


def vertices(matrix: Floats, limits: Floats) -> Floats:
    """The corners of {x: matrix x <= limits}, a bounded polytope in few dimensions: float64[corners, dimensions]."""
    found: list[Floats] = []
    for rows in map(list, combinations(range(len(limits)), matrix.shape[1])):
        if abs(np.linalg.det(matrix[rows])) > 1e-12:
            corner: Floats = np.asarray(np.linalg.solve(matrix[rows], limits[rows]), dtype=np.float64)
            if (matrix @ corner <= limits + 1e-9).all() and not any(np.allclose(corner, other) for other in found):
                found.append(corner)
    return np.array(found)


class Equilibria:
    """All equilibria of player 2 in the game with the sizes {check, size, all-in}.

    A linear map takes the free numbers (the calls that are not unique) to calls at the size and at the all-in.
    """

    def __init__(self, stack: int, size: float) -> None:
        self.stack, self.size = stack, size
        gain = least_gain(size)
        free = sorted({size, float(stack)} if size >= 1 else {float(stack)})
        polytopes = [open_calls(s, gain) for s in free]
        self.limits = np.concatenate([limits for _matrix, limits in polytopes])
        self.matrix = np.zeros((len(self.limits), 3 * len(polytopes)))
        for number, (matrix, limits) in enumerate(polytopes):
            rows = slice(number * len(limits), (number + 1) * len(limits))
            self.matrix[rows, 3 * number : 3 * number + 3] = matrix
        self._corners = [vertices(*polytope) for polytope in polytopes]

    def corners(self) -> tuple[Floats, Floats]:
        """The corners of the set: calls at the size and at the all-in, float64[corners, 3] each."""
        unique = calls_of_size(np.array(self.size))[None, :]
        parts = [unique, *self._corners] if self.size < 1 else self._corners
        if len(parts) == 1:
            return parts[0], parts[0]
        first, second = np.repeat(parts[0], len(parts[1]), axis=0), np.tile(parts[1], (len(parts[0]), 1))
        return first, second

    def highest(self, mapping: Mapping) -> float:
        """The greatest exploitability: it is convex, so a corner has it."""
        at_size, at_all_in = self.corners()
        sizes = np.full(len(at_size), self.size)
        return float(exploitabilities(self.stack, sizes, at_size, at_all_in, mapping).max())

    def lowest(self, mapping: Mapping) -> float:
        """The least exploitability, by linear programming: the least sum of bounds above all gains with each card."""
        bets = grid(self.stack)
        check, size, all_in = (share[0] for share in translated(self.stack, np.array([self.size]), mapping))
        base = check[:, None] * np.ones(3)
        if self.size < 1:
            base = base + size[:, None] * calls_of_size(np.array(self.size))
            shares = [all_in]
        else:
            shares = [size, all_in][: len(self._corners)]
        rows, limits = [], []
        constant = gains(bets, base)
        for card in range(3):
            columns = []
            for share in shares:
                for call in range(3):
                    unit = np.zeros(3)
                    unit[call] = 1.0
                    columns.append((gains(bets, base + share[:, None] * unit) - constant)[:, card])
            bound = np.zeros((len(bets), 3))
            bound[:, card] = -1.0
            rows.append(np.column_stack([*columns, bound]))
            limits.append(-constant[:, card])
        upper = np.vstack([np.hstack([self.matrix, np.zeros((len(self.limits), 3))]), *rows])
        free = self.matrix.shape[1]
        cost = np.concatenate([np.zeros(free), np.ones(3)])
        result = linprog(cost, upper, np.concatenate([self.limits, *limits]), bounds=[(0, None)] * (free + 3))
        assert result.success, result.message
        return float(result.fun) / 6 - full_value(self.stack)
