"""Bucketed deals of hold'em: real cards, dealt by number and told to the solvers as buckets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import STREETS, get_boards
from kibitz.deals.sampled import Draws
from kibitz.errors import CardError, KibitzError
from kibitz.evaluator import evaluate_batch
from kibitz.files import fingerprint
from kibitz.games import Game
from kibitz.parallel.threads import run_slices

_SLICE = 1 << 12  # deals worked on together: their cards and codes stay in the cache


@dataclass(frozen=True, eq=False)
class BucketedDeal:
    """A `SampledDeal` of hold'em with 2 to 10 players, each with a card abstraction of their own.

    Make one with `bucketed_deal`. `threads` changes the speed and nothing else.
    """

    game: Game
    abstractions: tuple[CardAbstraction, ...]
    threads: int = 1

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Buckets: int64[rounds, players]."""
        return np.stack([each.counts[: self.game.rounds] for each in self.abstractions], axis=1)

    @cached_property
    def fingerprint(self) -> str:
        """The abstraction's, or a hash of all where players have different ones."""
        prints = [each.fingerprint for each in self.abstractions]
        return prints[0] if len(set(prints)) == 1 else fingerprint(" ".join(prints))

    def deal(self, seed: int, first: int, count: int) -> npt.NDArray[np.uint8]:
        """The cards of deals first .. first + count - 1: uint8[count, players, 7], each player's two and the board."""
        from kibitz.abstraction._kernels import deal_hands

        key = np.random.SeedSequence((seed, 0)).generate_state(1, np.uint64)[0]
        hands = np.empty((count, self.game.players, 2 + self.game.board_ends[-1]), dtype=np.uint8)
        deal_hands(key, first, hands)
        return hands

    def draw(self, seed: int, first: int, count: int) -> Draws:
        """Deals number first .. first + count - 1 of `seed`; a deal depends on its number and the seed alone."""
        draws = Draws(
            np.zeros((count, self.game.rounds, self.game.players), dtype=np.int32),
            np.empty((count, self.game.players), dtype=np.int32),
        )

        def work(start: int, stop: int) -> None:
            hands = self.deal(seed, first + start, stop - start)
            self._find(hands, draws.states[start:stop])
            draws.strengths[start:stop] = evaluate_batch(hands.reshape(-1, hands.shape[2])).reshape(len(hands), -1)

        if count:
            run_slices(work, count, _SLICE, self.threads)
        return draws

    def look_up(self, hole: Sequence[Sequence[int]], board: Sequence[int]) -> Draws:
        """The one deal of these cards, as a row of `draw`."""
        self._check(hole, board)
        hands = np.array([[(*cards, *board) for cards in hole]], dtype=np.uint8)
        draws = Draws(
            np.zeros((1, self.game.rounds, self.game.players), dtype=np.int32), evaluate_batch(hands[0])[None]
        )
        self._find(hands, draws.states)
        return draws

    def _check(self, hole: Sequence[Sequence[int]], board: Sequence[int]) -> None:
        """Refuse what is no whole deal of the game."""
        players, size = self.game.players, self.game.board_ends[-1]
        dealt = [card for cards in (*hole, board) for card in cards]
        if (
            len(hole) != players
            or any(len(cards) != 2 for cards in hole)
            or len(board) != size
            or len(set(dealt)) != len(dealt)
            or not set(dealt) <= set(self.game.deck)
        ):
            raise CardError(
                f"{hole} on {board}: two hole cards for each of {players} players and {size} on the board, "
                "all different, from 0 to 51"
            )

    def _find(self, hands: npt.NDArray[np.uint8], states: npt.NDArray[np.int32]) -> None:
        """Fill int32[n, rounds, players] `states`; every board is placed once for all players."""
        board = np.ascontiguousarray(hands[:, 0, 2:])
        codes = [get_boards(size).place_batch(board) for size in self.game.board_ends]
        for player, abstraction in enumerate(self.abstractions):
            holes = np.ascontiguousarray(hands[:, player, :2])
            found = np.zeros(len(hands), dtype=np.int32)
            for round_, each in enumerate(abstraction.rounds[: self.game.rounds]):
                if abstraction.parents is None:
                    found[:] = 0
                each.find(holes, board, codes[round_], found)
                states[:, round_, player] = found


def bucketed_deal(
    game: Game, abstractions: CardAbstraction | Sequence[CardAbstraction], threads: int = 1
) -> BucketedDeal:
    """The deal of `game` in buckets: one abstraction for all players, or one each in the order of positions."""
    each = (abstractions,) * game.players if isinstance(abstractions, CardAbstraction) else tuple(abstractions)
    if len(each) != game.players:
        raise KibitzError(f"{len(each)} card abstractions for {game.players} players: one for all, or one each")
    ends = game.board_ends
    if game.hole_cards != 2 or len(game.deck) != 52 or ends != STREETS[: len(ends)] or not all(game.sighted):
        raise KibitzError(
            f"{game.name or 'this game'} deals {game.hole_cards} hole cards and boards of {list(ends)} from "
            f"{len(game.deck)} cards: buckets are for hold'em, two hole cards and 0, 3, 4, 5 on the board"
        )
    for abstraction in each:
        if abstraction.counts[: game.rounds].max() >= 1 << 31:
            raise KibitzError(
                f"{abstraction.name} has {abstraction.counts.max():,} states in a round: at most 2^31 - 1"
            )
    return BucketedDeal(game, each, threads)
