"""Counting decisions of many hands: Python sees every hand once, private states and sums are found by the batch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz.deals.bucketed import BucketedDeal
from kibitz.deals.sampled import ListedDeal, SampledDeal
from kibitz.modelling.frequentist.bettings import SeatDecisions
from kibitz.strategy import Layout

BATCH = 50_000  # hands held at a time
Cards = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


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
        self._blank = bytes(self._width)
        self._numbers: dict[int, int] = {}  # by identity: the same betting comes as the same value
        self._kept: list[SeatDecisions] = []
        self._which: list[int] = []
        self._players: list[int] = []
        self._cards: list[bytes] = []
        self.tally = Tally(np.zeros(layout.size))

    def add(self, player: int, decided: SeatDecisions, cards: bytes) -> None:
        """Take what the seat `player` decided in a hand with `cards`: hole cards, then as much of the board as needed.

        Cards that are not needed may be missing.
        """
        number = self._numbers.get(id(decided))
        if number is None:
            number = self._numbers[id(decided)] = len(self._kept)
            self._kept.append(decided)
        self._which.append(number)
        self._players.append(player)
        self._cards.append(cards if len(cards) == self._width else (cards + self._blank)[: self._width])
        if len(self._which) == BATCH:
            self.flush()

    def flush(self) -> Tally:
        """Add up what was taken so far."""
        if self._which:
            self._add_up()
        self._numbers, self._kept, self._which, self._players, self._cards = {}, [], [], [], []
        return self.tally

    def _add_up(self) -> None:
        layout, tally = self._layout, self.tally
        which, players = np.array(self._which), np.array(self._players)
        cards = np.frombuffer(b"".join(self._cards), dtype=np.uint8).reshape(-1, self._width)
        taken = np.array([row for each in self._kept for row in each.taken], dtype=np.float64).reshape(-1, 4)
        lengths = np.array([len(each.taken) for each in self._kept])
        times = np.bincount(which, minlength=len(self._kept))
        tally.hands += len(which)
        tally.decisions += int(times @ np.array([each.decisions for each in self._kept]))
        tally.lost += float(times @ np.array([each.lost for each in self._kept]))
        tally.seats += Counter(dict(enumerate(np.bincount(players).tolist())))
        starts = np.cumsum(lengths) - lengths
        hand = np.repeat(np.arange(len(which)), lengths[which])
        within = np.arange(len(hand)) - np.repeat(np.cumsum(lengths[which]) - lengths[which], lengths[which])
        rows = taken[starts[which[hand]] + within]
        node, action, round_ = rows[:, :3].astype(np.int64).T
        states = np.zeros(len(hand), dtype=np.int64)
        for player in np.unique(players).tolist():
            for each in range(layout.tree.game.rounds):
                here = np.flatnonzero((round_ == each) & (players[hand] == player))
                if len(here):
                    states[here] = find_states(self._deal, player, each, cards[hand[here]])
        np.add.at(tally.counts, layout.offset[node] + action * layout.states[node] + states, rows[:, 3])
