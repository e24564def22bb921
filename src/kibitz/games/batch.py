"""Many hands side by side: the rules on arrays, for any policy that can decide many hands at once.

>>> from kibitz.games import load_game
>>> game = load_game("holdem-limit-3p")
>>> hands = HandBatch(game, 1000)
>>> while not hands.finished.all():
...     legal = hands.legal()
...     hands.apply(np.where(hands.rounds == 0, legal.max_raise_to, CALL))  # before the flop raise while it is allowed
>>> cards = deal_cards(game, AcpcCards(0), count=1000)
>>> returns = hands.returns(showdown_values(game, cards))
>>> returns.shape, float(abs(returns.sum(axis=1)).max())
((1000, 3), 0.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import GameError, IllegalActionError
from kibitz.games.dealing import WORDS, AcpcCards, CardSource, cards_per_hand, words_per_hand
from kibitz.games.game import Game

if TYPE_CHECKING:
    from kibitz.games._kernels import Rules

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Cards = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.uint64]

FOLD, CALL = -1, 0  # actions; any other is the amount to raise to, over the whole hand, in limit games too


class LegalActions(NamedTuple):
    """What the players to act may do, by hand; calling is always possible. All zero where a hand is over."""

    fold: Booleans
    min_raise_to: Integers  # 0 where no raise is possible
    max_raise_to: Integers


def can_batch(game: Game) -> bool:
    """Whether the rules of `game` are known on arrays: ACPC rules without antes, everybody may bet."""
    return game.rules == "acpc" and not any(game.antes) and all(game.bettors) and not game.has_table_rules


def kernel_rules(game: Game) -> Rules:
    """What kernels know of `game`; GameError where that is not all there is to it."""
    from kibitz.games._kernels import Rules

    if not can_batch(game):
        raise GameError(
            f"{game.name or 'this game'} on arrays: ACPC rules without antes are known, for players who bet"
        )
    per_player, per_round = (game.stacks, game.blinds), (game.first_players, game.max_raises)
    stacks, blinds = (np.array(chips, dtype=np.int64) for chips in per_player)
    first, max_raises = (np.array(numbers, dtype=np.int64) for numbers in per_round)
    raise_sizes = np.array(game.raise_sizes or (0,) * game.rounds, dtype=np.int64)
    return Rules(stacks, blinds, raise_sizes, first, max_raises, game.opening_raise, game.smallest_bet)


class HandBatch:
    """Hands of one game, all beginning together; `apply` changes them in place. Fields are those of `State`.

    spent : int64[hands, players]    chips put in

    players, rounds, folded, bets : int64[hands]    the player to act, -1 where a hand is over; masks of who has folded
    """

    def __init__(self, game: Game, count: int) -> None:
        from kibitz.games import _kernels

        self.game = game
        self._rules = kernel_rules(game)
        self._table = np.empty((count, len(_kernels.Hand._fields)), dtype=np.int64)
        self.spent: Integers = np.empty((count, game.players), dtype=np.int64)
        _kernels.start_all(self._rules, self._table, self.spent)
        self.rounds, self.players, self.folded, _, _, _, _, self.bets, _ = self._table.T

    @property
    def finished(self) -> Booleans:
        """Whether each hand is over."""
        return np.asarray(self.players < 0)

    @property
    def pots(self) -> Integers:
        """Chips in the middle."""
        return np.asarray(self.spent.sum(axis=1))

    @property
    def to_call(self) -> Integers:
        """Chips that the player to act must add to call; 0 where a hand is over."""
        player = self.players.clip(0)
        owed = np.minimum(self.bets, self._rules.stacks[player]) - self.spent[np.arange(len(player)), player]
        return np.where(self.finished, 0, owed)

    def legal(self) -> LegalActions:
        """What the players to act may do."""
        from kibitz.games import _kernels

        hands = len(self.spent)
        legal = LegalActions(np.empty(hands, np.bool_), np.empty(hands, np.int64), np.empty(hands, np.int64))
        _kernels.legal_all(self._rules, self._table, self.spent, *legal)
        return legal

    def apply(self, actions: npt.ArrayLike) -> None:
        """Let every player to act do what `actions`, int64[hands], say: FOLD, CALL or the amount to raise to.

        What stands there for a hand that is over counts for nothing. IllegalActionError, and no hand is changed, where
        one is not legal.
        """
        from kibitz.games import _kernels

        chosen = np.ascontiguousarray(np.broadcast_to(np.asarray(actions, dtype=np.int64), len(self.spent)))
        fold, low, high = self.legal()
        raises = (chosen > CALL) & (chosen >= low) & (chosen <= high)
        wrong = np.flatnonzero(~(self.finished | (chosen == CALL) | ((chosen == FOLD) & fold) | raises))
        if wrong.size:
            hand = wrong[0]
            raise IllegalActionError(
                f"action {chosen[hand]} in hand {hand}, player {self.players[hand]}: legal are "
                f"{'-1, ' * bool(fold[hand])}0" + f" and {low[hand]} to {high[hand]}" * bool(high[hand])
            )
        _kernels.apply_all(self._rules, self._table, self.spent, chosen)

    def returns(self, values: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Net chips of finished hands: float64[hands, players].

        values : int32[hands, players]   what the hands are worth at a showdown, see `showdown_values`
        """
        from kibitz.games import _kernels

        if not self.finished.all():
            raise IllegalActionError(f"{np.count_nonzero(~self.finished)} of {len(self.spent)} hands are not over")
        net = np.empty(self.spent.shape)
        _kernels.pay_all(self._table, self.spent, np.ascontiguousarray(values, dtype=np.int32), net)
        return net


def deal_cards(game: Game, source: CardSource, count: int) -> Cards:
    """The first `count` hands of `source.hands`: uint8[count, cards], hole cards by player, then the board."""
    cards = np.empty((count, cards_per_hand(game)), dtype=np.uint8)
    TableDealer(game, source).next_hands(count)(0, cards, np.empty((count, 0), dtype=np.uint64))
    return cards


class TableDealer:
    """Deals the hands of a match as arrays, so many at a time; each of the times on any number of threads."""

    def __init__(self, game: Game, source: CardSource) -> None:
        self._game, self._source, self._first = game, source, 0
        seed = source.seed % 2**32 if isinstance(source, AcpcCards) else 0
        self._words = np.random.RandomState(seed)  # which is seeded as the C dealer is

    def next_hands(self, count: int) -> Callable[[int, Cards, Masks], None]:
        """What deals the next `count` hands from the given one of them on.

        It fills uint8[n, cards], as `deal_cards`, and uint64[n, players] with the cards of each player at a showdown.
        For only one of them, give uint8[0, 0] or uint64[n, 0].
        """
        from kibitz.games import _kernels

        game, source, before = self._game, self._source, self._first
        deck, each, held = kernel_deck(game), cards_per_hand(game), game.hole_cards
        self._first += count
        if isinstance(source, AcpcCards):
            words = self._words.randint(0, 2**32, size=count * each, dtype=np.uint32)
            return lambda first, *filled: _kernels.deal_words(words[first * each :], deck, each, held, *filled)
        from kibitz.random._kernels import digest_numbers

        key, length = np.frombuffer(source.key, dtype="<u8").astype(np.uint64), words_per_hand(game)
        parts = WORDS // length

        def deal(first: int, cards: Cards, masks: Masks) -> None:
            number, part = divmod(before + first, parts)
            digests = np.empty(((part + len(masks) - 1) // parts + 1, WORDS // 2), dtype=np.uint64)
            digest_numbers(key, number, digests)
            words = digests.view(np.uint32).ravel()
            _kernels.deal_keyed(words, part, length, deck, each, held, cards, masks)

        return deal


def kernel_deck(game: Game) -> npt.NDArray[np.uint8]:
    """The deck in the order in which it is dealt from."""
    return np.array(game.deck, dtype=np.uint8)


def showdown_values(game: Game, cards: Cards) -> npt.NDArray[np.int32]:
    """What every player of `cards`, as `deal_cards` deals them, holds at a showdown: int32[hands, players]."""
    from kibitz.evaluator import evaluate_batch

    held, players = game.hole_cards, game.players
    hole = cards[:, : held * players].reshape(len(cards), players, held)
    board = np.broadcast_to(cards[:, np.newaxis, held * players :], (len(cards), players, game.board_ends[-1]))
    hands = np.concatenate((hole, board), axis=2)
    return evaluate_batch(hands.reshape(len(cards) * players, -1), game.hand_ranking).reshape(len(cards), players)
