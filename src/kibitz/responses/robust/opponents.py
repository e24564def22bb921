"""Opponents as strategies of a compiled game, whatever they are: all through the policy protocol.

In small games every deal is asked for, and what comes out is exact. In hold'em a policy may tell apart hands that share
a bucket: its probabilities are averaged over them by reach, on sampled boards, and the result plays like it on average
only. Bets must be those of the tree: on another one it would be another player.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction
from kibitz.deals.joint import Boards
from kibitz.deals.naming import list_boards
from kibitz.deals.sampled import ListedDeal
from kibitz.errors import AgentError
from kibitz.policy import Policy
from kibitz.policy.hands import HOLES, HandPolicy, decisions, on_menu
from kibitz.policy.strategies import StrategyPolicy
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy
from kibitz.strategy.classes import lifted
from kibitz.tree import Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Cards = tuple[int, ...]
MOST_BOARDS = 1_000  # of a small game, from which on one of each kind of isomorphic boards is looked at
SAMPLED_BOARDS = 100  # of hold'em, on which hands of a bucket are averaged


def opponent_strategy(policy: Policy, problem: Problem, seed: int = 0, boards: int = SAMPLED_BOARDS) -> Strategy:
    """`policy` in every seat of a problem, over the layout of its private states or buckets.

    seed     of the boards on which a policy of two-player hold'em that tells apart more than the buckets is averaged
    boards   their number
    """
    policy = policy.for_game(problem.game)
    deal = problem.sampled_deal
    layout = Layout(problem.tree, deal.counts, deal.fingerprint)
    if isinstance(policy, StrategyPolicy):
        own = policy.strategy.layout
        if (own.tree.fingerprint, own.cards) == (layout.tree.fingerprint, layout.cards):
            return Strategy(layout, np.asarray(policy.strategy.values, dtype=np.float64), policy.strategy.manifest)
        if own.tree.fingerprint != layout.tree.fingerprint:
            raise AgentError(
                f"{policy.name} has the menus {_menus(own.tree)}, this game has {_menus(layout.tree)}: a response "
                "needs the opponent's own bets"
            )
    sums = np.zeros(layout.size)
    if policy.blind:
        _repeat_blind(policy, layout, sums)
    elif problem.cards and problem.game.players > 2:
        raise AgentError(
            f"{policy.name} looks at its cards, and has no buckets: with {problem.game.players} players of hold'em, "
            "log a match with it and build a model from that"
        )
    elif problem.cards:
        hands = policy.on_tree(problem.tree)
        sample = Boards.sampled(boards, seed).cards
        for player in range(2):
            _average_hands(hands, problem.abstractions[player], layout, player, sample, sums)
    else:
        assert isinstance(deal, ListedDeal)
        _average_deals(policy, deal, layout, sums)
    return Strategy.from_sums(layout, sums, {"algorithm": policy.name})


def _menus(tree: Tree) -> str:
    return " and ".join(dict.fromkeys(map(str, tree.menus))) or "learnt bet sizes"


def _repeat_blind(policy: Policy, layout: Layout, sums: Floats) -> None:
    """Write the probabilities of one who never looks at its cards to all states."""
    game, tree = layout.tree.game, layout.tree
    hand = np.array([game.deck[: game.hole_cards]], dtype=np.uint8)
    rest = game.deck[game.hole_cards :]
    for node, state in decisions(tree):
        chances = policy.probabilities(state, hand, rest[: game.board_ends[int(tree.round[node])]])
        block = sums[layout.offset[node] : layout.offset[node + 1]].reshape(int(tree.children[node]), -1)
        block[...] = on_menu(policy, state, chances, tree.offered(node))


# Small games: reach[player][board] is float64[holes], how likely the player's own actions lead here with each hand.
Reach = tuple[dict[Cards, Floats], ...]


def _average_deals(policy: Policy, deal: ListedDeal, layout: Layout, sums: Floats) -> None:
    """Add the weights of all actions, by chance and the player's own reach."""
    game, tree = deal.game, layout.tree
    holes = np.array(list(combinations(game.deck, game.hole_cards)), dtype=np.uint8)
    boards = _boards_by_round(deal)

    @cache
    def states_of(player: int, round_: int, board: Cards) -> Ints:
        """The state of every hand, -1 where the board blocks it."""
        return np.array(
            [
                -1 if set(hand) & set(board) else deal.state(player, round_, tuple(hand), board)
                for hand in holes.tolist()
            ]
        )

    reaches: dict[int, Reach] = {0: ({board: np.ones(len(holes)) for board in boards[0]},) * game.players}
    for node, state in decisions(tree):
        player, round_ = int(tree.player[node]), int(tree.round[node])
        reach = reaches.pop(node)
        offered = tree.offered(node)
        block = sums[layout.offset[node] : layout.offset[node + 1]].reshape(len(offered), -1)
        taken: dict[Cards, Floats] = {}
        for board, multiplicity in boards[round_].items():
            states = states_of(player, round_, board)
            free = states >= 0
            chances = np.zeros((len(offered), len(holes)))
            chances[:, free] = on_menu(policy, state, policy.probabilities(state, holes[free], board), offered)
            taken[board] = chances
            own = reach[player][board] * multiplicity
            # Hands that the player does not bring here count so little that they only matter among themselves.
            weights = np.where(free, np.maximum(own, multiplicity * 1e-100), 0.0)
            for row, chance in zip(block, chances, strict=True):
                np.add.at(row, states[free], (weights * chance)[free])
        for action in range(len(offered)):
            child = int(tree.first_child[node]) + action
            after = {board: reach[player][board] * chances[action] for board, chances in taken.items()}
            every = (*reach[:player], after, *reach[player + 1 :])
            reaches[child] = every if tree.round[child] == round_ else _dealt_on(every, boards[int(tree.round[child])])


def _boards_by_round(deal: ListedDeal) -> list[dict[Cards, int]]:
    """Boards of every round with how often each is dealt, in proportion."""
    game = deal.game
    whole = list(list_boards(game, suits_merged=False)) if len(game.deck) <= 12 else []
    if not whole or len(whole) > MOST_BOARDS:
        whole = list(list_boards(game, suits_merged=True))
    found: list[dict[Cards, int]] = []
    for end in game.board_ends:
        counted: dict[Cards, int] = {}
        for board, multiplicity in whole:
            counted[board[:end]] = counted.get(board[:end], 0) + multiplicity
        found.append(counted)
    return found


def _dealt_on(reach: Reach, boards: dict[Cards, int]) -> Reach:
    """Reach on the boards of the next round."""
    length = len(next(iter(reach[0])))
    return tuple({board: each[board[:length]] for board in boards} for each in reach)


# Hold'em.


def _average_hands(
    hands: HandPolicy,
    cards: CardAbstraction,
    layout: Layout,
    player: int,
    boards: npt.NDArray[np.uint8],
    sums: Floats,
) -> None:
    """Add the weights of all actions of `player`, by the player's own reach, over hands on boards uint8[n, 5]."""
    strategy, classes = hands.strategy, hands.abstractions[player]
    if classes.fingerprint == cards.fingerprint:
        states = [np.arange(count) for count in layout.counts[:, player]]
        lifted(strategy.values, strategy.layout, layout, player, states, sums)
        return
    free = ~(HOLES[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
    which, hand = np.nonzero(free)
    ends = layout.tree.game.board_ends
    mine = [cards.buckets(HOLES[hand], boards[which, :end], r).astype(np.int64) for r, end in enumerate(ends)]
    theirs = [hands.states(player, r, HOLES[hand], boards[which, :end]).astype(np.int64) for r, end in enumerate(ends)]
    for node, reach in _own_reach(layout.tree, player, len(hand), theirs, strategy):
        round_ = int(layout.tree.round[node])
        width = int(layout.states[node])
        chances = strategy.at(node)[:, theirs[round_]] * np.maximum(reach, 1e-100)
        block = sums[layout.offset[node] : layout.offset[node + 1]].reshape(len(chances), width)
        for row, weights in zip(block, chances, strict=True):
            row += np.bincount(mine[round_], weights=weights, minlength=width)


def _own_reach(
    tree: Tree, player: int, hands: int, states: list[Ints], strategy: Strategy
) -> Iterator[tuple[int, Floats]]:
    """The player's decisions with the reach of every hand there, one branch at a time."""
    waiting = [(0, np.ones(hands))]
    while waiting:
        node, reach = waiting.pop()
        children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node]))
        if not children:
            continue
        if tree.player[node] != player:
            waiting.extend((child, reach) for child in children)
            continue
        yield node, reach
        chances = strategy.at(node)[:, states[int(tree.round[node])]]
        waiting.extend((child, reach * chance) for child, chance in zip(children, chances, strict=True))
