"""What players know of the cards, and what it is called: private and public states by name, for 2 to 10 players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.cards import RANKS, format_cards
from kibitz.games import Game
from kibitz.isomorphism import IsomorphismIndex
from kibitz.tree.count import ranks_tell_all

Cards = tuple[int, ...]
Labels = tuple[tuple[str, ...], ...]  # per player, the text of every state


def list_boards(game: Game, suits_merged: bool) -> Iterator[tuple[Cards, int]]:
    """Every board, streets in order, with the number of boards it stands for."""
    streets = tuple(count for count in game.board_cards if count)
    if not streets:
        yield (), 1
    elif suits_merged:
        index = IsomorphismIndex(streets, game.suits, game.ranks, game.has_lowest_deck)
        for i in range(index.sizes[-1]):
            yield index.unindex(i), index.orbit_size(i)
    else:
        yield from ((board, 1) for board in _dealt(game.deck, streets))


def _dealt(deck: Cards, streets: Cards) -> Iterator[Cards]:
    if not streets:
        yield ()
        return
    for cards in combinations(deck, streets[0]):
        rest = tuple(card for card in deck if card not in cards)
        for later in _dealt(rest, streets[1:]):
            yield cards + later


class Namer:
    """Names private and public states so that equal names mean equal knowledge."""

    def __init__(self, game: Game, suits_merged: bool) -> None:
        self.game = game
        self.streets = tuple(count for count in game.board_cards if count)
        # Without straights and flushes a suit means nothing, and ranks alone tell hands apart.
        self.ranks_only = suits_merged and ranks_tell_all(game)
        deck = game.suits, game.ranks, game.has_lowest_deck
        self.index = IsomorphismIndex((game.hole_cards, *self.streets), *deck) if suits_merged else None
        self._canonical: dict[Cards, Cards] = {}
        self.public = IsomorphismIndex(self.streets, *deck) if suits_merged and self.streets else None

    def _cut(self, board: Cards, round_: int) -> tuple[Cards, int]:
        """The board of a round and the number of streets on it."""
        return board[: self.game.board_ends[round_]], self._streets_seen(round_)

    def _streets_seen(self, round_: int) -> int:
        return sum(1 for count in self.game.board_cards[: round_ + 1] if count)

    def board(self, board: Cards, round_: int) -> Cards:
        """A canonical representative of the public cards of a round."""
        cards, streets = self._cut(board, round_)
        if self.ranks_only:
            return self._sorted(tuple(card | 3 for card in cards))
        if self.public is not None and streets:
            return self.public.unindex(self.public.index(cards, streets - 1), streets - 1)
        return self._sorted(cards)

    def hand(self, hole: Cards, board: Cards, round_: int) -> Cards:
        """A canonical representative of what a player sees in a round: hole cards, then the board."""
        cards, streets = self._cut(board, round_)
        if self.ranks_only:
            return tuple(sorted((card | 3 for card in hole), reverse=True)) + self._sorted(tuple(c | 3 for c in cards))
        if self.index is None:
            return tuple(sorted(hole, reverse=True)) + self._sorted(cards)
        seen = hole + cards
        if seen not in self._canonical:  # the same cards come with every later street
            self._canonical[seen] = self.index.unindex(self.index.index(seen, streets), streets)
        return self._canonical[seen]

    def _sorted(self, board: Cards) -> Cards:
        ordered: Cards = ()
        for count in self.streets:
            ordered += tuple(sorted(board[len(ordered) : len(ordered) + count], reverse=True))
        return ordered[: len(board)]

    def text(self, cards: Cards) -> str:
        """A state as people read it: hole cards, then "|" and the board of each street."""
        game = self.game
        suitless = self.ranks_only or game.suits == 1
        write = (lambda these: "".join(RANKS[card >> 2] for card in these)) if suitless else format_cards
        pieces, start = [write(cards[: game.hole_cards])], game.hole_cards
        for count in self.streets:
            if start < len(cards):
                pieces.append(write(cards[start : start + count]))
                start += count
        return "|".join(pieces)

    def unseen(self, board: Cards, round_: int) -> str:
        """The state of a player who does not look at his hole cards."""
        public = self.board(board, round_)
        return f"?|{format_cards(public)}" if public else "?"

    def labels(self, holes: Sequence[Cards], board: Cards, round_: int) -> list[tuple[str, ...]]:
        """Per hole hand, what it is called for every player."""
        unseen, sighted = self.unseen(board, round_), self.game.sighted
        names = [self.text(self.hand(hole, board, round_)) for hole in holes]
        return [tuple(name if looks else unseen for looks in sighted) for name in names]

    def classes(self, hands: npt.NDArray[np.uint8], round_: int) -> npt.NDArray[np.int64]:
        """Numbers, int64[n], that are equal for rows of `hands`, uint8[n, hole and board cards], with equal names."""
        if self.index is not None and not self.ranks_only:
            return self.index.index_batch(hands, self._streets_seen(round_))
        numbers = np.zeros(len(hands), dtype=np.int64)
        begin = 0
        for count in (self.game.hole_cards, *self.streets)[: 1 + self._streets_seen(round_)]:
            street = np.sort(hands[:, begin : begin + count] | (3 if self.ranks_only else 0), axis=1)
            for column in range(count):
                numbers = 52 * numbers + street[:, column]
            begin += count
        return numbers


def list_states(game: Game, suits_merged: bool) -> tuple[Labels, ...]:
    """The labels of all private states, [round][player][state], in the order in which matrix deals number them.

    Public states ascend; within one, states come as boards and hole hands are first met.
    """
    namer = Namer(game, suits_merged)
    blocks: list[dict[Cards, list[dict[str, None]]]] = [{} for _ in range(game.rounds)]
    for board, _multiplicity in list_boards(game, suits_merged):
        holes = list(combinations([card for card in game.deck if card not in board], game.hole_cards))
        for round_, found in enumerate(blocks):
            states = found.setdefault(namer.board(board, round_), [{} for _ in range(game.players)])
            for names in namer.labels(holes, board, round_):
                for player, name in enumerate(names):
                    states[player].setdefault(name)
    return tuple(
        tuple(tuple(name for public in sorted(found) for name in found[public][p]) for p in range(game.players))
        for found in blocks
    )
