"""Learnt sizes in whole chips: the tree that any card abstraction, solver or agent can use.

Sizes are real numbers while they are learnt. In play a size is taken of the actual pot, rounded to the nearest chip
(halves upwards) and kept between the smallest legal bet and all-in (Hawkin 2014, section 4.2). Bets that come to the
same amount are one.
"""

from __future__ import annotations

from math import floor

import numpy as np

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.tree import ADDED, ALL_IN, FIXED, REPEATED, SIZED
from kibitz.games import State
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.sampled import SampledGame
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Tree


def playing_tree(abstraction: BetAbstraction) -> Tree:
    """The betting tree of the abstraction in whole chips; raises ascend.

    It has no menus: what a player may bet differs from node to node.
    """
    writer = _Writer(abstraction)
    return writer.write()


def playing_strategy(abstraction: BetAbstraction, problem: Problem, iterations: int, threads: int = 1) -> Strategy:
    """A strategy for that tree, see `solve_tree`."""
    found = solve_tree(playing_tree(abstraction), problem, iterations, threads)
    return Strategy(found.layout, found.values, {**found.manifest, "bets": abstraction.made})


def solve_tree(tree: Tree, problem: Problem, iterations: int, threads: int = 1) -> Strategy:
    """A strategy for any tree that can be saved and played.

    problem     where the cards come from; its menus do not matter
    iterations  of discounted CFR (dcfr-3), or boards of public chance sampling with imperfect recall
    """
    solver: CFR | BoardSampled
    if problem.is_measurable:
        solver = CFR(VectorGame(tree, problem.deal), "dcfr-3", threads=threads)
    else:
        # On one thread: sampled solvers with more would give other results every time.
        solver = BoardSampled(SampledGame(tree, problem.sampled_deal), problem.seed, "linear")
    solver.step(iterations)
    found = solver.average_strategy()
    return Strategy(found.layout, found.values, {**found.manifest, **problem.describe_cards()})


class _Writer:
    def __init__(self, abstraction: BetAbstraction) -> None:
        self.bets = abstraction.tree
        self.sizes = abstraction.sizes
        self.rows: list[tuple[int, int, int, int]] = []
        self.spent: list[tuple[int, ...]] = []
        self.folded: list[int] = []
        self.actions: list[str] = []

    def write(self) -> Tree:
        shape = self.bets.shape
        start = State.start(shape.game)
        self._add(start, -1, "", 0)
        spans: dict[int, tuple[int, int]] = {}
        stack = [(0, 0, start)]
        while stack:
            node, place, state = stack.pop()
            first, following = len(self.rows), []
            for action, child in self._actions(place, state):
                after = state.apply(action)
                added = self._add(after, node, action, state.round)
                if not after.finished:
                    following.append((added, child, after))
            spans[node] = (first, len(self.rows) - first)
            stack.extend(reversed(following))
        kind, player, round_, parent = np.array(self.rows).T
        first_child, children = np.zeros((2, len(self.rows)), dtype=np.int32)
        for node, (begin, count) in spans.items():
            first_child[node], children[node] = begin, count
        return Tree(
            shape.game,
            (),
            kind.astype(np.int8),
            player.astype(np.int8),
            round_.astype(np.int8),
            parent.astype(np.int32),
            first_child,
            children,
            np.array(self.spent, dtype=np.int64),
            np.array(self.folded, dtype=np.int32),
            tuple(self.actions),
        )

    def _add(self, state: State, parent: int, action: str, round_: int) -> int:
        if not state.finished:
            row = (DECISION, state.player, state.round, parent)
        elif state.showdown:
            row = (SHOWDOWN, -1, round_, parent)
        else:
            row = (FOLD, 0 if state.folded >> 1 & 1 else 1, round_, parent)
        self.rows.append(row)
        self.spent.append(state.spent)
        self.folded.append(state.folded)
        self.actions.append(action)
        return len(self.rows) - 1

    def _actions(self, place: int, state: State) -> list[tuple[str, int]]:
        """The actions of a decision with the nodes of the transformed tree they lead to."""
        shape, legal = self.bets.shape, state.legal()
        first = int(shape.first_child[place])
        passive, raises = [], {}
        for child in range(first, first + int(shape.children[place])):
            edge = self.bets.edge[child]
            if edge in (SIZED, FIXED, REPEATED, ADDED, ALL_IN):
                if legal.max_raise_to:
                    amount = self._amount(child, state, legal.min_raise_to, legal.max_raise_to)
                    # What a learnt size shares with all-in is all-in, below which there is nothing more to bet.
                    if amount not in raises or edge == ALL_IN:
                        raises[amount] = child
            else:
                passive.append((shape.actions[child], child))
        return [*passive, *((f"r{amount}", raises[amount]) for amount in sorted(raises))]

    def _amount(self, child: int, state: State, low: int, high: int) -> int:
        edge = self.bets.edge[child]
        if edge == ALL_IN:
            return high
        if edge in (REPEATED, ADDED):
            return low
        pots = float(self.sizes[self.bets.sizer[child]] if edge == SIZED else self.bets.fraction[child])
        return min(max(state.bet + floor(pots * (state.pot + state.to_call) + 0.5), low), high)
