"""Learnt sizes in whole chips: the tree that any card abstraction, solver or agent can use.

Sizes are real numbers while they are learnt. In play a size is taken of the actual pot, rounded to the nearest chip
(halves upwards) and kept between the smallest legal bet and all-in (Hawkin 2014, section 4.2). Bets that come to the
same amount are one.
"""

from __future__ import annotations

from math import floor

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.tree import ADDED, ALL_IN, FIXED, REPEATED, SIZED
from kibitz.games import State
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from kibitz.tree import Tree
from kibitz.tree.growing import Growing


def playing_tree(abstraction: BetAbstraction) -> Tree:
    """The betting tree of the abstraction in whole chips; raises ascend.

    It has no menus: what a player may bet differs from node to node.
    """
    game = abstraction.tree.shape.game
    start, growing = State.start(game), Growing(game.players)

    def expand(node: int, place: tuple[int, State]) -> list[tuple[int, tuple[int, State]]]:
        (abstract, state), following = place, []
        for action, child in _actions(abstraction, abstract, state):
            after = state.apply(action)
            added = growing.add(after, node, action, state.round)
            if not after.finished:
                following.append((added, (child, after)))
        return following

    growing.add(start, -1, "", 0)
    growing.grow((0, start), expand)
    return Tree(game, (), **growing.columns())


def _actions(abstraction: BetAbstraction, place: int, state: State) -> list[tuple[str, int]]:
    """The actions of a decision with the nodes of the transformed tree they lead to."""
    bets, legal = abstraction.tree, state.legal()
    first = int(bets.shape.first_child[place])
    passive, raises = [], {}
    for child in range(first, first + int(bets.shape.children[place])):
        edge = bets.edge[child]
        if edge in (SIZED, FIXED, REPEATED, ADDED, ALL_IN):
            if legal.max_raise_to:
                amount = _amount(abstraction, child, state)
                # What a learnt size shares with all-in is all-in, below which there is nothing more to bet.
                if amount not in raises or edge == ALL_IN:
                    raises[amount] = child
        else:
            passive.append((bets.shape.actions[child], child))
    return [*passive, *((f"r{amount}", raises[amount]) for amount in sorted(raises))]


def _amount(abstraction: BetAbstraction, child: int, state: State) -> int:
    """What the bet that leads to a node of the transformed tree comes to in whole chips."""
    bets, legal = abstraction.tree, state.legal()
    edge = bets.edge[child]
    if edge == ALL_IN:
        return legal.max_raise_to
    if edge in (REPEATED, ADDED):
        return legal.min_raise_to
    pots = float(abstraction.sizes[bets.sizer[child]] if edge == SIZED else bets.fraction[child])
    amount = state.bet + floor(pots * (state.pot + state.to_call) + 0.5)
    return min(max(amount, legal.min_raise_to), legal.max_raise_to)


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
