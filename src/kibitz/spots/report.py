"""What a solution says at one decision: strategy, expected value and equity of every hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.cards import format_cards, parse_cards
from kibitz.errors import KibitzError
from kibitz.spots.compiled import SpotGame
from kibitz.spots.equities import equities
from kibitz.spots.solver import SpotCFR
from kibitz.tree import DECISION, action_words

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Hands:
    """One player's hands at a decision.

    cards    : uint8[n, 2]
    reach    : float64[n]   weight in the range times the probability of playing to here
    met      : float64[n]   what the opponent's hands that go with it weigh
    values   : float64[n]   chips won from here on, what was bet before being part of the pot; nan where nothing is met
    equities : float64[n]   share of the pot if nobody bet again; nan where it is not reached
    """

    cards: npt.NDArray[np.uint8]
    reach: Floats
    met: Floats
    values: Floats
    equities: Floats

    @property
    def weights(self) -> Floats:
        """How likely each hand is, up to a factor: its reach times what it meets."""
        weights: Floats = self.reach * self.met
        return weights

    def mean(self, numbers: Floats) -> float:
        """The mean of some numbers over the hands as they are met."""
        weights = self.weights
        seen = weights > 0
        return float(weights[seen] @ numbers[seen] / weights[seen].sum())

    @property
    def labels(self) -> list[str]:
        """The hands as text, the higher card first."""
        return [format_cards((max(hand), min(hand))) for hand in self.cards.tolist()]


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision of a solved spot.

    words    : the actions in words, chips counted from the start of the round
    strategy : float64[actions, hands of the player]
    """

    history: str
    board: tuple[int, ...]
    player: int
    pot: int
    to_call: int
    actions: tuple[str, ...]
    words: tuple[str, ...]
    strategy: Floats
    hands: tuple[Hands, Hands]

    @property
    def frequencies(self) -> list[float]:
        """How often the player does each action."""
        hands = self.hands[self.player]
        return [hands.mean(row) for row in self.strategy]


def find_decision(compiled: SpotGame, history: str = "", dealt: str = "") -> tuple[int, list[int], tuple[int, ...]]:
    """The node after `history`, the numbers of its boards round by round, and the board itself."""
    node = compiled.tree.find(history)
    if compiled.tree.kind[node] != DECISION:
        raise KibitzError(f"after {history!r} the hand is over: nobody decides there")
    return node, *_find_boards(compiled, parse_cards(dealt), int(compiled.tree.round[node]), history)


def inspect(solver: SpotCFR, history: str = "", dealt: str = "") -> Decision:
    """What the average strategy does after the betting `history` and the cards `dealt` since the spot began."""
    compiled, tree = solver.compiled, solver.compiled.tree
    node, boards, board = find_decision(compiled, history, dealt)
    looks = [solver.views.look(p, node, boards) for p in range(2)]
    round_, number = len(boards), boards[-1] if boards else 0
    states = compiled.deal.states[round_]
    counts = states.count[number].tolist()
    cards = [states.hands[p][number, : counts[p]] for p in range(2)]
    reach = [np.asarray(looks[1 - p][1][: counts[p]], dtype=np.float64) for p in range(2)]
    met = [_met(cards[p], cards[1 - p], reach[1 - p]) for p in range(2)]
    if not reach[0] @ met[0] > 0:
        raise KibitzError(f"after {history!r}: the strategies never reach this decision")
    scale = compiled.deal.chances[round_] / compiled.deal.mass
    hands = []
    for p in range(2):
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(met[p] > 0, looks[p][0][: counts[p]] / (scale * met[p]), np.nan) + tree.spent[node, p]
        hands.append(Hands(cards[p], reach[p], met[p], values, equities(board, cards[p], cards[1 - p], reach[1 - p])))
    player, spent, actions = int(tree.player[node]), tree.spent[node], tree.offered(node)
    return Decision(
        tree.history(node),
        board,
        player,
        compiled.spot.pot + int(spent.sum()),
        int(spent[1 - player] - spent[player]),
        actions,
        tuple(action_words(tree, node, action) for action in actions),
        _strategy(solver, node, number, counts[player]),
        (hands[0], hands[1]),
    )


def _find_boards(
    compiled: SpotGame, dealt: tuple[int, ...], round_: int, history: str
) -> tuple[list[int], tuple[int, ...]]:
    """The numbers of the boards on the way to a decision, and the last of them."""
    if len(dealt) != round_:
        raise KibitzError(f"after {history!r} {round_} cards have been dealt to the board: {len(dealt)} are given")
    boards = [compiled.deal.find(dealt[: count + 1]) for count in range(round_)]
    return boards, compiled.spot.board + dealt


def _strategy(solver: SpotCFR, node: int, board: int, count: int) -> Floats:
    """The average strategy of a decision on one board."""
    sums = solver.compiled.sums_at(solver.average, node)[board, :, :count].astype(np.float64)
    totals = sums.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        strategy: Floats = np.where(totals > 0, sums / totals, 1.0 / len(sums))
    return strategy


def _met(cards: npt.NDArray[np.uint8], others: npt.NDArray[np.uint8], reach: Floats) -> Floats:
    """For every hand, the reach of the opponent's hands that share no card with it."""
    table = np.zeros((52, 52))
    table[others[:, 0], others[:, 1]] = reach
    table += table.T
    by_card = table.sum(axis=1)
    one, two = cards[:, 0], cards[:, 1]
    met = reach.sum() - by_card[one] - by_card[two] + table[one, two]
    return np.where(met > 1e-12 * max(float(reach.sum()), 1e-300), met, 0.0)  # what rounding leaves of nothing
