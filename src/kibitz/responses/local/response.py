"""What a local best response wins: boards are sampled, all hands and all betting are summed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.amounts import format_count
from kibitz.cards import cards_to_mask
from kibitz.equity.matchups import BOARDS, class_matchups
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.games import Game, State
from kibitz.policy.base import Floats
from kibitz.policy.beliefs import AgentView, Chances, Uniform
from kibitz.policy.hands import HOLES
from kibitz.policy.strengths import by_value, hole_masks
from kibitz.responses.local.betting import LAST, Root, Settings, options_of
from kibitz.responses.real.preflop import starting_classes
from kibitz.responses.real.value import STREETS, ExpectedValue
from kibitz.tree.build import resolve_menus
from kibitz.tree.menus import Menu

Vectors = npt.NDArray[np.float32]
MOST_LINES = 5_000_000  # of betting, some kilobytes each
TOGETHER = 64  # beginnings of a round that are looked at together


class LocalBoard:
    """A board of 0, 3, 4 or 5 cards. Vectors of hands are in the order of `numbers`, weakest first on a full board.

    numbers : int64[hands]     where the hands stand among `HOLES`
    holes   : uint8[hands, 2]
    """

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards
        self.numbers = np.flatnonzero(~np.isin(HOLES, np.array(cards, dtype=np.uint8)).any(axis=1))
        self._groups = np.zeros(0, dtype=np.int64)
        if len(cards) == 5:
            self.numbers, self._groups = by_value(cards, self.numbers)
        self.holes = HOLES[self.numbers]
        self._cards = self.holes.astype(np.int64)

    @property
    def pairs(self) -> int:
        """Ways to deal both players their hands."""
        left = 52 - len(self.cards)
        return comb(left, 2) * comb(left - 2, 2)

    def places_in(self, before: LocalBoard) -> npt.NDArray[np.int64]:
        """Where the hands stand among those of a board with fewer cards."""
        places = np.zeros(len(HOLES), dtype=np.int64)
        places[before.numbers] = np.arange(len(before.numbers))
        return places[self.numbers]

    def meet(self, vectors: Vectors, compared: bool) -> tuple[Vectors, Vectors]:
        """What each hand meets in the agent's vectors [rows, hands]: how many hands, and its lead over them.

        The lead is the sum of chances to win less those to lose, all cards to come looked at; left 0 where hands are
        not to be compared.
        """
        from kibitz.policy import _kernels

        rivals, lead = np.empty_like(vectors), np.zeros_like(vectors)
        _kernels.meet(vectors, self._cards, self._groups, rivals, lead)
        if compared and len(self.cards) < 5:
            np.matmul(vectors, self._behind, out=lead)
        return rivals, lead

    @cached_property
    def _behind(self) -> Vectors:
        """The lead of the column's hand over the row's: float32[hands, hands], 0 where they share a card."""
        from kibitz.responses.local import _kernels

        if not self.cards:
            return _starting_leads()
        left = [card for card in range(52) if card not in self.cards]
        missing = 5 - len(self.cards)
        full = [cards_to_mask((*self.cards, *more)) for more in combinations(left, missing)]
        values = evaluate_boards(np.array(full, dtype=np.uint64), hole_masks()[self.numbers])
        alone, both = comb(len(left) - 2, missing), comb(len(left) - 4, missing)
        behind = np.empty((len(self.numbers),) * 2, dtype=np.float32)
        _kernels.compare(np.ascontiguousarray(values.T), self._cards, alone, both, behind)
        return behind


def _starting_leads() -> Vectors:
    """Before the flop: means over the suits of both hands, which are as good for ranges that do not look at suits."""
    pairs, lead = class_matchups()
    means = (lead / (np.maximum(pairs, 1) * BOARDS)).astype(np.float32)
    kinds = starting_classes()
    apart = ~(HOLES[:, None, :, None] == HOLES[None, :, None, :]).any(axis=(2, 3))
    return np.asarray(means[kinds[None], kinds[:, None]] * apart)


def local_response(
    view: AgentView, game: Game, boards: int, seed: int = 0, menu: str | Menu = "fcpa", call_until: int = 0
) -> ExpectedValue:
    """A lower bound on an agent's exploitability: the EV of a local best response, averaged over both seats.

    boards        drawn independently with `seed`, whoever the agent is: two agents can be compared board by board
    menu          the responder's bet sizes; words like `once` have no meaning here
    call_until    the first round in which it may bet or fold; in earlier ones it only calls, and often wins more
    """
    samples = list(local_samples(view, game, boards, seed, menu, call_until))
    return ExpectedValue(np.array(samples), np.ones(boards), game.big_blind)


def local_samples(
    view: AgentView, game: Game, boards: int, seed: int = 0, menu: str | Menu = "fcpa", call_until: int = 0
) -> Iterator[tuple[float, float]]:
    """The same board by board: chips per hand of the responder in seat 0 and in seat 1."""
    if game.players != 2 or game.hole_cards != 2 or game.board_ends != STREETS or len(game.deck) != 52:
        raise KibitzError(f"local best responses are for two players of hold'em, not {game.name or 'this game'}")
    if len(set(game.antes_paid)) > 1:
        raise KibitzError(f"antes {game.antes}: with unequal antes a showdown is not symmetric")
    sizes = resolve_menus(game, menu)[0]
    settings = [Settings(sizes, call_until, agent) for agent in (1, 0)]
    _check_lines(game, settings[0])
    seats = [LocalResponder(view, game, each) for each in settings]
    start = LocalBoard(())
    for number in range(boards):
        generator = np.random.default_rng((seed % 2**64, number))
        cards = tuple(generator.permutation(52)[: STREETS[-1]].tolist())
        streets = [start, *(LocalBoard(cards[:size]) for size in STREETS[1:])]
        first, second = (seat.value(streets, generator.random) for seat in seats)
        yield first, second


def _check_lines(game: Game, settings: Settings) -> None:
    """Refuse sizes with which the betting has more lines than can be looked at.

    A line in which the responder takes one of n choices in each of k rounds bets ever more, so of n^k some 1 / k! are
    there: fewer than there are in truth, with the agent's own bets, and known without laying anything out.
    """
    state = State.start(game)
    choices: list[int] = []
    while not state.finished:
        if state.round == len(choices):
            choices.append(len(options_of(state, settings)))
        state = state.apply("c")
    lines = prod(choices) // factorial(len(choices))
    if lines > MOST_LINES:
        counts = ", ".join(f"{count:,}" for count in choices)
        raise KibitzError(
            f"the sizes {settings.menu} leave {counts} choices as the rounds open, some {format_count(lines)} lines of "
            f"betting: at most {MOST_LINES:,} can be searched; give fewer sizes, or call until a later round"
        )


class Entry(NamedTuple):
    """The beginning of a round, with vectors in the order of the board before.

    reach : float32[hypotheses, hands]   how likely the agent comes here with each hand
    mask  : bool[hands]                the responder's hands that come here
    """

    root: Root
    reach: Vectors
    mask: npt.NDArray[np.bool_]


class _Round(NamedTuple):
    """What ends in a round is worth to each hand, in chips summed over the agent's hands, and what follows it."""

    worth: Floats
    entries: list[Entry]


class LocalResponder:
    """One who responds from one seat."""

    def __init__(self, view: AgentView, game: Game, settings: Settings) -> None:
        self._view = view
        self._game = game
        self._settings = settings
        self._first: _Round | None = None

    def value(self, streets: list[LocalBoard], uniform: Uniform) -> float:
        """Chips per hand on a board: `streets` are its cards before the flop, on it, on the turn and on the river."""
        worth = self.worth(streets, uniform)
        return sum(float(each.sum()) / board.pairs for each, board in zip(worth, streets, strict=True))

    def worth(self, streets: list[LocalBoard], uniform: Uniform) -> list[Floats]:
        """What ends on each street is worth to each hand: float64[hands], chips summed over the agent's hands."""
        chances = [self._view.chances(self._settings.agent, board.holes, board.cards) for board in streets]
        first = self._first
        if first is None or self._view.draws_sizes:
            first = self._first = self._start(streets[0], chances[0], uniform)
        worth = [first.worth, *(np.zeros(len(board.numbers)) for board in streets[1:])]
        self._go_on(1, first.entries, streets, chances, worth)
        return worth

    def _start(self, board: LocalBoard, chances: Chances, uniform: Uniform) -> _Round:
        belief = self._view.start(self._game, self._settings.agent)
        root = Root(State.start(self._game), belief, 0, self._settings, uniform)
        every = np.ones((1, len(HOLES)), dtype=np.float32)
        return self._play(board, [Entry(root, every, every[0] > 0)], chances)

    def _go_on(
        self, round_: int, entries: list[Entry], streets: list[LocalBoard], chances: list[Chances], worth: list[Floats]
    ) -> None:
        """Add what ends in a round and in those after it."""
        board = streets[round_]
        places = board.places_in(streets[round_ - 1])
        for begin in range(0, len(entries), TOGETHER):
            here = [
                Entry(root, np.ascontiguousarray(reach[:, places]), mask[places])
                for root, reach, mask in entries[begin : begin + TOGETHER]
            ]
            played = self._play(board, here, chances[round_])
            worth[round_] += played.worth
            if round_ < LAST:
                self._go_on(round_ + 1, played.entries, streets, chances, worth)

    def _play(self, board: LocalBoard, entries: list[Entry], chances: Chances) -> _Round:
        """A round from each of `entries`."""
        from kibitz.responses.local import _kernels

        rows = [_reach_rows(entry, chances) for entry in entries]
        totals = np.concatenate([_all_hypotheses(row) for each in rows for row in each])
        rivals, lead = board.meet(totals, self._settings.is_compared(entries[0].root.round))
        worth = np.zeros(len(board.numbers))
        following = []
        begin = 0
        for entry, reach in zip(entries, rows, strict=True):
            tree = entry.root.tree
            met, led = rivals[begin : begin + tree.rows], lead[begin : begin + tree.rows]
            begin += tree.rows
            chosen = np.empty((len(tree.nodes) + 1, len(worth)), dtype=np.int32)
            _kernels.decide(tree.nodes, tree.fold_rows, tree.prices, entry.mask, met, led, chosen)
            reached = np.zeros((len(tree.closings), len(worth)), dtype=bool)
            _kernels.collect(tree.leaves, tree.chips, met, led, chosen, worth, reached)
            following += [
                Entry(closing.root, _updated(closing.update, reach[closing.row]), mask)
                for closing, mask in zip(tree.closings, reached, strict=True)
                if mask.any()
            ]
        return _Round(worth, following)


def _reach_rows(entry: Entry, chances: Chances) -> list[Vectors]:
    """How likely the agent comes to each row of a round, by hypothesis: float32[hypotheses, hands] each."""
    rows = [entry.reach]
    for step in entry.root.tree.steps:
        reach = _updated(step.update, rows[step.row])
        for hypotheses, transitions in step.transitions:
            if len(transitions) == 1:
                ((before, _after, key, number),) = transitions
                rows.append(reach[before : before + 1] * chances(key)[number])
                continue
            row = np.zeros((hypotheses, reach.shape[1]), dtype=np.float32)
            for before, after, key, number in transitions:
                row[after] += reach[before] * chances(key)[number]
            rows.append(row)
    return rows


def _updated(update: Floats | None, reach: Vectors) -> Vectors:
    return reach if update is None else (update @ reach).astype(np.float32)


def _all_hypotheses(reach: Vectors) -> Vectors:
    return reach if len(reach) == 1 else reach.sum(axis=0, keepdims=True)
