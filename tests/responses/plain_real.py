"""Plain twins of the real-game kernels: matrices of all pairs of hands, and recursion over the betting tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kibitz.abstraction import CardAbstraction, parse_notation
from kibitz.evaluator import evaluate_batch
from kibitz.games import load_game
from kibitz.policy.hands import HOLES, HandPolicy
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, FOLD, Tree, build_tree

Deal = Callable[[int, np.ndarray], np.ndarray]
_SIZES = (0, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class PairAndSuitMap:
    """Buckets that need no tables: how many hole cards pair the board (or each other), and the most cards of a suit."""

    kind: ClassVar[str] = "classes"
    size: int

    def find(self, holes, boards, codes, states) -> None:
        board = boards[:, : self.size].astype(np.int64)
        holes = holes.astype(np.int64)
        paired = (holes[:, :, None] >> 2 == board[:, None, :] >> 2).any(axis=2).sum(axis=1)
        paired += holes[:, 0] >> 2 == holes[:, 1] >> 2
        cards = np.concatenate((holes, board), axis=1) & 3
        suited = np.max([(cards == suit).sum(axis=1) for suit in range(4)], axis=0)
        states[:] = np.minimum(paired, 2) * 8 + suited

    def find_one(self, hole, board, state) -> int:
        states = np.zeros(1, dtype=np.int64)
        self.find(np.array([hole]), np.array([board], dtype=np.int64).reshape(1, -1), None, states)
        return int(states[0])


def toy_abstraction() -> CardAbstraction:
    """24 buckets in every round, without memory."""
    rounds = tuple(PairAndSuitMap(size) for size in _SIZES)
    return CardAbstraction(parse_notation("IR lossless"), rounds, np.full(4, 24), (None,) * 4, "pairs and suits")


def toy_tree(stack: int = 900, menu: str = "fcpa") -> Tree:
    """No-limit hold'em with a few big blinds."""
    return build_tree(replace(load_game("holdem-nolimit-2p"), stacks=(stack, stack)), menu)


def toy_policy(tree: Tree, seed: int) -> HandPolicy:
    """A random strategy over the toy abstraction, with some actions never taken."""
    abstraction = toy_abstraction()
    layout = Layout(tree, np.full((4, 2), 24), abstraction.fingerprint)
    generator = np.random.default_rng(seed)
    sums = generator.random(layout.size) * (generator.random(layout.size) > 0.2)
    return HandPolicy.of(Strategy.from_sums(layout, sums), abstraction)


def apart(hands: np.ndarray, board=()) -> np.ndarray:
    """Which pairs of hands share no card with each other nor with the board: float64[n, n]."""
    holds = np.zeros((len(hands), 52), dtype=np.float32)
    holds[np.arange(len(hands))[:, None], hands] = 1
    free = holds[:, list(board)].sum(axis=1) == 0
    return ((holds @ holds.T == 0) & free[:, None] & free[None]).astype(np.float64)


def wins(hands: np.ndarray, board) -> np.ndarray:
    """1 where the hand of the row beats the hand of the column, -1 where it loses, 0 where they cannot meet."""
    together = apart(hands, board)
    free = np.flatnonzero(together.any(axis=1))
    strengths = np.zeros(len(hands), dtype=np.int64)
    strengths[free] = evaluate_batch(
        np.concatenate((hands[free], np.broadcast_to(np.array(board, dtype=np.uint8), (len(free), 5))), axis=1)
    )
    more = (strengths[:, None] > strengths[None]).view(np.int8)  # a byte a pair: memory is what takes time here
    return (more - more.T) * together


def stake(tree: Tree, node: int) -> float:
    """Chips that change hands at an end of the betting."""
    if tree.kind[node] == FOLD:
        return float(tree.spent[node, 1 - tree.player[node]])
    return float(tree.spent[node].min())


def children(tree: Tree, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.children[node]))


def plain_value(policies, board) -> float:
    """Chips per hand of the first policy in seat 0 against the second in seat 1, on one full board."""
    tree = policies[0].tree
    together, won = apart(HOLES, board), wins(HOLES, board)

    def walk(node: int, reach: list[np.ndarray]) -> float:
        if tree.kind[node] != DECISION:
            if tree.kind[node] == FOLD:
                sign = 1 if tree.player[node] == 0 else -1
                return sign * stake(tree, node) * (reach[0] @ together @ reach[1])
            return stake(tree, node) * (reach[0] @ won @ reach[1])
        player = int(tree.player[node])
        total = 0.0
        for child, chance in zip(children(tree, node), policies[player].at(node, board), strict=True):
            after = list(reach)
            after[player] = reach[player] * chance
            total += walk(child, after)
        return total

    return walk(0, [np.ones(len(HOLES))] * 2) / together.sum()


def plain_response(policy, seat: int, node: int, round_: int, reach, board, places, deal: Deal | None = None):
    """What `node` is worth to a best responder in `seat`, float64[hands], the hands being HOLES[places].

    reach : the opponent's; deal : what a node is worth once the next card is dealt, by default worked out in full
    """
    tree, hands = policy.tree, HOLES[places]
    together = apart(hands, board)
    won = wins(hands, board) if len(board) == 5 else None

    def next_round(node: int, reach: np.ndarray) -> np.ndarray:
        total = np.zeros(len(hands))
        for card in set(range(52)) - set(board):
            free = ~(hands == card).any(axis=1)
            value = plain_response(policy, seat, node, round_ + 1, reach * free, (*board, card), places)
            total += value * free / (48 - len(board))
        return total

    def walk(node: int, reach: np.ndarray) -> np.ndarray:
        if tree.kind[node] == FOLD:
            return (1 if tree.player[node] == seat else -1) * stake(tree, node) * (together @ reach)
        if tree.kind[node] != DECISION or tree.round[node] != round_:
            return stake(tree, node) * (won @ reach) if won is not None else (deal or next_round)(node, reach)
        if tree.player[node] == seat:
            return np.max([walk(child, reach) for child in children(tree, node)], axis=0)
        chances = policy.at(node, board)[:, places]
        return np.sum(
            [walk(child, reach * chance) for child, chance in zip(children(tree, node), chances, strict=True)], axis=0
        )

    return walk(node, reach)


def plain_preflop(policy, seat: int, ratios, kinds):
    """Values of both `ratios` (asked, told) before the flop, float64[2, 1326], hand by hand."""
    tree, together = policy.tree, apart(HOLES)
    trees = {}

    def walk(node: int, reach: np.ndarray) -> np.ndarray:
        if tree.kind[node] == FOLD:
            value = (1 if tree.player[node] == seat else -1) * stake(tree, node) * (together @ reach)
            return np.stack((value, value))
        if tree.kind[node] != DECISION or tree.round[node] > 0:
            return np.stack([(together @ reach) * ratio[trees[node], kinds] for ratio in ratios])
        if tree.player[node] != seat:
            chances = policy.at(node, ())
            return sum(walk(child, reach * c) for child, c in zip(children(tree, node), chances, strict=True))
        options = [walk(child, reach) for child in children(tree, node)]
        best = [max(range(len(options)), key=lambda k, h=h: options[k][0, h]) for h in range(len(HOLES))]
        return np.array([[options[best[h]][part, h] for h in range(len(HOLES))] for part in range(2)])

    def solve(roots) -> np.ndarray:
        trees.update({int(node): number for number, node in enumerate(roots)})
        return walk(0, np.ones(len(HOLES)))

    return solve
