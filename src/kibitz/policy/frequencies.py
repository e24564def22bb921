"""Fixed frequencies: players that never look at their cards, whose whole behaviour is one array."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.games import Game, Legal, State
from kibitz.policy.base import Action, Cards, Floats, Policy, fingerprint_of, free_hands

if TYPE_CHECKING:
    from kibitz.policy.beliefs import Chances
    from kibitz.policy.hands import HandPolicy
    from kibitz.tree import Tree

# The columns of a table. A pot fraction x means: call, then add x times the pot after the call.
MOVES = ("fold", "call", "min", "half-pot", "pot", "all-in", "any")
FOLD, CALL, MIN, HALF_POT, POT, ALL_IN, ANY = range(len(MOVES))


def legal_policy(row: Sequence[float], legal: Legal) -> list[float]:
    """`row` with the frequencies of impossible moves set to zero."""
    weights = [float(weight) for weight in row]
    if not legal.fold:
        weights[FOLD] = 0.0
    if not legal.max_raise_to:
        weights[MIN:] = [0.0] * (len(MOVES) - MIN)
    return weights


def choose_move(weights: Sequence[float], chance: float) -> int:
    """The move at `chance` (in [0, 1)) of the cumulative `weights`; calling when none is possible."""
    total = 0.0
    for weight in weights:
        total += weight
    if total <= 0.0:
        return CALL
    target = chance * total
    sum_ = 0.0
    last = CALL
    for move, weight in enumerate(weights):
        if weight > 0.0:
            sum_ += weight
            last = move
            if target < sum_:
                return move
    return last


def fixed_size(move: int, state: State, legal: Legal) -> int:
    """Chips to raise to, over the whole hand, by a move that has one size."""
    low, high = legal.min_raise_to, legal.max_raise_to
    if move == MIN:
        return low
    if move == ALL_IN:
        return high
    pot_after_call = state.pot + state.to_call
    size = state.bet + (pot_after_call // 2 if move == HALF_POT else pot_after_call)
    return min(max(size, low), high)


class FrequencyPolicy(Policy):
    """Each move with a fixed frequency per round, one row when facing a bet and one when not.

    table : float64[rounds or 1, 2, 7], rows (free to check, facing a bet), columns `MOVES`; a table of one round serves
            for all. Frequencies of moves that are not possible are shared among the others.
    """

    blind = True

    def __init__(self, table: Sequence[Sequence[Sequence[float]]] | np.ndarray, name: str = "frequencies") -> None:
        self.table = np.asarray(table, dtype=np.float64)
        if self.table.ndim != 3 or self.table.shape[1:] != (2, len(MOVES)):
            raise AgentError(f"a table of shape {self.table.shape}: (rounds or 1, 2, {len(MOVES)}) is needed")
        if not np.isfinite(self.table).all() or (self.table < 0).any():
            raise AgentError("frequencies must be finite and not negative")
        self.name = name
        self.draws_sizes = bool(self.table[..., ANY].any())
        self.fingerprint = fingerprint_of("frequencies", self.table)

    @classmethod
    def of(cls, name: str, free: Mapping[str, float], facing: Mapping[str, float]) -> FrequencyPolicy:
        """The same frequencies, by name of the move, in all rounds."""
        unknown = (set(free) | set(facing)) - set(MOVES)
        if unknown:
            raise AgentError(f"unknown moves {', '.join(sorted(unknown))}; known: {', '.join(MOVES)}")
        return cls([[[row.get(move, 0.0) for move in MOVES] for row in (free, facing)]], name)

    def check(self, game: Game) -> None:
        if len(self.table) not in (1, game.rounds):
            raise AgentError(f"{self.name} has frequencies for {len(self.table)} rounds; the game has {game.rounds}")

    def for_game(self, game: Game) -> FrequencyPolicy:
        return FrequencyPolicy(self.rows(game), self.name)

    def rows(self, game: Game) -> Floats:
        self.check(game)
        return np.ascontiguousarray(np.broadcast_to(self.table, (game.rounds, 2, len(MOVES))))

    def actions(self, state: State) -> tuple[Action, ...]:
        return tuple(self._shares(state))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        shares = np.array(list(self._shares(state).values()))
        return np.asarray(shares[:, None] * free_hands(hands, board))

    def _shares(self, state: State) -> dict[Action, float]:
        """The probability of every action that has one, the same with every hand."""
        legal = state.legal()
        row = self.table[min(state.round, len(self.table) - 1), 1 if state.to_call > 0 else 0]
        weights = legal_policy(row.tolist(), legal)
        total = sum(weights)
        if total <= 0:
            return {Action("c"): 1.0}
        found: dict[Action, float] = {}
        for move, weight in enumerate(weights):
            if weight > 0:
                action = _action(move, state, legal)
                found[action] = found.get(action, 0.0) + weight / total
        return found

    def key(self, state: State) -> Hashable:
        return tuple(self._shares(state).values())

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        def at(key: Any) -> npt.NDArray[np.float32]:
            return np.array(key, dtype=np.float32)[:, None]

        return at

    def on_tree(self, tree: Tree) -> HandPolicy:
        """On a tree that has all its bets.

        One who raises by any amount needs a tree with every legal one: on fewer it would be another player.
        """
        from kibitz.policy.hands import one_class, tabulate

        self.check(tree.game)
        return tabulate(self, tree, one_class(), lambda state: self.probabilities(state, _ANY_HAND, ()))


_ANY_HAND = np.zeros((1, 2), dtype=np.uint8)


def _action(move: int, state: State, legal: Legal) -> Action:
    """How a move is made."""
    if move < MIN:
        return Action("f" if move == FOLD else "c")
    if legal.limit:
        return Action("r")
    if move == ANY:
        low, high = legal.min_raise_to, legal.max_raise_to
        return Action(f"r{(low + high) // 2}", (low, high))
    return Action(f"r{fixed_size(move, state, legal)}")
