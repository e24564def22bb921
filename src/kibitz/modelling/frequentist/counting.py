"""Counting decisions of many hands, and how much of a game the counts cover.

Python sees every hand once, private states and sums are found by the batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.deals.bucketed import BucketedDeal
from kibitz.deals.sampled import ListedDeal, SampledDeal
from kibitz.modelling.frequentist.bettings import SeatDecisions
from kibitz.strategy import FrequentistModel, Layout
from kibitz.strategy.models import FEW

BATCH = 50_000  # hands held at a time
Cards = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_KINDS = {"f": 0, "c": 1}  # all else are raises
ALL = "all"  # rounds together


def find_states(deal: SampledDeal, player: int, round_: int, cards: Cards) -> Ints:
    """The private states of `player` with cards uint8[n, hole cards + board], each row one hand: int64[n]."""
    if deal.counts[round_, player] == 1:
        return np.zeros(len(cards), dtype=np.int64)
    hole, board = deal.game.hole_cards, deal.game.board_ends[round_]
    if isinstance(deal, BucketedDeal):
        found = deal.abstractions[player].buckets(cards[:, :hole], cards[:, hole : hole + board], round_)
        return np.asarray(found, dtype=np.int64)
    assert isinstance(deal, ListedDeal)
    digits = np.zeros(52, dtype=np.int64)
    digits[list(deal.game.deck)] = np.arange(len(deal.game.deck))
    place = np.zeros(len(cards), dtype=np.int64)
    for column in range(hole + board):
        place = len(deal.game.deck) * place + digits[cards[:, column]]
    return np.asarray(deal.tables[deal.begin[round_, player] + place], dtype=np.int64)


def needs_cards(deal: SampledDeal) -> bool:
    """Whether private states depend on the cards at all."""
    return bool((deal.counts > 1).any())


@dataclass
class Tally:
    """Counts of some hands; the sums of two tallies are exact, so that it does not matter who counted what.

    counts    : float64[layout.size]
    decisions of the modelled players in those hands, and how many of them (`lost`) have no place in the tree
    seats     hands by seat
    """

    counts: npt.NDArray[np.float64]
    hands: int = 0
    decisions: int = 0
    lost: float = 0.0
    seats: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count what another has counted too."""
        self.counts += other.counts
        self.hands, self.decisions = self.hands + other.hands, self.decisions + other.decisions
        self.lost += other.lost
        self.seats += other.seats


class Counting:
    """Takes the decisions of single hands and adds them up, a batch at a time."""

    def __init__(self, layout: Layout, deal: SampledDeal) -> None:
        self._layout, self._deal = layout, deal
        self._width = deal.game.hole_cards + deal.game.board_ends[-1]
        self._players: list[int] = []
        self._decided: list[SeatDecisions] = []
        self._cards: list[bytes] = []
        self.tally = Tally(np.zeros(layout.size))

    def add(self, players: Sequence[int], decided: Sequence[SeatDecisions], cards: bytes) -> None:
        """Take what seats decided in some hands, one for each entry of `players` and `decided`.

        cards   uint8[hands, hole cards and whole board] row by row; zeros where no card is needed
        """
        self._players += players
        self._decided += decided
        self._cards.append(cards)
        if len(self._players) >= BATCH:
            self.flush()

    @property
    def width(self) -> int:
        """Cards of a hand: hole cards and the whole board."""
        return self._width

    def flush(self) -> Tally:
        """Add up what was taken so far."""
        if self._players:
            self._add_up()
        self._players, self._decided, self._cards = [], [], []
        return self.tally

    def _add_up(self) -> None:
        tally = self.tally
        players = np.array(self._players)
        cards = np.frombuffer(b"".join(self._cards), np.uint8).reshape(-1, self._width)
        # The same betting comes as the same value, so that it is expanded once.
        numbers: dict[int, int] = {}
        which = np.array([numbers.setdefault(id(each), len(numbers)) for each in self._decided])
        first = np.unique(which, return_index=True)[1]
        bettings = [self._decided[place] for place in first.tolist()]
        times = np.bincount(which)
        tally.hands += len(which)
        tally.decisions += int(times @ np.array([each.decisions for each in bettings]))
        tally.lost += float(times @ np.array([each.lost for each in bettings]))
        tally.seats += Counter(dict(enumerate(np.bincount(players).tolist())))
        self._add_taken(bettings, which, players, cards)

    def _add_taken(self, bettings: list[SeatDecisions], which: Ints, players: Ints, cards: Cards) -> None:
        """Count every decision of every hand: which int64[hands] names its betting."""
        taken = np.array([row for each in bettings for row in each.taken], dtype=np.float64).reshape(-1, 4)
        lengths = np.array([len(each.taken) for each in bettings])
        starts, of_hand = np.cumsum(lengths) - lengths, lengths[which]
        hand = np.repeat(np.arange(len(which)), of_hand)
        within = np.arange(len(hand)) - np.repeat(np.cumsum(of_hand) - of_hand, of_hand)
        rows = taken[starts[which[hand]] + within]
        node, action, round_ = rows[:, :3].astype(np.int64).T
        player = players[hand]
        states = np.zeros(len(hand), dtype=np.int64)
        if needs_cards(self._deal):
            for seat in np.unique(players).tolist():
                for each in range(self._deal.game.rounds):
                    here = np.flatnonzero((round_ == each) & (player == seat))
                    if len(here):
                        states[here] = find_states(self._deal, seat, each, cards[hand[here]])
        layout = self._layout
        np.add.at(self.tally.counts, layout.offset[node] + action * layout.states[node] + states, rows[:, 3])


def coverage(model: FrequentistModel) -> list[dict[str, Any]]:
    """How much was seen, one row a round and one for all of them.

    infosets   of all seats, and how many of them were never seen, 1 to 10 times, more often
    decisions  counted there, and the share of folds, calls and raises among them
    """
    layout, tree = model.layout, model.layout.tree
    entry = np.flatnonzero(model.counts)  # of a large game nearly none
    counts = model.counts[entry]
    node = np.searchsorted(layout.offset, entry, side="right") - 1
    action = (entry - layout.offset[node]) // layout.states[node]
    _sets, first, which = np.unique(entry - action * layout.states[node], return_index=True, return_inverse=True)
    visits = np.bincount(which, counts)
    letters = [tree.actions[child] for child in (tree.first_child[node] + action).tolist()]
    kinds = np.array([_KINDS.get(letter, 2) for letter in letters], dtype=np.int64)
    rows = []
    for round_ in (*range(tree.game.rounds), ALL):
        here, of_set = ((tree.round[each] == round_) | (round_ == ALL) for each in (node, node[first]))
        infosets = int(layout.states[(tree.round == round_) | (round_ == ALL)].sum())
        counted = [infosets, *(int((visits[of_set] > least).sum()) for least in (0, FEW))]
        rows.append(_row(round_, counted, np.bincount(kinds[here], counts[here], 3)))
    return rows


def _row(round_: int | str, counted: list[int], taken: npt.NDArray[Any]) -> dict[str, Any]:
    """A row of `coverage`; counted = information sets, those seen, those seen often."""
    infosets, seen, often = counted
    decisions = float(taken.sum())
    shares = taken / decisions if decisions else taken
    return {
        "round": round_,
        "infosets": infosets,
        "unseen": infosets - seen,
        "few": seen - often,
        "many": often,
        "decisions": decisions,
        **dict(zip(("fold", "call", "raise"), shares.tolist(), strict=True)),
    }
